"""Records analysed: the costliest plays, the worst first, from what each player could see."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from hearts.bots import RandomBot
from hearts.bots.levels import strong
from hearts.bots.search.analysis import judged_plays
from hearts.bots.search.outlook import Outlook
from hearts.game.events import Action, Deal, Play
from hearts.game.game import Game, Phase
from hearts.game.record import Record, parse_record
from hearts.game.rules import parse_rules
from hearts.game.view import View, view_of
from hearts_client.commands.main import main


def _record(seed: int) -> str:
    """One hand of four who play by chance."""
    source = random.Random(seed)
    game = Game(parse_rules("pass=never"), 100)
    actions: list[Action] = [Deal.from_secret(source.randbytes(16))]
    game.apply(actions[0])
    bot = RandomBot(source.random)
    while game.phase is Phase.PLAY:
        player = game.waiting_for()[0]
        actions.append(Play(player, bot.choose_card(view_of(game, player))))
        game.apply(actions[-1])
    return str(Record(game.rules, 100, ("Ann", "Moe", "Larry", "Curly"), tuple(actions)))


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "game.txt"
    path.write_text(_record(3), encoding="utf-8")
    return path


def _analyse(file: Path, *words: str) -> int:
    return main(["analyse", str(file), "--bot", "strong", "--worlds", "12", *words])


def test_the_costliest_plays_come_first(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert _analyse(file, "--most", "5") == 0
    out, err = capsys.readouterr()
    head, empty, columns, *rows = out.splitlines()
    assert (empty, err) == ("", "")
    assert head.endswith("points together.")
    assert columns.split() == ["hand", "trick", "player", "played", "better", "cost"]
    costs = [float(row.split()[-2]) for row in rows]
    assert len(rows) == 5
    assert costs == sorted(costs, reverse=True)
    assert costs[0] > 2
    assert all(row.split()[3] != row.split()[4] for row in rows)


def test_every_choice_in_its_order(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert _analyse(file, "--every") == 0
    head, _, _, *rows = capsys.readouterr().out.splitlines()
    assert len(rows) == int(head.split()[0])
    cells = [row.split() for row in rows]
    tricks = [int(cell[1]) for cell in cells]
    assert tricks == sorted(tricks)
    marks = {"=": 0, "~": 0, "": 0}
    for _, _, _, played, better, cost, _ in cells:
        mark = better[-1] if better[-1] in marks else ""
        marks[mark] += 1
        assert (mark == "=") == (better == "=")
        assert better.rstrip("~") != played
        assert mark != "=" or float(cost) == 0
    assert min(marks.values()) > 0
    assert int(head.split(";")[1].split()[0]) == marks[""]


def test_one_player(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert _analyse(file, "--player", "Moe") == 0
    rows = capsys.readouterr().out.splitlines()[3:]
    assert rows
    assert {row.split()[2] for row in rows} == {"Moe"}
    assert _analyse(file, "--player", "Zoe") == 2
    assert "nobody is called 'Zoe' here: Ann, Moe" in capsys.readouterr().err


def test_what_is_no_record(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert _analyse(tmp_path / "none.txt") == 2
    file = tmp_path / "words.txt"
    file.write_text("some words\n", encoding="utf-8")
    assert _analyse(file) == 2
    err = capsys.readouterr().err
    assert err.count("hearts-client analyse: ") == 2
    assert "no record" in err


def test_each_play_is_judged_by_what_its_player_could_see() -> None:
    record = parse_record(_record(3))
    seen: list[View] = []
    bot = strong(random.Random(1).random, 2)

    def look(view: View) -> Outlook:
        seen.append(view)
        return bot.outlook(view)

    plays = list(judged_plays(record, look))
    assert len(plays) == len(seen) > 20
    assert all(play.loss >= 0 and 1 <= play.trick <= 13 and play.hand == 1 for play in plays)
    assert [view.player for view in seen] == [play.player for play in plays]

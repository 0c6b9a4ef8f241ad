"""Records analysed: the costliest choices, the worst first, and why."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from hearts.bots import RandomBot
from hearts.game.events import Action, Deal, Play
from hearts.game.game import Game, Phase
from hearts.game.record import Record, parse_record
from hearts.game.rules import parse_rules
from hearts.game.view import view_of
from hearts.judging.judge import choices_of
from hearts_client.commands.main import main


def record_by_chance(seed: int) -> str:
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
    path.write_text(record_by_chance(2), encoding="utf-8")
    return path


def _analyse(file: Path, *words: str) -> int:
    return main(["analyse", str(file), *words])


def test_the_costliest_choices_come_first(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert _analyse(file, "--player", "Curly", "--deals", "8", "--most", "2") == 0
    out, err = capsys.readouterr()
    head, empty, columns, *rows = out.splitlines()
    assert (empty, err) == ("", "")
    assert head.endswith("points together.")
    assert columns.split() == ["hand", "trick", "player", "chosen", "better", "cost"]
    cells = [row.split() for row in rows if not row.startswith(" " * 13)]
    assert len(cells) == 2
    assert {cell[2] for cell in cells} == {"Curly"}
    assert all(cell[3] != cell[4] for cell in cells)
    assert float(cells[0][-2]) >= float(cells[1][-2]) > 1
    # Each has its reasons below it.
    assert rows[1].startswith(" " * 13)
    assert rows[-1].startswith(" " * 13)


def test_every_choice_in_its_order(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert _analyse(file, "--player", "Larry", "--deals", "2", "--every") == 0
    head, _, _, *rows = capsys.readouterr().out.splitlines()
    cells = [row.split() for row in rows if not row.startswith(" " * 13)]
    assert len(cells) == int(head.split()[0])
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


def test_who_is_not_there(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert _analyse(file, "--player", "Zoe", "--deals", "1") == 2
    assert "nobody is called 'Zoe' here: Ann, Moe" in capsys.readouterr().err


def test_what_is_no_record(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert _analyse(tmp_path / "none.txt", "--deals", "1") == 2
    file = tmp_path / "words.txt"
    file.write_text("some words\n", encoding="utf-8")
    assert _analyse(file, "--deals", "1") == 2
    err = capsys.readouterr().err
    assert err.count("hearts-client analyse: ") == 2
    assert "no record" in err


def test_each_choice_comes_with_what_its_player_could_see() -> None:
    record = parse_record(record_by_chance(3))
    choices = list(choices_of(record))
    assert len(choices) > 20
    for choice in choices:
        view = choice.view
        assert choice.trick == len(view.history) // 4 + 1
        assert choice.cards[0] in view.legal_cards
        play = record.actions[choice.number + 1]
        assert isinstance(play, Play)
        assert (play.player, (play.card,)) == (view.player, choice.cards)
        assert view.hand.bit_count() + view.unseen.bit_count() + len(view.history) == 52

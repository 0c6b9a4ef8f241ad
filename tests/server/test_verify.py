"""The command ``hearts-server verify``: its words and its exit status."""

from __future__ import annotations

import io
import sys
from pathlib import Path

import pytest

from hearts.game.cards import by_wire, cards_of
from hearts.game.cuts import hash_of, shown_cuts
from hearts.game.deal import deal_hands
from hearts.game.events import ChosenBy, Deal, Pass, Play
from hearts.game.game import Game, Phase
from hearts.game.kernel import HandPlay
from hearts.game.record import Record
from hearts.game.rules import parse_rules
from hearts_server.commands.verify import main

SECRET = bytes(range(16))


def _record(
    plays: int = 52, names: tuple[str, str, str, str] = ("Ann", "Moe", "Larry", "Curly")
) -> Record:
    """One hand in which everybody passes and plays what comes first; Moe is a computer."""
    game = Game(end_score=26)
    deal = Deal.from_secret(SECRET)
    actions: list[Deal | Pass | Play] = [deal]
    game.apply(deal)
    for player in range(4):
        a, b, c, *_ = by_wire(deal.hands[player])
        actions.append(Pass(player, (a, b, c), ChosenBy.CLOCK if player == 2 else _by(player)))
        game.apply(actions[-1])
    for _ in range(plays):
        assert isinstance(game.play, HandPlay)
        card = next(cards_of(game.play.legal()))
        actions.append(Play(game.play.turn, card, _by(game.play.turn)))
        game.apply(actions[-1])
    assert (game.phase is Phase.PLAY) == (plays < 52)
    return Record(game.rules, 26, names, tuple(actions))


def _by(player: int) -> ChosenBy:
    return ChosenBy.COMPUTER if player == 1 else ChosenBy.PLAYER


def _write(folder: Path, text: str, name: str = "a.record") -> str:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return str(path)


def test_a_record_that_is_right(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([_write(tmp_path, str(_record()))]) == 0
    out, errors = capsys.readouterr()
    assert errors == ""
    lines = out.splitlines()
    assert lines[:6] == [
        "players Ann, Moe, Larry, Curly; rules standard; end at 26",
        "deal 1: commitment, 4 hands, 12 passed cards, 12 received cards, 52 plays, 13 tricks, "
        "points, scores: all right",
        "Ann: 14 choices",
        "Moe: 14 choices, all by a computer",
        "Larry: 14 choices, 1 by the clock",
        "Curly: 14 choices",
    ]
    assert lines[6].startswith("scores: Ann ")
    assert lines[7:] == [
        "commitments and cards: which of them was there first no record can show",
        "all right",
    ]


def test_the_numbers_of_a_record(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    ann, moe, curly = (bytes([player + 1]) * 32 for player in range(3))
    shown = shown_cuts((hash_of(ann), hash_of(moe), b"", hash_of(curly)), (ann, b"", b"", curly))
    deal = Deal.from_shown(SECRET, shown)
    record = Record(parse_rules("standard"), 100, ("Ann", "Moe", "Larry", "Curly"), (deal,))
    assert main([_write(tmp_path, str(record))]) == 0
    assert capsys.readouterr().out.splitlines()[-3:] == [
        "numbers missing: Ann 0 of 1, Moe 1 of 1, Curly 0 of 1",
        "commitments, numbers and cards: which of them was there first no record can show",
        "all right",
    ]


def test_what_is_not_there_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = str(_record(plays=1))
    bare = "".join(line for line in text.splitlines(True) if "commitment" not in line)
    hands = Record(parse_rules("standard"), 100, ("a", "b", "c", "d"), (Deal(deal_hands(SECRET)),))
    assert main([_write(tmp_path, bare + str(hands))]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == f"{tmp_path / 'a.record'}, line 1:"
    assert lines[2] == (
        "  deal 1: no commitment, deal code only, 4 hands, 12 passed cards, 12 received cards, "
        "1 play, 0 tricks: all right as far as it goes"
    )
    assert lines[7] == (
        "  scores: Ann 0, Moe 0, Larry 0, Curly 0; "
        "the record stops in deal 1, before the end of the game"
    )
    assert lines[8:10] == ["  all right", f"{tmp_path / 'a.record'}, line 14:"]
    assert lines[11] == (
        "  deal 1: hands given directly, no secret to check them by, 4 hands, 0 plays, 0 tricks: "
        "all right as far as it goes"
    )


def test_what_is_wrong_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines = str(_record()).splitlines()
    del lines[30]
    path = _write(tmp_path, "\n".join(lines))
    assert main([path]) == 1
    out = capsys.readouterr().out.splitlines()
    assert out[-1].startswith("WRONG: line 31: player ")
    assert out[-3].startswith("scores: ")
    good = _write(tmp_path, str(_record()), "b.record")
    assert main([good, path]) == 1
    assert capsys.readouterr().out.count("\n  all right\n") == 1


def test_wrong_scores_are_not_called_right(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = str(_record()).replace("\nscores ", "\nscores 1")
    assert main([_write(tmp_path, text)]) == 1
    out = capsys.readouterr().out
    assert "13 tricks, points: all right as far as it goes\n" in out
    assert out.endswith("WRONG: line 66: the scores are not those of the game\n")


def test_standard_input(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    data = io.BytesIO(str(_record()).encode())
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(data))
    assert main(["-"]) == 0
    assert capsys.readouterr().out.endswith("all right\n")
    assert main(["-"]) == 2
    assert "cannot read standard input: no record: there is nothing" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (None, "No such file or directory"),
        (b"", "no record: there is nothing in it"),
        (b"\n", "no record: there is nothing in it"),
        (b"hearts-record 2\n", "no record: it begins with 'hearts-record 2'"),
        (b"hearts-record 1\n\xff", "'utf-8' codec can't decode byte 0xff"),
    ],
)
def test_what_cannot_be_read(
    data: bytes | None, why: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "a.record"
    if data is not None:
        path.write_bytes(data)
    good = _write(tmp_path, str(_record()).replace("\nscores ", "\nscores 1"), "b.record")
    assert main([str(path), good]) == 2
    out, errors = capsys.readouterr()
    assert errors.startswith(f"hearts-server verify: cannot read {path}: {why}")
    assert "WRONG: line 66" in out


def test_names_do_not_paint_the_terminal(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    record = _record(names=("\x1b[31mAnn", "\u202eMoe", "Zoë", ""))
    assert main([_write(tmp_path, str(record))]) == 0
    out = capsys.readouterr().out
    assert out.startswith("players '\\x1b[31mAnn', '\\u202eMoe', Zoë, ; rules")
    assert "\x1b" not in out
    marks = "\u0301" * 500
    assert main([_write(tmp_path, str(_record(names=("Z" + marks, "Moe", "Larry", "Zoë"))))]) == 0
    out = capsys.readouterr().out
    assert "\u0301" not in out
    assert len(out.splitlines()[0]) < 600
    assert main([_write(tmp_path, str(_record()).replace("play ", "play " + marks))]) == 1
    assert "\u0301" not in capsys.readouterr().out
    wrong = str(_record()).replace("play ", "play \x1b[2J")
    assert main([_write(tmp_path, wrong)]) == 1
    assert "\x1b" not in capsys.readouterr().out


def test_help_and_no_argument(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["--help"])
    assert ended.value.code == 0
    assert "Exit status: 0 all right, 1 something is wrong" in capsys.readouterr().out
    with pytest.raises(SystemExit) as refused:
        main([])
    assert refused.value.code == 2

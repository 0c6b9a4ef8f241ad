"""What a program on the wire is counted, and the file of what it prints."""

from __future__ import annotations

from math import inf
from pathlib import Path

import pytest

from hearts.errors import Fault
from hearts.game.events import ChosenBy
from hearts.game.rules import STANDARD
from hearts.table import inputs
from hearts.table.effects import Decline
from hearts.table.inputs import OpenSeat, ProposeRules, ReplacePlayer, Resign, Wish
from hearts_arena.plan.results import Match
from hearts_arena.wire.programs import OutputFile
from hearts_arena.wire.wire_seat import Account
from hearts_arena.wire.wire_table import WireTable

from .sittings import conduct_of, pace_of, plan_of


def test_a_hand_has_less_time_than_its_choices_together() -> None:
    account = Account(10.0, 25.0)
    account.begin_hand()
    for begin in (100.0, 200.0):
        assert account.ask(begin) == 10.0
        account.settle(ChosenBy.CLOCK, begin + 10.0)
    assert account.hangs
    assert account.ask(300.0) == 5.0
    account.settle(ChosenBy.PLAYER, 304.0)
    assert account.ask(400.0) == 1.0
    account.settle(ChosenBy.CLOCK, 401.0)
    assert account.ask(500.0) == 0.0
    account.settle(ChosenBy.CLOCK, 500.0)
    assert not account.hangs
    assert not account.responds
    account.begin_hand()
    assert account.ask(600.0) == 10.0
    assert account.conduct == conduct_of(choices=6, timeouts=4)
    assert account.pace == pace_of(25.0, 10.0)


def test_who_tries_something_illegal_does_not_hang() -> None:
    account = Account(10.0, 0.0)
    account.begin_hand()
    account.ask(0.0)
    account.refuse()
    account.settle(ChosenBy.CLOCK, 3.0)
    assert not account.hangs
    assert account.conduct == conduct_of(choices=1, illegal=1, timeouts=1)


def test_what_a_stand_in_takes_is_not_the_players_time() -> None:
    account = Account(0.0, 0.0)
    account.begin_hand()
    assert account.ask(0.0) == inf
    account.crashes += 1
    account.settle(ChosenBy.STAND_IN, 50.0)
    assert account.conduct == conduct_of(choices=1, crashes=1, stood_in=1)
    assert account.pace == pace_of()


@pytest.mark.parametrize(
    "wish",
    [
        *(ProposeRules(0, STANDARD, 50), ReplacePlayer(0, 1), OpenSeat(0, 1), Resign(0)),
        *(inputs.ClaimRest(0), inputs.TakeBack(0)),
    ],
)
def test_programs_play_and_ask_for_nothing_else(wish: Wish) -> None:
    table = WireTable(plan_of(), Match(0, 0, (0, 0, 1, 1)))
    assert table.step(wish, 0.0) == [Decline(0, wish, Fault.NOT_NOW)]


def test_output_is_cut_for_each_match(tmp_path: Path) -> None:
    file = OutputFile(tmp_path / "new" / "one.log", a_match=8)
    first, second = file.of_match(1, 0), file.of_match(2, 3)
    first(b"12345")
    second(b"abc\n")
    first(b"6789")
    first(b"more")
    assert (tmp_path / "new" / "one.log").read_text() == (
        "--- match 1 seat 0\n12345--- match 2 seat 3\nabc\n678\n--- the rest is left out\n"
    )


def test_output_files_do_not_grow_for_ever(tmp_path: Path) -> None:
    path = tmp_path / "one.log"
    for number in range(100):
        OutputFile(path, a_file=1000).of_match(number, 0)(b"x" * 90 + b"\n")
    assert path.stat().st_size <= 1000
    assert path.with_suffix(".old").stat().st_size <= 1000
    assert path.read_text().startswith("--- match")
    assert sorted(tmp_path.iterdir()) == [path, path.with_suffix(".old")]


def test_a_file_that_cannot_be_written_costs_nothing(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    OutputFile(tmp_path / "file" / "one.log").of_match(1, 0)(b"said in vain")
    assert (tmp_path / "file").read_text() == ""

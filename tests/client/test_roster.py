"""Who is at the table, in words."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from hearts.session.table_words import PlayerChange, PlayerInfo, PlayerKind, Presence, Waiting
from hearts.table.effects import Change
from hearts_client.words.roster import Roster, in_a_row
from hearts_client.words.typed import NotUnderstood

HUMAN, CPU = PlayerKind.PERSON, PlayerKind.COMPUTER
BOB = PlayerInfo(1, HUMAN, name="Bob")
INFOS = (
    PlayerInfo(0, HUMAN, name="Ann"),
    BOB,
    PlayerInfo(2, PlayerKind.NOT_SAID, name="bob"),
    PlayerInfo(3, CPU, name="Moe"),
)


def roster(*infos: PlayerInfo, me: int = 0) -> Roster:
    made = Roster()
    made.me = me
    made.call([info.name for info in infos or INFOS])
    made.meet(infos or INFOS)
    return made


@pytest.mark.parametrize(
    ("text", "player"),
    [("0", 0), ("3", 3), ("Ann", 0), ("you", 0), ("MOE", 3), ("Bob (player 1)", 1)],
)
def test_a_player_by_name_or_number(text: str, player: int) -> None:
    assert roster().find(text) == player


@pytest.mark.parametrize(
    ("text", "why"),
    [("bob", "2 players are called 'bob'"), ("4", "there is no player '4'"), ("", "say who")],
)
def test_no_player(text: str, why: str) -> None:
    with pytest.raises(NotUnderstood) as caught:
        roster().find(text)
    players = "0 you, 1 Bob (player 1), 2 bob (player 2), 3 Moe"
    assert str(caught.value) == f"{why}; give a name or a number: {players}"


@pytest.mark.parametrize(
    ("info", "lines"),
    [
        (BOB, ["Bob is a person."]),
        (replace(BOB, kind=CPU), []),
        (replace(BOB, kind=PlayerKind.NOT_SAID), []),
        (replace(BOB, kind=PlayerKind.NOT_SAID, level=7), ["Bob is of level 7."]),
        (replace(BOB, comment="hi"), ["Bob is a person, and says: hi"]),
        (replace(BOB, kind=PlayerKind.NOT_SAID, comment="hi"), ["Bob says: hi"]),
        (replace(BOB, presence=Presence.AWAY), ["Bob is a person, away."]),
        (
            replace(BOB, presence=Presence.STAND_IN),
            ["Bob is a person, away, and a computer is playing."],
        ),
    ],
)
def test_who_somebody_is(info: PlayerInfo, lines: list[str]) -> None:
    infos = (INFOS[0], info, replace(INFOS[2], name="Cleo"), INFOS[3])
    made = Roster()
    made.me = 0
    made.call([each.name for each in infos])
    assert made.meet(infos) == lines


CLEO = PlayerInfo(1, HUMAN, name="Cleo")


@pytest.mark.parametrize(
    ("change", "info", "lines"),
    [
        (Change.INTRODUCED, BOB, []),
        (Change.INTRODUCED, replace(BOB, level=3), ["Bob is a person, of level 3."]),
        (Change.LEFT, BOB, ["Bob has lost the connection."]),
        (Change.STAND_IN, BOB, ["A computer plays for Bob until Bob is back."]),
        (Change.BACK, BOB, ["Bob is back."]),
        (
            Change.COMPUTER,
            PlayerInfo(1, CPU, name="Curly"),
            ["Curly, a computer, has the seat of Bob from now on."],
        ),
        (
            Change.OPENED,
            BOB,
            ["The seat of Bob is open for a person; Bob plays until one comes."],
        ),
        (Change.TAKEN, CLEO, ["Cleo has the seat of Bob from now on.", "Cleo is a person."]),
    ],
)
def test_what_becomes_of_a_seat(change: Change, info: PlayerInfo, lines: list[str]) -> None:
    infos = (INFOS[0], BOB, replace(INFOS[2], name="Dan"), INFOS[3])
    made = roster(*infos)
    assert made.change(PlayerChange(change, info)) == lines
    assert made.name(1) == info.name
    assert made.computers(frozenset()) == ([1, 3] if info.kind is CPU else [3])
    assert roster(*infos, me=1).change(PlayerChange(change, info)) == []


def test_a_change_of_a_later_version() -> None:
    made = roster()
    assert made.change(PlayerChange(None, replace(BOB, name="Cleo"))) == []
    assert made.name(1) == "Cleo"


def test_the_same_table_is_told_of_once() -> None:
    made = Roster()
    made.me = 0
    free = PlayerInfo(2, PlayerKind.FREE, presence=Presence.AWAY)
    made.infos = (INFOS[0], BOB, free, INFOS[3])
    waiting = Waiting(None, (2,), 0, None)
    line = "At the table so far: you, Bob and Moe. 1 seat is free."
    assert made.form(waiting) == [line]
    assert made.form(replace(waiting, waited=5000, left=1)) == []
    made.infos = (INFOS[0], INFOS[1], free, replace(free, player=3))
    (line,) = made.form(Waiting(None, (2, 3), 0, 9001))
    assert line.endswith(
        "2 seats are free. Computers take them in 10 seconds, unless somebody comes."
    )
    assert made.form(Waiting(None, (), 0, 9001)) == []


def test_names_in_a_row() -> None:
    assert [in_a_row(names) for names in ((), "A", "AB", "ABC")] == [
        "nobody",
        "A",
        "A and B",
        "A, B and C",
    ]


def test_one_second_is_no_seconds() -> None:
    one_free = (*INFOS[:2], PlayerInfo(2, PlayerKind.FREE), INFOS[3])
    made = roster(*one_free)
    (line,) = made.form(Waiting(None, (2,), 0, 1000))
    assert line.endswith("1 seat is free. Computers take it in 1 second, unless somebody comes.")

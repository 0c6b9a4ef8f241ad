"""The end of a hand and of a game, as a client goes through it: moon, scores, another game."""

from __future__ import annotations

import pytest

from hearts.errors import Reason
from hearts.game.events import ChosenBy, MoonChosen, TricksDone, TrickTaken, YourHand
from hearts.game.rules import Direction, Rules
from hearts.session.client_events import (
    AgainAnswered,
    AnotherGame,
    ChoiceRefused,
    ClientEvent,
    YourChoice,
)
from hearts.session.messages import Scores, TableInfo
from hearts.table.inputs import Question
from tests.plain.script import (
    CARDS,
    HAND,
    HAND_CHOICES,
    HAND_SAID,
    HAND_SENT,
    SIZES,
    Choice,
    after,
    again,
    converse,
    ints,
    moon,
    passes,
    silent,
)

ACK = ints(0)
PASS_ASKED = YourChoice(Question.PASS)

MOONS: dict[str, tuple[bytes, list[Choice], bytes, list[ClientEvent]]] = {
    "nobody": (ints(-1, 0), [], ACK, [TricksDone(None, False)]),
    "another": (ints(3, 0), [], ACK, [TricksDone(3, False)]),
    "ours, without a choice": (ints(0, 0), [], ACK, [TricksDone(0, False)]),
    "ours, on the others": (
        ints(0, 1, 0),
        [moon(True)],
        ints(1),
        [TricksDone(0, True), YourChoice(Question.MOON), MoonChosen(0, True, ChosenBy.PLAYER)],
    ),
    "ours, refused, off our own": (
        ints(0, 1, -1, 0),
        [moon(True), moon(False)],
        ints(1, 0),
        [
            TricksDone(0, True),
            YourChoice(Question.MOON),
            ChoiceRefused(Question.MOON, Reason.NOT_HELD),
            MoonChosen(0, False, ChosenBy.PLAYER),
        ],
    ),
    "forced before our choice": (
        ints(0, 1, 1),
        [silent],
        ints(0),
        [TricksDone(0, True), YourChoice(Question.MOON), MoonChosen(0, False, ChosenBy.CLOCK)],
    ),
    "forced after our choice": (
        ints(0, 1, 2),
        [moon(False)],
        ints(0),
        [TricksDone(0, True), YourChoice(Question.MOON), MoonChosen(0, True, ChosenBy.CLOCK)],
    ),
}


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("name", MOONS)
def test_moon(name: str, size: int) -> None:
    said, choices, sent, told = MOONS[name]
    scores = ints(8, 2, 16, 0, 0)
    events, out = converse(HAND_SAID + said + scores, [*HAND_CHOICES, *choices], size=size)
    assert after(events, TrickTaken) == [*told, Scores((8, 2, 16, 0))]
    assert out == HAND_SENT + sent + ACK


NO_MOON = ints(-1, 0)
OVER = ints(104, 61, 40, 55)
ENDS: dict[str, tuple[bytes, list[Choice], bytes, list[ClientEvent]]] = {
    "the game goes on": (
        ints(8, 2, 16, 0, 0, *HAND, 2),
        [passes("KC", "QC", "JD")],
        2 * ACK + ints(5, 4, 9),
        [Scores((8, 2, 16, 0)), YourHand(1, Direction.RIGHT, CARDS), PASS_ASKED],
    ),
    "we want no other game": (
        OVER + ints(19, 0, 0),
        [again(False)],
        ACK + ints(0) + ACK,
        [
            Scores((104, 61, 40, 55), (2,), you_decide=True),
            YourChoice(Question.AGAIN),
            AgainAnswered(False, ChosenBy.PLAYER),
            AnotherGame(False),
        ],
    ),
    "another game, and its first hand has number 0": (
        OVER + ints(19, 0, 1, 1, 256, 50, 0, 14, *HAND, 0),
        [again(True)],
        ACK + ints(1) + 4 * ACK,
        [
            Scores((104, 61, 40, 55), (2,), you_decide=True),
            YourChoice(Question.AGAIN),
            AgainAnswered(True, ChosenBy.PLAYER),
            AnotherGame(True),
            TableInfo(Rules(jack=True), 50, 0, frozenset({1, 2, 3})),
            YourHand(0, Direction.HOLD, CARDS),
        ],
    ),
    "decided for us before our answer": (
        OVER + ints(19, 2, 1),
        [silent],
        ACK + ints(1) + ACK,
        [
            Scores((104, 61, 40, 55), (2,), you_decide=True),
            YourChoice(Question.AGAIN),
            AgainAnswered(True, ChosenBy.CLOCK),
            AnotherGame(True),
        ],
    ),
    "decided for us after our answer": (
        OVER + ints(19, 1, 0),
        [again(True)],
        ACK + ints(1) + ACK,
        [
            Scores((104, 61, 40, 55), (2,), you_decide=True),
            YourChoice(Question.AGAIN),
            AgainAnswered(False, ChosenBy.CLOCK),
            AnotherGame(False),
        ],
    ),
    "another decides": (
        OVER + ints(17, 0),
        [],
        2 * ACK,
        [Scores((104, 61, 40, 55), (2,)), AnotherGame(False)],
    ),
}


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("name", ENDS)
def test_end_of_a_hand(name: str, size: int) -> None:
    said, choices, sent, told = ENDS[name]
    events, out = converse(HAND_SAID + NO_MOON + said, [*HAND_CHOICES, *choices], size=size)
    assert after(events, TricksDone)[: len(told)] == told
    assert out == HAND_SENT + ACK + sent

"""A session in words."""

from __future__ import annotations

import pytest

from hearts.game.events import ChosenBy, MoonChosen, TricksDone, YourHand
from hearts.game.rules import PRESETS, Direction, Rules, parse_rules
from hearts.plain.client import PlainSession
from hearts.session.client_events import (
    AgainAnswered,
    AnotherGame,
    CameBack,
    CaughtUp,
    ChoiceRefused,
    ClientEvent,
    ConnectionLost,
    DealerEvent,
    Seated,
    SessionEnded,
    YourChoice,
)
from hearts.session.messages import Scores, TableInfo
from hearts.session.picture import Picture
from hearts.session.resume_token import ResumeToken
from hearts.table.effects import AbortProposed, GameAborted
from hearts.table.inputs import Abort
from hearts.wire.credentials import SeatCredentials
from hearts_client.words.narrator import Narrator
from hearts_client.words.rule_words import in_words
from hearts_client.words.style import Style
from tests.plain.script import (
    BEGUN,
    CARDS,
    HAND,
    HAND_CHOICES,
    HAND_SAID,
    NEW,
    REQUEST,
    ints,
    silent,
)


def tell(narrator: Narrator, picture: Picture, *events: DealerEvent) -> list[str]:
    """What a person is told of events; the picture knows each before."""
    lines = []
    for event in events:
        picture.update(event)
        lines += narrator.narrate(event)
    return lines


def story(said: bytes, *, choose: bool = True) -> tuple[list[str], Narrator, Picture]:
    """What a person is told by a scripted server."""
    session = PlainSession(REQUEST)
    narrator = Narrator(Style(), session.picture)
    choices = iter(HAND_CHOICES if choose else [])
    lines = []
    session.feed(said)
    while (event := session.next_event()) is not None:
        lines += narrator.narrate(event)
        if isinstance(event, YourChoice | ChoiceRefused):
            next(choices, silent)(session)
    return lines, narrator, session.picture


def test_the_story_of_a_hand() -> None:
    lines, narrator, _ = story(HAND_SAID + ints(-1, 0, 8, 2, 16, 0, 0))
    text = "\n".join(lines)
    assert text.startswith(
        """You are player 0. Waiting for the other players.

On your left sits Moe, across Larry, on your right Curly.
A game to 100 points, rules: standard, 60 seconds for each choice.
Played by a computer: Moe, Larry, Curly.
Type /help to see what you can type.

--- Hand 1: three cards go to the left, to Moe. ---
You pass: K♣ Q♣ J♦, to Moe.
From Curly you receive: K♥ A♦ K♦.
Hand: 2♣ 3♣ 4♣   3♦ 6♦ 9♦ K♦ A♦   6♠ 9♠ J♠   7♥ K♥

Trick 1. You lead.
You: 2♣
Moe: 7♣
Larry: 6♣
Curly: A♣
Curly takes trick 1.

Trick 2. Curly leads.
"""
    )
    assert "Curly: 3♠\nYou take trick 3.\n" not in text
    assert "Curly: A♥\nHearts are broken.\nMoe takes trick 4 with 1 point." in text.replace(
        "Larry: 5♣\n", ""
    )
    assert text.count("Hearts are broken.") == 1
    assert text.endswith(
        """with 13 points. In this hand so far: you 8, Moe 2, Larry 16, Curly 0.

          You    Moe  Larry  Curly
hand 1      8      2     16      0
total       8      2     16      0"""
    )
    assert narrator.last_trick() == [
        "Trick 13: Larry Q♠, Curly 2♠, you J♠, Moe K♣.",
        "Larry takes it with 13 points.",
    ]


def test_before_anything_has_happened() -> None:
    narrator = Narrator(Style(), Picture())
    assert narrator.rules() == ["The game has not begun yet."]
    assert narrator.scores() == ["No hand is scored yet."]
    assert narrator.last_trick() == ["No trick has been played in this hand yet."]
    assert narrator.trick_lines() == ["There is no card on the table."]


@pytest.mark.parametrize(
    ("direction", "line"),
    [
        (0, "--- Hand 1: no cards are passed. ---"),
        (1, "--- Hand 1: three cards go to the left, to Moe. ---"),
        (2, "--- Hand 1: three cards go to the right, to Curly. ---"),
        (3, "--- Hand 1: three cards go across, to Larry. ---"),
    ],
)
def test_where_the_cards_go(direction: int, line: str) -> None:
    lines, _, _ = story(BEGUN + ints(*HAND, direction))
    assert line in lines
    shown = "Hand: 2♣ 3♣ 4♣ Q♣ K♣   3♦ 6♦ 9♦ J♦   6♠ 9♠ J♠   7♥"
    assert (shown in lines) == (direction == 0)


def test_what_the_clock_chose() -> None:
    lines, _, _ = story(BEGUN + ints(*HAND, 1, 1, 5, 4, 9, 13, 27, 39, 0, 2), choose=False)
    assert "Time is up. The server passes for you: K♣ Q♣ J♦, to Moe." in lines
    assert "Time is up. The server plays 2♣ for you." in lines


EVENTS: list[tuple[DealerEvent, list[str]]] = [
    (TricksDone(None, False), []),
    (TricksDone(0, True), ["You have shot the moon!"]),
    (TricksDone(2, False), ["Larry has shot the moon!", "Larry chooses how it counts."]),
    (MoonChosen(0, True, ChosenBy.PLAYER), ["You choose: 26 points to each of the others."]),
    (
        MoonChosen(0, False, ChosenBy.CLOCK),
        ["Time is up. The server chooses for you: 26 points off your own."],
    ),
    (MoonChosen(2, False, ChosenBy.PLAYER), ["Larry chooses: 26 points off their own."]),
    (
        AbortProposed(Abort.GAME, 0),
        [
            "Abandon this game and begin another one? Type /agree or /refuse.",
        ],
    ),
    (GameAborted(), ["All agree: this game is abandoned. Another one begins."]),
    (AgainAnswered(True, ChosenBy.PLAYER), []),
    (AgainAnswered(False, ChosenBy.CLOCK), ["Time is up. The server answers for you: no."]),
    (AnotherGame(True), ["", "Another game begins."]),
    (AnotherGame(False), ["", "The session is over."]),
    (SessionEnded(True), []),
    (SessionEnded(False), ["The server has ended the connection."]),
    (ConnectionLost("gone", 0.2), ["Connection lost. Your seat is kept; trying again (gone)."]),
    (ConnectionLost("gone", 9.6), ["Connection lost. Your seat is kept; trying again (gone)."]),
    (CaughtUp(), ["", "You are back."]),
]


@pytest.mark.parametrize(("event", "lines"), EVENTS)
def test_event(event: DealerEvent, lines: list[str]) -> None:
    picture = Picture()
    narrator = Narrator(Style(), picture)
    seated = Seated(SeatCredentials(7, 1, 0, 1), ("Ann", "Moe", "Larry", "Curly"))
    tell(narrator, picture, seated, TableInfo(parse_rules("moon=choice"), 100, 60, frozenset()))
    assert tell(narrator, picture, event) == lines


@pytest.mark.parametrize(
    ("winners", "text"),
    [
        ((0,), "The game is over. You win with 8 points."),
        ((1,), "The game is over. Moe wins with 2 points."),
        ((3,), "The game is over. Curly wins with no points."),
        ((1, 3), "The game is over. Moe and Curly win with 2 points."),
    ],
)
def test_winners(winners: tuple[int, ...], text: str) -> None:
    _, narrator, picture = story(HAND_SAID)
    assert tell(narrator, picture, Scores((8, 2, 16, 0), winners))[-1] == text


def test_players_of_one_name_are_told_apart() -> None:
    picture = Picture()
    narrator = Narrator(Style(), picture)
    seated = Seated(SeatCredentials(7, 1, 1, 1), ("Ann", "Ann", "Bob", "Ann"))
    assert tell(narrator, picture, seated)[-1] == (
        "On your left sits Bob, across Ann (player 3), on your right Ann (player 0)."
    )


def test_the_cards_that_lie() -> None:
    _, narrator, _ = story(BEGUN + ints(*HAND, 1, 1, 5, 4, 9, 13, 27, 39, 0, 2, 20), choose=False)
    assert narrator.trick_lines() == ["On the table: you 2♣, Moe 7♣."]


@pytest.mark.parametrize(
    "rules",
    [
        *map(str, PRESETS.values()),
        *("rotate,notrick,queen-keeps", "moon=minus", "exact=zero", "dump", "bleed"),
        *("pass=cycle3", "pass=never"),
    ],
)
def test_rules_in_words(rules: str) -> None:
    expected = 0 if rules == "standard" else len(rules.split(","))
    assert len(in_words(parse_rules(rules))) == expected


ONE_HAND = NEW.after(Scores((8, 2, 16, 0)))
TWO_HANDS = ONE_HAND.after(Scores((8, 28, 16, 0)))
OVER = TWO_HANDS.after(Scores((8, 28, 16, 100), (0,), you_decide=True))
NEXT_GAME = OVER.after(Scores((13, 13, 0, 0)))


def returning(*events: ClientEvent) -> list[str]:
    picture = Picture()
    return tell(Narrator(Style(), picture), picture, *events)


SEATED = Seated(NEW.credentials, NEW.names)
TABLE = TableInfo(Rules(), 100, 60, frozenset({1, 2, 3}))
SEATS = ["", "On your left sits Moe, across Larry, on your right Curly."]
HEAD = "             You    Moe  Larry  Curly"


@pytest.mark.parametrize(
    ("left_off", "after_it", "lines"),
    [
        (NEW, [], []),
        (
            TWO_HANDS,
            [],
            [
                HEAD,
                "hands 1-2      8     28     16      0",
                "total          8     28     16      0",
            ],
        ),
        (
            TWO_HANDS,
            [Scores((8, 28, 42, 0)), YourHand(3, Direction.HOLD, CARDS)],
            [
                HEAD,
                "hands 1-2      8     28     16      0",
                "hand 3         0      0     26      0",
                "total          8     28     42      0",
                "--- Hand 4 ---",
                "Hand: 2♣ 3♣ 4♣ Q♣ K♣   3♦ 6♦ 9♦ J♦   6♠ 9♠ J♠   7♥",
            ],
        ),
        (
            OVER,
            [],
            [
                HEAD,
                "hands 1-3      8     28     16    100",
                "total          8     28     16    100",
                "The game is over. You win with 8 points.",
            ],
        ),
        (OVER, [AgainAnswered(True, ChosenBy.CLOCK), AnotherGame(True), TABLE], []),
        (
            NEXT_GAME,
            [Scores((13, 13, 0, 100), (2,)), AnotherGame(False)],
            [
                HEAD.removeprefix("   "),
                "hand 1     13     13      0      0",
                "hand 2      0      0      0    100",
                "total      13     13      0    100",
                "The game is over. Larry wins with no points.",
                "The session is over.",
            ],
        ),
    ],
)
def test_who_comes_back_is_told_in_short(
    left_off: ResumeToken, after_it: list[ClientEvent], lines: list[str]
) -> None:
    events = [CameBack(0, left_off), SEATED, TABLE, *after_it, CaughtUp()]
    assert returning(*events) == [*SEATS, "", "You are back.", *lines]


def test_scores_that_were_seen_stay_as_they_were() -> None:
    _, narrator, picture = story(HAND_SAID + ints(-1, 0, 8, 2, 16, 0, 0))
    back = ConnectionLost("gone", 1), CameBack(0, TWO_HANDS)
    tell(narrator, picture, Scores((8, 28, 16, 0)), *back)
    assert tell(narrator, picture, SEATED, TABLE) == []
    assert narrator.scores() == [
        "          You    Moe  Larry  Curly",
        "hand 1      8      2     16      0",
        "hand 2      0     26      0      0",
        "total       8     28     16      0",
    ]


def test_after_a_second_loss_the_story_is_not_told_as_past() -> None:
    lines = returning(CameBack(0, NEW), ConnectionLost("gone", 5), AnotherGame(False))
    assert lines[-1] == "The session is over."


def test_a_connection_that_stays_lost_is_said_once() -> None:
    narrator = Narrator(Style(ascii=True), Picture())
    assert narrator.narrate(ConnectionLost("gone", 0.2))
    assert not narrator.narrate(ConnectionLost("still gone", 0.4))
    narrator.narrate(CaughtUp())
    assert narrator.narrate(ConnectionLost("gone again", 0.2))

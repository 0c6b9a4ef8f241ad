"""Tables at chosen moments, for tests that draw them."""

from __future__ import annotations

from msgspec.structs import replace

from hearts.game.cards import Card
from hearts.game.rules import Direction
from hearts.session.table_words import PlayerKind, Presence
from hearts_client.screen.pictures.canvas import Ink, LabelledKey
from hearts_client.screen.pictures.sights import (
    ChatSight,
    Flash,
    HandCard,
    ResultRow,
    ResultSight,
    SeatSight,
    Stage,
    TableSight,
)

_HAND = "2C 9C QC 4D 10D KD 5S QS AS 3H 9H JH AH"
_SEATS = (
    SeatSight(2, "You", PlayerKind.PERSON, points=3, tricks=1, cards=5),
    SeatSight(3, "Moe", PlayerKind.COMPUTER, points=13, tricks=2, cards=4),
    SeatSight(0, "Zoë Blanc", PlayerKind.PERSON, tricks=4, cards=4),
    SeatSight(1, "R2D2", PlayerKind.PROGRAM, points=1, tricks=1, cards=4),
)
CHAT = ChatSight(
    lines=(
        ("Zoë Blanc", "hello everybody, what a hand!", False),
        ("", "Moe is back.", False),
        ("Moe", "Good luck", False),
        ("R2D2", "I lead the trick that nobody wants to have", True),
    ),
    unread=1,
)
_BUTTONS = (
    LabelledKey("enter", "play"),
    LabelledKey("i", "hint"),
    LabelledKey("l", "last trick"),
    LabelledKey("b", "scores"),
    LabelledKey("/", "chat"),
    LabelledKey("?", "help"),
    LabelledKey("m", "leave"),
)
_ROWS = (("hand 1", (0, 26, 0, 0)), ("hand 2", (25, 0, 1, 0)), ("hand 3", (6, 0, 4, 40)))


def cards(text: str) -> tuple[HandCard, ...]:
    """Cards as they lie in a hand."""
    return tuple(HandCard(Card.parse(word)) for word in text.split())


def on_turn() -> TableSight:
    """The person is to follow to diamonds; three cards lie."""
    you, left, across, right = _SEATS
    return TableSight(
        seats=(
            replace(you, on_turn=True),
            replace(left, played=Card.parse("QD"), wins=True),
            replace(across, played=Card.parse("10H")),
            replace(right, played=Card.parse("3D"), leads=True, presence=Presence.STAND_IN),
        ),
        hand=tuple(
            replace(
                held,
                playable=str(held.card).endswith("D"),
                cursor=str(held.card) == "TD",
                received=str(held.card) in ("4D", "AS", "AH"),
            )
            for held in cards(_HAND)
        ),
        stage=Stage.TRICK,
        hand_number=4,
        trick_number=9,
        direction=Direction.ACROSS,
        rules="jack,moon=choice",
        hearts_broken=True,
        left=12,
        prompt="Your turn: diamonds were led.",
        notices=(("Zoë Blanc takes trick 8.", Ink.NOTICE),),
        chat=CHAT,
        rows=_ROWS,
        totals=(31, 26, 5, 40),
        buttons=_BUTTONS,
    )


def passing() -> TableSight:
    """The person has marked two cards and looks at one of them."""
    you, left, across, right = (replace(s, points=0, tricks=0, cards=13) for s in _SEATS)
    return replace(
        on_turn(),
        seats=(replace(you, on_turn=True), left, replace(across, on_turn=True), right),
        hand=tuple(
            replace(held, marked=str(held.card) in ("QS", "AS"), cursor=str(held.card) == "AS")
            for held in cards(_HAND)
        ),
        stage=Stage.PASSING,
        trick_number=0,
        direction=Direction.LEFT,
        hearts_broken=False,
        notices=(),
        left=4,
        prompt="Mark three cards for Moe: two are marked.",
    )


def game_over() -> TableSight:
    """The person has won."""
    table = on_turn()
    return replace(
        table,
        seats=(replace(_SEATS[0]), *_SEATS[1:]),
        hand=(),
        stage=Stage.GAME_OVER,
        left=None,
        prompt="Another game?",
        notices=(),
        flash=Flash.GAME_WON,
        middle=("You win with 5 points.", "", "The game took 4 hands."),
        winners=frozenset({2}),
        buttons=(LabelledKey("y", "yes"), LabelledKey("n", "no")),
    )


def hand_over() -> TableSight:
    """A hand is over, the person took the queen, and the table shows the result."""
    rows = (
        ResultRow(13, 44, 4, (Card.parse("QS"),)),
        ResultRow(0, 26, 2, ()),
        ResultRow(11, 16, 1, tuple(Card.parse(f"{rank}H") for rank in "23456789TJQ")),
        ResultRow(2, 42, 3, (Card.parse("KH"), Card.parse("AH"))),
    )
    scores = ((0, 0, 0, 0), (0, 26, 0, 0), (25, 26, 1, 0), (31, 26, 5, 40), (44, 26, 16, 42))
    return replace(
        game_over(),
        stage=Stage.HAND_OVER,
        prompt="",
        flash=None,
        winners=frozenset(),
        middle=("Hand 4 is over.",),
        result=ResultSight(rows, ("You took the queen of spades.",), scores),
        buttons=(LabelledKey("enter", "go on", counts=False), LabelledKey("v", "replay")),
    )


def watched() -> TableSight:
    """A watcher sees the trick that is being played."""
    table = on_turn()
    you, *others = table.seats
    first, second, third = others
    return replace(
        table,
        seats=(replace(you, name="日本の友達"), first, second, third),
        hand=(),
        is_watching=True,
        left=None,
        waited=14,
        prompt="日本の友達 is waited for.",
    )

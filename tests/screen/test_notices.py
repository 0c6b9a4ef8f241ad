"""What is said beside the picture of a table: what the picture does not show, and no secrets."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from msgspec.structs import replace

from hearts.errors import Fault, Reason
from hearts.game.cards import CARDS, Card
from hearts.game.events import (
    CardPlayed,
    CardsReceived,
    ChosenBy,
    MoonChosen,
    PassMade,
    TricksDone,
    TrickTaken,
    YourHand,
)
from hearts.game.rules import parse_rules
from hearts.session.client_events import (
    AgainAnswered,
    AnotherGame,
    CaughtUp,
    ChoiceRefused,
    ConnectionLost,
    DealerEvent,
    Seated,
    SessionEnded,
)
from hearts.session.messages import Scores
from hearts.session.table_words import (
    AbortGame,
    AbortLater,
    Declined,
    PlayerChange,
    PlayerInfo,
    PlayerKind,
    RegisterOpponents,
    ServerNotice,
)
from hearts.table.effects import (
    AbortProposed,
    AbortRefused,
    Change,
    GameAborted,
    HandAborted,
    RestClaimed,
    RulesAgreed,
    RulesProposed,
    RulesRefused,
)
from hearts.table.inputs import Abort, ClaimRest, Question
from hearts.wire.credentials import SeatCredentials
from hearts.wire.text import is_legible
from hearts_client.screen.pictures.canvas import Ink
from hearts_client.screen.table.shown_table import ShownTable
from hearts_client.words.style import Style
from tests.dealer.loopback import Loopback

ASCII = Style(ascii=True)
CARD = re.compile(r"\b(10|[2-9JQKA])([CDHS])\b")
HOSTILE = "you\u202f* deal 1" + "e" + 12 * "\u0301"
"""A wire lets it by: a space that is no space, words of ours, a pile of marks."""


def sessions() -> Iterator[tuple[list[DealerEvent], bool]]:
    for text, seed in (("standard", 5), ("moon=choice", 6)):
        loop = Loopback(parse_rules(text), end_score=40, seed=seed)
        loop.run(60)
        loop.cut(1)
        loop.return_to(1)
        loop.run()
        yield from ((player.events, False) for player in loop.players)
        yield loop.watched, True


def test_only_cards_that_one_knows_are_named() -> None:
    named = 0
    for events, watching in sessions():
        table = ShownTable(ASCII, watching=watching)
        known: set[Card] = set()
        for event in events:
            match event:
                case YourHand(_, _, cards):
                    known = set(cards)
                case CardsReceived(cards):
                    known |= set(cards)
                case CardPlayed(_, card):
                    known.add(card)
            for text, _ in table.receive(event):
                for rank, suit in CARD.findall(text):
                    assert Card.parse(rank + suit) in known
                    assert not watching
                    named += 1
    assert named > 40


def test_the_picture_tells_the_rest() -> None:
    loud = {
        *(RegisterOpponents, PassMade, CardPlayed, CardsReceived, TrickTaken, MoonChosen),
        *(AnotherGame, CaughtUp, PlayerChange, TricksDone, Scores),
    }
    told = set()
    for events, watching in sessions():
        table = ShownTable(ASCII, watching=watching)
        for event in events:
            lines = table.receive(event)
            assert all(text.strip() and "\n" not in text for text, _ in lines)
            if lines:
                told.add(type(event))
            if isinstance(event, CardPlayed):
                assert lines in ([], [("Hearts are broken.", Ink.NOTICE)])
            if watching:
                assert not any("you" in text.lower().split() for text, _ in lines)
    assert told <= loud
    assert {PassMade, CardPlayed, CardsReceived, TrickTaken, Scores, AnotherGame} <= told


def seat(*events: DealerEvent) -> ShownTable:
    """A person in seat 0, whose first hand is dealt."""
    loop = Loopback(seed=5)
    for player in loop.players:
        player.is_silent = True
    loop.run()
    table = ShownTable(ASCII)
    for event in [*loop.players[0].events, *events]:
        table.receive(event)
    return table


@pytest.mark.parametrize(
    ("event", "says", "ink"),
    [
        (
            ConnectionLost("it broke", 2),
            "Connection lost. Your seat is kept; trying again (it broke).",
            None,
        ),
        (ChoiceRefused(Question.CARD, Reason.FOLLOW_SUIT), "The server refuses that: ", Ink.ALARM),
        (SessionEnded(False), "The server has ended the connection.", Ink.ALARM),
        (AgainAnswered(False, ChosenBy.CLOCK), "Time is up. The server answers for you: no.", None),
        (AgainAnswered(False, ChosenBy.PLAYER), "", None),
        (
            AbortGame(AbortLater.NOTHING, "maintenance"),
            "The server ends the game: maintenance.",
            Ink.NOTICE,
        ),
        (ServerNotice("hello"), "", None),
        (CaughtUp(), "You are back.", Ink.NOTICE),
        (
            RulesProposed(parse_rules("jack"), 50, 60.0),
            "Shall the next game be a game to 50 points, rules: jack?",
            Ink.NOTICE,
        ),
        (RulesAgreed(parse_rules("jack"), 50), "The next game is a game to 50 points,", None),
        (RulesRefused(1, "no"), "The rules stay as they are (Bob): no.", Ink.NOTICE),
        (RestClaimed(1, CARDS[11:14]), "Bob claims the rest: 2C   KH AH", Ink.NOTICE),
        (
            Declined(ClaimRest, Fault.NOT_PROVEN, "no"),
            "That was not done: some of the remaining tricks may not be yours.",
            Ink.NOTICE,
        ),
        (
            Declined(ClaimRest, Fault.NOT_NOW, "no"),
            "That was not done: only the player who leads the next trick can claim the rest.",
            Ink.NOTICE,
        ),
        (AbortProposed(Abort.HAND, 60.0), "Abandon this hand", Ink.NOTICE),
        (AbortRefused(1, "no"), "Play goes on (Bob): no.", Ink.NOTICE),
        (HandAborted(1), "All agree: this hand is abandoned", Ink.NOTICE),
        (GameAborted(), "All agree: this game is abandoned.", Ink.NOTICE),
    ],
)
def test_what_is_said(event: DealerEvent, says: str, ink: Ink | None) -> None:
    lines = seat().receive(event)
    assert len(lines) == bool(says)
    for text, used in lines:
        assert text.startswith(says)
        assert ink in (None, used)


def test_nobody_speaks_in_the_name_of_the_screen() -> None:
    """Names and comments of others have no marks that would paint over the screen."""
    table = seat()
    info = PlayerInfo(1, PlayerKind.PERSON, name=HOSTILE, comment=HOSTILE)
    said = []
    for change in Change:
        said += table.receive(PlayerChange(change, info))
        info = replace(info, name=info.name + "e")
    fresh = ShownTable(ASCII)
    fresh.receive(Seated(SeatCredentials(1, 1, 0, 1), ("Ann", HOSTILE, HOSTILE, "Dan")))
    said += fresh.receive(RegisterOpponents(tuple(replace(info, player=p) for p in range(4))))
    shown = [text for text, _ in said]
    for each in (table, fresh):
        shown += [s.name for s in each.seats(None)] + [s.comment for s in each.seats(None)]
        shown += each.joined
    assert len(shown) > 20
    for text in shown:
        assert is_legible(text)
        assert not text.startswith(("you", "You are", "*"))
    names = [s.name for s in fresh.seats(None)]
    assert len(set(names)) == 4

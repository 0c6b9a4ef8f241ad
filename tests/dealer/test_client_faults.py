"""Bad frames, which no dealer says, and refusals on their way."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from hearts.dealer import messages as said
from hearts.dealer.client import DealerSession
from hearts.dealer.client_connection import DealerConnection, WatcherSession
from hearts.dealer.frames import DealerState, encode_frame
from hearts.errors import RemoteProtocolError
from hearts.game.events import ChosenBy, TrickBegun
from hearts.session import table_words as w
from hearts.session.client_events import DoneHand, SessionEnded
from hearts.session.client_registration import RegistrationRequest
from hearts.session.table_words import Refused
from hearts.table.effects import AgainSettled, Change
from hearts.wire.codec import encode_ints, encode_str
from tests.dealer.payloads import frame
from tests.plain.script import CARDS, SIZES, card

from . import client_desk as desk
from .client_desk import begun

DONE = DoneHand(None, None, None, desk.score(0, 0, 0, 26), None, (0, 0, 0, 26), ())
BAD: dict[str, bytes] = {
    "a version that we do not speak": encode_ints(0, 1, 2),
    "a sequence too high": encode_ints(0, 1, 1) + desk.frames(desk.ASK, first=2),
    "a sequence twice": begun(desk.ASK) + desk.frames(desk.ASK),
    "a payload too long": encode_ints(0, 1, 1) + encode_ints(126, 1, 4097),
    "a length below 0": encode_ints(0, 1, 1) + encode_ints(126, 1, -1),
    "a payload too short": encode_ints(0, 1, 1) + encode_frame(126, 1, b"\0\0"),
    "players out of order": begun(desk.ASK, w.RegisterOpponents(desk.INFOS[::-1])),
    "a game before a seat": begun(desk.ASK, desk.BEGUN[-1]),
    "a game before a seat, the players known": begun(desk.ASK, desk.SEATED[1], desk.BEGUN[-1]),
    "a change before the players": begun(desk.ASK, w.PlayerChange(Change.LEFT, desk.INFOS[0])),
    "a watcher's seat": begun(desk.ASK, said.SeatedMessage(4, 7, 99, "T"), desk.SEATED[1]),
    "a game number of 0": begun(desk.ASK, said.SeatedMessage(0, 0, 99, "T"), desk.SEATED[1]),
    "a seat twice": begun(*desk.BEGUN, *desk.SEATED),
    "a game twice": begun(*desk.BEGUN, desk.BEGUN[-1]),
    "a hand in a hand": begun(*desk.DEALT, desk.DEALT[4]),
    "fourteen cards": begun(*desk.DEALT, said.TakeCard(card("AS"))),
    "a card twice": begun(*desk.DEALT[:-1], said.TakeCard(CARDS[0])),
    "a query in a replay": begun(
        *desk.BEGUN[:-1], w.Replay(True), *desk.DEALT[3:], desk.PASS_QUERY
    ),
    "two queries": begun(*desk.DEALT, desk.PASS_QUERY, desk.PASS_QUERY),
    "a pass of other cards": begun(*desk.DEALT, replace(desk.PASS_QUERY, cards=CARDS[:12])),
    "a pass in a hold hand": begun(*desk.HELD, desk.PASS_QUERY),
    "another's pass": begun(*desk.DEALT, replace(desk.LOST, player=1)),
    "a pass of cards not held": begun(*desk.DEALT, replace(desk.LOST, cards=desk.GOT)),
    "a pass of one card": begun(*desk.DEALT, replace(desk.LOST, cards=desk.PASSED[:1] * 3)),
    "a pass taken before it is lost": begun(*desk.DEALT, desk.TAKEN),
    "a pass from the wrong side": begun(*desk.DEALT, desk.LOST, replace(desk.TAKEN, player=1)),
    "what we passed comes back": begun(
        *desk.DEALT, desk.LOST, replace(desk.TAKEN, cards=desk.PASSED)
    ),
    "what we hold comes again": begun(*desk.DEALT, desk.LOST, replace(desk.TAKEN, cards=CARDS[:3])),
    "a lead before the pass": begun(*desk.DEALT, TrickBegun(0)),
    "who cannot lead leads": begun(*desk.HELD, TrickBegun(1)),
    "a card out of turn": begun(*desk.LED, replace(desk.FIRST_CARD, player=2)),
    "a card of ours": begun(*desk.LED, replace(desk.FIRST_CARD, card=card("2C"))),
    "a trick of another leader": begun(
        *desk.LED, replace(desk.FIRST_CARD, trick=desk.trick(2, "AC"))
    ),
    "a trick of another round": begun(
        *desk.LED, replace(desk.FIRST_CARD, trick=desk.trick(3, "AC", number=2))
    ),
    "a query out of turn": begun(*desk.LED, desk.card_query(3, "AC")),
    "a query of other cards": begun(*desk.HELD, desk.LEADS, desk.card_query(0, hand=CARDS[:12])),
    "a card that we did not lose": begun(*desk.HELD, desk.LEADS, desk.PLAYED[1]),
    "a card that is not the one lost": begun(
        *desk.HELD, desk.LEADS, said.LoseCard(card("3C"), ChosenBy.PLAYER), desk.PLAYED[1]
    ),
    "a card lost that we do not hold": begun(
        *desk.HELD, desk.LEADS, said.LoseCard(card("AS"), ChosenBy.PLAYER)
    ),
    "two cards lost": begun(*desk.HELD, desk.LEADS, desk.PLAYED[0], desk.PLAYED[0]),
    "a trick done too early": begun(
        *desk.LED, said.TrickDone(desk.trick(3, "AC", winner=3), (0, 0, 0, 0))
    ),
    "a standing in a trick": begun(*desk.LED, said.ScoreCard(desk.score(0, 0, 0, 0))),
    "a moon in a trick": begun(*desk.LED, said.PlayerShotMoon(1, True)),
    "a moon to choose about in a trick": begun(
        *desk.LED, said.MoonChoice(1, DealerState.SUMMING_HAND)
    ),
    "a hand done in a trick": begun(*desk.LED, DONE),
    "a game over in a hand": begun(*desk.LED, said.EndGame(desk.score(0, 0, 0, 0), (0,), 0)),
    "another game in a hand": begun(*desk.LED, AgainSettled(0, True, ChosenBy.PLAYER)),
    "play again in a hand": begun(*desk.LED, said.PlayAgainMessage(1, DealerState.SUMMING_GAME)),
    "a replay that ends before it begins": begun(*desk.BEGUN[:-1], w.Replay(False)),
    "a replay in a hand": begun(*desk.LED, w.Replay(True)),
}


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("name", BAD)
def test_bytes_that_no_dealer_says(name: str, size: int) -> None:
    session = DealerSession(desk.REQUEST)
    with pytest.raises(RemoteProtocolError):
        desk.listen(session, BAD[name], size=size)
    assert session.closed
    assert session.next_event() is None


def test_legal_cards_that_are_not() -> None:
    query = desk.card_query(0)
    assert isinstance(query, said.LeadCard)
    cards = tuple(replace(each, legal=True) for each in query.cards)
    session = DealerSession(desk.REQUEST)
    with pytest.raises(RemoteProtocolError, match="legal"):
        desk.listen(session, begun(*desk.HELD, desk.LEADS, replace(query, cards=cards)))
    assert session.next_event() is None, "the choice that came with them is not asked for"


@pytest.mark.parametrize(
    "data",
    [
        desk.watched() + desk.frames(desk.WATCHING[0]),
        desk.watched(*desk.WATCHING, said.TakeCard(card("AS"))),
        desk.watched(*desk.WATCHING, TrickBegun(1)),
        desk.watched(*desk.WATCHING, w.Replay(True)),
    ],
)
def test_bytes_that_no_watcher_is_told(data: bytes) -> None:
    with pytest.raises(RemoteProtocolError):
        desk.listen(WatcherSession(7), data)


WORDS = "the server is shutting down"


def registering() -> list[tuple[DealerConnection, int]]:
    player = DealerSession(RegistrationRequest("Ann", 1000, dealer=True))
    return [(player, 2), (WatcherSession(7), 3)]


def heard(session: DealerConnection, data: bytes, piece: int) -> list[object]:
    events: list[object] = []
    for at in range(0, len(data), piece):
        session.feed(data[at : at + piece])
        events += iter(session.next_event, None)
    session.feed(b"")
    events += iter(session.next_event, None)
    return [event for event in events if isinstance(event, Refused)]


@pytest.mark.parametrize("piece", [1, 3, 100])
@pytest.mark.parametrize("reasons", [True, False])
def test_a_refusal_without_a_frame(piece: int, reasons: bool) -> None:
    refusal = encode_ints(-4) + (encode_str(WORDS) if reasons else b"")
    for session, blocks in registering():
        replies = encode_ints(0, int(reasons), *[1] * (blocks - 1))
        told = heard(session, replies + refusal, piece)
        assert told == [Refused(-4, WORDS if reasons else "")]
        assert session.closed


@pytest.mark.parametrize("piece", [1, 100])
def test_a_refusal_in_a_frame(piece: int) -> None:
    for (session, blocks), number in zip(registering(), (1, 0), strict=True):
        refused = frame(Refused(-4, WORDS), number)
        replies = encode_ints(0, *[1] * blocks)
        assert heard(session, replies + refused, piece) == [Refused(-4, WORDS)]


def test_a_stream_that_ends_before_the_first_int() -> None:
    for session, blocks in registering():
        session.feed(encode_ints(0, *[1] * blocks) + b"\xff\xff")
        session.feed(b"")
        events = list(iter(session.next_event, None))
        assert events[-1] == SessionEnded(complete=False)

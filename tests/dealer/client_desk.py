"""What a client of the dealer dialect is told: frames of a session, as a server says them."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from hearts.dealer import messages as said
from hearts.dealer.client import DealerSession
from hearts.dealer.client_connection import DealerConnection
from hearts.dealer.frames import DealerState
from hearts.dealer.structures import Trick
from hearts.game.cards import Card, Suit
from hearts.game.events import ChosenBy, TrickBegun
from hearts.game.rules import STANDARD, Direction, Rules
from hearts.session import table_words as w
from hearts.session.client_events import ChoiceRefused, DealerEvent, Score, YourChoice
from hearts.session.client_registration import RegistrationRequest
from hearts.session.messages import Scores
from hearts.session.table_words import Introduction, PlayerInfo, PlayerKind
from hearts.wire.codec import encode_ints, encode_str
from tests.dealer.payloads import Told, frame
from tests.plain.loopback import pieces
from tests.plain.script import CARDS, NEW, card

NAMES = ("Ann", "Moe", "Larry", "Curly")
REQUEST = RegistrationRequest("Ann", process_id=1000)
SENT_REGISTRATION = encode_str("Ann") + encode_ints(-10, 0, -6, 1, 1000)
INFOS = tuple(
    PlayerInfo(player, PlayerKind.NOT_SAID if not player else PlayerKind.COMPUTER, name=name)
    for player, name in enumerate(NAMES)
)
RULES = (STANDARD, 100)
ASK = said.RegisterPlayer(None, DealerState.INIT, 0)
SEATED = (said.SeatedMessage(0, 7, 99, "Table 1"), w.RegisterOpponents(INFOS))
BEGUN: tuple[Told, ...] = (ASK, *SEATED, said.NewGame(*RULES, 60_000))
DEALT = (*BEGUN, said.NewHand(1, Direction.LEFT), *(said.TakeCard(each) for each in CARDS))
HELD = (*BEGUN, said.NewHand(4, Direction.HOLD), *(said.TakeCard(each) for each in CARDS))
ROTATING = said.NewGame(Rules(rotating_lead=True), 100, 60_000)
LED = (*BEGUN[:-1], ROTATING, *HELD[len(BEGUN) :], TrickBegun(3))
"""The third player leads, with any card."""
PASS_QUERY = said.DoPass(60_000, DealerState.PLAYER_1_PASS, 0, Direction.LEFT, CARDS)
PASSED = tuple(card(name) for name in ("KC", "QC", "JD"))
GOT = tuple(card(name) for name in ("KH", "AD", "KD"))


def frames(*messages: Told, first: int = 1) -> bytes:
    return b"".join(frame(message, number) for number, message in enumerate(messages, first))


def begun(*messages: Told) -> bytes:
    return encode_ints(0, 1, 1) + frames(*messages)


Choice = Callable[[DealerSession], None]


def trick(
    leader: int, *names: str, number: int = 1, winner: int | None = None, broken: bool = False
) -> Trick:
    """A trick with these cards from the leader on."""
    cards: list[Card | None] = [None] * 4
    for place, name in enumerate(names):
        cards[(leader + place) % 4] = card(name)
    suit = card(names[0]).suit if names else None
    return Trick(tuple(cards), suit, leader, number, broken, winner, False, False)


def card_query(leader: int, *names: str, hand: Sequence[Card] = CARDS) -> Told:
    """The query for our card of the first trick of the example hand."""
    legal = {card("2C")} if not names else {each for each in hand if each.suit is Suit.CLUBS}
    cards = tuple(said.LegalCard(each, each in legal) for each in hand)
    kind = said.PlayCard if names else said.LeadCard
    return kind(60_000, DealerState.PLAYER_1_PLAY, trick(leader, *names), cards)


def listen(
    session: DealerConnection, data: bytes, choices: Sequence[Choice] = (), size: int = 0
) -> tuple[list[DealerEvent], bytes]:
    """What a session makes of bytes, with its choices where it is asked."""
    to_make, events, sent = list(choices), [], b""
    for piece in pieces(data, size):
        session.feed(piece)
        while (event := session.next_event()) is not None:
            events.append(event)
            if isinstance(event, YourChoice | ChoiceRefused) and to_make:
                assert isinstance(session, DealerSession)
                to_make.pop(0)(session)
        sent += session.bytes_to_send()
    assert not to_make
    return events, sent


def converse(
    *messages: Told, choices: Sequence[Choice] = (), size: int = 0
) -> tuple[list[DealerEvent], bytes]:
    return listen(DealerSession(REQUEST), begun(*messages), choices, size)


UNSAID = frame(Introduction(), 1)
LOST = said.LosePass(0, Direction.LEFT, PASSED, ChosenBy.PLAYER)
TAKEN = said.TakePass(3, Direction.LEFT, GOT)


LEADS = TrickBegun(0)
PLAYED = [
    said.LoseCard(card("2C"), ChosenBy.PLAYER),
    said.CardPlayedMessage(trick(0, "2C"), 0, card("2C"), ChosenBy.PLAYER),
    said.CardPlayedMessage(trick(0, "2C", "7C"), 1, card("7C"), ChosenBy.COMPUTER),
]


FIRST_CARD = said.CardPlayedMessage(trick(3, "AC"), 3, card("AC"), ChosenBy.COMPUTER)


def asked(*messages: Told) -> DealerSession:
    session = DealerSession(REQUEST)
    listen(session, begun(*messages))
    return session


# The end of a session, and what both dialects name in another way


def score(*points: int) -> tuple[Score, ...]:
    return tuple(Score(each, 0, 0, 0) for each in points)


GAME_OVER = NEW.after(Scores((1, 1, 1, 100), (0, 1, 2), you_decide=True))


# Watching


def watched(*messages: Told) -> bytes:
    return encode_ints(0, 1, 1, 1) + b"".join(frame(message) for message in messages)


WATCHING = (said.SeatedMessage(4, 7, 0, "Table 1"), SEATED[1], w.Replay(True), BEGUN[-1])

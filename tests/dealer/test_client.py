"""The client's side of the dealer dialect against a scripted dealer, good and bad."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from hearts.dealer import messages as said
from hearts.dealer.answers import Introduction
from hearts.dealer.client import DealerSession
from hearts.dealer.client_connection import DealerConnection
from hearts.dealer.client_events import DealerEvent, Declined, Watching
from hearts.dealer.client_watch import WatcherSession
from hearts.dealer.deal_verifier import DealVerifier, cut_of
from hearts.dealer.frames import encode_frame
from hearts.dealer.messages import Message
from hearts.dealer.numbers import AbortLater, DealerState, MessageType, PlayerKind
from hearts.dealer.structures import PlayerInfo, RulesInfo, Score, Trick
from hearts.errors import Fault, LocalProtocolError, Reason, RemoteProtocolError
from hearts.game.cards import Card, Suit
from hearts.game.deal import NO_CUTS, commitment, deal_hands
from hearts.game.events import (
    CardPlayed,
    CardsReceived,
    ChosenBy,
    PassMade,
    Play,
    TrickBegun,
    YourHand,
)
from hearts.game.rules import STANDARD, Direction, Rules
from hearts.session.client_events import (
    AgainAnswered,
    AnotherGame,
    CameBack,
    CaughtUp,
    ChoiceRefused,
    ChoiceTerms,
    Refused,
    Seated,
    SessionEnded,
    WaitingForPlayers,
    YourChoice,
)
from hearts.session.client_registration import RegistrationRequest
from hearts.session.hand import SeenHand
from hearts.session.messages import Scores, TableInfo
from hearts.table import DealPromised, Question, RulesProposed
from hearts.wire.codec import encode_ints, encode_str
from hearts.wire.credentials import SeatCredentials
from tests.plain.loopback import pieces
from tests.plain.script import CARDS, NEW, SIZES, back, card

NAMES = ("Ann", "Moe", "Larry", "Curly")
REQUEST = RegistrationRequest("Ann", process_id=1000)
SENT_REGISTRATION = encode_str("Ann") + encode_ints(-10, 0, -6, 1, 1000)
INFOS = tuple(
    PlayerInfo(player, PlayerKind.EXTERNAL_NETWORK if not player else PlayerKind.CPU, name=name)
    for player, name in enumerate(NAMES)
)
RULES = RulesInfo(STANDARD, 100)
ASK = said.RegisterPlayer(None, DealerState.INIT, 0)
SEATED = (said.SeatedMessage(0, 7, 99, "Table 1"), said.RegisterOpponents(INFOS))
BEGUN: tuple[Message, ...] = (ASK, *SEATED, said.NewGame(RULES, 60_000))
DEALT = (*BEGUN, said.NewHand(1, Direction.LEFT), *(said.TakeCard(each) for each in CARDS))
HELD = (*BEGUN, said.NewHand(4, Direction.HOLD), *(said.TakeCard(each) for each in CARDS))
PASS_AT = len(DEALT) + 1
"""The sequence of the query for our pass."""
ROTATING = said.NewGame(RulesInfo(Rules(rotating_lead=True), 100), 60_000)
LED = (*BEGUN[:-1], ROTATING, *HELD[len(BEGUN) :], said.FirstLead(3))
"""The third player leads, with any card."""
PASS_QUERY = said.DoPass(60_000, DealerState.PLAYER_1_PASS, 0, Direction.LEFT, CARDS)
PASSED = tuple(card(name) for name in ("KC", "QC", "JD"))
GOT = tuple(card(name) for name in ("KH", "AD", "KD"))
AFTER_PASS = tuple(sorted({*CARDS, *GOT} - {*PASSED}, key=lambda each: each.wire))


def frames(*messages: Message, first: int = 1) -> bytes:
    """What the dealer says, with the sequences that follow ``first``."""
    return b"".join(
        encode_frame(message.TYPE, number, message.encode())
        for number, message in enumerate(messages, first)
    )


def begun(*messages: Message) -> bytes:
    """The same behind a registration."""
    return encode_ints(0, 1, 1) + frames(*messages)


Choice = Callable[[DealerSession], None]


def passes(*names: str) -> Choice:
    return lambda session: session.pass_cards([card(name) for name in names])


def plays(name: str) -> Choice:
    return lambda session: session.play(card(name))


def trick(
    leader: int, *names: str, number: int = 1, winner: int | None = None, broken: bool = False
) -> Trick:
    """A trick with these cards from the leader on."""
    cards: list[Card | None] = [None] * 4
    for place, name in enumerate(names):
        cards[(leader + place) % 4] = card(name)
    suit = card(names[0]).suit if names else None
    return Trick(tuple(cards), suit, leader, number, broken, winner, False, False)


def card_query(leader: int, *names: str, hand: Sequence[Card] = CARDS) -> Message:
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
    *messages: Message, choices: Sequence[Choice] = (), size: int = 0
) -> tuple[list[DealerEvent], bytes]:
    return listen(DealerSession(REQUEST), begun(*messages), choices, size)


UNSAID = encode_frame(126, 1, Introduction().encode())


@pytest.mark.parametrize("size", SIZES)
def test_registration(size: int) -> None:
    events, sent = converse(*BEGUN, size=size)
    credentials = SeatCredentials(7, 99, 0, 1000)
    assert events == [
        WaitingForPlayers(0),
        Seated(credentials, NAMES),
        SEATED[1],
        TableInfo(STANDARD, 100, 60, frozenset({1, 2, 3})),
    ]
    assert sent == SENT_REGISTRATION + UNSAID


def test_an_introduction() -> None:
    who = Introduction(PlayerKind.EXTERNAL_CPU, 700, comment="a bot")
    session = DealerSession(REQUEST, who, DealVerifier(lambda *_: bytes(8)))
    _, sent = listen(session, begun(ASK))
    assert sent.endswith(encode_frame(126, 1, replace(who, cuts=True).encode()))


@pytest.mark.parametrize("comment", ["x" * 128, "a\nb", "a" + "\u0301" * 20])
def test_a_comment_that_cannot_be_sent(comment: str) -> None:
    with pytest.raises(LocalProtocolError):
        DealerSession(REQUEST, Introduction(comment=comment))


def test_refusals() -> None:
    events, _ = listen(DealerSession(REQUEST), encode_ints(0, 1, -102) + encode_str("no"))
    assert events == [Refused(-102, "no")]
    events, _ = converse(ASK, said.RefusedMessage(-104, "taken"))
    assert events[-1] == Refused(-104, "taken")


def test_the_table_that_forms() -> None:
    free = replace(INFOS[1], kind=PlayerKind.FREE, name="")
    forming = said.RegisterOpponents((INFOS[0], free, *INFOS[2:]))
    waiting = said.Waiting(DealerState.INIT, (1,), 0, 20_000)
    events, _ = converse(ASK, forming, waiting)
    assert events == [WaitingForPlayers(0), forming, waiting]


PASS_ASKED: list[DealerEvent] = [ChoiceTerms(Question.PASS, 60_000), YourChoice(Question.PASS)]
LOST = said.LosePass(0, Direction.LEFT, PASSED, ChosenBy.PLAYER)
TAKEN = said.TakePass(3, Direction.LEFT, GOT)
TOO_LATE = said.PassError(PASS_AT, 104, Fault.TOO_LATE, -1, "too late")
PASSES: dict[str, tuple[list[Message], list[Choice], list[int], list[DealerEvent]]] = {
    "accepted": (
        [PASS_QUERY, LOST, TAKEN],
        [passes("KC", "QC", "JD")],
        [PASS_AT],
        [*PASS_ASKED, PassMade(0, PASSED, ChosenBy.PLAYER), CardsReceived(GOT)],
    ),
    "refused, then accepted": (
        [PASS_QUERY, said.PassError(PASS_AT, 104, -1, 9, "no"), LOST, TAKEN],
        [passes("7H", "2C", "3C"), passes("KC", "QC", "JD")],
        [PASS_AT, PASS_AT],
        [
            *PASS_ASKED,
            ChoiceRefused(Question.PASS, Reason.NOT_HELD),
            PassMade(0, PASSED, ChosenBy.PLAYER),
            CardsReceived(GOT),
        ],
    ),
    "forced, and our choice came too late": (
        [PASS_QUERY, replace(LOST, by=ChosenBy.CLOCK), TOO_LATE, TAKEN],
        [passes("7H", "2C", "3C")],
        [PASS_AT],
        [
            *PASS_ASKED,
            PassMade(0, PASSED, ChosenBy.CLOCK),
            Declined(MessageType.DO_PASS, Fault.TOO_LATE, "too late"),
            CardsReceived(GOT),
        ],
    ),
    "forced before our choice": (
        [PASS_QUERY, replace(LOST, by=ChosenBy.CLOCK), TAKEN],
        [],
        [],
        [*PASS_ASKED, PassMade(0, PASSED, ChosenBy.CLOCK), CardsReceived(GOT)],
    ),
}


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("name", PASSES)
def test_pass(name: str, size: int) -> None:
    messages, choices, answered, told = PASSES[name]
    events, sent = converse(*DEALT, *messages, choices=choices, size=size)
    assert events[4:] == [YourHand(0, Direction.LEFT, CARDS), *told]
    rest = sent.removeprefix(SENT_REGISTRATION + UNSAID)
    numbers = []
    while rest:
        numbers.append(int.from_bytes(rest[4:8], "big"))
        assert (rest[:4], rest[8:12]) == (encode_ints(104), encode_ints(12))
        rest = rest[24:]
    assert numbers == answered


LEADS = said.FirstLead(0)
PLAYED = [
    said.LoseCard(card("2C"), ChosenBy.PLAYER),
    said.CardPlayedMessage(trick(0, "2C"), 0, card("2C"), ChosenBy.PLAYER),
    said.CardPlayedMessage(trick(0, "2C", "7C"), 1, card("7C"), ChosenBy.COMPUTER),
]


FIRST_CARD = said.CardPlayedMessage(trick(3, "AC"), 3, card("AC"), ChosenBy.COMPUTER)


@pytest.mark.parametrize("size", SIZES)
def test_play(size: int) -> None:
    refusal = said.PlayError(20, 108, Reason.TWO_OF_CLUBS_LEADS, 9, "no")
    events, sent = converse(
        *(*HELD, LEADS, card_query(0), refusal, *PLAYED),
        choices=[plays("JS"), plays("2C")],
        size=size,
    )
    assert events[4:] == [
        YourHand(3, Direction.HOLD, CARDS),
        TrickBegun(0),
        ChoiceTerms(Question.CARD, 60_000, (card("2C"),)),
        YourChoice(Question.CARD),
        ChoiceRefused(Question.CARD, Reason.TWO_OF_CLUBS_LEADS),
        CardPlayed(0, card("2C"), ChosenBy.PLAYER),
        CardPlayed(1, card("7C"), ChosenBy.COMPUTER),
    ]
    answers = [encode_frame(108, 20, encode_ints(card(name).wire)) for name in ("JS", "2C")]
    assert sent == SENT_REGISTRATION + UNSAID + b"".join(answers)


def test_the_second_query_has_another_type() -> None:
    _, sent = converse(*LED, FIRST_CARD, card_query(3, "AC"), choices=[plays("KC")])
    assert sent.endswith(encode_frame(118, 21, encode_ints(card("KC").wire)))


def asked(*messages: Message) -> DealerSession:
    session = DealerSession(REQUEST)
    listen(session, begun(*messages))
    return session


@pytest.mark.parametrize(
    "choice",
    [
        *(plays("2C"), passes("KC", "QC"), passes("KC", "KC", "QC"), passes("KC", "QC", "AS")),
        *(lambda s: s.choose_moon(True), lambda s: s.play_again(True), lambda s: s.vote(True)),
    ],
)
def test_a_choice_that_is_not_asked_for(choice: Choice) -> None:
    session = asked(*DEALT, PASS_QUERY)
    session.bytes_to_send()
    with pytest.raises(LocalProtocolError):
        choice(session)
    assert session.bytes_to_send() == b""
    assert session.asked is Question.PASS


def test_one_answer_for_one_query() -> None:
    session = asked(*DEALT, PASS_QUERY)
    session.pass_cards(PASSED)
    assert session.asked is None
    with pytest.raises(LocalProtocolError, match="not asked for"):
        session.pass_cards(PASSED)


def test_a_refusal_of_something_else_does_not_ask_again() -> None:
    session = asked(*DEALT, PASS_QUERY)
    session.pass_cards(PASSED)
    wrong = said.PassError(PASS_AT - 1, 104, Reason.NOT_HELD, 9, "no")
    events, _ = listen(session, frames(wrong, first=PASS_AT + 1))
    assert events == []
    assert session.asked is None


# The end of a session, and what both dialects name in another way


def score(*points: int) -> tuple[Score, ...]:
    return tuple(Score(each, 0, 0, 0) for each in points)


def test_who_comes_into_the_middle_of_a_game() -> None:
    standing = said.ScoreCard(score(1, 2, 3, 4))
    session = DealerSession(REQUEST)
    listen(session, begun(*BEGUN, standing, *DEALT[4:]))
    assert session.picture.view().scores == (1, 2, 3, 4)


def test_who_plays_can_change() -> None:
    zoe = replace(INFOS[2], kind=PlayerKind.EXTERNAL_HUMAN, name="Zoe")
    session = asked(*BEGUN, said.PlayerChange(6, zoe))
    assert session.progress is not None
    assert session.progress.names == ("Ann", "Moe", "Zoe", "Curly")


@pytest.mark.parametrize("later", [AbortLater.COME_BACK, AbortLater.NOTHING])
def test_a_session_that_is_broken_off(later: AbortLater) -> None:
    session = asked(*DEALT)
    abort = said.AbortGame(later, "the server shuts down")
    session.feed(frames(abort, first=PASS_AT))
    assert session.next_event() == abort
    session.feed(b"")
    assert session.next_event() == SessionEnded(complete=False)
    assert (session.progress is not None) == bool(later)
    assert session.closed


def test_rules_are_voted_about_beside_a_choice() -> None:
    proposed = said.QueryNewRules(60_000, DealerState.NEW_GAME, RULES)
    session = asked(*DEALT, PASS_QUERY)
    session.bytes_to_send()
    events, _ = listen(session, frames(proposed, first=PASS_AT + 1))
    assert events == [RulesProposed(STANDARD, 100, 60.0)]
    assert session.asked is Question.PASS
    session.vote(False)
    assert session.bytes_to_send() == encode_frame(124, PASS_AT + 1, encode_ints(0))
    with pytest.raises(LocalProtocolError):
        session.vote(True)


def test_unknown_types_are_skipped_and_counted() -> None:
    session = DealerSession(REQUEST)
    data = encode_ints(0, 1, 1) + encode_frame(999, 1, b"??") + frames(*BEGUN, first=2)
    events, _ = listen(session, data)
    assert isinstance(events[-1], TableInfo)


# Deals

SECRET = bytes(range(16))
OWN_CUT = bytes(range(8))
CUT_QUERY = said.CutMessage(5000, DealerState.SHUFFLING, 1)


CARD_LIST = tuple(Card.from_wire(number) for number in range(1, 53))


def cards_of(hand: int) -> list[Card]:
    return [each for each in CARD_LIST if hand >> each & 1]


def play_out(deals: DealVerifier, hands: Sequence[int]) -> SeenHand:
    """A hold hand of player 0 in which these hands are dealt and played."""
    seen = SeenHand(0, Direction.HOLD, 0, hands[0])
    for player, hand in enumerate(hands):
        for each in cards_of(hand):
            assert not deals.has_seen(1, seen)
            seen.plays.append(Play(player, each))
    assert deals.has_seen(1, seen)
    return seen


def problem_of(cuts: bytes, *, told: bytes = SECRET, own: bytes | None = None) -> str | None:
    """What is wrong with a deal that was promised, cut, played and told."""
    deals = DealVerifier(None if own is None else lambda *_: own)
    deals.promise(1, commitment(SECRET))
    assert deals.cut(1) == own
    return deals.problem(play_out(deals, deal_hands(SECRET, cuts)), told, cuts)


WITH_CUT = OWN_CUT + bytes(24)


def test_a_deal_that_is_right() -> None:
    assert problem_of(NO_CUTS) is None
    assert problem_of(WITH_CUT, own=OWN_CUT) is None


def test_deals_that_are_wrong() -> None:
    assert problem_of(NO_CUTS, told=bytes(16)) == "it is not the one that was promised"
    assert problem_of(NO_CUTS, own=OWN_CUT) == "our cut is not in it"
    assert problem_of(WITH_CUT) == "our cut is not in it"


def test_a_cut_that_came_too_late_is_missing_and_why() -> None:
    deals = DealVerifier(lambda *_: OWN_CUT)
    deals.promise(1, commitment(SECRET))
    deals.cut(1)
    deals.cut_was_late()
    problem = deals.problem(play_out(deals, deal_hands(SECRET)), SECRET, NO_CUTS)
    assert problem == "our cut is not in it; the server says that it came too late"


@pytest.mark.parametrize(("swap", "why"), [(0, "that we had"), (1, "that were played")])
def test_hands_that_the_secret_does_not_give(swap: int, why: str) -> None:
    deals = DealVerifier()
    deals.promise(1, commitment(SECRET))
    hands = list(deal_hands(SECRET))
    hands[swap], hands[2] = hands[2], hands[swap]
    problem = deals.problem(play_out(deals, hands), SECRET, NO_CUTS)
    assert problem is not None
    assert problem.endswith(why)


def test_a_promise_that_changes() -> None:
    deals = DealVerifier()
    deals.promise(1, commitment(bytes(16)))
    deals.promise(1, commitment(SECRET))
    seen = play_out(deals, deal_hands(SECRET))
    assert deals.problem(seen, SECRET, NO_CUTS) == "it was promised twice, and not the same"


def test_a_deal_is_cut_alike_by_a_program_that_was_started_again() -> None:
    key = b"kept with the session"
    deals = DealVerifier(partial(cut_of, key))
    own_cut = cut_of(key, 1, commitment(SECRET))
    assert own_cut != cut_of(key, 2, commitment(SECRET)) != cut_of(b"", 2, commitment(SECRET))
    first = DealerSession(REQUEST, deals=deals)
    promise = said.DealCommitment(1, commitment(SECRET))
    _, sent = listen(first, begun(*BEGUN, promise, CUT_QUERY))
    assert sent.endswith(encode_frame(202, 6, own_cut))
    assert first.progress is not None
    second = DealerSession(back(first.progress), deals=DealVerifier(partial(cut_of, key)))
    messages = [ASK, *SEATED, said.Replay(True), BEGUN[-1], promise, said.Replay(False), CUT_QUERY]
    _, sent = listen(second, encode_ints(2, 1, 1, 1) + frames(*messages))
    assert sent.endswith(encode_frame(202, 8, own_cut))


def test_without_a_count_older_promises_are_forgotten() -> None:
    deals = DealVerifier()
    deals.promise(1, commitment(bytes(16)))
    DealerSession(back(NEW), deals=deals)
    deals.promise(1, commitment(SECRET))
    seen = play_out(deals, deal_hands(SECRET))
    assert deals.problem(seen, SECRET, NO_CUTS) == "it was promised twice, and not the same"
    DealerSession(back(NEW.without_count()), deals=deals)
    deals.promise(1, commitment(SECRET), is_past=True)
    seen = play_out(deals, deal_hands(SECRET))
    assert deals.problem(seen, SECRET, NO_CUTS) is None


def test_who_does_not_want_to_cut_does_not() -> None:
    promise = said.DealCommitment(1, commitment(SECRET))
    events, sent = converse(*BEGUN, promise, CUT_QUERY)
    assert events[-1] == DealPromised(1, commitment(SECRET))
    assert sent == SENT_REGISTRATION + UNSAID


# Coming back


def test_coming_back() -> None:
    replay = [ASK, *SEATED, said.Replay(True), *DEALT[3:], LOST]
    data = encode_ints(2, 1, 1, 2) + frames(*replay)
    session = DealerSession(back(NEW))
    events, sent = listen(session, data)
    assert sent.startswith(encode_str("Ann") + encode_ints(-10, 0, -6, 1, -5, 7, 99, 0, 1000, 0))
    assert events[:2] == [CameBack(1, NEW), Seated(NEW.credentials, NAMES)]
    assert events[-1] == PassMade(0, PASSED, ChosenBy.PLAYER)
    assert session.asked is None
    rest, _ = listen(session, frames(said.Replay(False), TAKEN, first=len(replay) + 1))
    assert rest == [CaughtUp(), CardsReceived(GOT)]


GAME_OVER = NEW.after(Scores((1, 1, 1, 100), (0, 1, 2), you_decide=True))


def test_coming_back_to_the_end_of_a_game() -> None:
    query = said.PlayAgainMessage(60_000, DealerState.SUMMING_GAME)
    decided = said.AgainDecided(0, True, ChosenBy.PLAYER)
    messages = [ASK, *SEATED, said.Replay(True), BEGUN[-1], said.Replay(False), query, decided]
    session = DealerSession(back(GAME_OVER))
    data = encode_ints(2, 1, 1, 1) + frames(*messages, BEGUN[-1])
    events, sent = listen(session, data, [lambda session: session.play_again(True)])
    assert events[-4:] == [
        YourChoice(Question.AGAIN),
        AgainAnswered(True, ChosenBy.PLAYER),
        AnotherGame(True),
        TableInfo(STANDARD, 100, 60, frozenset({1, 2, 3})),
    ]
    assert sent.endswith(encode_frame(201, 7, encode_ints(1)))


def test_another_seat_than_ours() -> None:
    messages = [ASK, said.SeatedMessage(0, 8, 99, "Table 1"), SEATED[1]]
    session = DealerSession(back(NEW))
    session.feed(encode_ints(2, 1, 1, 2) + frames(*messages))
    assert session.next_event() == CameBack(1, NEW)
    with pytest.raises(RemoteProtocolError, match="another"):
        session.next_event()


# Bad dealers


DONE = said.DoneHand(None, None, None, score(0, 0, 0, 26), None, (0, 0, 0, 26), ())
BAD: dict[str, bytes] = {
    "a version that we do not speak": encode_ints(0, 1, 2),
    "a sequence too high": encode_ints(0, 1, 1) + frames(ASK, first=2),
    "a sequence twice": begun(ASK) + frames(ASK),
    "a payload too long": encode_ints(0, 1, 1) + encode_ints(126, 1, 4097),
    "a length below 0": encode_ints(0, 1, 1) + encode_ints(126, 1, -1),
    "a payload too short": encode_ints(0, 1, 1) + encode_frame(126, 1, b"\0\0"),
    "players out of order": begun(ASK, said.RegisterOpponents(INFOS[::-1])),
    "a game before a seat": begun(ASK, BEGUN[-1]),
    "a game before a seat, the players known": begun(ASK, SEATED[1], BEGUN[-1]),
    "a change before the players": begun(ASK, said.PlayerChange(1, INFOS[0])),
    "a watcher's seat": begun(ASK, said.SeatedMessage(4, 7, 99, "T"), SEATED[1]),
    "a game number of 0": begun(ASK, said.SeatedMessage(0, 0, 99, "T"), SEATED[1]),
    "a seat twice": begun(*BEGUN, *SEATED),
    "a game twice": begun(*BEGUN, BEGUN[-1]),
    "a hand in a hand": begun(*DEALT, DEALT[4]),
    "fourteen cards": begun(*DEALT, said.TakeCard(card("AS"))),
    "a card twice": begun(*DEALT[:-1], said.TakeCard(CARDS[0])),
    "a query in a replay": begun(*BEGUN[:-1], said.Replay(True), *DEALT[3:], PASS_QUERY),
    "two queries": begun(*DEALT, PASS_QUERY, PASS_QUERY),
    "a pass of other cards": begun(*DEALT, replace(PASS_QUERY, cards=CARDS[:12])),
    "a pass in a hold hand": begun(*HELD, PASS_QUERY),
    "another's pass": begun(*DEALT, replace(LOST, player=1)),
    "a pass of cards not held": begun(*DEALT, replace(LOST, cards=GOT)),
    "a pass of one card": begun(*DEALT, replace(LOST, cards=PASSED[:1] * 3)),
    "a pass taken before it is lost": begun(*DEALT, TAKEN),
    "a pass from the wrong side": begun(*DEALT, LOST, replace(TAKEN, player=1)),
    "what we passed comes back": begun(*DEALT, LOST, replace(TAKEN, cards=PASSED)),
    "what we hold comes again": begun(*DEALT, LOST, replace(TAKEN, cards=CARDS[:3])),
    "a lead before the pass": begun(*DEALT, said.FirstLead(0)),
    "who cannot lead leads": begun(*HELD, said.FirstLead(1)),
    "a card out of turn": begun(*LED, replace(FIRST_CARD, player=2)),
    "a card of ours": begun(*LED, replace(FIRST_CARD, card=card("2C"))),
    "a trick of another leader": begun(*LED, replace(FIRST_CARD, trick=trick(2, "AC"))),
    "a trick of another round": begun(*LED, replace(FIRST_CARD, trick=trick(3, "AC", number=2))),
    "a query out of turn": begun(*LED, card_query(3, "AC")),
    "a query of other cards": begun(*HELD, LEADS, card_query(0, hand=CARDS[:12])),
    "a card that we did not lose": begun(*HELD, LEADS, PLAYED[1]),
    "a card that is not the one lost": begun(
        *HELD, LEADS, said.LoseCard(card("3C"), ChosenBy.PLAYER), PLAYED[1]
    ),
    "a card lost that we do not hold": begun(
        *HELD, LEADS, said.LoseCard(card("AS"), ChosenBy.PLAYER)
    ),
    "two cards lost": begun(*HELD, LEADS, PLAYED[0], PLAYED[0]),
    "a trick done too early": begun(*LED, said.TrickDone(trick(3, "AC", winner=3), (0, 0, 0, 0))),
    "a standing in a trick": begun(*LED, said.ScoreCard(score(0, 0, 0, 0))),
    "a moon in a trick": begun(*LED, said.PlayerShotMoon(1, True)),
    "a moon to choose about in a trick": begun(*LED, said.MoonChoice(1, DealerState.SUMMING_HAND)),
    "a hand done in a trick": begun(*LED, DONE),
    "a game over in a hand": begun(*LED, said.EndGame(score(0, 0, 0, 0), (0,), 0)),
    "another game in a hand": begun(*LED, said.AgainDecided(0, True, ChosenBy.PLAYER)),
    "play again in a hand": begun(*LED, said.PlayAgainMessage(1, DealerState.SUMMING_GAME)),
    "a replay that ends before it begins": begun(*BEGUN[:-1], said.Replay(False)),
    "a replay in a hand": begun(*LED, said.Replay(True)),
}


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("name", BAD)
def test_bytes_that_no_dealer_says(name: str, size: int) -> None:
    session = DealerSession(REQUEST)
    with pytest.raises(RemoteProtocolError):
        listen(session, BAD[name], size=size)
    assert session.closed
    assert session.next_event() is None


def test_legal_cards_that_are_not() -> None:
    query = card_query(0)
    assert isinstance(query, said.LeadCard)
    cards = tuple(replace(each, legal=True) for each in query.cards)
    with pytest.raises(RemoteProtocolError, match="legal"):
        converse(*HELD, LEADS, replace(query, cards=cards))


# Watching


def watched(*messages: Message) -> bytes:
    return encode_ints(0, 1, 1, 1) + b"".join(
        encode_frame(message.TYPE, 0, message.encode()) for message in messages
    )


WATCHING = (said.SeatedMessage(4, 7, 0, "Table 1"), SEATED[1], said.Replay(True), BEGUN[-1])


ASK_OWN_TABLE = encode_frame(226, 0, encode_str(""))


def test_watching() -> None:
    session = WatcherSession(7)
    hand = (said.NewHand(2, Direction.RIGHT), said.FirstLead(3), FIRST_CARD, said.Replay(False))
    events, sent = listen(session, watched(*WATCHING, *hand))
    assert sent == encode_str("watcher") + encode_ints(-10, 0, -6, 1, -9, 7, 0) + ASK_OWN_TABLE
    assert events[0] == Watching(7, "Table 1")
    assert events[-3:] == [TrickBegun(3), CardPlayed(3, card("AC"), ChosenBy.COMPUTER), CaughtUp()]


@pytest.mark.parametrize(
    "data",
    [
        watched() + frames(WATCHING[0]),
        watched(*WATCHING, said.TakeCard(card("AS"))),
        watched(*WATCHING, said.FirstLead(1)),
        watched(*WATCHING, said.Replay(True)),
    ],
)
def test_bytes_that_no_watcher_is_told(data: bytes) -> None:
    with pytest.raises(RemoteProtocolError):
        listen(WatcherSession(7), data)


# Any bytes

SESSIONS: list[tuple[Callable[[], DealerConnection], bytes]] = [
    (partial(DealerSession, REQUEST), begun(*DEALT, PASS_QUERY, LOST, TAKEN, LEADS)),
    (partial(DealerSession, REQUEST), begun(*HELD, LEADS, card_query(0), *PLAYED)),
    (
        partial(DealerSession, back(GAME_OVER)),
        encode_ints(2, 1, 1, 1) + frames(ASK, *SEATED, said.Replay(True), BEGUN[-1]),
    ),
    (partial(WatcherSession, 7), watched(*WATCHING)),
]
small = st.integers(-2, 56)
ints = st.lists(small | st.integers(-(1 << 31), (1 << 31) - 1), max_size=20).map(
    lambda values: encode_ints(*values)
)


@st.composite
def a_frame(draw: st.DrawFn) -> bytes:
    """A frame of a known type, mostly, with a payload that fits, perhaps."""
    kind = draw(st.sampled_from(list(MessageType)) | st.integers(0, 300))
    return encode_frame(int(kind), draw(st.integers(0, 30)), draw(ints))


@given(
    begun=st.sampled_from(SESSIONS),
    place=st.integers(0, 1200),
    noise=st.lists(a_frame() | ints | st.binary(max_size=20), max_size=4).map(b"".join),
    seed=st.integers(0, 1000),
)
def test_any_bytes_at_any_place(
    begun: tuple[Callable[[], DealerConnection], bytes], place: int, noise: bytes, seed: int
) -> None:
    make, data = begun
    draw = random.Random(seed)
    session = make()
    session.feed(data[:place])
    session.feed(noise)
    session.feed(b"")
    try:
        while session.next_event() is not None:
            asked = session.asked if isinstance(session, DealerSession) else None
            if isinstance(session, DealerSession) and asked is Question.PASS:
                session.pass_cards(draw.sample(session.picture.view().cards, 3))
            elif isinstance(session, DealerSession) and asked is Question.CARD:
                session.play(draw.choice(session.picture.view().cards))
    except RemoteProtocolError:
        pass
    else:
        assert session.closed


KNOWN = sorted(MessageType, key=int)


@given(
    numbers=st.lists(st.sampled_from(KNOWN), min_size=1, max_size=30),
    payload=ints,
    begun=st.sampled_from(SESSIONS[:3]),
)
def test_any_frames_in_any_order(
    numbers: list[MessageType],
    payload: bytes,
    begun: tuple[Callable[[], DealerConnection], bytes],
) -> None:
    make, data = begun
    session = make()
    listened, _ = listen_calmly(session, data)
    first = FRAMES_IN[data]
    for sequence, number in enumerate(numbers, first + 1):
        try:
            listen_calmly(session, encode_frame(number, sequence, payload))
        except RemoteProtocolError:
            return
    assert listened


def count_frames(data: bytes) -> int:
    """How many frames follow a registration of a few ints."""
    for start in (12, 16):
        count, place = 0, start
        while place < len(data):
            number = int.from_bytes(data[place + 4 : place + 8], "big")
            if number != count + 1:
                break
            count += 1
            place += 12 + int.from_bytes(data[place + 8 : place + 12], "big")
        else:
            return count
    raise AssertionError("no frames")


FRAMES_IN = {data: count_frames(data) for _, data in SESSIONS[:3]}


def listen_calmly(session: DealerConnection, data: bytes) -> tuple[list[DealerEvent], bytes]:
    """Listen without choosing anything."""
    session.feed(data)
    events = []
    while (event := session.next_event()) is not None:
        events.append(event)
    return events, session.bytes_to_send()

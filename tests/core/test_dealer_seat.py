"""Seats of the dealer dialect at a real table: whole games, and everything that can be sent."""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import partial
from itertools import pairwise
from math import inf
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hearts.cards import CARDS, TWO_OF_CLUBS, Card, cards_of, mask_of
from hearts.credentials import SeatCredentials
from hearts.deal import NO_CUT, commitment, deal_hands
from hearts.dealer import answers as a
from hearts.dealer import messages as m
from hearts.dealer.answers import ANSWERS, Answer
from hearts.dealer.frames import (
    CLIENT_PAYLOAD_LIMIT,
    HEADER,
    SERVER_PAYLOAD_LIMIT,
    FrameBuffer,
    encode_frame,
)
from hearts.dealer.listener import EARLY_LIMIT, USELESS_LIMIT
from hearts.dealer.messages import MESSAGES, Message
from hearts.dealer.numbers import DealerState, MessageType, PlayerKind, Presence
from hearts.dealer.queries import FATES_KEPT
from hearts.dealer.seat import DealerSeat, Introduced
from hearts.dealer.structures import PlayerInfo, RulesInfo, Score, Trick
from hearts.dealer.watcher import IDLE_BYTES, Broadcast, WatcherSeat
from hearts.errors import Fault, Reason, RemoteProtocolError
from hearts.events import (
    By,
    CardPlayed,
    ChooseMoon,
    Deal,
    MoonChosen,
    Pass,
    PassMade,
    Play,
    TrickBegun,
    YourHand,
)
from hearts.rules import STANDARD, Direction, Rules, parse_rules
from hearts.scoring import moon_shooter
from hearts.table import (
    Able,
    AgainSettled,
    AnswerAgain,
    Answered,
    Ask,
    AskBot,
    CameLate,
    CaughtUp,
    Change,
    Choice,
    Chosen,
    Cut,
    CutSettled,
    Decline,
    Durable,
    Effect,
    GameBegun,
    Input,
    Kind,
    Persist,
    Question,
    Refuse,
    Setting,
    Show,
    Table,
    TableEvent,
    Tell,
    TellAll,
    Tick,
)
from hearts.wire import encode_ints

from .desk import NAMES, choice_for
from .games import ALL_RULES, SEEDS

Sent = tuple[int, Message]
"""The sequence of a frame, and what is in it."""


def decoded(data: bytes) -> list[Sent]:
    """The messages of some frames; every one of them must be whole and known."""
    buffer = FrameBuffer(SERVER_PAYLOAD_LIMIT)
    buffer.feed(data)
    frames = list(iter(buffer.take, None))
    assert not buffer
    return [(frame.number, MESSAGES[frame.type].decode(frame.payload)) for frame in frames]


def said(answer: Answer, number: int = 0) -> bytes:
    """The frame of an answer or a request."""
    return encode_frame(answer.TYPE, number, answer.encode())


class Client:
    """A client that knows only what its frames say, and checks that it fits together."""

    def __init__(self, player: int) -> None:
        self.player = player
        self.heard: list[Sent] = []
        self.data = b""
        self.hand: set[Card] = set()
        self.open: dict[int, Message] = {}
        """Queries that wait for an answer, by sequence."""

    def hear(self, data: bytes) -> None:
        for number, message in decoded(data):
            if number:
                assert number == len(self.heard) + 1, "frames are counted"
            self.heard.append((number, message))
            self._take(number, message)
        self.data += data

    def _take(self, number: int, message: Message) -> None:
        match message:
            case m.NewHand():
                assert not self.hand
                self._close(m.Cut)
            case m.TakeCard(card):
                assert card not in self.hand
                self.hand.add(card)
            case m.TakePass():
                self.hand.update(message.cards)
                assert len(self.hand) == 13
                assert message.direction.target(message.player) == self.player
            case m.LosePass():
                self.hand.difference_update(message.cards)
                assert len(self.hand) == 10
                self._close(m.DoPass)
            case m.LoseCard(card):
                self.hand.remove(card)
                self._close(m.LeadCard, m.PlayCard)
            case m.MoonChosen(player) if player == self.player:
                self._close(m.MoonChoice)
            case m.AgainDecided(player) if player == self.player:
                self._close(m.PlayAgain)
            case m.NewRules() | m.RulesStay():
                self._close(m.QueryNewRules)
            case m.DoPass():
                assert set(message.cards) == self.hand
            case m.LeadCard() | m.PlayCard():
                assert {each.card for each in message.cards} == self.hand
                led = message.trick.suit is not None
                assert led == isinstance(message, m.PlayCard)
            case _:
                pass
        if message.TYPE in ANSWERS and not isinstance(message, m.Pong):
            self.open[number] = message

    def _close(self, *kinds: type[Message]) -> None:
        for number in [number for number, query in self.open.items() if isinstance(query, kinds)]:
            del self.open[number]

    def all_of(self, kind: type[Any]) -> list[Any]:
        return [message for _, message in self.heard if isinstance(message, kind)]

    def answer(self, number: int) -> bytes:
        """A choice that the query itself says is legal."""
        match self.open[number]:
            case m.DoPass() as query:
                return said(a.PassAnswer(query.cards[:3]), number)
            case m.LeadCard() as query:
                return said(a.LeadAnswer(_first_legal(query)), number)
            case m.PlayCard() as query:
                return said(a.PlayAnswer(_first_legal(query)), number)
            case m.MoonChoice():
                return said(a.MoonAnswer(True), number)
            case m.PlayAgain():
                return said(a.AgainAnswer(True), number)
            case m.Cut():
                return said(a.CutAnswer(bytes([self.player] * 8)), number)
            case m.QueryNewRules():
                return said(a.RulesAnswer(True), number)
            case query:
                raise AssertionError(f"a {type(query).__name__} is not answered here")


def _first_legal(query: m.LeadCard | m.PlayCard) -> Card:
    return next(each.card for each in query.cards if each.legal)


class Room:
    """A table, a seat of the dialect for each client, and a broadcast for watchers."""

    def __init__(
        self,
        rules: Rules | str = STANDARD,
        kinds: Sequence[Kind] = (Kind.CLIENT,) * 4,
        deals: Iterable[Deal] | None = None,
        *,
        end: int = 100,
        cuts: bool = False,
        votes: bool = True,
    ) -> None:
        rules = parse_rules(rules) if isinstance(rules, str) else rules
        self.setting = Setting(rules, end, 60, 100.0)
        secrets = (Deal.from_secret(bytes([n % 256] * 16)) for n in range(10**6))
        self.table = Table(
            self.setting, list(zip(NAMES, kinds, strict=True)), iter(deals or secrets).__next__
        )
        self.now = 0.0
        self.clients = [Client(player) for player in range(4)]
        self.seats: list[DealerSeat | None] = [
            DealerSeat(player) if kinds[player] is Kind.CLIENT else None for player in range(4)
        ]
        self.broadcast = Broadcast()
        self.watched = b""
        self.effects: list[Effect] = []
        self.introduced: list[Introduced] = []
        self.inputs: deque[Input] = deque()
        self.slow = False
        """Whether nothing is durable yet."""
        for player in range(4):
            if kinds[player] is Kind.CLIENT:
                self.inputs.append(Able(player, votes, cuts))
        while self.inputs:
            self._carry_out(self.table.step(self.inputs.popleft(), self.now))
        self._carry_out(self.table.start())
        self._run()

    def give(self, given: Input) -> None:
        self.inputs.append(given)
        self._run()

    def _run(self) -> None:
        while self.inputs:
            self._carry_out(self.table.step(self.inputs.popleft(), self.now))
            if not self.inputs:
                for player, seat in enumerate(self.seats):
                    if seat is not None and seat.early:
                        self._receive(player, b"")

    def _carry_out(self, effects: Sequence[Effect]) -> None:
        for effect in effects:
            self.effects.append(effect)
            match effect:
                case TellAll(event):
                    for player, seat in enumerate(self.seats):
                        if seat is not None:
                            self.clients[player].hear(seat.tell(event))
                    self._watch(self.broadcast.tell(event))
                case Show(event):
                    self._watch(self.broadcast.tell(event))
                case Tell(player, event):
                    self._say(player, partial(DealerSeat.tell, event=event))
                case Ask(player):
                    self._say(player, partial(DealerSeat.ask, asked=effect))
                    self.inputs.append(CaughtUp(player))
                case Refuse(player, reason):
                    self._say(player, partial(DealerSeat.refuse, reason=reason))
                case Decline(player):
                    self._say(player, partial(DealerSeat.decline, declined=effect))
                case Persist():
                    if not self.slow:
                        self.inputs.append(Durable())
                case AskBot():
                    choice = choice_for(effect.question, effect.view, effect.by)
                    self.inputs.append(Answered(effect.request, choice))
                case _:
                    pass

    def _say(self, player: int, say: Callable[[DealerSeat], bytes]) -> None:
        seat = self.seats[player]
        if seat is not None:
            self.clients[player].hear(say(seat))

    def _watch(self, data: bytes) -> None:
        decoded(data)
        self.watched += data

    def send(self, player: int, data: bytes) -> None:
        """A client sends bytes, and all that follows is done."""
        self._receive(player, data)
        self._run()

    def _receive(self, player: int, data: bytes) -> None:
        seat = self.seats[player]
        assert seat is not None
        for came in seat.receive(data):
            if isinstance(came, Introduced):
                self.introduced.append(came)
            else:
                self.inputs.append(came)
        self.clients[player].hear(seat.take_replies())

    def durable(self) -> None:
        """All that was proposed is durable."""
        self.slow = False
        self.give(Durable())

    @property
    def on_turn(self) -> tuple[int, int]:
        """A player who is asked something of the game, and the number of the query."""
        return next((client.player, number) for client in self.clients for number in client.open)

    def answer(self) -> int:
        """One player answers legally; who."""
        player, number = self.on_turn
        client = self.clients[player]
        answer = client.answer(number)
        del client.open[number]
        self.send(player, answer)
        return player

    def play_until(self, kind: type[Message]) -> tuple[int, int]:
        """Answer until somebody is asked a query of a kind."""
        while not isinstance(self.clients[(turn := self.on_turn)[0]].open[turn[1]], kind):
            self.answer()
        return turn

    def run_out(self) -> None:
        """Let the time of whoever is asked run out."""
        before = len(self.effects)
        while len(self.effects) == before:
            assert self.table.wake_at < inf
            self.now = max(self.now, self.table.wake_at)
            self.give(Tick())


# Whole games


@settings(max_examples=12, deadline=None)
@given(rules=ALL_RULES, cuts=st.booleans())
def test_whole_games_from_frames_alone(rules: Rules, cuts: bool) -> None:
    """Four clients play by what the queries say; hands, scores and counters stay right."""
    room = Room(rules, end=30, cuts=cuts)
    games = 0
    while games < 2:
        player, number = room.on_turn
        query = room.clients[player].open[number]
        games += isinstance(query, m.PlayAgain)
        if isinstance(query, m.LeadCard | m.PlayCard):
            game = room.table.game
            assert game.play is not None
            legal = {each.card for each in query.cards if each.legal}
            assert legal == set(cards_of(game.play.legal()))
            assert set(cards_of(game.play.hands[player])) == room.clients[player].hand
            assert query.trick.leader == game.play.leader
            assert query.trick.round == game.play.played // 4 + 1
            assert query.trick.hearts_broken == game.play.broken
            assert query.state == DealerState.playing(player)
            assert query.left == 60_000
        room.answer()
    for client in room.clients:
        check_hands(client, rules)


def check_hands(client: Client, rules: Rules) -> None:
    """What the frames say of each hand is what follows from the cards that they show."""
    taken = [0, 0, 0, 0]
    broken = False
    dones = {"queens": [0] * 4, "jacks": [0] * 4, "games": [0] * 4}
    for _, message in client.heard:
        match message:
            case m.NewHand(number):
                taken, broken = [0, 0, 0, 0], False
                if number == 1:
                    dones["queens"], dones["jacks"] = [0] * 4, [0] * 4
            case m.HeartsBroken():
                assert not broken
                broken = True
            case m.CardPlayed() as played:
                assert played.trick.cards[played.player] == played.card
                assert played.trick.winner is None
            case m.TrickDone() as done:
                assert done.trick.winner is not None
                assert done.trick.suit is done.trick.cards[done.trick.leader].suit  # type: ignore[union-attr]
                assert done.trick.hearts_broken == broken
                if type(done) is m.TrickDone:
                    taken[done.trick.winner] |= mask_of(
                        c for c in done.trick.cards if c is not None
                    )
                else:
                    assert done.trick.winner == client.player
            case m.DoneHand() as done:
                assert done.shooter == moon_shooter(taken)
                for name, card, who in (
                    ("queens", "QS", done.queen_winner),
                    ("jacks", "JD", done.jack_winner),
                ):
                    owner = next(p for p in range(4) if taken[p] >> Card.parse(card) & 1)
                    assert who == owner
                    dones[name][owner] += 1
                for winner in done.winners:
                    dones["games"][winner] += 1
                assert done.game_winner == (min(done.winners) if done.winners else None)
                for player, score in enumerate(done.scores):
                    assert score.queens == dones["queens"][player]
                    assert score.jacks == dones["jacks"][player]
                    assert score.games == dones["games"][player]
            case _:
                pass


def filter_cards(trick: Trick) -> list[Card]:
    return [card for card in trick.cards if card is not None]


def test_the_course_of_a_hand() -> None:
    """Every message of a hand, in the order of SocketSpec.md 14.2."""
    room = Room(cuts=True)
    seen = room.clients[2].heard
    while not room.clients[2].all_of(m.DoneHand):
        room.answer()
    names = [type(message).__name__ for _, message in seen]
    assert names[:16] == ["NewGame", "DealCommitment", "Cut", "NewHand", *["TakeCard"] * 12]
    passed = names[17:21]
    assert passed == ["DoPass", "LosePass", "TakePass", "FirstLead"]
    hand = names[21 : names.index("DoneHand") + 1]
    for kind, count in {
        "LoseCard": 13, "CardPlayed": 52, "TrickDone": 13, "HeartsBroken": 1, "DealProof": 1,
    }.items():  # fmt: skip
        assert hand.count(kind) == count
    assert hand.count("LeadCard") + hand.count("PlayCard") == 13
    assert hand.count("TakeTrick") == sum(
        done.trick.winner == 2
        for done in room.clients[2].all_of(m.TrickDone)
        if type(done) is m.TrickDone
    )
    for before, after in pairwise(hand):
        if after == "TakeTrick":
            assert before in ("CardPlayed", "HeartsBroken")
        if before == "TakeTrick":
            assert after == "TrickDone"
        if before == "LoseCard":
            assert after == "CardPlayed"


def test_a_deal_follows_from_the_promise_and_the_cuts() -> None:
    room = Room(cuts=True)
    while not room.clients[0].all_of(m.DoneHand):
        room.answer()
    client = room.clients[0]
    (promise, *_), (proof, *_) = client.all_of(m.DealCommitment), client.all_of(m.DealProof)
    assert promise.digest == commitment(proof.secret)
    assert proof.cuts == b"".join(bytes([player] * 8) for player in range(4))
    dealt = deal_hands(proof.secret, proof.cuts)[0]
    assert mask_of(taken.card for taken in client.all_of(m.TakeCard)[:13]) == dealt


# Answers that are refused


def errors(client: Client) -> list[tuple[type[Message], int, int, int, int]]:
    return [
        (type(error), error.in_reply_to, error.type, error.reason, error.tries_left)
        for error in client.all_of(m.AnswerError)
    ]


def rest_of(room: Room) -> None:
    """The game is still in step: a whole hand can be played."""
    hands = len(room.clients[0].all_of(m.DoneHand))
    while len(room.clients[0].all_of(m.DoneHand)) == hands:
        room.answer()


def pieces(name: str, data: bytes) -> list[bytes]:
    match name:
        case "whole":
            return [data]
        case "byte by byte":
            return [data[i : i + 1] for i in range(len(data))]
        case _:
            return [data[:7], data[7:15], data[15:]]


PIECES = ["whole", "byte by byte", "thirds"]


@pytest.mark.parametrize("cut", PIECES)
def test_every_fault_leaves_the_game_in_step(cut: str) -> None:
    """All kinds of wrong answers joined, then the right one; in any pieces the same."""
    room = Room("pass=never")
    player, number = room.play_until(m.LeadCard)
    client = room.clients[player]
    held = client.hand
    foreign = next(card for card in CARDS if card not in held)
    right = client.answer(number)
    frames = [
        encode_frame(MessageType.LEAD_CARD, number, encode_card(foreign)),
        encode_frame(MessageType.LEAD_CARD, number, bytes(3)),
        encode_frame(MessageType.LEAD_CARD, number, bytes(4)),
        encode_frame(MessageType.PLAY_CARD, number, encode_card(foreign)),
        encode_frame(MessageType.LEAD_CARD, number + 1, encode_card(foreign)),
        encode_frame(MessageType.LEAD_CARD, 0, encode_card(foreign)),
        encode_frame(MessageType.LEAD_CARD, -1, encode_card(foreign)),
        encode_frame(12345, number, b"nobody knows this type"),
        encode_frame(MessageType.REPLACE_PLAYER, 0, bytes(3)),
        encode_frame(MessageType.PROPOSE_RULES, number, bytes(40)),
        right,
        right,
    ]
    for piece in pieces(cut, b"".join(frames)):
        room.send(player, piece)
    lead, plain = m.PlayError, m.AnswerError
    assert errors(client) == [
        (lead, number, MessageType.LEAD_CARD, Reason.NOT_HELD, 9),
        (lead, number, MessageType.LEAD_CARD, Fault.MEANINGLESS, 8),
        (lead, number, MessageType.LEAD_CARD, Fault.MEANINGLESS, 7),
        (lead, number, MessageType.PLAY_CARD, Fault.WRONG_TYPE, -1),
        (lead, number + 1, MessageType.LEAD_CARD, Fault.NOT_ASKED, -1),
        (lead, 0, MessageType.LEAD_CARD, Fault.NOT_ASKED, -1),
        (lead, -1, MessageType.LEAD_CARD, Fault.NOT_ASKED, -1),
        (plain, 0, MessageType.REPLACE_PLAYER, Fault.MEANINGLESS, -1),
        (plain, number, MessageType.PROPOSE_RULES, Fault.WRONG_TYPE, -1),
        (lead, number, MessageType.LEAD_CARD, Fault.ANSWERED, -1),
    ]
    assert [lost.by for lost in client.all_of(m.LoseCard)] == [By.PLAYER]
    rest_of(room)


def encode_card(card: Card) -> bytes:
    return a.PlayAnswer(card).encode()


def test_pieces_do_not_change_a_byte() -> None:
    heard = []
    for cut in PIECES:
        room = Room("pass=never")
        player, number = room.play_until(m.LeadCard)
        client = room.clients[player]
        foreign = next(card for card in CARDS if card not in client.hand)
        wrong = encode_frame(MessageType.LEAD_CARD, number, encode_card(foreign))
        right = client.answer(number)
        ping = said(a.Ping(b"!"))
        for piece in pieces(cut, ping + wrong + ping + right + ping + right + ping):
            room.send(player, piece)
        heard.append([client.data for client in room.clients])
    assert heard[0] == heard[1] == heard[2]


def test_a_choice_that_is_not_stored_yet_is_answered() -> None:
    room = Room("pass=never")
    room.slow = True
    player, number = room.on_turn
    client = room.clients[player]
    right = client.answer(number)
    room.send(player, right)
    assert not client.all_of(m.LoseCard)
    room.send(player, right)
    assert errors(client) == [(m.PlayError, number, 108, Fault.ANSWERED, -1)]
    room.durable()
    assert [lost.by for lost in client.all_of(m.LoseCard)] == [By.PLAYER]
    rest_of(room)


def test_who_is_too_late_hears_so_and_is_there_all_the_same() -> None:
    room = Room("pass=never")
    player, number = room.on_turn
    client = room.clients[player]
    right = client.answer(number)
    room.run_out()
    assert [lost.by for lost in client.all_of(m.LoseCard)] == [By.CLOCK]
    seat = room.seats[player]
    assert seat is not None
    assert seat.receive(right) == [CameLate(player)]
    client.hear(seat.take_replies())
    assert errors(client) == [(m.PlayError, number, 108, Fault.TOO_LATE, -1)]
    rest_of(room)


def test_the_tenth_try_is_decided() -> None:
    room = Room("pass=never")
    player, number = room.on_turn
    client = room.clients[player]
    wrong = encode_frame(MessageType.LEAD_CARD, number, b"")
    room.send(player, wrong * 9)
    assert [error[3:] for error in errors(client)] == [
        (Fault.MEANINGLESS, left) for left in range(9, 0, -1)
    ]
    assert not client.all_of(m.LoseCard)
    room.send(player, wrong)
    assert [lost.by for lost in client.all_of(m.LoseCard)] == [By.CLOCK]
    room.send(player, wrong)
    assert errors(client)[-1] == (m.PlayError, number, 108, Fault.TOO_LATE, -1)
    rest_of(room)


CHOICES: dict[Question, Answer] = {
    Question.PASS: a.PassAnswer(CARDS[:3]),
    Question.CARD: a.LeadAnswer(CARDS[0]),
    Question.MOON: a.MoonAnswer(False),
    Question.AGAIN: a.AgainAnswer(True),
    Question.CUT: a.CutAnswer(b"12345678"),
}
MEANT: dict[Question, Choice] = {
    Question.PASS: Pass(1, CARDS[:3]),
    Question.CARD: Play(1, CARDS[0]),
    Question.MOON: ChooseMoon(1, False),
    Question.AGAIN: AnswerAgain(1, True),
    Question.CUT: Cut(1, b"12345678"),
}


@pytest.mark.parametrize("question", Question)
def test_every_question(question: Question) -> None:
    """A bad payload, an answer that is refused, one that is taken, and one more."""
    seat = DealerSeat(1)
    seat.tell(YourHand(0, Direction.LEFT, CARDS[:13]))
    seat.tell(TrickBegun(1))
    ((number, query),) = decoded(seat.ask(Ask(1, question, 2.5, 1)))
    assert query.left == 2500  # type: ignore[attr-defined]  # every query has it
    assert seat.asked
    assert seat.has_caught_up
    answer = CHOICES[question]
    kind: type[m.AnswerError] = m.AnswerError
    if question in (Question.PASS, Question.CARD):
        kind = m.PassError if question is Question.PASS else m.PlayError

    def error(reason: Reason | Fault, tries_left: int) -> m.AnswerError:
        return kind(number, query.TYPE, reason, tries_left, reason.text)

    short = answer.encode()[:-1]
    assert seat.receive(encode_frame(query.TYPE, number, short)) == [Chosen(1, None)]
    assert decoded(seat.refuse(Reason.NOT_HELD))[0][1] == error(Fault.MEANINGLESS, 9)
    assert seat.receive(said(answer, number)) == [Chosen(1, MEANT[question])]
    assert decoded(seat.refuse(Reason.NOT_HELD))[0][1] == error(Reason.NOT_HELD, 8)
    assert seat.receive(said(answer, number) + b"\0") == [Chosen(1, MEANT[question])]
    assert seat.early == b"\0"
    seat.early = b""
    assert seat.receive(said(answer, number)) == []
    assert decoded(seat.take_replies())[0][1] == error(Fault.ANSWERED, -1)
    settling: dict[Question, TableEvent] = {
        Question.PASS: PassMade(1, CARDS[:3], By.PLAYER),
        Question.CARD: CardPlayed(1, CARDS[0], By.PLAYER),
        Question.MOON: MoonChosen(1, False, By.PLAYER),
        Question.AGAIN: AgainSettled(1, True, By.PLAYER),
        Question.CUT: CutSettled(1, By.PLAYER),
    }
    seat.tell(settling[question])
    assert not seat.asked


@pytest.mark.parametrize("question", Question)
def test_a_choice_made_over_a_lost_connection_is_not_made_again(question: Question) -> None:
    seat = DealerSeat(1)
    seat.tell(YourHand(0, Direction.LEFT, CARDS[:13]))
    seat.tell(TrickBegun(1))
    ((number, _),) = decoded(seat.ask(Ask(1, question, inf, 1)))
    seat.made_before()
    assert seat.receive(said(CHOICES[question], number)) == []
    ((_, error),) = decoded(seat.take_replies())
    assert isinstance(error, m.AnswerError)
    assert error.reason == Fault.ANSWERED


def test_a_bad_payload_for_a_pass_at_a_table() -> None:
    room = Room()
    player, number = room.play_until(m.DoPass)
    room.send(player, encode_frame(MessageType.DO_PASS, number, encode_ints(1, 2, 53)))
    room.send(player, said(a.PassAnswer((CARDS[3],) * 3), number))
    assert [error[0::3] for error in errors(room.clients[player])] == [
        (m.PassError, Fault.MEANINGLESS),
        (m.PassError, Reason.NOT_HELD),
    ]
    rest_of(room)


def test_no_cut_is_a_cut_of_zeros() -> None:
    room = Room(cuts=True)
    for _ in range(3):
        room.answer()
    player, number = room.on_turn
    late = room.clients[player].answer(number)
    room.run_out()
    room.send(player, late)
    assert errors(room.clients[player]) == [(m.AnswerError, number, 202, Fault.TOO_LATE, -1)]
    rest_of(room)
    (proof,) = room.clients[player].all_of(m.DealProof)
    assert proof.cuts[8 * player : 8 * player + 8] == NO_CUT
    assert proof.cuts.count(0) == 8 + 8, "player 0 has cut with eight zeros himself"


def test_illegal_cards_have_their_reasons() -> None:
    room = Room("pass=never")
    player, number = room.on_turn
    client = room.clients[player]
    other = max(client.hand - {Card.parse("2C")})
    room.send(player, said(a.LeadAnswer(other), number))
    assert errors(client)[0][3] == Reason.TWO_OF_CLUBS_LEADS
    room.answer()
    player, number = room.play_until(m.PlayCard)
    client = room.clients[player]
    query = client.open[number]
    assert isinstance(query, m.PlayCard)
    illegal = next(each.card for each in query.cards if not each.legal)
    room.send(player, said(a.PlayAnswer(illegal), number))
    assert errors(client)[0][3] == Reason.FOLLOW_SUIT
    rest_of(room)


def test_a_hundred_useless_answers_end_the_connection() -> None:
    seat = DealerSeat(1)
    useless = said(a.MoonAnswer(True), 77)
    assert seat.receive(useless * (USELESS_LIMIT - 1)) == []
    assert len(decoded(seat.take_replies())) == USELESS_LIMIT - 1
    with pytest.raises(RemoteProtocolError, match="100 answers in a row"):
        seat.receive(useless)
    assert decoded(seat.take_replies() + seat.notice("over"))[-1][1] == m.ServerNotice("over")


def test_a_good_answer_begins_the_count_anew() -> None:
    room = Room("pass=never")
    player, _ = room.on_turn
    useless = said(a.MoonAnswer(True), 7777)
    for _ in range(3):
        room.send(player, useless * (USELESS_LIMIT - 1))
        lost = len(room.clients[player].all_of(m.LoseCard))
        while len(room.clients[player].all_of(m.LoseCard)) == lost:
            room.answer()
    room.send(player, useless * (USELESS_LIMIT - 1))
    with pytest.raises(RemoteProtocolError):
        room.send(player, useless)


def test_what_cannot_be_granted_counts_as_well() -> None:
    room = Room()
    wish = said(a.OpenSeat(2))
    room.send(1, wish)
    assert errors(room.clients[1]) == [(m.AnswerError, 0, 222, Fault.NOT_PLAYER_0, -1)]
    with pytest.raises(RemoteProtocolError):
        room.send(1, wish * USELESS_LIMIT)


def test_old_fates_are_forgotten_in_the_end() -> None:
    seat = DealerSeat(0)
    seat.tell(GameBegun(Setting(STANDARD, 100, 60, 60.0)))
    answered = []
    for _ in range(FATES_KEPT + 1):
        ((number, _query),) = decoded(seat.ask(Ask(0, Question.MOON, inf, 0)))
        assert seat.receive(said(a.MoonAnswer(True), number)) != []
        answered.append(number)
        seat.tell(MoonChosen(0, True, By.PLAYER))
    for number, fault in ((answered[0], Fault.NOT_ASKED), (answered[-1], Fault.ANSWERED)):
        seat.receive(said(a.MoonAnswer(True), number))
        ((_, error),) = decoded(seat.take_replies())
        assert isinstance(error, m.AnswerError)
        assert error.reason == fault


# Beside the game


INFOS = [
    PlayerInfo(player, PlayerKind.EXTERNAL_CPU, 10 * player, Presence.THERE, name)
    for player, name in enumerate(NAMES)
]


def test_what_is_said_beside_the_game() -> None:
    seat = DealerSeat(3)
    data = (
        seat.register_query()
        + seat.forming(INFOS, 0b1010, 5000, -1)
        + seat.seated(SeatCredentials(7, 99, 3, 1000), "a table", INFOS)
        + seat.replay(True)
        + seat.change(Change.STAND_IN, INFOS[1])
        + seat.waiting(DealerState.passing(1), 0b10, 1000, 29_000)
        + seat.notice("a word")
        + seat.abort(True, "the server shuts down")
        + seat.refused(-104, "closed")
    )
    assert decoded(data) == list(
        enumerate(
            [
                m.RegisterPlayer(None, DealerState.INIT, 3),
                m.RegisterOpponents(tuple(INFOS)),
                m.Waiting(DealerState.INIT, (1, 3), 5000, None),
                m.Seated(3, 7, 99, "a table"),
                m.RegisterOpponents(tuple(INFOS)),
                m.Replay(True),
                m.PlayerChange(3, INFOS[1]),
                m.Waiting(DealerState.PLAYER_2_PASS, (1,), 1000, 29_000),
                m.ServerNotice("a word"),
                m.AbortGame(True, "the server shuts down"),
                m.Refused(-104, "closed"),
            ],
            1,
        )
    )


def test_who_a_player_is() -> None:
    seat = DealerSeat(3)
    ((number, _),) = decoded(seat.register_query())
    assert seat.asked
    assert not seat.has_caught_up
    mine = a.Introduction(PlayerKind.EXTERNAL_HUMAN, 500, True, "hello")
    bad = encode_frame(MessageType.REGISTER_PLAYER, number, bytes(16))
    assert seat.receive(bad) == []
    told = [Introduced(3, PlayerKind.EXTERNAL_HUMAN, 500, "hello", True)]
    assert seat.receive(said(mine, number)) == told
    assert not seat.asked
    assert seat.receive(said(mine, number)) == []
    reasons = [error.reason for _, error in decoded(seat.take_replies())]
    assert reasons == [Fault.MEANINGLESS, Fault.ANSWERED]


def test_a_ping_is_answered_at_once() -> None:
    seat = DealerSeat(0)
    ping = said(a.Ping(b"now"))
    assert seat.receive(ping + encode_frame(MessageType.PING, 0, bytes(65)) + ping) == []
    assert decoded(seat.take_replies()) == [
        (1, m.Pong(b"now")),
        (2, m.AnswerError(0, 206, Fault.MEANINGLESS, -1, Fault.MEANINGLESS.text)),
        (3, m.Pong(b"now")),
    ]
    assert seat.take_replies() == b""


PROPOSED = RulesInfo(parse_rules("jack,dump"), 70)


def test_rules_are_voted_on() -> None:
    room = Room()
    room.send(0, said(a.ProposeRules(PROPOSED)))
    queries = []
    for player in (1, 2, 3):
        client = room.clients[player]
        ((number, query),) = [
            (number, query)
            for number, query in client.open.items()
            if isinstance(query, m.QueryNewRules)
        ]
        assert query == m.QueryNewRules(60_000, DealerState.NEW_GAME, PROPOSED)
        queries.append((player, number, client.answer(number)))
    room.send(0, said(a.ProposeRules(PROPOSED)))
    assert errors(room.clients[0]) == [(m.AnswerError, 0, 220, Fault.NOT_NOW, -1)]
    for player, _, vote in queries:
        room.send(player, vote + vote)
    for player, number, vote in queries:
        room.send(player, vote)
        answered = (m.AnswerError, number, 124, Fault.ANSWERED, -1)
        assert errors(room.clients[player]) == [answered] * 2
    assert all(client.all_of(m.NewRules) == [m.NewRules(PROPOSED)] for client in room.clients)
    rest_of(room)


def test_rules_stay_where_somebody_says_no() -> None:
    room = Room()
    room.send(0, said(a.ProposeRules(PROPOSED)))
    client = room.clients[3]
    number = next(n for n, query in client.open.items() if isinstance(query, m.QueryNewRules))
    late = client.answer(number)
    other = next(
        n for n, query in room.clients[2].open.items() if isinstance(query, m.QueryNewRules)
    )
    room.send(2, said(a.RulesAnswer(False), other))
    assert [stay.player for stay in room.clients[0].all_of(m.RulesStay)] == [2]
    room.send(3, late)
    assert errors(client) == [(m.AnswerError, number, 124, Fault.TOO_LATE, -1)]
    rest_of(room)


# Any bytes


@given(data=st.lists(st.binary(max_size=40), max_size=6))
def test_any_bytes_are_inputs_or_one_kind_of_error(data: list[bytes]) -> None:
    seat = DealerSeat(2)
    seat.register_query()
    seat.tell(YourHand(0, Direction.LEFT, CARDS[:13]))
    seat.ask(Ask(2, Question.PASS, inf, 0))
    try:
        for piece in data:
            seat.receive(piece)
    except RemoteProtocolError:
        return
    assert all(
        isinstance(message, m.AnswerError | m.Pong) for _, message in decoded(seat.take_replies())
    )


ANY_FRAMES = st.lists(
    st.tuples(
        st.sampled_from([*ANSWERS, 999]),
        st.integers(-1, 60),
        st.sampled_from([b"", bytes(4), *(encode_ints(n) for n in range(-1, 54, 6)), bytes(12)]),
    ),
    max_size=30,
)


@settings(deadline=None, max_examples=40)
@given(frames=ANY_FRAMES, player=st.integers(0, 3), seed=st.integers(0, 50))
def test_whatever_is_sent_the_table_stays_in_step(
    frames: list[tuple[int, int, bytes]], player: int, seed: int
) -> None:
    room = Room("pass=never" if seed % 2 else "standard")
    for _ in range(seed):
        room.answer()
    for frame in frames:
        if frame[0] != MessageType.QUERY_NEW_RULES:
            room.send(player, encode_frame(*frame))
    assert room.table.game.status() == []
    assert not any(seat.early for seat in room.seats if seat is not None)
    rest_of(room)


def test_what_waits_has_a_limit() -> None:
    seat = DealerSeat(1)
    seat.tell(YourHand(0, Direction.LEFT, CARDS[:13]))
    ((number, _),) = decoded(seat.ask(Ask(1, Question.PASS, inf, 0)))
    answer = said(CHOICES[Question.PASS], number)
    assert seat.receive(answer + bytes(EARLY_LIMIT)) == [Chosen(1, MEANT[Question.PASS])]
    assert len(seat.early) == EARLY_LIMIT
    seat.refuse(Reason.NOT_HELD)
    seat.early = answer + bytes(EARLY_LIMIT + 1)
    with pytest.raises(RemoteProtocolError, match="before they were due"):
        seat.receive(b"")


@pytest.mark.parametrize("length", [-1, CLIENT_PAYLOAD_LIMIT + 1, 2**31 - 1])
def test_a_length_outside_the_limit_ends_the_connection(length: int) -> None:
    seat = DealerSeat(1)
    with pytest.raises(RemoteProtocolError, match="a payload length of"):
        seat.receive(HEADER.pack(MessageType.PING, 0, length))


# Coming back


def is_past(message: Message) -> bool:
    """Whether a message comes again to who comes back."""
    return message.TYPE not in ANSWERS and not isinstance(
        message, m.AnswerError | m.RulesStay | m.PlayerChange
    )


def standing_of(shown: Sequence[Message]) -> tuple[Score, ...]:
    """The scores of the game and the session so far."""
    scores: tuple[Score, ...] = (Score(0, 0, 0, 0),) * 4
    for message in shown:
        match message:
            case m.DoneHand():
                scores = message.scores
            case m.AgainDecided(_, True):
                scores = tuple(Score(0, 0, 0, score.games) for score in scores)
            case _:
                pass
    return scores


def without_time(queries: Iterable[Any]) -> list[Message]:
    """Queries, but for the time that is left."""
    return [replace(query, left=None) for query in queries]


@settings(max_examples=12, deadline=None)
@given(rules=ALL_RULES, steps=st.integers(0, 500), player=st.integers(0, 3), cuts=st.booleans())
def test_what_is_missed_is_told_again(rules: Rules, steps: int, player: int, cuts: bool) -> None:
    """After every hand that the client may have seen, the rest comes again, byte by byte."""
    room = Room(rules, end=30, cuts=cuts)
    for _ in range(steps):
        room.answer()
    past = room.table.past
    before = room.clients[player]
    for hands in range(past.hands_scored(player) + 1):
        seat = DealerSeat(player, past.standing(player, hands))
        begin = seat.replay(True) + seat.tell(GameBegun(past.setting(player, hands)))
        again = b"".join(seat.recall(missed) for missed in past.replay(player, hands))
        asked = room.table.open_question(player, room.now)
        end = seat.replay(False) + (b"" if asked is None else seat.ask(asked))
        told = [message for _, message in decoded(begin + again + end)]
        shown = [message for _, message in before.heard if is_past(message)]
        places = [i for i, message in enumerate(shown) if isinstance(message, m.DoneHand)]
        missed = shown[places[hands - 1] + 1 :] if hands else shown[1:]
        if missed and isinstance(missed[0], m.EndGame):
            # It belongs to the P_DONE_HAND that the client has had.
            del missed[0]
        card = m.ScoreCard(standing_of(shown[: places[hands - 1] + 1] if hands else []))
        expected = [m.Replay(True), told[1], card, *missed, m.Replay(False)]
        assert told[: len(expected)] == expected
        assert isinstance(told[1], m.NewGame)
        assert without_time(told[len(expected) :]) == without_time(before.open.values())


# Watching


def of_the_table(message: Message) -> bool:
    """Whether a message of a player is one that watchers get too."""
    own = m.LoseCard | m.LosePass | m.TakeCard | m.TakePass | m.TakeTrick
    return is_past(message) and not isinstance(message, own)


@settings(max_examples=8, deadline=None)
@given(rules=ALL_RULES, steps=st.integers(0, 300))
def test_watchers_see_what_everybody_sees(rules: Rules, steps: int) -> None:
    room = Room(rules, end=30, cuts=True)
    for _ in range(steps):
        room.answer()
    watched = decoded(room.watched)
    assert {number for number, _ in watched} == {0}
    everybody = [message for _, message in room.clients[1].heard if of_the_table(message)]
    assert [message for _, message in watched] == everybody
    past = [message for _, message in decoded(room.broadcast.past())]
    begin, game, standing, *hand, end = past
    assert [begin, end] == [m.Replay(True), m.Replay(False)]
    assert game == [message for message in everybody if isinstance(message, m.NewGame)][-1]
    before = len(everybody) - len(hand)
    assert hand == everybody[before:]
    assert standing == m.ScoreCard(standing_of(everybody[:before]))
    if hand:
        assert isinstance(hand[0], m.DealCommitment)
        assert not any(isinstance(message, m.DealCommitment) for message in hand[1:])


def test_a_watcher_changes_nothing_and_may_ping() -> None:
    seat = WatcherSeat()
    ping = said(a.Ping(b"?"))
    other = said(a.PlayAnswer(CARDS[0]), 1) + said(a.OpenSeat(1)) + said(a.AgainAnswer(True))
    for piece in pieces("thirds", ping + other + ping):
        assert seat.receive(piece) == []
    assert decoded(seat.take_replies()) == [(0, m.Pong(b"?"))] * 2
    assert seat.take_replies() == b""
    idle = encode_frame(999, 0, bytes(1000))
    for _ in range(IDLE_BYTES // len(idle)):
        seat.receive(idle)
    assert seat.receive(ping) == []
    for _ in range(IDLE_BYTES // len(idle)):
        seat.receive(idle)
    with pytest.raises(RemoteProtocolError, match="without a ping"):
        seat.receive(idle)


def test_a_ping_of_a_watcher_that_is_too_long_is_dropped() -> None:
    seat = WatcherSeat()
    assert seat.receive(encode_frame(MessageType.PING, 0, bytes(65))) == []
    assert seat.take_replies() == b""
    with pytest.raises(RemoteProtocolError):
        seat.receive(HEADER.pack(MessageType.PING, 0, -1))


# Hidden cards


def exchanged(card: Card, x: Card, y: Card) -> Card:
    return y if card == x else x if card == y else card


@settings(max_examples=40, deadline=None)
@given(seed=SEEDS, seat=st.integers(0, 3), passing=st.sampled_from(["never", "left", "cycle3"]))
def test_no_byte_depends_on_a_card_that_is_not_shown(seed: int, seat: int, passing: str) -> None:
    """Two cards of other players exchanged: the seat and watchers hear the same until one lies."""
    source = random.Random(seed)
    deck = list(CARDS)
    source.shuffle(deck)
    hands = [deck[13 * p : 13 * p + 13] for p in range(4)]
    others = [p for p in range(4) if p != seat]
    pairs = [
        (x, y)
        for p in others
        for q in others
        if p < q
        for x in hands[p]
        for y in hands[q]
        if x.suit == y.suit and TWO_OF_CLUBS not in (x, y)
    ]
    x, y = source.choice(pairs)
    swapped = [[exchanged(card, x, y) for card in hand] for hand in hands]
    rooms = [
        Room(f"pass={passing}", deals=[_given(each), _given(hands)]) for each in (hands, swapped)
    ]
    first, second = rooms
    while not first.clients[0].all_of(m.DoneHand):
        assert first.clients[seat].data == second.clients[seat].data
        assert first.watched == second.watched
        player, number = first.on_turn
        query = first.clients[player].open[number]
        assert isinstance(query, m.DoPass | m.LeadCard | m.PlayCard)
        if isinstance(query, m.DoPass):
            mine = [card for card in query.cards if card not in (x, y)]
            cards = source.sample(mine, 3)
        else:
            legal = [each.card for each in query.cards if each.legal]
            cards = [source.choice([card for card in legal if card not in (x, y)] or legal)]
        if player == seat:
            wrong = [each for each in (x, y) if each not in cards]
            for room in rooms:
                for each in wrong:
                    room.send(
                        player, encode_frame(query.TYPE, number, a.PassAnswer((each,) * 3).encode())
                    )
        shown = bool({x, y} & set(cards))
        for room, mine in ((first, cards), (second, [exchanged(c, x, y) for c in cards])):
            del room.clients[player].open[number]
            chosen = encode_ints(*(card.wire for card in mine))
            room.send(player, encode_frame(query.TYPE, number, chosen))
        if shown:
            assert first.watched != second.watched
            return
    raise AssertionError("both cards lie before the hand is done")


def _given(hands: Sequence[Sequence[Card]]) -> Deal:
    a_hand, b, c, d = map(mask_of, hands)
    return Deal((a_hand, b, c, d))

"""A real table whose players, and a watcher, sit behind the dealer dialect."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from math import inf
from typing import Any

from hearts.dealer import answers as a
from hearts.dealer import messages as m
from hearts.dealer.answers import ANSWERS, Answer
from hearts.dealer.frames import (
    SERVER_PAYLOAD_LIMIT,
    FrameBuffer,
    encode_frame,
)
from hearts.dealer.messages import MESSAGES, Message
from hearts.dealer.seat import DealerSeat, Introduced
from hearts.dealer.watcher import Broadcast
from hearts.game.cards import Card
from hearts.game.events import (
    Deal,
)
from hearts.game.rules import STANDARD, Rules, parse_rules
from hearts.table import (
    Able,
    Answered,
    Ask,
    AskBot,
    CaughtUp,
    Decline,
    Durable,
    Effect,
    Input,
    Kind,
    Persist,
    Refuse,
    Setting,
    Show,
    Table,
    Tell,
    TellAll,
    Tick,
)
from tests.table.desk import NAMES, choice_for

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

"""A table on a desk whose players, and a watcher, sit behind the dealer dialect."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from hearts.dealer import messages as m
from hearts.dealer.beside import ANSWERS, REQUESTS
from hearts.dealer.frames import SERVER_PAYLOAD_LIMIT, FrameBuffer, MessageType
from hearts.dealer.messages import MESSAGES
from hearts.game.cards import Card
from hearts.game.cuts import hash_of
from hearts.game.events import ChooseMoon, Deal, MoonChosen, Pass, Play
from hearts.game.rules import STANDARD, Rules
from hearts.session import table_words as w
from hearts.session.client_events import DoneHand
from hearts.table.effects import AgainSettled, RulesAgreed, RulesProposed, RulesRefused
from hearts.table.inputs import AnswerAgain, Cut, Vote
from tests.dealer.payloads import Told, frame, type_of
from tests.hosting.desk import DEALER, TableDesk

Sent = tuple[int, Told]
"""The sequence of a frame, and what is in it."""


def decoded(data: bytes) -> list[Sent]:
    """The messages of some frames; every one of them must be whole and known."""
    buffer = FrameBuffer(SERVER_PAYLOAD_LIMIT)
    buffer.feed(data)
    frames = list(iter(buffer.take, None))
    assert not buffer
    return [(frame.number, MESSAGES[frame.type].decode(frame.payload)) for frame in frames]


said = frame


class FrameClient:
    """A client that knows only what its frames say, and checks that it fits together."""

    def __init__(self, player: int) -> None:
        self.player = player
        self.value = bytes([player + 1] * 32)
        """What it shows for every deal."""
        self.heard: list[Sent] = []
        self.data = b""
        self.hand: set[Card] = set()
        self.open: dict[int, Told] = {}
        """Queries that wait for an answer, by sequence."""

    def receive(self, data: bytes) -> None:
        for number, message in decoded(data):
            if number:
                assert number == len(self.heard) + 1, "frames are counted"
            self.heard.append((number, message))
            self._take(number, message)
        self.data += data

    def _take(self, number: int, message: Told) -> None:
        match message:
            case m.NewHand():
                assert not self.hand
                self._close(m.CutMessage)
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
            case MoonChosen(player) if player == self.player:
                self._close(m.MoonChoice)
            case AgainSettled(player) if player == self.player:
                self._close(m.PlayAgainMessage)
            case RulesAgreed() | RulesRefused():
                self._close(RulesProposed)
            case m.DoPass():
                assert set(message.cards) == self.hand
            case m.LeadCard() | m.PlayCard():
                assert {each.card for each in message.cards} == self.hand
                led = message.trick.suit is not None
                assert led == isinstance(message, m.PlayCard)
            case _:
                pass
        if type_of(type(message)) in ANSWERS.keys() - REQUESTS:
            self.open[number] = message

    def _close(self, *kinds: type[Any]) -> None:
        for number in [number for number, query in self.open.items() if isinstance(query, kinds)]:
            del self.open[number]

    def all_of(self, kind: type[Any]) -> list[Any]:
        return [message for _, message in self.heard if isinstance(message, kind)]

    def answer(self, number: int) -> bytes:
        """A choice that the query itself says is legal."""
        match self.open[number]:
            case m.DoPass() as query:
                return said(Pass(self.player, query.cards[:3]), number)
            case m.LeadCard() as query:
                return said(Play(self.player, _first_legal(query)), number)
            case m.PlayCard() as query:
                return said(Play(self.player, _first_legal(query)), number, MessageType.PLAY_CARD)
            case m.MoonChoice():
                return said(ChooseMoon(self.player, True), number)
            case m.PlayAgainMessage():
                return said(AnswerAgain(self.player, True), number)
            case m.CutMessage():
                return said(Cut(self.player, self.value, hash_of(self.value)), number)
            case RulesProposed():
                return said(Vote(0, True), number)
            case query:
                raise AssertionError(f"a {type(query).__name__} is not answered here")


def _first_legal(query: m.LeadCard | m.PlayCard) -> Card:
    return next(each.card for each in query.cards if each.legal)


class DealerRoom(TableDesk):
    """A table with four clients of the dialect, and a watcher."""

    def __init__(
        self,
        rules: Rules | str = STANDARD,
        deals: Iterable[Deal] | None = None,
        *,
        end: int = 100,
        cuts: bool = False,
    ) -> None:
        super().__init__(rules, [DEALER] * 4, None if deals is None else iter(deals), end=end)
        self.players = [FrameClient(player) for player in range(4)]
        for player in range(4):
            who = w.Introduction(cuts=cuts)
            if cuts:
                who = w.Introduction(cuts=True, next_hash=hash_of(self.players[player].value))
            self.arrive(player, said(who, 1))
        self.begin()
        self.onlooker = self.watch()
        self.watched = b""
        self._listen()
        for client in self.players:
            del client.open[1]

    def send(self, player: int, data: bytes) -> None:
        # What comes while nobody asks is read at once here, too.
        self.links[player].rests = False
        super().send(player, data)
        self._listen()

    def _listen(self) -> None:
        for client, link in zip(self.players, self.links, strict=True):
            client.receive(link.take())
        self.watched += self.onlooker.take()

    def durable(self) -> None:
        """All that was proposed is durable, and all that follows from it."""
        self.store.slow = False
        self.let_through(len(self.store.waiting))
        self._listen()

    @property
    def on_turn(self) -> tuple[int, int]:
        return next((client.player, number) for client in self.players for number in client.open)

    def answer(self) -> int:
        """One player answers legally; who."""
        player, number = self.on_turn
        client = self.players[player]
        answer = client.answer(number)
        del client.open[number]
        self.send(player, answer)
        return player

    def play_until(self, kind: type[Any]) -> tuple[int, int]:
        """Answer until somebody is asked a query of a kind."""
        while not isinstance(self.players[(turn := self.on_turn)[0]].open[turn[1]], kind):
            self.answer()
        return turn

    def run_out(self) -> None:
        """Let the time of whoever is asked run out."""
        lines = len(self.store.lines)
        while len(self.store.lines) == lines:
            self.wait(1.0)
        self._listen()


def errors(client: FrameClient) -> list[tuple[type[Any], int, int, int, int]]:
    return [
        (type(error), error.in_reply_to, error.type, error.reason, error.tries_left)
        for error in client.all_of(m.AnswerError)
    ]


def rest_of(room: DealerRoom) -> None:
    hands = len(room.players[0].all_of(DoneHand))
    while len(room.players[0].all_of(DoneHand)) == hands:
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

"""Plays sessions at a table without sockets: what server and clients would say is recorded.

The same parts as in the server (table, seats, a store that is durable at once), and a client that
acknowledges at once and plays at random from a seed.
"""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Iterator, Sequence

from hearts.dealer.frames import HEADER
from hearts.dealer.numbers import PlayerKind
from hearts.dealer.scene import Scene
from hearts.dealer.seat import DealerSeat, Introduced
from hearts.dealer.structures import PlayerInfo
from hearts.game.cards import Card, cards_of
from hearts.game.deal import SECRET_BYTES
from hearts.game.events import (
    CardPlayed,
    CardsReceived,
    ChosenBy,
    Deal,
    PassMade,
    YourHand,
)
from hearts.game.rules import STANDARD, Direction
from hearts.game.view import view_of
from hearts.plain.seat import PlainSeat
from hearts.table import (
    Announce,
    Ask,
    CaughtUp,
    Durable,
    Effect,
    Input,
    Kind,
    Persist,
    Question,
    SessionTotals,
    Setting,
    Show,
    Table,
    TableEvent,
    Tell,
    TellAll,
)
from hearts.wire.codec import encode_ints
from hearts.wire.credentials import SeatCredentials

from .script import NOT_A_PLAY, Inputs, Message, Script, SeatScript, Step, Writes

NAMES = ("Ann00", "Bob00", "Cyd00", "Dan00")
END_SCORE = 10_000
_SPARE = bytes(SECRET_BYTES)
"""The hand after the last one, which is dealt and not played."""
_INFOS = [
    PlayerInfo(player, PlayerKind.EXTERNAL_NETWORK, name=name) for player, name in enumerate(NAMES)
]
_SETTING = Setting(STANDARD, END_SCORE, 60, 60.0)


class SocketlessTable:
    """A table with four seated clients, and bytes in place of connections.

    What it says collects until :meth:`clear`.
    """

    def __init__(self, secrets: Iterator[bytes], *, dealer: bool = False) -> None:
        """``dealer`` is the dialect of the clients."""
        players = [(name, Kind.CLIENT) for name in NAMES]
        self.table = Table(_SETTING, players, map(Deal.from_secret, secrets).__next__)
        self.seats: list[PlainSeat | DealerSeat] = []
        scene = Scene(SessionTotals())
        for player in range(4):
            if dealer:
                seat = DealerSeat(player)
                seat.share(scene)
                self.seats.append(seat)
            else:
                self.seats.append(PlainSeat(player))
        self.said: list[tuple[int, TableEvent, bytes]] = []
        """What each seat was told, message by message."""
        self.asked: list[tuple[int, Question]] = []
        """Who was asked for what."""
        self.queries: list[bytes] = [b""] * 4
        """What each seat was asked last."""
        self.hands_done = 0
        self._inputs: deque[Input] = deque()

    def start(self) -> Writes:
        """Seat everybody and begin; the answers to their Process IDs."""
        a, b, c, d = map(self._welcome, range(4))
        self._carry_out(self.table.start())
        self._run()
        return a, b, c, d

    def _welcome(self, player: int) -> bytes:
        return self.seats[player].welcome(SeatCredentials(1, player, player, player), "", _INFOS)

    def receive(self, player: int, data: bytes) -> None:
        """Take bytes of a seat, and whatever follows from them."""
        for given in self.seats[player].receive(data):
            assert not isinstance(given, Introduced)
            self._inputs.append(given)
            self._run()

    def clear(self) -> None:
        """Forget what was said and asked."""
        self.said.clear()
        self.asked.clear()

    def _run(self) -> None:
        while self._inputs:
            self._carry_out(self.table.step(self._inputs.popleft(), 0.0))

    def _carry_out(self, effects: Sequence[Effect]) -> None:
        for effect in effects:
            match effect:
                case TellAll(event):
                    for player in range(4):
                        self._tell(player, event)
                case Tell(player, event):
                    self._tell(player, event)
                case Persist():
                    self._inputs.append(Durable())
                case Ask(player, question):
                    seat = self.seats[player]
                    self.queries[player] = seat.ask(effect)
                    if seat.has_caught_up:
                        self._inputs.append(CaughtUp(player))
                    self.asked.append((player, question))
                case Announce():
                    self.hands_done = self.table.past.hands_scored()
                case Show():
                    pass
                case _:
                    raise AssertionError(f"not expected here: {effect!r}")

    def _tell(self, player: int, event: TableEvent) -> None:
        data = self.seats[player].tell(event)
        if data:
            self.said.append((player, event, data))


class _Client:
    """Answers for one seat, and keeps what it was told and what it said."""

    def __init__(self, player: int) -> None:
        self.player = player
        self.stream = b""
        self.messages: list[Message] = []
        self.sent = 0
        self._answers: list[bytes] = []
        self._ack = encode_ints(player)
        self._cards: list[Card] = []
        self._passed: list[int] = []
        self._plays = 0

    def welcome(self, data: bytes) -> bytes:
        """Take the answer to the Process ID; the acknowledgement."""
        return self._take(data, self._ack, NOT_A_PLAY)

    def hear(self, event: TableEvent, data: bytes) -> bytes:
        """Take a message; the acknowledgements that it asks for."""
        acks, heard = self._ack, NOT_A_PLAY
        match event:
            case YourHand(_, direction, cards):
                self._cards = list(cards)
                self._plays = 0
                if direction is Direction.HOLD:
                    acks *= 2
            case PassMade():
                acks = b""
            case CardsReceived(cards):
                for index, card in zip(self._passed, cards, strict=True):
                    self._cards[index] = card
            case CardPlayed(player, _, by):
                assert by is ChosenBy.PLAYER
                if player == self.player:
                    acks = b""
                else:
                    heard = self._plays
                self._plays += 1
        return self._take(data, acks, heard)

    def choose(self, table: Table, question: Question, source: random.Random) -> bytes:
        """Make a choice, due after the latest message."""
        view = view_of(table.game, self.player)
        if question is Question.PASS:
            self._passed = source.sample(range(13), 3)
            choice, played = encode_ints(*self._passed), NOT_A_PLAY
            cards = [self._cards[index] for index in self._passed]
        else:
            card = source.choice(list(cards_of(view.legal)))
            choice, played = encode_ints(self._cards.index(card)), self._plays
            cards = [card]
        self._answers.append(encode_ints(*(card.wire for card in cards)))
        last = self.messages[-1]
        self.messages[-1] = Message(last.end, last.acks, choice, last.heard, played)
        self.sent += len(choice)
        return choice

    def script(self) -> SeatScript:
        return SeatScript(self.stream, tuple(self.messages), self.sent, tuple(self._answers))

    def _take(self, data: bytes, acks: bytes, heard: int) -> bytes:
        self.stream += data
        self.messages.append(Message(len(self.stream), acks, b"", heard, NOT_A_PLAY))
        self.sent += len(acks)
        return acks


def record_session(hands: int, seed: int = 1) -> Script:
    """Play so many hands of one game at random; what everybody said."""
    return _Recorder(hands, seed).run()


class _Recorder:
    """One recording."""

    def __init__(self, hands: int, seed: int) -> None:
        self._source = random.Random(seed)
        self._hands = hands
        self._secrets = tuple(self._source.randbytes(SECRET_BYTES) for _ in range(hands))
        self._table = SocketlessTable(iter((*self._secrets, _SPARE)))
        self._clients = [_Client(player) for player in range(4)]
        self._unsent = [b"", b"", b"", b""]
        """Acknowledgements that leave with the next write of each seat."""
        self._inputs: list[tuple[int, bytes]] = []
        self._waiting: deque[tuple[int, Question]] = deque()

    def run(self) -> Script:
        welcomes = self._table.start()
        for player, client in enumerate(self._clients):
            self._unsent[player] = client.welcome(welcomes[player])
        begin = self._listen(welcomes)
        steps: list[Step] = []
        while self._table.hands_done < self._hands:
            asked = {player for player, _ in self._waiting}
            for player in range(4):
                if player not in asked:
                    self._send(player)
            actor, question = self._waiting.popleft()
            client = self._clients[actor]
            self._unsent[actor] += client.choose(self._table.table, question, self._source)
            received = client.sent
            self._send(actor)
            steps.append(Step(actor, received, self._listen()))
        for player in range(4):
            self._send(player)
        a, b, c, d = (client.script() for client in self._clients)
        return Script(
            self._hands, self._secrets, (a, b, c, d), begin, tuple(steps), tuple(self._inputs)
        )

    def _send(self, player: int) -> None:
        data, self._unsent[player] = self._unsent[player], b""
        if data:
            self._inputs.append((player, data))
            self._table.receive(player, data)

    def _listen(self, before: Sequence[bytes] = (b"", b"", b"", b"")) -> Writes:
        table, said = self._table, list(before)
        for player, event, data in table.said:
            # After the last hand another one is dealt at once, which is not part of this.
            if table.hands_done < self._hands or not isinstance(event, YourHand):
                self._unsent[player] += self._clients[player].hear(event, data)
                said[player] += data
        self._waiting.extend(table.asked)
        table.clear()
        a, b, c, d = said
        return a, b, c, d


def in_dealer_dialect(script: Script) -> Inputs:
    """What clients of the dealer dialect send who make the same choices."""
    table = SocketlessTable(iter((*script.secrets, _SPARE)), dealer=True)
    table.start()
    answers = [iter(seat.answers) for seat in script.seats]
    inputs = []
    for step in script.steps:
        type, sequence, _ = HEADER.unpack_from(table.queries[step.seat])
        answer = next(answers[step.seat])
        inputs.append((step.seat, HEADER.pack(type, sequence, len(answer)) + answer))
        table.receive(*inputs[-1])
    return tuple(inputs)


def replay(script: Script, dealer: Inputs | None = None) -> int:
    """Play a recorded session again at a new table; how many messages the seats were told.

    ``dealer`` is what they send in the dealer dialect.
    """
    table = SocketlessTable(iter((*script.secrets, _SPARE)), dealer=dealer is not None)
    table.start()
    messages = 0
    for player, data in script.inputs if dealer is None else dealer:
        table.receive(player, data)
        messages += len(table.said)
        table.clear()
    return messages

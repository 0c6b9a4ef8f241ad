"""Plays sessions at a hosted table without sockets: what server and clients would say is recorded.

The clients acknowledge at once and play at random from a seed.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from itertools import chain

from hearts.bots import SimpleBot
from hearts.dealer.frames import HEADER, MessageType
from hearts.game.cards import Card, cards_of
from hearts.game.deal import SECRET_BYTES, deal_hands
from hearts.game.events import CardPlayed, Deal, YourHand
from hearts.game.view import view_of
from hearts.plain.client import PlainSession
from hearts.session.client_registration import RegistrationRequest
from hearts.table.inputs import Question
from hearts.table.table import Table
from hearts.wire.codec import encode_ints
from tests.hosting.desk import COMPUTER, DEALER, PLAIN, TableDesk

from .script import (
    NOT_A_PLAY,
    AnsweredMessage,
    Inputs,
    SeatScript,
    SessionScript,
    TableTurn,
    Writes,
)

NAMES = ("Ann00", "Bob00", "Cyd00", "Dan00")
END_SCORE = 10_000
_SPARE = bytes(SECRET_BYTES)
"""The hand after the last one, which is dealt and not played."""
_CHOICES = {MessageType.DO_PASS, MessageType.LEAD_CARD, MessageType.PLAY_CARD}


def table_desk(secrets: Sequence[bytes], dialect: str, computers: int = 0) -> TableDesk:
    deals = map(Deal.from_secret, chain(secrets, (_SPARE,)))
    dialects = [dialect] * (4 - computers) + [COMPUTER] * computers
    bots = [SimpleBot() for _ in NAMES]
    return TableDesk("standard", dialects, deals, end=END_SCORE, names=NAMES, bots=bots)


class _Client:
    """Answers for one seat, and keeps what it was told and what it said."""

    def __init__(self, player: int) -> None:
        self.player = player
        self.stream = b""
        self.messages: list[AnsweredMessage] = []
        self.sent = 0
        self.unsent = b""
        """Acknowledgements that leave with the next write."""
        self._answers: list[bytes] = []
        self._cards: tuple[Card, ...] = ()
        self._plays = 0
        self._session = PlainSession(RegistrationRequest(NAMES[player], player))
        self._session.feed(encode_ints(player, 1))
        self._session.next_event()
        self._session.bytes_to_send()

    @property
    def asked(self) -> Question | None:
        return self._session.asked

    def receive(self, data: bytes, *, is_over: bool) -> bool:
        """Take a message; False for a hand that is dealt when all is over."""
        session, heard = self._session, NOT_A_PLAY
        session.feed(data)
        while (event := session.next_event()) is not None:
            match event:
                case YourHand(cards=cards):
                    if is_over:
                        return False
                    self._cards = cards
                    self._plays = 0
                case CardPlayed(player):
                    if player != self.player:
                        heard = self._plays
                    self._plays += 1
                case _:
                    pass
        acks = session.bytes_to_send()
        self.stream += data
        self.messages.append(AnsweredMessage(len(self.stream), acks, b"", heard, NOT_A_PLAY))
        self.sent += len(acks)
        self.unsent += acks
        return True

    def choose(self, table: Table, source: random.Random) -> None:
        """Make a choice, due after the latest message."""
        if self.asked is Question.PASS:
            cards = [self._cards[index] for index in source.sample(range(13), 3)]
            self._session.pass_cards(cards)
            played = NOT_A_PLAY
        else:
            cards = [source.choice(list(cards_of(view_of(table.game, self.player).legal)))]
            self._session.play(cards[0])
            played = self._plays
        choice = self._session.bytes_to_send()
        self._answers.append(encode_ints(*(card.wire for card in cards)))
        last = self.messages[-1]
        self.messages[-1] = AnsweredMessage(last.end, last.acks, choice, last.heard, played)
        self.sent += len(choice)
        self.unsent += choice

    def script(self) -> SeatScript:
        return SeatScript(self.stream, tuple(self.messages), self.sent, tuple(self._answers))


def record_session(hands: int, seed: int = 1, computers: int = 0) -> SessionScript:
    """Play so many hands of one game at random, the last seats by computers; what all said."""
    return _Recorder(hands, seed, computers).run()


class _Recorder:
    """One recording."""

    def __init__(self, hands: int, seed: int, computers: int) -> None:
        self._source = random.Random(seed)
        self._hands = hands
        self._computers = computers
        self._secrets = tuple(self._source.randbytes(SECRET_BYTES) for _ in range(hands))
        self._desk = table_desk(self._secrets, PLAIN, computers)
        self._clients = [_Client(player) for player in range(4)]
        self._inputs: list[tuple[int, bytes]] = []

    def run(self) -> SessionScript:
        self._desk.begin()
        begin = self._listen()
        steps: list[TableTurn] = []
        while not self._is_over:
            asked = [client for client in self._clients if client.asked is not None]
            for client in self._clients:
                if client not in asked:
                    self._send(client)
            actor = asked[0]
            actor.choose(self._desk.table, self._source)
            received = actor.sent
            self._send(actor)
            steps.append(TableTurn(actor.player, received, self._listen()))
        for client in self._clients:
            self._send(client)
        a, b, c, d = (client.script() for client in self._clients)
        return SessionScript(
            self._hands,
            self._secrets,
            (a, b, c, d),
            begin,
            tuple(steps),
            tuple(self._inputs),
            self._computers,
        )

    @property
    def _is_over(self) -> bool:
        return self._desk.table.past.hands_scored() >= self._hands

    def _send(self, client: _Client) -> None:
        data, client.unsent = client.unsent, b""
        if data:
            self._inputs.append((client.player, data))
            self._desk.send(client.player, data)

    def _listen(self) -> Writes:
        said = [b""] * 4
        for client, link in zip(self._clients, self._desk.links, strict=True):
            for piece in link.pieces:
                # After the last hand another one is dealt at once, which is not part of this.
                if client.receive(piece, is_over=self._is_over):
                    said[client.player] += piece
            link.take()
        a, b, c, d = said
        return a, b, c, d


def in_dealer_dialect(script: SessionScript) -> Inputs:
    """What clients of the dealer dialect send who make the same choices."""
    desk = table_desk(script.secrets, DEALER)
    desk.begin()
    answers = [iter(seat.answers) for seat in script.seats]
    inputs = []
    for step in script.steps:
        pieces = desk.links[step.seat].pieces
        headers = (HEADER.unpack_from(piece) for piece in reversed(pieces))
        type, sequence = next((type, number) for type, number, _ in headers if type in _CHOICES)
        answer = next(answers[step.seat])
        inputs.append((step.seat, HEADER.pack(type, sequence, len(answer)) + answer))
        desk.send(*inputs[-1])
    return tuple(inputs)


def replay(script: SessionScript, dealer: Inputs | None = None) -> int:
    """Play a recorded session again at a new table; how many messages the seats were told.

    ``dealer`` is what they send in the dealer dialect.
    """
    # A server never has the same deal twice.
    deal_hands.cache_clear()
    desk = table_desk(script.secrets, PLAIN if dealer is None else DEALER, script.computers)
    desk.begin()
    for player, data in script.inputs if dealer is None else dealer:
        desk.arrive(player, data)
    return sum(len(link.pieces) for link in desk.links)

"""A real table with two clients, led by a fuzzer: no clock but ours, no store but a list.

Two clients and two computers sit at a table. The first client is led by the input: it behaves, or
says anything. The second always behaves, and must be told what a table tells.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence

from hearts.credentials import issue
from hearts.deal import SECRET_BYTES
from hearts.errors import RemoteProtocolError
from hearts.events import By, ChooseMoon, Deal, Pass, Play
from hearts.plain.client_registration import RegistrationRequest
from hearts.plain.progress import Progress
from hearts.plain.seat import EARLY_LIMIT, PlainSeat
from hearts.rules import Rules, parse_rules
from hearts.table import (
    AnswerAgain,
    Answered,
    Ask,
    AskBot,
    CameBack,
    CaughtUp,
    Choice,
    Cut,
    Durable,
    Effect,
    Ended,
    GameBegun,
    Input,
    Kind,
    Left,
    Persist,
    Question,
    Refuse,
    Setting,
    Stopped,
    Table,
    TableEvent,
    Tell,
    TellAll,
    Tick,
)
from hearts.view import View
from hearts.wire import encode_ints

from .follower import Follower, lowest
from .source import Source

RULES: tuple[Rules, ...] = tuple(
    map(
        parse_rules,
        ("standard", "pass=never", "mac2000", "windows93", "moon=choice,bleed", "rotate,notrick"),
    )
)
NAMES = ("Ann", "Bob", "Moe", "Larry")
KINDS = (Kind.CLIENT, Kind.CLIENT, Kind.COMPUTER, Kind.COMPUTER)
COMPUTERS = frozenset({2, 3})
SECRET = bytes(range(32))
GRACE = 20.0


def choice_for(question: Question, view: View, by: By) -> Choice:
    """A choice that is legal."""
    match question:
        case Question.PASS:
            return Pass(view.player, view.cards[:3], by)
        case Question.CARD:
            return Play(view.player, lowest(view), by)
        case Question.MOON:
            return ChooseMoon(view.player, True, by)
        case Question.AGAIN:
            return AnswerAgain(view.player, True, by)
        case Question.CUT:
            return Cut(view.player, bytes(range(8)))


class Peer:
    """A client and the server's side of its seat, with the bytes between them."""

    def __init__(self, player: int) -> None:
        self.player = player
        self.unread: list[bytes] = []
        """What the server has said and the client has not read."""
        self.unsent = b""
        """What the client wants to say and has not said."""
        self.connect(None)

    def connect(self, progress: Progress | None, decided: int = 0) -> None:
        """Be a new connection, registered, or registered to come back."""
        self.here = True
        self.seat = PlainSeat(self.player, COMPUTERS)
        process_id = 1000 + self.player
        if progress is None:
            request = RegistrationRequest(NAMES[self.player], process_id)
            self.unread = [encode_ints(self.player, 1)]
        else:
            request = RegistrationRequest.to_come_back(progress)
            self.unread = [encode_ints(0, 1, 1 + decided)]
        self.client = Follower(request)
        self.read()
        # The registration was read, and from here on there is the seat.
        self.unsent = b""
        self.unread = [self.seat.welcome(issue(SECRET, 7, self.player, process_id), NAMES)]

    def read(self, card: int = 0) -> None:
        """Read all that the server has said, and choose; with ``card`` perhaps illegally."""
        data = b"".join(self.unread)
        self.unread.clear()
        self.unsent += self.client.hear(data, card=card)


class Desk:
    """The table with its two clients; the input says when time passes and lines are durable."""

    def __init__(self, source: Source) -> None:
        self.slow = bool(source.byte() & 1)
        """Whether lines wait until the input says that they are durable."""
        secret = bytes([source.byte()]) * SECRET_BYTES
        self.setting = Setting(
            source.pick(RULES),
            source.pick((100, 1, 26)),
            source.pick((60, 0, 10)),
            GRACE,
            source.pick((0.0, 100.0)),
        )
        self._deal = Deal.from_secret(secret)
        self.table = self.new_table()
        self.now = 0.0
        self.lines: list[str] = []
        """Lines that are durable."""
        self.ended = False
        self.peers = [Peer(0), Peer(1)]
        self._waiting: deque[str] = deque()
        self._inputs: deque[Input] = deque()
        self._carry_out(self.table.start())
        self._run()

    def new_table(self) -> Table:
        return Table(self.setting, list(zip(NAMES, KINDS, strict=True)), lambda: self._deal)

    def say(self, peer: Peer, data: bytes) -> None:
        """Bytes arrive from a client."""
        if peer.here and not self.ended:
            self._receive(peer, data)
            self._run()

    def leave(self, peer: Peer) -> None:
        if peer.here:
            self._lose(peer)
            self._run()

    def come_back(self, peer: Peer, which: int) -> None:
        """The client comes back over a new connection; it is led as the server leads it."""
        peer.read()
        before = peer.client
        if not before.behaves or not before.progress:
            return
        self.leave(peer)
        if self.ended:
            return
        progress = before.progress[which % len(before.progress)]
        hands = progress.hands
        peer.connect(progress, self.table.past.decided(peer.player, hands))
        peer.unread.append(peer.seat.tell(GameBegun(self.setting)))
        for missed in self.table.past.replay(peer.player, hands):
            peer.unread.append(peer.seat.recall(missed))
        if self.table.is_deciding(peer.player):
            peer.seat.made_before()
        self._give(CameBack(peer.player))
        # A choice that it made before may be decided any moment; it makes another one.
        peer.read(card=1 + which % 13)
        peer.client.check_same_hand(before)

    def durable(self, lines: int) -> None:
        """So many lines that wait are safe now."""
        while lines and self._waiting and not self.ended:
            lines -= 1
            self.lines.append(self._waiting.popleft())
            self._give(Durable())

    def wait(self, seconds: float) -> None:
        """Time passes; the table is woken when it wants to be."""
        until = self.now + seconds
        for _ in range(10_000):
            if self.ended or self.table.wake_at > until:
                break
            self.now = max(self.now, self.table.wake_at)
            self._give(Tick())
        else:
            raise AssertionError("the table wants to be woken without end")
        self.now = until

    def _give(self, given: Input) -> None:
        self._inputs.append(given)
        self._run()

    def _run(self) -> None:
        while self._inputs:
            while self._inputs:
                self._carry_out(self.table.step(self._inputs.popleft(), self.now))
            for peer in self.peers:
                if peer.here and peer.seat.early and not self.ended:
                    self._receive(peer, b"")
        self._check()

    def _receive(self, peer: Peer, data: bytes) -> None:
        try:
            self._inputs += peer.seat.receive(data)
        except RemoteProtocolError:
            assert not peer.client.behaves
            self._lose(peer)

    def _lose(self, peer: Peer) -> None:
        peer.here = False
        self._inputs.append(Left(peer.player))

    def _carry_out(self, effects: Sequence[Effect]) -> None:
        for effect in effects:
            match effect:
                case TellAll(event):
                    for peer in self.peers:
                        self._tell(peer, event)
                case Tell(player, event):
                    self._tell(self.peers[player], event)
                case Persist(line):
                    self._waiting.append(line)
                    if not self.slow:
                        self.lines.append(self._waiting.popleft())
                        self._inputs.append(Durable())
                case Ask(player, question):
                    if self.peers[player].here and self.peers[player].seat.owe_choice(question):
                        self._inputs.append(CaughtUp(player))
                case Refuse(player, reason):
                    if self.peers[player].here:
                        self.peers[player].unread.append(self.peers[player].seat.refuse(reason))
                case AskBot(request, question, view, by):
                    self._inputs.append(Answered(request, choice_for(question, view, by)))
                case Ended() | Stopped():
                    self.ended = True
                case _:
                    pass

    def _tell(self, peer: Peer, event: TableEvent) -> None:
        if not peer.here:
            return
        try:
            peer.unread.append(peer.seat.tell(event))
        except RemoteProtocolError:
            # Too much is owed.
            self._lose(peer)

    def _check(self) -> None:
        """What holds whenever nothing is left to do at once."""
        assert self.table.ended == self.ended
        assert not self.table.game.status()
        for peer in self.peers:
            if peer.here:
                assert len(peer.seat.early) <= EARLY_LIMIT
                assert len(peer.seat._owed) <= peer.seat._owed_limit
                self._check_not_waited_for(peer)
        if not self.ended and not self._waiting:
            asked = {p for p, seat in enumerate(self.table.seats) if seat.request is not None}
            assert asked >= set(self.table.game.waiting_for())

    def _check_not_waited_for(self, peer: Peer) -> None:
        """The table does not wait for a client that has read all and has nothing to say."""
        request = self.table.seats[peer.player].request
        if peer.client.behaves and not peer.unread and not peer.unsent and not self.ended:
            assert request is None or not request.open, "both sides wait"

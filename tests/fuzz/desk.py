"""A real table with two clients, led by a fuzzer: no clock but ours, no store but a list.

Two clients and two computers sit at a table. The first client is led by the input: it behaves, or
says anything. The second always behaves, and must be told what a table tells.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import replace
from enum import Enum

from hearts.dealer.client_watch import WatcherSession
from hearts.dealer.deal_verifier import DealVerifier
from hearts.dealer.listener import EARLY_LIMIT as DEALER_EARLY
from hearts.dealer.numbers import PlayerKind, Presence
from hearts.dealer.seat import DealerSeat, Introduced
from hearts.dealer.structures import PlayerInfo
from hearts.dealer.watcher import Broadcast
from hearts.errors import RemoteProtocolError
from hearts.game.deal import SECRET_BYTES
from hearts.game.events import ChooseMoon, ChosenBy, Deal, Pass, Play
from hearts.game.rules import Rules, parse_rules
from hearts.game.view import View
from hearts.plain.seat import EARLY_LIMIT, PlainSeat
from hearts.session.client_registration import RegistrationRequest
from hearts.session.progress import Progress
from hearts.table import (
    Able,
    AnswerAgain,
    Answered,
    Ask,
    AskBot,
    CameBack,
    CaughtUp,
    Change,
    Changed,
    Choice,
    Cut,
    Decline,
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
    Show,
    Stopped,
    Table,
    TableEvent,
    TakeSeat,
    Tell,
    TellAll,
    Tick,
)
from hearts.wire.codec import encode_ints
from hearts.wire.credentials import issue

from .follower import Follower, Onlooker, lowest, session_for
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
GAME = 7
TABLE = "Table 1"
REPLIES_TO_WATCHERS = encode_ints(0, 1, 1, 1)
"""The Player ID, and what blocks -10, -6 and -9 are answered with."""
MOST_ONLOOKERS = 3
MOST_QUERIES = 3
"""Queries that are open for one client at most: who he is, other rules, and one choice."""


def choice_for(question: Question, view: View, by: ChosenBy) -> Choice:
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


class Manner(Enum):
    """How a client speaks."""

    PLAIN = 0
    DEALER = 1
    CUTS = 2
    """In the dealer dialect, and it cuts each deal."""


class Peer:
    """A client and the server's side of its seat, with the bytes between them."""

    def __init__(self, player: int, manner: Manner) -> None:
        self.player = player
        self.manner = manner
        self.unread: list[bytes] = []
        """What the server has said and the client has not read."""
        self.unsent = b""
        """What the client wants to say and has not said."""
        self.said: list[bytes] = []
        """All that the server has said over this connection."""
        self.last = b""
        """What the client has said the last time."""
        cut = bytes([player + 1] * 8)
        self._deals = DealVerifier((lambda *_: cut) if manner is Manner.CUTS else None)

    @property
    def dealer(self) -> bool:
        """Whether it speaks the dealer dialect."""
        return isinstance(self.seat, DealerSeat)

    def connect(self, infos: Sequence[PlayerInfo], progress: Progress | None, decided: int) -> None:
        """Be a new connection, registered, or registered to come back."""
        self.here = True
        dealer = self.manner is not Manner.PLAIN
        process_id = 1000 + self.player
        if progress is None:
            request = RegistrationRequest(NAMES[self.player], process_id, dealer=dealer)
            replies = encode_ints(self.player, 1, *[1] * dealer)
        else:
            request = replace(RegistrationRequest.to_come_back(progress), dealer=dealer)
            replies = encode_ints(0, 1, *[1] * dealer, 1 + decided)
        self.request = request
        self.client = Follower(session_for(request, self._deals))
        self.unread, self.said = [replies], [replies]
        self.read()
        # The registration was read, and from here on there is the seat.
        self.unsent = b""
        credentials = issue(SECRET, GAME, self.player, process_id)
        if not dealer:
            self.seat: PlainSeat | DealerSeat = PlainSeat(self.player, COMPUTERS)
            self.hear(self.seat.welcome(credentials, TABLE, infos))
        else:
            self.seat = DealerSeat(self.player)
            self.hear(self.seat.register_query() + self.seat.welcome(credentials, TABLE, infos))

    def hear(self, data: bytes) -> None:
        """The server says something."""
        if data:
            self.unread.append(data)
            self.said.append(data)

    def read(self, card: int = 0) -> None:
        """Read all that the server has said, and choose; with ``card`` perhaps illegally."""
        data = b"".join(self.unread)
        self.unread.clear()
        self.unsent += self.client.hear(data, card=card)

    def take_unsent(self) -> bytes:
        """What the client wants to say, which it now says."""
        self.last, self.unsent = self.unsent, b""
        return self.last


class Desk:
    """The table with its two clients; the input says when time passes and lines are durable."""

    def __init__(
        self, source: Source, manners: Sequence[Manner] = (Manner.PLAIN, Manner.PLAIN)
    ) -> None:
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
        self.broadcast = Broadcast()
        self.watched: list[bytes] = []
        """What watchers were told from the first event on."""
        self.onlookers: list[Onlooker] = []
        self._waiting: deque[str] = deque()
        self._inputs: deque[Input] = deque()
        self.peers = [Peer(player, manner) for player, manner in enumerate(manners)]
        for peer in self.peers:
            peer.connect(self._infos(), None, 0)
            self._make_able(peer)
        while self._inputs:
            self._carry_out(self.table.step(self._inputs.popleft(), self.now))
        self._carry_out(self.table.start())
        self._run()

    def new_table(self) -> Table:
        return Table(self.setting, list(zip(NAMES, KINDS, strict=True)), lambda: self._deal)

    def _make_able(self, peer: Peer, *, cuts: bool = False) -> None:
        if peer.dealer:
            self._inputs.append(Able(peer.player, True, cuts))

    def _infos(self) -> list[PlayerInfo]:
        return [self._info(player) for player in range(4)]

    def _info(self, player: int) -> PlayerInfo:
        seat = self.table.seats[player]
        if seat.kind is Kind.COMPUTER:
            return PlayerInfo(player, PlayerKind.CPU, name=seat.name)
        away = Presence.STAND_IN if seat.stand_in else Presence.AWAY
        presence = Presence.THERE if seat.connected else away
        return PlayerInfo(player, PlayerKind.EXTERNAL_CPU, 7, presence, seat.name, "in a test")

    def watch(self) -> None:
        """Somebody begins to watch."""
        if len(self.onlookers) >= MOST_ONLOOKERS or not self.broadcast.has_begun or self.ended:
            return
        onlooker = Onlooker(WatcherSession(GAME))
        onlooker.hear(REPLIES_TO_WATCHERS)
        past = self.broadcast.seated(GAME, TABLE, self._infos()) + self.broadcast.past()
        onlooker.hear(past)
        self.onlookers.append(onlooker)

    def take_seat(self, seat: int, process_id: int) -> None:
        """Somebody registers for a seat that is open, and is not there when it is his."""
        if self.table.seats[seat].open and not self.ended:
            self.give(TakeSeat(seat, "Shemp", process_id))

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
        changed = peer.player in self.table.past.seat_changes
        if not before.behaves or not before.progress or changed:
            return
        self.leave(peer)
        if self.ended:
            return
        progress = before.progress[which % len(before.progress)]
        player, hands, past = peer.player, progress.hands, self.table.past
        peer.connect(self._infos(), progress, past.decided(player, hands))
        seat = peer.seat
        if isinstance(seat, DealerSeat):
            seat.stand(past.standing(player, hands))
            peer.hear(seat.replay(True))
        peer.hear(seat.tell(GameBegun(past.setting(player, hands))))
        for missed in past.replay(player, hands):
            peer.hear(seat.recall(missed))
        if isinstance(seat, DealerSeat):
            peer.hear(seat.replay(False))
        if self.table.is_deciding(player):
            seat.made_before()
        self._make_able(peer)
        self.give(CameBack(player))
        if isinstance(seat, DealerSeat):
            self._ask_again(player, seat, peer)
        # A choice that it made before may be decided any moment; it makes another one.
        peer.read(card=1 + which % 13)
        peer.client.check_same_hand(before)

    def _ask_again(self, player: int, seat: DealerSeat, peer: Peer) -> None:
        self.give(CaughtUp(player))
        asked = self.table.open_question(player, self.now)
        if asked is not None and not self.ended:
            peer.hear(seat.ask(asked))

    def durable(self, lines: int) -> None:
        """So many lines that wait are safe now."""
        while lines and self._waiting and not self.ended:
            lines -= 1
            self.lines.append(self._waiting.popleft())
            self.give(Durable())

    def wait(self, seconds: float) -> None:
        """Time passes; the table is woken when it wants to be."""
        until = self.now + seconds
        for _ in range(10_000):
            if self.ended or self.table.wake_at > until:
                break
            self.now = max(self.now, self.table.wake_at)
            self.give(Tick())
        else:
            raise AssertionError("the table wants to be woken without end")
        self.now = until

    def give(self, given: Input) -> None:
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
            given = peer.seat.receive(data)
        except RemoteProtocolError:
            assert not peer.client.behaves
            self._lose(peer)
            return
        if isinstance(peer.seat, DealerSeat):
            peer.hear(peer.seat.take_replies())
        for each in given:
            if isinstance(each, Introduced):
                self._changed(peer.player, Change.INTRODUCED)
                self._make_able(peer, cuts=each.wants_to_cut)
            else:
                self._inputs.append(each)

    def _changed(self, player: int, change: Change) -> None:
        info = self._info(player)
        for peer in self.peers:
            if peer.here and isinstance(peer.seat, DealerSeat):
                peer.hear(peer.seat.change(change, info))
        self._show(self.broadcast.change(change, info))

    def _show(self, data: bytes) -> None:
        if data:
            self.watched.append(data)
        for onlooker in self.onlookers:
            onlooker.hear(data)

    def _lose(self, peer: Peer) -> None:
        peer.here = False
        self._inputs.append(Left(peer.player))

    def _carry_out(self, effects: Sequence[Effect]) -> None:
        for effect in effects:
            match effect:
                case TellAll(event):
                    for peer in self.peers:
                        self._tell(peer, event)
                    self._show(self.broadcast.tell(event))
                case Show(event):
                    self._show(self.broadcast.tell(event))
                case Tell(player, event):
                    if player < len(self.peers):
                        self._tell(self.peers[player], event)
                case Persist(line):
                    self._waiting.append(line)
                    if not self.slow:
                        self.lines.append(self._waiting.popleft())
                        self._inputs.append(Durable())
                case Ask(player) if player < len(self.peers):
                    peer = self.peers[player]
                    if peer.here:
                        peer.hear(peer.seat.ask(effect))
                        if peer.seat.has_caught_up:
                            self._inputs.append(CaughtUp(player))
                case Refuse(player, reason):
                    peer = self.peers[player]
                    if peer.here:
                        peer.hear(peer.seat.refuse(reason))
                case Decline(player):
                    peer = self.peers[player]
                    if peer.here and isinstance(peer.seat, DealerSeat):
                        peer.hear(peer.seat.decline(effect))
                case Changed(player, change):
                    self._changed(player, change)
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
            peer.hear(peer.seat.tell(event))
        except RemoteProtocolError:
            # Too much is owed.
            self._lose(peer)

    def _check(self) -> None:
        """What holds whenever nothing is left to do at once."""
        assert self.table.ended == self.ended
        assert not self.table.game.status()
        for peer in self.peers:
            if peer.here:
                assert len(peer.seat.early) <= (DEALER_EARLY if peer.dealer else EARLY_LIMIT)
                if isinstance(peer.seat, PlainSeat):
                    assert len(peer.seat._owed) <= peer.seat._owed_limit
                else:
                    assert len(peer.seat._queries) <= MOST_QUERIES
                self._check_not_waited_for(peer)
        if not self.ended and not self._waiting:
            asked = {p for p, seat in enumerate(self.table.seats) if seat.request is not None}
            assert asked >= set(self.table.game.waiting_for())

    def _check_not_waited_for(self, peer: Peer) -> None:
        """The table does not wait for a client that has read all and has nothing to say."""
        request = self.table.seats[peer.player].request
        if peer.client.behaves and not peer.unread and not peer.unsent and not self.ended:
            assert request is None or not request.is_unanswered, "both sides wait"

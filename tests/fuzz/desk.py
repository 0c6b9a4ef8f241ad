"""A hosted table with two clients, led by a fuzzer: no clock but ours, no store but a list.

Two clients and two computers sit at a table. The first client is led by the input: it behaves, or
says anything. The second always behaves, and must be told what a table tells.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from itertools import repeat

from msgspec.structs import replace

from hearts.dealer.client_connection import WatcherSession
from hearts.dealer.deal_verifier import DealVerifier
from hearts.dealer.listener import EARLY_LIMIT as DEALER_EARLY
from hearts.dealer.seat import DealerSeat
from hearts.game.deal import SECRET_BYTES
from hearts.game.events import Deal
from hearts.game.rules import Rules, parse_rules
from hearts.plain.seat import EARLY_LIMIT, PlainSeat
from hearts.session.client_registration import RegistrationRequest
from hearts.session.resume_token import ResumeToken
from hearts.table.inputs import TakeSeat
from hearts.table.seat import Kind
from hearts.table.table import Table
from hearts.wire.codec import encode_ints
from tests.game.games import faults_of
from tests.hosting.desk import COMPUTER, DEALER, GAME, PLAIN, DeskLink, TableDesk

from .follower import Follower, FollowingWatcher, own_cuts, session_for
from .source import Source

RULES: tuple[Rules, ...] = tuple(
    map(
        parse_rules,
        ("standard", "pass=never", "mac2000", "windows93", "moon=choice,bleed", "rotate,notrick"),
    )
)
NAMES = ("Ann", "Bob", "Moe", "Larry")
KINDS = (Kind.CLIENT, Kind.CLIENT, Kind.COMPUTER, Kind.COMPUTER)
GRACE = 20.0
REPLIES_TO_WATCHERS = encode_ints(0, 1, 1, 1)
"""The Player ID, and what blocks -10, -6 and -9 are answered with."""
MOST_ONLOOKERS = 3
MOST_QUERIES = 3
"""Queries that are open for one client at most: who they are, other rules, and one choice."""


class ClientManner(Enum):
    """How a client speaks."""

    PLAIN = 0
    DEALER = 1
    CUTS = 2
    """In the dealer dialect, and it cuts each deal."""


class FuzzPeer:
    """A client, and the bytes between it and the table."""

    def __init__(self, player: int, manner: ClientManner) -> None:
        self.player = player
        self.manner = manner
        self.here = True
        """Whether it is connected."""
        self.dealer = manner is not ClientManner.PLAIN
        self.unread: list[bytes] = []
        """What the server has said and the client has not read."""
        self.unsent = b""
        """What the client wants to say and has not said."""
        self.said: list[bytes] = []
        """All that the server has said over this connection."""
        self.last = b""
        """What the client has said the last time."""
        cuts = manner is ClientManner.CUTS
        self._deals = DealVerifier(own_cuts(player) if cuts else None)
        request = RegistrationRequest(NAMES[player], player, dealer=self.dealer)
        self._connect(request, encode_ints(player, 1, *[1] * self.dealer))

    def come_back(self, progress: ResumeToken, decided: int) -> None:
        """Be a new connection, registered to come back."""
        request = replace(RegistrationRequest.to_come_back(progress), dealer=self.dealer)
        self._connect(request, encode_ints(0, 1, *[1] * self.dealer, 1 + decided))

    def _connect(self, request: RegistrationRequest, replies: bytes) -> None:
        self.here = True
        self.request = request
        self.client = Follower(session_for(request, self._deals))
        self.unread, self.said = [replies], [replies]
        self.read()
        # The registration was read, and from here on there is the seat.
        self.unsent = b""

    def receive(self, data: bytes) -> None:
        if data:
            self.unread.append(data)
            self.said.append(data)

    def read(self, card: int = 0) -> None:
        """Read all that the server has said, and choose; with ``card`` perhaps illegally."""
        data = b"".join(self.unread)
        self.unread.clear()
        self.unsent += self.client.receive(data, card=card)

    def take_unsent(self) -> bytes:
        self.last, self.unsent = self.unsent, b""
        return self.last


class FuzzDesk(TableDesk):
    """The table with its two clients; the input says when time passes and lines are durable."""

    def __init__(
        self,
        source: Source,
        manners: Sequence[ClientManner] = (ClientManner.PLAIN, ClientManner.PLAIN),
    ) -> None:
        slow = bool(source.byte() & 1)
        self._deal = Deal.from_secret(bytes([source.byte()]) * SECRET_BYTES)
        dialects = [PLAIN if manner is ClientManner.PLAIN else DEALER for manner in manners]
        super().__init__(
            source.pick(RULES),
            [*dialects, COMPUTER, COMPUTER],
            repeat(self._deal),
            end=source.pick((100, 1, 26)),
            limit=source.pick((60, 0, 10)),
            grace=GRACE,
            pause=source.pick((0.0, 100.0)),
            slow=slow,
            names=NAMES,
        )
        self.onlookers: list[tuple[FollowingWatcher, DeskLink]] = []
        self.peers = [FuzzPeer(player, manner) for player, manner in enumerate(manners)]
        self.begin()
        self._tell()

    @property
    def ended(self) -> bool:
        return self.host.is_over

    @property
    def lines(self) -> list[str]:
        """Lines that are durable."""
        return self.store.lines

    def new_table(self) -> Table:
        return Table(self.setting, list(zip(NAMES, KINDS, strict=True)), lambda: self._deal)

    def look_on(self) -> None:
        if len(self.onlookers) < MOST_ONLOOKERS and not self.ended:
            onlooker = FollowingWatcher(WatcherSession(GAME))
            onlooker.receive(REPLIES_TO_WATCHERS)
            self.onlookers.append((onlooker, self.watch()))
            self._tell()

    def take_seat(self, seat: int, process_id: int) -> None:
        """Somebody registers for a seat that is open, and is not there when it is theirs."""
        if self.table.seats[seat].open and not self.ended:
            self.give(TakeSeat(seat, "Shemp", process_id))
            self._tell()

    def say(self, peer: FuzzPeer, data: bytes) -> None:
        if peer.here and not self.ended:
            self.send(peer.player, data)
            self._tell()

    def lose(self, peer: FuzzPeer) -> None:
        if peer.here and not self.ended:
            peer.here = False
            self.leave(peer.player)
            self._tell()

    def return_to(self, peer: FuzzPeer, which: int) -> None:
        """The client comes back over a new connection."""
        peer.read()
        before, player = peer.client, peer.player
        changed = player in self.table.past.seat_changes
        if not before.behaves or not before.progress or changed:
            return
        self.lose(peer)
        if self.ended:
            return
        progress = before.progress[which % len(before.progress)]
        decided = self.come_back(player, progress.hands, DEALER if peer.dealer else PLAIN)
        peer.come_back(progress, decided)
        self._tell()
        # A choice that it made before may be decided any moment; it makes another one.
        peer.read(card=1 + which % 13)
        peer.client.check_same_hand(before)

    def durable(self, lines: int) -> None:
        """So many lines that wait are safe now."""
        while lines and self.store.waiting and not self.ended:
            lines -= 1
            self.let_through()
        self._tell()

    def wait(self, seconds: float) -> None:
        super().wait(seconds)
        self._tell()

    def _tell(self) -> None:
        """Everybody gets what was written, and all is as it should be."""
        for onlooker, link in self.onlookers:
            if data := link.take():
                onlooker.receive(data)
        for peer in self.peers:
            link = self.links[peer.player]
            if peer.here:
                peer.receive(link.take())
                if link.ending:
                    # Who does not read may owe too much.
                    assert self.ended or not peer.client.behaves or peer.unread
                    peer.here = False
        self._check()

    def _check(self) -> None:
        """What holds whenever nothing is left to do at once."""
        assert self.table.ended == self.host.is_closed
        assert not faults_of(self.table.game)
        for peer in self.peers:
            if peer.here:
                seat = self.clients[peer.player].seat
                if isinstance(seat, PlainSeat):
                    assert len(seat.early) <= EARLY_LIMIT
                    assert seat._given <= seat._owed <= seat._most
                else:
                    assert isinstance(seat, DealerSeat)
                    assert len(seat.early) <= DEALER_EARLY
                    assert len(seat._queries) <= MOST_QUERIES
                self._check_not_waited_for(peer)
        if not self.ended and not self.store.waiting:
            asked = {p for p, seat in enumerate(self.table.seats) if seat.request is not None}
            assert asked >= set(self.table.game.waiting_for())

    def _check_not_waited_for(self, peer: FuzzPeer) -> None:
        """The table does not wait for a client that has read all and has nothing to say."""
        request = self.table.seats[peer.player].request
        # Whoever comes back before the end of a table is stored waits for that with the others.
        is_over = self.ended or self.table.ended
        if peer.client.behaves and not peer.unread and not peer.unsent and not is_over:
            assert request is None or not request.is_unanswered, "both sides wait"

"""A table at a host who cheats: theirs are the secrets, the wires, the store, and some players."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence

from hearts.dealer.beside import BESIDE
from hearts.dealer.frames import SERVER_PAYLOAD_LIMIT, FrameBuffer, MessageType, encode_frame
from hearts.game.cuts import CUT_BYTES, hash_of
from hearts.game.deal import SECRET_BYTES, deal_hands
from hearts.game.events import Deal
from hearts.table.effects import DealPromised
from hearts.table.inputs import Cut
from hearts.table.steps import Promise, parse_step
from tests.dealer.payloads import frame
from tests.hosting.desk import COMPUTER, DEALER, TableDesk

from .fair_client import CuttingClient

VICTIM = 2
LIMIT = 60
"""Seconds for a choice, and for who has lost the connection."""
END_SCORE = 50
"""A game has 2 to 8 hands, so nobody who is dropped every second deal is out of patience in it."""
_UNKNOWN = 9999
"""No type of a frame: whoever hears it skips the frame."""
_STILL = 1000
"""Seconds after which a table at which nothing happens has stopped."""


class StoredTable(TableDesk):
    """A table that is begun, or taken up from what is stored."""

    def take_up(self, lines: Sequence[str], now: float) -> None:
        """Go on after a restart; nobody is connected yet."""
        self.now = now
        self.store.lines = list(lines)
        self.host.begin(self.table.restore(lines, now))
        self.do_due()


class Scheme:
    """What a host does at their table; this one does nothing."""

    def draw(self, table: CheatedTable) -> bytes:
        return table.draw.randbytes(SECRET_BYTES)

    def told(self, table: CheatedTable, promise: DealPromised) -> DealPromised:
        return promise

    def hides(self, table: CheatedTable, type: int) -> bool:
        """Tell whether the victim is not told a message of this type."""
        return False

    def asked(self, table: CheatedTable) -> None:
        """The query for the victim's value is on its way to them."""

    def shown(self, table: CheatedTable, value: bytes) -> None:
        table.let_through()
        table.show_all()


class CheatedTable:
    """The victim's seat, those of puppets, and computers, who play as the host likes."""

    def __init__(self, scheme: Scheme, seed: int, puppets: Sequence[int] = (0,)) -> None:
        self.scheme = scheme
        self.draw = random.Random(f"the host, {seed}")
        self.victim = CuttingClient(VICTIM, seed)
        self.puppets = [CuttingClient(player, seed) for player in puppets]
        self.promised: dict[int, float] = {}
        """When each deal was promised first."""
        self.dealt: dict[int, float] = {}
        """When each deal was dealt."""
        self._kept_off = 0
        """The deal until which the victim gets no connection."""
        self._held = b""
        """What the victim has sent and the host holds up."""
        self._queries: dict[int, int] = {}
        """The number of the query for each player's value."""
        self._seen = 0
        """Lines of the store that were looked at."""
        # The host's own are told everything first.
        self._clients = [*self.puppets, self.victim]
        self._desk = self._new_desk()
        for client in self._clients:
            link = self._desk.links[client.player]
            self._arrive(client.player, client.receive(link.take()))
        self._desk.begin()

    def _new_desk(self) -> StoredTable:
        players = {client.player for client in self._clients}
        dialects = [DEALER if player in players else COMPUTER for player in range(4)]
        deals: Iterator[Deal] = iter(lambda: Deal.from_secret(self.scheme.draw(self)), None)
        return StoredTable(
            "standard", dialects, deals, end=END_SCORE, limit=LIMIT, grace=LIMIT, pause=10_000
        )

    # What a host knows

    @property
    def lines(self) -> list[str]:
        return self._desk.store.lines

    @property
    def promise(self) -> Promise:
        """The promise of the next deal, which was stored last."""
        step = parse_step(self.lines[-1])
        assert isinstance(step, Promise)
        return step

    def own_values(self) -> dict[int, bytes]:
        return {puppet.player: puppet.value for puppet in self.puppets}

    def next_values(self) -> dict[int, bytes]:
        """Their values for the next promise."""
        return {puppet.player: puppet.next_value for puppet in self.puppets}

    @staticmethod
    def victims_hand(secret: bytes, values: dict[int, bytes]) -> int:
        cuts = (values.get(player, b"")[:CUT_BYTES].ljust(CUT_BYTES, b"\0") for player in range(4))
        return deal_hands(secret, b"".join(cuts))[VICTIM]

    # What a host can do

    def let_through(self) -> None:
        """Let the victim's value come to the server."""
        held, self._held = self._held, b""
        self._arrive(VICTIM, held)

    def show_all(self) -> None:
        """Let all puppets show their values."""
        for puppet in self.puppets:
            self.show(puppet)

    def show(self, puppet: CuttingClient) -> None:
        """Let a puppet show its value, if it is asked for."""
        if puppet.owes_cut:
            self._arrive(puppet.player, puppet.show())

    def say(self, puppet: CuttingClient, value: bytes) -> None:
        """Let a puppet answer with any value."""
        answer = Cut(puppet.player, value, hash_of(value))
        number = self._queries[puppet.player]
        self._arrive(puppet.player, frame(answer, number))

    def drop_victim(self, *, keep_off: bool = False) -> None:
        """Break the victim's connection; with ``keep_off`` there is none until the next deal."""
        self._held = b""
        self._kept_off = len(self.dealt) + keep_off
        self.victim.lose()
        self._desk.leave(VICTIM)

    def restart(self, lines: Sequence[str] | None = None) -> None:
        """Kill the server and start it again, with these lines in its store."""
        stored = self.lines if lines is None else lines
        now = self._desk.now
        self._held = b""
        for client in self._clients:
            client.lose()
        self._seen = min(self._seen, len(stored) - 1)
        self._desk = self._new_desk()
        self._desk.take_up(stored, now)

    # The play

    def play(self, deals: int) -> None:
        """Play until the victim has checked so many deals, or nothing happens any more."""
        still = 0
        while len(self.victim.checked) < deals and still < _STILL:
            if any(map(self._carry, self._clients)):
                still = 0
            else:
                still += 1
                self._desk.wait(1.0)
            self._note()
            self._connect()

    def _connect(self) -> None:
        for client in self._clients:
            is_kept_off = client is self.victim and len(self.dealt) < self._kept_off
            if not client.is_connected and not is_kept_off:
                player, hands = client.player, client.hands_over
                client.come_back(self._desk.come_back(player, hands, DEALER))

    def _note(self) -> None:
        for line in self.lines[self._seen :]:
            if line.startswith("promise "):
                self.promised.setdefault(len(self.dealt) + 1, self._desk.now)
            elif line.startswith("deal "):
                self.dealt[len(self.dealt) + 1] = self._desk.now
        self._seen = len(self.lines)

    def _carry(self, client: CuttingClient) -> bool:
        """Bring a client what it is told, and the table what it says to that; whether any."""
        player, desk = client.player, self._desk
        data = desk.links[player].take() if client.is_connected else b""
        if not data:
            return False
        data = self._on_the_wire(client, data)
        if client.is_connected and desk is self._desk:
            self._arrive(player, client.receive(data))
        if client is self.victim and client.owes_cut:
            self._held = client.show()
            self.scheme.shown(self, client.value)
        return True

    def _on_the_wire(self, client: CuttingClient, data: bytes) -> bytes:
        buffer = FrameBuffer(SERVER_PAYLOAD_LIMIT)
        buffer.feed(data)
        told = b""
        for type, number, payload in iter(buffer.take, None):
            if type == MessageType.CUT:
                self._queries[client.player] = number
            if client is self.victim:
                if self.scheme.hides(self, type):
                    type = _UNKNOWN
                if type == MessageType.CUT:
                    self.scheme.asked(self)
                elif type == MessageType.DEAL_COMMITMENT:
                    promise = BESIDE[type].decode(payload)
                    payload = BESIDE[type].encode(self.scheme.told(self, promise))
            told += encode_frame(type, number, payload)
        return told

    def _arrive(self, player: int, data: bytes) -> None:
        if data:
            self._desk.links[player].rests = False
            self._desk.send(player, data)

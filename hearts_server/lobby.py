"""The lobby: who sits at which forming table, and when a table has its four players.

SocketSpec.md section 3 says how people are seated. A newcomer waits at most WAIT_LIMIT seconds
for a player 0 who is still registering; nobody else ever waits for somebody's bytes.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from math import inf

import trio

from hearts.errors import RemoteProtocolError
from hearts.logline import EventLog
from hearts.plain.messages import MAX_LISTED_TABLES, ListedTable, Options, Refusal
from hearts.plain.registration import Refused
from hearts.table import COMPUTER_NAMES

from .client import Client
from .door import Newcomer
from .forming import FormingTable, Sitter
from .host import TableHost

log = EventLog(__name__)

WAIT_LIMIT = 3.0
"""Seconds that a newcomer waits for a player 0 who is still registering."""
HURRIED_WAIT = 0.5
"""The same after a restart, when many connect who want no seat at a forming table."""


class Lobby:
    """All tables that are forming or playing, by name."""

    def __init__(
        self,
        nursery: trio.Nursery,
        launch: Callable[[FormingTable], TableHost],
        make_room: Callable[[], bool],
        *,
        max_tables: int,
        fill_after: float,
        computer_names: Sequence[str] = COMPUTER_NAMES,
    ) -> None:
        """``launch`` starts a complete table; ``make_room`` ends one that nobody plays at, and
        says whether there was one. The nursery owns the clocks of forming tables."""
        self._nursery = nursery
        self._launch = launch
        self._make_room = make_room
        self._max_tables = max_tables
        self._fill_after = fill_after
        self._computer_names = computer_names
        self._forming: dict[str, FormingTable] = {}
        self._running: dict[str, TableHost] = {}
        self._count = 0
        self._waiting: deque[trio.Event] = deque()
        self._draining = False
        self._closed = ""
        self.returns_until = -inf
        """Until when most of those who connect will come back to a seat of their own."""

    @property
    def table_count(self) -> int:
        """Tables that count towards the limit. One whose player 0 is still registering does not:
        after a restart most of these are of players who are about to come back to their own."""
        return len(self._running) + sum(table.opened for table in self._forming.values())

    @property
    def forming_count(self) -> int:
        """Tables that wait for players."""
        return len(self._forming)

    # Newcomers

    async def seat_newcomer(self, client: Client) -> Sitter:
        """The seat of a connection that has just come, first come first seated. Raises Refused."""
        turn = trio.Event()
        self._waiting.append(turn)
        try:
            hurry = trio.current_time() < self.returns_until
            with trio.move_on_after(HURRIED_WAIT if hurry else WAIT_LIMIT):
                while True:
                    if self._waiting[0] is turn:
                        table = self._public_table()
                        if table is None:
                            break
                        if table.opened:
                            return self._sit(client, table, table.free_seats[0])
                        self._waiting[0] = turn = trio.Event()
                    await turn.wait()
            return self._open(client, self._new_public_name(), private=False)
        finally:
            self._waiting.remove(turn)
            self._tell_first()

    def _tell_first(self) -> None:
        """Let the first who waits for a seat look again; each who goes lets the next one look."""
        if self._waiting:
            self._waiting[0].set()

    def _public_table(self) -> FormingTable | None:
        self._check_open()
        waiting = None
        for table in self._forming.values():
            if not table.private and table.free_seats:
                if table.opened:
                    return table
                if table.holding:
                    waiting = waiting or table
        return waiting

    def _check_open(self) -> None:
        if self._draining:
            raise Refused(Refusal.SHUTTING_DOWN)

    def _new_public_name(self) -> str:
        while True:
            self._count += 1
            name = f"Table {self._count}"
            if name not in self._forming and name not in self._running:
                return name

    def _open(self, client: Client, name: str, *, private: bool) -> Sitter:
        self._check_open()
        self._check_room()
        table = FormingTable(name, private, self._computer_names)
        self._forming[name] = table
        return self._sit(client, table, 0)

    def _check_room(self) -> None:
        if self._closed:
            raise Refused(Refusal.SERVER_FULL, self._closed)
        if self.table_count >= self._max_tables and not self._make_room():
            raise Refused(Refusal.SERVER_FULL)

    def _sit(self, client: Client, table: FormingTable, player: int) -> Sitter:
        sitter = Sitter(client, table, player)
        table.sitters[player] = sitter
        return sitter

    # Options of a registration

    def listing(self, sitter: Sitter) -> list[ListedTable]:
        """The public tables, forming ones first; who asks for them no longer holds newcomers.

        The seat that the asker holds for the moment counts as open, for he may leave it.
        """
        self._check_seated(sitter)
        self._stop_holding(sitter)
        listed = [
            ListedTable(
                table.name,
                0,
                len(table.free_seats) + (table is sitter.table),
                table.player_names(),
            )
            for table in self._forming.values()
            if not table.private and table.opened
        ]
        listed += [
            ListedTable(name, host.game_number, len(host.door.open_seats), host.company.names)
            for name, host in self._running.items()
            if not host.session.private
        ]
        return listed[:MAX_LISTED_TABLES]

    async def join(self, sitter: Sitter, name: str) -> Sitter | Newcomer:
        """Move to the table of a name, or open a private one of that name. Raises Refused.

        A seat of a table that plays is given to a newcomer when the hand is over.
        """
        self._check_seated(sitter)
        self.leave(sitter)
        with trio.move_on_after(WAIT_LIMIT):
            while (table := self._private_table(name)) is not None and not table.opened:
                await table.settled.wait()
        self._check_open()
        table = self._forming.get(name)
        if table is None:
            host = self._running.get(name)
            if host is not None:
                return host.door.hold(sitter.client)
            return self._open(sitter.client, name, private=True)
        if not table.private and not table.opened:
            raise Refused(Refusal.TABLE_TAKEN)
        if not table.opened:
            self._settle(table, Options())
        if not table.free_seats:
            raise Refused(Refusal.TABLE_TAKEN)
        return self._sit(sitter.client, table, table.free_seats[0])

    def _private_table(self, name: str) -> FormingTable | None:
        table = self._forming.get(name)
        return table if table is not None and table.private else None

    def set_options(self, sitter: Sitter, ints: tuple[int, ...]) -> None:
        """Take note of option -2, if it comes from a player 0 who opens a table. Raises Refused."""
        table = sitter.table
        if sitter.player != 0 or table.opened or sitter.evicted is not None:
            return
        try:
            table.options = Options.decode(ints)
        except RemoteProtocolError as error:
            raise Refused(Refusal.BAD_OPTION, str(error)) from None

    def register(self, sitter: Sitter, name: str, process_id: int) -> None:
        """A registration is complete; the table starts if it was the last. Raises Refused."""
        self._check_open()
        self._check_seated(sitter)
        sitter.name = name
        sitter.process_id = process_id
        sitter.registered = True
        if not sitter.table.opened:
            self._settle(sitter.table, sitter.table.options)
        if not sitter.table.complete:
            sitter.table.show()
        self._start_if_complete(sitter.table)

    def _settle(self, table: FormingTable, options: Options) -> None:
        self._check_room()
        table.options = options
        table.computers = set(options.computers)
        table.opened = True
        table.opened_at = trio.current_time()
        table.settled.set()
        if not table.private and table.free_seats and self._fill_after != inf:
            table.fill_clock.deadline = table.opened_at + self._fill_after
            self._nursery.start_soon(self._fill_later, table)
        self._tell_first()

    def _stop_holding(self, sitter: Sitter) -> None:
        if not sitter.table.opened:
            sitter.table.holding = False
            self._tell_first()

    @staticmethod
    def _check_seated(sitter: Sitter) -> None:
        if sitter.evicted is not None:
            raise sitter.evicted

    # Leaving, filling, starting

    def leave(self, sitter: Sitter) -> None:
        """Free a seat; a forming table that nobody is left at is gone."""
        table = sitter.table
        if table.sitters[sitter.player] is not sitter:
            return
        table.sitters[sitter.player] = None
        if not any(table.sitters) and self._forming.get(table.name) is table:
            self._remove(table)
        elif table.opened and self._forming.get(table.name) is table:
            table.show()
        self._tell_first()

    def _remove(self, table: FormingTable) -> None:
        del self._forming[table.name]
        table.settled.set()
        table.fill_clock.cancel()

    async def _fill_later(self, table: FormingTable) -> None:
        with table.fill_clock:
            await trio.sleep_forever()
        if table.name in self._forming and self._forming[table.name] is table:
            self._fill(table)

    def _fill(self, table: FormingTable) -> None:
        for player, sitter in enumerate(table.sitters):
            if sitter is not None and not sitter.registered:
                sitter.evicted = Refused(
                    Refusal.TABLE_TAKEN, "the table has begun without you; connect again"
                )
                table.sitters[player] = None
        table.computers.update(table.free_seats)
        if any(table.sitters):
            self._start_if_complete(table)
        else:
            self._remove(table)

    def _start_if_complete(self, table: FormingTable) -> None:
        if not table.complete:
            return
        self._remove(table)
        try:
            self._running[table.name] = self._launch(table)
        except OSError as error:
            log.error("cannot-start-table", why=error)
            refused = Refused(Refusal.SERVER_FULL, "the server cannot start a table now")
            for sitter in table.sitters:
                if sitter is not None:
                    sitter.client.refuse(refused)

    def take_up(self, host: TableHost) -> None:
        """A table that was stored goes on."""
        self._running[host.session.table_name] = host

    def table_ended(self, name: str, game_number: int) -> None:
        """A table that played is done; its name is free again, unless another has it by now."""
        table = self._running.get(name)
        if table is not None and table.game_number == game_number:
            del self._running[name]

    def drain(self) -> None:
        """Let nobody new in, and send those away who wait for players."""
        self._draining = True
        self._send_away(Refused(Refusal.SHUTTING_DOWN))

    def close(self, why: str) -> None:
        """Let no new table begin, and send those away who wait for one; "" lets them again."""
        self._closed = why
        if why:
            self._send_away(Refused(Refusal.SERVER_FULL, why))

    def _send_away(self, refused: Refused) -> None:
        for table in list(self._forming.values()):
            self._remove(table)
            for sitter in table.sitters:
                if sitter is not None:
                    sitter.evicted = refused
                    if sitter.registered:
                        sitter.client.refuse(refused)
        self._tell_first()

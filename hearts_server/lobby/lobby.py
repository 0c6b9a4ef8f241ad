"""The lobby: it seats clients at forming tables, and starts a table with four players.

SocketSpec.md section 3 says how people are seated.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Callable, Sequence
from math import inf
from string import ascii_lowercase, digits

import trio

from hearts.hosting.hosted_client import HostedClient
from hearts.hosting.hosted_table import HostedTable
from hearts.hosting.rejoin import Newcomer
from hearts.limits.networks import PerNetwork, network_of
from hearts.limits.tries import LOOK_INTERVAL, Pace
from hearts.net.logline import EventLog
from hearts.session.messages import (
    HOSTS_LEVELS,
    ListedTable,
    LookedTable,
    LookReply,
    Options,
    Refusal,
)
from hearts.session.registration import RegistrationEnded
from hearts.session.table_words import SeatMoved, ServerNotice, TableMessage
from hearts.table.seat import COMPUTER_NAMES
from hearts.wire.codec import NAME_LIMIT
from hearts_server.config import Guests
from hearts_server.names.desk import NameOffice

from .forming import FormingTable, SettingOf, Sitter
from .invitations import Invitations
from .named_tables import NamedTables, describe_playing, looked_at
from .seating import WAIT_LIMIT, Seating, WaitingLine
from .sessions import Sessions

log = EventLog(__name__)

_NO_LIMIT = PerNetwork.widening(0)
_SECRET = ascii_lowercase + digits
_SECRET_SIZE = 13
"""Characters of a secret name behind what is to be read: 67 bits."""
_RENAMED = "that table has another name now; ask whoever opened it"


AskHost = Callable[[str, HostedClient, HostedTable | None, str], None]
"""The text, the client, the table that plays at which it is, and its name if that is proved."""


def _nobody_answers(text: str, client: HostedClient, host: HostedTable | None, proved: str) -> None:
    client.notify(ServerNotice("nobody answers that here"))


class Lobby:
    """Seats people at tables that form, and starts a table when it is complete."""

    def __init__(
        self,
        nursery: trio.Nursery,
        launch: Callable[[FormingTable], HostedTable],
        sessions: Sessions,
        *,
        setting_of: SettingOf,
        max_tables: int,
        tables_per_network: PerNetwork = _NO_LIMIT,
        fill_after: float,
        computer_names: Sequence[str] = COMPUTER_NAMES,
        levels: frozenset[int] = frozenset(),
    ) -> None:
        """``launch`` starts a complete table, which is among the ``sessions`` then. The nursery
        owns the clocks of forming tables. ``levels`` are those that may be wanted of computers."""
        self._nursery = nursery
        self._launch = launch
        self.sessions = sessions
        self.tables = NamedTables(sessions, max_tables, tables_per_network)
        self._setting_of = setting_of
        self._fill_after = fill_after
        self._computer_names = computer_names
        self.levels = levels | {0}
        """The levels that may be wanted of computers, among them the host's own."""
        self._seating = Seating()
        self.waiting_line = WaitingLine(
            nursery, self._seating, self.tables, self._check_open, self._open_public
        )
        self.invitations = Invitations(nursery, setting_of, self._transfer)
        self.names: NameOffice | None = None
        """The names of people; None if nobody has one."""
        self.looks = Pace(LOOK_INTERVAL)
        """Limits on asking for tables by names that are not there."""
        self.ask_host: AskHost = _nobody_answers
        """Takes up what a client asks of the host, at a table that plays or elsewhere."""
        self.guests = Guests.YES
        self.is_unwelcome: Callable[[str, str], str] = lambda network, name: ""
        """Gives the reason that somebody is not let in under a name; empty if they are."""
        self._renamed: dict[str, str] = {}
        """The names that tables had until a guest was sent away, with those that they have now."""
        self._draining = False

    @property
    def forming(self) -> list[FormingTable]:
        """Tables that wait for players, and whose player 0 has registered."""
        return [table for table in self.tables.forming.values() if table.opened]

    # New tables

    def _check_open(self) -> None:
        if self._draining:
            raise RegistrationEnded(Refusal.SHUTTING_DOWN)

    def _open_public(self, client: HostedClient) -> Sitter:
        return self._open(client, self.tables.new_public_name(), private=False)

    def _open(self, client: HostedClient, name: str, *, private: bool) -> Sitter:
        self._check_open()
        opener = network_of(client.who)
        self.tables.check_room(opener if private else "")
        table = FormingTable(name, private, self._computer_names, opener)
        self.tables.forming[name] = table
        return self._seating.sit(client, table, 0)

    # Options of a registration

    def listing(self, sitter: Sitter) -> list[ListedTable]:
        """Return the public tables, forming ones first. Newcomers no longer wait for a client that
        asks.

        The seat that the asker holds for the moment counts as open, because they may leave it.
        """
        sitter.check_seated()
        self._stop_holding(sitter)
        return self.tables.listed(sitter.table)

    async def join(self, sitter: Sitter, name: str) -> Sitter | Newcomer:
        """Move to the table of a name, or open a private one of that name.

        Raises RegistrationEnded.

        A seat of a table that plays is given to a newcomer when the hand is over.
        """
        sitter.check_seated()
        self.leave(sitter)
        awaited = self.sessions.awaited
        await awaited.wait_for(awaited.names.get(name, 0))
        with trio.move_on_after(WAIT_LIMIT):
            await self.tables.wait_settled(name)
        self._check_open()
        if self._is_former(name):
            raise RegistrationEnded(Refusal.TABLE_TAKEN, _RENAMED)
        table = self.tables.forming.get(name)
        if table is None:
            host = self.sessions.by_name.get(name)
            if host is not None:
                return host.rejoin.hold(sitter.client)
            return self._open(sitter.client, name, private=True)
        if not table.private and not table.opened:
            raise RegistrationEnded(Refusal.TABLE_TAKEN)
        if not table.opened:
            self._settle(table, Options())
        place = self._seating.seat_at([table], sitter.client)
        if place is None:
            raise RegistrationEnded(Refusal.TABLE_TAKEN)
        return place

    def register(
        self, sitter: Sitter, name: str, process_id: int, levels: Sequence[int] = HOSTS_LEVELS
    ) -> None:
        """Seat a client whose registration is complete; start the table if it was the last.

        ``levels`` are those of the computers, if the client opens the table. Raises
        RegistrationEnded.
        """
        self._check_open()
        sitter.check_seated()
        sitter.name = name
        sitter.process_id = process_id
        sitter.registered = True
        if not sitter.table.opened:
            sitter.table.levels = list(levels)
            self._settle(sitter.table, sitter.table.options)
        log.info("sat-down", address=sitter.client.who, player=sitter.player, name=name)
        self._seating.is_done(sitter)
        for other in sitter.table.give_seat(sitter):
            self._seating.evict(other, "somebody else has registered for your seat; connect again")
        if not sitter.table.complete:
            self._show(sitter.table)
        self._start_if_complete(sitter.table)

    def _settle(self, table: FormingTable, options: Options) -> None:
        self.tables.check_room(table.opener)
        table.options = options
        table.computers = set(options.computers)
        table.opened = True
        self.tables.settled += self.tables.is_forming(table)
        table.opened_at = trio.current_time()
        table.settled.set()
        if not table.private:
            self.tables.open[table.name] = table
        if not table.private and table.free_seats and self._fill_after != inf:
            table.fill_clock.deadline = table.opened_at + self._fill_after
            self._nursery.start_soon(self._fill_later, table)
        self.waiting_line.look_again()

    def _stop_holding(self, sitter: Sitter) -> None:
        if not sitter.table.opened:
            sitter.table.holding = False
            self.waiting_line.look_again()

    # What is told of tables

    def describe(self, table: FormingTable) -> TableMessage:
        return table.describe(self._setting_of(table))

    def named(self, name: str) -> TableMessage | None:
        """Describe the table of a name to a client that asks; None if there is none."""
        forming = self.tables.forming.get(name)
        if forming is not None and forming.opened:
            return self.describe(forming)
        playing = self.sessions.by_name.get(name)
        return None if playing is None else describe_playing(playing)

    def public_tables(self) -> list[TableMessage]:
        forming, playing = self.tables.public()
        return [*map(self.describe, forming), *map(describe_playing, playing)]

    def _show(self, table: FormingTable) -> None:
        table.show(self.describe(table))

    def look(self, sitter: Sitter, name: str) -> LookedTable | LookReply:
        """Look at the table of a name. Newcomers need not wait for this client any longer."""
        sitter.check_seated()
        self._stop_holding(sitter)
        told = self.named(name)
        if told is not None:
            forming = self.tables.forming.get(name)
            return looked_at(told, told.open_seats if forming is None else len(forming.free_seats))
        is_known = name in self.sessions.awaited.names or self._is_former(name)
        return LookReply.UNKNOWN if is_known else LookReply.NO_TABLE

    # Moving, leaving, filling, starting

    def move(self, sitter: Sitter, player: int) -> None:
        """Give a sitter who has registered another seat, which is free."""
        who, name = sitter.client.who, sitter.name
        log.info("moved", address=who, player=sitter.player, to=player, name=name)
        sitter.table.move(sitter, player)
        self._show(sitter.table)

    def set_level(self, table: FormingTable, player: int, level: int) -> bool:
        """Have the computer of a seat, or one that takes it, play at a level; False for a seat that
        somebody has, and a level that may not be wanted.
        """
        may = level in self.levels and table.sitters[player] is None
        if may:
            table.levels[player] = level
            self._show(table)
        return may

    def start(self, table: FormingTable) -> None:
        if self.tables.is_forming(table):
            self._fill(table)

    def leave(self, sitter: Sitter) -> None:
        """Free a seat; a forming table that nobody is left at is gone."""
        table = sitter.table
        self._seating.is_done(sitter)
        if not table.free(sitter):
            return
        if self.tables.is_forming(table):
            self._was_left(sitter, table)
        self.waiting_line.look_again()

    def _was_left(self, sitter: Sitter, table: FormingTable) -> None:
        self.invitations.remove(sitter, "the player has left")
        if sitter.registered:
            who = sitter.client.who
            log.info("stood-up", address=who, player=sitter.player, name=sitter.name)
        if not any(table.sitters):
            self._remove(table)
        elif table.opened:
            self._show(table)

    def _transfer(self, sitter: Sitter, table: FormingTable) -> None:
        """Move somebody who was invited to a free seat of another forming table."""
        left = sitter.table
        left.free(sitter)
        self._was_left(sitter, left)
        table.welcome(sitter)
        sitter.client.notify(SeatMoved(sitter.player))
        log.info("sat-down", address=sitter.client.who, player=sitter.player, name=sitter.name)
        if not table.complete:
            self._show(table)
        self._start_if_complete(table)
        self.waiting_line.look_again()

    def send_away(self, guest: Sitter) -> None:
        """Take a guest from a private table, which gets a new secret name.

        A client that is still registering there has come with the old name, and goes too.
        """
        table = guest.table
        for sitter in table.unregistered:
            self._seating.evict(sitter, _RENAMED)
            table.free(sitter)
        table.free(guest)
        guest.evicted = RegistrationEnded(
            Refusal.TABLE_TAKEN, "whoever opened the table has sent you away"
        )
        self._rename(table)
        self._was_left(guest, table)
        guest.client.refuse(guest.evicted)

    def _rename(self, table: FormingTable) -> None:
        old, new = table.name, secret_name(table.name)
        self.tables.forming[new] = self.tables.forming.pop(old)
        table.name = new
        former = {name: new if now == old else now for name, now in self._renamed.items()}
        self._renamed = {name: now for name, now in former.items() if self.tables.has(now)}
        self._renamed[old] = new
        for sitter in table.arrived:
            if not sitter.client.follows:
                sitter.client.notify(ServerNotice(f"The name of the table is {new} now."))

    def _is_former(self, name: str) -> bool:
        """Tell whether a table that is there had this name before."""
        return name in self._renamed and self.tables.has(self._renamed[name])

    def _remove(self, table: FormingTable) -> None:
        self.tables.remove(table)
        table.settled.set()
        table.fill_clock.cancel()
        self.invitations.table_gone(table)

    async def _fill_later(self, table: FormingTable) -> None:
        with table.fill_clock:
            await trio.sleep_forever()
        if self.tables.is_forming(table):
            self._fill(table)

    def _fill(self, table: FormingTable) -> None:
        for sitter in table.unregistered:
            self._seating.evict(sitter, "the table has begun without you; connect again")
            table.free(sitter)
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
            self._launch(table)
        except OSError as error:
            log.error("cannot-start-table", why=error)
            refused = RegistrationEnded(Refusal.SERVER_FULL, "the server cannot start a table now")
            for sitter in table.sitters:
                if sitter is not None:
                    sitter.client.refuse(refused)
        # Table and sitters hold each other.
        table.sitters, table.arrived, table.founder = [None] * 4, [], None

    def drain(self) -> None:
        """Let nobody new in, and send those away who wait for players."""
        self._draining = True
        self._send_away(RegistrationEnded(Refusal.SHUTTING_DOWN))

    def close(self, why: str) -> None:
        """Let no new table begin, and send those away who wait for one; "" lets them again."""
        self.tables.closed = why
        if why:
            self._send_away(RegistrationEnded(Refusal.SERVER_FULL, why))

    def _send_away(self, refused: RegistrationEnded) -> None:
        for table in list(self.tables.forming.values()):
            self._remove(table)
            for sitter in table.sitters + table.rivals:
                if sitter is not None:
                    sitter.evicted = refused
                    if sitter.registered:
                        sitter.client.refuse(refused)
        self.waiting_line.wake()


def secret_name(name: str) -> str:
    """Return a name for a private table that nobody guesses; it begins as the one before."""
    stem = re.sub(f"-[{_SECRET}]{{{_SECRET_SIZE}}}$", "", name).encode()
    stem = stem[: NAME_LIMIT - 1 - _SECRET_SIZE]
    secret = "".join(secrets.choice(_SECRET) for _ in range(_SECRET_SIZE))
    return f"{stem.decode(errors='ignore')}-{secret}"

"""The desk: it takes up what players ask of the host, which is to look at another player."""

from __future__ import annotations

from collections.abc import Sequence

import trio
from msgspec import Struct

from hearts.hosting.hosted_client import HostedClient
from hearts.hosting.hosted_table import HostedTable
from hearts.net.logline import EventLog
from hearts.session.table_words import ServerNotice
from hearts.table.seat import Kind
from hearts.taunt.client import Delivery
from hearts.wire.text import quoted
from hearts_server.moderation.book import REPORTS_A_DAY, ChatReport
from hearts_server.server import Server

from .moderating import Moderating

log = EventLog(__name__)

CANNOT = "you can ask for this: report NAME"
NOT_HERE = "a report is about another player at your table, while you play there"
AWAY = "the chat cannot be asked now; try again later"


class HelpDesk(Struct, frozen=True):
    """Answers clients by notices; what they ask for may take a moment."""

    server: Server
    moderating: Moderating
    nursery: trio.Nursery

    def ask(self, text: str, client: HostedClient, host: HostedTable | None, proved: str) -> None:
        """Take up a request of a client, which may be at a table that plays, and whose name is
        empty unless it was ``proved``.
        """
        self.nursery.start_soon(self._answer, text, client, host, proved)

    async def _answer(
        self, text: str, client: HostedClient, host: HostedTable | None, proved: str
    ) -> None:
        verb, _, rest = text.strip().partition(" ")
        if verb == "report":
            told = [await self._report(rest.strip(), client, host)]
        elif self.moderating.is_moderator(name := proved or _name_at(client, host)):
            told = await self.moderating.do(text, name)
        else:
            told = [CANNOT]
        client.notify(*map(ServerNotice, told))

    async def _report(self, who: str, client: HostedClient, host: HostedTable | None) -> str:
        """Store a report of another player at the client's table; return the answer."""
        own = None if host is None else _seat_of(client, host)
        if host is None or own is None:
            return NOT_HERE
        seats = host.clients.seats
        found = [
            player
            for player, seat in enumerate(seats)
            if who in (str(player), seat.name) and seat.kind is Kind.CLIENT and player != own
        ]
        if len(found) != 1:
            return f"say which player, by name or number: {_others(host, own)}"
        if not self.server.chat.in_use:
            return "this server has no chat"
        reporter, reported, names = seats[own], seats[found[0]], host.clients.names
        lines = await self.server.chat.lines(host.game_number)
        if lines is None:
            return AWAY
        report = ChatReport(
            self.server.book.now(),
            host.game_number,
            reporter.name,
            reporter.network,
            reported.name,
            reported.network,
            _written(lines, names),
        )
        try:
            is_taken = await self.server.book.add(report)
        except OSError as error:
            log.error("report-not-kept", why=error)
            return "the report cannot be kept now; try again later"
        if not is_taken:
            return f"{REPORTS_A_DAY} reports a day are taken from one network; you have made them"
        log.info("reported", game=host.game_number, by=reporter.name, of=reported.name)
        with_lines = "; nothing was said in the chat lately"
        if lines:
            last = f"last {len(lines)} lines" if len(lines) > 1 else "last line"
            with_lines = f", with the {last} of the chat"
        return f"{quoted(reported.name)} is reported to the host{with_lines}"


def _seat_of(client: HostedClient, host: HostedTable) -> int | None:
    return next((player for player in range(4) if host.clients.client(player) is client), None)


def _name_at(client: HostedClient, host: HostedTable | None) -> str:
    """Return the name of a seat: who has come back to it has proved that it is theirs."""
    own = None if host is None else _seat_of(client, host)
    return "" if host is None or own is None else host.clients.names[own]


def _others(host: HostedTable, own: int) -> str:
    people = (
        f"{player} {quoted(seat.name)}"
        for player, seat in enumerate(host.clients.seats)
        if seat.kind is Kind.CLIENT and player != own
    )
    return ", ".join(people) or "no other person is at your table"


def _written(lines: Sequence[Delivery], names: Sequence[str]) -> list[str]:
    return [f"{quoted(names[line.player])}: {line.text}" for line in lines if line.player >= 0]

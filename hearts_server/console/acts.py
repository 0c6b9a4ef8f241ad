"""The acts of a host at the console, and what they can see there: never a card."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable, Mapping
from typing import assert_never

import trio
from msgspec import Struct, field

from hearts.errors import InvalidName
from hearts.game.cards import four
from hearts.hosting.hosted_table import HostedTable
from hearts.names.codes import shown_code
from hearts.names.proof import NameKind
from hearts.session.table_words import PlayerKind
from hearts.table.seat import Kind
from hearts.taunt.messages import TAUNT_LIMIT
from hearts.wire.text import count_of, is_legible, is_visible, quoted
from hearts_server.console import protocol
from hearts_server.console.protocol import Done, NotDone, SeatKind, SeatLine, TableLine, TableStage
from hearts_server.lobby.forming import FormingTable, Sitter
from hearts_server.moderation.book import HOST
from hearts_server.names.stored import Claim
from hearts_server.server import Server

from .measures import Measures

SAID = "the host says: "
"""Stands before what the host says, so that it cannot be taken for a notice of the server."""
LONGEST_SAID = TAUNT_LIMIT - len(SAID)
"""Bytes of it: the chat has room for so many."""
ENDED = "the host has ended this table"
END_LIMIT = 10.0
"""Seconds in which an end or a removal is durable; if it takes longer the host is told that it
will be."""

Send = Callable[[protocol.Answer], Awaitable[None]]


class Acts(Struct, eq=False):
    """Does what the host wants, at one server."""

    server: Server
    invitation: list[str] = field(default_factory=list)
    """The lines that the server has said at its start to the host, and the password."""

    async def answer(self, request: protocol.Request, send: Send, by: str = HOST) -> Done | NotDone:
        """Do it; lines before the last one go to ``send``, the last one is given back.

        ``by`` is the one who acts.
        """
        measures = Measures(self.server, by)
        if isinstance(request, protocol.EndTable | protocol.RemoveFromSeat):
            await self.server.sessions.awaited.wait_for(request.game)
        match request:
            case protocol.LookAround():
                return await self._list(send)
            case protocol.SayToTables(text, game):
                return await self._announce(text.strip(), game)
            case protocol.EndTable(game):
                done = await self._end(game)
                return await measures.note(request, done) if isinstance(done, Done) else done
            case protocol.RemoveFromSeat(game, seat):
                done = await self._remove(game, seat)
                return await measures.note(request, done) if isinstance(done, Done) else done
            case protocol.MutePlayer():
                return await measures.mute(request)
            case protocol.WarnPlayer():
                return await measures.warn(request)
            case protocol.BanPerson():
                return await measures.ban(request)
            case protocol.LiftBan():
                return await measures.lift_ban(request)
            case protocol.LookAtBans():
                return measures.bans()
            case protocol.AppointModerator():
                return await measures.appoint(request)
            case protocol.LookAtActs():
                return measures.acts()
            case protocol.LookAtReports():
                return measures.reports()
            case protocol.LookAtNames():
                return await self._do_with_names(request, measures)
            case protocol.InviteToTable(who, table):
                return await self._invite(who, table)
            case protocol.AskInvitation():
                return Done("\n".join(self.invitation))
            case _:
                assert_never(request)

    async def _list(self, send: Send) -> Done:
        waiting = self.server.lobby.invitations.invitable
        invitable = {sitter: each.number for sitter, each in waiting.items()}
        listed = [_listed_forming(table, invitable) for table in self.server.lobby.forming]
        # Those that end are still there until that is durable.
        listed += [_listed(host) for host in self.server.sessions.running if not host.is_over]
        for line in listed:
            await send(line)
        return Done(count_of(len(listed), "table"))

    async def _announce(self, text: str, game: int | None) -> Done | NotDone:
        if not is_visible(text) or not is_legible(text):
            return NotDone("a text is one line, with something to be seen in it")
        size = len(text.encode())
        if size > LONGEST_SAID:
            return NotDone(f"the text has {size} bytes, and at most {LONGEST_SAID} are passed on")
        hosts = [host for host in self._playing if game in (None, host.game_number)]
        if game is not None and not hosts:
            return self._not_here(game)
        for host in hosts:
            host.notice(SAID + text)
            await trio.lowlevel.checkpoint()
        told = "1 table was told" if len(hosts) == 1 else f"{len(hosts)} tables were told"
        return Done(
            f"{told}; who waits for players hears nothing" if self.server.lobby.forming else told
        )

    async def _end(self, game: int) -> Done | NotDone:
        # One that ends already is waited for.
        host = self.server.sessions.playing(game)
        if host is None:
            return self._not_here(game)
        with trio.move_on_after(END_LIMIT):
            host.end(ENDED, aloud=True)
            await self.server.sessions.wait_ended(host)
        if host.has_ended:
            return Done(f"game {game} has ended")
        if host.is_over:
            return NotDone(f"game {game} has stopped before its end could be stored")
        return NotDone(f"nobody plays game {game} any more; it ends as soon as that can be stored")

    async def _remove(self, game: int, seat: int) -> Done | NotDone:
        host = self._find(game)
        if host is None:
            return self._not_here(game)
        name = quoted(host.clients.names[seat])
        removed = trio.Event()
        if not host.seats.remove(seat, removed.set):
            return NotDone(f"seat {seat} of game {game} is a computer's: {name}")
        with trio.move_on_after(END_LIMIT):
            await removed.wait()
            return Done(f"{name} is removed from seat {seat} of game {game}")
        return NotDone(f"{name} is removed from seat {seat} of game {game} when that can be stored")

    async def _do_with_names(
        self, request: protocol.LookAtNames, measures: Measures
    ) -> Done | NotDone:
        office, name = self.server.names, quoted(request.name)
        if office is None:
            return NotDone("this server has no names of players' own; --names gives it some")
        try:
            match request.act, office.claims.of(request.name):
                case None, _:
                    lines = [_named(claim) for claim in office.claims.all()]
                    return Done("\n".join(lines) or "no name is claimed")
                case "invite", _:
                    code = shown_code(await office.claims.invite(request.name))
                    return Done(
                        f"{code} is for one newcomer, who claims {name if request.name else 'any'} "
                        f"within a week: hearts-client names --claim HOST --invitation {code}; the "
                        "page asks for it"
                    )
                case _, None:
                    return NotDone(f"the name {name} is nobody's")
                case "export", claim:
                    return Done("\n".join(await office.export(claim)))
                case "give-up", _:
                    given_up = await office.give_up(request.name)
                    return Done("it was given up already" if given_up is None else given_up.told)
            await office.free(request.name)
        except InvalidName as error:
            return NotDone(str(error))
        except OSError as error:
            return NotDone(f"that cannot be stored: {error.strerror or error}")
        done = Done(f"the name {name} is free; its owner is told for a week when they come")
        return await measures.note(request, done)

    async def _invite(self, who: str, name: str) -> Done | NotDone:
        # The number is for when a name does not do.
        found = [
            each
            for each in self.server.lobby.invitations.invitable.values()
            if who == (str(each.number) if who.isdecimal() else each.sitter.name)
        ]
        if not found:
            return NotDone(f"{quoted(who)} does not wait to be invited")
        if len(found) > 1:
            numbers = ", ".join(str(each.number) for each in found)
            return NotDone(f"several who wait are called {quoted(who)}; say which: {numbers}")
        table = next((table for table in self.server.lobby.forming if table.name == name), None)
        if table is None:
            return NotDone(f"no table that forms is called {quoted(name)}")
        (invited,) = found
        invitation = self.server.lobby.invitations.invite_for_host(invited, table)
        if isinstance(invitation, str):
            return NotDone(invitation)
        player = quoted(invited.sitter.name)
        await invitation.settled.wait()
        if not invitation.agreed:
            return NotDone(f"{player} was asked: {invitation.why}")
        return Done(f"{player} comes to {quoted(name)}")

    @property
    def _playing(self) -> list[HostedTable]:
        return [host for host in self.server.sessions.running if not host.is_closed]

    def _find(self, game: int) -> HostedTable | None:
        return next((host for host in self._playing if host.game_number == game), None)

    @staticmethod
    def _not_here(game: int) -> NotDone:
        return NotDone(f"no table plays game {game}; `hearts-server tables` lists those that do")


def _listed(host: HostedTable) -> TableLine:
    session = host.session
    hand, trick = host.table.game.progress
    return TableLine(
        session.table_name,
        TableStage.PLAYING if host.paused_at is None else TableStage.PAUSED,
        session.private,
        session.begun,
        four(_listed_seat(host, player) for player in range(4)),
        host.game_number,
        hand,
        trick,
        host.watchers.count,
    )


def _listed_seat(host: HostedTable, player: int) -> SeatLine:
    seat = host.clients.seats[player]
    if seat.kind is Kind.COMPUTER:
        return SeatLine(player, SeatKind.COMPUTER, seat.name)
    client = host.clients.client(player)
    if client is not None and client.gone:
        client = None
    return SeatLine(
        player,
        SeatKind.PERSON,
        seat.name,
        "" if client is None else client.who,
        client is not None,
        host.table.seats[player].is_played_for,
        player in host.chat.muted,
        seat.said.kind is PlayerKind.PROGRAM,
    )


def _listed_forming(table: FormingTable, invitable: Mapping[Sitter, int]) -> TableLine:
    """``invitable`` has the numbers of those who wait to be invited."""
    seats = []
    for player, name in enumerate(table.player_names()):
        sitter = table.person(player)
        if player in table.computers:
            seats.append(SeatLine(player, SeatKind.COMPUTER, name))
        elif sitter is None:
            seats.append(SeatLine(player, SeatKind.NOBODY))
        else:
            number = invitable.get(sitter, 0)
            who, said = sitter.client.who, sitter.client.introduced
            seats.append(
                SeatLine(
                    player,
                    SeatKind.PERSON,
                    name,
                    who,
                    True,
                    is_program=said is not None and said.kind is PlayerKind.PROGRAM,
                    invitable=number,
                )
            )
    since = int(time.time() - (trio.current_time() - table.opened_at))
    return TableLine(table.name, TableStage.FORMING, table.private, since, four(seats))


def _named(claim: Claim) -> str:
    day = time.strftime("%Y-%m-%d", time.localtime(claim.ends))
    kind = " (a program)" if claim.kind == NameKind.PROGRAM else ""
    use = "" if claim.is_kept else " has not played a game with people yet,"
    return f"{quoted(claim.name)}{kind}{use} free from {day} if it is not used"

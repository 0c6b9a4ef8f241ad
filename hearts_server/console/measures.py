"""The measures of a host against people: warnings, mutes and bans, and what is written of them."""

from __future__ import annotations

import re
import time
from collections.abc import Iterable

from msgspec import Struct

from hearts.hosting.hosted_table import HostedTable
from hearts.hosting.table_chat import GameNotice
from hearts.limits.networks import HERE, is_near, network_of, networks_of
from hearts.net.logline import EventLog
from hearts.session.table_words import ServerNotice
from hearts.table.seat import Kind
from hearts.wire.text import is_legible, is_visible, quoted
from hearts_server.moderation.book import HOST, ActDone, Measure, MeasureKind, Moderator, keys_of
from hearts_server.server import Server

from . import protocol
from .protocol import Done, NotDone

log = EventLog(__name__)

WARNS = "the host warns you: "
LONGEST_WHY = 96
"""Characters of a reason or a warning: the chat has room for so many behind what is said of it."""
MOST_MODERATORS = 50
_PLACE = re.compile(r"[1-9][0-9]{0,9}/[0-3]")
_HERE = NotDone(
    "this machine itself cannot be banned or muted; if a proxy stands in front, it has to say who "
    "asks (--forwarded-from and --send-proxy, or --proxy-listen)"
)


class Measures(Struct, frozen=True):
    """Warns, mutes and bans, for one who acts at one server."""

    server: Server
    by: str
    """The one who acts: the host, or the name of a moderator."""

    async def mute(self, request: protocol.MutePlayer) -> Done | NotDone:
        chat = self.server.chat
        if not chat.in_use:
            return NotDone("this server has no chat")
        if not request.muted:
            return await self._unmute(request)
        found = self.find(request.who)
        if isinstance(found, NotDone):
            return found
        network, name = found
        measure = self._measure(MeasureKind.MUTE, network, name, request)
        if isinstance(measure, NotDone):
            return measure
        later = "" if chat.connected else ", as soon as the chat is back"
        told = Done(f"{measure.whom} is muted{measure.end}{later}")
        return await self._put(request, told, measure)

    async def ban(self, request: protocol.BanPerson) -> Done | NotDone:
        found = self.find(request.who)
        if isinstance(found, NotDone):
            return found
        network, name = found
        # A guest takes another name when they like.
        measure = self._measure(MeasureKind.BAN, network, "" if network else name, request)
        if isinstance(measure, NotDone):
            return measure
        lifts = f"hearts-server unban {measure.whom} lifts it"
        told = Done(f"{measure.whom} is banned{measure.end}; {lifts}")
        done = await self._put(request, told, measure)
        if isinstance(done, Done):
            self.server.turn_out(measure)
        return done

    async def warn(self, request: protocol.WarnPlayer) -> Done | NotDone:
        why = request.why.strip()
        if not (why and _can_be_told(why)):
            return NotDone(f"a warning is one line of at most {LONGEST_WHY} characters")
        found = self.find(request.who)
        if isinstance(found, NotDone):
            return found
        told = []
        for host, player in self._people(request.who):
            self._tell(host, player, WARNS + why)
            told.append(f"{quoted(host.clients.names[player])} ({host.game_number}/{player})")
        if not told:
            return NotDone(f"nobody at a table that plays is {quoted(request.who)}")
        return await self.note(request, Done(f"{', '.join(told)} is warned"))

    def _tell(self, host: HostedTable, player: int, text: str) -> None:
        client, process_id = host.clients.client(player), host.clients.seats[player].process_id
        if client is not None and client.speaks_dealer:
            client.notify(ServerNotice(text))
        else:
            self.server.chat.send(GameNotice(host.game_number, text, (player, process_id)))

    async def lift_ban(self, request: protocol.LiftBan) -> Done | NotDone:
        network = network_of(request.network)
        bans = self.server.book.standing(MeasureKind.BAN)
        ban = next((ban for ban in bans if ban.whom == network), None)
        if ban is None:
            return NotDone(f"{network} is not banned; hearts-server bans lists those that are")
        return await self._lift(request, Done(f"{network} may come in again"), [ban])

    async def _unmute(self, request: protocol.MutePlayer) -> Done | NotDone:
        who, people = request.who, self._people(request.who)
        seats = [(host.clients.seats[player].network, host, player) for host, player in people]
        meant = {
            key
            for network, host, player in seats
            for key in keys_of(MeasureKind.MUTE, network, host.clients.names[player])
        }
        lifted = [
            mute
            for mute in self.server.book.standing(MeasureKind.MUTE)
            if mute.key in meant or who in (mute.name, mute.whom) or mute.whom == network_of(who)
        ]
        if not lifted:
            return NotDone(f"{quoted(who)} is not muted; hearts-server bans lists those who are")
        told = Done(f"{', '.join(mute.whom for mute in lifted)} may speak again")
        return await self._lift(request, told, lifted)

    # What is written

    def bans(self) -> Done:
        book = self.server.book
        lines = [f"{each.whom}{each.end}" for each in book.standing(MeasureKind.BAN)]
        lines += [f"{each.whom} is muted{each.end}" for each in book.standing(MeasureKind.MUTE)]
        return _listed(lines, "nobody is banned or muted")

    def acts(self) -> Done:
        acts = self.server.book.acts
        return _listed(
            (f"{_at(each.when)} {each.by}: {each.asked}: {each.told}" for each in acts),
            "nothing has been done against anybody",
        )

    def reports(self) -> Done:
        """List the reports; the host alone sees addresses."""
        is_host = self.by == HOST
        lines = []
        for each in self.server.book.reports:
            by, of = (
                f"{quoted(name)} ({network})" if is_host else quoted(name)
                for name, network in ((each.by, each.by_network), (each.of, each.of_network))
            )
            lines += [f"{_at(each.when)} game {each.game}: {by} reports {of}"]
            lines += [f"  {line}" for line in each.lines]
        return _listed(lines, "nobody has reported anybody")

    async def appoint(self, request: protocol.AppointModerator) -> Done | NotDone:
        book, names = self.server.book, self.server.names
        if not request.name:
            return _listed((each.name for each in book.moderators), "nobody is a moderator")
        them = [each for each in book.moderators if each.name != request.name]
        if request.remove:
            if len(them) == len(book.moderators):
                return NotDone(f"{quoted(request.name)} is no moderator")
            told = Done(f"{quoted(request.name)} is no moderator any more")
        else:
            claim = None if names is None else names.claims.of(request.name)
            if claim is None:
                return NotDone(f"{quoted(request.name)} is nobody's name here (--names)")
            if len(them) >= MOST_MODERATORS:
                return NotDone(f"there are {MOST_MODERATORS} moderators at most")
            them.append(Moderator(claim.name, claim.keys[0].key))
            told = Done(f"{quoted(request.name)} is a moderator")
        try:
            await book.appoint(self._act(request, told), them)
        except OSError as error:
            return NotDone(f"it cannot be kept: {error}")
        return told

    async def note(self, request: protocol.Request, told: Done) -> Done:
        """Write down what was done; if that cannot be stored, the log says so."""
        try:
            await self.server.book.note(self._act(request, told))
        except OSError as error:
            log.error("act-not-kept", why=error)
        return told

    def _act(self, request: protocol.Request, told: Done) -> ActDone:
        return ActDone(self.server.book.now(), self.by, protocol.in_words(request), told.text)

    async def _put(self, request: protocol.Request, told: Done, measure: Measure) -> Done | NotDone:
        try:
            await self.server.book.put(self._act(request, told), measure)
        except (OSError, ValueError) as error:
            return NotDone(f"it cannot be kept: {error}")
        self.server.reach.look_again()
        return told

    async def _lift(
        self, request: protocol.Request, told: Done, lifted: list[Measure]
    ) -> Done | NotDone:
        try:
            await self.server.book.lift(self._act(request, told), *lifted)
        except OSError as error:
            return NotDone(f"it cannot be kept: {error}")
        self.server.reach.look_again(lifted)
        return told

    # The people who are meant

    def _measure(
        self,
        kind: MeasureKind,
        network: str,
        name: str,
        request: protocol.BanPerson | protocol.MutePlayer,
    ) -> Measure | NotDone:
        why = request.why.strip()
        if why and not _can_be_told(why):
            return NotDone(f"a reason is one line of at most {LONGEST_WHY} characters")
        if network and not name and is_near(network, HERE):
            return _HERE
        hours = request.hours
        until = None if hours is None else self.server.book.now() + 3600 * hours
        return Measure(kind, network, name, until, why)

    def find(self, who: str) -> tuple[str, str] | NotDone:
        """Return the network and the name of the one person who is meant: of an address no name,
        of a name that is somebody's no network.
        """
        if len(networks_of(who)) > 1:
            return network_of(who), ""
        if self._is_claimed(who):
            return "", who
        playing = (host.clients.seats[player] for host, player in self._people(who))
        found = {
            ("", seat.name) if self._is_claimed(seat.name) else (seat.network, seat.name)
            for seat in playing
            if seat.network
        }
        found |= {
            (network_of(sitter.client.who), sitter.name)
            for table in self.server.lobby.forming
            for player in range(4)
            if (sitter := table.person(player)) is not None and sitter.name == who
        }
        if not found:
            return NotDone(f"nobody here is {quoted(who)}; an address does as well")
        if len(found) > 1:
            places = ", ".join(f"{host.game_number}/{seat}" for host, seat in self._people(who))
            return NotDone(f"several people are called {quoted(who)}; say which: {places}")
        return found.pop()

    def _is_claimed(self, name: str) -> bool:
        names = self.server.names
        return names is not None and names.claims.of(name) is not None

    def _people(self, who: str) -> list[tuple[HostedTable, int]]:
        """Return the people who are meant by a name or by GAME/SEAT."""
        is_place = _PLACE.fullmatch(who) is not None
        return [
            (host, player)
            for host in self.server.sessions.running
            if not host.is_closed
            for player, seat in enumerate(host.clients.seats)
            if seat.kind is Kind.CLIENT
            and who == (f"{host.game_number}/{player}" if is_place else seat.name)
        ]


def _can_be_told(why: str) -> bool:
    return is_visible(why) and is_legible(why) and len(why) <= LONGEST_WHY


def _at(when: float) -> str:
    return time.strftime("%Y-%m-%d %H:%M", time.localtime(when))


def _listed(lines: Iterable[str], nothing: str) -> Done:
    return Done("\n".join(lines) or nothing)

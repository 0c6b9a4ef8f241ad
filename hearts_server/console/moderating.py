"""The acts of moderators: what the host does to people at the console, within limits.

They come as a line of words, such as ``mute Bob --hours 2 --why spam``.
"""

from __future__ import annotations

import shlex

from msgspec import MsgspecError, Struct, convert
from msgspec.structs import replace

from hearts.limits.networks import HERE, is_near

from . import protocol
from .acts import Acts
from .measures import Measures
from .protocol import Done, NotDone, SeatKind, TableLine

ACTS_AN_HOUR = 20
MOST_HOURS = 24
"""Hours for which a moderator bans or mutes an address."""
_HERE = (
    "they are at this machine, or a proxy does not say who they are: then the host sets "
    "--forwarded-from and --send-proxy, or --proxy-listen; nothing is done against this machine"
)
USAGE = (
    "a moderator can say: tables, reports, warn WHO TEXT, mute WHO, ban WHO, remove N SEAT, "
    "end N; behind mute and ban --hours N and --why TEXT"
)
_POSITIONAL = {
    "tables": (),
    "reports": (),
    "warn": ("who", "why"),
    "mute": ("who",),
    "ban": ("who",),
    "remove": ("game", "seat"),
    "end": ("game",),
}
"""The words that stand behind each command; the last of them takes all that are left."""


class Moderating(Struct, frozen=True):
    """Does what moderators want, at one server."""

    acts: Acts

    def is_moderator(self, name: str) -> bool:
        """Tell whether the owner of a name, who has proved it, is a moderator."""
        names = self.acts.server.names
        claim = None if names is None or not name else names.claims.of(name)
        # Who has revoked the key of the appointment is to be appointed again.
        return claim is not None and any(
            each.name == claim.name and claim.own(bytes.fromhex(each.key))
            for each in self.acts.server.book.moderators
        )

    async def do(self, text: str, by: str) -> list[str]:
        """Do it, and return the lines of the answer; ``by`` is the name of a moderator.

        No answer has an address in it.
        """
        request = read_request(text)
        if request is None:
            return [USAGE]
        told: list[str] = []

        async def send(answer: protocol.Answer) -> None:
            if isinstance(answer, TableLine):
                told.append(_shown(answer))

        looks = isinstance(request, protocol.LookAround | protocol.LookAtReports)
        if not looks:
            if self.acts.server.book.acts_lately(by) >= ACTS_AN_HOUR:
                return [f"a moderator acts {ACTS_AN_HOUR} times an hour at most"]
            allowed = self._allowed(request, by)
            if isinstance(allowed, str):
                return [allowed]
            request = allowed
        answer = await self.acts.answer(request, send, by)
        is_act = isinstance(answer, Done) and not looks
        return [f"done: {protocol.in_words(request)}"] if is_act else [*told, *lines_of(answer)]

    def _allowed(self, request: protocol.Request, by: str) -> protocol.Request | str:
        """Return the request within the limits of a moderator, or the reason against it."""
        match request:
            case protocol.RemoveFromSeat(game, seat):
                who = f"{game}/{seat}"
            case protocol.MutePlayer(who) | protocol.BanPerson(who) | protocol.WarnPlayer(who):
                pass
            case _:
                return request
        found = Measures(self.acts.server, by).find(who)
        if isinstance(found, NotDone):
            # The answer says why nobody is found.
            return request
        network, name = found
        if network and is_near(network, HERE):
            return _HERE
        if self._is_above(network, name):
            return "nothing is done against the host and moderators"
        is_of_network = network and (isinstance(request, protocol.BanPerson) or not name)
        if is_of_network and isinstance(request, protocol.BanPerson | protocol.MutePlayer):
            hours = request.hours or MOST_HOURS
            if hours > MOST_HOURS:
                return f"a moderator bans an address for {MOST_HOURS} hours at most"
            return replace(request, hours=hours)
        return request

    def _is_above(self, network: str, name: str) -> bool:
        """Tell whether somebody is the host or a moderator, or shares their network."""
        them = {each.name for each in self.acts.server.book.moderators}
        return name in them or any(
            seat.name in them and seat.network == network != ""
            for host in self.acts.server.sessions.running
            for seat in host.clients.seats
        )


def lines_of(answer: Done | NotDone) -> list[str]:
    return answer.text.splitlines()


def read_request(text: str) -> protocol.Request | None:
    """Read what a moderator wants; None for nothing that they may."""
    try:
        verb, *words = shlex.split(text) or [""]
        positional = _POSITIONAL[verb]
        given: dict[str, object] = {"do": verb}
        if verb in ("mute", "ban"):
            if "--why" in words:
                at = words.index("--why")
                given["why"], words = " ".join(words[at + 1 :]), words[:at]
            if "--hours" in words:
                at = words.index("--hours")
                given["hours"], words = words[at + 1], words[:at] + words[at + 2 :]
        if len(words) < len(positional) or any(word.startswith("--") for word in words):
            return None
        if positional:
            *first, last = positional
            given.update(zip(first, words, strict=False))
            given[last] = " ".join(words[len(first) :])
        request: protocol.Request = convert(given, protocol.Request, strict=False)
    except (KeyError, IndexError, ValueError, MsgspecError):
        return None
    return request


def _shown(table: TableLine) -> str:
    people = ", ".join(
        f"{seat.seat} {seat.name}" for seat in table.seats if seat.kind is SeatKind.PERSON
    )
    return f"game {table.game}: {people}" if table.game else f"forming: {people}"

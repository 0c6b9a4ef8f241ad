"""The book of a server's moderation, which outlasts it: bans, mutes, acts and reports."""

from __future__ import annotations

import time
from collections.abc import Callable
from enum import Enum

import trio
from msgspec import MsgspecError, Struct, json
from msgspec.structs import replace

from hearts.net.logline import EventLog
from hearts.wire.text import quoted
from hearts_server.datadir import KeptBytes

log = EventLog(__name__)

HOST = "the host"
"""The one who acts at the console."""
MOST_MEASURES = 1000
"""Bans and mutes at the same time."""
MOST_ACTS = 1000
"""Acts that are kept, the latest ones."""
MOST_REPORTS = 200
"""Reports that are kept, the latest ones."""
REPORTS_KEPT = 30 * 86_400.0
"""Seconds for which a report is kept."""
REPORTS_A_DAY = 3
"""Reports that are taken from one network in a day."""
_DAY = 86_400.0


class MeasureKind(Enum):
    """The kind of a measure against a person."""

    BAN = "ban"
    MUTE = "mute"


MeasureKey = tuple[MeasureKind, str, str]


def keys_of(kind: MeasureKind, network: str, name: str) -> tuple[MeasureKey, ...]:
    """Return the keys of the measures that would hold for a person."""
    return (kind, network, ""), (kind, network, name), (kind, "", name)


class Measure(Struct, frozen=True, gc=False, omit_defaults=True):
    """A person or a network that is banned or muted; both must fit where both are said."""

    kind: MeasureKind
    network: str = ""
    """The narrowest one: an IPv4 address, or an IPv6 /64; empty for a name anywhere."""
    name: str = ""
    """The name that the person bears at a table; empty for everybody of the network."""
    until: float | None = None
    """Unix time; None for good."""
    why: str = ""
    """The reason, which people are told."""

    @property
    def key(self) -> MeasureKey:
        return self.kind, self.network, self.name

    def is_over(self, now: float) -> bool:
        return self.until is not None and self.until <= now

    @property
    def text(self) -> str:
        """Say a ban to a person who is banned."""
        return f"the host does not let you in{self.end}"

    @property
    def whom(self) -> str:
        if not (self.name and self.network):
            return quoted(self.name) if self.name else self.network
        return f"{quoted(self.name)} at {self.network}"

    @property
    def end(self) -> str:
        """The end and the reason, to stand behind what is done."""
        until = ""
        if self.until is not None:
            until = time.strftime(" until %Y-%m-%d %H:%M %Z", time.localtime(self.until))
        return f"{until}{f': {self.why}' if self.why else ''}"


class Moderator(Struct, frozen=True, gc=False):
    """The owner of a name who acts in the place of the host."""

    name: str
    key: str
    """The public key, in hex: who has the name next is no moderator."""


class ActDone(Struct, frozen=True, gc=False):
    """An act of the host or of a moderator."""

    when: float
    """Unix time."""
    by: str
    asked: str
    """The command, with the reason."""
    told: str
    """The answer, which says whom it has met."""


class ChatReport(Struct, frozen=True):
    """A player's report of another, with what the chat server had of their table."""

    when: float
    """Unix time."""
    game: int
    by: str
    by_network: str
    of: str
    of_network: str
    lines: list[str]
    """The last lines of the chat, each with its speaker, the oldest first."""


class Pages(Struct, frozen=True):
    """All that the book has, as it is stored."""

    measures: list[Measure] = []
    acts: list[ActDone] = []
    reports: list[ChatReport] = []
    moderators: list[Moderator] = []


class Book:
    """The bans and mutes that hold, the latest acts, and the reports of the last days."""

    def __init__(self, kept: KeptBytes, clock: Callable[[], float] = time.time) -> None:
        """``clock`` tells Unix time. What is stored and makes no sense is passed over."""
        self._keep = kept.keep
        self.now = clock
        self._changing = trio.Lock()
        self._pages = Pages()
        if kept.stored:
            try:
                self._pages = json.decode(kept.stored, type=Pages)
            except MsgspecError as error:
                log.error("cannot-read-moderation", why=error)
        self._by_key = {measure.key: measure for measure in self._pages.measures}

    def find(self, kind: MeasureKind, network: str, name: str = "") -> Measure | None:
        """Return a measure that holds for a person, if there is one."""
        for key in keys_of(kind, network, name):
            measure = self._by_key.get(key)
            if measure is not None and not measure.is_over(self.now()):
                return measure
        return None

    def standing(self, kind: MeasureKind) -> list[Measure]:
        return [each for each in self._standing() if each.kind is kind]

    def _standing(self) -> list[Measure]:
        now = self.now()
        return [each for each in self._by_key.values() if not each.is_over(now)]

    def told_to(self, name: str) -> list[str]:
        """Return a line for each measure against a name, for its owner."""
        return [f"{each.kind.value}{each.end}" for each in self._standing() if each.name == name]

    def take_over(self) -> list[Measure]:
        """Return the measures that are over since the last time."""
        now = self.now()
        over = [each for each in self._by_key.values() if each.is_over(now)]
        for each in over:
            del self._by_key[each.key]
        return over

    @property
    def moderators(self) -> list[Moderator]:
        return self._pages.moderators

    def acts_lately(self, by: str) -> int:
        """Count the acts of somebody in the last hour."""
        since = self.now() - 3600
        return sum(act.by == by and act.when > since for act in self.acts)

    async def appoint(self, act: ActDone, moderators: list[Moderator]) -> None:
        """Let these be the moderators. Raises OSError."""
        async with self._changing:
            await self._store(self._standing(), act, moderators)

    @property
    def acts(self) -> list[ActDone]:
        return self._pages.acts

    @property
    def reports(self) -> list[ChatReport]:
        since = self.now() - REPORTS_KEPT
        return [each for each in self._pages.reports if each.when > since]

    async def put(self, act: ActDone, *measures: Measure) -> None:
        """Ban or mute, as soon as that is stored with the act. Raises OSError, and ValueError if
        there are too many.
        """
        async with self._changing:
            there = {each.key: each for each in (*self._standing(), *measures)}
            if len(there) > MOST_MEASURES:
                raise ValueError(f"there are {MOST_MEASURES} bans and mutes at most")
            await self._store(list(there.values()), act)

    async def lift(self, act: ActDone, *measures: Measure) -> None:
        """Take bans and mutes back, as soon as that is stored with the act. Raises OSError."""
        lifted = {measure.key for measure in measures}
        async with self._changing:
            await self._store([each for each in self._standing() if each.key not in lifted], act)

    async def note(self, act: ActDone) -> None:
        """Store an act. Raises OSError."""
        async with self._changing:
            await self._store(self._standing(), act)

    async def add(self, report: ChatReport) -> bool:
        """Store a report; False if the reporter's network has made enough of them. Raises
        OSError.
        """
        async with self._changing:
            reports = self.reports
            lately = self.now() - _DAY
            own = [each for each in reports if each.by_network == report.by_network]
            if sum(each.when > lately for each in own) >= REPORTS_A_DAY:
                return False
            pages = replace(self._pages, reports=[*reports, report][-MOST_REPORTS:])
            await self._write(pages)
            return True

    async def _store(
        self, measures: list[Measure], act: ActDone, moderators: list[Moderator] | None = None
    ) -> None:
        acts = [*self.acts, act][-MOST_ACTS:]
        them = self.moderators if moderators is None else moderators
        await self._write(Pages(measures, acts, self.reports, them))

    async def _write(self, pages: Pages) -> None:
        await trio.to_thread.run_sync(self._keep, json.encode(pages))
        self._pages = pages
        self._by_key = {measure.key: measure for measure in pages.measures}

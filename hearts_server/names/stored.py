"""The claimed names of a server as they are stored."""

from __future__ import annotations

from enum import IntEnum

from msgspec import Struct

from hearts.wire.text import quoted

DAY = 86_400
PROBATION = 7 * DAY
"""Seconds for which a claim holds whose owner has not played a game with people."""
UNUSED = 365 * DAY
"""Seconds after which a name is free that nobody has proved."""
NUMBERED = "player"
"""Stands before the number of a name that was given up."""


class NameKey(Struct, frozen=True, gc=False):
    """A key of a name."""

    key: str
    """The public key, in hex."""
    kind: int
    """A number of :class:`~hearts.names.proof.NameKind`."""
    since: int
    """The Unix time of the claim, or when another key let it in."""
    used: int
    """The Unix time of a proof, at most a week before the latest."""


class Claim(Struct, frozen=True):
    """A name that belongs to somebody."""

    name: str
    keys: tuple[NameKey, ...]
    """The oldest first."""
    claimed: int
    """Unix time."""
    used: int
    """The latest of such times of its keys."""
    is_kept: bool = False
    """True if its owner has played a game to its end with people."""
    is_listed: bool = False
    """True if its owner wants it in the standings, and in the list of a day."""

    @property
    def ends(self) -> int:
        """The Unix time at which it is free, unless it is used."""
        return self.used + UNUSED if self.is_kept else self.claimed + PROBATION

    @property
    def kind(self) -> int:
        """The kind of player who has claimed it."""
        return self.keys[0].kind

    def own(self, key: bytes) -> NameKey | None:
        """Return the entry of a key, if it is one of the name's."""
        return next((each for each in self.keys if each.key == key.hex()), None)


class NewsKind(IntEnum):
    """The kind of thing that became of a name."""

    FREED = 0
    """The host has given it free."""
    LET_IN = 1
    """It has one more key."""
    REVOKED = 2
    """The key that is told is no longer one of the name's."""


class NameNews(Struct, frozen=True, gc=False):
    """Something that became of a name, for one of its keys."""

    name: str
    key: str
    at: int
    kind: int = NewsKind.FREED


class GivenUp(Struct, frozen=True):
    """A name that a number takes the place of in what is stored
    (:mod:`hearts_server.standings.erasing`), until it is nowhere any more.
    """

    name: str
    claimed: int
    """Unix time."""
    at: int
    """The Unix time at which it was given up."""
    number: int

    @property
    def stands(self) -> str:
        """The text that takes its place; no claimed name is like it."""
        return f"{NUMBERED} {self.number}"

    @property
    def told(self) -> str:
        """Say to its owner, or to the host, what becomes of it."""
        return (
            f"The name {quoted(self.name)} is given up. {self.stands} takes its place in games, in "
            "a minute or two, and at tables that still play when they have ended."
        )


class Stored(Struct, frozen=True):
    """Everything that outlasts a server."""

    claims: list[Claim] = []
    news: list[NameNews] = []
    latest: list[tuple[int, list[str]]] = []
    """The claims of the last DAY: when, and digests of the networks that they came from."""
    given_up: list[GivenUp] = []
    numbers: int = 0
    """The highest number of a name that was given up."""
    invitations: list[tuple[str, int, str]] = []
    """The digest of a code, the Unix time until which it counts, and for which name; "" for any."""

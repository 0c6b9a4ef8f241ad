"""The names that are claimed at a server: whose they are, until when, and who may claim one.

Everything is durable before anybody is told. Nothing of a person is kept but a public key that no
other server sees, and digests of networks for a day.
"""

from __future__ import annotations

import hashlib
import hmac
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator

import trio
from msgspec import MsgspecError, Struct, json
from msgspec.structs import replace

from hearts.errors import InvalidName
from hearts.limits.networks import PerNetwork, networks_of
from hearts.names.looks import check_claimable, looks
from hearts.settings.table import ConfigError
from hearts.wire.text import quoted
from hearts_server.datadir import KeptBytes

MOST_NAMES = 10_000
CLAIMS = PerNetwork.widening(3)
"""Names that a network may claim in DAY."""
DAY = 86_400
PROBATION = 7 * DAY
"""Seconds for which a claim holds whose owner has not played a game with people."""
UNUSED = 365 * DAY
"""Seconds after which a name is free that nobody has proved."""
NOTICE = 7 * DAY
"""Seconds for which the keys of a name are told that the host has given it free."""
_USED_EVERY = 7 * DAY
"""Seconds after which the use of a name is stored anew."""


class Claim(Struct, frozen=True):
    """A name that belongs to somebody."""

    name: str
    key: str
    """The public key, in hex."""
    kind: int
    """A number of :class:`~hearts.names.proof.NameKind`."""
    claimed: int
    """Unix time."""
    used: int
    """The Unix time of a proof, at most a week before the latest."""
    is_kept: bool = False
    """True if its owner has played a game to its end with people."""
    is_listed: bool = False
    """True if its owner wants it in the standings."""

    @property
    def ends(self) -> int:
        """The Unix time at which it is free, unless it is used."""
        return self.used + UNUSED if self.is_kept else self.claimed + PROBATION


class Freed(Struct, frozen=True):
    """A name that the host has given free, for those whose it was."""

    name: str
    key: str
    at: int


class Stored(Struct, frozen=True):
    """Everything that outlasts a server."""

    claims: list[Claim] = []
    freed: list[Freed] = []
    latest: list[tuple[int, list[str]]] = []
    """The claims of the last DAY: when, and digests of the networks that they came from."""


class ClaimedNames:
    """The claimed names of a server."""

    def __init__(
        self,
        kept: KeptBytes,
        secret: bytes,
        reserved: Iterable[str] = (),
        clock: Callable[[], float] = time.time,
    ) -> None:
        """``reserved`` are names that nobody may claim, such as those of computers. ``clock`` tells
        Unix time. Raises ConfigError for what is stored and cannot be read: it is not ours to
        forget whose the names are.
        """
        self._keep = kept.keep
        self._secret = secret
        self._clock = clock
        self._changing = trio.Lock()
        self._reserved = frozenset[str]().union(*map(looks, reserved))
        try:
            self._stored = json.decode(kept.stored, type=Stored) if kept.stored else Stored()
        except MsgspecError as error:
            raise ConfigError(
                f"--names: cannot read the names that are claimed: {error}; restore the file "
                "'names' in the data dir, or move it away, and all names are free"
            ) from None
        self._index()

    def _index(self) -> None:
        self._by_name = {claim.name: claim for claim in self._stored.claims}
        self._by_key = {claim.key: claim for claim in self._stored.claims}
        self._by_look = {look: claim for claim in self._stored.claims for look in looks(claim.name)}

    def _holds(self, claim: Claim | None) -> Claim | None:
        return None if claim is None or claim.ends <= self._clock() else claim

    def of(self, name: str) -> Claim | None:
        """Return the claim of a name, if it is somebody's."""
        return self._holds(self._by_name.get(name))

    def of_key(self, key: bytes) -> Claim | None:
        return self._holds(self._by_key.get(key.hex()))

    def like(self, name: str) -> Claim | None:
        """Return the claim of a name that this one could be taken for."""
        found = (self._holds(self._by_look.get(look)) for look in looks(name))
        return next(filter(None, found), None)

    def all(self) -> list[Claim]:
        return sorted(filter(self._holds, self._stored.claims), key=lambda claim: claim.name)

    def freed(self, key: bytes) -> Iterator[Freed]:
        """Yield the names of a key that the host has given free lately."""
        since = self._clock() - NOTICE
        return (each for each in self._stored.freed if each.key == key.hex() and each.at > since)

    async def claim(self, name: str, key: bytes, kind: int, address: str) -> None:
        """Give a name to a key. Raises InvalidName, with the reason, and OSError."""
        check_claimable(name)
        networks = [self._digest(network) for network in networks_of(address)]
        async with self._changing:
            self._check_free(name, key)
            latest = self._latest()
            counts = Counter(network for _, of in latest for network in of)
            limits = zip(networks, CLAIMS.of(networks_of(address)), strict=True)
            if any(counts[network] >= most for network, most in limits):
                raise InvalidName("your network has claimed enough names for a day")
            claims = self.all()
            if len(claims) >= MOST_NAMES:
                raise InvalidName("there is no room for more names here")
            now = int(self._clock())
            claims.append(Claim(name, key.hex(), kind, now, now))
            await self._store(claims, self._stored.freed, [*latest, (now, networks)])

    def _check_free(self, name: str, key: bytes) -> None:
        if (own := self.of_key(key)) is not None:
            raise InvalidName(f"you have a name here: {quoted(own.name)}")
        if (other := self.like(name)) is not None:
            raise InvalidName(
                "the name is somebody else's"
                if other.name == name
                else f"it could be taken for {quoted(other.name)}, which is somebody else's"
            )
        if looks(name) & self._reserved:
            raise InvalidName("it could be taken for a name of the server's own")

    async def was_proved(self, claim: Claim) -> None:
        """Note that a name is in use. Raises OSError."""
        if self._clock() - claim.used >= _USED_EVERY:
            await self._change(claim, used=int(self._clock()))

    async def keep_after_game(self, names: Iterable[str]) -> None:
        """Keep the names of people who have played a game with each other. Raises OSError."""
        for name in names:
            claim = self.of(name)
            if claim is not None and not claim.is_kept:
                await self._change(claim, used=int(self._clock()), is_kept=True)

    async def set_listed(self, claim: Claim, *, is_listed: bool) -> None:
        """Let a name stand in the standings, or not. Raises OSError."""
        if claim.is_listed is not is_listed:
            await self._change(claim, is_listed=is_listed)

    async def free(self, name: str) -> bool:
        """Give a name free; False if it is nobody's. Raises OSError."""
        async with self._changing:
            claim = self.of(name)
            if claim is None:
                return False
            others = [each for each in self.all() if each is not claim]
            freed = Freed(name, claim.key, int(self._clock()))
            await self._store(others, [*self._stored.freed, freed], self._latest())
            return True

    async def _change(self, claim: Claim, **values: object) -> None:
        async with self._changing:
            # It may have become somebody else's in the meantime.
            if self.of(claim.name) is claim:
                others = [each for each in self.all() if each is not claim]
                claims = [*others, replace(claim, **values)]
                await self._store(claims, self._stored.freed, self._latest())

    def _latest(self) -> list[tuple[int, list[str]]]:
        since = self._clock() - DAY
        return [each for each in self._stored.latest if each[0] > since]

    def _digest(self, network: str) -> str:
        # So much tells two networks apart, and tells nobody an address who has not the secret.
        return hmac.digest(self._secret, f"names {network}".encode(), hashlib.sha256)[:12].hex()

    async def _store(
        self, claims: list[Claim], freed: list[Freed], latest: list[tuple[int, list[str]]]
    ) -> None:
        since = self._clock() - NOTICE
        stored = Stored(claims, [each for each in freed if each.at > since], latest)
        await trio.to_thread.run_sync(self._keep, json.encode(stored))
        self._stored = stored
        self._index()

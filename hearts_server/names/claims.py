"""The names that are claimed at a server: whose they are, until when, and who may claim one.

Everything is durable before anybody is told. Nothing of a person is kept but public keys that no
other server sees, and digests of networks for a day.
"""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
import time
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence

import trio
from msgspec import MsgspecError, json
from msgspec.structs import replace

from hearts.errors import InvalidName
from hearts.limits.networks import PerNetwork, networks_of
from hearts.names.codes import CODE_BYTES, code_of
from hearts.names.looks import check_claimable, looks
from hearts.settings.table import ConfigError
from hearts.wire.text import quoted
from hearts_server.datadir import KeptBytes

from .stored import DAY, NUMBERED, Claim, GivenUp, NameKey, NameNews, NewsKind, Stored

MOST_NAMES = 10_000
CLAIMS = PerNetwork.widening(3)
"""Names that a network may claim in DAY."""
NOTICE = 7 * DAY
"""Seconds for which the keys of a name are told what became of it."""
SEASON = 7 * DAY
"""Seconds for which a key must have been one of a name before it may revoke older ones."""
MOST_KEYS = 8
"""Keys of a name; those that it has lost within NOTICE count, so that all of it is bounded."""
INVITED = 7 * DAY
"""Seconds for which an invitation counts."""
MOST_INVITATIONS = 100
_NUMBER = re.compile(r" \d+\Z")
_USED_EVERY = 7 * DAY
"""Seconds after which the use of a key is stored anew."""


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
        self.by_invitation = False
        """True if nobody claims a name without an invitation."""
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
        self._by_key = {own.key: claim for claim in self._stored.claims for own in claim.keys}
        self._by_look = {look: claim for claim in self._stored.claims for look in looks(claim.name)}

    def _holds(self, claim: Claim | None) -> Claim | None:
        return None if claim is None or claim.ends <= self._clock() else claim

    def of(self, name: str) -> Claim | None:
        """Return the claim of a name, if it is somebody's."""
        return self._holds(self._by_name.get(name))

    def wants_listed(self, name: str, at: int) -> bool:
        """Return True if a name was claimed by a Unix time, and its owner wants it in lists."""
        claim = self.of(name)
        return claim is not None and claim.is_listed and claim.claimed <= at

    def of_key(self, key: bytes) -> Claim | None:
        return self._holds(self._by_key.get(key.hex()))

    def like(self, name: str) -> Claim | None:
        """Return the claim of a name that this one could be taken for."""
        found = (self._holds(self._by_look.get(look)) for look in looks(name))
        return next(filter(None, found), None)

    def all(self) -> list[Claim]:
        return sorted(filter(self._holds, self._stored.claims), key=lambda claim: claim.name)

    def news(self, key: bytes) -> Iterator[NameNews]:
        """Yield what became lately of the names of a key, in so far as others did it."""
        return (each for each in self._news() if each.key == key.hex())

    def _news(self) -> list[NameNews]:
        since = self._clock() - NOTICE
        return [each for each in self._stored.news if each.at > since]

    async def invite(self, name: str = "") -> str:
        """Return the code of an invitation to claim this name, or any, once within INVITED.

        Raises InvalidName if there are too many, and OSError.
        """
        async with self._changing:
            code, until = code_of(secrets.token_bytes(CODE_BYTES)), int(self._clock() + INVITED)
            invitations = self._invitations()
            if len(invitations) >= MOST_INVITATIONS:
                raise InvalidName("enough people are invited; an invitation counts for a week")
            fresh = (self._digest(f"invitation {code}"), until, name)
            await self._store(self.all(), invitations=[*invitations, fresh])
            return code

    def _invitations(self) -> list[tuple[str, int, str]]:
        return [each for each in self._stored.invitations if each[1] > self._clock()]

    def _invited(self, name: str, code: bytes) -> tuple[str, int, str] | None:
        """Return the invitation of a code, if it is for this name."""
        digest = self._digest(f"invitation {code.decode(errors='replace')}")
        found = (it for it in self._invitations() if hmac.compare_digest(it[0], digest))
        return next((each for each in found if each[2] in ("", name)), None)

    async def claim(
        self, name: str, key: bytes, kind: int, address: str, code: bytes = b""
    ) -> None:
        """Give a name to a key, perhaps by the code of an invitation.

        Raises InvalidName, with the reason, and OSError.
        """
        check_claimable(name)
        networks = [self._digest(network) for network in networks_of(address)]
        async with self._changing:
            self._check_free(name, key)
            latest, invitation = self._latest(), self._invited(name, code)
            if self.by_invitation and invitation is None:
                raise InvalidName("it takes an invitation of the host to claim a name here")
            counts = Counter(network for _, of in latest for network in of)
            limits = zip(networks, CLAIMS.of(networks_of(address)), strict=True)
            is_enough = any(counts[network] >= most for network, most in limits)
            if is_enough and invitation is None:
                raise InvalidName("your network has claimed enough names for a day")
            claims = self.all()
            if len(claims) >= MOST_NAMES:
                raise InvalidName("there is no room for more names here")
            now = int(self._clock())
            own = NameKey(key.hex(), kind, now, now)
            claims.append(Claim(name, (own,), now, now))
            left = [each for each in self._invitations() if each != invitation]
            await self._store(claims, latest=[*latest, (now, networks)], invitations=left)

    def _check_free(self, name: str, key: bytes) -> None:
        if (own := self.of_key(key)) is not None:
            raise InvalidName(f"you have a name here: {quoted(own.name)}")
        if (other := self.like(name)) is not None:
            raise InvalidName(
                "the name is somebody else's"
                if other.name == name
                else f"it could be taken for {quoted(other.name)}, which is somebody else's"
            )
        is_number = looks(_NUMBER.sub("", name)) & looks(NUMBERED)
        if looks(name) & self._reserved or is_number:
            raise InvalidName("it could be taken for a name of the server's own")

    async def was_proved(self, claim: Claim, key: bytes) -> None:
        """Note that a key of a name is in use. Raises OSError."""
        own, now = claim.own(key), int(self._clock())
        if own is not None and now - own.used >= _USED_EVERY:
            used = replace(own, used=now)
            keys = tuple(used if each is own else each for each in claim.keys)
            await self._change(claim, used=now, keys=keys)

    async def let_in(self, name: str, by: bytes, key: bytes, kind: int) -> None:
        """Give a name another key, as one of its keys wishes. Raises InvalidName and OSError."""
        async with self._changing:
            claim, _ = self._owned(name, by)
            if self.of_key(key) is not None:
                raise InvalidName("that key has a name here")
            news, now = self._news(), int(self._clock())
            lost = sum(it.name == name and it.kind == NewsKind.REVOKED for it in news)
            if len(claim.keys) + lost >= MOST_KEYS:
                raise InvalidName("there is no room for another key; a lost one counts for a week")
            companions = [NameNews(name, each.key, now, NewsKind.LET_IN) for each in claim.keys]
            keys = (*claim.keys, NameKey(key.hex(), kind, now, now))
            others = [each for each in self.all() if each is not claim]
            # Who had lost the name and has it again need not hear of that.
            news = [each for each in news if (each.name, each.key) != (name, key.hex())]
            await self._store([*others, replace(claim, keys=keys)], [*news, *companions])

    async def revoke(self, name: str, by: bytes, key: bytes) -> None:
        """Take a key from a name, as one of its keys wishes. Raises InvalidName and OSError.

        A key that is new never locks out one that has been there before.
        """
        async with self._changing:
            claim, own = self._owned(name, by)
            gone, now = claim.own(key), int(self._clock())
            if gone is None:
                raise InvalidName("that is no key of the name")
            if len(claim.keys) == 1:
                raise InvalidName("a name keeps its last key")
            _check_season(_may_revoke(claim.keys, own, gone), now)
            lost = NameNews(name, gone.key, now, NewsKind.REVOKED)
            keys = tuple(each for each in claim.keys if each is not gone)
            others = [each for each in self.all() if each is not claim]
            await self._store([*others, replace(claim, keys=keys)], [*self._news(), lost])

    def _owned(self, name: str, key: bytes) -> tuple[Claim, NameKey]:
        claim = self.of(name)
        own = None if claim is None else claim.own(key)
        if claim is None or own is None:
            raise InvalidName("the name is not yours any more")
        return claim, own

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
            now = int(self._clock())
            freed = [NameNews(name, own.key, now) for own in claim.keys]
            await self._store(others, [*self._news(), *freed])
            return True

    async def give_up(self, name: str, by: bytes | None = None) -> GivenUp | None:
        """Give a name free, and have a number in its place; None if it is nobody's.

        ``by`` is the key that wishes it; None for the host. Raises InvalidName and OSError.
        """
        async with self._changing:
            claim, now = self.of(name), int(self._clock())
            if claim is None:
                return None
            if by is not None:
                claim, own = self._owned(name, by)
                if own is not claim.keys[0]:
                    _check_season(own.since + SEASON, now)
            stored, others = self._stored, [each for each in self.all() if each is not claim]
            gone = GivenUp(name, claim.claimed, now, stored.numbers + 1)
            news = [it for it in self._news() if it.name != name or it.kind == NewsKind.FREED]
            given_up = [*stored.given_up, gone]
            await self._store(others, news, given_up=given_up, numbers=gone.number)
            return gone

    @property
    def stored(self) -> Stored:
        return self._stored

    async def forget(self, numbers: Collection[int]) -> None:
        """Forget names that were given up and are nowhere any more. Raises OSError."""
        async with self._changing:
            left = [each for each in self._stored.given_up if each.number not in numbers]
            await self._store(self.all(), given_up=left)

    async def _change(self, claim: Claim, **values: object) -> None:
        async with self._changing:
            # It may have become somebody else's in the meantime.
            if self.of(claim.name) is claim:
                others = [each for each in self.all() if each is not claim]
                await self._store([*others, replace(claim, **values)])

    def _latest(self) -> list[tuple[int, list[str]]]:
        since = self._clock() - DAY
        return [each for each in self._stored.latest if each[0] > since]

    def _digest(self, network: str) -> str:
        # So much tells two networks apart, and tells nobody an address who has not the secret.
        return hmac.digest(self._secret, f"names {network}".encode(), hashlib.sha256)[:12].hex()

    async def _store(
        self,
        claims: list[Claim],
        news: list[NameNews] | None = None,
        latest: list[tuple[int, list[str]]] | None = None,
        **more: object,
    ) -> None:
        # Of the same thing the latest news is enough, so nobody makes more and more of it.
        fresh = {(it.name, it.key, it.kind): it for it in (self._news() if news is None else news)}
        since = self._latest() if latest is None else latest
        news = [*fresh.values()]
        stored = replace(self._stored, claims=claims, news=news, latest=since, **more)
        await trio.to_thread.run_sync(self._keep, json.encode(stored))
        self._stored = stored
        self._index()


def _check_season(may_from: int, now: int) -> None:
    """Raise InvalidName before a Unix time."""
    if now < may_from:
        day = time.strftime("%Y-%m-%d %H:%M", time.gmtime(may_from))
        raise InvalidName(f"newer keys have no say about older ones before {day} UTC")


def _may_revoke(keys: Sequence[NameKey], own: NameKey, gone: NameKey) -> int:
    """Return the Unix time from which one key of a name, the oldest first, may revoke another."""
    if gone is own:
        # It may go where an older one stays; the oldest would leave the name to newer ones.
        return keys[1].since + SEASON if own is keys[0] else 0
    return own.since + SEASON if keys.index(gone) < keys.index(own) else 0

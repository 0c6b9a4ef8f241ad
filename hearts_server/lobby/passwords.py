"""The host's password: checks of it, a limit on guesses, log lines about these, and the networks in
which somebody has known it lately."""

from __future__ import annotations

import hashlib
import hmac
import re
import time
from collections import Counter, OrderedDict
from collections.abc import Awaitable, Callable

import trio

from hearts.limits.buckets import put_last
from hearts.limits.networks import network_of
from hearts.limits.tries import WordLimiter
from hearts.net.logline import EventLog
from hearts.session.messages import Refusal
from hearts.session.registration import RegistrationEnded
from hearts.wire.credentials import is_same_secret

log = EventLog(__name__)

KNOWN_FOR = 7 * 86400.0
"""Seconds for which a network counts as one that knows the password."""
MOST_KNOWN = 4096
"""Networks that are kept; the one that showed the password longest ago goes first."""
_RENEWED_AFTER = 86400.0
"""Seconds after which it is worth writing down that a network has shown it again."""
_TAG_BYTES = 16
_LINE = re.compile(rb"([0-9a-f]{32}) ([0-9]{1,11})")
LOG_EVERY = 60.0
"""Seconds between two lines of the log about wrong passwords."""
_NAMED = 3
"""Networks that such a line names."""
_COUNTED = 1000
"""Networks that are counted apart for it."""


class KnownNetworks:
    """Networks that have shown a password, as marks that only this server can make.

    A mark binds the network to the password: with another password all are forgotten, and the
    file names nobody. Time is handed in, as Unix time, because it has to outlast the server.
    """

    def __init__(self, secret: bytes, password: bytes, stored: bytes = b"") -> None:
        """``secret`` is that of the data dir; ``stored`` is what :meth:`to_bytes` gave once.

        Lines that make no sense are passed over.
        """
        self._secret = secret
        self._password = hashlib.sha256(password).digest()
        self._shown: OrderedDict[str, float] = OrderedDict()
        for line in stored.splitlines()[-MOST_KNOWN:]:
            match = _LINE.fullmatch(line)
            if match is not None:
                self._shown[match[1].decode()] = float(match[2])

    def __len__(self) -> int:
        return len(self._shown)

    def knows(self, network: str, now: float) -> bool:
        """Return True if the password was shown from this network within KNOWN_FOR."""
        return 0 <= now - self._shown.get(self._mark(network), -KNOWN_FOR) < KNOWN_FOR

    def add(self, network: str, now: float) -> bool:
        """Note that this network has shown the password; True if that is worth writing down."""
        mark = self._mark(network)
        before = self._shown.get(mark)
        if before is not None and 0 <= now - before < _RENEWED_AFTER:
            return False
        put_last(self._shown, mark, now, MOST_KNOWN, lambda at: now - at >= KNOWN_FOR)
        return True

    def to_bytes(self) -> bytes:
        return "".join(f"{mark} {int(at)}\n" for mark, at in self._shown.items()).encode()

    def _mark(self, network: str) -> str:
        message = b"known network\0" + self._password + network.encode()
        return hmac.new(self._secret, message, hashlib.sha256).hexdigest()[: 2 * _TAG_BYTES]


class WrongPassword(RegistrationEnded):
    """A wrong password, or one that was not looked at; the log tells of many in one line."""


class PasswordGuard:
    """Looks at passwords, one after the other, and remembers the networks that know it."""

    def __init__(
        self,
        password: str,
        known: KnownNetworks | None = None,
        save: Callable[[bytes], None] = lambda data: None,
    ) -> None:
        """An empty password means that none is asked for.

        ``save`` stores what is kept of the networks; it runs in a thread and may raise OSError.
        """
        self._password = password.encode()
        self._known = KnownNetworks(b"", self._password) if known is None else known
        self._save = save
        self._limiter = WordLimiter()
        self._changed = trio.Event()
        self._erred = trio.Event()
        self._wrong: Counter[str] = Counter()

    @property
    def is_asked(self) -> bool:
        return bool(self._password)

    async def check(
        self, address: str, given: bytes, wait_for: Callable[[float], Awaitable[None]]
    ) -> None:
        """Check a password, and return if it is right; ``wait_for`` waits so many seconds for its
        turn.

        Raises WrongPassword.
        """
        if not self._password:
            return
        network = network_of(address)
        right = is_same_secret(given, self._password)
        known = self._known.knows(network, time.time())
        wait = self._limiter.attempt(address, known=known, right=right, now=trio.current_time())
        if wait is None:
            self._count(network)
            why = "too many wrong passwords, try again later"
            raise WrongPassword(Refusal.TOO_MANY_FROM_ADDRESS, why)
        if not right:
            self._count(network)
        await wait_for(wait)
        if not right:
            raise WrongPassword(Refusal.BAD_PASSWORD)
        if self._known.add(network, time.time()):
            self._changed.set()

    def _count(self, network: str) -> None:
        self._wrong[network if network in self._wrong or len(self._wrong) < _COUNTED else ""] += 1
        self._erred.set()

    async def run(self) -> None:
        """Write down which networks know it, and log wrong ones, until cancelled."""
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self._keep)
            nursery.start_soon(self._log_now_and_then)

    async def _keep(self) -> None:
        while True:
            await self._changed.wait()
            self._changed = trio.Event()
            try:
                await trio.to_thread.run_sync(self._save, self._known.to_bytes())
            except OSError as error:
                log.error("cannot-keep-known-networks", why=error)

    async def _log_now_and_then(self) -> None:
        try:
            while True:
                await self._erred.wait()
                self._log_once()
                await trio.sleep(LOG_EVERY)
        finally:
            if self._wrong:
                self._log_once()

    def _log_once(self) -> None:
        wrong, self._wrong = self._wrong, Counter()
        self._erred = trio.Event()
        most = [f"{network or 'others'}={tries}" for network, tries in wrong.most_common(_NAMED)]
        log.warning(
            "wrong-passwords", tries=wrong.total(), networks=len(wrong), most=" ".join(most)
        )

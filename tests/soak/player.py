"""One independent client over all its connections: it comes back by itself until it is done."""

from __future__ import annotations

import contextlib
import errno
import random
import selectors
import socket
import struct
import time
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from tests.independent import plain_client as client
from tests.independent.joined import Joined
from tests.independent.rules import Foul

from .plan import FULL, ConnectionPart, Drop, PlayerStanding

if TYPE_CHECKING:
    from .hall import Hall

FIRST_RETRY = 0.02
LAST_RETRY = 0.5
"""Seconds before a connection is tried again; doubled from one to the other."""
LIMBO_LIMIT = 10.0
"""Seconds for which a half-open connection is left lying."""
_BIND_ADDRESS_NO_PORT = 24
"""The socket option; so that a connection's port is chosen when it connects."""


class SoakSeat:
    """One seat of one session, as the client has it."""

    def __init__(
        self,
        hall: Hall,
        settings: client.ClientHabits,
        chance: random.Random,
        changed: Callable[[], None],
        *,
        source: str = "",
        patient: frozenset[int] = FULL,
    ) -> None:
        """``changed`` is called when the standing changes.

        ``source`` is the address that it connects from, "" for any. At the refusals in ``patient``
        it tries again.
        """
        self.parts: list[ConnectionPart] = []
        self.joined = Joined()
        self.standing = PlayerStanding.COMING
        self.trouble = ""
        self.ticket: client.Ticket | None = None
        self.moved = time.monotonic()
        """When something came last."""
        self.came = self.moved
        self.counts_hands = False
        self.refused_since = 0.0
        """When it was refused first, if it has not got in since; else 0."""
        self._source = source
        self._patient = patient
        self._thinking = False
        self._chosen = False
        self._asked_at = 0.0
        self._hall = hall
        self._settings = settings
        self._chance = chance
        self._changed = changed
        self._socket: socket.socket | None = None
        self._talking = False
        self._resting = False
        self._session: client.OwnSession
        self._came_with: client.Ticket | None = None
        self._talk: client.Talk
        self._request: object
        self._unread = b""
        self._tear = False
        self._retry = FIRST_RETRY
        self._lost_at = 0.0
        self._connections = 0

    @property
    def seat(self) -> int:
        assert self.ticket is not None
        return self.ticket.player

    @property
    def is_playing(self) -> bool:
        """Whether it is connected and has its seat."""
        return (
            self.standing is PlayerStanding.SEATED
            and self._talking
            and not self._resting
            and not self._tear
        )

    @property
    def is_away(self) -> bool:
        return self.standing is PlayerStanding.SEATED and self._lost_at > 0

    # Connecting

    def connect(self) -> None:
        """Try to connect; it goes on trying until it is there or has given up."""
        if self.standing not in (PlayerStanding.COMING, PlayerStanding.SEATED):
            return
        made = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        made.setblocking(False)
        made.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        if self._source:
            made.setsockopt(socket.SOL_IP, _BIND_ADDRESS_NO_PORT, 1)
            made.bind((self._source, 0))
        code = made.connect_ex(self._hall.address)
        if code not in (0, errno.EINPROGRESS):
            made.close()
            self._try_again()
            return
        self._socket = made
        self._hall.selector.register(made, selectors.EVENT_WRITE, self._connected)

    def _connected(self) -> None:
        assert self._socket is not None
        if self._socket.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR):
            self._close()
            self._try_again()
            return
        again = max(0, self._settings.again - self.joined.answers)
        settings = replace(
            self._settings, again=again, seed=1000 * self._settings.seed + self._connections
        )
        self._connections += 1
        self._came_with = self.ticket
        if self._came_with is not None:
            settings = replace(settings, table=None, options=None)
        self._session = client.OwnSession(settings, self._came_with)
        self._talk = self._session.talk()
        self._request = next(self._talk)
        self._unread = b""
        self._asked_at = 0.0
        self._talking = True
        self._hall.selector.modify(self._socket, selectors.EVENT_READ, self._readable)

    def _try_again(self) -> None:
        self._hall.later(self._retry * self._chance.uniform(0.5, 1), self.connect)
        self._retry = min(LAST_RETRY, 2 * self._retry)

    def _close(self) -> None:
        if self._socket is not None:
            if not self._resting:
                self._hall.selector.unregister(self._socket)
            self._socket.close()
            self._socket = None
        self._talking = False
        self._resting = False
        self._tear = False
        self._thinking = False
        self._chosen = False

    # Talking

    def _readable(self) -> None:
        assert self._socket is not None
        try:
            data = self._socket.recv(65536)
        except BlockingIOError:
            return
        except OSError:
            data = b""
        self._take(data)

    def _take(self, data: bytes) -> None:
        self.moved = time.monotonic()
        self._unread += data
        if self._thinking and not data:
            # What came before the end is still to be read.
            self._thinking = False
            self._request = self._talk.send(b"")
        if not self._thinking:
            self._go_on(is_over=not data)

    def _wake(self, talk: client.Talk) -> None:
        """It has thought enough."""
        if self._thinking and self._talk is talk:
            self._thinking = False
            self._chosen = True
            self._request = talk.send(b"")
            self._go_on()

    def _go_on(self, *, is_over: bool = False) -> None:
        facts = self._session.facts
        known = len(facts)
        said = b""
        over = False
        try:
            while True:
                answer = b""
                if isinstance(self._request, client.Write):
                    said += self._request.data
                elif isinstance(self._request, client.Think):
                    if not is_over and not self._hall.is_hasty:
                        self._thinking = True
                        self._hall.later(self._request.seconds, partial(self._wake, self._talk))
                        break
                elif isinstance(self._request, client.Read):
                    count = self._request.count
                    if len(self._unread) < count:
                        if not is_over:
                            break
                        self._talk.throw(client.Closed())
                    answer, self._unread = self._unread[:count], self._unread[count:]
                    if self._asked_at:
                        self._hall.answered(time.monotonic() - self._asked_at)
                        self._asked_at = 0.0
                self._request = self._talk.send(answer)
        except StopIteration:
            over = True
        except (client.Nonsense, struct.error, ValueError, IndexError) as error:
            self._wrong(f"{type(error).__name__}: {error}")
            return
        for fact in facts[known:]:
            self._note(fact)
        if over:
            self._ended()
        elif said:
            self._say(said)

    def _note(self, fact: client.Fact) -> None:
        if fact.kind == "scores" and self.counts_hands:
            self._hall.count("hands")
        elif fact.kind == "seated":
            self._retry = FIRST_RETRY
            if self.refused_since:
                self._hall.let_in("refused", time.monotonic() - self.refused_since)
                self.refused_since = 0.0
            if self._lost_at:
                self._hall.let_in("come-back", time.monotonic() - self._lost_at)
                self._hall.count("come-backs")
                self._hall.count("seconds away", time.monotonic() - self._lost_at)
                self._lost_at = 0.0
            self.ticket = self._session.ticket
            if self.standing is PlayerStanding.COMING:
                self._stand(PlayerStanding.SEATED)

    def _say(self, said: bytes) -> None:
        assert self._socket is not None
        try:
            if self._tear:
                self._socket.send(said[: self._chance.randrange(len(said))])
                self._hall.count("drops")
                self._cut(reset=self._chance.random() < 0.5)
                return
            self._socket.sendall(said)
            if self._chosen:
                self._asked_at = 0.0 if self._resting else time.monotonic()
                self._chosen = False
        except OSError:
            # What the server said last is still there to be read; then comes the end.
            return

    def _ended(self) -> None:
        """The connection is over: keep what came over it, and see what is to be done."""
        self._close()
        session, came_with = self._session, self._came_with
        refused = next((fact for fact in session.facts if fact.kind == "refused"), None)
        if refused is not None:
            self._refused(refused)
            return
        self.ticket = session.ticket
        if any(fact.kind == "seated" for fact in session.facts):
            self.parts.append(ConnectionPart(came_with.hands if came_with else 0, session.facts))
            try:
                self.joined.add(session.facts)
            except Foul as foul:
                self._wrong(str(foul))
                return
        if any(fact.kind == "new game" and fact.numbers == (0,) for fact in session.facts):
            self._stand(PlayerStanding.DONE)
            return
        self._hall.count("connections lost")
        if self.ticket is None:
            self._stand(PlayerStanding.UNSEATED)
            return
        self._lost_at = self._lost_at or time.monotonic()
        self._try_again()

    def _refused(self, fact: client.Fact) -> None:
        code = fact.numbers[0]
        self._hall.count(f"refused {code}")
        if code in self._patient:
            self.refused_since = self.refused_since or time.monotonic()
            self._try_again()
            return
        self.trouble = f"refused: {code} {' '.join(fact.texts)}"
        self._stand(PlayerStanding.LOST if self.ticket is not None else PlayerStanding.UNSEATED)

    def _wrong(self, trouble: str) -> None:
        self._close()
        self.trouble = trouble
        if not self.parts or self.parts[-1].facts is not self._session.facts:
            came_with = self._came_with
            self.parts.append(
                ConnectionPart(came_with.hands if came_with else 0, self._session.facts)
            )
        self._stand(PlayerStanding.WRONG)

    def _stand(self, standing: PlayerStanding) -> None:
        self.standing = standing
        self._changed()

    # Losing the connection on purpose

    def give_up(self) -> None:
        self._close()
        if self.standing in (PlayerStanding.COMING, PlayerStanding.SEATED):
            self.standing = PlayerStanding.UNSEATED

    def drop(self, how: Drop) -> None:
        """Lose the connection while it plays."""
        match how:
            case Drop.TORN:
                self._tear = True
                return
            case Drop.SILENCE:
                self._rest()
                return
            case Drop.HALF_OPEN:
                assert self._socket is not None
                self._hall.selector.unregister(self._socket)
                self._hall.later(LIMBO_LIMIT, self._socket.close)
                self._hall.limbo.append(self._socket)
                self._socket = None
                self._end_talk()
            case Drop.CLOSE | Drop.RESET:
                self._cut(reset=how is Drop.RESET)
        self._hall.count("drops")

    def _rest(self) -> None:
        assert self._socket is not None
        self._hall.selector.unregister(self._socket)
        self._resting = True
        self._asked_at = 0.0
        silent = self._socket

        def wake() -> None:
            if self._socket is silent and self._resting:
                self._resting = False
                self._hall.selector.register(silent, selectors.EVENT_READ, self._readable)

        self._hall.count("silences")
        self._hall.later(self._chance.uniform(0.5, 3), wake)

    def _cut(self, *, reset: bool) -> None:
        assert self._socket is not None
        if reset:
            linger = struct.pack("ii", 1, 0)
            self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
        self._close()
        self._end_talk()

    def _end_talk(self) -> None:
        with contextlib.suppress(StopIteration):
            self._talk.throw(client.Closed())
        self._ended()

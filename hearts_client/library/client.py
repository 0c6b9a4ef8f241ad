"""A connection to a game server, for programs that play: an async iterator of events.

::

    async with connect("localhost", name="Ann") as client:
        async for event in client:
            if event == YourChoice(Question.CARD):
                await client.play(client.view.legal_cards[0])

Acknowledgements go out by themselves, with the next choice or when the next event is waited for.
A program that thinks for long between two events calls :meth:`Client.flush` before.

A connection that is lost in the middle of a session is made anew: ConnectionLost says so before
each try, CameBack and what follows what was missed (SocketSpec.md section 5.6), and the iterator
goes on to the end of the session. A server that has lost hands in a power cut refuses our count of
them; then we come back once more without a count.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from contextlib import suppress
from math import inf

import trio
from msgspec.structs import replace

from hearts.errors import LocalProtocolError
from hearts.game.cards import four
from hearts.game.view import proves_rest
from hearts.session.client_events import (
    ConnectionLost,
    DealerEvent,
    RegistrationRefused,
    Seated,
    SessionEnded,
)
from hearts.session.client_registration import RegistrationRequest
from hearts.session.messages import Refusal, TableInfo
from hearts.session.resume_token import ResumeToken
from hearts.session.table_words import PlayerChange
from hearts.table.inputs import Question
from hearts.wire.credentials import SeatCredentials

from .addresses import Addresses
from .choices import ClientChoices
from .dialects import Dialect, OpenSession, PlayerSide, sessions
from .reach import CannotConnect
from .retries import CLOSED, GONE, RETURN_LIMIT, Dial, Retries

DEFAULT_PORT = 7626
SILENT_FOR = 5.0
"""Seconds without a word after which the other addresses of a list are asked."""
PING_LIMIT = 3.0
"""Seconds before that in which a ping is answered, in the dialect that has one."""
Keep = Callable[[ResumeToken], Awaitable[bool]]


class Client(ClientChoices):
    """One player's session. One task iterates over it; any task may choose."""

    def __init__(
        self,
        stream: trio.abc.Stream,
        request: RegistrationRequest,
        dial: Dial | None = None,
        retries: Retries | None = None,
        open_session: OpenSession | None = None,
        addresses: Addresses | None = None,
    ) -> None:
        """``dial`` makes the next connection; without it the end of this one is the end.
        ``addresses`` are those where the game may be. ``open_session`` begins the session of a
        connection, in the plain dialect if nothing else is given.

        Raises LocalProtocolError for a name, table or password that cannot be sent.
        """
        self._open_session = open_session or sessions(Dialect.PLAIN)
        super().__init__(stream, self._open_session(request), dial, retries)
        self.keep: Keep | None = None
        """Stores our progress before a value is shown; returns True if nothing older is stored now.
        None for a program that ends with its session."""
        self._addresses = addresses
        self._silence = SILENT_FOR
        self._back_by = inf if request.come_back is None else trio.current_time() + RETURN_LIMIT
        self._may_count = True

    @property
    def names(self) -> tuple[str, str, str, str]:
        """The names of players 0-3. Raises LocalProtocolError before the table has its players."""
        return self._known_seat().names

    @property
    def credentials(self) -> SeatCredentials:
        """The numbers for the taunt server. Raises LocalProtocolError as :attr:`names` does."""
        return self._known_seat().credentials

    def _known_seat(self) -> Seated:
        if self.seated is None:
            raise LocalProtocolError("the table does not have its players yet")
        return self.seated

    @property
    def can_claim_rest(self) -> bool:
        """True if all tricks that are left are certain to be ours, and we may say so now."""
        session = self._session
        return session.speaks_dealer and session.asked is Question.CARD and proves_rest(self.view)

    @property
    def progress(self) -> ResumeToken | None:
        """The token to come back to our seat; None before we have it and after the end."""
        return self._session.progress

    @property
    def is_lost(self) -> bool:
        return self._retry_in is not None

    async def _refuse(self, refused: RegistrationRefused) -> SessionEnded | ConnectionLost:
        if refused.code == Refusal.NO_SUCH_GAME and self._may_count_too_much:
            self._may_count = False
            return await self._call_again(str(refused), 0.0)
        if refused.code == Refusal.SEAT_ELSEWHERE:
            self._retries.displaced = True
            return await self._call_again(str(refused), None)
        return await super()._refuse(refused)

    def _follow(self, event: DealerEvent) -> None:
        match event:
            case Seated():
                self.seated = event
            case TableInfo():
                self._back_by = inf
                self._retries.up(trio.current_time())
            case PlayerChange(_, info) if self.seated is not None:
                names = list(self.seated.names)
                names[info.player] = info.name
                self.seated = replace(self.seated, names=four(names))

    async def _read_more(self) -> None:
        if self._session.owes_cut:
            await self._show_cut()
        await super()._read_more()

    async def _show_cut(self) -> None:
        """Show our value for a deal, once its promise is kept with the place to come back to."""
        progress = self._session.progress  # It says that the value is shown.
        # What cannot be kept is tried again with the next bytes, such as those of P_WAITING.
        if self.keep is None or progress is None or await self.keep(progress):
            self._session.owes_cut = False
            self._session.show_cut()

    async def _receive_here(self) -> bytes:
        """Return the next bytes; none if the game is at another address of the list by now."""
        addresses = self._addresses
        if addresses is None or not addresses.has_others:
            return await super()._receive_here()
        data: bytes | Exception = b""
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self._look_elsewhere, addresses, nursery.cancel_scope)
            try:
                data = await super()._receive_here()
            except (*GONE, CannotConnect) as error:
                data = error
            nursery.cancel_scope.cancel()
        if isinstance(data, Exception):
            raise data
        return data

    async def _look_elsewhere(self, addresses: Addresses, receiving: trio.CancelScope) -> None:
        await trio.sleep(self._silence)
        if self._session.speaks_dealer and self._can_come_back:
            with suppress(LocalProtocolError):
                self._session.ping()
            # Whole, for a part of a frame could not be followed by another.
            with trio.CancelScope(shield=True):
                await self.flush()
            await trio.sleep(PING_LIMIT)
        while not await addresses.has_moved():  # noqa: ASYNC110  nobody tells
            await trio.sleep(self._silence)
        self._why = "another server has taken over"
        # If that is not so the next silence is a longer one.
        self._silence *= 2
        receiving.cancel()

    @property
    def host(self) -> str:
        """The address of the game, as far as it is known; else empty."""
        return "" if self._addresses is None else self._addresses.host

    # Coming back (SocketSpec.md section 5.6)

    @property
    def _can_come_back(self) -> bool:
        return self._dial is not None and self._session.progress is not None

    @property
    def _may_count_too_much(self) -> bool:
        """True if the server may have less than we have seen, as after a power cut."""
        progress = self._session.progress
        counts = progress is not None and progress.hands > 0
        return counts and self._may_count and self._dial is not None

    async def _lose(self, why: str) -> SessionEnded | ConnectionLost:
        wait = self._retries.lost(trio.current_time(), in_order=why == CLOSED)
        return await self._call_again(why, wait)

    def _next_session(self) -> PlayerSide:
        progress = self._session.progress
        assert progress is not None
        if not self._may_count:
            progress = progress.without_count()
        return self._open_session(RegistrationRequest.to_come_back(progress))

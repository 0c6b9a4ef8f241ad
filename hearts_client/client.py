"""A connection to a game server, for programs that play: an async iterator of events.

::

    async with connect("localhost", name="Ann") as client:
        async for event in client:
            if event == YourChoice(Question.CARD):
                await client.play(client.view.legal_cards[0])

Acknowledgements go out by themselves, with the next choice or when the next event is waited for.
Whoever thinks for long between two events calls :meth:`Client.flush` before.
"""

from __future__ import annotations

import contextlib
import os
import secrets
import socket
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

import trio

from hearts.cards import Card
from hearts.credentials import SeatCredentials
from hearts.errors import HeartsError, LocalProtocolError, RemoteProtocolError
from hearts.plain.client import ClientSession
from hearts.plain.client_events import ClientEvent, Refused, RegistrationRefused, Seated
from hearts.plain.client_registration import RegistrationRequest
from hearts.plain.messages import Options, TableInfo
from hearts.plain.tracker import Tracker
from hearts.table.messages import Question
from hearts.view import View

DEFAULT_PORT = 7626
CONNECT_LIMIT = 20.0
"""Seconds for reaching a server."""
SEND_LIMIT = 30.0
"""Seconds in which a server that reads takes our few bytes."""

_RECEIVE_BYTES = 4096
_GONE = (OSError, trio.BrokenResourceError, trio.ClosedResourceError)


class CannotConnect(HeartsError):
    """No server was reached; the text says where and why."""


def new_process_id() -> int:
    """A Process ID drawn by chance: half of the proof of a seat."""
    return secrets.randbelow(1 << 31)


class Client:
    """One player's connection. One task iterates over it; any task may choose."""

    def __init__(self, stream: trio.abc.Stream, request: RegistrationRequest) -> None:
        """Raises LocalProtocolError for a name, table or password that cannot be sent."""
        self._stream = stream
        self._session = ClientSession(request)
        self._sending = trio.Lock()
        self.tracker = Tracker()
        self.seated: Seated | None = None
        """Our seat and the four names, once the table has its players."""
        self.table: TableInfo | None = None
        """What is played, once the first game begins."""

    @property
    def player(self) -> int:
        """Our seat, 0-3; -1 while the server has given none."""
        return self._session.player

    @property
    def names(self) -> tuple[str, str, str, str]:
        """The names of players 0-3. Raises LocalProtocolError before the table has its players."""
        return self._known_seat().names

    @property
    def credentials(self) -> SeatCredentials:
        """What the taunt server wants to see. Raises LocalProtocolError as :attr:`names` does."""
        return self._known_seat().credentials

    def _known_seat(self) -> Seated:
        if self.seated is None:
            raise LocalProtocolError("the table does not have its players yet")
        return self.seated

    @property
    def view(self) -> View:
        """The game as we see it. Raises LocalProtocolError before the first hand."""
        return self.tracker.view()

    @property
    def asked(self) -> Question | None:
        """What we have to choose now, if anything."""
        return self._session.asked

    def __aiter__(self) -> Client:
        return self

    async def __anext__(self) -> ClientEvent:
        """The next event; the last one is SessionEnded or TablesListed.

        Raises RegistrationRefused where the server does not want us, and RemoteProtocolError for
        anything that no server of this protocol says.
        """
        while (event := self._session.next_event()) is None:
            if self._session.closed:
                raise StopAsyncIteration
            await self.flush()
            self._session.feed(await self._receive())
        self._note(event)
        return event

    def _note(self, event: ClientEvent) -> None:
        match event:
            case Refused(code, reason):
                raise RegistrationRefused(code, reason)
            case Seated():
                self.seated = event
            case TableInfo():
                self.table = event
        try:
            self.tracker.update(event)
        except RemoteProtocolError:
            self._session.close()
            raise

    async def _receive(self) -> bytes:
        # No deadline: a table may form for hours. TCP keep-alive finds a peer that is gone.
        try:
            return bytes(await self._stream.receive_some(_RECEIVE_BYTES))
        except _GONE:
            return b""

    async def flush(self) -> None:
        """Send what waits to be sent."""
        async with self._sending:
            data = self._session.bytes_to_send()
            if not data:
                return
            whole = False
            try:
                with trio.move_on_after(SEND_LIMIT):
                    await self._stream.send_all(data)
                    whole = True
            except _GONE:
                # What the server said last may still be there to be read; reading finds the end.
                whole = True
            finally:
                if not whole:
                    # A part of the bytes may be out: nothing sensible can follow them.
                    await trio.aclose_forcefully(self._stream)

    async def pass_cards(self, cards: Sequence[Card]) -> None:
        """Pass three different cards. Raises LocalProtocolError where that is not asked for."""
        self._session.pass_cards(cards)
        await self.flush()

    async def play(self, card: Card) -> None:
        """Play a card. Raises LocalProtocolError where that is not asked for."""
        self._session.play(card)
        await self.flush()

    async def choose_moon(self, on_others: bool) -> None:
        """26 points on each of the others, or 26 off our own. Raises LocalProtocolError."""
        self._session.choose_moon(on_others)
        await self.flush()

    async def play_again(self, yes: bool) -> None:
        """Answer whether another game is wanted. Raises LocalProtocolError."""
        self._session.play_again(yes)
        await self.flush()


@asynccontextmanager
async def connect(
    host: str,
    port: int = DEFAULT_PORT,
    *,
    name: str,
    table: str = "",
    options: Options | None = None,
    password: str = "",
    list_only: bool = False,
) -> AsyncIterator[Client]:
    """A client that is connected; the registration runs when it is iterated over.

    ``table`` is a public table to join, or a private one to join or open. ``options`` are wishes
    for the table, which count for whoever opens it. With ``list_only`` the only event is the
    public tables. Raises CannotConnect, and LocalProtocolError for a name that cannot be sent.
    """
    request = RegistrationRequest(name, new_process_id(), password, table, options, list_only)
    ClientSession(request)  # A bad name is found before anybody is called.
    stream = await open_stream(host, port)
    async with stream:
        yield Client(stream, request)


async def open_stream(host: str, port: int) -> trio.SocketStream:
    """A TCP connection with keep-alive. Raises CannotConnect, saying where and why."""
    try:
        with trio.fail_after(CONNECT_LIMIT):
            stream = await trio.open_tcp_stream(host, port)
    except trio.TooSlowError:
        raise CannotConnect(f"{where(host, port)} does not answer") from None
    except OSError as error:
        raise CannotConnect(f"cannot connect to {where(host, port)}: {_why(error)}") from None
    with contextlib.suppress(OSError):
        stream.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    return stream


def where(host: str, port: int) -> str:
    """An address as people write it, with an IPv6 address in brackets."""
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


def _why(error: OSError) -> str:
    """The reason behind trio's summary of several tries."""
    cause: BaseException | None = error.__cause__
    while isinstance(cause, BaseExceptionGroup):
        cause = cause.exceptions[0]
    told = cause if isinstance(cause, OSError) else error
    # A refusal's own text repeats the address that was tried.
    if isinstance(told, ConnectionError) and told.errno is not None:
        return os.strerror(told.errno)
    return told.strerror or str(told)

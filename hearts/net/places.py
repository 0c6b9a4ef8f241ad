"""Listening and connecting at a place: an address with a port, or a Unix socket."""

from __future__ import annotations

import socket
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

import trio

from hearts.settings.readers import Place, place_text
from hearts.settings.table import ConfigError

from .listen import bound_private_socket, bound_sockets, close_sockets, listen_at, open_listeners
from .tls import Certificate


@asynccontextmanager
async def bound_at(where: Place) -> AsyncIterator[list[socket.socket]]:
    """Sockets that are bound there; nothing is left of them at the end. Raises OSError.

    Only programs of this user can reach a Unix socket.
    """
    path = _path(where) if isinstance(where, str) else None
    bound = await bound_sockets(*where) if path is None else [bound_private_socket(path)]
    try:
        yield bound
    finally:
        close_sockets(bound)
        if path is not None:
            path.unlink(missing_ok=True)


def tls_at(where: Place | None, tls: Certificate | None) -> Certificate | None:
    """Choose the certificate for connections at a place: None at a Unix socket, else ``tls``.

    A Unix socket needs none, because nobody on the way can read what comes by it.
    """
    return None if isinstance(where, str) else tls


@asynccontextmanager
async def bound_for(where: Place | None, option: str) -> AsyncIterator[list[socket.socket]]:
    """As :func:`bound_at`, for the place that an option names, if any.

    Raises ConfigError if nobody can listen there.
    """
    if where is None:
        yield []
        return
    async with AsyncExitStack() as stack:
        try:
            bound = await stack.enter_async_context(bound_at(where))
        except OSError as error:
            raise ConfigError(
                f"{option}: cannot listen at {place_text(where)} ({error.strerror or error}); "
                "choose another place"
            ) from None
        yield bound


@asynccontextmanager
async def listening_at(
    where: Place | None, option: str
) -> AsyncIterator[list[trio.SocketListener]]:
    """Listeners at the place of :func:`bound_for`, which raises the same."""
    async with bound_for(where, option) as bound:
        yield listen_at(bound)


async def open_for_settings(host: str, port: int) -> list[trio.SocketListener]:
    """Listen where ``--host`` and ``--port`` say. Raises ConfigError."""
    try:
        return await open_listeners(host, port)
    except OSError as error:
        raise ConfigError(
            f"cannot listen on {host or 'any interface'}, port {port} ({error.strerror or error}); "
            "choose another with --host and --port, or stop the program that uses it"
        ) from None


async def connect_to(where: Place) -> trio.SocketStream:
    """Connect to the listener at a place. Raises OSError."""
    if isinstance(where, str):
        return await trio.open_unix_socket(str(_path(where)))
    return await trio.open_tcp_stream(*where)


def _path(where: str) -> Path:
    return Path(where).expanduser()

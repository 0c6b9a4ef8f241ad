"""What a server opens before anybody can play: its data dir, its certificate and its ports."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import trio
from msgspec import Struct
from msgspec.structs import replace

from hearts.net import Certificate, open_listeners
from hearts.net.places import listening_at
from hearts_server.config import AUTO, Config, ConfigError
from hearts_server.datadir import DataDir

from .made_passwords import made_password


class Opened(Struct, frozen=True):
    """A house that is open."""

    config: Config
    """As it was given, with the password that was made."""
    data_dir: DataDir
    listeners: list[trio.SocketListener]
    proxied: list[trio.SocketListener]
    """Those for proxies."""
    tls: Certificate | None
    """What is shown to those who connect, if they have to speak TLS."""
    password_is_made: bool


@asynccontextmanager
async def opened(config: Config) -> AsyncIterator[Opened]:
    """An open house, which is closed at the end. Raises ConfigError."""
    tls = Certificate.of_settings(config.tls_cert, config.tls_key)
    data_dir = DataDir(config.data_dir)
    is_made = config.password == AUTO
    listeners: list[trio.SocketListener] = []
    try:
        if is_made:
            config = replace(config, password=_own_password(data_dir))
        listeners = await _listen(config)
        async with listening_at(config.proxy_listen, "--proxy-listen", ConfigError) as proxied:
            yield Opened(config, data_dir, listeners, proxied, tls, is_made)
    finally:
        for listener in listeners:
            listener.socket.close()
        data_dir.close()


def _own_password(data_dir: DataDir) -> str:
    try:
        return data_dir.own_password(made_password)
    except OSError as error:
        raise ConfigError(
            f"--password auto: cannot keep one in {data_dir.path}: {error.strerror}"
        ) from None


async def _listen(config: Config) -> list[trio.SocketListener]:
    try:
        return await open_listeners(config.host, config.port)
    except OSError as error:
        raise ConfigError(
            f"cannot listen on {config.host or '*'}:{config.port}: {error.strerror or error}; "
            "choose another --port or --host"
        ) from None

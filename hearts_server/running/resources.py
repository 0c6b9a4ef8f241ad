"""The data dir, the certificate and the ports that a server opens before anybody can play."""

from __future__ import annotations

import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import trio
from msgspec import Struct
from msgspec.structs import replace

from hearts.net import Certificate
from hearts.net.listen import bound_sockets, close_sockets, listen_at
from hearts.net.places import bound_for
from hearts.settings.table import ConfigError
from hearts_server.config import AUTO, Config
from hearts_server.datadir import DataDir
from hearts_server.greeting import Greeting

from .invitation import made_password, nodes_password


class Opened(Struct, frozen=True):
    """The resources that a server has opened before it plays."""

    config: Config
    """The settings as given, with the password if one was made."""
    data_dir: DataDir
    bound: list[socket.socket]
    """The sockets of the game, which do not listen yet."""
    bound_for_proxies: list[socket.socket]
    tls: Certificate | None
    """The certificate for clients, if they have to speak TLS."""
    password_is_made: bool
    greeting: Greeting

    def listen(self) -> tuple[list[trio.SocketListener], list[trio.SocketListener]]:
        """Listen for players, and for proxies. Raises ConfigError."""
        try:
            return listen_at(self.bound), listen_at(self.bound_for_proxies)
        except OSError as error:
            raise _refused(self.config, error) from None


@asynccontextmanager
async def opened(config: Config) -> AsyncIterator[Opened]:
    """Open the resources of a server for the block. Raises ConfigError."""
    tls = Certificate.of_settings(config.tls_cert, config.tls_key)
    greeting = Greeting(config.name, config.welcome)
    data_dir = DataDir(config.data_dir)
    is_made = config.password == AUTO
    bound: list[socket.socket] = []
    try:
        if is_made:
            config = replace(config, password=_own_password(config, data_dir))
        try:
            bound = await bound_sockets(config.host, config.port)
        except OSError as error:
            raise _refused(config, error) from None
        async with bound_for(config.proxy_listen, "--proxy-listen") as for_proxies:
            yield Opened(config, data_dir, bound, for_proxies, tls, is_made, greeting)
    finally:
        close_sockets(bound)
        data_dir.close()


def _own_password(config: Config, data_dir: DataDir) -> str:
    if config.node:
        return nodes_password(data_dir.secret)
    try:
        return data_dir.own_password(made_password)
    except OSError as error:
        raise ConfigError(
            f"--password auto: cannot keep one in {data_dir.path}: {error.strerror}"
        ) from None


def _refused(config: Config, error: OSError) -> ConfigError:
    return ConfigError(
        f"cannot listen on {config.host or '*'}:{config.port}: {error.strerror or error}; "
        "choose another --port or --host"
    )

"""Numbers that follow from the settings of a server."""

from __future__ import annotations

from .config import Config

_SPARE_CONNECTIONS = 256
"""Connections beyond four a table: people who watch, list tables, or are about to be refused."""


def max_connections(config: Config) -> int:
    """The number of connections that a server with these settings serves at the same time."""
    return 4 * config.max_tables + _SPARE_CONNECTIONS


def has_chat(config: Config) -> bool:
    """Whether there is a taunt server with these settings, or is to be one."""
    own, elsewhere = not config.no_taunt_server, bool(config.taunt_port)
    return own or elsewhere or config.announce_socket is not None

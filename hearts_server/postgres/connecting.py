"""Connections to the database: their settings, their descriptions, and the errors in words.

No error has a text that a line of a session could be in: they go to the log.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

import psycopg
from msgspec import Struct
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from hearts_server.config import ConfigError, TryLater
from hearts_server.journal.store import closed_on_error

from .schema import LEAST_SERVER, NOT_OWN

Connection = psycopg.Connection[tuple[Any, ...]]

_UNLESS_GIVEN = {
    "connect_timeout": "5",
    # Of a cluster with a standby, the one that may be written.
    "target_session_attrs": "read-write",
    # A connection whose other end is gone is noticed within 12 s.
    "keepalives_idle": "5",
    "keepalives_interval": "2",
    "keepalives_count": "3",
    "tcp_user_timeout": "12000",
}
_SETTINGS = {
    "client_min_messages": "warning",
    "default_transaction_isolation": "read committed",
    "default_transaction_read_only": "off",
    "idle_in_transaction_session_timeout": "0",
    "idle_session_timeout": "0",
    "jit": "off",
    "lock_timeout": "0",
    "statement_timeout": "0",
    "tcp_keepalives_count": "3",
    "tcp_keepalives_idle": "5",
    "tcp_keepalives_interval": "2",
}
"""Settings that the host may have made for other programs. We never cut a commit short."""
_SET = (
    "SELECT set_config(name, value, false) FROM unnest(%s::text[], %s::text[]) AS s (name, value)"
    " UNION ALL SELECT set_config('synchronous_commit', 'on', false)"
    " WHERE current_setting('synchronous_commit') = 'off'"
)


class Database(Struct, frozen=True):
    """The place of a database."""

    url: str
    """As libpq reads it; it may have a password, and is shown to nobody."""

    def __str__(self) -> str:
        """Give what may be shown of it. Raises psycopg.Error for what libpq cannot read."""
        said = conninfo_to_dict(self.url)
        words = (("at", "host"), ("port", "port"), ("as", "user"))
        where = ", ".join(f"{word} {said[key]}" for word, key in words if said.get(key))
        return f"database {said.get('dbname', '')} ({where})"

    def connect(self) -> Connection:
        """Connect, in autocommit. Raises psycopg.Error."""
        said = conninfo_to_dict(self.url)
        defaults = {key: value for key, value in _UNLESS_GIVEN.items() if key not in said}
        url = make_conninfo(self.url, **defaults)
        connection = psycopg.connect(url, autocommit=True, application_name="hearts")
        with closed_on_error(connection):
            connection.execute(_SET, (list(_SETTINGS), list(_SETTINGS.values())))
        return connection

    def open(self) -> Connection:
        """The same for a program that begins. Raises ConfigError or TryLater."""
        try:
            str(self)
        except psycopg.Error:
            # libpq's own words would repeat a part of it.
            raise ConfigError("--store: this is no URL that libpq can read") from None
        with self.clear_errors():
            connection = self.connect()
        with closed_on_error(connection):
            if connection.info.parameter_status("server_encoding") != "UTF8":
                raise ConfigError(f"--store: the {self} has another encoding than UTF8")
            if connection.info.server_version < LEAST_SERVER * 10_000:
                raise ConfigError(f"--store: {self} is older than PostgreSQL {LEAST_SERVER}")
        return connection

    @contextlib.contextmanager
    def clear_errors(self) -> Iterator[None]:
        """Raise ConfigError or TryLater for an error of the database."""
        try:
            yield
        except psycopg.Error as error:
            what = f"--store: cannot use the {self}: {text_of(error)}"
            raise (TryLater if may_pass(error) else ConfigError)(what) from None


def text_of(error: psycopg.Error) -> str:
    """Give the text of an error, in one line and without values of a row."""
    return " ".join((error.diag.message_primary or str(error)).split())


def may_pass(error: psycopg.Error) -> bool:
    """Tell whether the database is at fault, and not what was to be stored."""
    return not (
        isinstance(error, psycopg.DataError | psycopg.IntegrityError) or error.sqlstate == NOT_OWN
    )

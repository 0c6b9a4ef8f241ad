"""A store in PostgreSQL as a place: a role with a schema of its own, cut off and copied."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from itertools import count

import psycopg
from psycopg.sql import SQL, Identifier

from hearts_server.postgres.connecting import Connection, Database
from hearts_server.postgres.journal import PostgresJournal
from hearts_server.postgres.opening import make_tables

from .server import NoPostgres, PostgresServer, no_postgres

_NUMBERS = count(1)
_TABLES = ("nodes", "sessions", "lines", "hands")


class Schema:
    """A role of a server, with a schema that its connections use."""

    def __init__(self, server: PostgresServer) -> None:
        self.server = server
        self.name = f"place{next(_NUMBERS)}"
        with self.admin() as admin:
            admin.execute(SQL("CREATE ROLE {} LOGIN").format(Identifier(self.name)))
            admin.execute(SQL("CREATE SCHEMA AUTHORIZATION {}").format(Identifier(self.name)))

    @property
    def url(self) -> str:
        return self.server.url(self.name)

    def open(self, on_trouble: Callable[[str | None], None] = lambda why: None) -> PostgresJournal:
        journal = PostgresJournal(self.url)
        journal.keeper.pack_at = 3
        journal.writer.retry_every = 0.02
        journal.on_trouble = on_trouble
        return journal

    @contextlib.contextmanager
    def broken(self) -> Iterator[None]:
        """The database lets the role in no more, and has cut its connections."""
        name = Identifier(self.name)
        with self.admin() as admin:
            admin.execute(SQL("ALTER ROLE {} NOLOGIN").format(name))
            self.cut()
            yield
            admin.execute(SQL("ALTER ROLE {} LOGIN").format(name))

    def cut(self) -> None:
        """Cut all connections of the role, and wait until they are gone."""
        with self.admin() as admin:
            admin.execute(
                "SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity WHERE usename = %s",
                (self.name,),
            )

    def copy(self) -> Schema:
        """Another role with what is committed now."""
        left = Schema(self.server)
        with left.connect() as connection:
            make_tables(connection, left.database)
        with self.admin() as admin, admin.transaction():
            admin.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
            for table in _TABLES:
                names = (Identifier(each.name, table) for each in (left, self))
                admin.execute(SQL("INSERT INTO {} SELECT * FROM {}").format(*names))
        return left

    @property
    def has_waiting(self) -> bool:
        """Whether a statement of the role waits for another one's transaction."""
        found = self.sql(
            "SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND usename = %s",
            self.name,
        )
        return bool(found)

    @property
    def database(self) -> Database:
        return Database(self.url)

    @contextlib.contextmanager
    def admin(self) -> Iterator[Connection]:
        with psycopg.connect(self.server.url(), autocommit=True) as connection:
            yield connection

    @contextlib.contextmanager
    def connect(self) -> Iterator[Connection]:
        with psycopg.connect(self.url, autocommit=True) as connection:
            yield connection

    def sql(self, statement: str, *values: object) -> list[tuple[object, ...]]:
        """Do one statement as the role."""
        with self.connect() as connection:
            cursor = connection.execute(statement, values)
            return cursor.fetchall() if cursor.description else []


@contextlib.contextmanager
def with_standby() -> Iterator[tuple[Schema, PostgresServer]]:
    """A place at a server of its own, and the standby for which its commits wait."""
    try:
        first = PostgresServer()
    except NoPostgres as error:
        no_postgres(error)
    with contextlib.ExitStack() as stack:
        stack.callback(first.close)
        place = Schema(first)
        second = PostgresServer(follows=first)
        stack.callback(second.close)
        with place.admin() as admin:
            admin.execute("ALTER SYSTEM SET synchronous_standby_names = '*'")
            admin.execute("SELECT pg_reload_conf()")
            state = "SELECT 1 FROM pg_stat_replication WHERE sync_state = 'sync'"
            while not admin.execute(state).fetchall():
                pass
        yield place, second

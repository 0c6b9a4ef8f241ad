"""Whatever request the connection breaks at, everything is stored once, and told when it is."""

from __future__ import annotations

from contextlib import closing
from enum import Enum, auto
from functools import partial

import pytest
import trio
from msgspec.structs import replace

from hearts_server.postgres.journal import PostgresJournal
from tests.journal.desk import COUNTS, SEATS, reread, running, session
from tests.standby.wires import CuttableWire, connect_to

from .place import Schema
from .server import PostgresServer

LINES = [f"{'deal' if n % 5 == 0 else 'play'} {n}" for n in range(20)]

LIMIT = 60
"""Seconds for a session, which takes far less."""


class Break(Enum):
    """Where a connection breaks."""

    BEFORE = auto()
    """The request does not reach the database."""
    AFTER = auto()
    """The database has done what was asked, and its answer does not come back."""


class Line(CuttableWire):
    """Carries what both sides say, until a request is reached at which it breaks, once."""

    def __init__(self, server: PostgresServer) -> None:
        super().__init__(partial(connect_to, server), breaks=self._breaks_at)
        self._left = -1
        self._how = Break.BEFORE
        self._loses_answer = False

    def break_at(self, request: int, how: Break) -> None:
        """Break at the request of this number from now on, from 0."""
        self._left, self._how = request, how

    @property
    def is_broken(self) -> bool:
        return self._left < 0

    def _breaks_at(self, is_request: bool, data: bytes) -> bool:
        # One side asks and waits for the other, so that one thread at a time is here.
        if is_request:
            is_here = self._left == 0
            self._left = max(-1, self._left - 1)
            self._loses_answer = is_here and self._how is Break.AFTER
            return is_here and self._how is Break.BEFORE
        return self._loses_answer


async def play(journal: PostgresJournal, number: int, acknowledged: list[str]) -> None:
    """A session from its beginning to its end, in commits of every kind."""
    begun = trio.Event()
    store = journal.begin(session(number), begun.set)
    await begun.wait()
    for at, line in enumerate(LINES):
        if at == 7:
            store.change_seat(1, replace(SEATS[1], network="198.51.100.9"))
        if at == 12:
            store.change_seat(0, replace(SEATS[0], said=COUNTS))
        done = trio.Event()

        def told(line: str, done: trio.Event) -> None:
            acknowledged.append(line)
            done.set()

        store.append(line, partial(told, line, done))
        await done.wait()
    ended = trio.Event()
    store.end("the players are done", ended.set)
    await ended.wait()
    acknowledged.append("the end")


@pytest.mark.parametrize("how", list(Break))
@pytest.mark.parametrize("step", [17, pytest.param(1, marks=pytest.mark.heavy)])
async def test_every_request(how: Break, step: int, postgres: PostgresServer) -> None:
    place = Schema(postgres)
    with closing(Line(postgres)) as line:
        url = f"postgresql://{place.name}@127.0.0.1:{line.port}/postgres?sslmode=disable"
        request, reached = 0, True
        while reached:
            acknowledged: list[str] = []
            number = request + 1
            journal = PostgresJournal(url)
            journal.writer.retry_every = 0.005
            journal.keeper.pack_at = 2
            refused: list[int] = []
            journal.on_refused = refused.append
            line.break_at(request, how)
            with trio.fail_after(LIMIT):
                async with running(journal):
                    await play(journal, number, acknowledged)
            reached = line.is_broken
            found = reread(place, 0)[number]
            assert acknowledged == [*LINES, "the end"]
            assert refused == []
            assert list(found.lines) == LINES
            assert found.why == "the players are done"
            assert found.session.seats[1].network == "198.51.100.9"
            assert found.session.seats[0].said == COUNTS
            request += step
    assert request > 30
    assert place.sql("SELECT count(*) FROM lines") == [(0,)]

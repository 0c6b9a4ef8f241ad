"""A server is killed, and its database, while tables play: everything comes to its end unharmed.

As in tests/integration/test_kills.py, the clients share no code with the server, and the referee
compares what each of them saw with what is stored.
"""

from __future__ import annotations

import contextlib
import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.integration.killing import LIMIT, Killer, check, play_to_the_end
from tests.soak.hall import Hall
from tests.soak.plan import TablePlan
from tests.soak.soak_server import ServerProcess, server

from .place import Schema, with_standby
from .server import PostgresServer

pytestmark = pytest.mark.heavy

TABLES = 3
KILLS = 20
ARGUMENTS = (
    *("--grace", "60", "--pause-limit", "600", "--turn-limit", "0", "--log-level", "warning"),
)


@pytest.fixture
def place(postgres: PostgresServer) -> Schema:
    return Schema(postgres)


@pytest.fixture
def process(tmp_path: Path, place: Schema) -> Iterator[ServerProcess]:
    with serving(tmp_path, place.url) as made:
        yield made


@contextlib.contextmanager
def serving(folder: Path, url: str) -> Iterator[ServerProcess]:
    with server(folder / "data", "--store", url, *ARGUMENTS) as made:
        made.begin()
        made.wait_ready()
        yield made


@pytest.fixture
def hall(process: ServerProcess, place: Schema, tmp_path: Path) -> Iterator[Hall]:
    with playing(process, place.url, tmp_path) as made:
        yield made


@contextlib.contextmanager
def playing(process: ServerProcess, url: str, folder: Path) -> Iterator[Hall]:
    plan = TablePlan(end_score=30, journal=url, stuck_after=LIMIT / 2)
    with contextlib.closing(
        Hall(("127.0.0.1", process.port), plan, range(TABLES), seed=1, faults=folder / "faults")
    ) as made:
        yield made


def test_the_server_is_killed(hall: Hall, process: ServerProcess) -> None:
    Killer(hall, process, KILLS)
    play_to_the_end(hall)
    process.wait_ready()
    assert process.lives == KILLS + 1
    assert hall.counts["come-backs"] > KILLS // 2
    check(hall, process)


def test_the_database_is_killed(hall: Hall, process: ServerProcess, place: Schema) -> None:
    chance = random.Random(3)
    left = 10

    def kill() -> None:
        nonlocal left
        if hall.has_newcomers:
            hall.later(0.005, kill)
            return
        place.server.stop()
        place.server.start()
        left -= 1
        if left:
            hall.later(chance.uniform(0.05, 0.4), kill)
        else:
            hall.close_doors()

    hall.later(0.1, kill)
    play_to_the_end(hall)
    assert process.lives == 1
    assert hall.counts["come-backs"] == 0
    check(hall, process, expected="journal-failing")


def test_a_failover_to_a_synchronous_standby_loses_nothing(tmp_path: Path) -> None:
    with contextlib.ExitStack() as stack:
        place, second = stack.enter_context(with_standby())
        first = place.server
        url = f"postgresql://{place.name}@/postgres?host={first.folder},{second.folder}"
        process = stack.enter_context(serving(tmp_path, url))
        hall = stack.enter_context(playing(process, url, tmp_path))

        def fail_over() -> None:
            if hall.counts["hands"] < 2 * TABLES or hall.has_newcomers:
                hall.later(0.005, fail_over)
                return
            first.stop()
            second.promote()
            hall.close_doors()

        fail_over()
        play_to_the_end(hall)
        assert hall.counts["come-backs"] == 0
        check(hall, process, expected="journal-failing")

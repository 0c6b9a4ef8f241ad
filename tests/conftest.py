"""For the whole test suite: hypothesis takes the same examples on every run and machine, four times
as many with HYPOTHESIS_PROFILE=long, and there are half as many workers again as processors, for
many tests wait for programs that they start.
What programs keep goes into a folder of the tests, not into the home of whoever runs them.

Python keeps what it has compiled, also if the environment says that it should not: workers read
every test file, and programs start by the hundred.
"""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Awaitable, Callable, Iterator, Sequence
from functools import partial
from inspect import iscoroutinefunction
from pathlib import Path

import pytest
import trio
from hypothesis import settings
from trio.abc import Clock, Instrument
from trio.testing import MockClock, active_thread_count

from hearts.game.events import Action, Event
from hearts.game.game import Game
from tests.postgres.server import NoPostgres, PostgresServer, no_postgres

settings.register_profile("short", deadline=None, derandomize=True, max_examples=15)
settings.register_profile("long", deadline=None, derandomize=True, max_examples=60)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "short"))

os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False


def pytest_addoption(parser: pytest.Parser) -> None:
    """Options of single tests."""
    parser.addoption(
        "--troubles", type=int, default=12, help="what happens to nodes in standby/test_nodes.py"
    )
    parser.addoption("--club-tables", type=int, default=6, help="tables that play there meanwhile")


def pytest_xdist_auto_num_workers() -> int:
    return max(1, (os.cpu_count() or 1) * 3 // 2)


def pytest_itemcollected(item: pytest.Item) -> None:
    """Let a test run in virtual time if its fixtures do: ``made``, a house, or ``at``, a screen."""
    virtual = {"made", "at", "autojump_clock"}
    if not isinstance(item, pytest.Function) or not iscoroutinefunction(item.obj):
        return
    if virtual & {*item.fixturenames}:
        item.add_marker(pytest.mark.trio(run=_in_virtual_time))


def _in_virtual_time(
    test: Callable[[], Awaitable[object]], clock: Clock | None, instruments: Sequence[Instrument]
) -> object:
    # pytest-trio looks for a clock among the arguments of the test alone.
    if clock is None:
        clock = mock = MockClock(autojump_threshold=0)
        mock.jump = partial(_jump, mock)  # type: ignore[method-assign]
    return trio.run(test, clock=clock, instruments=instruments)


def _jump(clock: MockClock, seconds: float) -> None:
    """Move the clock, but not while a thread stores something that a task waits for."""
    if not active_thread_count():
        MockClock.jump(clock, seconds)


def pytest_collection() -> None:
    """Look for no garbage in modules and cases, now and, as they are frozen, later."""
    gc.disable()


def pytest_collection_finish() -> None:
    gc.freeze()
    gc.set_threshold(10_000, 10, 10)  # a tenth of the time of 700
    gc.enable()


@pytest.fixture(scope="session")
def postgres() -> Iterator[PostgresServer]:
    """A PostgreSQL for all tests of this process, with a role and a schema for each."""
    try:
        server = PostgresServer()
    except NoPostgres as error:
        no_postgres(error)
    yield server
    server.close()


@pytest.fixture(scope="session", autouse=True)
def state_home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Where clients keep their games, unless a test says otherwise."""
    folder = tmp_path_factory.mktemp("state-home")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_STATE_HOME", str(folder))
        yield folder


@pytest.fixture
def applied(monkeypatch: pytest.MonkeyPatch) -> list[Action]:
    """The actions that any game was moved by."""
    actions: list[Action] = []
    apply = Game.apply

    def count(game: Game, action: Action) -> list[Event]:
        actions.append(action)
        return apply(game, action)

    monkeypatch.setattr(Game, "apply", count)
    return actions

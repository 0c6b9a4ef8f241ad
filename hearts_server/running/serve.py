"""The process of a server: runs it until a signal ends it in order, and gives the exit status."""

from __future__ import annotations

import gc
import os
import signal
import sys
from collections.abc import Awaitable, Callable, Iterable
from functools import partial
from typing import TYPE_CHECKING

import trio

from hearts.errors import leaves
from hearts.net.children import wait_for_parents_end
from hearts.net.log_lines import log_lines
from hearts.net.logline import EventLog
from hearts.net.system import allow_many_files
from hearts.settings.table import ConfigError
from hearts_server.config import PASSWORD_VARIABLE, Config, fills_container
from hearts_server.journal.store import TryLater

from .composition import Running, run_server

if TYPE_CHECKING:
    from .node import RunningNode

log = EventLog(__name__)

SWITCH_INTERVAL = 0.0005
"""Seconds after which the journal's thread gets its turn, for which a choice waits three times.

Python's own 5 ms are longer than most passes of a busy event loop.
"""
YOUNG = 20
"""New objects, less those that are gone, after which the garbage collector looks at the new ones,
while every table stands still.

Where each new one takes the place of an old one there are more of them. At 3,000 tables a look
takes 0.03 ms, 0.3 at worst; with 500 in place of 20 it takes 5 ms, 23 at worst, and all looks
together a third more."""
YOUNG_ROUNDS = 2
"""After more than so many of these rounds it looks at what they left too, in 0.6 ms at worst."""
NEVER = 1_000_000_000
FULL_EVERY = 3600.0
"""Seconds between two looks at all objects, if there are few tables then."""
FEW_TABLES = 10
"""A table has about 330 objects that are looked at."""
_BAD_SETTINGS = 2
_TRY_LATER = os.EX_TEMPFAIL


async def _run_until_signals(config: Config, lines_dropped: Callable[[], int]) -> None:
    """Run until SIGTERM or SIGINT: the first ends in order, a second one at once.

    SIGHUP is what a terminal sends that is closed, perhaps twice, and ends in order; without a
    terminal, and with ``nohup``, it is what a daemon gets to read its files again.
    """
    ends_with_terminal = signal.getsignal(signal.SIGHUP) is not signal.SIG_IGN and _has_terminal()
    with trio.open_signal_receiver(signal.SIGTERM, signal.SIGINT, signal.SIGHUP) as signals:
        async with trio.open_nursery() as nursery:
            say = partial(print, flush=True)
            runner: Callable[..., Awaitable[None]] = run_server
            if config.node:
                # A server that is no node needs nothing of them.
                from .node import run_node

                runner = run_node
            running: Running | RunningNode = await nursery.start(runner, config, say, lines_dropped)
            settle()
            nursery.start_soon(look_at_all, lambda: running.table_count)
            sys.setswitchinterval(SWITCH_INTERVAL)
            if config.exit_with_parent:
                nursery.start_soon(_end_with_parent, nursery.cancel_scope)
            draining = False
            async for number in signals:
                if number == signal.SIGHUP and not ends_with_terminal:
                    nursery.start_soon(running.greeting.read_again)
                    if running.tls is not None:
                        nursery.start_soon(running.tls.renew)
                elif not draining:
                    draining = True
                    nursery.start_soon(_drain, running, nursery.cancel_scope)
                elif number != signal.SIGHUP:
                    log.info("ending", at_once=True)
                    nursery.cancel_scope.cancel()


def _has_terminal() -> bool:
    # Asked now, for a terminal that is closed later is one that was there.
    try:
        os.close(os.open("/dev/tty", os.O_RDWR | os.O_NOCTTY))
    except OSError:
        return False
    return True


async def _end_with_parent(scope: trio.CancelScope) -> None:
    await wait_for_parents_end()
    log.info("ending", why="the parent is gone")
    scope.cancel()


async def _drain(running: Running | RunningNode, scope: trio.CancelScope) -> None:
    await running.drain()
    scope.cancel()


def serve(config: Config) -> int:
    """Serve until a signal; give the exit status. Raises ConfigError if strangers cannot be told
    from friends, as in a container that runs nothing else, whose ports somebody else publishes.
    """
    if fills_container() and not (
        config.open or config.password or config.host in ("127.0.0.1", "::1")
    ):
        raise ConfigError(
            "in a container nobody can tell who is a stranger: say --password auto, or --open for "
            "everybody"
        )
    # The chat's process has no use for it.
    os.environ.pop(PASSWORD_VARIABLE, None)
    with log_lines(config.log_level) as lines:
        try:
            allow_many_files()
            trio.run(_run_until_signals, config, lambda: lines.dropped)
        except* ConfigError as errors:
            problems = list(leaves(errors))
        else:
            log.info("stopped")
            return 0
        return _refuse(problems)


def _refuse(problems: Iterable[BaseException]) -> int:
    status = _TRY_LATER
    for problem in problems:
        print(f"hearts-server: {problem}", file=sys.stderr)
        if not isinstance(problem, TryLater):
            status = _BAD_SETTINGS
    return status


def settle() -> None:
    """Let the collector leave out all objects of now, because they live as long as the server.

    From here on the collector looks at new objects only. That finds the cycles of errors: an error
    with its traceback, a connection that never got a seat. Connections and tables that end in order
    leave none.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(YOUNG, YOUNG_ROUNDS, NEVER)


async def look_at_all(tables: Callable[[], int]) -> None:
    """Collect old garbage whenever there are few tables, until cancelled."""
    while True:
        await trio.sleep(FULL_EVERY)
        if tables() <= FEW_TABLES:
            gc.collect()

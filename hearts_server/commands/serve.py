"""The composition root: builds a server out of its settings, runs it, and ends it in order."""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Sequence
from contextlib import asynccontextmanager
from functools import partial

import trio
from msgspec import Struct
from msgspec.structs import replace

from hearts.errors import leaves
from hearts.net import (
    Certificate,
    Pump,
    TlsError,
    accept_connections,
    address_text,
    open_listeners,
)
from hearts.net.children import wait_for_parents_end
from hearts.net.descriptors import allow_many_files
from hearts.net.log_lines import log_lines
from hearts.net.logline import EventLog
from hearts.net.proxied import Proxied
from hearts_server.chat_process import TauntProcess
from hearts_server.collector import look_at_all, settle
from hearts_server.config import AUTO, PASSWORD_VARIABLE, Config, ConfigError, Durability, TryLater
from hearts_server.console.acts import Acts
from hearts_server.console.connections import Console
from hearts_server.console_protocol import CONSOLE_FILE
from hearts_server.datadir import DataDir
from hearts_server.journal.schema import JOURNAL_FILE
from hearts_server.journal.store import LastingJournal, StoredSession
from hearts_server.lobby.sessions import FINISHED_KEPT, MOST_FINISHED
from hearts_server.proxies import listening_for_proxies
from hearts_server.server import Server, max_connections
from hearts_server.upkeep import Upkeep, prune_now_and_then
from hearts_server.web_process import WebProcess, can_run

from .invitation import invitation, web_invitation
from .made_passwords import made_password

log = EventLog(__name__)

SWITCH_INTERVAL = 0.0005
"""Seconds after which the journal's thread gets its turn, for which a choice waits three times.

Python's own 5 ms are longer than most passes of a busy event loop.
"""
_NO_PAGE = "no page to play on in a browser"
_BAD_SETTINGS = 2
_TRY_LATER = os.EX_TEMPFAIL


class Running(Struct, frozen=True):
    """A server that listens."""

    server: Server
    host: str
    port: int
    taunt_port: int
    """0 if no taunt server was started and none is looked for."""
    proxy_port: int = 0
    """The port for proxies; 0 if there is none, or a Unix socket."""
    tls: Certificate | None = None
    """What it shows to those who connect, if it speaks TLS."""


async def run_server(
    config: Config,
    say: Callable[[str], None],
    lines_dropped: Callable[[], int] = int,
    task_status: trio.TaskStatus[Running] = trio.TASK_STATUS_IGNORED,
) -> None:
    """Run a server until it is cancelled, which ends it at once.

    ``say`` gets each line for the host's terminal; ``lines_dropped`` tells how many lines of the
    log nobody can read. Raises ConfigError when it cannot begin.
    """
    tls = _certificate(config)
    data_dir = DataDir(config.data_dir)
    is_made = config.password == AUTO
    if is_made:
        config = replace(config, password=_own_password(data_dir))
    listeners: list[trio.SocketListener] = []
    try:
        listeners = await _listen(config)
        async with (
            listening_for_proxies(config.proxy_listen) as proxied,
            _journal(config, data_dir) as (journal, stored),
            trio.open_nursery() as nursery,
        ):
            server = Server(config, data_dir, nursery, journal)
            server.metrics.log_lines_dropped.read = lines_dropped
            if journal is not None:
                journal.on_trouble = server.journal_trouble
                journal.on_refused = server.journal_refused
                server.metrics.watch_journal(journal)
                await _look_after(journal, server, config, nursery)
            await nursery.start(Console(Acts(server)).run, config.data_dir / CONSOLE_FILE)
            if config.metrics_port:
                server.metrics.say_build()
                nursery.start_soon(server.metrics.watch_loop)
                where = config.metrics_host, config.metrics_port
                pages = await nursery.start(_metrics_page(), *where, server.metrics.families)
                say(f"hearts-server shows metrics on http://{address_text(pages[0])}/metrics")
            taken_up = await server.take_up(stored)
            # They are in memory as tables now; as lines they would stay there for ever.
            stored.clear()
            if taken_up:
                say(f"hearts-server goes on with {_tables(taken_up)}, whose players may come back")
            web = _web(config, say)
            taunt_port = config.taunt_port
            if not config.no_taunt_server:
                options = _taunt_options(config)
                options += [] if web is None else ["--proxy-listen", web.chat_socket]
                where = config.taunt_address, taunt_port
                taunt = TauntProcess(server.chat, *where, data_dir.secret_file, options)
                taunt_port = await nursery.start(taunt.run, say)
            elif taunt_port or config.announce_socket is not None:
                where = _reachable(config.taunt_address), taunt_port
                voice = partial(server.chat.run, *where, path=config.announce_socket)
                nursery.start_soon(voice, config.tls_cert)
            if tls is not None:
                nursery.start_soon(tls.watch)
            pump = Pump()
            nursery.start_soon(pump.run)
            serve = partial(server.serve_connection, pump, tls)
            nursery.start_soon(accept_connections, listeners, server.admits, serve, nursery)
            # Nobody on the way can read what comes by a Unix socket.
            proxy_tls = None if isinstance(config.proxy_listen, str) else tls
            behind = Proxied(server.admits, partial(server.serve_connection, pump, proxy_tls))
            nursery.start_soon(accept_connections, proxied, behind.admits, behind.serve, nursery)
            for listener in proxied:
                say(f"hearts-server takes connections of proxies at {_where(config, listener)}")
            address = address_text(listeners[0])
            say(f"hearts-server listening on {address}")
            for line in invitation(config, address, taunt_port):
                say(line)
            if web is not None:
                behind = Proxied(server.admits, partial(server.serve_connection, pump, None))
                nursery.start_soon(web.run, behind, partial(_say_page, config, say))
            if is_made:
                say(f"the password is {config.password} (hearts-client asks for it)")
            host, port = listeners[0].socket.getsockname()[:2]
            proxy_port = 0 if isinstance(config.proxy_listen, str) else _port(proxied)
            task_status.started(Running(server, host, port, taunt_port, proxy_port, tls))
    finally:
        for listener in listeners:
            listener.socket.close()
        data_dir.close()


def _own_password(data_dir: DataDir) -> str:
    try:
        return data_dir.own_password(made_password)
    except OSError as error:
        data_dir.close()
        raise ConfigError(
            f"--password auto: cannot keep one in {data_dir.path}: {error.strerror}"
        ) from None


def _certificate(config: Config) -> Certificate | None:
    if config.tls_cert is None or config.tls_key is None:
        return None
    try:
        return Certificate(config.tls_cert, config.tls_key)
    except TlsError as error:
        raise ConfigError(f"{error}; check --tls-cert and --tls-key") from None


@asynccontextmanager
async def _journal(
    config: Config, data_dir: DataDir
) -> AsyncIterator[tuple[LastingJournal | None, list[StoredSession]]]:
    """The journal, if one is kept, and the sessions to go on with. It outlives the block."""
    if config.journal is Durability.OFF:
        yield None, []
        return
    # A server without a journal needs no database.
    from .stores import open_journal

    journal = await trio.to_thread.run_sync(open_journal, config)
    finished_since = int(time.time() - FINISHED_KEPT)
    try:
        data_dir.skip_to(await trio.to_thread.run_sync(journal.highest_game_number) + 1)
        stored = await trio.to_thread.run_sync(journal.read, finished_since, MOST_FINISHED)
    except BaseException:
        journal.close()
        raise
    async with trio.open_nursery() as nursery:
        await nursery.start(journal.run)
        yield journal, stored
        nursery.cancel_scope.cancel()


async def _look_after(
    journal: LastingJournal, server: Server, config: Config, nursery: trio.Nursery
) -> None:
    if config.store:
        # Its disk is not ours to look at.
        nursery.start_soon(prune_now_and_then, journal.prune, config.journal_size)
        return
    upkeep = Upkeep(
        config.data_dir / JOURNAL_FILE,
        server,
        journal.prune,
        min_free_space=config.min_free_space,
        journal_size=config.journal_size,
    )
    await nursery.start(upkeep.run)


def _metrics_page() -> Callable[..., Awaitable[object]]:
    try:
        from hearts_server.metrics.page import serve_metrics
    except ModuleNotFoundError as error:
        if error.name != "prometheus_client":
            raise
        raise ConfigError(
            "--metrics-port needs prometheus-client: "
            "pip install '.[metrics]' in a copy of the repository"
        ) from None
    return serve_metrics


def _tables(count: int) -> str:
    return "1 table" if count == 1 else f"{count} tables"


def _web(config: Config, say: Callable[[str], None]) -> WebProcess | None:
    """What serves the page for browsers, if it is wanted and can be had."""
    if config.no_web:
        return None
    if not can_run():
        say(f"{_NO_PAGE}: pip install '.[web]' in a copy of the repository; or say --no-web")
        return None
    try:
        return WebProcess(
            config.data_dir,
            config.web_address,
            config.web_port,
            has_chat=not config.no_taunt_server,
            options=_web_options(config),
        )
    except OSError as error:
        say(f"{_NO_PAGE}: {error}")
        return None


def _say_page(config: Config, say: Callable[[str], None], port: int | None) -> None:
    if port is None:
        say(f"{_NO_PAGE}: choose another --web-port, or say --no-web")
    else:
        say(web_invitation(config, port))


def _web_options(config: Config) -> list[str]:
    return [
        *_common_options(config),
        *("--max-websockets", str(min(2 * max_connections(config), 100_000))),
        # A page has two connections, and some more while it loads.
        *("--max-per-address", str(4 * config.max_per_address)),
    ]


def _taunt_options(config: Config) -> list[str]:
    limits = config.connections
    wider = (limits.ipv4[1], *limits.ipv6[1:])
    return [
        *_common_options(config),
        *("--max-connections", str(min(max_connections(config), 100_000))),
        *("--max-per-address", str(config.max_per_address)),
        *("--max-per-network", ",".join(str(limit) for limit in wider)),
    ]


def _common_options(config: Config) -> list[str]:
    tls = [] if config.tls_cert is None else ["--tls-cert", str(config.tls_cert)]
    tls += [] if config.tls_key is None else ["--tls-key", str(config.tls_key)]
    return [
        *tls,
        *("--accept-rate", str(config.accept_rate)),
        *("--accept-burst", str(config.accept_burst)),
        *("--log-level", config.log_level),
    ]


async def _listen(config: Config) -> list[trio.SocketListener]:
    try:
        return await open_listeners(config.host, config.port)
    except OSError as error:
        raise ConfigError(
            f"cannot listen on {config.host or '*'}:{config.port}: {error.strerror or error}; "
            "choose another --port or --host"
        ) from None


def _where(config: Config, listener: trio.SocketListener) -> str:
    if isinstance(config.proxy_listen, str):
        return config.proxy_listen
    return address_text(listener)


def _port(listeners: Sequence[trio.SocketListener]) -> int:
    return int(listeners[0].socket.getsockname()[1]) if listeners else 0


def _reachable(host: str) -> str:
    return {"": "127.0.0.1", "0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)


async def _run_until_signals(config: Config, lines_dropped: Callable[[], int]) -> None:
    """Run until SIGTERM or SIGINT: the first ends in order, a second one at once.

    SIGHUP is what a terminal sends that is closed, perhaps twice, and ends in order; without a
    terminal it is what a daemon gets to read its certificates again. ``nohup`` ignores it.
    """
    wanted = {signal.SIGTERM, signal.SIGINT, signal.SIGHUP}
    if signal.getsignal(signal.SIGHUP) is signal.SIG_IGN:
        wanted.remove(signal.SIGHUP)
    has_terminal = _has_terminal()
    with trio.open_signal_receiver(*wanted) as signals:
        async with trio.open_nursery() as nursery:
            say = partial(print, flush=True)
            running = await nursery.start(run_server, config, say, lines_dropped)
            settle()
            nursery.start_soon(look_at_all, lambda: len(running.server.sessions.running))
            sys.setswitchinterval(SWITCH_INTERVAL)
            if config.exit_with_parent:
                nursery.start_soon(_end_with_parent, nursery.cancel_scope)
            draining = False
            async for number in signals:
                if number == signal.SIGHUP and not has_terminal:
                    if running.tls is not None:
                        nursery.start_soon(running.tls.renew)
                elif not draining:
                    draining = True
                    nursery.start_soon(_drain, running.server, nursery.cancel_scope)
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


async def _drain(server: Server, scope: trio.CancelScope) -> None:
    await server.drain()
    scope.cancel()


def serve(config: Config) -> int:
    """Run a server with these settings until it is stopped; gives the exit status."""
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

"""The composition root: builds a server out of its settings, runs it, and ends it in order."""

from __future__ import annotations

import contextlib
import logging
import os
import resource
import signal
import socket
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial

import trio

from hearts.net import address_text, open_listeners

from .chat import run_taunt_server
from .config import Config, ConfigError, parse_config
from .datadir import DataDir
from .server import Server, max_connections

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Running:
    """A server that listens."""

    server: Server
    host: str
    port: int
    taunt_port: int
    """0 where no taunt server was started and none is looked for."""


async def run_server(
    config: Config,
    say: Callable[[str], None],
    task_status: trio.TaskStatus[Running] = trio.TASK_STATUS_IGNORED,
) -> None:
    """Run a server until it is cancelled, which ends it at once.

    ``say`` gets each line for the host's terminal. Raises ConfigError when it cannot begin.
    """
    data_dir = DataDir(config.data_dir)
    listeners: list[trio.SocketListener] = []
    try:
        listeners = await _listen(config)
        async with trio.open_nursery() as nursery:
            server = Server(config, data_dir, nursery)
            taunt_port = config.taunt_port
            if not config.no_taunt_server:
                start_chat = partial(
                    run_taunt_server,
                    secret_file=data_dir.secret_file,
                    options=_taunt_options(config),
                    say=say,
                )
                taunt_port = await nursery.start(start_chat, config.taunt_address, taunt_port)
            if taunt_port:
                nursery.start_soon(server.chat.run, _reachable(config.taunt_address), taunt_port)
            accept = partial(trio.serve_listeners, handler_nursery=nursery)
            nursery.start_soon(accept, server.serve_connection, listeners)
            address = address_text(listeners[0])
            say(f"hearts-server listening on {address}")
            for line in _advice(config, address):
                say(line)
            host, port = listeners[0].socket.getsockname()[:2]
            task_status.started(Running(server, host, port, taunt_port))
    finally:
        for listener in listeners:
            listener.socket.close()
        data_dir.close()


def _taunt_options(config: Config) -> list[str]:
    connections = min(max_connections(config), 100_000)
    per_address = config.max_per_address or connections
    return [
        *("--max-connections", str(connections)),
        *("--max-per-address", str(per_address)),
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


def _reachable(host: str) -> str:
    return {"": "127.0.0.1", "0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)


def _advice(config: Config, address: str) -> Iterator[str]:
    port = address.rpartition(":")[2]
    host = config.host
    if host in ("", "0.0.0.0", "::"):
        host = _own_address()
    name = f"[{host}]" if ":" in host else host
    where = name if port == "7626" else f"{name}:{port}"
    yield f"friends play with: hearts-client {where}"
    if not config.password and not host.startswith(("127.", "::1", "localhost")):
        yield (
            "warning: anybody who reaches this address can play; "
            "--password TEXT asks for a password"
        )


def _own_address() -> str:
    # Connecting a datagram socket sends nothing; it only picks the interface.
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
            return str(probe.getsockname()[0])
        except OSError:
            return socket.gethostname()


async def _run_until_signals(config: Config) -> None:
    """Run until SIGTERM or SIGINT: the first ends in order, a second one at once."""
    with trio.open_signal_receiver(signal.SIGTERM, signal.SIGINT) as signals:
        async with trio.open_nursery() as nursery:
            running = await nursery.start(run_server, config, partial(print, flush=True))
            if config.exit_with_parent:
                nursery.start_soon(_end_with_parent, nursery.cancel_scope)
            await anext(signals)
            nursery.start_soon(_drain, running.server, nursery.cancel_scope)
            await anext(signals)
            log.info("ending at-once=yes")
            nursery.cancel_scope.cancel()


async def _end_with_parent(scope: trio.CancelScope) -> None:
    # A thread, because standard input may be anything; it ends with the process.
    while await trio.to_thread.run_sync(os.read, 0, 1024, abandon_on_cancel=True):
        pass
    log.info("ending why=%r", "the parent is gone")
    scope.cancel()


async def _drain(server: Server, scope: trio.CancelScope) -> None:
    await server.drain()
    scope.cancel()


def main(arguments: Sequence[str] | None = None) -> int:
    """The command ``hearts-server``; gives the exit status."""
    problems: list[str] = []
    try:
        config = parse_config(sys.argv[1:] if arguments is None else arguments)
        logging.basicConfig(
            level=config.log_level.upper(),
            format="%(asctime)s %(levelname)s %(name)s %(message)s",
            stream=sys.stderr,
        )
        _allow_many_files()
        trio.run(_run_until_signals, config)
    except* ConfigError as errors:
        problems.extend(str(error) for error in _leaves(errors))
    for problem in problems:
        print(f"hearts-server: {problem}", file=sys.stderr)
    return 2 if problems else 0


def _allow_many_files() -> None:
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    # Where the system does not grant its own maximum, the limit stays as it is.
    with contextlib.suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


def _leaves(group: BaseExceptionGroup[ConfigError]) -> Iterator[BaseException]:
    for error in group.exceptions:
        if isinstance(error, BaseExceptionGroup):
            yield from _leaves(error)
        else:
            yield error

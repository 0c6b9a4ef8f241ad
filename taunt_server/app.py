"""The program: settings, listeners, signals, and the order in which it ends."""

from __future__ import annotations

import signal
import socket
import sys
from collections.abc import Callable, Sequence
from contextlib import AsyncExitStack
from functools import partial

import trio

from hearts.limits.arrivals import ArrivalLimiter
from hearts.net import Certificate, Pump, accept_connections, address_text
from hearts.net.children import wait_for_parents_end
from hearts.net.link import LINGER
from hearts.net.listen import Proxied
from hearts.net.log_lines import log_lines
from hearts.net.logline import EventLog
from hearts.net.places import listening_at, open_for_settings, tls_at
from hearts.settings.readers import Place
from hearts.settings.table import ConfigError

from .config import TauntConfig, load_secret, parse_arguments
from .server import TauntServer

_BAD_SETTINGS = 2
LEASE = 3.0
"""Seconds for which a lease is valid after the parent has renewed it."""
_LOOK_EVERY = 0.25

log = EventLog("taunt_server")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the taunt server; gives the exit status: 0 after an orderly end, 2 for bad settings."""
    try:
        config = parse_arguments(sys.argv[1:] if arguments is None else arguments)
        secret = load_secret(config.secret_file)
        tls = Certificate.of_settings(config.tls_cert, config.tls_key)
        with log_lines(config.log_level):
            trio.run(run, config, secret, tls)
    except ConfigError as error:
        print(f"taunt-server: {error}", file=sys.stderr)
        return _BAD_SETTINGS
    return 0


async def run(config: TauntConfig, secret: bytes, tls: Certificate | None) -> None:
    """Serve until a signal, or the end of the parent, then end in order; with TLS, if wanted.

    Raises ConfigError if the address cannot be listened on.
    """
    announcer = _announcer(config)
    places = config.proxy_listen
    announce_at = None if config.announce_socket is None else str(config.announce_socket)
    async with AsyncExitStack() as stack:

        async def listening(where: Place | None, option: str) -> list[trio.SocketListener]:
            return await stack.enter_async_context(listening_at(where, option))

        private = await listening(announce_at, "--announce-socket")
        proxied = [(tls_at(at, tls), await listening(at, "--proxy-listen")) for at in places]
        listeners = await open_for_settings(config.host, config.port)
        await _serve(config, secret, tls, listeners, announcer, private, proxied)


async def _serve(
    config: TauntConfig,
    secret: bytes,
    tls: Certificate | None,
    listeners: Sequence[trio.SocketListener],
    announcer: trio.SocketStream | None,
    private: Sequence[trio.SocketListener],
    proxied: Sequence[tuple[Certificate | None, Sequence[trio.SocketListener]]],
) -> None:
    server = TauntServer(
        secret,
        max_connections=config.max_connections,
        max_per_address=config.max_per_address,
        max_per_network=config.max_per_network,
        arrivals=ArrivalLimiter(config.accept_rate, config.accept_burst),
    )
    stop = trio.Event()
    pump = Pump()
    serve, serve_announcer = (
        partial(server.handle, pump, tls),
        partial(server.serve_announcer, pump),
    )
    async with trio.open_nursery() as watchers:
        await watchers.start(_watch_signals, config.exit_with_parent, stop, watchers.cancel_scope)
        lease = ParentsLease(server.let_go)
        if config.exit_with_parent:
            watchers.start_soon(_watch_parent, stop, lease.renew)
        admits = lease.admitting(server.admits) if config.lease else server.admits
        if config.lease:
            watchers.start_soon(lease.watch)
        if tls is not None:
            watchers.start_soon(tls.watch)
        # It outlives the connections, which read for a while after their end.
        watchers.start_soon(pump.run)
        async with trio.open_nursery() as connections:
            if announcer is not None:
                connections.start_soon(serve_announcer, announcer)
            async with trio.open_nursery() as accepting:
                accepting.start_soon(accept_connections, listeners, admits, serve, connections)
                for proxy_tls, behind_it in proxied:
                    behind = Proxied(admits, partial(server.handle, pump, proxy_tls))
                    accepting.start_soon(
                        accept_connections, behind_it, behind.admits, behind.serve, connections
                    )
                accept = partial(trio.serve_listeners, handler_nursery=connections)
                for listener in private:
                    accepting.start_soon(accept, serve_announcer, [listener])
                for listener in listeners:
                    print(f"taunt-server listening on {address_text(listener)}", flush=True)
                await stop.wait()
                accepting.cancel_scope.cancel()
            server.end()
            connections.cancel_scope.deadline = trio.current_time() + LINGER + 1
        watchers.cancel_scope.cancel()
    log.info("stopped")


def _announcer(config: TauntConfig) -> trio.SocketStream | None:
    if config.announce_fd is None:
        return None
    try:
        inherited = socket.socket(fileno=config.announce_fd)
        inherited.getpeername()
    except OSError:
        raise ConfigError(f"--announce-fd: {config.announce_fd} is no connected socket") from None
    inherited.set_inheritable(False)
    return trio.SocketStream(trio.socket.from_stdlib_socket(inherited))


async def _watch_signals(
    exit_with_parent: bool,
    stop: trio.Event,
    everything: trio.CancelScope,
    *,
    task_status: trio.TaskStatus[None] = trio.TASK_STATUS_IGNORED,
) -> None:
    # The interrupt key reaches every program of a terminal; a parent still has things to announce.
    with trio.open_signal_receiver(signal.SIGTERM, signal.SIGINT) as signals:
        task_status.started()
        async for number in signals:
            if number == signal.SIGINT and exit_with_parent:
                continue
            if stop.is_set():
                log.warning("stopping", signal=number, at_once=True)
                everything.cancel()
            else:
                log.info("stopping", signal=number)
            stop.set()


async def _watch_parent(stop: trio.Event, receive: Callable[[str], object]) -> None:
    await wait_for_parents_end(receive)
    log.info("stopping", why="the parent is gone")
    stop.set()


class ParentsLease:
    """Lets all players go when the lease is over, and nobody in until it is renewed."""

    def __init__(self, let_go: Callable[[str], None]) -> None:
        """``let_go`` ends all connections, for a reason."""
        self._let_go = let_go
        self._until = trio.current_time() + LEASE
        self._is_over = False

    def renew(self, _line: str) -> None:
        """Note that the parent has said that it may play."""
        self._until, self._is_over = trio.current_time() + LEASE, False

    def admitting(self, admits: Callable[[str], bool]) -> Callable[[str], bool]:
        """Return a check of an address as the given one, which lets nobody in while the lease is
        over.
        """
        return lambda address: not self._is_over and admits(address)

    async def watch(self) -> None:
        """Let the players go each time that the lease is over, until cancelled."""
        while True:
            await trio.sleep(_LOOK_EVERY)
            if not self._is_over and trio.current_time() > self._until:
                self._is_over = True
                self._let_go("the game server has lost its lease")

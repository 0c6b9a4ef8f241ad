"""The command ``hearts-web``: settings, listeners, signals, and the order in which it ends."""

from __future__ import annotations

import json
import signal
import sys
from collections.abc import Awaitable, Callable, Mapping, Sequence
from functools import partial
from importlib import resources
from pathlib import Path

import trio

from hearts.errors import leaves
from hearts.limits.arrivals import ArrivalLimiter
from hearts.limits.work import WorkLimits
from hearts.net import Certificate, accept_connections, address_text
from hearts.net.children import wait_for_parents_end
from hearts.net.link import LINGER
from hearts.net.listen import Proxied
from hearts.net.log_lines import log_lines
from hearts.net.logline import EventLog
from hearts.net.places import listening_at, open_for_settings, tls_at
from hearts.net.system import allow_many_files
from hearts.settings.table import ConfigError
from hearts.settings.version import program_version

from .asked import Hosts, Proxies, own_names
from .conversation import Site
from .files import LATER, PAGE, File, file_of, join_files, read_files, tag_of_all
from .gateway import Gateway
from .options import WebConfig, parse_arguments

_BAD_SETTINGS = 2
_HEARTS = resources.files("hearts")
_ASKED_FOR = {
    "/swift.bin": (_HEARTS / "bots/swift/swift.bin", "application/octet-stream"),
    "/lesson.json": (_HEARTS / "bots/lesson.json", "application/json"),
    "/words.txt": (_HEARTS / "names/english.txt", "text/plain; charset=utf-8"),
}
"""The network of the hints, the words of the first hand, and those that a secret is written down
as, which the page fetches if wanted."""
_KEPT = ("-192.png", ".webmanifest")
"""The endings of files that a browser keeps besides, so that it can show the page without us."""

log = EventLog("hearts_web")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the gateway; gives the exit status: 0 after an orderly end, 2 for bad settings."""
    status = _BAD_SETTINGS
    try:
        config = parse_arguments(sys.argv[1:] if arguments is None else arguments)
        files = site_files(PAGE, config)
        tls = Certificate.of_settings(config.tls_cert, config.tls_key)
        with log_lines(config.log_level):
            allow_many_files()
            trio.run(_run_until_signals, config, files, tls)
            log.info("stopped")
            status = 0
    except* ConfigError as errors:
        print(f"hearts-web: {next(leaves(errors))}", file=sys.stderr)
    return status


def site_files(folder: Path, config: WebConfig) -> Mapping[str, File]:
    """Return the files of the page, with its facts about this server. Raises ConfigError."""
    try:
        files = dict(read_files(folder))
        joined = join_files(files)
        for path, (file, kind) in _ASKED_FOR.items():
            files[path] = file_of(file.read_bytes(), kind)
        files |= joined
    except OSError as error:
        raise ConfigError(f"cannot read the page: {error.filename}: {error.strerror}") from None
    told = {
        "chat": config.chat is not None,
        "password": config.asks_password,
        "names": config.has_names,
        "version": program_version(),
        "page": tag_of_all(files),
        "files": [f".{path}" for path in files if _is_kept(path, path in joined)],
    }
    files["/config.json"] = file_of(json.dumps(told).encode(), "application/json")
    return files


def _is_kept(path: str, is_joined: bool) -> bool:
    return path.endswith(_KEPT) or (is_joined and not path.startswith(f"/{LATER}-"))


async def run(
    config: WebConfig,
    files: Mapping[str, File],
    tls: Certificate | None,
    say: Callable[[str], None],
    task_status: trio.TaskStatus[Gateway] = trio.TASK_STATUS_IGNORED,
) -> None:
    """Serve until cancelled. Raises ConfigError if the address cannot be listened on."""
    listeners = await open_for_settings(config.host, config.port)
    hosts = Hosts(await own_names() | config.names, tls)
    proxies = Proxies(tuple(config.forwarded_from), config.forwarded_header)
    is_secure = tls is not None or any(each.startswith("https:") for each in config.origin)
    site = Site(files, config.backends, hosts, frozenset(config.origin), proxies, is_secure)
    try:
        async with (
            listening_at(config.proxy_listen, "--proxy-listen") as proxied,
            trio.open_nursery() as nursery,
        ):
            gateway = Gateway(
                site,
                nursery,
                max_websockets=config.max_websockets,
                max_per_address=config.max_per_address,
                arrivals=ArrivalLimiter(config.accept_rate, config.accept_burst),
                work=WorkLimits(config.work_per_connection),
            )
            if tls is not None:
                nursery.start_soon(tls.watch)
            serve = partial(gateway.serve, tls)
            nursery.start_soon(accept_connections, listeners, gateway.admits, serve, nursery)
            proxy_tls = tls_at(config.proxy_listen, tls)
            behind = Proxied(gateway.admits, partial(gateway.serve, proxy_tls))
            nursery.start_soon(accept_connections, proxied, behind.admits, behind.serve, nursery)
            for listener in listeners:
                say(f"hearts-web listening on {address_text(listener)}")
            task_status.started(gateway)
    finally:
        for listener in listeners:
            listener.socket.close()


async def _run_until_signals(
    config: WebConfig, files: Mapping[str, File], tls: Certificate | None
) -> None:
    """Run until SIGTERM or SIGINT: the first ends in order, a second one at once."""
    with trio.open_signal_receiver(signal.SIGTERM, signal.SIGINT) as signals:
        async with trio.open_nursery() as nursery:
            say = partial(print, flush=True)
            gateway = await nursery.start(run, config, files, tls, say)
            stop = partial(_stop, gateway, nursery.cancel_scope)
            if config.exit_with_parent:
                nursery.start_soon(_follow_parent, gateway, stop)
            stopping = False
            async for number in signals:
                # The interrupt key reaches every program of a terminal; the parent ends us.
                if number == signal.SIGINT and config.exit_with_parent:
                    continue
                log.info("stopping", signal=number, at_once=stopping)
                if stopping:
                    nursery.cancel_scope.cancel()
                else:
                    stopping = True
                    nursery.start_soon(stop)


async def _stop(gateway: Gateway, scope: trio.CancelScope) -> None:
    with trio.move_on_after(LINGER + 1):
        await gateway.end()
    scope.cancel()


async def _follow_parent(gateway: Gateway, stop: Callable[[], Awaitable[None]]) -> None:
    """Hear which networks have seats, and stop when the parent is gone."""

    def receive(line: str) -> None:
        said, _, networks = line.partition(" ")
        if said == "seats":
            gateway.keep_for(networks.split())

    await wait_for_parents_end(receive)
    log.info("stopping", why="the parent is gone")
    await stop()

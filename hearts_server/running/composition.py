"""The composition root: builds a server out of its settings, and lets people play."""

from __future__ import annotations

import sys
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING

import trio
from msgspec import Struct

from hearts.bots.levels import SEARCHING
from hearts.errors import MissingExtra
from hearts.net import Certificate, Pump, accept_connections, address_text
from hearts.net.listen import Proxied
from hearts.net.places import tls_at
from hearts.settings.table import ConfigError
from hearts.wire.ssh_door import DoorOpened
from hearts.wire.text import count_of
from hearts_server.children.chat import Chat
from hearts_server.children.chat_process import TauntProcess, taunt_options
from hearts_server.children.standings import StandingsProcess
from hearts_server.children.thinkers import Thinkers
from hearts_server.children.web_process import NO_PAGE, web_process
from hearts_server.config import CONSOLE_FILE, JOURNAL_FILE, Config
from hearts_server.console.acts import Acts
from hearts_server.console.connections import Console
from hearts_server.console.desk import HelpDesk
from hearts_server.console.moderating import Moderating
from hearts_server.datadir import PAGE_CHAT, KeptNetworks, own_socket
from hearts_server.greeting import Greeting
from hearts_server.journal.threaded import ThreadedJournal
from hearts_server.metrics.counting import Family
from hearts_server.names.desk import NameOffice
from hearts_server.names.stored import Claim
from hearts_server.server import Server
from hearts_server.standings.kept import results_of
from hearts_server.upkeep import Upkeep, prune_now_and_then

from .invitation import invitation, ssh_invitation, web_invitation
from .left_sessions import LeftSessions, own_journal
from .resources import Opened, opened
from .ssh_door import SshDoor

if TYPE_CHECKING:
    # A server that is no node needs nothing of them.
    from hearts_server.standby.node import Node


class Running(Struct, frozen=True):
    """A server that listens."""

    server: Server
    host: str
    port: int
    greeting: Greeting
    taunt_port: int
    """0 if no taunt server was started and none is looked for."""
    proxy_port: int = 0
    """The port for proxies; 0 if there is none, or a Unix socket."""
    tls: Certificate | None = None
    """The certificate that it shows, if it speaks TLS."""
    thinkers: Thinkers | None = None
    """The processes that think for its computers, if they search."""

    @property
    def table_count(self) -> int:
        return len(self.server.sessions.running)

    async def drain(self) -> None:
        await self.server.drain()


async def run_server(  # noqa: ASYNC128  what it calls says that it has started
    config: Config,
    say: Callable[[str], None],
    lines_dropped: Callable[[], int] = int,
    task_status: trio.TaskStatus[Running] = trio.TASK_STATUS_IGNORED,
) -> None:
    """Run a server until it is cancelled, which ends it at once.

    ``say`` gets each line for the host's terminal; ``lines_dropped`` tells how many lines of the
    log nobody can read. Raises ConfigError if it cannot begin.
    """
    async with opened(config) as resources:
        # A client that connects while the journal is read waits, and is not refused.
        resources.listen()
        async with own_journal(resources.config, resources.data_dir) as (journal, left):
            await play(resources, journal, left, say, lines_dropped, task_status=task_status)


class NodePart(Struct, frozen=True):
    """The node whose server plays, all that its metrics page shows, and the networks it keeps."""

    node: Node
    families: list[Family]
    kept: KeptNetworks


async def play(
    resources: Opened,
    journal: ThreadedJournal | None,
    left: LeftSessions,
    say: Callable[[str], None],
    lines_dropped: Callable[[], int],
    part: NodePart | None = None,
    task_status: trio.TaskStatus[Running] = trio.TASK_STATUS_IGNORED,
) -> None:
    """Let people play, and go on with the sessions left, until cancelled.

    Raises ConfigError if it cannot begin.
    """
    config, tls = resources.config, resources.tls
    async with trio.open_nursery() as nursery:
        thinkers = thinkers_of(config)
        if thinkers is not None:
            nursery.start_soon(thinkers.run)
        server = Server(
            config,
            resources.data_dir,
            nursery,
            journal,
            thinkers=thinkers,
            kept=None if part is None else part.kept,
            greeting=resources.greeting,
        )
        if server.names is not None and journal is not None:
            nursery.start_soon(_standings(server, server.names, journal, resources.greeting).run)
        if server.names is not None and tls is not None:
            server.names.hosts = lambda: tls.names | frozenset(config.web_name)
        invited: list[str] = []
        await _attach(server, journal, config, nursery, lines_dropped, invited)
        if part is not None:
            part.families.extend(server.metrics.families)
        elif config.metrics_port:
            await show_metrics(config, server.metrics.families, lambda: True, nursery, say)
        server.sessions.awaited.expect(left.going_on, left.over)
        server.days.expect(left.of_days, left.read)
        # They are kept there now, and would stay in memory here.
        left.going_on.clear()
        left.over.clear()
        left.of_days.clear()
        if part is None:
            await nursery.start(server.take_up, left.read)
        else:
            # Its database may be away for long.
            nursery.start_soon(server.take_up, left.read)
        if going_on := server.sessions.count + server.sessions.awaited.count:
            tables = count_of(going_on, "table")
            say(f"hearts-server goes on with {tables}, whose players may come back")
        web = web_process(config, server.sessions.seats_by_network, say)
        page_chat = None if web is None else web.chat_socket
        if page_chat is None and not config.no_taunt_server:
            with suppress(OSError):
                page_chat = own_socket(config.data_dir, PAGE_CHAT)
        # A node does not keep those waiting who come back, and plays without a chat if need be.
        lease = None if part is None else lambda: part.node.is_open
        taunt_port = await _begin_chat(server.chat, resources, page_chat, nursery, say, lease)
        if tls is not None:
            nursery.start_soon(tls.watch)
        pump, admits = _at_node(server, None if part is None else part.node)
        nursery.start_soon(pump.run)
        listeners, proxied = resources.listen()
        serve = partial(server.serve_connection, pump, tls)
        nursery.start_soon(accept_connections, listeners, admits, serve, nursery)
        proxy_tls = tls_at(config.proxy_listen, tls)
        behind = Proxied(admits, partial(server.serve_connection, pump, proxy_tls))
        nursery.start_soon(accept_connections, proxied, behind.admits, behind.serve, nursery)

        def invite(line: str) -> None:
            invited.append(line)
            say(line)

        def invite_by_ssh(opened: DoorOpened, is_open: bool) -> None:
            line = ssh_invitation(config, opened)
            if is_open:
                invite(line)
            else:
                invited.remove(line)

        at_door = None if config.no_taunt_server else page_chat
        door = SshDoor(config, resources.data_dir.secret, at_door, invite_by_ssh)
        await nursery.start(door.run, admits, partial(server.serve_connection, pump, None))
        _print_addresses(config, proxied, address_text(listeners[0]), taunt_port, say, invite)
        if web is not None:
            behind = Proxied(admits, partial(server.serve_connection, pump, None))
            nursery.start_soon(web.run, behind, partial(_print_page, config, invite))
        if config.password:
            invited.append(f"the password is {config.password} (hearts-client asks for it)")
        if resources.password_is_made:
            # Others may read a log.
            said = sys.stdout.isatty()
            say(invited[-1] if said else "hearts-server invitation says the password")
        host, port = listeners[0].socket.getsockname()[:2]
        proxy_port = 0
        if proxied and not isinstance(config.proxy_listen, str):
            proxy_port = proxied[0].socket.getsockname()[1]
        running = Running(
            server, host, port, resources.greeting, taunt_port, proxy_port, tls, thinkers
        )
        task_status.started(running)


def _standings(
    server: Server, names: NameOffice, journal: ThreadedJournal, greeting: Greeting
) -> StandingsProcess:
    def happened() -> int:
        return server.sessions.ended + names.claims.stored.numbers

    def show(texts: Mapping[int, Sequence[str]]) -> None:
        greeting.standings = texts

    async def erased(numbers: Collection[int]) -> None:
        if numbers:
            with suppress(OSError):  # The next count says them again.
                await names.claims.forget(numbers)
            journal.renew_spool()

    async def results(claim: Claim) -> list[str]:
        tables = journal.keeper.tables
        return await journal.in_thread(lambda: results_of(tables, claim.name, claim.claimed))

    names.results = results
    return StandingsProcess(server.config, happened, show, erased)


def _at_node(server: Server, node: Node | None) -> tuple[Pump, Callable[[str], bool]]:
    """Return the pump for a server, which may lose its lease at a node, and who is admitted
    there.
    """
    if node is None:
        return Pump(), server.admits
    server.chat.may_tell = lambda: node.is_open
    node.lost = server.let_go
    return Pump(node), lambda address: not node.is_lost and server.admits(address)


async def _attach(
    server: Server,
    journal: ThreadedJournal | None,
    config: Config,
    nursery: trio.Nursery,
    lines_dropped: Callable[[], int],
    invited: list[str],
) -> None:
    """Connect a server with its journal, its console and its metrics."""
    server.metrics.show(log_lines_dropped_total=lines_dropped)
    if journal is not None:
        nursery.start_soon(prune_now_and_then, journal.writer.prune, config.journal_size)
        # Another disk is not ours to look at.
        if not config.store:
            path, lobby = config.data_dir / JOURNAL_FILE, server.lobby
            upkeep = Upkeep(path, lobby.close, server.notify_tables, config.min_free_space)
            await nursery.start(upkeep.run)
        journal.on_trouble = server.journal_trouble
        journal.on_refused = server.journal_refused
        server.metrics.watch_journal(journal)
    acts = Acts(server, invited)
    server.lobby.ask_host = HelpDesk(server, Moderating(acts), nursery).ask
    await nursery.start(Console(acts).run, config.data_dir / CONSOLE_FILE)
    if config.metrics_port:
        server.metrics.show_build()
        nursery.start_soon(server.metrics.watch_loop)


async def show_metrics(
    config: Config,
    families: Iterable[Family],
    is_ready: Callable[[], bool],
    nursery: trio.Nursery,
    say: Callable[[str], None],
) -> None:
    try:
        from hearts_server.metrics.page import serve_metrics
    except ModuleNotFoundError as error:
        if error.name != "prometheus_client":
            raise
        raise ConfigError(
            "--metrics-port needs prometheus-client: pip install 'hearts-server[metrics]'"
        ) from None
    where = config.metrics_host, config.metrics_port
    pages = await nursery.start(serve_metrics, *where, families, is_ready)
    say(f"hearts-server shows metrics on http://{address_text(pages[0])}/metrics")


async def _begin_chat(
    chat: Chat,
    resources: Opened,
    page_socket: str | None,
    nursery: trio.Nursery,
    say: Callable[[str], None],
    lease: Callable[[], bool] | None,
) -> int:
    """Begin to speak to a taunt server, which is started if the settings say so.

    Return its port; 0 if there is none. ``page_socket`` is the socket on which it listens for the
    page; ``lease`` tells whether a node may still play.
    """
    config, data_dir, taunt_port = resources.config, resources.data_dir, resources.config.taunt_port
    if not config.no_taunt_server:
        options = taunt_options(config)
        options += [] if page_socket is None else ["--proxy-listen", page_socket]
        where = config.taunt_address, taunt_port
        taunt = TauntProcess(chat, where, data_dir.secret_file, options, lease=lease)
        return int(await nursery.start(taunt.run, say))
    if taunt_port or config.announce_socket is not None:
        reached = {"": "127.0.0.1", "0.0.0.0": "127.0.0.1", "::": "::1"}
        host = reached.get(config.taunt_address, config.taunt_address)
        voice = partial(chat.run, host, taunt_port, path=config.announce_socket)
        nursery.start_soon(voice, config.tls_cert)
    return taunt_port


def _print_addresses(
    config: Config,
    proxied: Iterable[trio.SocketListener],
    address: str,
    taunt_port: int,
    say: Callable[[str], None],
    invite: Callable[[str], None],
) -> None:
    for listener in proxied:
        is_path = isinstance(config.proxy_listen, str)
        where = config.proxy_listen if is_path else address_text(listener)
        say(f"hearts-server takes connections of proxies at {where}")
    say(f"hearts-server listening on {address}")
    for line in invitation(config, address, taunt_port):
        invite(line)


def thinkers_of(config: Config) -> Thinkers | None:
    """Processes that think for computers, if these are to search. Raises ConfigError."""
    searching = [level for level in SEARCHING if level in config.levels]
    if not searching:
        return None
    try:
        return Thinkers(*searching)
    except MissingExtra as error:
        option = "--computers" if config.computers == "expert" else "--computer-levels"
        raise ConfigError(f"{option} expert: {error}") from None


def _print_page(config: Config, say: Callable[[str], None], port: int | None) -> None:
    """Tell the host where the page is; there is none without a port."""
    if port is None:
        say(f"{NO_PAGE}: choose another --web-port, or say --no-web")
    else:
        say(web_invitation(config, port))

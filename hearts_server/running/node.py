"""A server that is a node: it stands by until nobody plays, and plays then."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AsyncExitStack
from functools import partial

import trio
from msgspec import Struct

from hearts.net import Certificate
from hearts.net.logline import EventLog
from hearts.net.places import bound_for
from hearts.settings.version import program_version
from hearts_server.config import Config, psycopg_wanted
from hearts_server.greeting import Greeting
from hearts_server.journal.store import Fenced, TryLater
from hearts_server.metrics.counting import Family, Registry
from hearts_server.standby.agreement import declared, secret_mark
from hearts_server.standby.node import END_LIMIT, OVER, Node, NodeRows

from .composition import NodePart, Running, play, show_metrics, thinkers_of
from .left_sessions import claimed_journal
from .resources import Opened, opened

log = EventLog(__name__)

_EVERYWHERE = ("", "0.0.0.0", "::")


class RunningNode(Struct, eq=False):
    """A node that beats; it has the tables of a server while it plays."""

    node: Node
    greeting: Greeting
    tls: Certificate | None
    playing: Running | None = None
    """Set when it plays."""
    claimed: int = 0
    """The number of tables that it has claimed when it took over."""

    @property
    def table_count(self) -> int:
        return 0 if self.playing is None else self.playing.table_count

    def is_ready(self) -> bool:
        return self.playing is not None and self.node.is_open

    async def drain(self) -> None:
        """Stop at once if another node stands by, or as a server on its own does."""
        self.node.leave()
        if self.playing is None:
            return
        if self.node.others:
            await self.playing.server.hand_over()
        else:
            await self.playing.drain()


async def run_node(  # noqa: ASYNC128  what it calls says that it has started
    config: Config,
    say: Callable[[str], None],
    lines_dropped: Callable[[], int] = int,
    task_status: trio.TaskStatus[RunningNode] = trio.TASK_STATUS_IGNORED,
) -> None:
    """Run a node until it is cancelled, which ends it at once.

    Raises ConfigError when it cannot begin, and TryLater if others have gone on without it.
    """
    try:
        await _run_life(config, say, lines_dropped, task_status)
    except* Fenced:
        raise TryLater(OVER) from None


async def _run_life(
    config: Config,
    say: Callable[[str], None],
    lines_dropped: Callable[[], int],
    task_status: trio.TaskStatus[RunningNode],
) -> None:
    async with opened(config) as resources, AsyncExitStack() as held:
        for place in _ports_of_programs(config):
            await held.enter_async_context(bound_for(*place))
        # What is missing for play is to show now.
        thinkers_of(config)
        rows = await trio.to_thread.run_sync(_begin_life, resources)
        node = Node(rows)
        running = RunningNode(node, resources.greeting, resources.tls)
        figures = figures_of(config.node, node, lambda: running.claimed)
        log.info("node", name=config.node, life=rows.life)
        try:
            async with trio.open_nursery() as nursery:
                if config.metrics_port:
                    await show_metrics(config, figures, running.is_ready, nursery, say)
                nursery.start_soon(node.run)
                say(f"hearts-server stands by: node {config.node}")
                task_status.started(running)
                await node.took_over.wait()
                say(f"hearts-server plays: node {config.node}")
                await held.aclose()
                if resources.tls is not None:
                    await resources.tls.renew()
                async with claimed_journal(resources.config, resources.data_dir, rows.life) as (
                    journal,
                    left,
                    kept,
                ):
                    running.claimed = len(left.going_on)
                    log.info("took-over", tables=running.claimed)
                    part = NodePart(node, figures, kept)
                    begin = partial(play, resources, journal, left, say, lines_dropped, part)
                    async with trio.open_nursery() as tables:
                        running.playing = await tables.start(begin)
        finally:
            node.leave()
            with trio.move_on_after(END_LIMIT, shield=True):
                await node.end()


def figures_of(name: str, node: Node, claimed: Callable[[], int]) -> list[Family]:
    """Return the metrics of a node, from its start on; those of its server follow when it plays."""
    made = Registry()
    labels = (("node", name), ("life", str(node.life)))
    made.reading("hearts_node_info", "This node; always 1.", labels).read = lambda: 1
    figures: tuple[tuple[str, str, Callable[[], float]], ...] = (
        ("plays", "Whether it plays, and does not stand by.", lambda: node.plays),
        (
            "lease_seconds",
            "Seconds for which it may tell what is not stored; 0 if that is over.",
            lambda: node.lease_left,
        ),
        (
            "beat_age_seconds",
            "Seconds since the sending of its last good beat.",
            lambda: node.beat_age,
        ),
        ("others", "Other nodes that are live.", lambda: node.others),
        (
            "fence_waits",
            "Whether a silent node cannot be ended, for somebody holds its rows.",
            lambda: bool(node.waits_for),
        ),
        ("claimed_tables", "Tables that it has claimed when it took over.", claimed),
    )
    for key, text, read in figures:
        made.reading(f"hearts_node_{key}", text).read = read
    return made.families


def _ports_of_programs(config: Config) -> Iterator[tuple[tuple[str, int], str]]:
    """Return the places of chat and page, with their options: a port that is taken shows at
    once.
    """
    if not config.no_taunt_server and config.taunt_port:
        yield (config.taunt_address, config.taunt_port), "--taunt-port"
    if not config.no_web and config.web_port:
        yield (config.web_address, config.web_port), "--web-port"


def _begin_life(resources: Opened) -> NodeRows:
    with psycopg_wanted():
        from hearts_server.postgres.nodes import PostgresNode
        from hearts_server.postgres.schema import OLDEST, VERSION
    config, secret = resources.config, resources.data_dir.secret
    own = declared(config, secret, program_version(), VERSION, OLDEST)
    host = "" if config.host in _EVERYWHERE else config.host
    where = host, resources.bound[0].getsockname()[1]
    return PostgresNode(config.store, config.node, where, secret_mark(secret), own)

"""Two nodes of a club and one beside them: what a door costs, and what a second process brings.

Both nodes play: the lobby gives each table to the one by which most of its people have come, as
long as it has not many more than the other.
"""

from __future__ import annotations

import re
import statistics
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass
from enum import Enum
from pathlib import Path

from hearts.wire.credentials import SECRET_BYTES
from tests.postgres.server import PostgresServer

from .measures import BenchPlan
from .processes import ListeningProcess, Subject, ThreadTimes, clients, python, server_options
from .report import Table, milliseconds
from .runs import HUMAN_PAUSE, Run, run_plain, written
from .script import SessionScript
from .session import record_session


class Way(Enum):
    """How the clients of a run reach their tables."""

    ALONE = "a server alone"
    LOBBY = "at the lobby"
    DOOR = "through a door"
    BOTH = "at both nodes"
    """Every second client at each."""
    FRIENDS = "friends together"
    """Two tables at one node, the next two at the other: by turns of one table each node would get
    its own by chance."""


_TOGETHER = {Way.BOTH: "1", Way.FRIENDS: "8"}
"""How many clients in a row reach the same of two nodes."""


@dataclass(frozen=True, slots=True)
class NodesRun:
    """What one run came to."""

    run: Run
    door: ThreadTimes
    """Of the node that is not the lobby."""

    @property
    def door_per_hand(self) -> float:
        """Seconds of the other node for each hand."""
        return self.door.total / self.run.hands


def run_way(
    way: Way, script: SessionScript, path: Path, tables: int, options: Sequence[str] = ()
) -> NodesRun:
    """So many tables that store in PostgreSQL."""
    if way is Way.ALONE:
        run = run_plain(Subject.POSTGRES, script, path, tables, options)
        return NodesRun(run, ThreadTimes(0.0, 0.0, 0.0))
    with two_nodes(script) as (lobby, door):
        reached = ListeningProcess(
            lobby.pid, door.port if way is Way.DOOR else lobby.port, lobby.database
        )
        together = _TOGETHER.get(way)
        other = [] if together is None else ["--other", str(door.port), "--together", together]
        with clients(reached, path, tables, [*options, *other]) as players:
            before = door.cpu()
            load, cpu = players.play()
            spent = door.cpu().since(before)
        return NodesRun(Run(load, cpu, script.hands_of(load.received)), spent)


@contextmanager
def two_nodes(script: SessionScript) -> Iterator[tuple[ListeningProcess, ListeningProcess]]:
    """The lobby of a club and its other node, which are gone at the end of the block."""
    with ExitStack() as stack:
        postgres = stack.enter_context(closing(PostgresServer(syncs=True)))
        found = []
        for name, sign in (("first", "listening on"), ("second", "is node second at")):
            folder = stack.enter_context(tempfile.TemporaryDirectory())
            secret = Path(folder) / "secret"
            secret.write_bytes(bytes(SECRET_BYTES))
            secret.chmod(0o600)
            command = server_options(folder, script)
            command += ["--node", name, "--node-listen", "127.0.0.1:0", "--store", postgres.url()]
            process = stack.enter_context(python(command))
            assert process.stdout is not None
            # The lobby says before that it is a node; it takes clients a moment later.
            for line in process.stdout:
                port = re.search(rf"{sign} 127\.0\.0\.1:(\d+)", line)
                if port is not None:
                    break
            else:
                raise RuntimeError(f"node {name} does not listen")
            found.append(ListeningProcess(process.pid, int(port[1]), postgres.pid))
        yield found[0], found[1]


def measure_nodes(plan: BenchPlan) -> Iterator[Table]:
    """The same hands at a server alone and at two nodes, reached in each way, in turn."""
    speed = []
    for tables in plan.tables:
        fast = _rounds(plan, plan.hands_per_table(tables), tables)
        speed += [[str(tables), way.value, *_costs(runs)] for way, runs in fast.items()]
    yield Table(
        "Nodes at full speed: CPU per hand, ms, and a play, ms",
        ["tables", "clients", "lobby", "door", "database", "hands a second", "p50", "p99"],
        speed,
    )
    pace = []
    slowly = ["--pause", *HUMAN_PAUSE, "--limit", f"{plan.pace_seconds:g}"]
    for tables in plan.tables:
        slow = _rounds(plan, 4 + int(plan.pace_seconds), tables, slowly)
        for way, runs in slow.items():
            plays = statistics.median(each.run.load.plays for each in runs)
            pace.append([str(tables), way.value, *_latencies(runs), f"{plays:.0f}"])
    yield Table(
        "Nodes at a human pace: a play, ms", ["tables", "clients", "p50", "p99", "plays"], pace
    )


def _costs(runs: Sequence[NodesRun]) -> list[str]:
    times = (
        [each.run.cpu_per_hand for each in runs],
        [each.door_per_hand for each in runs],
        [each.run.cpu.database / each.run.hands for each in runs],
    )
    hands = statistics.median(each.run.hands_per_second for each in runs)
    return [*(milliseconds(statistics.median(t)) for t in times), f"{hands:.0f}", *_latencies(runs)]


def _rounds(
    plan: BenchPlan, hands: int, tables: int, options: Sequence[str] = ()
) -> dict[Way, list[NodesRun]]:
    runs: dict[Way, list[NodesRun]] = {way: [] for way in Way}
    script = record_session(hands)
    with written(script) as path:
        for _ in range(plan.rounds):
            for way in Way:
                runs[way].append(run_way(way, script, path, tables, options))
    return runs


def _latencies(runs: Sequence[NodesRun]) -> list[str]:
    return [
        milliseconds(statistics.median(each.run.latency(percent) for each in runs))
        for percent in (50, 99)
    ]

"""The part ``thinking``: more and more tables of a person with three computers, at one server.

``python -m tests.bench.thinking PORT`` is the load. Each line of its standard input says how many
tables more there are to be, and for how many seconds they begin, and then play.
"""

from __future__ import annotations

import json
import random
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import trio

from hearts.bots import SimpleBot
from hearts.bots.levels import expert
from hearts.game.events import CardPlayed
from hearts.session.client_events import YourChoice
from hearts.session.messages import Options
from hearts.table.inputs import Question
from hearts_client.library.connecting import connect

from . import processes as pr
from .report import Figures, percentile
from .runs import written
from .session import record_session

TABLES = (16, 64, 128, 192, 256, 512)
BESIDE = 128
"""Tables of four people."""
PAUSE = (1.0, 6.0)
"""Seconds that a person thinks."""
_THREE = Options(computers=frozenset({1, 2, 3}))


@dataclass(slots=True)
class _People:
    """People with three computers each."""

    port: int
    waits: list[float] = field(default_factory=list)
    """Seconds from a person's card to the next question: three computers choose a card."""
    computers: int = 0
    """Cards and passes of computers."""

    async def sit_down(self, after: float) -> None:
        await trio.sleep(after)
        bot, played = SimpleBot(), 0.0
        async with connect("127.0.0.1", self.port, name="Ann", options=_THREE) as client:
            async for event in client:
                match event:
                    case CardPlayed(player):
                        self.computers += player != client.player
                    case YourChoice(Question.AGAIN):
                        await client.play_again(yes=True)
                    case YourChoice(Question.PASS):
                        await trio.sleep(random.uniform(*PAUSE))
                        self.computers += 3
                        await client.pass_cards(bot.choose_pass(client.view))
                    case YourChoice(Question.CARD):
                        if played:
                            self.waits.append(time.perf_counter() - played)
                        await trio.sleep(random.uniform(*PAUSE))
                        # After the last card comes another hand.
                        played = time.perf_counter() if len(client.view.cards) > 1 else 0.0
                        await client.play(bot.choose_card(client.view))


async def _load(port: int) -> None:
    people = _People(port)
    async with trio.open_nursery() as nursery:
        while line := await trio.to_thread.run_sync(sys.stdin.readline):
            more, seconds = map(float, line.split())
            for _ in range(int(more)):
                # They are not to pass their cards all at once.
                nursery.start_soon(people.sit_down, random.uniform(0, seconds))
            await trio.sleep(seconds)
            print("ready", flush=True)
            people.waits, people.computers = [], 0
            await trio.sleep(seconds)
            print(json.dumps([people.computers, people.waits]), flush=True)


def _answers(pid: int) -> int:
    """The writes of a thinking process: READY, and the answers."""
    words = Path(f"/proc/{pid}/io").read_text().split()
    return int(words[words.index("syscw:") + 1])


def _thought(server: pr.ListeningProcess) -> tuple[float, int]:
    """Seconds of CPU and answers so far of all thinking processes."""
    threads = Path(f"/proc/{server.pid}/task").iterdir()
    pids = [int(pid) for each in threads for pid in (each / "children").read_text().split()]
    return sum(map(pr.cpu_of_family, pids)), sum(map(_answers, pids))


def measure_thinking(
    tables: tuple[int, ...], seconds: float, kept: Path | None = None, level: str = "expert"
) -> Iterator[Figures]:
    """A server with ever more tables, and beside them those of four people who are timed."""
    rows = []
    script = record_session(24)
    beside = ["--pause", *map(str, PAUSE), "--limit", f"{seconds:g}"]
    computers = ("--computers", level, "--bot-pause", "0")
    with written(script) as path, pr.listening(pr.SERVER, script, path, computers) as server:
        if level == "expert":
            expert(random.random)  # It is compiled, which a worker need not wait for.
            while not _thought(server)[1]:
                time.sleep(0.1)
        with pr.python(["-m", "tests.bench.thinking", str(server.port)]) as load:
            assert load.stdin is not None
            assert load.stdout is not None
            for before, there in zip((0, *tables), tables, strict=False):
                with pr.clients(server, path, BESIDE, beside) as people:
                    print(there - before, seconds, file=load.stdin, flush=True)
                    load.stdout.readline()
                    cpu_before, answers_before = _thought(server)
                    result, times = people.play()
                    cpu, answers = _thought(server)
                    cpu, answers = cpu - cpu_before, answers - answers_before
                    choices, waits = json.loads(load.stdout.readline())
                plays, waits = sorted(result.latencies) or [0.0], sorted(waits) or [0.0]
                row = {
                    "people": 1,
                    "tables": there,
                    "does count": True,
                    "thinking": cpu / result.seconds,
                    "server": sum(times.values()) / result.seconds,
                    "a choice": cpu / max(answers, 1),
                    "thought about": answers / max(choices, 1),
                    **{f"wait {each}": percentile(waits, each) for each in (50, 99, 100)},
                    "a play beside": percentile(plays, 99),
                }
                rows.append(row)
                if kept is not None:
                    with kept.open("a", encoding="utf-8") as file:
                        file.write(json.dumps(row) + "\n")
    header = [name for name in rows[0] if name not in ("people", "does count")]
    cells = [[f"{row[name]:.4g}" for name in header] for row in rows]
    yield Figures(f"A person with three of {level}: shares of a core, s", header, cells)


if __name__ == "__main__":
    trio.run(_load, int(sys.argv[1]))

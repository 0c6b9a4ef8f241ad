"""Tables that live at all nodes of a club: who plays which, who is led where, what a death changes.

As in test_nodes.py the nodes are processes, and the clients share no code with them.
"""

from __future__ import annotations

import contextlib
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path

import pytest
import trio

from hearts.session.messages import Refusal
from hearts_server.club.tables import UNEVEN
from tests.independent.client import Fact, Session, Settings
from tests.integration.dealers import eventually, until
from tests.integration.house import HEARTS, Caller, judge, listed, options, register, text
from tests.postgres.place import Schema
from tests.postgres.server import PostgresServer
from tests.soak.hall import Hall
from tests.soak.plan import TablePlan

from .nodes import Club, NodeProcess, club
from .test_nodes import ARGUMENTS, LIMIT, check_stored, through

pytestmark = pytest.mark.heavy

FREE = ("--accept-rate", "0", "--max-per-address", "0", "--log-level", "info")
"""Nobody is refused for coming often."""

SHORT = (HEARTS, 5, 0)
"""A session of about one hand."""


@pytest.fixture
def place(postgres: PostgresServer) -> Schema:
    return Schema(postgres)


@contextlib.contextmanager
def spread(folder: Path, place: Schema, count: int, *more: str) -> Iterator[Club]:
    """Nodes that log what they do, and of which the lobby has heard: it gives tables to all."""
    with club(folder, place, count, *ARGUMENTS, *FREE, *more) as made:
        while made.nodes[0].process.log.read_text().count(" event=node-heard ") < count:
            time.sleep(0.02)
        yield made


@pytest.fixture
def two(tmp_path: Path, place: Schema) -> Iterator[Club]:
    with spread(tmp_path, place, 2, "--fill-after", "never") as made:
        yield made


def owners(place: Schema) -> dict[int, str]:
    """The nodes of the sessions that go on, by game number."""
    found = place.sql(
        "SELECT s.game_number, n.name FROM sessions AS s JOIN nodes AS n ON n.life = s.life"
        " WHERE s.ended IS NULL ORDER BY s.game_number"
    )
    return {int(str(number)): str(name) for number, name in found}


async def until_known(node: NodeProcess, *names: str) -> None:
    """Wait until these people are listed as those of one table that plays."""
    while True:
        caller = await through(node)
        await caller.number()
        await caller.send(text("Eve"))
        shown = await listed(caller)
        await caller.stream.aclose()
        if any(set(names) <= set(players) and number for _, number, _, players in shown):
            return


class People:
    """Four people who play at one table, all of them through one node."""

    def __init__(self, table: str | None, think: float, seed: int) -> None:
        self.sessions = [
            Session(
                Settings(
                    name=f"{name}{seed}",
                    process_id=10 * seed + n,
                    table=table,
                    options=SHORT,
                    seed=10 * seed + n,
                    think_seconds=think,
                    think_chance=1.0 if think else 0.0,
                )
            )
            for n, name in enumerate(("Ann", "Bob", "Cleo", "Dan"))
        ]

    @property
    def has_begun(self) -> bool:
        return all(len(session.facts) > 2 for session in self.sessions)

    async def play(self, node: NodeProcess) -> None:
        """Play to the end, over connections that never break."""
        async with trio.open_nursery() as nursery:
            for session in self.sessions:
                nursery.start_soon(self._one, session, node)
        assert judge(self.sessions).games == 1

    @staticmethod
    async def _one(session: Session, node: NodeProcess) -> None:
        caller = await through(node)
        await caller.converse(session.talk())
        await caller.stream.aclose()


def has_seen(facts: Sequence[Fact], count: int) -> bool:
    """Whether a client knows of more than so much."""
    return len(facts) > count


async def alone(node: NodeProcess, name: str, *blocks: int | bytes) -> Caller:
    """Somebody at a table with computers, which begins at once."""
    caller = await through(node)
    await register(caller, *blocks, -2, *options(end=100, computers=0b1110), name=name)
    return caller


async def test_tables_of_other_nodes_go_on_when_the_lobby_dies(two: Club, place: Schema) -> None:
    lobby, other = two.nodes
    people = People(None, think=0.1, seed=1)
    with trio.fail_after(LIMIT):
        first = await alone(lobby, "Eve")
        await first.seated()
        async with trio.open_nursery() as nursery:
            nursery.start_soon(people.play, other)
            await eventually(lambda: people.has_begun)
            assert owners(place) == {1: lobby.name, 2: other.name}
            lobby.process.kill()
        # The table that the lobby played has been taken up.
        await eventually(lambda: owners(place) == {1: other.name})
        await first.stream.aclose()


async def test_the_list_and_names_are_the_club_s(two: Club, place: Schema) -> None:
    lobby, other = two.nodes
    with trio.fail_after(LIMIT):
        first = await alone(lobby, "Ann", -4, text("private"))
        assert await first.number() == 0
        await first.seated()
        second = await alone(other, "Bob")
        game, names = await second.seated()
        assert owners(place) == {1: lobby.name, 2: other.name}
        assert names[0] == "Bob"
        for node in two.nodes:
            await until_known(node, "Bob")
            caller = await through(node)
            await caller.number()
            await caller.send(text("Eve"))
            ((_, number, _, players),) = await listed(caller)
            assert (number, players) == (game, names)
            await caller.stream.aclose()
            # The private one has no free seat, wherever somebody asks.
            late = await through(node)
            await late.number()
            await late.send(text("Eve"), -4, text("private"))
            assert await late.number() == Refusal.TABLE_TAKEN
            await late.stream.aclose()
        for caller in (first, second):
            await caller.stream.aclose()


@pytest.mark.parametrize("way", [0, 1])
async def test_watchers_are_led_to_the_owner(two: Club, place: Schema, way: int) -> None:
    lobby, other = two.nodes
    with trio.fail_after(LIMIT):
        held = [await alone(lobby, "Ann"), await alone(other, "Bob")]
        for caller in held:
            await caller.seated()
        assert owners(place) == {1: lobby.name, 2: other.name}
        await until_known(lobby, "Ann")
        await until_known(lobby, "Bob")
        for game, name in enumerate(("Ann", "Bob"), 1):
            watching = await through(two.nodes[way])
            await watching.number()
            await watching.send(text("Eve"), -6, 1)
            assert await watching.number() == 1
            await watching.send(-9, game, 4000)
            assert await watching.number() == 1
            # Who is at the table is the first thing that a watcher is told.
            heard = b""
            while name.encode() not in heard:
                heard += await watching.take(1)
            await watching.stream.aclose()
        for caller in held:
            await caller.stream.aclose()


async def test_a_player_who_comes_back_is_led_to_the_owner_by_any_node(
    two: Club, place: Schema
) -> None:
    settings = Settings(name="Ann", process_id=7, options=options(end=20, computers=0b1110), seed=3)
    with trio.fail_after(LIMIT):
        session = Session(settings)
        for turn in range(1, 5):
            caller = await through(two.nodes[turn % 2])
            if turn > 1:
                session = Session(settings, session.ticket)
            facts, most = session.facts, 20 * turn
            await caller.converse(until(session.talk(), partial(has_seen, facts, most)))
            await caller.stream.aclose()
        assert session.ticket is not None
        (owner,) = owners(place).values()
        node = next(node for node in two.nodes if node.name == owner)
        node.process.kill()
        # Whoever has it next; nobody is refused meanwhile.
        last = Session(settings, session.ticket)
        caller = await through(next(each for each in two.nodes if each is not node))
        await caller.converse(last.talk())
        await caller.stream.aclose()
        assert last.facts[-1].kind == "end"


async def test_a_name_that_nobody_has_is_refused_as_ever(two: Club) -> None:
    with trio.fail_after(LIMIT):
        for node in two.nodes:
            for blocks, refusal in (
                ((-5, 1, 2, 3, 4, 5), Refusal.NO_SUCH_GAME),
                ((-6, 1, -9, 17), Refusal.TABLE_TAKEN),
            ):
                caller = await through(node)
                await caller.number()
                await caller.send(text("Eve"), *blocks)
                if blocks[0] == -6:
                    assert await caller.number() == 1
                assert await caller.number() == refusal
                assert await caller.ended()
                await caller.stream.aclose()


def test_a_dead_owner_s_tables_go_on_at_the_others(tmp_path: Path, place: Schema) -> None:
    plan = TablePlan(end_score=100, again=0, computers=0, think=0.3, journal=place.url)
    with spread(tmp_path, place, 3) as three:
        where = "127.0.0.1", three.balancer.port
        with contextlib.closing(Hall(where, plan, range(30), seed=1)) as hall:
            while hall.has_newcomers or hall.counts["hands"] < 3:
                hall.step()
            before = owners(place)
            played = Counter(before.values())
            assert (len(played), played.total()) == (3, 30)
            fewest = min(played.values())
            assert max(played.values()) <= fewest + fewest // 4 + UNEVEN + 1
            dead = three.nodes[2]
            dead.process.kill()
            killed = time.monotonic()
            while dead.name in owners(place).values():
                hall.step()
            assert time.monotonic() - killed < LIMIT
            after = owners(place)
            moved = {after[n] for n, name in before.items() if name == dead.name and n in after}
            assert moved <= {three.nodes[0].name, three.nodes[1].name}
            assert all(after[n] == before[n] for n in after if before[n] != dead.name)
            hall.close_doors()
            while not hall.is_over:
                hall.step()
            check_stored(hall)


def test_a_node_that_ends_hands_over_what_it_plays(tmp_path: Path, place: Schema) -> None:
    plan = TablePlan(end_score=60, again=0, computers=0, think=0.02, journal=place.url)
    with spread(tmp_path, place, 2) as two:
        lobby, other = two.nodes
        where = "127.0.0.1", two.balancer.port
        with contextlib.closing(Hall(where, plan, range(4), seed=1)) as hall:
            while hall.has_newcomers or hall.counts["hands"] < 4:
                hall.step()
            played = Counter(owners(place).values())
            assert played.keys() == {lobby.name, other.name}
            other.process.terminate()
            while not other.process.has_ended:
                hall.step()
            count = played[other.name]
            handed_over = f" event=handed-over tables={count} resting={count}\n"
            assert handed_over in other.process.log.read_text()
            hall.close_doors()
            while not hall.is_over:
                hall.step()
            assert hall.faults == []
            assert hall.counts["by clock"] == hall.counts["by stand-in"] == 0
            assert hall.counts["sessions"] == 4

"""The zoo at work: good tables play unharmed, each animal gets its due, and nothing is left."""

from __future__ import annotations

import gc
import logging
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import pytest
import trio
import trio.testing

from hearts.game.game import Game
from hearts.hosting.hosted_client import HostedClient
from hearts.hosting.hosted_table import HostedTable
from hearts.net import Pump, accept_connections
from hearts.plain.seat import PlainSeat
from hearts.table.table import Table
from hearts_server.lobby.forming import FormingTable, Sitter
from hearts_server.server import Server
from taunt_server.connection import Connection
from taunt_server.server import TauntServer
from tests.independent.plain_client import ClientHabits, OwnSession
from tests.zoo.cage import (
    GOOD,
    LEFT,
    NONSENSE,
    OPEN,
    Cage,
    CageTally,
    Grounds,
    good_address,
    more_files,
)
from tests.zoo.keeper import ANIMALS, ATTACKERS, let_loose

from .house import HOST, Caller, judge, listening, options
from .test_many_tables import FILES, count

pytestmark = pytest.mark.skipif(
    not FILES.is_dir(), reason="the animals have addresses 127.x.y.z, and files are counted"
)
GOOD_LIMIT = 60
"""The turn limit of good tables. The zoo's tables have the host's, which is short."""


@dataclass(frozen=True, slots=True)
class RunningServers:
    """A game server and a taunt server of this process."""

    server: Server
    grounds: Grounds


@asynccontextmanager
async def place(data_dir: Path, *more: str) -> AsyncIterator[RunningServers]:
    # A table without clients ends at once, so that what is left can be counted.
    settings = ("--turn-limit", "1", "--grace", "1", "--pause-limit", "0", *more)
    async with listening(data_dir, *settings) as running, trio.open_nursery() as nursery:
        secret = (data_dir / "secret").read_bytes()
        chat = TauntServer(secret, max_connections=900, max_per_address=64)
        listeners = await trio.open_tcp_listeners(0, host=HOST)
        pump = Pump()
        nursery.start_soon(pump.run)
        serve = partial(chat.handle, pump, None)
        nursery.start_soon(accept_connections, listeners, chat.admits, serve, nursery)
        taunt_port = listeners[0].socket.getsockname()[1]
        grounds = Grounds(HOST, running.port, taunt_port, 0, flood_rate=1e7, pace=0.05)
        async with listeners[0]:
            yield RunningServers(running.server, grounds)
            nursery.cancel_scope.cancel()


def good_table(name: str) -> list[OwnSession]:
    settings = partial(ClientHabits, table=name, think_chance=1, think_seconds=0.01)
    bits, end, _ = options(end=30)
    return [
        OwnSession(settings(name=f"{name} {seed}", options=(bits, end, GOOD_LIMIT), seed=seed))
        for seed in range(4)
    ]


async def play(port: int, sessions: list[OwnSession]) -> None:
    async def play_one(session: OwnSession) -> None:
        async with await trio.open_tcp_stream(HOST, port) as stream:
            await Caller(stream).converse(session.talk())

    async with trio.open_nursery() as nursery:
        for session in sessions:
            nursery.start_soon(play_one, session)


def possessions(server: Server) -> tuple[int, int, int]:
    """Open files, living tasks, and the connections and tables that both servers hold."""
    server.sessions._finished.clear()
    gc.collect()
    kinds = (HostedTable, Table, Game, HostedClient, PlainSeat, FormingTable, Sitter, Connection)
    return *count(), sum(isinstance(thing, kinds) for thing in gc.get_objects())


def opened() -> set[str]:
    """The open files by what they are, so that a failure can name one that is left."""
    return {os.readlink(file) for file in FILES.iterdir() if file.is_symlink()}


async def test_good_tables_play_on_and_nothing_is_left_of_the_zoo(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.ERROR)  # kept lines of the log would keep what they tell of
    first, second = good_table("first"), good_table("second")
    # The attackers would take the one processor that all share here.
    animals = [
        animal for animal in ANIMALS.values() if animal.name not in ATTACKERS and not animal.browses
    ]
    tallies: dict[str, CageTally] = {}
    with trio.fail_after(240):
        async with place(tmp_path) as made:
            await trio.testing.wait_all_tasks_blocked()
            before, files = possessions(made.server), opened()
            async with trio.open_nursery() as nursery:
                async with trio.open_nursery() as tables:
                    tables.start_soon(play, made.grounds.port, first)
                    tables.start_soon(play, made.grounds.port, second)
                    # In a crowd whoever is slow to register may lose the seat to another.
                    while not all(len(session.facts) > 2 for session in (*first, *second)):  # noqa: ASYNC110
                        await trio.sleep(0.01)
                    nursery.start_soon(let_loose, made.grounds, animals, 1, tallies)
                nursery.cancel_scope.cancel()
            more, new = [0], set[str]()
            for _ in range(50):
                after = possessions(made.server)
                # What the server does once after its start may be over by now.
                more = [now - then for now, then in zip(after, before, strict=True)]
                new = opened() - files
                if max(more) <= 0:
                    break
                await trio.sleep(0.2)
    for sessions in (first, second):
        report = judge(sessions)
        assert report.games == 1
        assert not report.forced.total()
        assert not report.refusals.total()
    assert max(more) <= 0, f"more files, tasks, or connections and tables than before: {new}"
    assert tallies.keys() == {animal.name for animal in animals}
    for tally in tallies.values():
        assert tally.connections == tally.endings.total() > 0
        assert not tally.endings[NONSENSE]
    assert tallies["reconnector"].connections > 20


ENDINGS = {
    "garbage": {"refused -101", "refused -102"},
    "early-sender": {"refused -102"},
    "lister": {"refused -102"},
    "guesser": {"refused -103"},
    "guessers": {"refused -103"},
    "tls": {"refused -101"},
    "http": {"refused -101"},
    "flooder": {"reset"},
    "wrong-acker": {"closed"},
    "reconnector": {LEFT},
    "table-leaver": {LEFT},
    "chat-guesser": {"refused -1"},
    # Its seat at a table is left, its connection to the taunt server ended.
    "chat-huge": {LEFT, "closed"},
}
LIVES = {
    "garbage": 8,
    "flooder": 6,
    "wrong-acker": 3,
    "chat-guesser": 3,
    "chat-huge": 5,
    "reconnector": 300,
}


@pytest.mark.parametrize("name", ENDINGS)
async def test_each_gets_its_due(name: str, tmp_path: Path) -> None:
    tally = CageTally()
    with trio.fail_after(30):
        async with place(tmp_path) as made, trio.open_nursery() as nursery:
            for life in range(LIVES.get(name, 1)):
                cage = Cage(made.grounds, tally, more_files(), life, f"127.77.0.{life % 250 + 1}")
                cage.lives = life
                nursery.start_soon(ANIMALS[name].live, cage)
    assert tally.endings.keys() == ENDINGS[name]
    assert tally.connections == tally.endings.total() > 0


SIGNS = {
    "table-filler": "tables begun",
    "table-neighbours": "tables begun",
    "registrar": LEFT,
    "seat-sitter": OPEN,
    "chat-idler": OPEN,
    "chat-crowd": OPEN,
    "seat-thief": "refused -103",
    "home-thief": "refused -103",
    "password-guesser": "refused -105",
    "name-guesser": "refused -2",
    "ghost": "times replaced",
    "connector": LEFT,
    "list-hammer": LEFT,
    "frame-flooder": OPEN,
    "pinger": OPEN,
    "repeater": OPEN,
    "flood-network": OPEN,
    "burst-network": OPEN,
    "replayer": "replays",
    "flapper": "times back",
    "clock-holder": OPEN,
    "clock-restarter": "times seated",
    "cut-staller": "cuts not given",
}
"""What an attacker did or saw at least once, also where it is given no more than that."""


@pytest.mark.parametrize("name", ATTACKERS)
async def test_each_attacker_does_what_it_says(name: str, tmp_path: Path) -> None:
    tallies: dict[str, CageTally] = {}
    settings = ["--grace", "0.1", "--fill-after", "0.1", "--pause-limit", "60"]
    if name == "password-guesser":
        settings += ["--password", "fish"]
    with trio.fail_after(30):
        async with place(tmp_path, *settings) as made, trio.open_nursery() as nursery:
            nursery.start_soon(let_loose, made.grounds, [ATTACKERS[name]], 1, tallies)
            # Connections that are kept are told of at the end only.
            for _ in range(10 if SIGNS[name] == OPEN else 1000):
                await trio.sleep(0.02)
                if tallies and SIGNS[name] in tallies[name].saw | tallies[name].endings:
                    break
            nursery.cancel_scope.cancel()
    tally = tallies[name]
    assert SIGNS[name] in tally.saw | tally.endings
    assert tally.connections == tally.endings.total() > 0
    assert not tally.endings[NONSENSE]


async def test_attackers_and_good_clients_share_no_network() -> None:
    good = {good_address(number).rpartition(".")[0] for number in range(GOOD)}
    assert len(good) == GOOD
    cage = Cage(Grounds(HOST, 1), CageTally(), more_files(), 0, "127.200.0.1")
    assert not good & {cage.new_address().rpartition(".")[0] for _ in range(1000)}
    assert cage.neighbour().startswith("127.200.0.")

"""A club of nodes in one process: doors, ports and servers as they are, with a store in memory.

Nodes call each other at Unix sockets and clients come by socket pairs, so that time can be virtual.
A test says which nodes are live, and whether their leases are valid.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Collection, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from functools import partial
from math import inf
from pathlib import Path

import trio
import trio.testing
from trio.testing import MockClock

from hearts.hosting.store import Done, Session
from hearts.net import Link, Pump, accept_connections, open_private_listener
from hearts.net.held import OpenGate
from hearts.wire.credentials import SECRET_BYTES
from hearts_server.club.node_server import NodeServer
from hearts_server.club.telling import TELL_EVERY
from hearts_server.cluster.calling import Caller as NodeCaller
from hearts_server.cluster.doors import Door
from hearts_server.cluster.membership import Peer
from hearts_server.cluster.port import NodePort
from hearts_server.cluster.shared import SessionOwner
from hearts_server.console.acts import Acts
from hearts_server.console.between_nodes import serve_node
from hearts_server.console.club_acts import ClubActs
from hearts_server.console_protocol import Answer, Request
from hearts_server.datadir import DataDir
from hearts_server.journal.store import StoredSession
from tests.integration.house import Caller, config
from tests.journal.memory import Memory, MemoryJournal

SECRET = b"s" * SECRET_BYTES
ADDRESS = "192.0.2.1"
NEWS_COME = 3 * TELL_EVERY
"""Seconds after which all nodes have heard what each of them has."""


class SharedMemory(Memory):
    """The store of a club: sessions, each with the life that has it."""

    def __init__(self) -> None:
        super().__init__()
        self.owners: dict[int, int] = {}
        self.live: set[int] = set()
        self.answers = trio.Event()
        self.answers.set()

    @contextmanager
    def silent(self) -> Iterator[None]:
        """It stores nothing and answers nothing in the block."""
        self.answers = trio.Event()
        with self.broken():
            yield
        self.answers.set()

    def going_on(self) -> list[int]:
        """The numbers of the sessions that have not ended."""
        return [number for number, kept in self.sessions.items() if kept.ended is None]


class SharedMemoryJournal(MemoryJournal):
    """The journal of one life there; while the store is silent it waits."""

    def __init__(self, shared: SharedMemory, life: int) -> None:
        super().__init__(shared)
        self._shared = shared
        self._life = life

    def begin_for(self, owner: int, session: Session, durable: Done) -> None:
        def begun() -> None:
            self._shared.owners[session.game_number] = owner
            durable()

        self.put(session.game_number, session, begun)

    async def _answer(self) -> None:
        await trio.lowlevel.checkpoint()
        await self._shared.answers.wait()

    async def going_on(self) -> list[tuple[Session, int]]:
        await self._answer()
        shared = self._shared
        return [(shared.sessions[n].session, shared.owners[n]) for n in shared.going_on()]

    async def highest(self) -> int:
        await self._answer()
        return self.highest_game_number()

    async def look_for(self, game_number: int) -> SessionOwner:
        await self._answer()
        shared = self._shared
        kept, owner = shared.sessions.get(game_number), shared.owners.get(game_number, 0)
        if kept is not None and kept.ended is None:
            if owner in shared.live and owner != self._life:
                return SessionOwner(owner)
            shared.owners[game_number] = self._life
        return SessionOwner(self._life, None if kept is None else kept.stored())

    async def claim_left(self, most: int) -> tuple[list[int], list[StoredSession]]:
        await self._answer()
        shared = self._shared
        left = [n for n in shared.going_on() if shared.owners[n] not in shared.live][:most]
        shared.owners.update(dict.fromkeys(left, self._life))
        return left, [shared.sessions[n].stored() for n in left]

    async def own(self) -> list[int]:
        await self._answer()
        return [n for n in self._shared.going_on() if self._shared.owners[n] == self._life]

    async def owners(self, numbers: Sequence[int]) -> dict[int, int]:
        await self._answer()
        shared = self._shared
        return {n: shared.owners[n] for n in shared.going_on() if n in numbers}


class DeskNode:
    """A node: what it is told of the club, and its server with door and port."""

    def __init__(self, desk: ClubDesk, life: int, nursery: trio.Nursery, *arguments: str) -> None:
        self.life = life
        self.is_open = True
        """Whether its lease is valid."""
        self._desk = desk
        self._nursery = nursery
        self._held: list[Link] = []
        self.own = Peer(life, f"n{life}", str(desk.folder / f"n{life}"), 1)
        data = desk.folder / f"data{life}"
        data.mkdir(mode=0o700)
        (data / "secret").write_bytes(SECRET)
        (data / "secret").chmod(0o600)
        self.data_dir = DataDir(data)
        self.journal = SharedMemoryJournal(desk.store, life)
        self.caller = caller = NodeCaller(SECRET)
        self.playing = NodeServer(
            config(data, *arguments), self.data_dir, nursery, self.journal, self, caller
        )
        self.journal.on_refused = self.playing.journal_refused
        self.pump = Pump(OpenGate())
        self.door = Door(caller, lambda: self, lambda: self.playing.owner, self.pump)
        self.port = NodePort(SECRET, lambda: [life] if self.is_open else [])
        playing = self.playing
        self.port.take_letters(playing.take, playing.serve_letter, playing.teller.hear)
        acts = Acts(playing.server)
        self.host = ClubActs(acts, playing.tables, playing.owner.owner_of, self, caller)
        self.port.take_acts(partial(serve_node, acts))

    # What a node knows of its club

    @property
    def live_lives(self) -> Collection[int]:
        return self._desk.nodes.keys()

    @property
    def peers(self) -> Sequence[Peer]:
        return [node.own for node in self._desk.nodes.values() if node is not self]

    def peer(self, life: int) -> Peer | None:
        return next((peer for peer in self.peers if peer.life == life), None)

    @property
    def lobby(self) -> Peer | None:
        node = self._desk.nodes.get(self._desk.lobby_life)
        return None if node is None else node.own

    def refused(self, peer: Peer) -> None:
        """Its death is said by the test."""

    def hold(self, link: Link) -> None:
        self._held.append(link)

    def renew(self) -> None:
        """Its lease is valid again."""
        self.is_open = True
        held, self._held = self._held, []
        for link in held:
            link.flush()

    # At work

    async def run(self, task_status: trio.TaskStatus[None]) -> None:
        """Be a node until it is cancelled."""
        async with open_private_listener(Path(self.own.address)) as listener:
            start, port = self._nursery.start_soon, self.port
            await self._nursery.start(self.journal.run)
            start(self.pump.run)
            start(self.playing.run)
            start(accept_connections, [listener], port.admits, port.serve, self._nursery)
            task_status.started()
            await trio.sleep_forever()

    async def become_lobby(self) -> None:
        """Let newcomers in from now on."""
        # Numbers are reserved in a thread, for which a clock that jumps does not wait.
        with self._desk.standing_clock():
            await self.playing.become_lobby()
        self.port.open(self.playing.server.admits, self.playing.serve_newcomer)

    async def call(self, address: str = ADDRESS) -> Caller:
        """A client's connection to its door, when all has been done that is done at once."""
        ours, theirs = (trio.SocketStream(each) for each in trio.socket.socketpair())
        link = self.pump.link(theirs, self._nursery)
        self._desk.clients.append(ours)
        self._nursery.start_soon(self.door.serve, link, address)
        await trio.testing.wait_all_tasks_blocked()
        return Caller(ours)

    async def ask(self, request: Request) -> list[Answer]:
        """All that the host is answered at its console."""
        answers: list[Answer] = []

        async def send(answer: Answer) -> None:
            answers.append(answer)
            await trio.lowlevel.checkpoint()

        answers.append(await self.host.answer(request, send))
        return answers


class ClubDesk:
    """The nodes of a club."""

    def __init__(self, nursery: trio.Nursery, folder: Path, *arguments: str) -> None:
        """The nursery owns the nodes; ``arguments`` are settings of each."""
        self.folder = folder
        self.store = SharedMemory()
        self.nodes: dict[int, DeskNode] = {}
        """Those that are live, by life."""
        self.lobby_life = 0
        self.clients: list[trio.SocketStream] = []
        """Our ends of their connections, which are closed at the end."""
        self._nursery = nursery
        self._arguments = arguments
        self._ends: dict[int, tuple[trio.CancelScope, trio.Event]] = {}

    async def begin(self, life: int) -> DeskNode:
        """Another node."""
        node: DeskNode = await self._nursery.start(self._run_life, life)
        self._tell_lives()
        return node

    async def _run_life(self, life: int, task_status: trio.TaskStatus[DeskNode]) -> None:
        gone = trio.Event()
        async with trio.open_nursery() as nursery:
            self.store.live.add(life)
            node = self.nodes[life] = DeskNode(self, life, nursery, *self._arguments)
            self._ends[life] = nursery.cancel_scope, gone
            await nursery.start(node.run)
            task_status.started(node)
        node.data_dir.close()
        gone.set()

    async def kill(self, node: DeskNode, silence: float = 0.0) -> None:
        """End a node, and let the others find its life over after some seconds."""
        scope, gone = self._ends.pop(node.life)
        scope.cancel()
        await gone.wait()
        await trio.sleep(silence)
        del self.nodes[node.life]
        self.store.live.discard(node.life)
        self._tell_lives()

    def _tell_lives(self) -> None:
        for node in self.nodes.values():
            node.door.lives_changed(self.nodes)
            node.playing.lives_changed(self.nodes)

    async def make_lobby(self, node: DeskNode) -> None:
        """From now on this node is the lobby, which takes all that others tell it."""
        self.lobby_life = node.life
        await node.become_lobby()

    def owners(self) -> dict[int, int]:
        """The lives that have the sessions that go on, by game number."""
        return {number: self.store.owners[number] for number in self.store.going_on()}

    @contextmanager
    def standing_clock(self) -> Iterator[None]:
        """Time stands still in the block, whoever waits."""
        clock = trio.lowlevel.current_clock()
        assert isinstance(clock, MockClock)
        clock.autojump_threshold = inf
        try:
            yield
        finally:
            clock.autojump_threshold = 0


@asynccontextmanager
async def club_desk(folder: Path, count: int, *arguments: str) -> AsyncIterator[ClubDesk]:
    """A club of nodes with lives from 1; the first is the lobby, and has heard of all."""
    async with trio.open_nursery() as nursery:
        desk = ClubDesk(nursery, folder, *arguments)
        for life in range(1, count + 1):
            await desk.begin(life)
        await desk.make_lobby(desk.nodes[1])
        await trio.sleep(NEWS_COME)
        try:
            yield desk
        finally:
            nursery.cancel_scope.cancel()
            for client in desk.clients:
                client.socket.close()

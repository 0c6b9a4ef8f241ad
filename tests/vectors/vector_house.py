"""A server without sockets whose every byte is known beforehand, for transcripts.

The code is that of hearts_server; what is fixed is the time, the deals, the game numbers, the
secret, and the three others at the table, who are robots.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from math import inf
from typing import Any

import trio
from trio.testing import (
    MemoryReceiveStream,
    MemorySendStream,
    MockClock,
    memory_stream_pair,
    wait_all_tasks_blocked,
)

from hearts.game.cards import WIRE, Card
from hearts.game.deal import parse_deal_code
from hearts.game.events import ChooseMoon, Deal, Pass, Play
from hearts.game.game import Game
from hearts.game.rules import DEFAULT_END_SCORE, STANDARD, Rules, parse_rules
from hearts.game.view import View, view_of
from hearts.hosting.hosted_table import HostedTable
from hearts.hosting.ports import PeerLink
from hearts.hosting.store import NoStore, Session, StoredSeat
from hearts.limits.networks import PerNetwork
from hearts.limits.work import WorkLimits
from hearts.net.logline import EventLog
from hearts.table import inputs
from hearts.table.seat import Kind
from hearts.table.table import Table
from hearts.wire.codec import encode_int, encode_str
from hearts.wire.credentials import issue
from hearts_server.days import Days
from hearts_server.launching import run_table
from hearts_server.lobby import arrival
from hearts_server.lobby.forming import FormingTable
from hearts_server.lobby.lobby import Lobby
from hearts_server.lobby.offer import Reception
from hearts_server.lobby.open_connections import OpenConnections
from hearts_server.lobby.passwords import PasswordGuard
from hearts_server.lobby.sessions import Sessions
from hearts_server.lobby.turns import Budget, IdleTurns, Turns
from hearts_server.metrics.figures import Metrics
from tests.net.stream_link import StreamLink

SECRET = bytes(range(32))
FIRST_GAME_NUMBER = 7
ROBOT_PROCESS_ID = 2000
ADDRESS = "192.0.2.1"


class Robot:
    """Plays the lowest card that is legal: by rank, the ace as the highest, then by number."""

    def choose_pass(self, view: View) -> tuple[Card, ...]:
        return view.cards[:3]

    def choose_card(self, view: View) -> Card:
        return min(view.legal_cards, key=lambda card: (card.rank, WIRE[card]))


@dataclass(frozen=True, slots=True)
class HostSettings:
    """What the host has set; see README.md."""

    password: str = ""
    max_tables: int = 1000
    max_connections: int = 4064
    max_per_address: int = 0
    fill_after: float = inf
    rules: Rules = STANDARD
    end: int = DEFAULT_END_SCORE
    turn_limit: int = 60
    grace: float = 60.0
    pause_limit: float = 600.0

    def with_word(self, name: str, value: str) -> HostSettings:
        """These settings with one that a directive names."""
        name = name.replace("-", "_")
        if name == "rules":
            return replace(self, rules=parse_rules(value))
        changed: dict[str, Any] = {name: type(getattr(self, name))(value)}
        return replace(self, **changed)


@dataclass(slots=True, eq=False)
class Wire:
    """A connection to the house: what the server said on it, and our end of it."""

    stream: trio.StapledStream[MemorySendStream, MemoryReceiveStream]
    output: bytearray = field(default_factory=bytearray)
    ended: bool = False
    """Whether the server has shut down its sending."""

    async def collect(self) -> None:
        while data := await self.stream.receive_some():
            self.output += data
        self.ended = True


@dataclass(slots=True, eq=False)
class _RunningGame:
    table: Table
    host: HostedTable
    people: dict[int, str]
    """Robots that came as clients, by seat."""
    watched: bool
    """Whether the client of interest plays here; robots among themselves do not begin."""


class VectorServer:
    """A server with one client of interest."""

    def __init__(self, nursery: trio.Nursery, clock: MockClock) -> None:
        """The clock stands at 0 and is moved by :meth:`now` alone."""
        self.settings = HostSettings()
        self.wire: Wire
        """The connection of the client of interest; there is none before :meth:`connect`."""
        self._nursery = nursery
        self._clock = clock
        self._secrets: list[bytes] = []
        self._game_number = FIRST_GAME_NUMBER
        self._connections: OpenConnections | None = None
        self._lobby: Lobby
        self._reception: Reception
        self._sessions: Sessions
        self._links: list[StreamLink] = []
        self._robots: dict[str, Wire] = {}
        self._robot_links: dict[PeerLink, str] = {}
        self._games: list[_RunningGame] = []

    @property
    def game(self) -> Game:
        return self._games[-1].table.game

    # Directives

    async def do(self, words: tuple[str, ...]) -> None:
        """Carry out a directive. Raises ValueError for one that has no meaning."""
        match words:
            case ("set", name, value):
                assert self._connections is None, "settings come before the first connection"
                self.settings = self.settings.with_word(name, value)
            case ("deal", *codes):
                self._secrets += [parse_deal_code(code) for code in codes]
            case ("connect", *_):
                self.wire = await self._connect()
            case ("join", name, *table):
                await self._join(name, table)
            case ("leave", name):
                await self._leave(name)
            case ("now", seconds):
                await self.now(float(seconds))
            case ("shutdown",):
                await self._shut_down()
            case _:
                raise ValueError(f"no directive: {words}")

    async def now(self, seconds: float) -> None:
        """Let it be so many seconds after the start; what is due happens in order of time."""
        while (ahead := seconds - self._clock.current_time()) > 0:
            self._clock.jump(min(ahead, 0.5))
            await self.settle()

    async def send(self, data: bytes) -> None:
        """Bytes of the client; none for the end of its stream."""
        if data:
            await self.wire.stream.send_all(data)
        else:
            await self.wire.stream.send_eof()
        await self.settle()

    async def settle(self) -> None:
        """Let the server and the robots do all that can be done at this time."""
        while True:
            for link in self._links:
                link.wake()
            await wait_all_tasks_blocked()
            if not any(self._let_robots_choose(game) for game in self._games):
                return

    # The server

    def _open(self) -> None:
        settings = self.settings
        self._connections = OpenConnections(
            settings.max_connections, PerNetwork.widening(settings.max_per_address)
        )
        self._sessions = Sessions(SECRET)
        self._lobby = Lobby(
            self._nursery,
            self._launch,
            self._sessions,
            levels=frozenset({1, 2, 5}),
            setting_of=self._setting_of,
            max_tables=settings.max_tables,
            fill_after=settings.fill_after,
        )
        passwords = PasswordGuard(settings.password)
        days = Days(SECRET, self._sessions, lambda: 0.0)
        self._reception = Reception(self._connections, self._lobby, passwords, Metrics(), days)

    async def _connect(self, robot: str | None = None) -> Wire:
        if self._connections is None:
            self._open()
        near, far = memory_stream_pair()
        link = StreamLink(far, self._nursery)
        self._links.append(link)
        if robot is not None:
            self._robot_links[link] = robot
        wire = Wire(near)
        work, turns = WorkLimits(0), Turns(self._nursery)
        idle = IdleTurns(self._nursery, turns, work.idle, lambda network: 0)
        budget = Budget(link, ADDRESS, work, turns, idle, lambda: None)
        self._nursery.start_soon(arrival.serve, self._reception, link, ADDRESS, budget)
        self._nursery.start_soon(wire.collect)
        await self.settle()
        return wire

    def _next_deal(self) -> Deal:
        return Deal.from_secret(self._secrets.pop(0) if self._secrets else SECRET[:16])

    def _setting_of(self, forming: FormingTable) -> inputs.Setting:
        options, settings = forming.options, self.settings
        return inputs.Setting(
            settings.rules if options.rules is None else options.rules,
            options.end_score or settings.end,
            max(options.turn_limit or settings.turn_limit, 0),
            settings.grace,
            settings.pause_limit,
        )

    def _launch(self, forming: FormingTable) -> HostedTable:
        setting = self._setting_of(forming)
        names = forming.player_names()
        kinds = [Kind.CLIENT if sitter else Kind.COMPUTER for sitter in forming.sitters]
        table = Table(setting, list(zip(names, kinds, strict=True)), self._next_deal)
        a, b, c, d = (
            StoredSeat(name, kind, sitter.process_id if sitter is not None else 0)
            for name, kind, sitter in zip(names, kinds, forming.sitters, strict=True)
        )
        number = self._game_number
        host = HostedTable(
            table,
            Session(number, forming.name, forming.private, setting, (a, b, c, d), 0),
            [Robot() for _ in range(4)],
            secret=SECRET,
            store=NoStore(),
            clock=trio.current_time,
            log=EventLog("house"),
        )
        people: dict[int, str] = {}
        seated = []
        for player, sitter in enumerate(forming.sitters):
            if sitter is not None:
                robot = self._robot_links.get(sitter.client.link)
                if robot is None:
                    seated.append((sitter.client, issue(SECRET, number, player, sitter.process_id)))
                else:
                    people[player] = robot
        host.seat_clients(seated)
        watched = len(people) < sum(sitter is not None for sitter in forming.sitters)
        self._game_number += 1
        self._games.append(_RunningGame(table, host, people, watched))
        self._sessions.add(host)
        self._nursery.start_soon(self._run, host, table)
        return host

    async def _run(self, host: HostedTable, table: Table) -> None:
        host.begin(table.start(trio.current_time()))
        await run_table(host)
        self._sessions.finish(host)

    async def _shut_down(self) -> None:
        if self._connections is None:
            self._open()
        assert self._connections is not None
        self._connections.draining = True
        self._lobby.drain()
        for game in self._games:
            game.host.give(inputs.Drain())
        await self.settle()

    # The robots

    async def _join(self, name: str, table: list[str]) -> None:
        wire = await self._connect(robot=name)
        said = encode_str(name)
        if self.settings.password:
            said += encode_int(-7) + encode_str(self.settings.password)
        if table:
            said += encode_int(-4) + encode_str(" ".join(table))
        said += encode_int(ROBOT_PROCESS_ID + len(self._robots))
        self._robots[name] = wire
        await wire.stream.send_all(said)
        await self.settle()

    async def _leave(self, name: str) -> None:
        await self._robots[name].stream.send_eof()
        for game in self._games:
            for player, robot in list(game.people.items()):
                if robot == name:
                    del game.people[player]
                    game.host.give(inputs.ClientLeft(player))
        await self.settle()

    def _let_robots_choose(self, game: _RunningGame) -> bool:
        for chosen in self._robot_choices(game):
            game.host.give(inputs.ClientCaughtUp(chosen.player))
            game.host.give(chosen)
            return True
        return False

    def _robot_choices(self, game: _RunningGame) -> Iterator[inputs.Chosen]:
        if not game.watched:
            return
        robot = Robot()
        for player in game.people:
            request = game.table.seats[player].request
            if request is None or game.table.ended or not request.is_unanswered:
                continue
            view = view_of(game.table.game, player)
            match request.question:
                case inputs.Question.PASS:
                    yield inputs.Chosen(player, Pass(player, robot.choose_pass(view)))
                case inputs.Question.CARD:
                    yield inputs.Chosen(player, Play(player, robot.choose_card(view)))
                case inputs.Question.MOON:
                    yield inputs.Chosen(player, ChooseMoon(player, True))
                case inputs.Question.AGAIN:
                    yield inputs.Chosen(player, inputs.AnswerAgain(player, True))

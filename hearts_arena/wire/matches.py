"""Plays the matches of a tournament in which programs on the wire take part."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import assert_never

import trio
from msgspec import Struct
from msgspec.structs import replace

from hearts.net import open_listeners
from hearts_arena.plan.plan import Plan
from hearts_arena.plan.results import Match, MatchResult
from hearts_arena.play import players as kinds
from hearts_arena.play.called_seat import CalledSeat
from hearts_arena.play.faults import Complain, FirstFaults, PlayerFault
from hearts_arena.play.line_bot import LineProgram
from hearts_arena.play.match_runner import seeds_of, where_text
from hearts_client.words.others import shown_name

from .local import LocalSeat
from .programs import LOOPBACK, MEMORY, ConnectingProgram, OutputFile, Program, StartedProgram
from .wire_seat import Account, Patience, WireSeat
from .wire_table import WireTable

_PATIENCE = Patience()


class _Called(Struct, frozen=True):
    make: kinds.BotMaker
    is_program: bool
    """True if it has a process of its own, as all have but our own bots."""


class WireMatches:
    """Plays matches one by one or several at once; made by :func:`wire_matches`."""

    def __init__(
        self,
        plan: Plan,
        complain: Complain,
        players: list[Program | _Called],
        folder: Path,
        patience: Patience,
        say: Callable[[str], None],
    ) -> None:
        self._plan = plan
        self._faults = FirstFaults(complain)
        self._players = players
        self._patience = patience
        self._say = say
        self._told: set[int] = set()
        """Entrants of whom it is said that they were lost."""
        self._names = [entrant.name for entrant in plan.entrants]
        self._outputs = [
            OutputFile(folder / f"{number}-{re.sub(r'[^A-Za-z0-9_-]', '_', name)}.log")
            for number, name in enumerate(self._names)
        ]

    async def play_all(
        self, matches: Iterable[Match], at_once: int, done: Callable[[MatchResult], None]
    ) -> None:
        """Play so many matches at a time; ``done`` gets each result, in the order of their ends."""
        places = trio.Semaphore(at_once)

        async def play(match: Match) -> None:
            try:
                done(await self.play(match))
            finally:
                places.release()

        async with trio.open_nursery() as nursery:
            for match in matches:
                await places.acquire()
                nursery.start_soon(play, match)

    async def play(self, match: Match) -> MatchResult:
        """Play a match to its end; no process that was started for it is left then."""
        async with AsyncExitStack() as stack:
            for entrant in sorted(set(match.seats)):
                player = self._players[entrant]
                if isinstance(player, ConnectingProgram):
                    await stack.enter_async_context(player.turn)
            return await self._play(match)

    async def _play(self, match: Match) -> MatchResult:
        plan = self._plan
        names = [self._names[entrant] for entrant in match.seats]
        table = WireTable(plan, match)
        seeds = seeds_of(plan, match)
        wired: list[WireSeat] = []
        called: list[LocalSeat] = []
        async with trio.open_nursery() as nursery:
            for seat, entrant in enumerate(match.seats):
                player = self._players[entrant]
                if isinstance(player, _Called):
                    local = self._local_seat(match, seat, player, seeds[seat], names)
                    called.append(local)
                    nursery.start_soon(local.attend, table.chosen)
                else:
                    account = Account(*plan.limits_of(entrant))
                    program = WireSeat(seat, table, account, self._patience)
                    wired.append(program)
                    nursery.start_soon(self._attend, match, program, player)
            result = await table.play(wired, called)
        return result  # noqa: RET504  # nobody returns out of a nursery

    def _local_seat(
        self, match: Match, seat: int, called: _Called, seed: int, names: list[str]
    ) -> LocalSeat:
        entrant, plan, moves = match.seats[seat], self._plan, list[str]()

        def complain(fault: PlayerFault) -> None:
            number = match.first_hand if fault.hand < 0 else fault.hand
            text = fault.in_words(where_text(plan, match, number))
            if called.is_program:
                trio.from_thread.run_sync(self._faults.receive, entrant, text, fault.is_crash)
            else:
                self._faults.receive(entrant, text, fault.is_crash)

        asked = CalledSeat(seat, moves, [match.number, seat, 0], complain)
        local = LocalSeat(seat, asked, moves, is_program=called.is_program)
        local.call(asked.sit_down, called.make, seed)
        local.call(asked.notify, "begin_tournament", len(plan.entrants), plan.game_end)
        local.call(asked.notify, "begin_game", names, seat)
        return local

    async def _attend(self, match: Match, seat: WireSeat, program: Program) -> None:
        entrant = match.seats[seat.player]
        output = self._outputs[entrant].of_match(match.number, seat.player)
        try:
            async with program.come(self._names[entrant], output) as entrance:
                await seat.attend(entrance)
        except OSError as error:
            await trio.to_thread.run_sync(output, f"{error}\n".encode())
            seat.lose(str(error))
        if seat.is_lost and entrant not in self._told:
            self._told.add(entrant)
            name = shown_name(self._names[entrant])
            where = f"what it printed is in {self._outputs[entrant].path}"
            self._say(f"{name} is lost in match {match.number}: {seat.why_lost}; {where}")


@asynccontextmanager
async def wire_matches(
    plan: Plan,
    complain: Complain,
    folder: Path,
    *,
    memory: int = MEMORY,
    patience: Patience = _PATIENCE,
    say: Callable[[str], None] = lambda line: None,
    at_once: int = 1,
) -> AsyncIterator[WireMatches]:
    """Make what plays the matches of a plan; its ports are open as long as the block lasts.

    ``folder`` is for what the programs print, ``memory`` what each of their processes may have, in
    bytes. ``say`` hears whom somebody has to start, and of the first loss of each program.
    ``at_once`` is how many matches a program plays at a time that connects by itself.

    Raises BadPlayer for a player that cannot be had, a port that is taken among them.
    """
    async with AsyncExitStack() as stack:
        players: list[Program | _Called] = []
        for number, player in enumerate(kinds.players_of(plan)):
            match player:
                case kinds.BuiltIn():
                    players.append(_Called(kinds.maker_of(player), is_program=False))
                case kinds.OwnClass():
                    # A class that cannot be had is told of before any match.
                    kinds.maker_of(player)
                    program = replace(kinds.in_own_process(plan, number), memory=memory)
                    players.append(_Called(kinds.maker_of(program), is_program=True))
                case LineProgram():
                    program = replace(player, memory=memory)
                    players.append(_Called(kinds.maker_of(program), is_program=True))
                case kinds.OwnProgram(line):
                    players.append(StartedProgram(line, memory))
                case kinds.Connects(port):
                    try:
                        (listener,) = await open_listeners(LOOPBACK, port)
                    except OSError as error:
                        raise kinds.BadPlayer(f"cannot listen on port {port}: {error}") from None
                    await stack.enter_async_context(listener)
                    players.append(ConnectingProgram(listener, say, at_once))
                case player:
                    assert_never(player)
        yield WireMatches(plan, complain, players, folder, patience, say)

"""What the host wants of a club of nodes: each act is carried out by the node that it concerns.

Who plays a table is known from news, or else looked up where all sessions are stored. A name is
looked for in the news alone.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import Protocol, assert_never

import trio

from hearts.wire.text import count_of
from hearts_server.cluster.calling import Caller
from hearts_server.cluster.membership import Peer
from hearts_server.console_protocol import (
    Answer,
    Done,
    EndTable,
    InviteToTable,
    LookAround,
    MutePlayer,
    NotDone,
    RemoveFromSeat,
    Request,
    SayToTables,
    TableLine,
)
from hearts_server.lobby.known_tables import OtherTables

from .acts import Acts, Place, Send, place_of, several
from .between_nodes import REPLY_LIMIT, ask
from .elsewhere import listed_elsewhere, listed_forming_elsewhere


class ClubNodes(Protocol):
    """Knows the nodes of the club."""

    @property
    def life(self) -> int:
        """The own life."""

    @property
    def lobby(self) -> Peer | None:
        """The node that is the lobby, which may be this one; None for none."""

    @property
    def peers(self) -> Sequence[Peer]:
        """The other live nodes."""

    def peer(self, life: int) -> Peer | None:
        """The other node of a live life."""


class PlacedTables(OtherTables, Protocol):
    """Knows the tables of all nodes."""

    def owner(self, game_number: int) -> int:
        """The life that has a game, as far as it is known; 0 if it is not."""


class ClubActs:
    """Does what the host wants, at whichever node that is."""

    def __init__(
        self,
        here: Acts,
        tables: PlacedTables,
        owner_of: Callable[[int], Awaitable[int]],
        nodes: ClubNodes,
        caller: Caller,
    ) -> None:
        """``here`` are the acts at this node; ``owner_of`` looks up which life has a game, the own
        one for a game that nobody has, and 0 if that cannot be told."""
        self._here = here
        self._tables = tables
        self._owner_of = owner_of
        self._nodes = nodes
        self._caller = caller

    async def answer(self, request: Request, send: Send) -> Done | NotDone:
        """Do it; lines before the last one go to ``send``, the last one is given back."""
        match request:
            case LookAround():
                return await self._list(send)
            case SayToTables(_, None):
                return await self._say_to_all(request, send)
            case SayToTables(_, game) | EndTable(game) | RemoveFromSeat(game, _):
                return await self._at_owner(game or 0, request, send)
            case MutePlayer(who, muted):
                return await self._mute(who, muted, send)
            case InviteToTable():
                return await self._at_lobby(request, send)
            case _:
                assert_never(request)

    # Who has it

    async def _at_owner(self, game: int, request: Request, send: Send) -> Done | NotDone:
        owner = await self._owner(game)
        if owner == self._nodes.life:
            return await self._here.answer(request, send)
        peer = self._nodes.peer(owner)
        if peer is None:
            return NotDone(f"nobody can tell now which node plays game {game}; try again later")
        return await ask(self._caller, peer, request, send)

    async def _owner(self, game: int) -> int:
        """The life that has a game, or would have it; 0 if that cannot be told now."""
        if self._here.has(game):
            return self._nodes.life
        owner = self._tables.owner(game)
        if self._nodes.peer(owner) is None:
            # It has begun a moment ago, or its owner is over, or there is none.
            owner = 0
            with trio.move_on_after(REPLY_LIMIT):
                owner = await self._owner_of(game)
        return owner

    async def _at_lobby(self, request: Request, send: Send) -> Done | NotDone:
        lobby = self._nodes.lobby
        if lobby is None:
            return NotDone("no node is the lobby now, so no table forms; try again in a moment")
        if lobby.life == self._nodes.life:
            return await self._here.answer(request, send)
        return await ask(self._caller, lobby, request, send)

    async def _mute(self, who: str, muted: bool, send: Send) -> Done | NotDone:
        place = place_of(who)
        found = self._people(who) if place is None else [place]
        if len(found) > 1:
            return several(who, found)
        if not found:
            return await self._here.answer(MutePlayer(who, muted), send)
        ((game, seat),) = found
        return await self._at_owner(game, MutePlayer(f"{game}/{seat}", muted), send)

    def _people(self, name: str) -> list[Place]:
        """The people of this name at the tables of all nodes."""
        return self._here.people(name) + [
            (table.game_number, seat)
            for table in self._tables
            if not self._here.has(table.game_number)
            for seat in range(4)
            if table.names[seat] == name and not table.computers >> seat & 1
        ]

    # All of them

    async def _say_to_all(self, request: SayToTables, send: Send) -> Done | NotDone:
        answer = await self._here.answer(request, send)
        if isinstance(answer, NotDone):
            return answer
        told, is_done = [answer.text], True
        for peer, _, theirs in await self._ask_all(request):
            at = f"at node {peer.name} " if isinstance(theirs, Done) else ""
            told.append(at + theirs.text)
            is_done = is_done and isinstance(theirs, Done)
        text = "; ".join(told)
        return Done(text) if is_done else NotDone(text)

    async def _list(self, send: Send) -> Done:
        lines: list[Answer] = []
        await self._here.answer(LookAround(), _to(lines))
        silent = []
        have_told = {self._nodes.life}
        for peer, theirs, last in await self._ask_all(LookAround()):
            lines += theirs
            if isinstance(last, Done):
                have_told.add(peer.life)
            else:
                silent.append(peer.name)
        tables = {line.name: line for line in lines if isinstance(line, TableLine)}
        self._add_what_was_told(tables, have_told)
        for line in tables.values():
            await send(line)
        text = count_of(len(tables), "table")
        if silent:
            text += f"; no answer of {', '.join(silent)}, whose tables are as last told"
        return Done(text)

    def _add_what_was_told(self, tables: dict[str, TableLine], have_told: set[int]) -> None:
        """Add the tables of nodes that have not answered, as far as they are known."""
        lobby = self._nodes.lobby
        if lobby is None or lobby.life not in have_told:
            for forming in self._tables.forming:
                tables.setdefault(forming.name, listed_forming_elsewhere(forming))
        for table in self._tables:
            if self._tables.owner(table.game_number) not in have_told:
                tables.setdefault(table.name, listed_elsewhere(table))

    async def _ask_all(self, request: Request) -> list[tuple[Peer, list[Answer], Done | NotDone]]:
        """What each other node says: lines, and the last one."""
        asked: list[tuple[Peer, list[Answer], Done | NotDone]] = []

        async def ask_one(peer: Peer) -> None:
            lines: list[Answer] = []
            last = await ask(self._caller, peer, request, _to(lines))
            asked.append((peer, lines, last))

        async with trio.open_nursery() as nursery:
            for peer in self._nodes.peers:
                nursery.start_soon(ask_one, peer)
        return sorted(asked, key=lambda each: each[0].name)


def _to(lines: list[Answer]) -> Send:
    async def put(line: Answer) -> None:
        lines.append(line)
        await trio.lowlevel.checkpoint()

    return put

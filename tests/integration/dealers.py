"""Tables with independent clients of the dealer dialect, for the tests beside this file."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Generator, Sequence
from dataclasses import replace

import trio
import trio.testing

from tests.independent.dealer import DealerSettings, DealerWatcher, PlayerConnection
from tests.independent.joined import Joined
from tests.independent.plain_client import (
    ClientHabits,
    Closed,
    OwnSession,
    Read,
    Request,
    Talk,
    Write,
)

from .house import NAMES, Caller, House, call

Call = Callable[[], Awaitable[Caller]]
Stop = Callable[[OwnSession], bool]


def player(dialect: str, settings: DealerSettings) -> OwnSession:
    return PlayerConnection(settings) if dialect == "dealer" else OwnSession(settings)


def returned(dialect: str, before: OwnSession, dealer: PlayerConnection | None) -> OwnSession:
    """The client that comes back; ``dealer`` is its latest connection in that dialect."""
    assert isinstance(before.settings, DealerSettings)
    settings = replace(before.settings, again=before._again, table=None, wishes=())
    if dialect == "dealer":
        return PlayerConnection(settings, before.ticket, dealer)
    return OwnSession(settings, before.ticket)


def joined(talk: Talk) -> Talk:
    """A conversation that writes only when it has to read."""
    unsent = b""
    request: Request | None = next(talk)
    while request is not None:
        if isinstance(request, Write):
            unsent += request.data
            request = _resume(talk, b"")
            continue
        if isinstance(request, Read) and unsent:
            yield Write(unsent)
            unsent = b""
        request = yield from _pass_on(talk, request)


def until(talk: Talk, stop: Callable[[], bool]) -> Talk:
    request: Request | None = next(talk)
    while request is not None and not stop():
        request = yield from _pass_on(talk, request)


def _pass_on(talk: Talk, request: Request) -> Generator[Request, bytes, Request | None]:
    """Meet a request of the conversation; its next one, None at its end."""
    try:
        answer = yield request
    except Closed as closed:
        return _resume(talk, closed)
    return _resume(talk, answer)


def _resume(talk: Talk, answer: bytes | Closed) -> Request | None:
    try:
        return talk.throw(answer) if isinstance(answer, Closed) else talk.send(answer)
    except StopIteration:
        return None


async def converse(caller: Caller, talk: Talk, *, piece: int = 0) -> None:
    async with caller.stream:
        await caller.converse(talk, piece=piece)


async def play(port: int, sessions: Sequence[OwnSession], *, how: str = "whole") -> None:
    """Let clients play over sockets, in pieces of 7 bytes, joined, or whole writes."""
    async with trio.open_nursery() as nursery:
        for session in sessions:
            talk = joined(session.talk()) if how == "joined" else session.talk()
            piece = 7 if how == "pieces" else 0
            nursery.start_soon(
                lambda c, t, p: converse(c, t, piece=p), await call(port), talk, piece
            )


async def sit(
    nursery: trio.Nursery, made: House, *sessions: OwnSession, talks: Sequence[Talk] = ()
) -> None:
    """Let clients sit down in a house in this order, and play on in the background."""
    for session, talk in zip(sessions, talks or [s.talk() for s in sessions], strict=True):
        nursery.start_soon(converse, await made.call(), talk)
        await trio.testing.wait_all_tasks_blocked()
        assert session.me >= 0


def settings(seat: int, **more: object) -> DealerSettings:
    given = {"name": NAMES[seat], "process_id": 100 + seat, "seed": seat, **more}
    return DealerSettings(**given)  # type: ignore[arg-type]


def watcher(game: int, *, bothers: bool = False) -> DealerWatcher:
    return DealerWatcher(ClientHabits(name="Eve"), game, bothers=bothers)


def game_of(session: OwnSession) -> int:
    return next(fact.numbers[1] for fact in session.facts if fact.kind == "seated")


class Life:
    """A player over all their connections."""

    def __init__(self, session: OwnSession) -> None:
        self.session = session
        self.parts: list[OwnSession] = []
        self.joined = Joined()
        self._dealer: PlayerConnection | None = None

    async def run(self, caller: Caller, stop: Stop | None = None) -> None:
        session = self.session
        talk = session.talk()
        await converse(caller, talk if stop is None else until(talk, lambda: stop(session)))
        self.parts.append(session)
        self.joined.add(session.facts)
        if isinstance(session, PlayerConnection):
            self._dealer = session

    def come_back(self, dialect: str) -> None:
        self.session = returned(dialect, self.session, self._dealer)


async def eventually(happened: Callable[[], bool]) -> None:
    """Wait, on a virtual clock, until something is so."""
    while not happened():  # noqa: ASYNC110 - nobody tells of it
        await trio.sleep(0.01)


async def at_deal(session: OwnSession, deal: int) -> None:
    """Wait, on a virtual clock, until a client has the cards of a deal."""
    await eventually(lambda: sum(fact.kind == "hand" for fact in session.facts) >= deal)

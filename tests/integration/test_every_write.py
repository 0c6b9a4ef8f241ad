"""A session cut at every write to the journal: nothing lost, nothing doubled, nobody out of step.

The server dies at the n-th write, either before the line is stored or after it is stored and before
anybody hears of it (a torn write is one of the two: see tests/journal/test_sqlite.py). Another
server takes the session up, all four clients come back, and it dies a hand later in its turn. What
the journal and each client have in the end is compared with a session that nothing interrupted.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
import trio
import trio.testing
from trio.testing import MockClock

from hearts.game.deal import deal_code
from hearts_server.journal.store import StoredSession
from tests.independent import plain_client as client
from tests.independent.joined import Told, answers, told, up_to_scores

from .house import House, house, options, take_up
from .ports import DyingJournal

DEALS = [arg for n in (3, 5, 6) for arg in ("--deal", deal_code(bytes([n] * 16)))]
ARGUMENTS = ("--pause-limit", "600", *DEALS)
RULES = "moon=choice"
END = 26
CHUNKS = 3
APART = 13
"""The main run takes every 13th play, and so each place in a trick."""


def settings(player: int, again: int = 1) -> client.ClientHabits:
    return client.ClientHabits(
        name=f"Client {player}",
        process_id=100 + player,
        options=options(RULES, END) if player == 0 else None,
        again=again,
        plodding=True,
        shooter=0,
    )


async def sit_down(made: House, sessions: Sequence[client.OwnSession]) -> None:
    """Let clients connect in this order and play until the session or the server ends."""

    async def play(session: client.OwnSession) -> None:
        caller = await made.call()
        ready.set()
        await caller.converse(session.talk())
        await caller.stream.aclose()

    async with trio.open_nursery() as nursery:
        for session in sessions:
            ready = trio.Event()
            nursery.start_soon(play, session)
            await ready.wait()
            await trio.testing.wait_all_tasks_blocked()


def in_order(lines: Sequence[str]) -> list[str]:
    """Lines with the passes of a hand sorted, for these are made at once."""
    text = "\n".join(lines)
    return re.sub(
        r"(^pass.*\n?)+", lambda m: "".join(sorted(m[0].splitlines(True))), text, flags=re.M
    ).split("\n")


class SessionStory:
    """What came of one session: the journal, and what each client was told."""

    def __init__(self, journal: DyingJournal, seats: list[list[Told]]) -> None:
        assert journal.ended == "the players are done"
        self.lines = in_order(journal.lines)
        self.seats = seats


async def to_the_end(
    data_dir: Path, sessions: Sequence[client.OwnSession], *stored: StoredSession
) -> DyingJournal:
    """What a server keeps that nothing interrupts, and that takes up what another one stored."""
    journal = DyingJournal()
    async with house(data_dir, *ARGUMENTS, journal=journal) as made:
        await take_up(made.server, stored)
        await sit_down(made, sessions)
    return journal


async def to_the_cut(
    data_dir: Path,
    at: int,
    keep: bool,
    sessions: Sequence[client.OwnSession],
    *stored: StoredSession,
) -> DyingJournal:
    """The same of a server that dies at a write."""
    journal = DyingJournal(at, keep=keep)
    async with (
        trio.open_nursery() as clients,
        house(data_dir, *ARGUMENTS, journal=journal) as made,
    ):
        await take_up(made.server, stored)
        # The clients outlive the server, as they do where it is killed.
        clients.start_soon(sit_down, made, sessions)  # noqa: ASYNC111
        await journal.cut.wait()
        await trio.testing.wait_all_tasks_blocked()
    return journal


async def whole(data_dir: Path) -> SessionStory:
    sessions = [client.OwnSession(settings(player)) for player in range(4)]
    journal = await to_the_end(data_dir, sessions)
    return SessionStory(journal, [told(session.facts) for session in sessions])


async def cut(data_dir: Path, points: Sequence[int], *, keep: bool) -> SessionStory:
    """The story of a session whose server dies at each of these writes."""
    sessions = [client.OwnSession(settings(player)) for player in range(4)]
    seats: list[list[Told]] = [[] for _ in sessions]
    stored: list[StoredSession] = []
    for at in points:
        stored = [(await to_the_cut(data_dir, at, keep, sessions, *stored)).stored]
        for seat, session in zip(seats, sessions, strict=True):
            seat += up_to_scores(told(session.facts))
        sessions = [
            client.OwnSession(
                replace(session.settings, again=session.settings.again - answers(session.facts)),
                session.ticket,
            )
            for session in sessions
        ]
    journal = await to_the_end(data_dir, sessions, *stored)
    assert all(session.facts[1].kind == "back" for session in sessions)
    for seat, session in zip(seats, sessions, strict=True):
        seat += told(session.facts)
    return SessionStory(journal, seats)


async def check_cuts(data_dir: Path, plays: int, keep: bool, chunk: int, chunks: int) -> None:
    """Cut at every write that is no pass or play, and at each of those so many apart."""
    expected = await whole(data_dir)
    kinds = Counter(line.split(" ")[0] for line in expected.lines)
    assert kinds == {"deal": 3, "pass": 12, "play": 156, "moon": 1, "ask-again": 2, "again": 2}
    points = [
        at
        for at, line in enumerate(expected.lines)
        if at % plays == 0 or not line.startswith(("pass ", "play "))
    ]
    # The cuts of one session are a hand apart, so that each life counts a hand to its end.
    sessions = len(points) // 3 + 1
    for first in range(chunk, sessions, chunks):
        cuts = points[first::sessions]
        with trio.fail_after(1000):
            story = await cut(data_dir, cuts, keep=keep)
        assert story.lines == expected.lines, cuts
        assert story.seats == expected.seats, cuts


@pytest.mark.heavy
@pytest.mark.parametrize("chunk", range(CHUNKS))
@pytest.mark.parametrize("keep", [False, True], ids=["before", "after"])
async def test_cut_at_every_write(
    chunk: int, keep: bool, tmp_path: Path, autojump_clock: MockClock
) -> None:
    await check_cuts(tmp_path, 1, keep, chunk, CHUNKS)


@pytest.mark.parametrize("keep", [False, True], ids=["before", "after"])
async def test_cut_at_every_kind_of_write(
    keep: bool, tmp_path: Path, autojump_clock: MockClock
) -> None:
    # A play that is stored and not told of is what the cut before the next write finds too.
    await check_cuts(tmp_path, 3 * APART if keep else APART, keep, 0, 1)

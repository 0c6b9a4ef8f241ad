"""A session with cuts, other rules and a seat that changes hands, cut at writes to the journal.

As in test_every_write.py the server dies at the n-th write, before or after the line is stored, and
another one takes the session up. Here every client checks all that it is told, and what has to
follow from the stored lines is looked at: a promise is kept, rules hold, a seat has its new owner.
"""

from __future__ import annotations

from pathlib import Path

import pytest
import trio
import trio.testing
from trio.testing import MockClock

from hearts.game.deal import deal_code
from hearts.game.rules import parse_rules
from tests.independent.dealer import PlayerConnection, Wish
from tests.independent.dealer_frames import OPEN_SEAT, PROPOSE_RULES, ints
from tests.independent.referee import Referee

from .dealers import Life, eventually, settings
from .house import house, options, take_up
from .ports import DyingJournal

DEALS = [arg for n in range(3, 9) for arg in ("--deal", deal_code(bytes([n] * 16)))]
ARGUMENTS = ("--pause-limit", "600", "--turn-limit", "0", *DEALS)
END = 27
"""A moon alone ends no game, so the seat changes between two hands of the first."""
JACK = ints(1, 20, 0, 0, 0, 1, 0, 0, 0, 1)
BITS = parse_rules("jack").bits
WISHES = (Wish(1, OPEN_SEAT, ints(2)), Wish(1, PROPOSE_RULES, JACK))


def three() -> list[Life]:
    """Two who cut, and one who takes an open seat; the last player is a computer."""
    lives = []
    for seat in range(3):
        given = settings(
            seat,
            options=options("standard", END, 0b1100) if seat == 0 else None,
            wishes=WISHES if seat == 0 else (),
            table="the stored",
            again=1,
            cuts=True,
            newcomer=seat == 2,
            plodding=True,
            think_chance=0.1,
            think_seconds=0.01,
        )
        lives.append(Life(PlayerConnection(given)))
    return lives


async def first_life(data_dir: Path, journal: DyingJournal) -> list[Life]:
    """All begin, until the session ends or the server dies."""
    lives = three()
    async with (
        trio.open_nursery() as clients,
        house(data_dir, *ARGUMENTS, journal=journal) as made,
    ):
        # The clients outlive the server, as they do where it is killed.
        for life in lives[:2]:
            clients.start_soon(life.run, await made.call())  # noqa: ASYNC111
            await trio.testing.wait_all_tasks_blocked()
        seen = lives[0].session
        await eventually(lambda: journal.cut.is_set() or any(f.kind == "hand" for f in seen.facts))
        clients.start_soon(lives[2].run, await made.call())  # noqa: ASYNC111
        await eventually(lambda: journal.cut.is_set() or journal.ended is not None)
        await trio.testing.wait_all_tasks_blocked()
    return lives


async def second_life(data_dir: Path, before: DyingJournal, lives: list[Life]) -> DyingJournal:
    after = DyingJournal()
    async with house(data_dir, *ARGUMENTS, journal=after) as made:
        await take_up(made.server, [before.stored])
        async with trio.open_nursery() as nursery:
            for life in lives:
                if life.session.ticket is not None:
                    life.come_back("dealer")
                    nursery.start_soon(life.run, await made.call())
    return after


def check(lives: list[Life], journal: DyingJournal, known: int) -> None:
    """All is as it has to be; so many lines were stored when the server died."""
    assert journal.ended == "the players are done"
    transcripts = {seat: lives[seat].joined.facts for seat in (0, 1)}
    assert Referee(transcripts, came_back=True).judge().games == 2
    stored = journal.lines[:known]
    forced = [line for line in journal.lines if line.endswith((" clock", " stand-in"))]
    seated = lives[2].session.ticket is not None
    # Who has not heard of their seat before the server died cannot come back to it.
    assert all(line.split()[1] == "2" and not seated for line in forced)
    agreed = [n for n, line in enumerate(journal.lines) if line.startswith("rules ")]
    over = next(n for n, line in enumerate(journal.lines) if line.startswith("again "))
    tables = [fact.numbers[1] for fact in lives[0].session.facts if fact.kind == "table"]
    assert tables[-1] == (BITS if agreed and agreed[0] < over else 0)
    if seated and any(line.startswith("seat ") for line in stored):
        late = lives[2]
        assert late.session.me == 2
        assert late.session.facts[-1].kind == "end"
        if late.joined.facts:
            told, whole = (
                [f for f in life.joined.facts if f.kind in ("leads", "tallies", "new game")]
                for life in (late, lives[0])
            )
            assert told
            assert told == whole[-len(told) :]


async def check_cuts(data_dir: Path, keep: bool, every: bool) -> None:
    """Cut at the first write of each kind, or at every write that is no pass or play and some."""
    whole = DyingJournal()
    check(await first_life(data_dir, whole), whole, 0)
    kinds = [line.split(" ")[0] for line in whole.lines]
    assert kinds.count("rules") == kinds.count("seat") == 1
    assert kinds.count("promise") >= 2
    assert kinds.count("again") == 2
    # What is stored and not told of is also what the cut before the next write finds.
    first = {"promise", "rules", "seat", "again"} if keep else set(kinds)
    points = sorted(map(kinds.index, first))
    if every:
        rare = [n for n, kind in enumerate(kinds) if kind not in ("pass", "play")]
        plays = [n for n, kind in enumerate(kinds) if kind in ("pass", "play")]
        points = sorted([*rare, *plays[:: len(plays) // 3]])
    for at in points:
        journal = DyingJournal(at, keep=keep)
        lives = await first_life(data_dir, journal)
        assert journal.cut.is_set()
        known = len(journal.lines)
        check(lives, await second_life(data_dir, journal, lives), known)


@pytest.mark.parametrize("every", [False, pytest.param(True, marks=pytest.mark.heavy)])
@pytest.mark.parametrize("keep", [False, True], ids=["before", "after"])
async def test_cut_at_writes(
    keep: bool, every: bool, tmp_path: Path, autojump_clock: MockClock
) -> None:
    await check_cuts(tmp_path, keep, every)

"""A real server is killed at random instants, again and again, and every session comes to its end.

The clients share no code with the server. They come back by themselves; what each of them saw over
all its connections is judged by the referee and compared with the journal (tests/soak).
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace

from hearts_server.config import JOURNAL_FILE
from hearts_server.journal.spool import spool_path
from hearts_server.journal.writing import STORE_EVERY
from tests.independent.rules import Foul
from tests.journal.files import MISHAPS
from tests.soak import evidence
from tests.soak.hall import Hall
from tests.soak.plan import TablePlan
from tests.soak.soak_server import ServerProcess, server

from .killing import LIMIT, Killer, check, play_to_the_end

TABLES = 3
ARGUMENTS = (
    *("--journal", "normal", "--grace", "60", "--pause-limit", "600", "--turn-limit", "0"),
    *("--log-level", "warning"),
)


@pytest.fixture
def process(tmp_path: Path) -> Iterator[ServerProcess]:
    with server(tmp_path / "data", *ARGUMENTS) as made:
        made.begin()
        made.wait_ready()
        yield made


@pytest.fixture
def hall(process: ServerProcess, tmp_path: Path) -> Iterator[Hall]:
    plan = TablePlan(end_score=30, journal=tmp_path / "data" / JOURNAL_FILE, stuck_after=LIMIT / 2)
    with contextlib.closing(
        Hall(("127.0.0.1", process.port), plan, range(TABLES), seed=1, faults=tmp_path / "faults")
    ) as made:
        yield made


@pytest.mark.parametrize("kills", [2, pytest.param(20, marks=pytest.mark.heavy)])
def test_killed_again_and_again(kills: int, hall: Hall, process: ServerProcess) -> None:
    Killer(hall, process, kills)
    play_to_the_end(hall)
    process.wait_ready()
    assert process.lives == kills + 1
    assert hall.counts["come-backs"] > 4 * kills
    check(hall, process)


@pytest.mark.heavy  # In the main run tests/journal/test_spool.py has the parts.
@pytest.mark.parametrize("mishap", MISHAPS)
def test_killed_after_something_became_of_the_spool(
    mishap: Callable[[Path], None], hall: Hall, process: ServerProcess, tmp_path: Path
) -> None:
    """After two storings nothing is missing whatever was done to the file."""
    file = spool_path(tmp_path / "data" / JOURNAL_FILE)

    def harm() -> None:
        if hall.counts["hands"] < TABLES:
            hall.later(0.005, harm)
            return
        mishap(file)
        hall.later(2 * STORE_EVERY + 1, kill)

    def kill() -> None:
        Killer(hall, process, 1)

    harm()
    play_to_the_end(hall)
    process.wait_ready()
    assert process.lives == 2
    assert hall.counts["come-backs"] > 0
    check(hall, process, expected="spool-lost")


def test_ended_in_order_it_goes_on_where_the_hands_ended(
    hall: Hall, process: ServerProcess
) -> None:
    def end() -> None:
        if hall.counts["hands"] < TABLES or hall.has_newcomers:
            hall.later(0.005, end)
            return
        hall.close_doors()
        process.terminate()
        begin_again()

    def begin_again() -> None:
        if process.has_ended:
            process.wait_ended()
            process.begin()
        else:
            hall.later(0.01, begin_again)

    end()
    play_to_the_end(hall)
    process.wait_ready()
    parts = [part.facts for player in hall.players for part in player.parts]
    assert {facts[-2].kind for facts in parts} == {"scores", "new game"}
    assert len(parts) > len(hall.players)
    check(hall, process)
    a_difference_would_be_seen(hall)


def a_difference_would_be_seen(hall: Hall) -> None:
    """The comparison with the journal can fail."""
    player = hall.players[0]
    assert hall.plan.journal is not None
    assert player.ticket is not None
    true = evidence.load(hall.plan.journal, player.ticket.game)
    assert evidence.check(true, {player.seat: player.parts})["own"] > 13
    own = next(n for n, line in enumerate(true.lines) if line.startswith(f"play {player.seat} "))
    marked = [*true.lines[:own], f"{true.lines[own]} clock", *true.lines[own + 1 :]]
    for lines in (marked, true.lines[:own]):
        with pytest.raises(Foul):
            evidence.check(replace(true, lines=tuple(lines)), {player.seat: player.parts})

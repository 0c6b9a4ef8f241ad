"""Records of a tournament: true, and as long as they can be."""

from __future__ import annotations

import random
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from hearts.game.record import parse_record
from hearts.game.verify import verify_records
from hearts_arena.kept.kept_records import game_records, record_with
from hearts_arena.kept.moves import moves_of
from hearts_arena.kept.result_store import RESULTS_FILE, ResultStore, StoreError
from hearts_arena.plan.plan import Plan
from hearts_arena.plan.results import MatchResult
from hearts_arena.plan.schedules import count, cycle_of, match_of

from .sittings import NAMES, plan_of, plans, play


def _store(folder: Path, plan: Plan, numbers: list[int]) -> dict[int, MatchResult]:
    """Play these matches and keep them in this order."""
    results = {number: play(plan, number) for number in numbers}
    with ResultStore(folder, plan) as store:
        store.append(results.values())
    return results


def _numbers(plan: Plan, limit: int) -> list[int]:
    """Some matches, in an order as several workers end them."""
    numbers = list(range(min(count(plan), limit)))
    random.Random(limit).shuffle(numbers)
    return numbers


@settings(max_examples=8)
@given(plans(), st.integers(1, 12))
def test_every_record_verifies_and_has_the_points(plan: Plan, limit: int) -> None:
    plan = replace(plan, records=True, end_score=min(plan.end_score, 40))
    with TemporaryDirectory() as name:
        folder = Path(name)
        results = _store(folder, plan, _numbers(plan, limit))
        found = list(game_records(folder, plan))
    for record in found:
        (report,) = verify_records(record.text)
        assert report.problem is None
        assert [deal.points for deal in report.deals] == [
            points for match in record.matches for points in results[match.number].points
        ]
        assert report.names == tuple(NAMES[entrant] for entrant in record.matches[0].seats)
        if plan.hands is None:
            assert report.winners == results[record.matches[0].number].winners
    held = [match.number for record in found for match in record.matches]
    assert len(set(held)) == len(held)
    begun = {number for number in results if cycle_of(plan, number).start in results}
    assert set(held) <= begun
    if plan.directions or plan.hands != 1:
        # Matches 0 to limit - 1 have no gaps.
        assert set(held) == set(results)


def test_a_record_of_single_hands_goes_as_far_as_they_were_played(tmp_path: Path) -> None:
    plan = plan_of()
    _store(tmp_path, plan, [0, 1, 3, 5, 6, 7])
    (record,) = game_records(tmp_path, plan)
    assert [match.number for match in record.matches] == [0, 1]
    assert record_with(tmp_path, plan, 0) == record_with(tmp_path, plan, 1) == record
    with pytest.raises(StoreError, match="record of match 3 needs match 2, still to be played"):
        record_with(tmp_path, plan, 3)
    with pytest.raises(StoreError, match="record of match 7 needs match 4,"):
        record_with(tmp_path, plan, 7)
    with pytest.raises(StoreError, match="no record of match 8"):
        record_with(tmp_path, plan, 8)
    with pytest.raises(IndexError):
        record_with(tmp_path, plan, count(plan))


def test_directions_that_go_on_from_block_to_block_make_a_record(tmp_path: Path) -> None:
    plan = plan_of(directions=False, deals=4)
    results = _store(tmp_path, plan, _numbers(plan, 24))
    record = record_with(tmp_path, plan, 14)
    assert [match.number for match in record.matches] == [2, 8, 14, 20]
    lines = record.text.splitlines()
    before_deals = [lines[place - 1] for place, line in enumerate(lines) if line[:4] == "comm"]
    assert before_deals == [
        *("# match 2 block 0", "# match 8 block 1", "# match 14 block 2", "# match 20 block 3"),
    ]
    game = parse_record(record.text).replay()
    assert game.scores == tuple(
        sum(results[match.number].scores[seat] for match in record.matches) for seat in range(4)
    )


def test_each_game_is_a_record(tmp_path: Path) -> None:
    plan = plan_of(hands=None, end_score=30)
    results = _store(tmp_path, plan, [5, 2])
    for record, number in zip(game_records(tmp_path, plan), [5, 2], strict=True):
        match, read = match_of(plan, number), parse_record(record.text)
        assert moves_of(read.actions) == results[number].moves
        assert read.names == tuple(NAMES[entrant] for entrant in match.seats)
        assert record_with(tmp_path, plan, number) == record
        hands = len(results[number].points)
        assert record.text.count(f"\n# match {number} block {match.block}\n") == hands


def test_where_no_records_are_kept_there_are_none(tmp_path: Path) -> None:
    plan = plan_of(records=False)
    _store(tmp_path / "tournament", plan, [0, 1])
    assert list(game_records(tmp_path / "tournament", plan)) == []
    with pytest.raises(StoreError, match="no record of match 0"):
        record_with(tmp_path / "tournament", plan, 0)


def test_moves_that_were_changed_are_found(tmp_path: Path) -> None:
    plan = plan_of()
    _store(tmp_path, plan, [0])
    path = tmp_path / RESULTS_FILE
    path.write_bytes(path.read_bytes().replace(b'"}\n', b'A"}\n'))
    with pytest.raises(StoreError, match="hand 1 of match 0: there are more choices"):
        list(game_records(tmp_path, plan))

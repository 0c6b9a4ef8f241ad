"""The folder of a tournament: whole at every moment, and of one tournament only."""

from __future__ import annotations

import os
import resource
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from hearts_arena.kept.result_lines import result_line
from hearts_arena.kept.result_store import (
    PLAN_FILE,
    RESULTS_FILE,
    MatchSet,
    ResultStore,
    StoreError,
    read_plan,
    read_results,
)
from hearts_arena.plan.plan import Plan
from hearts_arena.plan.plan_text import plan_text
from hearts_arena.plan.results import MatchResult
from hearts_arena.plan.schedules import matches

from .sittings import plan_of, play

PLAN = plan_of(deals=3)
TEN = [play(PLAN, number) for number in range(10)]
LINES = [result_line(result) for result in TEN]


def _folder(path: Path, data: bytes, plan: Plan = PLAN) -> Path:
    """A folder with these results."""
    (path / PLAN_FILE).write_text(plan_text(plan), encoding="utf-8")
    (path / RESULTS_FILE).write_bytes(data)
    return path


def _data(folder: Path) -> bytes:
    return (folder / RESULTS_FILE).read_bytes()


def test_what_is_appended_is_there_for_the_next_run(tmp_path: Path) -> None:
    folder = tmp_path / "new" / "folder"
    with ResultStore(folder, PLAN) as store:
        assert len(store.done) == 0
        assert list(store.pending()) == list(matches(PLAN))
        store.append(TEN[4:6])
        store.append([])
        store.append([TEN[0]])
    taken: list[int] = []
    with ResultStore(folder, PLAN, lambda match, result: taken.append(match.number)) as store:
        assert taken == [4, 5, 0]
        assert [number for number in range(100) if number in store.done] == [0, 4, 5]
        assert [match.number for match in islice(store.pending(), 4)] == [1, 2, 3, 6]
        store.append([TEN[3]])
    assert read_plan(folder) == PLAN
    assert list(read_results(folder, PLAN)) == [
        (match, TEN[match.number])
        for match in (list(matches(PLAN))[number] for number in (4, 5, 0, 3))
    ]


def test_pending_goes_on_while_results_come(tmp_path: Path) -> None:
    with ResultStore(tmp_path, PLAN) as store:
        pending = store.pending()
        first = [next(pending).number for _ in range(3)]
        store.append(TEN[:5])
        assert first == [0, 1, 2]
        assert next(pending).number == 5


def test_a_file_that_was_cut_at_any_byte_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "fsync", lambda _: None)  # which takes the time of the disk
    lines = [result_line(result) for result in TEN[:4]]
    whole = b"".join(lines)
    _folder(tmp_path, b"")
    for size in range(len(whole) - len(lines[2]) - len(lines[3]), len(whole) + 1):
        (tmp_path / RESULTS_FILE).write_bytes(whole[:size])
        read = list(read_results(tmp_path, PLAN))
        assert len(read) == whole[:size].count(b"\n")
        with ResultStore(tmp_path, PLAN) as store:
            missing = [match.number for match in islice(store.pending(), 4 - len(read))]
            assert missing == list(range(len(read), 4))
            store.append(TEN[number] for number in missing)
        assert _data(tmp_path) == whole


_WRITER = """
import sys
from pathlib import Path
from hearts_arena.plan.results import Conduct, MatchResult, TimeTaken
from hearts_arena.kept.result_store import ResultStore, read_plan
folder = Path(sys.argv[1])
calm, quick = (Conduct(0, 0, 0, 0, 0),) * 4, (TimeTaken(0, 0),) * 4
with ResultStore(folder, read_plan(folder)) as store:
    for match in store.pending():
        scores = (match.number, 1, 2, 3)
        store.append([MatchResult(match.number, (scores,), scores, (0,), calm, quick)])
        print(match.number, flush=True)
"""


def test_a_run_that_was_killed_lost_nothing(tmp_path: Path) -> None:
    plan = plan_of(deals=100_000)
    _folder(tmp_path, b"", plan)
    with subprocess.Popen(
        [sys.executable, "-c", _WRITER, str(tmp_path)], stdout=subprocess.PIPE, text=True
    ) as writer:
        assert writer.stdout is not None
        told = [int(writer.stdout.readline()) for _ in range(20)]
        with pytest.raises(StoreError, match="another run writes to"):
            ResultStore(tmp_path, plan)
        assert len(list(read_results(tmp_path, plan))) >= 20
        writer.send_signal(signal.SIGKILL)
        told += map(int, writer.stdout.read().split())
    with ResultStore(tmp_path, plan) as store:
        assert told == list(range(len(told)))
        assert len(store.done) in (len(told), len(told) + 1)
        kept = [result.scores[0] for _, result in read_results(tmp_path, plan)]
        assert kept == list(range(len(store.done)))


@pytest.mark.parametrize(
    "batch",
    [[TEN[2]], [TEN[5], TEN[5]], [replace(TEN[0], number=72)], [replace(TEN[0], number=-1)]],
)
def test_no_match_is_kept_twice_or_out_of_the_plan(
    tmp_path: Path, batch: list[MatchResult]
) -> None:
    with ResultStore(tmp_path, PLAN) as store:
        store.append(TEN[:3])
        with pytest.raises(ValueError, match="is not to be played"):
            store.append([TEN[9], *batch])
        assert _data(tmp_path) == b"".join(LINES[:3])
        assert 9 not in store.done


def test_another_plan_is_refused_and_told_apart(tmp_path: Path) -> None:
    with ResultStore(tmp_path, PLAN) as store:
        store.append(TEN)
    other = replace(PLAN, seed=7, deals=4)
    with pytest.raises(StoreError, match="another tournament: deals is 3, not 4; seed is 1, not 7"):
        ResultStore(tmp_path, other)
    assert read_plan(tmp_path) == PLAN
    assert _data(tmp_path) == b"".join(LINES)


def test_a_tournament_can_be_made_longer_and_not_shorter(tmp_path: Path) -> None:
    folder = _folder(tmp_path, b"".join(LINES))
    longer = replace(PLAN, deals=5)
    with ResultStore(folder, longer) as store:
        assert len(store.done) == len(LINES)
        assert read_plan(folder) == longer
        assert next(store.pending()).number == len(LINES)
    kept = {match.number: match for match in matches(PLAN)}
    assert all(match == kept[match.number] for match in matches(longer) if match.number in kept)
    with pytest.raises(StoreError, match="deals"):
        ResultStore(folder, PLAN)
    assert read_plan(folder) == longer


def test_a_folder_with_other_things_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "letter.txt").touch()
    with pytest.raises(StoreError, match=r"holds no tournament and is not empty: letter\.txt"):
        ResultStore(tmp_path, PLAN)
    assert os.listdir(tmp_path) == ["letter.txt"]
    with pytest.raises(StoreError, match=r"cannot use .*letter\.txt: File exists"):
        ResultStore(tmp_path / "letter.txt", PLAN)
    with pytest.raises(StoreError, match="there is no tournament in"):
        read_plan(tmp_path)
    with pytest.raises(StoreError, match="cannot use"):
        list(read_results(tmp_path, PLAN))


def test_a_beginning_that_was_cut_off_is_made_again(tmp_path: Path) -> None:
    (tmp_path / RESULTS_FILE).touch()
    (tmp_path / f"{PLAN_FILE}.new").write_text(plan_text(PLAN)[:30])
    with ResultStore(tmp_path, PLAN) as store:
        store.append(TEN)
    assert sorted(os.listdir(tmp_path)) == [PLAN_FILE, RESULTS_FILE]
    assert read_plan(tmp_path) == PLAN


def test_results_without_a_plan_are_refused(tmp_path: Path) -> None:
    _folder(tmp_path, LINES[0])
    (tmp_path / PLAN_FILE).unlink()
    with pytest.raises(StoreError, match=r"has results, but their plan\.json is missing"):
        ResultStore(tmp_path, PLAN)
    assert _data(tmp_path) == LINES[0]


@pytest.mark.parametrize("content", [b"", b"{}", b"\xff", b" " * 1024 * 1024 + b" "])
def test_a_plan_that_cannot_be_read_is_refused(tmp_path: Path, content: bytes) -> None:
    _folder(tmp_path, b"")
    (tmp_path / PLAN_FILE).write_bytes(content)
    with pytest.raises(StoreError, match=r"plan\.json is no plan of a tournament"):
        ResultStore(tmp_path, PLAN)


@pytest.mark.parametrize(
    ("line", "why"),
    [
        (b"\n", "this is no JSON"),
        (b"\0\0\0\0\n", "this is no JSON"),
        (LINES[1][:-9] + b"\n", "this is no JSON"),
        (LINES[1][9:], "expected object, got int"),
        (LINES[2], "match 2 stands in a line before"),
        (LINES[1].replace(b":1,", b":72,", 1), "there is no match 72"),
        *(
            (LINES[1].replace(old, new, 1), why)
            for old, new, why in [
                (b'"winners":[', b'"winners":[4,', r"winners\[0\]: expected int <= 3"),
                (b'"winners":[', b'"winner":[', "no key 'winner'; did you mean winners"),
                (b'"points":[[', b'"points":[[1,', "expected array of length 4"),
                (b'"points":[[', b'"points":[[1,2,3,4],[', "a match has 1 hands here, not 2"),
                (b'"scores":[', b'"scores":["', r"scores\[0\]: expected int, got str"),
                (b'"conduct":[[14,', b'"conduct":[[-14,', "expected int >= 0"),
                (b'"pace":[[', b'"pace":[[' + b"9" * 400, "expected int <= "),
                (b'"moves":"', b'"moves":5,"moved":"', "moves: expected str, got int"),
            ]
        ),
    ],
)
def test_a_line_that_is_no_result_is_named(tmp_path: Path, line: bytes, why: str) -> None:
    data = LINES[0] + LINES[2] + line + LINES[3]
    _folder(tmp_path, data)
    complaint = rf"results\.jsonl, line 3: .*{why}"
    with pytest.raises(StoreError, match=complaint):
        ResultStore(tmp_path, PLAN)
    assert _data(tmp_path) == data
    read = read_results(tmp_path, PLAN)
    assert [next(read)[1], next(read)[1]] == [TEN[0], TEN[2]]
    with pytest.raises(StoreError, match=complaint):
        next(read)


@contextmanager
def _full_disk(size: int) -> Iterator[None]:
    """The system lets no file grow beyond so many bytes."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


@pytest.mark.parametrize("room", [0, 1, len(LINES[2]), len(LINES[2]) + 1])
def test_a_full_disk_leaves_the_folder_as_it_was(tmp_path: Path, room: int) -> None:
    before = b"".join(LINES[:2])
    with ResultStore(tmp_path, PLAN) as store:
        store.append(TEN[:2])
        with _full_disk(len(before) + room), pytest.raises(StoreError, match="File too large"):
            store.append(TEN[2:5])
        assert _data(tmp_path) == before
        assert len(store.done) == 2
        store.append(TEN[2:5])
    assert _data(tmp_path) == b"".join(LINES[:5])


def test_the_disk_is_asked_to_write_once_a_second(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[float] = []
    now = 0.0
    with ResultStore(tmp_path, PLAN, clock=lambda: now) as store:
        monkeypatch.setattr(os, "fsync", lambda _: asked.append(now))
        for result in TEN:
            store.append([result])
            now += 0.25
        assert asked == [1.0, 2.0]
    assert asked == [1.0, 2.0, 2.5]


@given(st.sets(st.integers(0, 300)))
def test_a_set_of_matches(numbers: set[int]) -> None:
    found = MatchSet()
    for number in sorted(numbers, key=lambda number: number * 7 % 301):
        found.add(number)
    assert {number for number in range(400) if number in found} == numbers
    assert len(found) == len(numbers)

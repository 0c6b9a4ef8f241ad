"""The spool: what was kept is there after a kill, and only what was played is taken from it."""

from __future__ import annotations

import gc
import os
import tempfile
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hearts_server.journal.spool import (
    Spool,
    SpooledLine,
    encoded,
    following,
    line_check,
    read_spool,
    record_of,
    spool_path,
)
from hearts_server.journal.store import StoredLine

from .files import MISHAPS, NOTICED, begun_with_zeros, emptied, full_disk, shortened, zeroed

HALF = 512


class Keeping:
    """A spool with the lines of some sessions."""

    def __init__(self, folder: Path, half: int = HALF) -> None:
        self.journal = folder / "journal"
        self.journal.touch()
        self.path = spool_path(self.journal)
        self.spool = Spool(self.journal, half)
        self.half = half
        self.kept: list[StoredLine] = []
        self.checks: dict[int, int] = {}

    def keep(self, line: str, game_number: int = 1) -> bool:
        number = sum(one.game_number == game_number for one in self.kept)
        before = self.checks.get(game_number, 0)
        record, check = record_of(game_number, number, line, before)
        if not self.spool.keep(record, game_number, number, line):
            return False
        self.checks[game_number] = check
        self.kept.append(StoredLine(game_number, number, line))
        return True

    def take(self) -> list[StoredLine]:
        return list(map(StoredLine, *self.spool.take()))

    @property
    def descriptor(self) -> int:
        """That of the file, which this process has open once."""
        inode = self.path.stat().st_ino
        return next(each for each in map(int, os.listdir("/proc/self/fd")) if _is(each, inode))

    def left(self, game_number: int = 1) -> set[tuple[int, str]]:
        found = read_spool(self.path, self.half).get(game_number, [])
        return {(one.number, one.line) for one in found}

    def look(self) -> str:
        if fault := self.spool.look():
            self.spool.lose(fault)
        return self.spool.fault

    def after_a_kill(self) -> list[StoredLine]:
        """What another program finds that has stored nothing."""
        return [
            StoredLine(game_number, number, line)
            for game_number, lines in read_spool(self.path, self.half).items()
            for number, line in enumerate(following(lines, game_number, 0, ""))
        ]


def _is(descriptor: int, inode: int) -> bool:
    try:
        return os.fstat(descriptor).st_ino == inode
    except OSError:  # That of the listing itself.
        return False


@pytest.fixture
def keeping(tmp_path: Path) -> Keeping:
    return Keeping(tmp_path)


@given(lines=st.lists(st.tuples(st.text(), st.integers(1, 3)), max_size=12))
def test_any_line_comes_back_as_it_was(lines: list[tuple[str, int]]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        keeping = Keeping(Path(folder), 1 << 14)
        for line, game_number in lines:
            assert keeping.keep(line, game_number)
        assert sorted(keeping.after_a_kill()) == sorted(keeping.kept)


@given(steps=st.lists(st.sampled_from(["keep", "keep", "keep", "take", "settle"]), max_size=99))
def test_what_is_not_settled_is_there_whatever_was_wiped(steps: list[str]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        keeping = Keeping(Path(folder), 100)
        taken: list[StoredLine] = []
        settled = 0
        for number, step in enumerate(steps):
            if step == "keep":
                keeping.keep("a line " * (number % 5))
            elif step == "take":
                taken += keeping.take()
                assert taken == keeping.kept
            else:
                keeping.spool.settle()
                settled = len(taken)
            assert keeping.spool.waiting == len(keeping.kept) - len(taken)
            assert keeping.left() >= {(one.number, one.line) for one in keeping.kept[settled:]}
        keeping.take()
        keeping.spool.settle()
        assert keeping.keep("there is room again")


def test_what_is_full_keeps_nothing(keeping: Keeping) -> None:
    assert not keeping.keep("x" * HALF)
    while keeping.keep("a line"):
        pass
    assert len(keeping.kept) == 2 * (HALF // (20 + len("a line")))
    assert keeping.after_a_kill() == keeping.take() == keeping.kept


@pytest.mark.parametrize("mishap", NOTICED)
def test_another_file_is_made_when_all_that_was_kept_is_stored(
    keeping: Keeping, mishap: Callable[[Path], None], caplog: pytest.LogCaptureFixture
) -> None:
    for number in range(9):
        assert keeping.keep(f"line {number}")
    taken = keeping.take()
    for number in range(9, 15):
        assert keeping.keep(f"line {number}")
    assert keeping.look() == ""
    mishap(keeping.path)
    assert keeping.look() != ""
    # It is known, and another file may be under way.
    assert keeping.spool.look() == ""
    assert not keeping.keep("this one has to wait")
    keeping.spool.settle()
    assert keeping.look() != ""
    assert not keeping.keep("this one too")
    assert taken + keeping.take() == keeping.kept
    keeping.spool.settle()
    assert keeping.keep("a line")
    assert keeping.look() == ""
    assert keeping.left() == {(15, "a line")}
    events = [message.split(" ")[0] for message in caplog.messages]
    assert events == ["spool-lost", "spool-renewed"]


def test_nothing_that_is_stored_is_left_when_it_is_renewed(keeping: Keeping) -> None:
    assert keeping.keep("seat 1 client 7 Ann")
    keeping.take()
    keeping.spool.settle()
    assert keeping.keep("a line")
    assert b"Ann" in keeping.path.read_bytes()
    keeping.spool.renew()
    assert not keeping.keep("this one has to wait")
    keeping.spool.settle()
    assert b"a line" in keeping.path.read_bytes()
    keeping.take()
    keeping.spool.settle()
    assert keeping.path.read_bytes() == b""
    assert keeping.keep("another line")


@pytest.mark.parametrize("mishap", MISHAPS)
def test_what_becomes_of_the_file_takes_nothing_from_the_thread(
    keeping: Keeping, mishap: Callable[[Path], None]
) -> None:
    while keeping.keep("a line"):
        mishap(keeping.path)
        keeping.path.touch()
    assert keeping.take() == keeping.kept


@pytest.mark.parametrize("mishap", [shortened, emptied, zeroed, begun_with_zeros])
def test_what_was_unnoticed_is_over_when_the_lines_of_then_are_stored(
    keeping: Keeping, mishap: Callable[[Path], None]
) -> None:
    assert keeping.keep("one")
    mishap(keeping.path)
    assert keeping.keep("two")
    for line in ("three", "four"):
        keeping.take()
        keeping.spool.settle()
        assert keeping.keep(line)
    assert keeping.left() >= {(2, "three"), (3, "four")}


def test_a_full_disk_loses_nothing(keeping: Keeping) -> None:
    with full_disk(100):
        while keeping.keep("a line"):
            pass
        assert len(keeping.kept) == 3
        assert "File too large" in keeping.spool.fault or "part" in keeping.spool.fault
    assert keeping.after_a_kill() == keeping.take() == keeping.kept
    keeping.spool.settle()
    assert keeping.keep("there is room again")


def test_a_file_that_cannot_be_written_keeps_nothing(keeping: Keeping) -> None:
    assert keeping.keep("a line")
    reader = os.open(keeping.path, os.O_RDONLY)
    os.dup2(reader, keeping.descriptor)
    os.close(reader)
    assert not keeping.keep("this one has to wait")
    assert "Bad file descriptor" in keeping.spool.fault
    assert keeping.take() == keeping.kept
    keeping.spool.settle()
    assert keeping.keep("another file is made")


def test_without_its_journal_no_new_file_is_made(keeping: Keeping) -> None:
    keeping.path.unlink()
    keeping.journal.unlink()
    assert keeping.look() != ""
    keeping.spool.settle()
    assert not keeping.path.exists()
    keeping.journal.touch()
    keeping.spool.settle()
    assert keeping.keep("a line")


def test_what_is_read_of_any_damage_is_a_beginning(keeping: Keeping) -> None:
    for number in range(8):
        assert keeping.keep(f"line {number}")
    assert keeping.after_a_kill() == keeping.kept
    whole = keeping.path.read_bytes()
    lengths = set()
    for at in range(8 * (20 + len("line 0"))):
        for torn in (
            whole[:at] + bytes(len(whole) - at),
            whole[:at] + bytes([whole[at] ^ 0x40]) + whole[at + 1 :],
        ):
            keeping.path.write_bytes(torn)
            found = keeping.after_a_kill()
            assert found == keeping.kept[: len(found)]
            lengths.add(len(found))
    assert lengths == set(range(8))


def test_only_what_follows_is_taken() -> None:
    lines = []
    before = 0
    for number, line in enumerate(("a", "b", "c", "d")):
        lines.append(SpooledLine(number, line, before))
        before = line_check(7, number, encoded(line))
    assert following(lines, 7, 0, "") == ["a", "b", "c", "d"]
    assert following(reversed(lines), 7, 2, "b") == ["c", "d"]
    assert following([*lines, lines[3]], 7, 4, "d") == []
    assert following([lines[0], *lines[2:]], 7, 1, "a") == []
    assert following(lines, 7, 2, "another b") == []
    assert following(lines, 8, 2, "b") == []


def test_nothing_is_kept_of_a_game_that_is_refused_nor_while_it_is_closed(keeping: Keeping) -> None:
    keeping.spool.refused.add(1)
    assert not keeping.keep("a line")
    assert keeping.keep("a line", 2)
    keeping.spool.is_open = False
    assert not keeping.keep("another", 2)


def test_a_line_is_kept_while_others_are_taken(keeping: Keeping) -> None:
    keeping.keep("deal 1")
    kept: list[bool] = []

    def collect(phase: str, info: dict[str, int]) -> None:
        # Where the collector looks, any thread may have its turn.
        if phase == "start":
            kept.append(keeping.keep("play 1 SQ"))

    gc.disable()
    held = [(number, 1, 2, 3, 4) for number in range(5000)]
    gc.callbacks.append(collect)
    gc.set_threshold(1, *(before := gc.get_threshold())[1:])
    try:
        gc.enable()
        taken = keeping.take()
    finally:
        gc.set_threshold(*before)
        gc.callbacks.remove(collect)
    del held
    assert kept
    assert all(kept)
    assert taken + keeping.take() == keeping.kept


def test_a_spool_with_what_is_not_settled_stays(keeping: Keeping) -> None:
    assert keeping.keep("a line")
    keeping.spool.close()
    assert keeping.after_a_kill() == keeping.kept
    again = Spool(keeping.journal, HALF)
    assert keeping.after_a_kill() == []
    again.close()
    assert not keeping.path.exists()

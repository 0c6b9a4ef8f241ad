"""The folder of a tournament: its plan, and every match that was played.

``plan.json`` is the plan. ``results.jsonl`` has a line for each match that was played to its end,
in the order in which they ended. A line counts when its line break is there. If a process was
killed, there may be more after the last line break: that is cut off when the tournament goes on,
and the match is played again. Nothing else is ever changed, so the folder is whole at every moment.

The writer holds a lock on ``results.jsonl``. Readers need none: they see the lines that are there.
"""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from msgspec.structs import replace

from hearts.errors import HeartsError
from hearts.net.files import remove_unfinished, write_whole
from hearts.net.system import lock
from hearts_arena.plan.plan import InvalidPlan, Plan
from hearts_arena.plan.plan_text import differences, parse_plan, plan_text
from hearts_arena.plan.results import Match, MatchResult
from hearts_arena.plan.schedules import block_size, count, match_of

from .result_lines import CorruptLine, parse_line, result_line

PLAN_FILE = "plan.json"
RESULTS_FILE = "results.jsonl"
SYNC_INTERVAL = 1.0
"""Seconds between two orders to the disk to write what it has."""

Part = tuple[int, int]
"""The place from 1, and the number, of the parts that blocks are dealt out to in turn."""
ALL: Part = (1, 1)

_LOCK_TRIES = 10
_LOCK_EVERY = 0.05
"""Seconds between two tries to lock a folder."""
_LARGEST_PLAN = 1024 * 1024
"""Bytes."""


class StoreError(HeartsError):
    """A folder that cannot be used; the text names the file and says why."""


class MatchSet:
    """Numbers of matches, in a bit for each: 1 MiB for 8 million."""

    def __init__(self) -> None:
        self._bits = bytearray()
        self._size = 0

    def __len__(self) -> int:
        return self._size

    def __contains__(self, number: int) -> bool:
        place = number >> 3
        return place < len(self._bits) and self._bits[place] >> (number & 7) & 1 == 1

    def add(self, number: int) -> None:
        place = number >> 3
        if place >= len(self._bits):
            self._bits.extend(bytes(place + 1 - len(self._bits)))
        self._bits[place] |= 1 << (number & 7)
        self._size += 1


class ResultStore:
    """The folder of a tournament that is being played, for use in ``with``.

    At the end of the block the disk has everything, and another run may write to the folder. If the
    disk refuses, StoreError is raised then.
    """

    def __init__(
        self,
        folder: Path,
        plan: Plan,
        take: Callable[[Match, MatchResult], None] = lambda match, result: None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Begin a tournament in a folder that is empty or not there, or go on with it.

        The plan may have more deals than that of the folder, which then has as many. ``take`` gets
        all results that are kept already.

        Raises StoreError if the folder holds another tournament or something else, if
        another run writes to it, if its results cannot be read, or if the disk refuses.
        """
        self.folder = folder
        self.plan = plan
        self.done = MatchSet()
        self._clock = clock
        self._path = folder / RESULTS_FILE
        self._matches = count(plan)
        with _told(folder):
            folder.mkdir(parents=True, exist_ok=True)
        _check_content(folder)
        with _told(self._path):
            self._file = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o666)
        try:
            self._lock()
            self._begin()
            self._size = 0
            for match, result, size in _read(self._path, plan, self.done):
                take(match, result)
                self._size += size
            with _told(self._path):
                self._cut()
        except BaseException:
            os.close(self._file)
            raise
        self._synced = clock()

    def __enter__(self) -> ResultStore:
        return self

    def __exit__(self, *error: object) -> None:
        try:
            self._sync()
        finally:
            os.close(self._file)

    def pending(self, part: Part = ALL) -> Iterator[Match]:
        """Return the matches of a part that are still to be played, in order; it may go on while
        results come.
        """
        size = block_size(self.plan)
        return (
            match_of(self.plan, number)
            for block in range(part[0] - 1, self.plan.deals, part[1])
            for number in range(block * size, (block + 1) * size)
            if number not in self.done
        )

    def left(self, part: Part = ALL) -> int:
        """Count the matches of a part that are still to be played."""
        if part == ALL:
            return self._matches - len(self.done)
        return sum(1 for _ in self.pending(part))

    def append(self, results: Iterable[MatchResult]) -> None:
        """Keep results of matches that are not kept yet, all of them or none.

        A process that is killed afterwards has lost nothing; if the machine itself stops, the
        latest results may be lost, and are played again. It may wait for the disk.

        Raises StoreError if the disk refuses; the folder is as before, and one may try again.
        Raises ValueError for a match that is none of this tournament or kept already.
        """
        lines: dict[int, bytes] = {}
        for result in results:
            number = result.number
            if not 0 <= number < self._matches or number in self.done or number in lines:
                raise ValueError(f"match {number} is not to be played")
            lines[number] = result_line(result)
        data = b"".join(lines.values())
        with _told(self._path):
            self._cut()
            try:
                _write(self._file, data)
            except BaseException:
                with contextlib.suppress(OSError):
                    self._cut()
                raise
        self._size += len(data)
        for number in lines:
            self.done.add(number)
        if self._clock() - self._synced >= SYNC_INTERVAL:
            self._sync()

    def _lock(self) -> None:
        # A process that was killed a moment ago may hold it for as long as it takes to die.
        with _told(self._path):
            for _ in range(_LOCK_TRIES):
                with contextlib.suppress(BlockingIOError):
                    lock(self._file)
                    return
                time.sleep(_LOCK_EVERY)
        raise StoreError(f"another run writes to {self.folder}")

    def _begin(self) -> None:
        """See that the plan in the folder is ours, and put it there if it has none."""
        path = self.folder / PLAN_FILE
        with _told(path):
            remove_unfinished(path)
        if path.exists():
            kept = read_plan(self.folder)
            # More deals follow those that are there, whose matches keep their numbers.
            if replace(kept, deals=max(kept.deals, self.plan.deals)) != self.plan:
                differing = "; ".join(differences(kept, self.plan))
                raise StoreError(f"{path} is of another tournament: {differing}")
            if kept == self.plan:
                return
        elif os.fstat(self._file).st_size:
            raise StoreError(f"{self.folder} has results, but their {PLAN_FILE} is missing")
        with _told(path):
            write_whole(path, plan_text(self.plan), mode=0o666)

    def _cut(self) -> None:
        """Remove everything after the last whole line."""
        if os.fstat(self._file).st_size != self._size:
            os.ftruncate(self._file, self._size)

    def _sync(self) -> None:
        with _told(self._path):
            os.fsync(self._file)
        self._synced = self._clock()


def read_plan(folder: Path) -> Plan:
    """Return the plan of the tournament in a folder. Raises StoreError if there is none."""
    path = folder / PLAN_FILE
    try:
        with path.open("rb") as file:
            data = file.read(_LARGEST_PLAN + 1)
        if len(data) > _LARGEST_PLAN:
            raise InvalidPlan("it is too long")
        return parse_plan(data.decode())
    except OSError as error:
        raise StoreError(f"there is no tournament in {folder}: {_why(error)}") from None
    except (UnicodeDecodeError, InvalidPlan) as error:
        raise StoreError(f"{path} is no plan of a tournament: {error}") from None


def read_results(folder: Path, plan: Plan) -> Iterator[tuple[Match, MatchResult]]:
    """Read what is kept in a folder, in the order in which the matches ended.

    Another process may be writing to it. Raises StoreError, naming the line, for one that holds no
    result of this tournament, and if the file cannot be read.
    """
    for match, result, _ in _read(folder / RESULTS_FILE, plan, MatchSet()):
        yield match, result


def _read(path: Path, plan: Plan, seen: MatchSet) -> Iterator[tuple[Match, MatchResult, int]]:
    """Return the results of the lines that have a line break, with the sizes of these lines.

    Their matches are put into ``seen``.
    """
    with _told(path), path.open("rb") as file:
        for number, line in enumerate(file, 1):
            if not line.endswith(b"\n"):
                return
            try:
                result = parse_line(line)
                match = _match(plan, result, seen)
            except CorruptLine as error:
                raise StoreError(f"{path}, line {number}: {error}") from None
            seen.add(match.number)
            yield match, result, len(line)


def _match(plan: Plan, result: MatchResult, seen: MatchSet) -> Match:
    """Return the match of a result. Raises CorruptLine if it has none that is new."""
    number = result.number
    if not 0 <= number < count(plan):
        raise CorruptLine(f"there is no match {number} in this tournament")
    if number in seen:
        raise CorruptLine(f"match {number} stands in a line before")
    if plan.hands is not None and len(result.points) != plan.hands:
        raise CorruptLine(f"a match has {plan.hands} hands here, not {len(result.points)}")
    return match_of(plan, number)


def _write(file: int, data: bytes) -> None:
    left = memoryview(data)
    while left:
        left = left[os.write(file, left) :]


def _check_content(folder: Path) -> None:
    """Refuse a folder that is neither empty nor of a tournament."""
    with _told(folder):
        names = set(os.listdir(folder))
    strange = {name for name in names if name != RESULTS_FILE and not name.startswith(PLAN_FILE)}
    if strange and PLAN_FILE not in names:
        raise StoreError(f"{folder} holds no tournament and is not empty: {min(strange)}")


@contextlib.contextmanager
def _told(path: Path) -> Iterator[None]:
    """Raise a StoreError about this path for what the system refuses in the block."""
    try:
        yield
    except OSError as error:
        raise StoreError(f"cannot use {path}: {_why(error)}") from None


def _why(error: OSError) -> str:
    return error.strerror or str(error)

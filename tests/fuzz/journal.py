"""The journal's file and its spool under any order of lines, ends, cuts, pruning and kills.

What was durable is there after a kill at any time, line for line. Where SQLite's log is torn and a
bit of the spool has flipped, as by a power cut, each session is as it was at some time.
"""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from functools import partial
from pathlib import Path

from hearts.hosting.store import StoredSeat
from hearts.table.seat import Kind
from hearts_server.journal import store as st
from hearts_server.journal.archive import Archive
from hearts_server.journal.keeper import GOING_ON, JournalKeeper
from hearts_server.journal.spool import QueuedStore, Spool, read_spool, spool_path
from hearts_server.journal.sqlite import take_in
from hearts_server.journal.writing import Writer
from tests.journal.desk import session
from tests.journal.finished import tables_in

from .source import Source

SLOTS = 6
"""Tables at the same time."""
FAR = 2**40
HALF = 1500
"""Bytes of half a spool: some fifty lines."""


def journal(data: bytes) -> None:
    """Carry an input out, step by step."""
    with tempfile.TemporaryDirectory() as folder:
        program = JournalProgram(Path(folder), Source(data))
        program.run()


class WritingLife:
    """A journal from its opening to its end or to a kill, without threads."""

    def __init__(self, path: Path) -> None:
        self.tables = tables_in(path)
        self.tables.rows("PRAGMA wal_autocheckpoint=0")
        keeper = JournalKeeper(self.tables)
        keeper.load(each.game_number for each in keeper.left(GOING_ON))
        take_in(keeper, read_spool(spool_path(path), HALF))
        self.spool = Spool(path, HALF)
        self.writer = Writer(keeper, self._tell, self._complain, self._complain, self.spool)
        self.writer.store_every = 0.0

    def close(self) -> None:
        self.tables.close()
        self.spool.close()

    @staticmethod
    def _tell(callbacks: Sequence[Callable[[], None]]) -> None:
        for callback in callbacks:
            callback()

    @staticmethod
    def _complain(what: object) -> None:
        raise AssertionError(what)


class KeptSession:
    """What a session has to be, as far as it was written."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.network = "192.0.2.7"
        self.is_over = False


class JournalProgram:
    """An input that is carried out."""

    def __init__(self, folder: Path, source: Source) -> None:
        self._folder = folder
        self._path = folder / "journal.db"
        self._source = source
        self._life = WritingLife(self._path)
        self._kept: dict[int, KeptSession] = {}
        self._given: list[st.StoredItem] = []
        self._slots: dict[int, int] = {}
        self._stores: dict[int, QueuedStore] = {}
        self._next: dict[int, int] = {}
        """The number of the next line of each session."""
        self._numbers = 0
        self._is_pruned = False

    def run(self) -> None:
        while self._source:
            slot, what = divmod(self._source.byte(), 16)
            self._step(slot % SLOTS, what)
        self._reopen()
        self._check(self._path)
        self._life.close()

    def _step(self, slot: int, what: int) -> None:
        match what:
            case 0 | 1 | 2 | 3:
                self._append(slot, what + 1)
            case 4 | 5:
                self._append(slot, 20 * (what - 3))
            case 6:
                self._end(slot)
            case 7:
                self._move(slot)
            case 8:
                self._life.writer.prune(st.PruneTarget(0, FAR))
                self._is_pruned = True
            case 9:
                self._write()
                self._life.tables.rows("PRAGMA wal_checkpoint(TRUNCATE)")
            case 10:
                self._check(self._left())
            case 11:
                self._check_torn(self._left())
            case 12:
                self._kill()
            case 13:
                self._reopen()
            case 14:
                self._lose_spool()
            case _:
                self._write()

    # What a server does

    def _number(self, slot: int) -> int:
        if slot not in self._slots:
            self._numbers += 1
            self._slots[slot] = number = self._numbers
            self._next[number] = 0
            store = QueuedStore(self._given.append, self._life.spool, number)
            self._stores[number] = store
            begun = store.waiting(partial(self._kept.__setitem__, number, KeptSession()))
            self._given.append(st.Begin(number, session(number), begun))
        return self._slots[slot]

    def _append(self, slot: int, count: int) -> None:
        number = self._number(slot)
        for _ in range(count):
            place = self._next[number]
            word = "deal" if self._source.below(7) == 1 else "play"
            line = f"{word} {number} {place}"
            self._stores[number].append(line, partial(self._told, number, line))
            self._next[number] += 1

    def _told(self, number: int, line: str) -> None:
        self._kept[number].lines.append(line)

    def _end(self, slot: int) -> None:
        number = self._number(slot)
        self._given.append(st.End(number, 1000 + number, "over", partial(self._was_over, number)))
        del self._slots[slot]

    def _was_over(self, number: int) -> None:
        self._kept[number].is_over = True

    def _move(self, slot: int) -> None:
        network = f"198.51.100.{self._source.byte()}"
        seat = StoredSeat("", Kind.CLIENT, 0, network)
        self._given.append(st.ChangeSeat(self._number(slot), 0, seat))

    def _write(self) -> None:
        given = self._given.copy()
        self._given.clear()
        self._life.writer.give(given)
        self._life.writer.write_next()
        for item in given:
            if isinstance(item, st.ChangeSeat):
                self._kept[item.game_number].network = item.seat.network
        assert {number: len(kept.lines) for number, kept in self._kept.items()} == self._next
        hands = [_last_hand(kept.lines) for kept in self._kept.values() if not kept.is_over]
        ((rows,),) = self._life.tables.rows("SELECT count(*) FROM lines")
        assert rows <= sum(hands)

    def _lose_spool(self) -> None:
        spool = self._life.spool
        spool_path(self._path).unlink()
        spool.lose(spool.look())
        assert spool.fault
        self._write()
        assert not spool.fault

    def _reopen(self) -> None:
        self._write()
        self._life.close()
        assert not spool_path(self._path).exists()
        self._live_on()

    def _kill(self) -> None:
        """What was not written is lost, and another server goes on with what is left."""
        path = self._left()
        self._life.close()
        self._path = path
        self._given.clear()
        self._slots = {
            slot: number
            for slot, number in self._slots.items()
            if number in self._kept and not self._kept[number].is_over
        }
        self._next = {number: len(kept.lines) for number, kept in self._kept.items()}
        self._live_on()

    def _live_on(self) -> None:
        self._life = WritingLife(self._path)
        self._stores = {
            number: QueuedStore(
                *(self._given.append, self._life.spool, number, len(kept.lines)),
                "".join(kept.lines[-1:]),
            )
            for number, kept in self._kept.items()
        }

    def _left(self) -> Path:
        """The file, SQLite's log and the spool as a kill leaves them."""
        copy = Path(tempfile.mkdtemp(dir=self._folder)) / "journal.db"
        for suffix in ("", "-wal", "-spool"):
            if Path(f"{self._path}{suffix}").exists():
                shutil.copyfile(f"{self._path}{suffix}", f"{copy}{suffix}")
        return copy

    # What has to be there

    def _check(self, path: Path) -> None:
        with _sessions(path) as found:
            for number, stored in found.items():
                kept = self._kept[number]
                assert list(stored.lines) == kept.lines
                assert (stored.ended is not None) == kept.is_over
                assert stored.session.seats[0].network == kept.network
            for number in self._kept.keys() - found.keys():
                assert self._is_pruned
                assert self._kept[number].is_over

    def _check_torn(self, path: Path) -> None:
        wal = Path(f"{path}-wal")
        if wal.exists():
            whole = wal.read_bytes()
            wal.write_bytes(whole[: self._source.below(65536) * len(whole) // 65535])
        spool = spool_path(path)
        at = self._source.below(2 * HALF)
        data = spool.read_bytes()
        spool.write_bytes(
            data[:at] + bytes(one ^ 0x10 for one in data[at : at + 1]) + data[at + 1 :]
        )
        with _sessions(path) as found:
            for number, stored in found.items():
                lines = self._kept[number].lines
                assert list(stored.lines) == lines[: len(stored.lines)]
                assert stored.ended is None or len(stored.lines) == len(lines)


def _last_hand(lines: Sequence[str]) -> int:
    deals = [number for number, line in enumerate(lines) if line.startswith("deal")]
    return len(lines) - (deals[-1] if len(deals) > 1 else 0)


@contextmanager
def _sessions(path: Path) -> Iterator[dict[int, st.StoredSession]]:
    archive = Archive(tables_in(path), read_spool(spool_path(path), HALF))
    with closing(archive):
        yield {number: archive.session(number) for number in archive.numbers()}

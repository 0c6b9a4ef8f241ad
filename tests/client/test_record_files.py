"""The files of a player's own records."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest

from hearts.game.deal import disclosure_notice
from hearts.game.verify import verify_record
from hearts.session.client_events import AnotherGame
from hearts_client.session.record_files import RecordFiles, seat_of
from tests.journal.files import full_disk

from .played import TABLE, PlayedGame, own_record, tell_events


class GrowingRecord:
    """A record that grows by whole games, and what is said about its files."""

    def __init__(self, folder: Path) -> None:
        self.record = own_record()
        self.said: list[str] = []
        self.files = RecordFiles(folder, self.record, self.said.append)
        self._deals = 0

    async def play(self, seed: int) -> None:
        """Play a game; save after each hand."""
        played = PlayedGame(seed=seed)
        begin, *hands = played.hands(0)
        tell_events(self.record, [AnotherGame(True), TABLE] if self._deals else begin)
        for events, secret in zip(hands, played.secrets, strict=True):
            tell_events(self.record, events)
            self._deals += 1
            self.record.notice(disclosure_notice(self._deals, secret))
            await self.files.save()


def _deals(path: Path) -> int:
    report = verify_record(path.read_text(encoding="utf-8"))
    assert report.problem is None
    return len(report.deals)


def _write(path: Path) -> Path:
    path.write_text("", encoding="utf-8")
    return path


def _files(folder: Path) -> list[Path]:
    return sorted(folder.iterdir()) if folder.exists() else []


def _mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


async def test_one_file_for_each_game_that_only_its_owner_reads(tmp_path: Path) -> None:
    folder = tmp_path / "records" / "mine"
    session = GrowingRecord(folder)
    await session.files.save()
    assert _files(folder) == []
    await session.play(1)
    (first,) = _files(folder)
    deals = _deals(first)
    assert deals >= 2
    assert first.name.endswith("-game-7-1-seat-0.txt")
    await session.play(2)
    (second,) = (path for path in _files(folder) if path != first)
    assert second.name.endswith("-game-7-2-seat-0.txt")
    assert _deals(second) >= 2
    assert _deals(first) == deals
    assert {_mode(first), _mode(second)} == {0o600}
    assert _mode(folder) == 0o700
    assert session.said == []


async def test_a_file_that_is_there_is_never_overwritten(tmp_path: Path) -> None:
    for _ in range(3):
        await GrowingRecord(tmp_path).play(1)
    assert len(_files(tmp_path)) == 3
    assert all(_deals(path) >= 2 for path in _files(tmp_path))
    assert [seat_of(path) for path in _files(tmp_path)] == [0, 0, 0]


@pytest.mark.parametrize(
    ("name", "seat"),
    [
        ("2026-11-22-101500-game-7-1-seat-2.txt", 2),
        ("2026-11-22-101500-game-7-1-seat-2-3.txt", 2),
        ("2026-11-22-101500-game-7-1.txt", None),
        ("2026-11-22-101500-game-7-1-seat-4.txt", None),
        ("2026-11-22-101500-game-7-1-seat-2.new", None),
        ("session-7.record", None),
    ],
)
def test_the_seat_in_the_name_of_a_file(name: str, seat: int | None) -> None:
    assert seat_of(Path(name)) == seat


async def test_a_full_disk_has_no_empty_file(tmp_path: Path) -> None:
    session = GrowingRecord(tmp_path)
    with full_disk(100):
        await session.play(1)
    assert session.said == [f"* No record is kept: cannot write in {tmp_path}: File too large."]
    assert _files(tmp_path) == []


async def test_what_cannot_be_written_is_told_once(tmp_path: Path) -> None:
    taken = _write(tmp_path / "a file")
    session = GrowingRecord(taken)
    await session.play(1)
    assert session.said == [f"* No record is kept: cannot write in {taken}: File exists."]

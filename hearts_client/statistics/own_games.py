"""The games that a player has kept records of, for a list to choose from."""

from __future__ import annotations

from pathlib import Path

from msgspec import Struct

from hearts.errors import CorruptRecord
from hearts_client.session.record_files import seat_of
from hearts_client.session.replay import GameReplay, read_replay

_LARGEST = 1_000_000
"""Bytes; a record of a hundred hands has a tenth of it."""


class OwnGame(Struct, frozen=True, gc=False):
    """One file of a folder of records."""

    path: Path
    played_at: float
    """The time of the last change, in seconds since 1970."""
    replay: GameReplay | None
    """None if it cannot be read."""
    problem: str | None
    """The fault of the file, or of the rest of the record."""
    own: int | None
    """Whose record it is, 0-3, if the name of the file says it."""


def read_games(folder: Path) -> tuple[OwnGame, ...]:
    """Return the records of a folder, the latest first; none if there is no folder. Raises OSError.

    It reads files and replays them, so it takes a while; let a thread do it.
    """
    try:
        paths = [path for path in folder.iterdir() if path.suffix == ".txt" and path.is_file()]
    except FileNotFoundError:
        return ()
    games = [_read(path) for path in paths]
    return tuple(sorted(games, key=lambda game: (-game.played_at, game.path)))


def _read(path: Path) -> OwnGame:
    played_at, replay = 0.0, None
    own = seat_of(path)
    try:
        status = path.stat()
        played_at = status.st_mtime
        if status.st_size > _LARGEST:
            raise CorruptRecord("it is too long for a record")
        replay = read_replay(path.read_text(encoding="utf-8"), own)
        problem = replay.problem
    except OSError as error:
        problem = error.strerror or str(error)
    except UnicodeDecodeError:
        problem = "it is no text in UTF-8"
    except CorruptRecord as error:
        problem = str(error)
    return OwnGame(path, played_at, replay, problem, own)

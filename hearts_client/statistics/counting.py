"""Counts the games of a player from the files of records in a folder."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from msgspec import Struct

from hearts.errors import CorruptRecord
from hearts.game.record import MATCH_REMARK, Reader, WrongLine, records_in
from hearts.game.rules import Rules, rules_name
from hearts.game.stats import Statistics, statistics_of
from hearts.wire.text import is_legible
from hearts_client.session.record_files import seat_of
from hearts_client.words.others import shown_name, shown_names

STANDARD_INPUT = Path("-")
ALL_RULES = "all"
"""The name of all rules together."""

_KINDS = (".txt", ".record")
"""Endings of the files of a folder that are read: those of a player and those of a server."""
_MAX_BYTES = 64 * 1024 * 1024


class CountedStatistics(Struct, frozen=True):
    """The statistics of a player for each set of rules, and the records that were left out."""

    by_rules: Mapping[Rules, Statistics]
    problems: tuple[str, ...] = ()
    """A line for each file, or record in it, that is not counted: which and why."""

    @property
    def columns(self) -> list[tuple[str, Statistics]]:
        """All rules together, then each by its name, the most played first; empty for no game."""
        if not self.by_rules:
            return []
        named = [(rules_name(rules), counted) for rules, counted in self.by_rules.items()]
        named.sort(key=lambda column: (-column[1].hands, column[0]))
        return [(ALL_RULES, sum(self.by_rules.values(), Statistics())), *named]


def count_records(paths: Sequence[Path], player_name: str | None = None) -> CountedStatistics:
    """Count the games in some files and folders.

    Whose games they are stands in the names of a player's own files; ``player_name`` names another
    player, as the name is shown or written in the record. In a record of a tournament a game counts
    for each seat that the program has there, and not where it has none. A record that is wrong is
    left out as a whole; one that only stops early counts as far as it goes. Reads and computes for
    a while: some milliseconds for each game.
    """
    counter = _Counter(player_name)
    for path in paths:
        counter.count(path)
    return CountedStatistics(counter.by_rules, tuple(counter.problems))


class _Counter:
    def __init__(self, player_name: str | None) -> None:
        self.by_rules: dict[Rules, Statistics] = {}
        self.problems: list[str] = []
        self._player_name = player_name

    def count(self, path: Path) -> None:
        try:
            files = [path]
            if path.is_dir():
                kept = (file for file in path.iterdir() if file.suffix in _KINDS)
                files = sorted(file for file in kept if file.is_file())
            for file in files:
                self._count_file(file)
        except OSError as error:
            self._leave_out(path, error.strerror or str(error))

    def _count_file(self, path: Path) -> None:
        try:
            records = records_of(path)
        except OSError as error:
            self._leave_out(path, error.strerror or str(error))
            return
        except (UnicodeDecodeError, CorruptRecord) as error:
            self._leave_out(path, str(error))
            return
        for first_line, record in records:
            try:
                self._count_record(record, seat_of(path))
            except WrongLine as error:
                line = first_line + error.line - 1
                self._leave_out(path, error.what, line)
            except _WhoseError as error:
                self._leave_out(path, str(error), first_line)

    def _count_record(self, text: str, seat: int | None) -> None:
        reader = Reader(text)
        players = _players(reader.names, self._player_name, seat, f"\n{MATCH_REMARK}" in text)
        if not players:
            return
        statistics = sum((statistics_of(Reader(text), each) for each in players), Statistics())
        rules = reader.game.rules
        self.by_rules[rules] = self.by_rules.get(rules, Statistics()) + statistics

    def _leave_out(self, path: Path, why: str, line: int | None = None) -> None:
        place = _shown(path) if line is None else f"{_shown(path)}, line {line}"
        self.problems.append(f"{place}: {why}")


class _WhoseError(Exception):
    """It cannot be said which player is meant."""


def records_of(path: Path) -> list[tuple[int, str]]:
    """Each record of a file, or of standard input for :data:`STANDARD_INPUT`, with its first line.

    Raises OSError, UnicodeDecodeError, and CorruptRecord for no record or more than 64 MiB.
    """
    if path == STANDARD_INPUT:
        data = sys.stdin.buffer.read(_MAX_BYTES + 1)
    else:
        with path.open("rb") as file:
            data = file.read(_MAX_BYTES + 1)
    if len(data) > _MAX_BYTES:
        raise CorruptRecord(f"it has more than {_MAX_BYTES >> 20} MiB")
    records = records_in(data.decode("utf-8"))
    if not records:
        raise CorruptRecord("this is no record of a game")
    return records


def players_called(names: Sequence[str], wanted: str) -> list[int]:
    """The players (0-3) whom a name means, as it is shown or else as it is written."""
    shown = shown_names(names)
    fitting = [player for player in range(4) if shown[player] == wanted]
    return fitting or [player for player in range(4) if names[player] == wanted]


def _players(
    names: Sequence[str], wanted: str | None, seat: int | None, of_tournament: bool
) -> Sequence[int]:
    """The seats that are counted: in a tournament as many as a program has, or none.

    Raises _WhoseError.
    """
    shown = [shown_name(name) for name in dict.fromkeys(names)]
    players = f"its players: {', '.join(shown if of_tournament else shown_names(names))}"
    if wanted is None:
        if seat is None:
            raise _WhoseError(f"whose statistics? Say --player NAME; {players}")
        return [seat]
    fitting = players_called(names, wanted)
    if len(fitting) > 1 and not of_tournament:
        example = shown_names(names)[fitting[0]]
        raise _WhoseError(
            f"several players are called so: say which, such as --player '{example}'; {players}"
        )
    if not fitting and not of_tournament:
        raise _WhoseError(f"no player is called so; {players}")
    return fitting


def _shown(path: Path) -> str:
    # A file may come from somebody else, with a name that would paint over the terminal.
    text = str(path)
    return text if is_legible(text) else ascii(text)

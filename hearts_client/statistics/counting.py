"""Counts the games of a player from the files of records in a folder."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from msgspec import Struct

from hearts.errors import CorruptRecord
from hearts.game.game import Game
from hearts.game.record import (
    MATCH_REMARK,
    PlayedHand,
    Reader,
    Record,
    WrongLine,
    format_action,
    parse_record,
    records_in,
)
from hearts.game.rules import Rules, rules_name
from hearts.game.stats import Statistics, statistics_of
from hearts.session.hand_link import LinkedHand, parse_link
from hearts.wire.text import is_legible
from hearts_client.par.pars import DealtHand, ParFile, recorded_hand
from hearts_client.session.record_files import seat_of
from hearts_client.words.others import shown_name, shown_names

STANDARD_INPUT = Path("-")
ALL_RULES = "all"
"""The name of all rules together."""

_KINDS = (".txt", ".record")
"""Endings of the files of a folder that are read: those of a player and those of a server."""
_MAX_BYTES = 64 * 1024 * 1024


class CountedStatistics(Struct):
    """The statistics of a player for each set of rules, and the records that were left out."""

    by_rules: dict[Rules, Statistics] = {}
    problems: list[str] = []
    """A line for each file, or record in it, that is not counted: which and why."""
    pars: ParFile | None = None
    """Those that are kept; None to count without."""
    missing: list[DealtHand] = []
    """Hands whose par is not kept yet, the newest last."""

    @property
    def columns(self) -> list[tuple[str, Statistics]]:
        """All rules together, then each by its name, the most played first; empty for no game."""
        if not self.by_rules:
            return []
        named = [(rules_name(rules), counted) for rules, counted in self.by_rules.items()]
        named.sort(key=lambda column: (-column[1].hands, column[0]))
        return [(ALL_RULES, sum(self.by_rules.values(), Statistics())), *named]

    def count(self, path: Path, name: str | None) -> None:
        """Count the games of a file or a folder; ``name`` is as in :func:`count_records`."""
        files = [path]
        try:
            if path.is_dir():
                kept = (file for file in path.iterdir() if file.suffix in _KINDS)
                files = sorted(file for file in kept if file.is_file())
            for file in files:
                self._count_file(file, name)
        except OSError as error:
            self._leave_out(path, error)

    def _count_file(self, path: Path, name: str | None) -> None:
        records: list[tuple[int, str]] = []
        try:
            records = records_of(path)
        except (OSError, UnicodeDecodeError, CorruptRecord) as error:
            self._leave_out(path, error)
        for first_line, record in records:
            try:
                self._count_record(record, name, seat_of(path))
            except (WrongLine, _WhoseError) as error:
                self._leave_out(path, error, first_line)

    def _count_record(self, text: str, name: str | None, seat: int | None) -> None:
        reader = Reader(text)
        if reader.is_taken_back:
            return
        players = _players(reader.names, name, seat, f"\n{MATCH_REMARK}" in text)
        if players:
            each_of = (statistics_of(Reader(text), each, self._par) for each in players)
            counted = sum(each_of, Statistics())
            rules = reader.game.rules
            self.by_rules[rules] = self.by_rules.get(rules, Statistics()) + counted

    def _par(self, game: Game, hand: PlayedHand) -> list[float] | None:
        dealt = None if self.pars is None else recorded_hand(game, hand)
        if self.pars is None or dealt is None:
            return None
        par = self.pars.find(dealt)
        if par is None:
            self.missing.append(dealt)
        return None if par is None else [par.mean(player) for player in range(4)]

    def _leave_out(self, path: Path, error: Exception, first_line: int = 0) -> None:
        place, why = _shown(path), str(error)
        match error:
            case OSError(strerror=str(said)):
                why = said
            case WrongLine(line=line, what=why):
                place = f"{place}, line {first_line + line - 1}"
            case _WhoseError():
                place = f"{place}, line {first_line}"
        self.problems.append(f"{place}: {why}")


def count_records(
    paths: Sequence[Path], player_name: str | None = None, pars: ParFile | None = None
) -> CountedStatistics:
    """Count the games in some files and folders.

    Whose games they are stands in the names of a player's own files; ``player_name`` names another
    player, as the name is shown or written in the record. In a record of a tournament a game counts
    for each seat that the program has there, and not where it has none. A record that is wrong is
    left out as a whole; one that only stops early counts as far as it goes. Reads and computes for
    a while: some milliseconds for each game. ``pars`` are the pars that are kept.
    """
    counted = CountedStatistics(pars=pars)
    for path in paths:
        counted.count(path, player_name)
    return counted


class _WhoseError(Exception):
    """The error that a name fits no player, or several."""


def records_of(path: Path) -> list[tuple[int, str]]:
    """Return each record of a file, or of standard input for :data:`STANDARD_INPUT`, with its first
    line.

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


def linked(path: Path) -> LinkedHand | None:
    """Return the hand of a link that was given in place of a file; None for a file.

    Raises InvalidLink.
    """
    return parse_link(str(path)) if "hand=" in path.name else None


def games_of(path: Path) -> list[tuple[str, Record | LinkedHand]]:
    """Return each game of a file, or the hand of a link in its place, with its lines.

    Raises what :func:`records_of` does, and InvalidLink.
    """
    link = linked(path)
    if link is None:
        return [(text, parse_record(text)) for _, text in records_of(path)]
    return [("\n".join(map(format_action, link.actions)), link)]


def players_called(names: Sequence[str], wanted: str) -> list[int]:
    """Return the players (0-3) whom a name means, as it is shown or else as it is written."""
    shown = shown_names(names)
    fitting = [player for player in range(4) if shown[player] == wanted]
    return fitting or [player for player in range(4) if names[player] == wanted]


def _players(
    names: Sequence[str], wanted: str | None, seat: int | None, of_tournament: bool
) -> Sequence[int]:
    """Return the seats that are counted: in a tournament as many as a program has, or none.

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

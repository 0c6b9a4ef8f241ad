"""Records of what was played in a tournament, which ``hearts-server verify`` accepts.

A record begins with the first hand of a game. Single hands are played for each direction of the
pass in matches of their own, so those of the same players make one record: a game of one round of
directions, as far as it was played from the first one on. Other matches have a record each. Where
a number of hands is played, the record says that the game ends at a score that it cannot reach.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import repeat
from pathlib import Path

from msgspec import Struct

from hearts.errors import CorruptRecord
from hearts.game.events import Action
from hearts.game.record import COMMITMENT, MATCH_REMARK, Record
from hearts_arena.plan.plan import Plan
from hearts_arena.plan.results import Match
from hearts_arena.plan.schedules import cycle_of, match_of

from .moves import actions_of
from .result_store import StoreError, read_results

_Played = dict[int, str]


class GameRecord(Struct, frozen=True, gc=False):
    matches: tuple[Match, ...]
    text: str


def game_records(folder: Path, plan: Plan) -> Iterator[GameRecord]:
    """Return the records of all matches whose game has a beginning, each as soon as it is complete.

    Raises StoreError if the folder cannot be read or a line of it is not true.
    """
    waiting: dict[int, _Played] = {}
    for match, result in read_results(folder, plan):
        if not result.moves:
            continue
        cycle = cycle_of(plan, match.number)
        played = waiting.setdefault(cycle.start, {})
        played[match.number] = result.moves
        if len(played) == len(cycle):
            yield _record(folder, plan, cycle, waiting.pop(cycle.start))
    for start, played in sorted(waiting.items()):
        if start in played:
            yield _record(folder, plan, cycle_of(plan, start), played)


def record_with(folder: Path, plan: Plan, number: int) -> GameRecord:
    """Return the record that holds a match.

    Raises StoreError if it has none (yet), and if the folder cannot be read; IndexError for
    a number that no match has.
    """
    wanted = match_of(plan, number)
    cycle = cycle_of(plan, number)
    played = {
        match.number: result.moves
        for match, result in read_results(folder, plan)
        if match.number in cycle and result.moves
    }
    if number not in played:
        raise StoreError(f"{folder} has no record of match {number}")
    record = _record(folder, plan, cycle, played)
    if wanted not in record.matches:
        missing = next(other for other in cycle if other not in played)
        raise StoreError(f"the record of match {number} needs match {missing}, still to be played")
    return record


def _record(folder: Path, plan: Plan, cycle: range, played: _Played) -> GameRecord:
    matches: list[Match] = []
    actions: list[Action] = []
    for number in cycle:
        if number not in played:
            break
        match = match_of(plan, number)
        try:
            actions += actions_of(plan, match, played[number])
        except CorruptRecord as error:
            raise StoreError(f"{folder}: {error}") from None
        matches.append(match)
    a, b, c, d = (plan.entrants[entrant].name for entrant in match_of(plan, cycle.start).seats)
    text = str(Record(plan.rules, plan.game_end, (a, b, c, d), tuple(actions)))
    return GameRecord(tuple(matches), _remarked(plan, text, matches))


def _remarked(plan: Plan, text: str, matches: Sequence[Match]) -> str:
    """Return a record that says before each deal which match and which block it is of."""
    numbers = iter(matches) if plan.hands == 1 else repeat(matches[0])
    lines = []
    for line in text.splitlines(keepends=True):
        if line.startswith(COMMITMENT):
            match = next(numbers)
            lines.append(f"{MATCH_REMARK}{match.number} block {match.block}\n")
        lines.append(line)
    return "".join(lines)

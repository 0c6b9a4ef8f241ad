"""Records of what was played in a tournament, which ``hearts-server verify`` accepts.

A record begins with the first hand of a game. Single hands are played for each direction of the
pass in matches of their own, so those of the same players make one record: a game of one round of
directions, as far as it was played from the first one on. Other matches have a record each. Where
a number of hands is played, the record says that the game ends at a score that it cannot reach.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import repeat
from pathlib import Path

from msgspec import Struct

from hearts.errors import CorruptRecord
from hearts.game.events import Action
from hearts.game.record import COMMITMENT, INFO_REMARK, MATCH_REMARK, Record
from hearts_arena.plan.plan import Plan
from hearts_arena.plan.results import Match, MatchResult
from hearts_arena.plan.schedules import cycle_of, match_of

from .moves import actions_of
from .result_store import StoreError, read_results

_Played = dict[int, MatchResult]


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
        played[match.number] = result
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
        match.number: result
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
            actions += actions_of(plan, match, played[number].moves)
        except CorruptRecord as error:
            raise StoreError(f"{folder}: {error}") from None
        matches.append(match)
    a, b, c, d = (plan.entrants[entrant].name for entrant in match_of(plan, cycle.start).seats)
    text = str(Record(plan.rules, plan.game_end, (a, b, c, d), tuple(actions)))
    return GameRecord(
        tuple(matches), _remarked(plan, text, [(match, played[match.number]) for match in matches])
    )


def _remarked(plan: Plan, text: str, played: Sequence[tuple[Match, MatchResult]]) -> str:
    """Return a record that says before each deal which match and which block it is of, and before
    a choice what its program has said of it.
    """
    said = {
        (match.number, info.seat, info.choice): info.text
        for match, result in played
        for info in result.info
    }
    matches = (match for match, _ in (played if plan.hands == 1 else repeat(played[0])))
    chosen: Counter[tuple[int, int]] = Counter()
    lines, number = [], 0
    for line in text.splitlines(keepends=True):
        if line.startswith(COMMITMENT):
            match = next(matches)
            number = match.number
            lines.append(f"{MATCH_REMARK}{number} block {match.block}\n")
        elif line.startswith(("pass ", "play ", "moon ")):
            who = number, int(line[5])
            if info := said.get((*who, chosen[who])):
                lines.append(f"{INFO_REMARK}{info}\n")
            chosen[who] += 1
        lines.append(line)
    return "".join(lines)

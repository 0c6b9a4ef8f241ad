"""The results of a tournament as files for other programs: CSV in four tables, and JSON.

Numbers have all their digits. In CSV what is not known is empty, and the name of a player that
begins like a formula has an apostrophe in front; in JSON what is not known is null.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, count
from pathlib import Path

from msgspec import to_builtins
from msgspec.structs import asdict

from hearts.wire.text import text_cell
from hearts_arena.numbers.by_deal import DealResult, deal_results
from hearts_arena.numbers.estimates import LEVEL, Estimate
from hearts_arena.numbers.points import PointsAfterBlocks
from hearts_arena.numbers.standings import Standing, Standings
from hearts_arena.numbers.tally import Tally
from hearts_arena.plan.plan import Plan
from hearts_arena.plan.plan_text import plan_data, plan_digest
from hearts_arena.plan.results import NANOSECONDS, Match, MatchResult

from .summary import rating_of

JSON_FORMAT = "hearts-arena results 1"

Row = dict[str, str | int | float | None]
Played = tuple[Match, MatchResult]


def write_csv(folder: Path, standings: Standings, tally: Tally, played: Iterable[Played]) -> None:
    """Write the four tables into a folder, those of the matches row by row."""
    folder.mkdir(parents=True, exist_ok=True)
    plan, no_duel = standings.plan, _duel("", "", Estimate(0.0, None, None, 0))
    matches = (row for match, result in played for row in _match(plan, match, result))
    _write(folder, "entrants", map(_entrant, count(1), standings.ranking))
    _write(folder, "head-to-head", _duels(standings), no_duel)
    _write(folder, "deals", _deals(tally), DealResult.__struct_fields__)
    _write(folder, "matches", matches)


def _duels(standings: Standings) -> Iterator[Row]:
    """Give a row for each two entrants who met, both ways, in the order of the plan."""
    names = [text_cell(entrant.name) for entrant in standings.plan.entrants]
    for name, row in zip(names, standings.head_to_head, strict=True):
        for other, duel in zip(names, row, strict=True):
            if duel is not None:
                yield _duel(name, other, duel)


def _deals(tally: Tally) -> Iterator[Row]:
    """Give a row for each entrant of each whole block, block by block."""
    names = [text_cell(entrant.name) for entrant in tally.plan.entrants]
    return ({**asdict(deal), "entrant": names[deal.entrant]} for deal in deal_results(tally))


def _write(folder: Path, name: str, rows: Iterable[Row], head: Iterable[str] = ()) -> None:
    """Write rows with the same keys; without a row the file has ``head``, or nothing."""
    rows = iter(rows)
    first = next(rows, None)
    keys = list(first or head)
    with (folder / f"{name}.csv").open("w", encoding="utf-8", newline="") as file:
        if keys:
            writer = csv.DictWriter(file, keys, lineterminator="\n")
            writer.writeheader()
            writer.writerows(chain([first] if first else [], rows))


def json_text(
    standings: Standings, moments: Sequence[PointsAfterBlocks], *, date: str, version: str
) -> str:
    """Return everything but the single matches, with the plan that it follows from."""
    data = {
        "format": JSON_FORMAT,
        "version": version,
        "date": date,
        "plan": plan_data(standings.plan),
        "plan_digest": plan_digest(standings.plan),
        "level": LEVEL,
        "blocks": standings.blocks,
        "matches": standings.matches,
        "matches_left_out": standings.left_out,
        "hands": standings.hands,
        "final": standings.is_final,
        "test": standings.test and to_builtins(standings.test),
        "rating_of": rating_of(standings.plan),
        "separated": standings.separated,
        "ranking": [standing.number for standing in standings.ranking],
        "entrants": [
            {**to_builtins(standing), "conduct": asdict(standing.conduct)}
            for standing in standings.entrants
        ],
        "head_to_head": [
            [duel and to_builtins(duel) for duel in row] for row in standings.head_to_head
        ],
        "course": [to_builtins(moment) for moment in moments],
    }
    return json.dumps(data, indent=1, ensure_ascii=False, allow_nan=False) + "\n"


def _entrant(rank: int, standing: Standing) -> Row:
    speed, deeds = standing.speed, asdict(standing.deeds)
    return {
        "rank": rank,
        "player": text_cell(standing.entrant.name),
        "spec": text_cell(standing.entrant.spec),
        "hands": standing.hands,
        "games": standing.games,
        **_estimate("points_per_hand", standing.points_per_hand),
        **_estimate("behind_first", standing.behind),
        **_estimate("points_per_game", standing.points_per_game),
        **_estimate("average_place", standing.average_place),
        **{f"place_{place}": count for place, count in enumerate(standing.places, 1)},
        "wins": standing.wins,
        "shared_wins": standing.shared_wins,
        **_estimate("wins_per_game", standing.wins_per_game),
        **_estimate("rating", standing.rating),
        "hands_known": deeds.pop("hands"),
        **deeds,
        **{
            f"points_per_hand_{each.direction.name.lower()}": each.points / each.hands
            if each.hands
            else None
            for each in standing.by_direction
        },
        **asdict(standing.conduct),
        "seconds_per_choice": speed.per_choice,
        "seconds_per_hand": speed.per_hand,
        "slowest_choice": speed.slowest,
    }


def _estimate(key: str, estimate: Estimate | None) -> Row:
    known = estimate or Estimate(0.0, None, None, 0)
    return {
        key: None if estimate is None else estimate.mean,
        f"{key}_se": known.se,
        f"{key}_low": known.low,
        f"{key}_high": known.high,
    }


def _duel(player: str, other: str, duel: Estimate) -> Row:
    half = duel.half_width_at_any_look()
    return {
        "player": player,
        "other": other,
        **_estimate("difference", duel),
        "blocks": duel.blocks,
        "any_look_low": None if half is None else duel.mean - half,
        "any_look_high": None if half is None else duel.mean + half,
    }


def _match(plan: Plan, match: Match, result: MatchResult) -> Iterator[Row]:
    for seat, entrant in enumerate(match.seats):
        pace = result.pace[seat]
        yield {
            "match": match.number,
            "block": match.block,
            "first_hand": match.first_hand,
            "seat": seat,
            "player": text_cell(plan.entrants[entrant].name),
            "score": result.scores[seat],
            "won": int(seat in result.winners),
            "hands": " ".join(str(hand[seat]) for hand in result.points),
            **asdict(result.conduct[seat]),
            "took": result.took,
            "seconds": pace.whole / NANOSECONDS,
            "slowest_choice": pace.slowest / NANOSECONDS,
        }

"""The results of a tournament as files for other programs: CSV in four tables, and JSON.

Numbers have all their digits. In CSV what is not known is empty, and the name of a player that
begins like a formula has an apostrophe in front; in JSON what is not known is null.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Iterator, Sequence
from typing import TextIO

from msgspec import to_builtins
from msgspec.structs import asdict

from hearts_arena.numbers.by_deal import DealResult, deal_results
from hearts_arena.numbers.estimates import Estimate
from hearts_arena.numbers.points import PointsAfterBlocks
from hearts_arena.numbers.standings import Standing, Standings
from hearts_arena.numbers.tally import Tally
from hearts_arena.plan.plan import Plan
from hearts_arena.plan.plan_text import plan_data, plan_digest
from hearts_arena.plan.results import Match, MatchResult
from hearts_client.library.spreadsheet import text_cell

from .summary import rating_of

JSON_FORMAT = "hearts-arena results 1"

_HEAD_TO_HEAD = (
    "player",
    "other",
    "difference",
    "difference_se",
    "difference_low",
    "difference_high",
    "blocks",
    "any_look_low",
    "any_look_high",
)

Cell = str | int | float | None
Played = tuple[Match, MatchResult]


def entrants_csv(standings: Standings) -> str:
    """A row for each entrant, the first of the ranking first."""
    rows = [_entrant(rank, standing) for rank, standing in enumerate(standings.ranking, 1)]
    return _csv_text(rows, list(rows[0]))


def head_to_head_csv(standings: Standings) -> str:
    """A row for each two entrants who met, both ways, in the order of the plan."""
    entrants = standings.plan.entrants
    rows: list[dict[str, Cell]] = [
        {
            "player": text_cell(entrants[one].name),
            "other": text_cell(entrants[other].name),
            **_estimate("difference", duel),
            "blocks": duel.blocks,
            **_any_look(duel),
        }
        for one, row in enumerate(standings.head_to_head)
        for other, duel in enumerate(row)
        if duel is not None
    ]
    return _csv_text(rows, _HEAD_TO_HEAD)


def write_matches_csv(file: TextIO, plan: Plan, played: Iterable[Played]) -> None:
    """A row for each seat of each match, in the order given; nothing is held in memory.

    Without matches nothing is written. ``hands`` has the points of each hand, with spaces between.
    """
    writer: csv.DictWriter[str] | None = None
    for match, result in played:
        for row in _match(plan, match, result):
            if writer is None:
                writer = csv.DictWriter(file, list(row), lineterminator="\n")
                writer.writeheader()
            writer.writerow(row)


def json_text(
    standings: Standings, moments: Sequence[PointsAfterBlocks], *, date: str, version: str
) -> str:
    """Everything but the single matches, with the plan that it follows from."""
    data = {
        "format": JSON_FORMAT,
        "version": version,
        "date": date,
        "plan": plan_data(standings.plan),
        "plan_digest": plan_digest(standings.plan),
        "level": standings.level,
        "blocks": standings.blocks,
        "matches": standings.matches,
        "matches_left_out": standings.left_out,
        "hands": standings.hands,
        "final": standings.is_final,
        "test": standings.test and to_builtins(standings.test),
        "rating_of": rating_of(standings.plan),
        "separated": standings.separated,
        "ranking": [standing.number for standing in standings.ranking],
        "entrants": [to_builtins(standing) for standing in standings.entrants],
        "head_to_head": [
            [duel and to_builtins(duel) for duel in row] for row in standings.head_to_head
        ],
        "course": [to_builtins(moment) for moment in moments],
    }
    return json.dumps(data, indent=1, ensure_ascii=False, allow_nan=False) + "\n"


def write_deals_csv(file: TextIO, tally: Tally) -> None:
    """A row for each entrant of each whole block, block by block."""
    writer = csv.DictWriter(file, DealResult.__struct_fields__, lineterminator="\n")
    writer.writeheader()
    entrants = tally.plan.entrants
    for result in deal_results(tally):
        writer.writerow({**asdict(result), "entrant": text_cell(entrants[result.entrant].name)})


def _entrant(rank: int, standing: Standing) -> dict[str, Cell]:
    conduct, speed = standing.conduct, standing.speed
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
        **_deeds(standing),
        **_by_direction(standing),
        "choices": conduct.choices,
        "illegal": conduct.illegal,
        "timeouts": conduct.timeouts,
        "crashes": conduct.crashes,
        "stood_in": conduct.stood_in,
        "seconds_per_choice": speed.per_choice,
        "seconds_per_hand": speed.per_hand,
        "slowest_choice": speed.slowest,
    }


def _deeds(standing: Standing) -> dict[str, Cell]:
    """The hands of which it is known stand as ``hands_known``."""
    data = asdict(standing.deeds)
    return {"hands_known": data.pop("hands"), **data}


def _by_direction(standing: Standing) -> dict[str, Cell]:
    return {
        f"points_per_hand_{each.direction.name.lower()}": each.points / each.hands
        if each.hands
        else None
        for each in standing.by_direction
    }


def _estimate(key: str, estimate: Estimate | None) -> dict[str, Cell]:
    if estimate is None:
        return {key: None, f"{key}_se": None, f"{key}_low": None, f"{key}_high": None}
    return {
        key: estimate.mean,
        f"{key}_se": estimate.se,
        f"{key}_low": estimate.low,
        f"{key}_high": estimate.high,
    }


def _any_look(duel: Estimate) -> dict[str, Cell]:
    half = duel.half_width_at_any_look()
    if half is None:
        return {"any_look_low": None, "any_look_high": None}
    return {"any_look_low": duel.mean - half, "any_look_high": duel.mean + half}


def _match(plan: Plan, match: Match, result: MatchResult) -> Iterator[dict[str, Cell]]:
    for seat, entrant in enumerate(match.seats):
        conduct, pace = result.conduct[seat], result.pace[seat]
        yield {
            "match": match.number,
            "block": match.block,
            "first_hand": match.first_hand,
            "seat": seat,
            "player": text_cell(plan.entrants[entrant].name),
            "score": result.scores[seat],
            "won": int(seat in result.winners),
            "hands": " ".join(str(hand[seat]) for hand in result.points),
            "choices": conduct.choices,
            "illegal": conduct.illegal,
            "timeouts": conduct.timeouts,
            "crashes": conduct.crashes,
            "stood_in": conduct.stood_in,
            "took": result.took,
            "seconds": pace.seconds,
            "slowest_choice": pace.slowest,
        }


def _csv_text(rows: Sequence[dict[str, Cell]], head: Sequence[str]) -> str:
    file = io.StringIO()
    writer = csv.DictWriter(file, head, lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return file.getvalue()

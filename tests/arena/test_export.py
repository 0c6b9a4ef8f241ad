"""CSV and JSON: read back, they say what the standings say."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Sequence
from pathlib import Path

import pytest
from msgspec.structs import replace

from hearts_arena.numbers.standings import Standings
from hearts_arena.numbers.tally import Tally
from hearts_arena.plan.plan import Plan
from hearts_arena.plan.plan_text import parse_plan, plan_digest
from hearts_arena.plan.results import Match, MatchResult
from hearts_arena.report.export import json_text, write_csv

from .sittings import conduct_of, pace_of
from .small_tournaments import known
from .some_standings import CALM, HOSTILE, PLAN, ROGUE, moments, nothing_yet, standings

PACE = pace_of(0.5, 0.25)


def written(
    folder: Path, standings: Standings, played: Sequence[tuple[Match, MatchResult]] = ()
) -> dict[str, list[dict[str, str]]]:
    """The rows of all tables, by the names of their files."""
    write_csv(folder, standings, Tally(standings.plan, 24), played)
    return {
        path.stem: list(csv.DictReader(io.StringIO(path.read_text("utf-8"), newline="")))
        for path in folder.iterdir()
    }


def test_entrants_read_back(tmp_path: Path) -> None:
    full = standings(conducts=(ROGUE, CALM, CALM), names=(HOSTILE, 'Zoë, "the" best', "simple"))
    rows = written(tmp_path, full)["entrants"]
    for rank, (row, standing) in enumerate(zip(rows, full.ranking, strict=True), 1):
        assert row["rank"] == str(rank)
        assert row["player"] == standing.entrant.name
        assert row["spec"] == standing.entrant.spec
        points = known(standing.points_per_hand)
        assert float(row["points_per_hand"]) == points.mean
        assert float(row["points_per_hand_se"]) == points.se
        assert float(row["points_per_hand_low"]) == points.low
        assert float(row["points_per_hand_high"]) == points.high
        assert [int(row[f"place_{place}"]) for place in (1, 2, 3, 4)] == list(standing.places)
        assert float(row["seconds_per_choice"]) == standing.speed.per_choice
        conduct = (row[key] for key in ("choices", "illegal", "timeouts", "crashes", "stood_in"))
        assert conduct_of(*map(int, conduct)) == standing.conduct


def test_no_cell_begins_like_a_formula(tmp_path: Path) -> None:
    evil = ("=1+1", "@SUM(A1)", "-2+3")
    full = standings(names=evil)
    tables = written(tmp_path, full)
    duels = tables["head-to-head"]
    rows = tables["entrants"] + duels
    assert {row["player"] for row in rows} == {f"'{name}" for name in evil}
    # Numbers stay numbers, the negative ones too.
    assert min(float(row["difference"]) for row in duels) < 0


def test_what_is_not_known_is_empty(tmp_path: Path) -> None:
    row = written(tmp_path, nothing_yet())["entrants"][0]
    assert row["points_per_hand"] == row["rating_low"] == ""
    assert row["hands"] == "0"


def test_head_to_head_reads_back(tmp_path: Path) -> None:
    full = standings()
    rows = written(tmp_path, full)["head-to-head"]
    assert len(rows) == 6
    numbers = {entrant.name: number for number, entrant in enumerate(full.plan.entrants)}
    for row in rows:
        duel = known(full.head_to_head[numbers[row["player"]]][numbers[row["other"]]])
        assert float(row["difference"]) == duel.mean
        assert float(row["difference_low"]) == duel.low
        assert int(row["blocks"]) == duel.blocks


def test_what_stands_where_nothing_was_played(tmp_path: Path) -> None:
    write_csv(tmp_path, nothing_yet(), Tally(PLAN, 24), [])
    heads = {path.stem: path.read_text("utf-8") for path in tmp_path.iterdir()}
    assert heads["head-to-head"].startswith("player,other,difference,difference_se,")
    assert heads["deals"].startswith("block,entrant,deal,")
    assert heads["head-to-head"].count("\n") == heads["deals"].count("\n") == 1
    assert heads["matches"] == ""


def test_matches_have_a_row_for_each_seat(tmp_path: Path) -> None:
    conducts = (CALM, ROGUE, CALM, CALM)
    result = MatchResult(
        12, ((0, 26, 0, 0), (1, 2, 3, 20)), (1, 28, 3, 20), (0,), conducts, (PACE,) * 4, "record"
    )
    played = [(Match(12, 3, (2, 0, 0, 2), 1), result)]
    rows = written(tmp_path, standings(), played)["matches"]
    assert [row["player"] for row in rows] == ["simple", "random", "random", "simple"]
    assert [row["hands"] for row in rows] == ["0 1", "26 2", "0 3", "0 20"]
    assert [row["score"] for row in rows] == ["1", "28", "3", "20"]
    assert [row["won"] for row in rows] == ["1", "0", "0", "0"]
    assert [row["stood_in"] for row in rows] == ["0", "4160", "0", "0"]
    assert {(row["match"], row["block"], row["first_hand"]) for row in rows} == {("12", "3", "1")}
    assert {(row["seconds"], row["slowest_choice"]) for row in rows} == {("0.5", "0.25")}


@pytest.mark.parametrize("plan", [PLAN, replace(PLAN, seed=2**64 - 1, hands=None)])
def test_json_reads_back(plan: Plan) -> None:
    full = replace(standings(), plan=plan)
    data = json.loads(json_text(full, moments(), date="1 May 2026", version="0.1.0"))
    assert parse_plan(json.dumps(data["plan"])) == plan
    assert data["plan_digest"] == plan_digest(plan)
    assert (data["version"], data["date"]) == ("0.1.0", "1 May 2026")
    assert data["ranking"] == [2, 1, 0]
    assert data["matches_left_out"] == full.left_out
    for kept, standing in zip(data["entrants"], full.entrants, strict=True):
        points = known(standing.points_per_hand)
        assert kept["points_per_hand"]["mean"] == points.mean
        assert kept["points_per_hand"]["half_width"] == points.half_width
        assert kept["places"] == list(standing.places)
        assert kept["conduct"]["choices"] == standing.conduct.choices
    assert data["head_to_head"][0][0] is None
    assert data["head_to_head"][0][1]["mean"] == 3.3
    assert [moment["blocks"] for moment in data["course"]] == [25, 50, 75, 100]


def test_json_of_nothing() -> None:
    data = json.loads(json_text(nothing_yet(), [], date="", version="0.1.0"))
    assert data["entrants"][0]["rating"] is None
    assert data["course"] == []

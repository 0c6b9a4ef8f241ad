"""The strength of the searching bots: the table in their README is what the data say."""

from __future__ import annotations

import json
import shlex
from pathlib import Path
from typing import Any

import pytest

from hearts_arena.options import parse
from tests.bench.curve import as_file, drawing, first_name, strengths, table_row

ROOT = Path(__file__).parents[2]
README = ROOT / "hearts" / "bots" / "search" / "README.md"
KEPT = ROOT / "tests" / "bench" / "kept"
DATA = KEPT / "strength.json"
XINXIN = KEPT / "xinxin.json"


def rows_of(*files: Path) -> list[dict[str, Any]]:
    return [row for file in files for row in json.loads(file.read_text(encoding="utf-8"))["rows"]]


def test_the_table_is_that_of_the_data() -> None:
    rows = rows_of(DATA)
    table = [line for line in README.read_text(encoding="utf-8").splitlines() if " : " in line]
    assert len(table) == len(rows) + 1
    for line, row in zip(table[1:], rows, strict=True):
        one, other, better, hands, moons = (cell.strip(" `") for cell in line.strip("|").split("|"))
        assert (one, other.removeprefix("the ")) == (row["one"], row["other"])
        assert better == f"{row['better']:.2f} ± {row['standard_error']:.2f}"
        assert int(hands.replace(",", "")) == row["hands"]
        shot = row["moons_in_100_hands"]
        assert moons == f"{shot[row['one']]} : {shot[row['other']]}"


def test_the_moons_are_those_in_the_points() -> None:
    """Four players have 26 points a hand, and 78 where a moon counts on the others."""
    for row in rows_of(DATA, XINXIN):
        points = 2 * sum(row["points_a_hand"].values())
        assert sum(row["moons_in_100_hands"].values()) == pytest.approx(
            (points - 26) / 0.52, abs=0.2
        )


def test_the_table_of_xinxin_is_that_of_its_data() -> None:
    readme = README.read_text(encoding="utf-8")
    for row in rows_of(XINXIN):
        one, other = row["one"], row["other"]
        cells = (
            " | ".join(name if name == "xinxin" else f"`{name}`" for name in (one, other)),
            f"{row['better']:.2f} ± {row['standard_error']:.2f}",
            f"{row['hands']:,}",
            *(f"{row['moons_in_100_hands'][name]}" for name in (one, other)),
            *(f"{row['moons_bring'][name]:+.2f}" for name in (one, other)),
            f"{row['other_hands_bring']:+.2f}",
        )
        assert f"| {' | '.join(cells)} |" in readme


def test_the_hands_against_xinxin_add_up() -> None:
    for row in rows_of(XINXIN):
        parts = [*row["moons_bring"].values(), row["other_hands_bring"]]
        assert sum(parts) == pytest.approx(row["better"], abs=0.02)
        points = row["points_a_hand"]
        assert points[row["other"]] - points[row["one"]] == pytest.approx(row["better"], abs=0.002)


@pytest.mark.parametrize("name", ["strength_over_time", "strength_by_limit"])
def test_the_strengths_over_time_are_those_of_the_data(name: str) -> None:
    results = json.loads((KEPT / f"{name}.json").read_text(encoding="utf-8"))
    points = strengths(results)
    assert "\n".join(map(table_row, points)) in README.read_text(encoding="utf-8")
    drawn = README.with_name(f"{name}.svg").read_text(encoding="utf-8")
    assert drawn == as_file(drawing(points, first_name(results)))


def test_the_commands_of_the_data_are_commands() -> None:
    for row in rows_of(DATA, XINXIN):
        program, *words = shlex.split(row["command"])
        given = parse(words)
        assert (program, given.command, given.deals) == (
            "hearts-arena",
            "run",
            row["blocks_planned"],
        )


def test_the_hands_without_an_illegal_card_are_those_of_the_data() -> None:
    kept = json.loads((KEPT / "legal_hands.json").read_text(encoding="utf-8"))
    assert kept["illegal"] == 0
    said = f"In {kept['hands']:,} hands under rules by chance"
    assert said in README.read_text(encoding="utf-8")

"""Two duels with the same opponent on the same deals are compared block by block."""

from __future__ import annotations

import json
import sys
from itertools import islice
from pathlib import Path

import pytest
from msgspec.structs import replace

from hearts_arena.kept.result_store import ResultStore
from hearts_arena.plan.plan import Entrant, Plan, Schedule
from tests.arena.small_tournaments import pair, played
from tests.bench import paired
from tests.bench.paired import NotComparable, compare, duel_in


def _kept(folder: Path, plan: Plan, matches: int | None = None) -> Path:
    with ResultStore(folder, plan) as store:
        store.append(result for _, result in islice(played(plan), matches))
    return folder


def _duel(folder: Path, first: str, second: str, deals: int = 20, seed: int = 3) -> Path:
    return _kept(folder, pair(first, second, deals=deals, seed=seed))


def test_the_better_of_two_against_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    one, other = (
        _duel(tmp_path / "one", "simple", "random"),
        _duel(tmp_path / "b", "novice", "random"),
    )
    found = compare(duel_in(one), duel_in(other))
    assert found.blocks == 20
    apart = duel_in(one).better, duel_in(other).better
    assert found.better == pytest.approx(sum(apart[0].values()) / 20 - sum(apart[1].values()) / 20)
    assert found.better > found.error > 0.0
    file = tmp_path / "found.json"
    monkeypatch.setattr(sys, "argv", ["paired", str(one), str(other), "--json", str(file)])
    paired.main()
    assert "points a hand better than A against B, in 20 blocks" in capsys.readouterr().out
    kept = json.loads(file.read_text())
    assert kept["better"] == found.better
    assert [plan["entrants"][0]["spec"] for plan in kept["plans"]] == ["simple", "novice"]


def test_blocks_that_are_not_whole_in_both_are_left_out(tmp_path: Path) -> None:
    plan = pair("simple", "random", deals=4, seed=3)
    some = duel_in(_kept(tmp_path / "some", plan, 6 * 3 + 2))
    found = compare(some, duel_in(_kept(tmp_path / "all", plan)))
    # The same player on the same deals: nothing differs.
    assert (found.blocks, found.better, found.error) == (3, 0.0, 0.0)


def test_what_cannot_be_compared_is_refused(tmp_path: Path) -> None:
    one = duel_in(_duel(tmp_path / "one", "simple", "random", deals=2))
    for name, others in {
        "seed": ("simple", "random", 2, 4),
        "opponent": ("simple", "novice", 2, 3),
    }.items():
        with pytest.raises(NotComparable, match="more differs"):
            compare(one, duel_in(_duel(tmp_path / name, *others)))
    with pytest.raises(NotComparable, match="fewer than two"):
        compare(one, duel_in(_duel(tmp_path / "short", "novice", "random", deals=1)))
    crowd = Plan((Entrant("A", "simple"), Entrant("B", "random")), Schedule.ROUND_ROBIN, 1)
    with pytest.raises(NotComparable, match="not two against two"):
        duel_in(_kept(tmp_path / "crowd", replace(crowd, records=False)))

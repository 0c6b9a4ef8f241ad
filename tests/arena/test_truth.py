"""What a tournament says is true: known orders come out, and the luck of the cards cancels.

Everything has fixed seeds, so a test passes always or never; the seeds were not chosen.
"""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from .command_runs import arena, read_json
from .small_tournaments import known, pair, standings


def spread(first: str, second: str, *, duplicate: bool) -> float:
    plan = pair(first, second, deals=12, seed=1, directions=True, duplicate=duplicate)
    return known(known(standings(plan).head_to_head[0][1]).se)


@pytest.mark.heavy
def test_the_luck_of_the_cards_cancels_where_all_seatings_play_the_same_deals() -> None:
    same, other = (
        spread("simple", "simple,blunder=0.02", duplicate=duplicate) for duplicate in (True, False)
    )
    # As many hands are worth so many times as much.
    assert (other / same) ** 2 > 4
    # Nothing is left of it for players who are the same.
    assert spread("simple", "simple", duplicate=True) == 0
    assert spread("simple", "simple", duplicate=False) > 0


def test_blunderers_are_ranked_by_how_often_they_blunder(tmp_path: Path) -> None:
    shares = {"often": 0.5, "always": 1.0, "seldom": 0.2, "never": 0.0}
    players = [f"{name}=simple,blunder={share}" for name, share in shares.items()]
    output = tmp_path / "all.json"
    options = ("--deals", 12, "--one-direction", "--quiet", "--json", output)
    assert arena("run", *players, *options, "--folder", tmp_path / "folder") == 0
    found = read_json(output)
    names = [found["entrants"][number]["entrant"]["name"] for number in found["ranking"]]
    assert names == ["never", "seldom", "often", "always"]
    ratings = [found["entrants"][number]["rating"]["mean"] for number in found["ranking"]]
    assert ratings == sorted(ratings, reverse=True)
    for place, better in enumerate(found["ranking"]):
        for worse in found["ranking"][place + 1 :]:
            duel = found["head_to_head"][better][worse]
            assert duel["mean"] < 0
            # Nobody is called better who is not, and clear differences are seen.
            far = shares[names[place]] + 0.5 < list(shares.values())[worse]
            assert not far or duel["mean"] < -duel["half_width"]


SCHEDULES = {
    "challenge": ("--rules", "standard"),
    "round-robin": ("--rules", "windows93", "--games", "--end-score", 50),
    "one-vs-three": ("--rules", "mactech98", "--hands", 3),
    "two-vs-two": ("--rules", "mac2000"),
    "gauntlet": ("--rules", "jack,moon=choice", "--games"),
}


@pytest.mark.parametrize("schedule", SCHEDULES)
def test_simple_beats_random(schedule: str, tmp_path: Path) -> None:
    players = ["random", "simple"]
    if schedule == "challenge":
        players += ["random,blunder=0.5", "again=random"]
    folder = tmp_path / "folder"
    options = (*SCHEDULES[schedule], "--schedule", schedule, "--deals", 3, "--quiet")
    assert arena("run", *players, *options, "--folder", folder, "--csv", tmp_path) == 0
    with (tmp_path / "entrants.csv").open(newline="") as file:
        first, *others = csv.DictReader(file)
    assert first["player"] == "simple"
    for other in others:
        assert float(other["behind_first_low"]) > 0
        assert float(first["rating"]) > float(other["rating"])
        wins = (float(one["wins"]) / float(one["games"]) for one in (first, other))
        assert next(wins) > next(wins)

"""Parts of a tournament that were played in several places, put together."""

from __future__ import annotations

from pathlib import Path

import pytest

from hearts_arena.kept.result_store import ResultStore

from .command_runs import arena, repeatable
from .sittings import plan_of, play


def test_two_parts_give_what_one_place_gives(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run = ("run", "simple", "random", "--one-direction", "--deals", 5, "--quiet")
    whole, odd, even, both = (tmp_path / name for name in ("whole", "odd", "even", "both"))
    jsons = [tmp_path / "whole.json", tmp_path / "both.json"]
    assert arena(*run, "--folder", whole, "--json", jsons[0]) == 0
    assert arena(*run, "--folder", odd, "--part", "1/2") == 0
    assert arena(*run, "--folder", even, "--part", "2/2") == 0
    assert arena("merge", both, odd, even, "--json", jsons[1]) == 0
    assert repeatable(jsons[0]) == repeatable(jsons[1])
    assert arena("go-on", odd, "--part", "1/2") == 0
    assert "18 matches, 18 of them played already." in capsys.readouterr().out
    assert arena("merge", both, odd, even) == 2
    assert "both has results already" in capsys.readouterr().err
    assert arena(*run, "--folder", tmp_path / "kept", "--part", "1/2", "--keep-players") == 2
    assert "need all blocks in one place" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("seed", "blocks", "words"),
    [(7, [1], "of another tournament: seed is 1, not 7"), (1, [1, 2], "block 2 was played in")],
)
def test_what_cannot_be_put_together(
    seed: int, blocks: list[int], words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, plan, own in (
        ("a", plan_of(deals=3), [0, 2]),
        ("b", plan_of(deals=3, seed=seed), blocks),
    ):
        with ResultStore(tmp_path / name, plan) as store:
            store.append(play(plan, 24 * block) for block in own)
    assert arena("merge", tmp_path / "c", tmp_path / "a", tmp_path / "b") == 2
    assert words in capsys.readouterr().err
    assert not (tmp_path / "c").exists()

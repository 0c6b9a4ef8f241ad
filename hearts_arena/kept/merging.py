"""Folders of one plan, in which some of its blocks each were played, put together in a new one."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from pathlib import Path

from hearts_arena.plan.plan_text import differences

from .result_store import ResultStore, StoreError, read_plan, read_results

_BATCH = 4096
"""Results that are written together."""


def merge(folders: Sequence[Path], into: Path) -> None:
    """Put the results of all folders into a folder that has none.

    Raises StoreError if their plans differ, if a block was played in two of them, and if a folder
    cannot be used. The folders stay as they are.
    """
    plan = read_plan(folders[0])
    if plan.keeps_players:
        raise StoreError("players that are kept play all matches in one place")
    played: dict[int, Path] = {}
    for folder in folders:
        if wrong := differences(plan, read_plan(folder)):
            raise StoreError(f"{folder} is of another tournament: {'; '.join(wrong)}")
        for block in {match.block for match, _ in read_results(folder, plan)}:
            if block in played:
                raise StoreError(f"block {block} was played in {played[block]} and in {folder}")
            played[block] = folder
    with ResultStore(into, plan) as store:
        if len(store.done):
            raise StoreError(f"{into} has results already")
        for folder in folders:
            results = (result for _, result in read_results(folder, plan))
            while batch := list(islice(results, _BATCH)):
                store.append(batch)

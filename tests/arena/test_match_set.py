"""A set of matches holds what was put in."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hearts_arena.kept.match_set import MatchSet


@given(st.sets(st.integers(0, 300)))
def test_a_set_of_matches(numbers: set[int]) -> None:
    found = MatchSet()
    for number in sorted(numbers, key=lambda number: number * 7 % 301):
        found.add(number)
    assert {number for number in range(-10, 400) if number in found} == numbers
    assert len(found) == len(numbers)
    for number in [*numbers, -1]:
        with pytest.raises(ValueError):
            found.add(number)

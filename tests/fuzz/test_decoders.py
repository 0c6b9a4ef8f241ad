"""Any bytes for every target, its seeds with a few changes, and the files of the corpus."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from .corpus import replay
from .source import pieces
from .targets import BY_NAME, TARGETS, seeds

Change = tuple[int, int, bytes]


def inputs(name: str) -> st.SearchStrategy[bytes]:
    """Inputs for a target."""
    changes = st.lists(
        st.tuples(st.integers(0, 2000), st.integers(0, 8), st.binary(max_size=8)), max_size=3
    )
    changed = st.builds(_changed, st.sampled_from(seeds(name)), changes)
    return st.binary(max_size=100) | changed


def _changed(data: bytes, changes: list[Change]) -> bytes:
    for place, size, inserted in changes:
        at = place % (len(data) + 1)
        data = data[:at] + inserted + data[at + size :]
    return data


@pytest.mark.parametrize("name", TARGETS)
def test_any_bytes(name: str) -> None:
    target = TARGETS[name]

    @given(inputs(name))
    @settings(max_examples=BY_NAME[name].examples or settings().max_examples)
    def run(data: bytes) -> None:
        target(data)

    run()


@pytest.mark.parametrize("name", TARGETS)
def test_every_file_of_the_corpus(name: str) -> None:
    assert replay(name)


@given(st.binary(max_size=60), st.binary(max_size=7))
@settings(max_examples=50)
def test_pieces_are_the_whole(data: bytes, cuts: bytes) -> None:
    parts = list(pieces(data, cuts))
    assert b"".join(parts) == data
    assert all(parts)

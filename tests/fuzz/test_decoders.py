"""Any bytes for every target but the whole server, and the files of the corpus."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from .corpus import replay
from .source import pieces
from .strategies import inputs
from .targets import BY_NAME, TARGETS

NAMES = [name for name in TARGETS if name != "server"]


@pytest.mark.parametrize("name", NAMES)
def test_any_bytes(name: str) -> None:
    target = TARGETS[name]

    @given(inputs(name))
    @settings(max_examples=BY_NAME[name].examples or settings().max_examples)
    def run(data: bytes) -> None:
        target(data)

    run()


@pytest.mark.parametrize("name", NAMES)
def test_every_file_of_the_corpus(name: str) -> None:
    assert replay(name)


@given(st.binary(max_size=60), st.binary(max_size=7))
@settings(max_examples=50)
def test_pieces_are_the_whole(data: bytes, cuts: bytes) -> None:
    parts = list(pieces(data, cuts))
    assert b"".join(parts) == data
    assert all(parts)

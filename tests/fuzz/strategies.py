"""Inputs for hypothesis: any bytes, and the seeds of a target with a few changes."""

from __future__ import annotations

from hypothesis import strategies as st

from .targets import seeds

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

"""Sees to it that a client draws its Process IDs at random: section 3.8."""

from __future__ import annotations

from hearts_conformance.checks import Marks

_ENOUGH = 4
"""Sessions after which it can be told."""
_NARROW = 1 << 22
"""Numbers of processes, counters and times lie so near to each other.

That four random ones do comes about once in thirty million times.
"""


def see_process_id(marks: Marks, process_id: int) -> None:
    """A client has begun a session with this Process ID."""
    seen = marks.process_ids
    if process_id in seen:
        marks.fail("register.random", f"Process ID {process_id} came in two sessions")
    seen.append(process_id)
    if len(seen) < _ENOUGH or marks["register.random"].failed:
        return
    lowest, highest = min(seen), max(seen)
    if highest - lowest < _NARROW:
        came = f"{len(seen)} sessions had Process IDs from {lowest} to {highest}"
        marks.fail("register.random", came)
    else:
        marks.show("register.random")

"""What is asked of errors."""

from __future__ import annotations

from hearts.errors import leaves


def test_leaves_are_what_groups_hold() -> None:
    first, second, third = OSError(1), ValueError(2), KeyError(3)
    group = BaseExceptionGroup("outer", [first, ExceptionGroup("inner", [second]), third])
    assert list(leaves(group)) == [first, second, third]
    assert list(leaves(first)) == [first]

"""Finds wrong lengths of the strs that a client sends: section 1.4."""

from __future__ import annotations

_INT = 4


def length_fault(data: bytes) -> str | None:
    """Say why the length of a str is wrong, as far as it has come; None if it may be right."""
    length, text = int.from_bytes(data[:_INT], "big"), data[_INT:]
    if not text or length > 1024:
        return None
    came = f"{data[:32].hex(' ')} came: length {length}"
    if len(text) < length:
        # A text that ends with its NUL is whole.
        return f"{came}, and {len(text)} bytes with the NUL" if text[-1] == 0 else None
    if text[-1] == 0:
        return None
    if 0 in text:
        return f"{came}, but the NUL is byte {1 + text.index(0)}"
    return f"{came}, and no NUL at its end"

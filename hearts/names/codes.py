"""The codes by which the owner of a name lets in another device, and the host a newcomer.

SocketSpec.md, annex E: eight characters of 5 bits, none of which looks like another.
"""

from __future__ import annotations

_LETTERS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
CODE_CHARACTERS = 8
CODE_BYTES = 5
"""Bytes of chance in a code."""
_BITS = 5
_MEANT = str.maketrans("OIL", "011", " -")


def code_of(chance: bytes) -> str:
    """Return the code of five bytes."""
    number = int.from_bytes(chance, "big")
    places = (number >> _BITS * each & 31 for each in reversed(range(CODE_CHARACTERS)))
    return "".join(_LETTERS[place] for place in places)


def code_typed(typed: str) -> str:
    """Return a code as somebody types it: in any case, with hyphens, and 0 for O; or nothing."""
    code = typed.strip().upper().translate(_MEANT)
    return code if len(code) == CODE_CHARACTERS and set(code) <= set(_LETTERS) else ""


def shown_code(code: str) -> str:
    """Return a code in two groups."""
    return f"{code[:4]}-{code[4:]}"

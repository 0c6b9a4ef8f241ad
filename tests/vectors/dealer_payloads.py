"""The payloads of the dealer dialect as DealerSpec.md 14.3 and 14.4 describe them, read by that.

It knows nothing of the code: what a cell of a table says is how bytes are read.
"""

from __future__ import annotations

import re
import struct
from functools import cache
from typing import Any

from tests.docs.spec import tables

Fields = dict[str, Any]


def _terms(cell: str) -> list[str]:
    """What stands between the commas of a cell, but those in parentheses."""
    return re.findall(r"(?:\([^)]*\)|[^,(])+", cell.replace(", ", ","))


@cache
def structures() -> dict[str, str]:
    return {row["structure"]: row["fields"] for row in tables("14.4")[0]}


def _by_type(rows: list[dict[str, str]]) -> dict[int, tuple[str, str]]:
    return {int(row["type"].rstrip("*")): (row["name"], row["payload"]) for row in rows}


def message_payloads() -> dict[int, tuple[str, str]]:
    """Name and payload of each message of the server, by type."""
    return _by_type(tables("14.3")[0])


def answer_payloads() -> dict[int, tuple[str, str]]:
    """Name and payload of each message of a client, by type."""
    return _by_type(tables("14.3")[1])


class CellReader:
    """Bytes of a payload that is read as a cell says."""

    def __init__(self, data: bytes) -> None:
        self.data = data

    def take(self, size: int) -> bytes:
        assert size <= len(self.data), "the payload is too short"
        taken, self.data = self.data[:size], self.data[size:]
        return taken

    def take_int(self) -> int:
        return int(struct.unpack(">i", self.take(4))[0])

    def take_str(self) -> str:
        *text, end = self.take(self.take_int())
        assert end == 0
        return bytes(text).decode("utf-8")

    def read(self, cell: str) -> Fields:
        """The fields of a cell, by name."""
        fields: Fields = {}
        for each in _terms(cell):
            term, _, condition = each.partition(" where ")
            if condition and fields[condition.split()[0]] != int(condition.split()[-1]):
                continue
            name, value = self._read_term(term, fields)
            assert name not in fields, f"{name!r} is there twice in {cell!r}"
            fields[name] = value
        return fields

    def _read_term(self, term: str, before: Fields) -> tuple[str, Any]:
        if repeated := re.fullmatch(r"(\d+|n) x (.+)", term):
            count = before["n"] if repeated[1] == "n" else int(repeated[1])
            read = [self._read_term(repeated[2], {}) for _ in range(count)]
            return _name(repeated[2]), [value for _, value in read]
        if term.startswith("("):
            return _name(term), self.read(term[1:-1])
        if term in structures():
            return term, self.read(structures()[term])
        if sized := re.fullmatch(r"(\d+) bytes ?(.*)", term):
            return _name(term), self.take(int(sized[1])).hex()
        kind, _, name = term.partition(" ")
        return name, {"int": self.take_int, "str": self.take_str}[kind]()


def _name(term: str) -> str:
    """What a term is called: without its kind, and that where it is all there is."""
    if term.startswith("("):
        return " and ".join(_name(inner) for inner in _terms(term[1:-1]))
    if term in structures():
        return term
    return re.sub(r"^(int|str|\d+ bytes) ?", "", term) or "bytes"


def names(cell: str) -> list[str]:
    """The names of the fields of a cell, in order, without counts."""
    if cell == "nothing":
        return []
    if cell in ("the payload of the ping", "0 to 64 bytes"):
        return ["payload"]
    terms = [re.sub(r"^(\d+|n) x | where .*", "", term) for term in _terms(cell)]
    return [_name(term) for term in terms if term != "int n"]


def read_payload(cell: str, data: bytes) -> Fields:
    """The fields of a payload. Raises AssertionError where the bytes are not what the cell says."""
    if cell == "nothing":
        assert not data
        return {}
    if cell in ("the payload of the ping", "0 to 64 bytes"):
        assert len(data) <= 64
        return {"payload": data.hex()}
    reader = CellReader(data)
    fields = reader.read(cell)
    assert not reader.data, "the payload is too long"
    return fields

"""The payloads of the dealer dialect as DealerSpec.md 14.3 and 14.4 describe them, read by that.

It knows nothing of the code: what a cell of a table says is how bytes are read.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Any

from tests.docs.protocol_reader import ANY_INT, Data, ProtocolReader
from tests.docs.spec import tables

_MOST = 4096


def _terms(cell: str) -> list[str]:
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


@cache
def described(cell: str) -> list[Data]:
    """The fields of a cell as ``hearts-protocol.json`` describes fields."""
    if cell in ("nothing", "none"):
        return []
    if cell in ("the payload of the ping", "0 to 64 bytes"):
        return [{"name": "payload", "type": "bytes", "most": 64}]
    return [_field(term) for term in _terms(cell)]


def _field(term: str) -> Data:
    term, _, condition = term.partition(" where ")
    if condition:
        name, *_, value = condition.split()
        return {**_field(term), "where": {name: int(value)}}
    if repeated := re.fullmatch(r"(\d+|n) x (.+)", term):
        of = _field(repeated[2])
        count = repeated[1] if repeated[1] == "n" else int(repeated[1])
        return {"name": of["name"], "type": "list", "count": count, "of": of}
    if term.startswith("("):
        inner = described(term[1:-1])
        name = " and ".join(field["name"] for field in inner)
        return {"name": name, "type": "structure", "fields": inner}
    if term in structures():
        inner = described(structures()[term])
        return {"name": term, "type": "structure", "fields": inner, "structure": term}
    if sized := re.fullmatch(r"(\d+) bytes ?(.*)", term):
        return {"name": sized[2] or "bytes", "type": "bytes", "size": int(sized[1])}
    kind, _, name = term.partition(" ")
    return {"name": name, **{"int": ANY_INT, "str": {"type": "str", "most": _MOST}}[kind]}


def fields_of(cell: str) -> list[Data]:
    return [field for field in described(cell) if field["name"] != "n"]


def read_payload(cell: str, data: bytes) -> Data:
    """The fields of a payload. Raises WrongBytes where the bytes are not what the cell says."""
    read: Data = _in_hex(ProtocolReader(data).whole(described(cell)))
    return read


def _in_hex(value: Any) -> Any:
    match value:
        case dict():
            return {name: _in_hex(each) for name, each in value.items()}
        case list():
            return [_in_hex(each) for each in value]
        case bytes():
            return value.hex()
    return value

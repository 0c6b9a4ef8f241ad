"""A reader of the wire that knows nothing but ``hearts-protocol.json``."""

from __future__ import annotations

import json
from importlib.resources import files
from typing import Any

Data = dict[str, Any]
ANY_INT: Data = {"type": "int", "min": -(2**31), "max": 2**31 - 1}
PROTOCOL: Data = json.loads(files("hearts").joinpath("hearts-protocol.json").read_bytes())


class WrongBytes(ValueError):
    """Bytes that are not what the file says."""


class ProtocolReader:
    """Bytes, from which fields are read."""

    def __init__(self, data: bytes) -> None:
        self.rest = data

    def read(self, described: list[Data]) -> Data:
        """The values of fields by their names. Raises WrongBytes."""
        values: Data = {}
        for field in described:
            where = field.get("where", {})
            if any(values[name] != value for name, value in where.items()):
                continue
            if field.get("optional") and not self.rest:
                continue
            values[field["name"]] = self._value(field, values)
        return values

    def whole(self, described: list[Data]) -> Data:
        """The same, of all the bytes."""
        values = self.read(described)
        if self.rest:
            raise WrongBytes(f"{len(self.rest)} bytes too many")
        return values

    def _value(self, field: Data, before: Data) -> Any:
        match field:
            case {"type": "int"}:
                return self._int(field)
            case {"type": "str", "most": most}:
                *text, end = self._take(self._int({"min": 1, "max": most + 1}))
                if end:
                    raise WrongBytes("a str without a NUL")
                try:
                    return bytes(text).decode("utf-8")
                except UnicodeDecodeError as error:
                    raise WrongBytes("a str that is no UTF-8") from error
            case {"type": "bytes", "size": size}:
                return self._take(size)
            case {"type": "bytes", "length": name}:
                return self._take(before[name])
            case {"type": "bytes", "most": most}:
                return self._take(min(len(self.rest), most))
            case {"type": "list", "of": of, "most": most}:
                return [self._value(of, {}) for _ in range(self._int({"min": 0, "max": most}))]
            case {"type": "list", "of": of, "count": count}:
                many = before[count] if isinstance(count, str) else count
                return [self._value(of, {}) for _ in range(many)]
            case {"type": "structure", "fields": inner}:
                return self.read(inner)
            case {"type": "structure", "structure": name}:
                return self.read(PROTOCOL["dealer"]["structures"][name])
        raise WrongBytes(f"no type is known of {field}")

    def _int(self, field: Data) -> int:
        value = int.from_bytes(self._take(4), "big", signed=True)
        fits = (
            value in field["values"] if "values" in field else field["min"] <= value <= field["max"]
        )
        if not fits:
            raise WrongBytes(f"{value} is outside of {field}")
        return value

    def _take(self, size: int) -> bytes:
        if size > len(self.rest):
            raise WrongBytes(f"{len(self.rest)} bytes, not {size}")
        taken, self.rest = self.rest[:size], self.rest[size:]
        return taken


def read_registration(data: bytes) -> list[tuple[int | None, Data]]:
    """What a client says up to its Process ID: tags with their fields; a tag of None is none."""
    said = PROTOCOL["registration"]
    reader = ProtocolReader(data)
    blocks = {block["tag"]: block["fields"] for block in said["blocks"]}
    read: list[tuple[int | None, Data]] = [(None, reader.read(said["name"]))]
    while reader.rest:
        first = ProtocolReader(reader.rest[:4]).whole([{"name": "tag", **ANY_INT}])["tag"]
        if first >= 0:
            read.append((None, reader.read(said["last"])))
            return read
        reader.read([{"name": "tag", **ANY_INT}])
        reserved = first <= said["reserved"]["from"]
        if not reserved and first not in blocks:
            raise WrongBytes(f"there is no block {first}")
        read.append((first, reader.read(said["reserved"]["fields"] if reserved else blocks[first])))
    return read

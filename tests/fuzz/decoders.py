"""Targets: everything that makes values of the bytes of the wire.

Each returns for every input, or raises what is a finding. The one error that a decoder may raise
is caught here; what it gives is printed and read back.
"""

from __future__ import annotations

import ipaddress
import re
from functools import cache, partial
from pathlib import Path
from typing import Any

from hearts.errors import (
    LocalProtocolError,
    RemoteProtocolError,
)
from hearts.session import messages as m
from hearts.session.registration import GivenProcessId, Registration, RegistrationEnded
from hearts.wire import codec
from hearts.wire.proxy_header import HEADER_LIMIT, ProxyHeader, read_proxy_header

from .source import Source, pieces, same, text_of

LONGEST_ITEM = 4 + codec.TEXT_LIMIT + 1
"""Bytes of the longest value on the wire: a str with its length."""
SPEC = Path(__file__).parent.parent.parent / "SocketSpec.md"


@cache
def _forbidden() -> re.Pattern[str]:
    """The characters that no str holds, as annex C lists them; and surrogates."""
    (sentence,) = re.findall("^A str holds no other NUL.*$", SPEC.read_text("utf-8"), re.MULTILINE)
    ranges = re.findall(r"U\+([0-9A-F]{4,5})(?:-([0-9A-F]{4,5}))?", sentence)
    listed = [f"{chr(int(low, 16))}-{chr(int(high or low, 16))}" for low, high in ranges]
    return re.compile(f"[{''.join(listed)}\ud800-\udfff]")


def proxy_header(data: bytes) -> None:
    """A PROXY header is read the same however much has arrived, and never beyond its bound."""
    found = _header(data)
    if isinstance(found, ProxyHeader):
        assert found.size <= min(len(data), HEADER_LIMIT)
        # Whatever has arrived before was too little.
        assert _header(data[: found.size - 1]) is None
        assert _header(data[: found.size]) == found
        if found.address is not None:
            ipaddress.ip_address(found.address)
    elif found is None:
        assert len(data) < HEADER_LIMIT
    else:
        assert _header(data + b"\r\n") is found


def _header(data: bytes) -> ProxyHeader | type[RemoteProtocolError] | None:
    try:
        return read_proxy_header(data)
    except RemoteProtocolError:
        return RemoteProtocolError


def wire(data: bytes) -> None:
    """Takes from a buffer in any order give the same, however the bytes were cut."""
    source = Source(data)
    cuts = source.cuts()
    takes = source.take(source.byte() % 16)
    payload = source.rest() or b"\0"
    _, left = same(payload, cuts, partial(_take_all, takes))
    assert left <= len(payload)


def _take_all(takes: bytes, fed: Any) -> tuple[list[object], int]:
    buffer = codec.Buffer()
    got: list[object] = []
    turn = 0
    for piece in fed:
        buffer.feed(piece)
        while turn < len(takes) or not takes:
            before = len(buffer)
            try:
                value = _take(buffer, takes[turn] if takes else 1)
            except RemoteProtocolError as error:
                return [*got, str(error)], 0
            if value is None:
                assert len(buffer) == before < LONGEST_ITEM
                break
            assert len(buffer) < before or value in (b"", ())
            got.append(value)
            turn += 1
    return got, len(buffer)


def _take(buffer: codec.Buffer, how: int) -> object:
    match how % 5:
        case 0:
            return buffer.take_int()
        case 1:
            return buffer.take_str()
        case 2:
            return buffer.take_str_bytes(codec.NAME_LIMIT)
        case 3:
            return buffer.take_ints(how // 5 % 14)
        case _:
            return buffer.take_bytes(how // 5)


def text(data: bytes) -> None:
    """A text of the wire is what section 1.4 says, and is written as it came."""
    try:
        read = codec.decode_text(data)
    except RemoteProtocolError:
        read = None
    if read is not None:
        assert codec.encode_str(read, len(data)) == len(data).to_bytes(4, "big") + data
        assert not _forbidden().search(read)
    any_text = data.decode("utf-8", "surrogateescape")
    assert codec.is_printable(any_text) == (_forbidden().search(any_text) is None)
    try:
        written = codec.encode_str(any_text)
    except LocalProtocolError:
        return
    buffer = codec.Buffer()
    buffer.feed(written)
    assert buffer.take_str() == any_text
    assert not buffer


def registration(data: bytes) -> None:
    """A registration gives the same items and the same refusal, however the bytes were cut."""
    source = Source(data)
    cuts = source.cuts()
    payload = source.rest()
    whole, whole_rest = _register([payload])
    cut, cut_rest = _register(pieces(payload, cuts))
    assert cut == whole
    ended = bool(whole) and isinstance(whole[-1], GivenProcessId | tuple)
    assert cut_rest <= whole_rest if ended else cut_rest == whole_rest < LONGEST_ITEM


def _register(fed: Any) -> tuple[list[object], int]:
    made = Registration()
    items: list[object] = []
    for piece in fed:
        made.feed(piece)
        try:
            while (item := made.take()) is not None:
                items.append(item)
                # A name, 16 blocks and the Process ID.
                assert len(items) <= 18
                if isinstance(item, GivenProcessId):
                    return items, len(made.take_rest())
        except RegistrationEnded as refused:
            items.append((refused.refusal, str(refused), made.refuse(refused)))
            break
    return items, len(made.take_rest())


def messages(data: bytes) -> None:
    """What a message is decoded into is encoded into the same message."""
    source = Source(data)
    kind = source.below(5)
    if kind == 3:
        _name(source.rest())
        return
    if kind == 4:
        _listing(source)
        return
    ints = tuple(source.int32() for _ in range(3 if kind == 0 else 5))
    if kind == 0 and source.byte() & 1:
        ints = (ints[0] << 8 & 0x1FFFFE | 1 << 4, *ints[1:])
    try:
        match kind:
            case 0:
                options = m.Options.decode(ints)
                written = _ints(options.encode())[1:]
                assert m.Options.decode(written) == options
            case 1:
                assert _ints(m.TableInfo.decode(ints).encode()) == ints
            case _:
                assert _ints(m.Scores.decode(ints).encode()) == ints
    except RemoteProtocolError:
        return


def _ints(data: bytes) -> tuple[int, ...]:
    buffer = codec.Buffer()
    buffer.feed(data)
    taken = buffer.take_ints(len(data) // 4)
    assert taken is not None
    assert not buffer
    return tuple(taken)


def _name(data: bytes) -> None:
    try:
        name = m.decode_name(data)
    except RemoteProtocolError:
        return
    assert codec.encode_str(name, codec.NAME_LIMIT) == codec.encode_ints(len(data)) + data
    assert name.strip()


def _listing(source: Source) -> None:
    tables = []
    try:
        for _ in range(source.below(4)):
            name, a, b, c, d = (text_of(source.chunk()) for _ in range(5))
            tables.append(m.ListedTable(name, source.int32(), source.below(5), (a, b, c, d)))
        data = m.encode_list(tables)
    except LocalProtocolError:
        return
    buffer = codec.Buffer()
    buffer.feed(data)
    count = buffer.take_int()
    assert count == len(tables)
    for table in tables:
        assert buffer.take_str(codec.NAME_LIMIT) == table.name
        assert buffer.take_ints(2) == (table.game_number, table.open_seats)
        assert tuple(buffer.take_str(codec.NAME_LIMIT) for _ in range(4)) == table.players
    assert not buffer

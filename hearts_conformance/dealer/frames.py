"""Reads what the client sends as frames, and finds what is wrong with a frame as such."""

from __future__ import annotations

from hearts.dealer.frames import CLIENT_PAYLOAD_LIMIT, HEADER, Frame
from hearts_conformance.checks import ClientFault
from hearts_conformance.line import INT, HungUp, KitLine, Silence

_SEATS = range(4)


class NothingCame(Exception):
    """No frame came; the text says what happened instead."""


class LeftUs(NothingCame):
    """The client ended the connection."""


async def read_frame(line: KitLine) -> bytes:
    """Return the bytes of the next frame. Raises NothingCame, and ClientFault for what is none."""
    try:
        header = await line.read(HEADER.size)
    except Silence as silence:
        _check_scrap(silence.args[0])
        raise NothingCame(f"nothing came for {line.waits.patience:g} s") from None
    except HungUp as hung_up:
        _check_scrap(hung_up.args[0])
        raise LeftUs("the client hung up") from None
    type, _, length = HEADER.unpack(header)
    if type in _SEATS:
        raise ClientFault("frame.no-acks", f"{header.hex(' ')} came; there is no type {type}")
    if not 0 <= length <= CLIENT_PAYLOAD_LIMIT:
        raise ClientFault("frame.whole", f"{header.hex(' ')} came: a length of {length}")
    try:
        payload = await line.read(length)
    except (Silence, HungUp) as gone:
        came = f"{header.hex(' ')} came: a length of {length}"
        raise ClientFault(
            "frame.whole", f"{came}, and {len(gone.args[0])} bytes behind it"
        ) from None
    return header + payload


def _check_scrap(scrap: bytes) -> None:
    if not scrap:
        return
    if len(scrap) >= INT and int.from_bytes(scrap[:INT], "big") in _SEATS:
        raise ClientFault("frame.no-acks", f"{scrap.hex(' ')} came, and no frame")
    raise ClientFault("frame.whole", f"only {scrap.hex(' ')} came, which is no header")


def spell(frame: Frame) -> str:
    payload = frame.payload[:16].hex(" ") or "nothing"
    return f"type {frame.type} in reply to {frame.number}, {len(frame.payload)} bytes: {payload},"

"""The header of the PROXY protocol, in which a proxy names the client that it connects for.

Version 1 is a line of text, version 2 is binary; both are as HAProxy has defined them in
"The PROXY protocol, versions 1 & 2". The rest of a header of version 2 is skipped.
"""

from __future__ import annotations

import ipaddress
import re
import struct

from msgspec import Struct

from hearts.errors import RemoteProtocolError

HEADER_LIMIT = 536
"""Bytes of a header at most: what fits into a packet on any network."""
LINE_LIMIT = 107
"""Bytes of a header of version 1 at most, with its end."""

_TEXT = b"PROXY "
_LINE_END = b"\r\n"
_NUMBER = r"(?:0|[1-9]\d{0,4})"
_LINE = re.compile(rf"PROXY TCP([46]) ([0-9A-Fa-f.:]+) ([0-9A-Fa-f.:]+) ({_NUMBER}) ({_NUMBER})")
_UNKNOWN = b"PROXY UNKNOWN"

_SIGNATURE = b"\r\n\r\n\x00\r\nQUIT\n"
_HEAD = struct.Struct(">12sBBH")
_LOCAL, _PROXY = 0x20, 0x21
_STREAM = 0x1
_UNSPECIFIED, _IPV4, _IPV6, _UNIX = 0x0, 0x1, 0x2, 0x3
_SIZES = {_UNSPECIFIED: 0, _IPV4: 12, _IPV6: 36, _UNIX: 216}
_ADDRESS_BYTES = {_IPV4: 4, _IPV6: 16}
_HIGHEST_PORT = 65535


class ProxyHeader(Struct, frozen=True, gc=False):
    """A header that has been read."""

    size: int
    """The number of its bytes; the bytes after them are not the proxy's."""
    address: str | None
    """The address of the client. None if the proxy speaks for itself, as in a health check, or
    for somebody without an IP address."""


def read_proxy_header(data: bytes) -> ProxyHeader | None:
    """Return the header that a connection begins with; None while it is not complete.

    Raises RemoteProtocolError if no header can begin so. Whatever ``data`` holds, one of the three
    is the outcome, and with HEADER_LIMIT bytes it is not None.
    """
    if _SIGNATURE.startswith(data[: len(_SIGNATURE)]):
        # Also for no bytes at all.
        return _read_binary(data)
    if data[: len(_TEXT)] == _TEXT[: len(data)]:
        return _read_line(data)
    raise RemoteProtocolError("not a PROXY header")


def _read_line(data: bytes) -> ProxyHeader | None:
    end = data.find(_LINE_END, 0, LINE_LIMIT)
    if end < 0:
        if len(data) >= LINE_LIMIT:
            raise RemoteProtocolError(f"a PROXY line of more than {LINE_LIMIT} bytes")
        return None
    line, size = data[:end], end + len(_LINE_END)
    # Whatever stands behind this word means nothing.
    if line == _UNKNOWN or line.startswith(_UNKNOWN + b" "):
        return ProxyHeader(size, None)
    found = _LINE.fullmatch(line.decode("latin-1"))
    if found is None:
        raise RemoteProtocolError("a PROXY line that means nothing")
    version, source, target, *ports = found.groups()
    if any(int(port) > _HIGHEST_PORT for port in ports):
        raise RemoteProtocolError("a PROXY line with a port that there is not")
    kind = ipaddress.IPv4Address if version == "4" else ipaddress.IPv6Address
    try:
        kind(target)
        return ProxyHeader(size, _text(kind(source)))
    except ValueError:
        raise RemoteProtocolError("a PROXY line with an address that there is not") from None


def _read_binary(data: bytes) -> ProxyHeader | None:
    if len(data) < _HEAD.size:
        return None
    _, command, what, length = _HEAD.unpack_from(data)
    family, transport = what >> 4, what & 0xF
    size = _HEAD.size + length
    if command not in (_LOCAL, _PROXY):
        raise RemoteProtocolError("a PROXY header of an unknown version or command")
    if size > HEADER_LIMIT:
        raise RemoteProtocolError(f"a PROXY header of {size} bytes")
    if command == _PROXY:
        if family not in _SIZES or (family != _UNSPECIFIED and transport != _STREAM):
            raise RemoteProtocolError("a PROXY header for something other than a connection")
        if length < _SIZES[family]:
            raise RemoteProtocolError("a PROXY header without room for its addresses")
    if len(data) < size:
        return None
    if command == _LOCAL or family not in _ADDRESS_BYTES:
        return ProxyHeader(size, None)
    source = data[_HEAD.size : _HEAD.size + _ADDRESS_BYTES[family]]
    return ProxyHeader(size, _text(ipaddress.ip_address(source)))


def _text(address: ipaddress.IPv4Address | ipaddress.IPv6Address) -> str:
    if isinstance(address, ipaddress.IPv6Address):
        return str(address.ipv4_mapped or address)
    return str(address)


def proxy_header(address: str) -> bytes:
    """Return a header of version 2 with the address of the client; for a text that is no IP
    address, a header that names nobody.

    The rest of the header, such as ports, is 0: nobody here reads it.
    """
    try:
        source = ipaddress.ip_address(address).packed
    except ValueError:
        return _HEAD.pack(_SIGNATURE, _LOCAL, 0, 0)
    family = _IPV4 if len(source) == _ADDRESS_BYTES[_IPV4] else _IPV6
    size = _SIZES[family]
    head = _HEAD.pack(_SIGNATURE, _PROXY, family << 4 | _STREAM, size)
    return head + source.ljust(size, b"\0")

"""The header of the PROXY protocol: what HAProxy's document says, and any other bytes."""

from __future__ import annotations

import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hearts.errors import RemoteProtocolError
from hearts.wire.proxy_header import (
    HEADER_LIMIT,
    LINE_LIMIT,
    ProxyHeader,
    proxy_header,
    read_proxy_header,
)

SIGNATURE = bytes.fromhex("0d0a0d0a000d0a515549540a")
IPV4 = bytes([192, 0, 2, 1, 198, 51, 100, 7]) + struct.pack(">HH", 50000, 7626)
IPV6 = bytes.fromhex("20010db8" + "0" * 23 + "1") + bytes(16) + struct.pack(">HH", 50000, 7626)
WIDEST = b":".join([b"ffff"] * 8)
LONGEST_LINE = b"PROXY UNKNOWN %s %s 65535 65535\r\n" % (WIDEST, WIDEST)


def binary(command: int, what: int, rest: bytes) -> bytes:
    return SIGNATURE + struct.pack(">BBH", command, what, len(rest)) + rest


GOOD = {
    b"PROXY TCP4 192.0.2.1 198.51.100.7 50000 7626\r\n": "192.0.2.1",
    b"PROXY TCP4 255.255.255.255 255.255.255.255 65535 65535\r\n": "255.255.255.255",
    b"PROXY TCP6 2001:db8::1 ::1 1 0\r\n": "2001:db8::1",
    b"PROXY TCP6 ::ffff:192.0.2.1 ::1 1 0\r\n": "192.0.2.1",
    b"PROXY TCP6 %s %s 65535 65535\r\n" % (WIDEST, WIDEST): WIDEST.decode(),
    b"PROXY UNKNOWN\r\n": None,
    LONGEST_LINE: None,
    binary(0x21, 0x11, IPV4): "192.0.2.1",
    binary(0x21, 0x11, IPV4 + b"\x04\0\x01\0"): "192.0.2.1",
    binary(0x21, 0x21, IPV6): "2001:db8::1",
    binary(0x21, 0x31, bytes(216)): None,
    binary(0x21, 0x00, b""): None,
    binary(0x20, 0x00, b""): None,
    binary(0x20, 0x11, IPV4): None,
    binary(0x20, 0x00, bytes(HEADER_LIMIT - 16)): None,
}  # fmt: skip


@pytest.mark.parametrize("header", GOOD)
def test_a_header_is_read_at_its_last_byte_and_no_sooner(header: bytes) -> None:
    for size in range(len(header)):
        assert read_proxy_header(header[:size]) is None
    found = ProxyHeader(len(header), GOOD[header])
    assert read_proxy_header(header) == found
    assert read_proxy_header(header + b"\0\0\0\x01PROXY ") == found


def test_the_longest_line_is_as_long_as_a_line_may_be() -> None:
    assert len(LONGEST_LINE) == LINE_LIMIT


@pytest.mark.parametrize(
    "data",
    [
        b"\0",
        b"proxy TCP4 192.0.2.1 192.0.2.2 1 2\r\n",
        b"PROXY  TCP4 192.0.2.1 192.0.2.2 1 2\r\n",
        b"PROXY TCP4 192.0.2.1  192.0.2.2 1 2\r\n",
        b"PROXY TCP4 192.0.2.1 192.0.2.2 1\r\n",
        b"PROXY TCP4 192.0.2.1 192.0.2.2 1 2 \r\n",
        b"PROXY TCP4 192.0.2.1 192.0.2.2 1 2\n\r\n",
        b"PROXY TCP4 192.0.2.1 192.0.2.2 01 2\r\n",
        b"PROXY TCP4 192.0.2.1 192.0.2.2 1 65536\r\n",
        b"PROXY TCP4 192.0.2.256 192.0.2.2 1 2\r\n",
        b"PROXY TCP4 192.0.2.01 192.0.2.2 1 2\r\n",
        b"PROXY TCP4 2001:db8::1 ::1 1 2\r\n",
        b"PROXY TCP6 192.0.2.1 192.0.2.2 1 2\r\n",
        b"PROXY TCP6 fe80::1%eth0 ::1 1 2\r\n",
        b"PROXY UNKNOWNS\r\n",
        b"PROXY UDP4 192.0.2.1 192.0.2.2 1 2\r\n",
        b"PROXY " + b"x" * (LINE_LIMIT - 6),
        b"PROXY UNKNOWN" + b" " * (LINE_LIMIT - 14) + b"\r\n",
        binary(0x11, 0x11, IPV4),
        binary(0x22, 0x11, IPV4),
        binary(0x21, 0x12, IPV4),
        binary(0x21, 0x41, IPV6),
        binary(0x21, 0x11, IPV4[:-1]),
        binary(0x21, 0x21, IPV6[:-1]),
        SIGNATURE + struct.pack(">BBH", 0x21, 0x11, HEADER_LIMIT - 15),
        SIGNATURE + struct.pack(">BBH", 0x20, 0x00, 65535),
    ],
)
def test_what_is_no_header_is_refused(data: bytes) -> None:
    with pytest.raises(RemoteProtocolError, match="PROXY"):
        read_proxy_header(data)


@given(st.ip_addresses(v=4) | st.ip_addresses(v=6))
def test_our_own_header_says_the_address(address: object) -> None:
    header = proxy_header(str(address))
    found = read_proxy_header(header)
    assert found is not None
    assert found.size == len(header)
    assert found.address == str(getattr(address, "ipv4_mapped", None) or address)


def test_our_own_header_for_nobody() -> None:
    assert read_proxy_header(proxy_header("?")) == ProxyHeader(16, None)

"""What nodes say to each other before a client's first byte."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hearts.errors import RemoteProtocolError
from hearts_server.cluster.handshake import (
    CHALLENGE_BYTES,
    GREETING_BYTES,
    PROOF_BYTES,
    SIZE_BYTES,
    Greeting,
    client_address,
    header_size,
    introduction,
    secret_mark,
)

SECRET = b"s" * 32
CHALLENGE = b"c" * CHALLENGE_BYTES


@pytest.mark.parametrize(("address", "read"), [("192.0.2.7", "192.0.2.7"), ("", None)])
def test_who_knows_the_secret_is_believed(address: str, read: str | None) -> None:
    said = introduction(SECRET, CHALLENGE, address)
    first = said[: PROOF_BYTES + SIZE_BYTES]
    assert len(said) == len(first) + header_size(first)
    assert client_address(SECRET, CHALLENGE, said) == read


def test_a_proof_is_good_for_one_connection_and_one_secret() -> None:
    said = introduction(SECRET, CHALLENGE, "2001:db8::1")
    for secret, challenge in ((b"t" * 32, CHALLENGE), (SECRET, b"d" * CHALLENGE_BYTES)):
        with pytest.raises(RemoteProtocolError, match="another secret"):
            client_address(secret, challenge, said)


@given(st.integers(0, 60), st.integers(0, 7))
def test_no_bit_of_an_introduction_can_be_changed(byte: int, bit: int) -> None:
    said = bytearray(introduction(SECRET, CHALLENGE, "192.0.2.7"))
    byte %= len(said)
    # The size says how much is read, and is proved by that.
    if byte in range(PROOF_BYTES, PROOF_BYTES + SIZE_BYTES):
        return
    said[byte] ^= 1 << bit
    with pytest.raises(RemoteProtocolError):
        client_address(SECRET, CHALLENGE, bytes(said))


def test_a_header_without_end_is_refused_before_it_is_read() -> None:
    with pytest.raises(RemoteProtocolError, match="65535 bytes"):
        header_size(bytes(PROOF_BYTES) + b"\xff\xff")


@given(st.booleans(), st.integers(0, 2**63 - 1), st.binary(min_size=16, max_size=16))
def test_a_greeting_is_read_as_it_was_said(takes: bool, lobby: int, challenge: bytes) -> None:
    greeting = Greeting(takes, lobby, challenge)
    assert Greeting.decode(greeting.encode()) == greeting


def test_what_is_no_greeting_is_refused() -> None:
    with pytest.raises(RemoteProtocolError, match="not a greeting"):
        Greeting.decode(b"H" * GREETING_BYTES)


def test_the_mark_tells_secrets_apart() -> None:
    assert secret_mark(SECRET) == secret_mark(SECRET) != secret_mark(b"t" * 32)

"""What nodes say to each other before a client's first byte."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hearts.errors import RemoteProtocolError
from hearts_server.cluster.handshake import (
    CHALLENGE_BYTES,
    GREETING_BYTES,
    INTRODUCED_BYTES,
    OF_A_NODE,
    Errand,
    Greeting,
    KnownCaller,
    decode_lives,
    encode_lives,
    header_size,
    introduction,
    read_introduction,
    secret_mark,
)

SECRET = b"s" * 32
CHALLENGE = b"c" * CHALLENGE_BYTES


@pytest.mark.parametrize("errand", Errand)
@pytest.mark.parametrize(("address", "read"), [("192.0.2.7", "192.0.2.7"), ("", None)])
def test_who_knows_the_secret_is_believed(errand: Errand, address: str, read: str | None) -> None:
    said = introduction(SECRET, CHALLENGE, errand, address)
    first = said[:INTRODUCED_BYTES]
    assert len(said) == len(first) + header_size(first)
    told = None if errand in OF_A_NODE else read
    assert read_introduction(SECRET, CHALLENGE, said) == KnownCaller(errand, told)


@given(st.integers(0, 2**64 - 1))
def test_the_lobby_is_told_whose_door_leads_a_newcomer(door: int) -> None:
    said = introduction(SECRET, CHALLENGE, Errand.NEWCOMER, "192.0.2.7", door)
    read = read_introduction(SECRET, CHALLENGE, said)
    assert read == KnownCaller(Errand.NEWCOMER, "192.0.2.7", door)


def test_a_proof_is_good_for_one_connection_and_one_secret() -> None:
    said = introduction(SECRET, CHALLENGE, Errand.NEWCOMER, "2001:db8::1")
    for secret, challenge in ((b"t" * 32, CHALLENGE), (SECRET, b"d" * CHALLENGE_BYTES)):
        with pytest.raises(RemoteProtocolError, match="another secret"):
            read_introduction(secret, challenge, said)


@given(st.sampled_from(Errand), st.integers(0), st.integers(0, 7))
def test_no_bit_of_an_introduction_can_be_changed(errand: Errand, byte: int, bit: int) -> None:
    said = bytearray(introduction(SECRET, CHALLENGE, errand, "192.0.2.7", door=7))
    said[byte % len(said)] ^= 1 << bit
    with pytest.raises(RemoteProtocolError):
        read_introduction(SECRET, CHALLENGE, bytes(said))


def test_a_header_without_end_is_refused_before_it_is_read() -> None:
    with pytest.raises(RemoteProtocolError, match="65535 bytes"):
        header_size(bytes(INTRODUCED_BYTES - 2) + b"\xff\xff")


@given(st.booleans(), st.integers(0, 255), st.binary(min_size=16, max_size=16))
def test_a_greeting_is_read_as_it_was_said(takes: bool, lives: int, challenge: bytes) -> None:
    greeting = Greeting(takes, lives, challenge)
    assert Greeting.decode(greeting.encode()) == greeting


@given(st.lists(st.integers(0, 2**63 - 1)))
def test_lives_are_read_as_they_were_said(lives: list[int]) -> None:
    assert decode_lives(encode_lives(lives)) == lives


def test_what_is_no_greeting_is_refused() -> None:
    with pytest.raises(RemoteProtocolError, match="not a greeting"):
        Greeting.decode(b"H" * GREETING_BYTES)


def test_the_mark_tells_secrets_apart() -> None:
    assert secret_mark(SECRET) == secret_mark(SECRET) != secret_mark(b"t" * 32)

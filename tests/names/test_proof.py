"""The keys, challenges and proofs of names, against vectors and an own account of the bytes."""

from __future__ import annotations

import json
import struct
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from hypothesis import given
from hypothesis import strategies as st

from hearts.names.keys import KeyPair, derived, has_signed
from hearts.names.proof import (
    AskedChallenge,
    Meeting,
    NameAnswer,
    NameProof,
    NameState,
    Said,
)
from tests.vectors.name_lines import FILE, vectors

VECTORS = json.loads(FILE.read_text("ascii"))
SERVER = KeyPair.of_server(bytes(32))
ANN = KeyPair.at_server(b"a" * 32, SERVER.public)
ASKED = AskedChallenge(b"c" * 32, "hearts.example:7626")
MEETING = Meeting(ASKED, SERVER.public, b"s" * 32)
CHANCES = st.binary(min_size=32, max_size=32)


def test_the_vectors_are_what_is_said_today() -> None:
    assert vectors() == VECTORS


def hkdf(secret: bytes, info: bytes) -> bytes:
    return HKDF(algorithm=SHA256(), length=32, salt=None, info=info).derive(secret)


@pytest.mark.parametrize("case", VECTORS["proofs"], ids=lambda case: case["name"])
def test_a_vector_holds_by_annex_e_alone(case: dict[str, Any]) -> None:
    hexes = {key: bytes.fromhex(text) for key, text in case.items() if key not in READ}
    address, name = case["address"].encode(), case["name"].encode()
    assert hexes["server seed"] == hkdf(hexes["server secret"], b"hearts server key 1")
    server = Ed25519PrivateKey.from_private_bytes(hexes["server seed"]).public_key()
    key = server.public_bytes_raw()
    assert hexes["server key"] == key
    assert hexes["name seed"] == hkdf(hexes["own secret"], b"hearts name key 1" + key)
    own, challenge = hexes["bytes of block -17"][:32], hexes["challenge"]
    assert hexes["bytes of block -17"][32:] == address
    assert challenge[:32] == key
    both = key + own + challenge[32:64] + sized(address)
    assert hexes["signed by the server"] == b"hearts server 1" + both
    server.verify(challenge[64:], hexes["signed by the server"])
    proof = hexes["bytes of block -18"]
    said = proof[:2] + bytes([case["dialect"]]) + sized(name) + sized(proof[98:])
    assert hexes["signed by the client"] == b"hearts name 1" + both + said
    assert proof[2:34] == hexes["name key"]
    client = Ed25519PublicKey.from_public_bytes(proof[2:34])
    client.verify(proof[34:98], hexes["signed by the client"])


READ = {"name", "address", "dialect"}


def sized(data: bytes) -> bytes:
    return struct.pack(">i", len(data)) + data


@given(st.binary(max_size=64), st.binary(max_size=64))
def test_a_derived_secret_is_that_of_the_standard(secret: bytes, purpose: bytes) -> None:
    assert derived(secret, purpose) == hkdf(secret, purpose)


@given(CHANCES, st.text(st.characters(codec="utf-8"), max_size=260))
def test_a_question_comes_back_or_is_none(chance: bytes, address: str) -> None:
    asked = AskedChallenge(chance, address)
    decoded = AskedChallenge.decode(asked.encode())
    assert decoded in (asked, None)
    if not 1 <= len(address.encode()) <= 255:
        assert decoded is None


@given(st.binary(max_size=200))
def test_any_bytes_are_a_proof_or_none(data: bytes) -> None:
    proof = NameProof.decode(data)
    assert (proof is None) == (len(data) < 98)
    assert proof is None or proof.encode() == data


def test_a_challenge_is_of_this_server_for_this_address_and_chance() -> None:
    challenge = MEETING.challenge(SERVER)
    assert Meeting.of_challenge(ASKED, challenge) == MEETING
    for wrong in (
        AskedChallenge(b"d" * 32, ASKED.address),
        AskedChallenge(ASKED.chance, "hearts.example:7627"),
    ):
        assert Meeting.of_challenge(wrong, challenge) is None
    # Somebody else's key in front, or one bit.
    assert Meeting.of_challenge(ASKED, ANN.public + challenge[32:]) is None
    for place in (0, 40, 127):
        broken = bytearray(challenge)
        broken[place] ^= 1
        assert Meeting.of_challenge(ASKED, bytes(broken)) is None
    assert Meeting.of_challenge(ASKED, challenge[:-1]) is None


SAID = Said("Ann", 1)


def test_a_proof_holds_for_what_was_said_alone() -> None:
    proof = NameProof.of(SAID, MEETING, ANN)
    assert proof.holds("Ann", 1, MEETING)
    assert not proof.holds("Bob", 1, MEETING)
    assert not proof.holds("Ann", 0, MEETING)
    other = Meeting(ASKED, SERVER.public, b"t" * 32)
    assert not proof.holds("Ann", 1, other)
    other = Meeting(ASKED, KeyPair.of_server(b"x" * 32).public, b"s" * 32)
    assert not proof.holds("Ann", 1, other)
    for place in range(0, 98, 7):
        broken = bytearray(proof.encode())
        broken[place] ^= 1
        found = NameProof.decode(bytes(broken))
        assert found is not None
        assert not found.holds("Ann", 1, MEETING)
    more = NameProof.decode(proof.encode() + b"x")
    assert more is not None
    assert not more.holds("Ann", 1, MEETING)


def test_a_public_key_with_the_signature_of_somebody_else() -> None:
    bob = KeyPair.at_server(b"b" * 32, SERVER.public)
    shown = NameProof(0, 0, ANN.public, NameProof.of(SAID, MEETING, bob).signature)
    assert not shown.holds("Ann", 1, MEETING)
    assert not has_signed(b"\xff" * 32, shown.signature, b"")


def test_no_two_servers_see_one_key() -> None:
    other = KeyPair.of_server(b"other" * 6 + b"ab")
    assert KeyPair.at_server(b"a" * 32, other.public).public != ANN.public


def test_an_answer_has_notes_unless_it_tells_nothing() -> None:
    assert NameAnswer(NameState.UNTOLD, ["x"]).encode() == bytes(4)
    said = NameAnswer(NameState.OWN, ["x"]).encode()
    assert said == struct.pack(">iii", 1, 1, 2) + b"x\0"

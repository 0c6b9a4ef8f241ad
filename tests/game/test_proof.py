"""The notices about deals: their exact text, and no other text that passes for one."""

from __future__ import annotations

import hashlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hearts.game.deal import (
    Commitment,
    Disclosure,
    commitment,
    commitment_notice,
    disclosure_notice,
    parse_notice,
)
from hearts.taunt import TAUNT_LIMIT
from hearts.wire.codec import NAME_LIMIT

SECRET = bytes(range(16))
DIGEST = "be45cb2605bf36bebde684841a28f0fd43c69850a3dce5fedba69928ee3a8991"
CODE = "0004-1061-050R-3GG2-8A1C-60T3-GFQG"

secrets = st.binary(min_size=16, max_size=16)
numbers = st.integers(1, 999_999_999)


def test_texts() -> None:
    assert commitment_notice(3, SECRET) == f"deal 3 commitment {DIGEST}"
    assert disclosure_notice(3, SECRET) == f"deal 3 was {CODE}"


@given(numbers, secrets)
def test_notices_read_back(number: int, secret: bytes) -> None:
    promise, told = commitment_notice(number, secret), disclosure_notice(number, secret)
    assert parse_notice(promise) == Commitment(number, hashlib.sha256(secret).digest())
    assert parse_notice(told) == Disclosure(number, secret)
    assert max(len(promise), len(told)) <= TAUNT_LIMIT
    assert min(len(promise), len(told)) > NAME_LIMIT


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Ann has left",
        f"deal 0 was {CODE}",
        f"deal 03 was {CODE}",
        f"deal -3 was {CODE}",
        f"deal ３ was {CODE}",
        f"deal 1000000000 was {CODE}",
        f"deal 3 was {CODE} ",
        f"deal 3 was {CODE}\n",
        f"deal 3  was {CODE}",
        f"Deal 3 was {CODE}",
        f"deal 3 was {CODE.lower()}",
        f"deal 3 was {CODE.replace('-', '')}",
        f"deal 3 was {CODE.replace('0004', 'OOO4')}",
        f"deal 3 was {CODE[:-1]}H",
        f"deal 3 was 8{CODE[1:]}",
        f"deal 3 commitment {DIGEST.upper()}",
        f"deal 3 commitment {DIGEST[:-1]}",
        f"deal 3 commitment {DIGEST}0",
        f"deal 3 commitment  {DIGEST[:-1]}",
        f"deal 3 commitment {DIGEST} deal 3 was {CODE}",
    ],
)
def test_what_is_nearly_a_notice_is_none(text: str) -> None:
    assert parse_notice(text) is None


@given(st.text(max_size=120) | st.from_regex(r"deal \d{1,12} (was|commitment) [0-9A-Za-z-]{30,70}"))
def test_any_text_is_read(text: str) -> None:
    found = parse_notice(text)
    assert found is None or found.format() == text


@pytest.mark.parametrize("size", [0, 15, 17, 32])
def test_a_commitment_is_to_sixteen_bytes(size: int) -> None:
    with pytest.raises(ValueError, match=f"a secret has 16 bytes, not {size}"):
        commitment(bytes(size))

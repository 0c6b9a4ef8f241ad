"""The defined shuffle against vectors of another implementation, the codes and notices of deals."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hearts.errors import InvalidDealCode, InvalidRules
from hearts.game.cards import FULL_DECK, by_wire
from hearts.game.deal import (
    NO_CUTS,
    DealDisclosed,
    DealPromised,
    NamedDeal,
    commitment,
    commitment_notice,
    deal_code,
    deal_hands,
    deal_text,
    disclosure_notice,
    parse_deal_code,
    parse_deal_text,
    parse_named_deal,
    parse_notice,
)
from hearts.game.rules import PRESETS
from hearts.taunt.messages import TAUNT_LIMIT
from hearts.wire.codec import NAME_LIMIT
from tests.game.games import ALL_RULES

ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
CODE = "0004-1061-050R-3GG2-8A1C-60T3-GFQG"
SECRET = bytes(range(16))
DIGEST = "be45cb2605bf36bebde684841a28f0fd43c69850a3dce5fedba69928ee3a8991"

secrets = st.binary(min_size=16, max_size=16)
numbers = st.integers(1, 999_999_999)


@dataclass
class Vector:
    """One block of tests/vectors/deals.txt."""

    secret: bytes = b""
    cuts: bytes = NO_CUTS
    code: str = ""
    digest: str = ""
    hands: list[list[str]] = field(default_factory=list)


def vectors() -> list[Vector]:
    path = Path(__file__).parent.parent / "vectors" / "deals.txt"
    found: list[Vector] = []
    for line in path.read_text(encoding="ascii").splitlines():
        match line.split():
            case ["secret", text]:
                found.append(Vector(bytes.fromhex(text)))
            case ["commitment", text]:
                found[-1].digest = text
            case ["cuts", text]:
                found[-1].cuts = bytes.fromhex(text)
            case ["code", text]:
                found[-1].code = text
            case ["hand", _, *cards]:
                found[-1].hands.append(cards)
    return found


def test_there_are_vectors() -> None:
    assert len(vectors()) == 9
    assert all(len(vector.hands) == 4 for vector in vectors())


@pytest.mark.parametrize("vector", vectors(), ids=lambda vector: vector.code)
def test_vector(vector: Vector) -> None:
    hands = deal_hands(vector.secret, vector.cuts)
    assert [[str(card) for card in by_wire(hand)] for hand in hands] == vector.hands
    assert deal_code(vector.secret) == vector.code
    assert commitment(vector.secret).hex() == vector.digest
    assert parse_deal_code(vector.code) == vector.secret


@given(secrets)
def test_a_deal_gives_thirteen_cards_to_each(secret: bytes) -> None:
    hands = deal_hands(secret)
    assert [hand.bit_count() for hand in hands] == [13] * 4
    assert sum(hands) == FULL_DECK


@given(secrets, secrets)
def test_another_secret_is_another_deal(one: bytes, other: bytes) -> None:
    assert (deal_hands(one) == deal_hands(other)) == (one == other)


@pytest.mark.parametrize(("secret", "cuts"), [(0, 32), (15, 32), (17, 32), (16, 8)])
def test_a_secret_has_sixteen_bytes_and_cuts_have_thirty_two(secret: int, cuts: int) -> None:
    with pytest.raises(ValueError, match=f"16 and 32 bytes, not {secret} and {cuts}"):
        deal_hands(bytes(secret), bytes(cuts))


@given(secrets)
def test_a_code_reads_back_however_it_is_typed(secret: bytes) -> None:
    code = deal_code(secret)
    assert [len(group) for group in code.split("-")] == [4] * 7
    assert parse_deal_code(code) == secret
    assert parse_deal_code(code.lower().replace("-", "")) == secret
    assert parse_deal_code(f" {code.replace('-', ' ')} ") == secret
    assert parse_deal_code(code.replace("0", "o").replace("1", "l")) == secret
    assert parse_deal_code(code.replace("0", "O").replace("1", "I")) == secret


def _is_refused(text: str) -> bool:
    try:
        parse_deal_code(text)
    except InvalidDealCode:
        return True
    return False


def test_one_wrong_character_is_nearly_always_found() -> None:
    code = CODE.replace("-", "")
    wrong = [
        code[:place] + character + code[place + 1 :]
        for place in range(28)
        for character in ALPHABET
        if character != code[place]
    ]
    found = sum(_is_refused(text) for text in wrong)
    # Ten bits of check miss one in 1,024.
    assert len(wrong) - found <= 4


def test_two_neighbours_exchanged_are_nearly_always_found() -> None:
    code = CODE.replace("-", "")
    wrong = [
        code[:place] + code[place + 1] + code[place] + code[place + 2 :]
        for place in range(27)
        if code[place] != code[place + 1]
    ]
    assert len(wrong) > 20
    assert all(_is_refused(text) for text in wrong)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "has 28 letters and digits, this one has 0"),
        (CODE[:-1], "this one has 27"),
        (CODE + "0", "this one has 29"),
        (CODE.replace("8", "U"), "'U' does not occur"),
        (CODE.replace("8", "é"), "'é' does not occur"),
        ("8" + CODE[1:], "begins with a digit from 0 to 7"),
        (CODE[:-1] + "H", "the last two characters do not fit"),
    ],
)
def test_a_bad_code_says_what_is_wrong(text: str, message: str) -> None:
    with pytest.raises(InvalidDealCode, match=message):
        parse_deal_code(text)


@given(secrets, st.binary(min_size=32, max_size=32))
def test_a_deal_that_was_cut_has_a_text(secret: bytes, cuts: bytes) -> None:
    text = deal_text(secret, cuts)
    assert parse_deal_text(text) == (secret, cuts)
    assert parse_deal_text(f" {text.lower().replace('+', ' + ')} ") == (secret, cuts)
    assert text.startswith(deal_code(secret))
    assert deal_text(secret) == deal_code(secret)
    assert parse_deal_text(deal_code(secret)) == (secret, NO_CUTS)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "has 28 letters and digits, this one has 0"),
        (CODE[:-1] + "H", "the last two characters do not fit"),
        (CODE + "+", "behind '\\+' is no cut: cuts are 64 hexadecimal digits"),
        (CODE + "+" + "0" * 64, "not all of them 0"),
        (CODE + "+" + "1" * 63, "64 hexadecimal digits"),
        (CODE + "+" + "1" * 64 + "+", "64 hexadecimal digits"),
        ("+" + "1" * 64, "this one has 0"),
    ],
)
def test_a_bad_text_says_what_is_wrong(text: str, message: str) -> None:
    with pytest.raises(InvalidDealCode, match=message):
        parse_deal_text(text)


# With rules before it

deals = st.builds(
    NamedDeal,
    secret=st.binary(min_size=16, max_size=16),
    cuts=st.just(NO_CUTS) | st.binary(min_size=32, max_size=32),
    rules=st.none() | ALL_RULES,
)


@given(deals)
def test_what_is_printed_is_read_back(deal: NamedDeal) -> None:
    assert parse_named_deal(str(deal)) == deal


@pytest.mark.parametrize("preset", PRESETS)
def test_a_preset_before_the_code(preset: str) -> None:
    deal = parse_named_deal(f" {preset.upper()} # {CODE.lower()} ")
    assert (deal.rules, deal.text) == (PRESETS[preset], CODE)


@pytest.mark.parametrize(
    ("text", "error"),
    [
        (f"mac2001#{CODE}", InvalidRules),
        (f"#{CODE}", InvalidRules),
        (f"jack#moon=minus#{CODE}", InvalidRules),
        ("mac2000#", InvalidDealCode),
        (f"mac2000#{CODE[:-1]}", InvalidDealCode),
        (f"{CODE}#mac2000", InvalidDealCode),
        (f"mac2000,{CODE}", InvalidDealCode),
    ],
)
def test_a_text_that_is_wrong(text: str, error: type[Exception]) -> None:
    with pytest.raises(error):
        parse_named_deal(text)


# Notices: their exact text, and no other text that passes for one


def test_texts() -> None:
    assert commitment_notice(3, SECRET) == f"deal 3 commitment {DIGEST}"
    assert disclosure_notice(3, SECRET) == f"deal 3 was {CODE}"


@given(numbers, secrets)
def test_notices_read_back(number: int, secret: bytes) -> None:
    promise, told = commitment_notice(number, secret), disclosure_notice(number, secret)
    assert parse_notice(promise) == DealPromised(number, hashlib.sha256(secret).digest())
    assert parse_notice(told) == DealDisclosed(number, secret)
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


@pytest.mark.parametrize("size", [0, 15, 17, 32])
def test_a_commitment_is_to_sixteen_bytes(size: int) -> None:
    with pytest.raises(ValueError, match=f"a secret has 16 bytes, not {size}"):
        commitment(bytes(size))

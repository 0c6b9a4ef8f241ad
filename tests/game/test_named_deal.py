"""Rules and deal in one text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hearts.errors import InvalidDealCode, InvalidRules
from hearts.game.deal import NO_CUTS, NamedDeal, deal_code, parse_named_deal
from hearts.game.rules import PRESETS

from .games import ALL_RULES

CODE = deal_code(bytes(range(16)))

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


def test_a_code_alone_says_nothing_about_rules() -> None:
    assert parse_named_deal(CODE).rules is None


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

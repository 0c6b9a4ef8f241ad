"""Names that look alike, and the mark of guests."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hearts.errors import InvalidName
from hearts.names.guests import MARK, as_guest
from hearts.names.looks import check_claimable, looks

ALIKE = [
    ("Ann", "ann"),
    ("Ann", " ANN "),
    ("Ann", "Аnn"),
    ("Al", "AI"),
    ("Jill", "JiII"),
    ("Tom", "Torn"),
    ("Otto", "0tto"),
    ("otto", "0TT0"),
    ("Moe", "МОЕ"),
    ("Paypal", "Раураl"),
    ("Fin", "ﬁn"),
    ("Zoë", "Zoe\u0308"),
    ("scope", "ѕсоре"),
    ("Ann", "𝐀𝐧𝐧"),
]
UNLIKE = [("Ann", "Anna"), ("Bob", "Rob"), ("Zoe", "Zoë"), ("Иван", "Иваня"), ("Al", "Ali")]


@pytest.mark.parametrize(("one", "other"), ALIKE)
def test_names_that_look_alike(one: str, other: str) -> None:
    assert looks(one) & looks(other)


@pytest.mark.parametrize(("one", "other"), UNLIKE)
def test_names_that_do_not(one: str, other: str) -> None:
    assert not looks(one) & looks(other)


@pytest.mark.parametrize("name", ["Ann", "Zoë", "Иван", "李さん", "김철수", "Ann 2", "Éva-Mária"])
def test_names_that_may_be_claimed(name: str) -> None:
    check_claimable(name)


@pytest.mark.parametrize(
    "name",
    ["~Ann", "∼Ann", "～Ann", "˜Ann", "〜Ann", "Аnn", "Νick", " Ann", "Ann ", "*", "\U000378ff"],
)
def test_names_that_nobody_may_claim(name: str) -> None:
    with pytest.raises(InvalidName):
        check_claimable(name)


@given(st.text(st.characters(codec="utf-8"), max_size=30))
def test_a_guest_has_one_mark_in_front_and_at_most_30_bytes(name: str) -> None:
    marked = as_guest(name)
    assert marked.startswith(MARK)
    assert not marked[1:].startswith(MARK)
    assert len(marked.encode()) <= 30
    assert as_guest(marked) == marked


def test_no_letter_loses_its_accents() -> None:
    assert as_guest("e\u0301" * 10) == "~" + "e\u0301" * 9
    assert as_guest("a" * 26 + "👨‍👩‍👧") == "~" + "a" * 26
    assert as_guest("x" * 28 + " y") == "~" + "x" * 28

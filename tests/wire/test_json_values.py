"""Values out of JSON: an error says what is wrong and where, and what key may be meant."""

from __future__ import annotations

from typing import Annotated, Literal

import pytest
from msgspec import Meta, Struct

from hearts.errors import key_hint
from hearts.wire.json_values import InvalidJson, from_json, from_plain


class Leg(Struct, forbid_unknown_fields=True):
    length: Annotated[int, Meta(ge=1)]


class Stool(Struct, forbid_unknown_fields=True):
    format: Literal["stool 1"]
    legs: tuple[Leg, ...]
    colour: str = "red"


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ('{"format": "stool 1"', "this is no JSON"),
        ("NaN", "this is no JSON"),
        (b'{"format": "\xff"}', "this is no JSON"),
        ("[]", "expected object, got array"),
        ('{"legs": []}', "object missing required field format"),
        ('{"format": "stool 2", "legs": []}', "format: invalid value 'stool 2'"),
        ('{"format": "stool 1", "legs": [{"length": 0}]}', "legs[0].length: expected int >= 1"),
        (
            '{"format": "stool 1", "legs": [{"length": true}]}',
            "legs[0].length: expected int, got bool",
        ),
        ('{"format": "stool 1", "legs": [{"width": 1}]}', "legs[0]: there is no key 'width'"),
        ('{"color": "red"}', "there is no key 'color'; did you mean colour?"),
        ('{"price": 7}', "there is no key 'price'; known: colour, format, legs"),
    ],
)
def test_what_is_wrong_and_where(text: str | bytes, why: str) -> None:
    with pytest.raises(InvalidJson) as caught:
        from_json(text, Stool)
    assert str(caught.value) == why


def test_what_is_right() -> None:
    stool = Stool("stool 1", (Leg(4), Leg(5)))
    data = {"format": "stool 1", "legs": [{"length": 4}, {"length": 5}]}
    assert from_plain(data, Stool) == stool
    assert from_json('{"format":"stool 1","legs":[{"length":4},{"length":5}]}', Stool) == stool


@pytest.mark.parametrize("text", ["[" * 100_000, "[" * 10_000 + "]" * 10_000])
def test_what_is_too_deep(text: str) -> None:
    with pytest.raises(InvalidJson):
        from_json(text, object)


def test_the_nearest_key() -> None:
    assert key_hint("prot", ["host", "port"]) == "did you mean port?"
    assert key_hint("colour", ["port", "host"]) == "known: host, port"

"""Twelve words give the secret back that they were made of, however they are typed."""

from __future__ import annotations

import contextlib
import hashlib
import json
from importlib.resources import files
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hearts.names.words import WrongWords, secret_of, word_list, words_of
from tests.names.vectors import VECTORS

LIST = "2f5eed53a4727b4bf8880d8f3f199efc90e58503646d9ff8eff3a2ed3b24dbda"
"""The SHA-256 of the English list of BIP-39, one word a line."""
SECRETS = st.binary(min_size=16, max_size=16)


def test_the_list_is_that_of_bip_39() -> None:
    data = (files("hearts.names") / "english.txt").read_bytes()
    assert hashlib.sha256(data).hexdigest() == LIST
    assert len({word[:4] for word in word_list()}) == 2048


@pytest.mark.parametrize("vector", VECTORS["words"], ids=lambda each: each["secret"][:8])
def test_vectors_of_bip_39(vector: dict[str, str]) -> None:
    secret = bytes.fromhex(vector["secret"])
    assert " ".join(words_of(secret)) == vector["words"]
    assert secret_of(vector["words"]) == secret


@pytest.mark.parametrize("vector", VECTORS["typed"])
def test_words_as_people_type_them(vector: dict[str, str]) -> None:
    assert secret_of(vector["typed"]) == bytes.fromhex(vector["secret"])


@pytest.mark.parametrize("vector", VECTORS["wrong"], ids=lambda each: json.dumps(each)[-30:])
def test_wrong_words_say_what_is_wrong(vector: dict[str, Any]) -> None:
    with pytest.raises(WrongWords) as caught:
        secret_of(vector["typed"])
    said = str(caught.value)
    assert caught.value.place == vector.get("place")
    match vector["is"]:
        case "count":
            assert said == f"twelve words are needed, and these are {vector['count']}"
        case "unknown":
            start = f"word {vector['place']}, {vector['word']!r}, is not in the list"
            assert said.startswith(start)
        case "check":
            assert "changed places" in said


def test_a_mistyped_word_is_answered_with_the_one_that_was_meant() -> None:
    with pytest.raises(WrongWords, match="perhaps grab or ") as caught:
        secret_of("ozone drill grabb")
    assert caught.value.near[0] == "grab"


@given(SECRETS, st.data())
def test_any_secret_comes_back_from_four_letters_of_each_word(
    secret: bytes, data: st.DataObject
) -> None:
    typed = [
        data.draw(st.sampled_from([word, word[:4], word.upper(), f"{word[:4].title()},"]))
        for word in words_of(secret)
    ]
    assert secret_of(" ".join(typed)) == secret


@given(st.text())
def test_any_text_gives_a_secret_or_says_what_is_wrong(typed: str) -> None:
    with contextlib.suppress(WrongWords):
        secret_of(typed)

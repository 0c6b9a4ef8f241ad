"""The players' cuts against vectors from another implementation, and their words in a record."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given

from hearts.game.cards import by_wire, four
from hearts.game.cuts import (
    FourHashes,
    ShownCuts,
    hash_of,
    parse_hashes,
    parse_shown,
    shown_cuts,
)
from hearts.game.deal import DealPromised
from hearts.game.events import Deal
from hearts.game.record import format_action, parse_action
from hearts.session.own_cuts import OwnCuts
from hearts.table.steps import Promise, format_step, parse_step
from tests.game.games import SHOWN

Block = list[list[str]]


def blocks(first: str) -> list[Block]:
    """The blocks of tests/vectors/cuts.txt that begin with a word, as words of lines."""
    path = Path(__file__).parent.parent / "vectors" / "cuts.txt"
    found = [block.splitlines() for block in path.read_text(encoding="ascii").split("\n\n")]
    return [[line.split() for line in block] for block in found if block[0].startswith(first)]


def read_four(words: list[str]) -> FourHashes:
    return four(b"" if word == "-" else bytes.fromhex(word) for word in words)


def test_there_are_vectors() -> None:
    assert (len(blocks("key")), len(blocks("secret"))) == (3, 5)


@pytest.mark.parametrize("block", blocks("key"), ids=lambda block: block[0][1][:8])
def test_values_of_a_key(block: Block) -> None:
    (_, key), *lines = block
    values = {int(number): text for kind, number, text in lines if kind == "value"}
    hashes = {int(number): text for kind, number, text in lines if kind == "hash"}
    for number in values:
        own = OwnCuts(bytes.fromhex(key), number)
        assert own.next_hash.hex() == hashes[number]
        promise = DealPromised(1, bytes(32), (b"", own.next_hash, b"", b""))
        if number < 2**31 - 1:
            assert own.after(promise, 1).value_for(promise).hex() == values[number]


@pytest.mark.parametrize("block", blocks("secret"), ids=lambda block: block[3][1])
def test_a_deal_that_was_cut(block: Block) -> None:
    (_, secret), (_, *hashes), (_, *values), (_, missing), (_, cuts), (_, *record), *hands = block
    shown = shown_cuts(read_four(hashes), read_four(values))
    assert shown.cuts.hex() == cuts
    assert sum(1 << player for player in shown.missing) == int(missing)
    deal = Deal.from_shown(bytes.fromhex(secret), shown)
    assert format_action(deal) == " ".join(record)
    assert parse_action(" ".join(record)) == deal
    dealt = [[str(card) for card in by_wire(hand)] for hand in deal.hands]
    assert dealt == [cards for _, _, *cards in hands]
    line = f"promise {record[1]} {' '.join(hashes)}"
    assert parse_step(line) == Promise(bytes.fromhex(secret), shown.hashes)
    assert format_step(Promise(bytes.fromhex(secret), shown.hashes)) == line


@given(SHOWN)
def test_words_are_read_back(shown: ShownCuts) -> None:
    assert parse_shown(shown.format()) == shown
    assert len(shown.cuts) == 32
    assert shown_cuts(shown.hashes, shown.values) == shown


@given(SHOWN)
def test_a_value_of_another_hash_is_refused(shown: ShownCuts) -> None:
    for player, value in enumerate(shown.values):
        for other in (b"", hash_of(b"")):
            hashes = [*shown.hashes[:player], other, *shown.hashes[player + 1 :]]
            if value:
                with pytest.raises(ValueError, match="does not fit the hash"):
                    shown_cuts(hashes, shown.values)


@pytest.mark.parametrize("word", ["", "!", "--", "0", "0" * 64, "A" * 64, "a" * 63, "a" * 65])
def test_what_is_no_hash(word: str) -> None:
    for words in ([word, "-", "-", "-"], ["-", "-", "-", word]):
        with pytest.raises(ValueError, match="hexadecimal"):
            parse_hashes(words)
    with pytest.raises(ValueError, match="values to unpack"):
        parse_hashes(["-"] * 3)

"""A person line by line claims the rest of a hand, where it is offered."""

from __future__ import annotations

from pathlib import Path

import pytest
import trio

from hearts.table import Question
from hearts_client.library.dialects import Dialect

from .claiming import CARDS, CODE, RULES, highest
from .house import house
from .test_person_dealer import At

OFFER = "Every trick that is left is yours: /claim plays them all at once."


@pytest.mark.parametrize("dialect", Dialect)
async def test_the_rest_is_claimed(
    dialect: Dialect, tmp_path: Path, autojump_clock: object
) -> None:
    async with house(tmp_path, "--deal", CODE) as made, trio.open_nursery() as nursery:
        ann = At(made, nursery, dialect=dialect, introduction=None, options=RULES)
        client = ann.client
        text = await ann.until("Your turn")
        while client.view.hand.bit_count() > CARDS:
            assert OFFER not in text
            refused = "Not every trick that is left is certain to be yours."
            assert await ann.type("/claim") == refused
            text = await ann.type(str(highest(client.view)))
            if "Your turn" not in text:
                text = await ann.until("Your turn")
        told = await ann.type("/claim")
        if dialect is Dialect.PLAIN:
            assert OFFER not in text
            assert told.startswith("That is not done: the plain dialect has no words for that")
            assert client.asked is Question.CARD
        else:
            assert OFFER in text
            if "--- Hand 2" not in told:
                told += await ann.until("--- Hand 2")
            assert "You claim the rest: 2♣ 4♣ 8♣ 9♣ 10♣   Q♥   6♠\n" in told
            assert "You have shot the moon!" in told
            assert "Your turn" not in told[: told.index("--- Hand 2")]
            assert (await ann.type("/claim")).endswith("is certain to be yours.")
        await ann.type("/quit")

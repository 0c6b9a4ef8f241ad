"""A person line by line claims the rest of a hand, where it is offered."""

from __future__ import annotations

import re

import pytest
import trio

from hearts.bots import SimpleBot
from hearts.game.cards import CARDS as DECK
from hearts.game.view import claim_in_words
from hearts.session.messages import Options
from hearts.table.inputs import Question
from hearts_client.library.dialects import Dialect
from hearts_client.session.player_session import Notices

from .claiming import CARDS, CODE, RULES, highest
from .client_house import ClientHouse
from .terminal_seats import PersonAtDealer

OFFER = "All remaining tricks are yours: /claim plays them at once."


@pytest.mark.parametrize("dialect", Dialect)
@pytest.mark.house("--deal", CODE)
async def test_the_rest_is_claimed(
    dialect: Dialect, made: ClientHouse, nursery: trio.Nursery
) -> None:
    ann = PersonAtDealer(made, nursery, dialect=dialect, introduction=None, options=RULES)
    client = ann.client
    text = await ann.until("Your turn")
    while client.view.hand.bit_count() > CARDS:
        assert OFFER not in text
        refused = "Some of the remaining tricks may not be yours."
        assert await ann.type("/claim") == refused
        text = await ann.type(str(highest(client.view)))
        if "Your turn" not in text:
            text = await ann.until("Your turn")
    told = await ann.type("/claim")
    if dialect is Dialect.PLAIN:
        assert OFFER not in text
        assert told.startswith("That was not done: the plain dialect has no words for that")
        assert client.asked is Question.CARD
    else:
        assert OFFER in text
        if "--- Hand 2" not in told:
            told += await ann.until("--- Hand 2")
        assert "You claim the rest: 2C 4C 8C 9C 10C   QH   6S\n" in told
        assert "You have shot the moon!" in told
        assert "Your turn" not in told[: told.index("--- Hand 2")]
        assert (await ann.type("/claim")).endswith("may not be yours.")


@pytest.mark.house("--deal", CODE)
async def test_who_speaks_plainly_is_not_told_that_his_time_is_up(
    made: ClientHouse, nursery: trio.Nursery
) -> None:
    """The plain dialect has no word for a claim; the server just plays their cards."""
    rules = Options(frozenset({2, 3}), RULES.rules)
    ann = await PersonAtDealer(made, nursery, introduction=None, options=rules).settled()
    plain = {"dialect": Dialect.PLAIN, "introduction": None, "options": None}
    bob = PersonAtDealer(made, nursery, name="Bob", **plain)
    await bob.until("--- Hand 1")
    while not ann.client.can_claim_rest:
        if ann.client.asked is not None:
            await ann.type(str(highest(ann.client.view)))
        elif bob.client.asked is not None:
            # As the computer would that has this seat in the test above.
            await bob.type(str(SimpleBot().choose_card(bob.client.view)))
        else:
            await trio.sleep(0.1)
    held = [str(card) for card in bob.client.view.cards]
    await ann.type("/claim")
    told = await bob.until("--- Hand 2")
    assert "Time is" not in told
    assert sorted(held) == sorted(re.findall(r"The server plays (\w+) for you\.", told))
    assert "Time is short" not in await bob.text_after(1)


@pytest.mark.parametrize("chat_is_first", [True, False])
def test_what_the_game_tells_is_not_told_by_the_chat_as_well(chat_is_first: bool) -> None:
    notices = Notices()
    words = claim_in_words("Ann B", DECK[:2])
    assert words == '"Ann B" claims the rest: 2H 3H'
    assert notices.is_new(words, in_chat=chat_is_first)
    assert not notices.is_new(words, in_chat=not chat_is_first)
    assert notices.is_new(words, in_chat=True), "another claim with the same cards"

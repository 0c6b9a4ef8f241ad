"""Whole hands, and cards that are not legal."""

from __future__ import annotations

from functools import partial

from tests.vectors.notebook import ints
from tests.vectors.scribe import Scribe, Story

from .common import EXAMPLE, among_people, at_table, code_of, raw_table, settings


async def four_hands(s: Scribe) -> None:
    await at_table(s, *(code_of(number) for number in range(4)))
    for hand in range(1, 5):
        assert await s.play_hand(hand) == 0
    await s.leave()


async def example_hand(s: Scribe) -> None:
    """The hand of SocketSpec.md 4.10 as far as the client of interest goes."""
    await at_table(s, EXAMPLE)

    async def pass_them(s: Scribe) -> None:
        await s.pass_cards([5, 4, 9])

    s.turns[1, "pass"] = pass_them
    await s.play_hand(1)
    await s.leave()


async def hold_hand(s: Scribe) -> None:
    await at_table(s, EXAMPLE, rules="pass=never")
    await s.play_hand(1)
    await s.leave()


async def spot_hearts(s: Scribe) -> None:
    await at_table(s, EXAMPLE, rules="pass=never,spot")
    await s.play_hand(1)
    await s.leave()


async def rotating(s: Scribe) -> None:
    await at_table(s, *(code_of(number) for number in (4, 5)), rules="rotate,pass=never,jack")
    for hand in (1, 2):
        await s.play_hand(hand)
    await s.leave()


async def with_people(s: Scribe) -> None:
    await among_people(s, EXAMPLE)
    await s.play_hand(1)
    await s.leave()


def hands() -> dict[str, Story]:
    return {
        "a passed hand": example_hand,
        "a hold hand": hold_hand,
        "left, right, across, hold": four_hands,
        "the lead goes round": rotating,
        "hearts count 2 to 14, the queen of spades 25": spot_hearts,
        "among people": with_people,
    }


# Cards and passes that are not legal


async def wrong_cards(s: Scribe, statuses: set[int], number: int, rules: str) -> None:
    await at_table(s, code_of(number), rules=rules)
    s.wrong = set(statuses)
    await s.play_hand(1)
    assert not s.wrong, (s.wrong, number)
    await s.leave()


async def not_held(s: Scribe) -> None:
    await settings(s, rules="pass=never")
    await s.do("deal", EXAMPLE)
    await raw_table(s)

    async def bad_indexes(s: Scribe) -> None:
        for index in (13, -1, 2_147_483_647, -2_147_483_648):
            await s.play(index)
            assert await s.play_status() == -1
        await s.turn(1)

    async def gone(s: Scribe) -> None:
        await s.play(s.hand.index(s.game.history[0].wire))
        assert await s.play_status() == -1
        await s.turn(2)

    s.turns = {(1, 1): bad_indexes, (1, 2): gone}
    await s.play_hand(1)
    await s.leave()


async def bad_passes(s: Scribe) -> None:
    await raw_table(s)

    async def several(s: Scribe) -> None:
        for indexes in ([5, 5, 9], [0, 0, 0], [0, 1, 13], [-1, 1, 2]):
            await s.choose(ints(*indexes), s.named(indexes))
            assert await s.pass_status(indexes) == -1
        await s.pass_cards([12, 0, 6])

    s.turns[1, "pass"] = several
    await s.dealt(1)
    await s.leave()


async def tenth_pass(s: Scribe) -> None:
    await raw_table(s)

    async def ten(s: Scribe) -> None:
        for _ in range(9):
            await s.choose(ints(1, 1, 1), "indexes 1, 1 and 1")
            assert await s.pass_status([1, 1, 1]) == -1
        await s.choose(ints(1, 1, 1), "indexes 1, 1 and 1, for the tenth time")
        assert await s.pass_status([1, 1, 1]) == 1

    s.turns[1, "pass"] = ten
    await s.dealt(1)
    await s.leave()


async def tenth_card(s: Scribe) -> None:
    await at_table(s, EXAMPLE, rules="pass=never")

    async def ten(s: Scribe) -> None:
        for _ in range(9):
            await s.play(12)
            assert await s.play_status() == -2
        await s.play(12)
        assert await s.play_status() > 0

    s.turns[1, 2] = ten
    await s.play_hand(1)
    await s.leave()


def illegal() -> dict[str, Story]:
    """The cases of the file of this name."""
    return {
        "status -1 for cards": not_held,
        "status -1 for passes": bad_passes,
        "status -6, the two of clubs leads; -2, follow suit; -7, hearts are not broken": partial(
            wrong_cards, statuses={-2, -6, -7}, number=0, rules="pass=never"
        ),
        "status -5, no points on the first trick": partial(
            wrong_cards, statuses={-5}, number=65, rules="pass=never"
        ),
        "status -4, the queen of spades must go": partial(
            wrong_cards, statuses={-4}, number=7, rules="pass=never,dump"
        ),
        "the tenth try for a pass": tenth_pass,
        "the tenth try for a card": tenth_card,
    }

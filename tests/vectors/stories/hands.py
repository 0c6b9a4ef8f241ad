"""Whole hands, and cards that are not legal."""

from __future__ import annotations

from functools import partial

from tests.vectors.notebook import ints
from tests.vectors.scribe import Scribe, Story

from .common import (
    EXAMPLE,
    NO_TURNS,
    Turns,
    among_people,
    at_table,
    code_of,
    one_hand,
    pass_only,
    raw_table,
    settings,
)


async def four_hands(s: Scribe) -> None:
    await at_table(s, *(code_of(number) for number in range(4)))
    for hand in range(1, 5):
        assert await s.play_hand(hand) == 0
    await s.leave()


async def pass_them(s: Scribe) -> None:
    await s.pass_cards([5, 4, 9])


async def example_hand(s: Scribe, turns: Turns = NO_TURNS, **values: object) -> None:
    await settings(s, **values)
    await at_table(s, EXAMPLE)
    await one_hand(s, turns)


async def rotating(s: Scribe) -> None:
    await at_table(s, *(code_of(number) for number in (4, 5)), rules="rotate,pass=never,jack")
    for hand in (1, 2):
        await s.play_hand(hand)
    await s.leave()


async def with_people(s: Scribe) -> None:
    await among_people(s, EXAMPLE)
    await one_hand(s)


def hands() -> dict[str, Story]:
    return {
        "a passed hand": partial(example_hand, turns={"pass": pass_them}),
        "a hold hand": partial(example_hand, rules="pass=never"),
        "left, right, across, hold": four_hands,
        "the lead goes round": rotating,
        "hearts count 2 to 14, the queen of spades 25": partial(
            example_hand, rules="pass=never,spot"
        ),
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

    await one_hand(s, {1: bad_indexes, 2: gone})


async def bad_passes(s: Scribe) -> None:
    await raw_table(s)

    async def several(s: Scribe) -> None:
        for indexes in ([5, 5, 9], [0, 0, 0], [0, 1, 13], [-1, 1, 2]):
            await s.choose(ints(*indexes), s.named(indexes))
            assert await s.pass_status(indexes) == -1
        await s.pass_cards([12, 0, 6])

    await pass_only(s, several)


async def tenth_pass(s: Scribe) -> None:
    await raw_table(s)

    async def ten(s: Scribe) -> None:
        for _ in range(9):
            await s.choose(ints(1, 1, 1), "indexes 1, 1 and 1")
            assert await s.pass_status([1, 1, 1]) == -1
        await s.choose(ints(1, 1, 1), "indexes 1, 1 and 1, for the tenth time")
        assert await s.pass_status([1, 1, 1]) == 1

    await pass_only(s, ten)


async def ten_cards(s: Scribe) -> None:
    for _ in range(9):
        await s.play(12)
        assert await s.play_status() == -2
    await s.play(12)
    assert await s.play_status() > 0


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
        "the tenth try for a card": partial(example_hand, turns={2: ten_cards}, rules="pass=never"),
    }

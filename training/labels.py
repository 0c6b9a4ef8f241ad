"""Labelled hands as arrays: read from their files, and played again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from multiprocessing import get_context
from pathlib import Path
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jax import Array, lax
from numpy.typing import NDArray

from hearts.bots.passing import by_trouble
from hearts.bots.swift.rows import RULES
from hearts.game.cards import cards_of
from hearts.game.game import PASS_SIZE
from hearts.game.rules import parse_rules

from .hands import POOL, UNIT, LabelledHand, read_hands
from .table import PASSES, Seen, Tables, begin, give, legal, new_tables, play, see, unless

PLAYS = 48
"""Choices of a card in a hand; the last trick has none."""
_IN_PASS = np.array(
    [[card in cards for card in range(POOL)] for cards in combinations(range(POOL), PASS_SIZE)]
)
"""For each pass from the pool the cards that are in it."""


class Labels(NamedTuple):
    """Many hands. A row is a hand."""

    owner: Any
    """Who was dealt each card."""
    rules: Any
    direction: Any
    first: Any
    """Who leads if the first lead goes round."""
    passes: Any
    """The cards passed, three of each player."""
    plays: Any
    pass_costs: Any
    """For each of 12 choices of a pass the cost of each card; nan where it is not known."""
    card_costs: Any
    """For each play the costs of the legal cards, in their order; nan behind them."""
    simple: Any
    """The card of the simple bot at all these choices; -1 where it is not known."""


def read(files: Sequence[Path], processes: int) -> Labels:
    """Read the hands of some files."""
    with get_context("spawn").Pool(processes) as pool:
        some = pool.map(labels_of, files)
    return Labels(*map(np.concatenate, zip(*some, strict=True)))


def choices(labels: Labels) -> int:
    """Return at how many choices the cost of each card is known."""
    costs = (labels.pass_costs[:, ::PASS_SIZE], labels.card_costs)
    return sum(int((np.isfinite(some).sum(2) > 1).sum()) for some in costs)


def labels_of(path: Path) -> Labels:
    """Read the hands of one file."""
    hands = read_hands(path)
    chance = np.random.default_rng(1)
    rows = [_row(hand, chance) for hand in hands]
    return Labels(*map(np.stack, zip(*rows, strict=True)))


def _row(hand: LabelledHand, chance: np.random.Generator) -> Labels:
    rules = parse_rules(hand.rules)
    direction = rules.direction(hand.hand_number)
    owner, passes = np.zeros(52, np.int8), np.zeros(PASSES, np.int8)
    pass_costs = np.full((PASSES, 52), np.nan, np.float16)
    card_costs = np.full((PLAYS, 13), np.nan, np.float16)
    simple = np.full(PASSES + PLAYS, -1, np.int8)
    for player, mask in enumerate(hand.dealt):
        owner[[int(card) for card in cards_of(mask)]] = player
        if direction:
            at = slice(PASS_SIZE * player, PASS_SIZE * (player + 1))
            order = chance.permutation(hand.passes[player]).tolist()
            ranked = [int(card) for card in by_trouble(mask, rules)[:POOL]]
            passes[at] = order
            pass_costs[at] = _costs_one_by_one(order, ranked, hand.pass_costs.get(player))
            simple[at] = [_first_left(ranked, order[:step]) for step in range(PASS_SIZE)]
    for number, few in hand.card_costs.items():
        card_costs[number, : len(few)] = np.array(few) / UNIT
    _put(simple[PASSES:], hand.simple)
    known = np.array([getattr(rules, name) for name in RULES])
    numbers = (np.int8(direction), np.int8(hand.hand_number % 4))
    plays = np.array(hand.plays, np.int8)
    return Labels(owner, known, *numbers, passes, plays, pass_costs, card_costs, simple)


def _put(row: NDArray[np.int8], numbers: Mapping[int, int]) -> None:
    for place, number in numbers.items():
        row[place] = number


def _first_left(ranked: list[int], gone: list[int]) -> int:
    return next(card for card in ranked if card not in gone)


def _costs_one_by_one(order: list[int], ranked: list[int], costs: list[int] | None) -> Any:
    """Return what each next card of a pass costs, with the best of those that may follow."""
    found = np.full((PASS_SIZE, 52), np.nan)
    if costs is None:
        return found
    fits = np.ones(len(_IN_PASS), bool)
    for step, card in enumerate(order):
        least = np.where(fits[:, None] & _IN_PASS, np.array(costs)[:, None], np.inf).min(0) / UNIT
        left = [place for place, other in enumerate(ranked) if other not in order[:step]]
        found[step, [ranked[place] for place in left]] = least[left]
        if card not in ranked:
            break
        fits &= _IN_PASS[:, ranked.index(card)]
    return found


def played_again(labels: Labels) -> tuple[Seen, Array, Array]:
    """Play hands again; return what was seen at each choice, the legal cards, and the costs."""
    labels = Labels(*map(jnp.asarray, labels))
    hands = labels.owner[:, None] == jnp.arange(4)[:, None]
    direction, first = labels.direction.astype(int), labels.first.astype(int)
    tables = new_tables(hands, direction, labels.rules, first)

    def passing(tables: Tables, step: Array) -> tuple[Tables, tuple[Seen, Array]]:
        tables = tables._replace(turn=jnp.zeros_like(tables.turn) + step // PASS_SIZE)
        seen = see(tables, step % PASS_SIZE + 1)
        after = give(tables, labels.passes[:, step].astype(int))
        return unless(direction == 0, after, tables), (seen, seen.hand)

    def playing(tables: Tables, number: Array) -> tuple[Tables, tuple[Seen, Array]]:
        seen = see(tables)
        after = play(tables, labels.plays[:, number].astype(int), number)
        return after, (seen, legal(seen, number))

    tables, passed = lax.scan(passing, tables, jnp.arange(PASSES))
    _, played = lax.scan(playing, begin(tables), jnp.arange(PLAYS))
    seen, cards = jax.tree.map(lambda one, two: jnp.concatenate([one, two]), passed, played)
    place = jnp.clip(jnp.cumsum(cards[PASSES:], 2) - 1, 0, 12)
    of_cards = jnp.take_along_axis(jnp.swapaxes(labels.card_costs, 0, 1), place, 2)
    of_cards = jnp.where(cards[PASSES:], of_cards, jnp.nan)
    costs = jnp.concatenate([jnp.swapaxes(labels.pass_costs, 0, 1), of_cards])
    flat: tuple[Seen, Array, Array] = jax.tree.map(
        lambda rows: rows.reshape(-1, *rows.shape[2:]), (seen, cards, costs.astype(jnp.float32))
    )
    return flat

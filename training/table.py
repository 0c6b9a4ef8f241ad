"""Tables of Hearts as arrays, many at once: what a seat sees, as rows of a network, and the play.

The rules kernel and :mod:`hearts.bots.swift` stay the truth. No test compares this with them: how
strong a trained network is, measured by them, says if it fits.
"""

from __future__ import annotations

from typing import NamedTuple

import jax
import jax.numpy as jnp
from jax import Array

from hearts.bots.swift.rows import RULES

ROTATE, OPEN, DUMP, KEEPS, JACK, NO_TRICK, SPOT = range(len(RULES))
"""The places of the rules that the network knows of."""
PASSES = 12
"""Choices of a card to pass, three of each player."""
TWO_OF_CLUBS, JACK_OF_DIAMONDS, QUEEN = 13, 35, 49
CARD = jnp.arange(52)
SUIT = CARD // 13
HEART = CARD < 13
POINT = HEART | (CARD == QUEEN)
STEP = jnp.array([0, 1, 3, 2])
"""Seats from the one who passes to the one who receives, by the direction."""


class Seen(NamedTuple):
    """What players on turn see, for many tables; seats count from the player."""

    hand: Array
    played: Array
    """By seats, with the trick under way."""
    taken: Array
    trick: Array
    best: Array
    """The card that holds the trick; 52 when leading."""
    winner: Array
    """Who played it; 4 when leading."""
    passed: Array
    received: Array
    void: Array
    """By seats and suits."""
    direction: Array
    rules: Array
    broken: Array
    phase: Array
    """The number of cards chosen of a pass, and 1; 0 if a card is to be played."""


def _one_hot(number: Array, many: int) -> Array:
    return number[..., None] == jnp.arange(many)


def _flat(rows: Array) -> Array:
    return rows.reshape(rows.shape[0], -1)


def rows_of(seen: Seen) -> Array:
    """Return the rows of the first layer that count, as a mask."""
    hand, played, rules = seen.hand, seen.played, seen.rules
    out = ~hand & ~played.any(1)
    by_suit = out.reshape(-1, 4, 13)
    below = _flat(jnp.cumsum(by_suit, 2) - by_suit)
    above = _flat(jnp.cumsum(by_suit[:, :, ::-1], 2)[:, :, ::-1] - by_suit)
    known = (seen.passed & ~played.any(1))[:, None] & (
        jnp.arange(1, 4) == STEP[seen.direction][:, None]
    )[:, :, None]
    points = (seen.taken & POINT).any(2)
    hearts = (seen.taken & HEART).sum(2)
    alone = jnp.where(points.sum(1) == 1, points.argmax(1), jnp.where(points.any(1), 5, 4))
    lead = jnp.where(seen.best < 52, seen.best // 13, 4)
    spot, jack = rules[:, SPOT, None], rules[:, JACK, None]
    at = JACK_OF_DIAMONDS
    parts = (
        hand,
        _flat(played),
        out,
        seen.trick,
        _one_hot(seen.best, 52),
        _flat(known),
        seen.received,
        hand & (above == 0),
        hand & (below == 0),
        _flat(_one_hot(hand.reshape(-1, 4, 13).sum(2), 14)),
        _flat(_one_hot(by_suit.sum(2), 14)),
        _flat(_one_hot(hearts, 14)),
        seen.taken[:, :, QUEEN],
        seen.taken.any(2),
        _one_hot(alone, 6),
        _one_hot(seen.winner, 4)[:, 1:],
        _one_hot(lead, 4),
        _one_hot(seen.trick.sum(1), 4),
        _one_hot(hand.sum(1) - 1, 13),
        _flat(seen.void[:, 1:]),
        _one_hot(seen.direction, 4),
        rules,
        seen.broken[:, None],
        _one_hot(seen.phase, 4),
        hand[:, :13] & spot,
        seen.trick[:, :13] & spot,
        jnp.stack([hand[:, at], out[:, at], seen.trick[:, at]], 1) & jack,
        seen.taken[:, :, at] & jack,
    )
    return jnp.concatenate(parts, 1)


class Tables(NamedTuple):
    """Many tables; seats are 0-3."""

    hands: Array
    played: Array
    taken: Array
    trick: Array
    best: Array
    winner: Array
    turn: Array
    passed: Array
    received: Array
    void: Array
    direction: Array
    rules: Array
    broken: Array
    first: Array
    """The leader of the first trick under the rule that it goes round."""


def new_tables(hands: Array, direction: Array, rules: Array, first: Array) -> Tables:
    """Return tables at which nothing is passed or played yet."""
    many = len(hands)
    none = jnp.zeros((many, 4, 52), bool)
    zero = jnp.zeros(many, int)
    return Tables(
        hands, none, none, none[:, 0], zero + 52, zero + 4, zero, none, none,
        jnp.zeros((many, 4, 4), bool), direction, rules, jnp.zeros(many, bool), first,
    )  # fmt: skip


def deal(key: Array, many: int, odds: Array, kinds: Array) -> Tables:
    """Deal new hands; ``kinds`` are sets of rules, with odds."""
    one, two, three, four = jax.random.split(key, 4)
    place = jnp.argsort(jnp.argsort(jax.random.uniform(one, (many, 52)), 1), 1)
    hands = (place[:, None] // 13) == jnp.arange(4)[:, None]
    rules = kinds[jax.random.choice(two, len(odds), (many,), p=odds)]
    direction = jax.random.randint(three, (many,), 0, 4)
    return new_tables(hands, direction, rules, jax.random.randint(four, (many,), 0, 4))


def see(tables: Tables, chosen: Array | int = 0) -> Seen:
    """Return what those on turn see; ``chosen`` as :attr:`Seen.phase`."""
    turn = tables.turn
    seats = (turn[:, None] + jnp.arange(4)) % 4

    def from_turn(rows: Array) -> Array:
        return jnp.take_along_axis(rows, seats[:, :, None], 1)

    def own(rows: Array) -> Array:
        return jnp.take_along_axis(rows, turn[:, None, None], 1)[:, 0]

    winner = jnp.where(tables.winner < 4, (tables.winner - turn) % 4, 4)
    return Seen(
        own(tables.hands), from_turn(tables.played), from_turn(tables.taken), tables.trick,
        tables.best, winner, own(tables.passed), own(tables.received), from_turn(tables.void),
        tables.direction, tables.rules, tables.broken, jnp.full_like(turn, chosen),
    )  # fmt: skip


def legal(seen: Seen, played: int | Array) -> Array:
    """Return the legal cards, if so many cards of the hand were played."""
    hand, rules = seen.hand, seen.rules

    def some(cards: Array, others: Array) -> Array:
        return jnp.where(cards.any(1, keepdims=True), cards, others)

    leads = (seen.best == 52)[:, None]
    follow = hand & (seen.best[:, None] // 13 == SUIT)
    lead = jnp.where(seen.broken[:, None], hand, some(hand & ~HEART, hand))
    cards = jnp.where(leads, lead, some(follow, hand))
    shut = (played < 4) & ~rules[:, OPEN, None]
    cards = jnp.where(shut, some(cards & ~POINT, cards), cards)
    begins = (played == 0) & ~rules[:, ROTATE, None]
    cards = jnp.where(begins, hand & (CARD == TWO_OF_CLUBS), cards)
    high = (seen.trick & (CARD > QUEEN)).any(1)
    due = (seen.best < 52) & (~follow.any(1) | ((seen.best // 13 == 3) & high))
    due &= rules[:, DUMP] & cards[:, QUEEN]
    return jnp.where(due[:, None], CARD == QUEEN, cards)


def unless(keeps: Array, new: Tables, old: Tables) -> Tables:
    """Return the new tables, but the old ones where it is said."""

    def choose(new: Array, old: Array) -> Array:
        return jnp.where(keeps.reshape(-1, *[1] * (new.ndim - 1)), old, new)

    return Tables(*map(choose, new, old))


def give(tables: Tables, card: Array) -> Tables:
    """Put a card of the player on turn among those that they pass."""
    bit = _one_hot(card, 52)
    own = (jnp.arange(4) == tables.turn[:, None])[:, :, None] & bit[:, None]
    return tables._replace(hands=tables.hands & ~own, passed=tables.passed | own)


def begin(tables: Tables) -> Tables:
    """Hand on what was passed, and find out who leads."""
    source = (jnp.arange(4) - STEP[tables.direction][:, None]) % 4
    received = jnp.take_along_axis(tables.passed, source[:, :, None], 1)
    received &= (tables.direction > 0)[:, None, None]
    hands = tables.hands | received
    leader = hands[:, :, TWO_OF_CLUBS].argmax(1)
    turn = jnp.where(tables.rules[:, ROTATE], tables.first, leader)
    return tables._replace(hands=hands, received=received, turn=turn)


def play(tables: Tables, card: Array, played: Array) -> Tables:
    """Play a legal card; ``played`` cards of the hand were played before."""
    turn, rules = tables.turn, tables.rules
    bit = _one_hot(card, 52)
    own = (jnp.arange(4) == turn[:, None])[:, :, None] & bit[:, None]
    suit, led = card // 13, tables.best // 13
    leads = tables.best == 52
    mine = (jnp.arange(4) == turn[:, None])[:, :, None]
    off = mine & (~leads & (suit != led))[:, None, None] & _one_hot(led, 4)[:, None]
    only = mine & (leads & (suit == 0) & ~tables.broken)[:, None, None] & (jnp.arange(4) > 0)
    queen = (card == QUEEN) & ~rules[:, KEEPS]
    higher = leads | ((suit == led) & (card > tables.best))
    best = jnp.where(higher, card, tables.best)
    winner = jnp.where(higher, turn, tables.winner)
    trick = tables.trick | bit
    done = played % 4 == 3
    won = (jnp.arange(4) == winner[:, None])[:, :, None] & trick[:, None]
    return tables._replace(
        hands=tables.hands & ~own,
        played=tables.played | own,
        taken=jnp.where(done, tables.taken | won, tables.taken),
        trick=jnp.where(done, False, trick),
        best=jnp.where(done, 52, best),
        winner=jnp.where(done, 4, winner),
        turn=jnp.where(done, winner, (turn + 1) % 4),
        void=tables.void | off | only,
        broken=tables.broken | (suit == 0) | queen,
    )


def costs(tables: Tables) -> Array:
    """Return what finished hands cost each seat: the points less the mean, a moon being 26."""
    rules = tables.rules
    spot = rules[:, SPOT, None, None]
    worth = jnp.where(spot, (CARD + 2) * HEART + 25 * (CARD == QUEEN), HEART + 13 * (CARD == QUEEN))
    points = (tables.taken * worth).sum(2).astype(jnp.float32)
    moon = jnp.where(rules[:, SPOT], 129.0, 26.0)[:, None]
    shot = (tables.taken | ~POINT).all(2)
    points = jnp.where(
        shot.any(1, keepdims=True), jnp.where(shot, points - moon, points + moon), points
    )
    points -= 10.0 * (tables.taken[:, :, JACK_OF_DIAMONDS] & rules[:, JACK, None])
    points -= 5.0 * (~tables.taken.any(2) & rules[:, NO_TRICK, None])
    return (points - points.mean(1, keepdims=True)) * 26.0 / moon

"""Practice: a network plays hands against itself and others, and does more of what was better.

That is proximal policy optimisation. What a choice was worth is told by a critic who sees all
hands, and is needed here alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import optax
from jax import Array, lax

from hearts.bots.swift.rows import ROWS, RULES
from hearts.game.game import PASS_SIZE
from hearts.game.rules import parse_rules

from .hands import SHARES
from .lessons import told
from .network import Params, log_odds, network, outputs, save
from .table import PASSES, Seen, Tables, begin, costs, deal, give, legal, play, rows_of, see, unless

CHOICES = PASSES + 52
PARTS = 16
"""Parts of the choices of a round, each of which is a step."""
TIMES = 2
"""How often each is learned from."""
LOOKS_AHEAD = 0.95
"""The lambda of generalised advantages."""
TRUST = 0.2
"""How much more or less likely a choice may become in a round."""
SPREAD = 0.003
"""The worth of having several choices, which falls to nothing."""
CRITIC_RATE = 1e-3
BEGIN = 10
"""Rounds in which only the critic learns."""
_OTHERS_SEE = 3 * 52 + 3 * 3
_QUEEN = 49
KINDS = jnp.array([[getattr(parse_rules(text), name) for name in RULES] for _, text in SHARES])
ODDS = jnp.array([share for share, _ in SHARES]) / sum(share for share, _ in SHARES)


class Step(NamedTuple):
    """One choice at many tables."""

    seen: Seen
    others: Array
    """The hands of the three others, and whose networks they have."""
    cards: Array
    card: Array
    odds: Array
    turn: Array
    value: Array


class PracticeSettings(NamedTuple):
    """The numbers of one practice."""

    rounds: int
    many: int
    """Hands of a round."""
    seed: int
    rate: float
    alone: float
    """The share of hands that all four play with the same network."""


def evening(
    nets: Sequence[Params], key: Array, sits: Array, critic: Params | None = None
) -> tuple[Step, Array, Array, Array]:
    """Play many hands; return all choices, the costs, the choices that count, and the tricks.

    ``sits`` says whose network each seat has. With a critic those of the first choose by chance,
    and their choices count.
    """
    many = len(sits)
    key, own, one, two = jax.random.split(key, 4)
    tables = deal(own, many, ODDS, KINDS)
    hold = tables.direction == 0

    def choose(tables: Tables, seen: Seen, cards: Array, key: Array) -> tuple[Array, Step]:
        rows = rows_of(seen)
        whose = jnp.take_along_axis(sits, tables.turn[:, None], 1)
        out = best = outputs(nets[0], rows)
        for number, net in enumerate(nets[1:], 1):
            best = jnp.where(whose == number, outputs(net, rows), best)
        card = jnp.where(cards, best, jnp.inf).argmin(1)
        none = jnp.zeros(many)
        if critic is None:
            return card, Step(none, none, none, card, none, tables.turn, none)
        odds = log_odds(out, cards)
        card = jnp.where(whose[:, 0] == 0, jax.random.categorical(key, odds), card)
        seats = (tables.turn[:, None] + jnp.arange(1, 4)) % 4
        hands = jnp.take_along_axis(tables.hands, seats[:, :, None], 1)
        kinds = jnp.take_along_axis(sits, seats, 1)[:, :, None] == jnp.arange(3)
        others = jnp.concatenate([hands, kinds], 2).reshape(many, -1)
        value = outputs(critic, jnp.concatenate([rows, others], 1))[:, 0]
        chosen = jnp.take_along_axis(odds, card[:, None], 1)[:, 0]
        return card, Step(seen, others, cards, card, chosen, tables.turn, value)

    def passing(tables: Tables, given: tuple[Array, Array]) -> tuple[Tables, Step]:
        step, key = given
        tables = tables._replace(turn=jnp.zeros_like(tables.turn) + step // PASS_SIZE)
        seen = see(tables, step % PASS_SIZE + 1)
        card, kept = choose(tables, seen, seen.hand, key)
        return unless(hold, give(tables, card), tables), kept

    def playing(tables: Tables, given: tuple[Array, Array]) -> tuple[Tables, Step]:
        number, key = given
        seen = see(tables)
        card, kept = choose(tables, seen, legal(seen, number), key)
        return play(tables, card, number), kept

    tables, first = lax.scan(passing, tables, (jnp.arange(PASSES), jax.random.split(one, PASSES)))
    tables, then = lax.scan(playing, begin(tables), (jnp.arange(52), jax.random.split(two, 52)))
    steps = jax.tree.map(lambda a, b: jnp.concatenate([a, b]), first, then)
    counts = jnp.concatenate([jnp.tile(~hold, (PASSES, 1)), jnp.ones((52, many), bool)])
    counts &= jnp.take_along_axis(sits.T, steps.turn, 0) == 0
    return steps, costs(tables), counts, tables.taken


def pairs(key: Array, many: int) -> Array:
    """Seat two and two by chance: 0 or 1 for each seat."""
    order = jnp.argsort(jax.random.uniform(key, (many, 4)), 1)
    return (order < 2).astype(int)


def duel(params: Params, other: Params, key: Array, many: int) -> dict[str, Array]:
    """Return by how much the first is better, points a hand, and the moons of both."""
    key, own = jax.random.split(key)
    sits = pairs(own, many)
    _, cost, _, taken = evening((params, other), key, sits)
    better = (sits * cost - (1 - sits) * cost).sum(1) / 2
    shot = _shot(taken)
    shares = [(shot & (sits == which)).sum() / many / 2 for which in (0, 1)]
    error = better.std() / many**0.5
    return {"better": better.mean(), "error": error, "moons": shares[0], "theirs": shares[1]}


def _shot(taken: Array) -> Array:
    return taken[:, :, _QUEEN] & taken[:, :, :13].all(2)


def gains(steps: Step, cost: Array, counts: Array) -> tuple[Array, Array]:
    """Return how much better each choice was than expected, and what the critic should say."""

    def back(
        carry: tuple[Array, Array], given: tuple[Array, Array, Array]
    ) -> tuple[tuple[Array, Array], Array]:
        after, more = carry
        turn, value, there = given
        own = (jnp.arange(4) == turn[:, None]) & there[:, None]
        worse = jnp.take_along_axis(after, turn[:, None], 1)[:, 0] - value
        worse += LOOKS_AHEAD * jnp.take_along_axis(more, turn[:, None], 1)[:, 0]
        after = jnp.where(own, value[:, None], after)
        return (after, jnp.where(own, worse[:, None], more)), worse

    end = (cost, jnp.zeros_like(cost))
    _, worse = lax.scan(back, end, (steps.turn, steps.value, counts), reverse=True)
    return -worse, steps.value + worse


def practised(
    params: Params,
    others: Sequence[Params],
    critic_sizes: Sequence[int],
    settings: PracticeSettings,
    out: Path,
) -> Params:
    """Let a network practise with two others; keep what it is now and then."""
    rounds, many, seed, rate, alone = settings
    optimiser = optax.chain(optax.clip_by_global_norm(0.5), optax.scale_by_adam(eps=1e-6))

    def loss(
        both: tuple[Params, Params], some: tuple[Step, Array, Array, Array], left: float
    ) -> tuple[Array, Array]:
        params, critic = both
        steps, gain, wanted, counts = some
        rows = rows_of(steps.seen)
        odds = log_odds(outputs(params, rows), steps.cards)
        own = jnp.take_along_axis(odds, steps.card[:, None], 1)[:, 0]
        ratio = jnp.exp(own - steps.odds)
        choice = counts & (steps.cards.sum(1) > 1)
        worth = jnp.minimum(ratio * gain, jnp.clip(ratio, 1 - TRUST, 1 + TRUST) * gain)
        spread = -(jnp.exp(odds) * jnp.where(steps.cards, odds, 0)).sum(1)
        value = outputs(critic, jnp.concatenate([rows, steps.others], 1))[:, 0]
        error = optax.huber_loss(value - wanted, delta=8.0)
        policy = -((worth + left * SPREAD * spread) * choice).sum() / choice.sum()
        return policy + 0.01 * (error * counts).sum() / counts.sum(), (error * counts).mean()

    def turn(
        state: tuple[tuple[Params, Params], Params, tuple[optax.OptState, ...], Array],
        rate: float,
        left: float,
    ) -> tuple[tuple[tuple[Params, Params], Params, tuple[optax.OptState, ...], Array], Array]:
        both, mean, states, key = state
        key, own, mix, seats, kinds, lots = jax.random.split(key, 6)
        other = jax.random.randint(kinds, (many, 1), 1, len(others) + 1) * pairs(seats, many)
        sits = jnp.where(jax.random.uniform(lots, (many, 1)) < alone, 0, other)
        steps, cost, counts, taken = evening((both[0], *others), own, sits, both[1])
        gain, wanted = gains(steps, cost, counts)
        choice = counts & (steps.cards.sum(2) > 1)
        size = jnp.sqrt((gain**2 * choice).sum() / choice.sum())
        flat = jax.tree.map(
            lambda rows: rows.reshape(-1, *rows.shape[2:]), (steps, gain / size, wanted, counts)
        )

        def update(
            carry: tuple[Any, Any, Any], places: Array
        ) -> tuple[tuple[Any, Any, Any], Array]:
            both, mean, states = carry
            some = jax.tree.map(lambda rows: rows[places], flat)
            slopes, error = jax.grad(loss, has_aux=True)(both, some, left)
            one, two = map(optimiser.update, slopes, states)
            new = (_less(both[0], rate, one[0]), _less(both[1], CRITIC_RATE * left, two[0]))
            mean = optax.incremental_update(new[0], mean, 0.002)
            return (new, mean, (one[1], two[1])), error

        orders = [
            jax.random.permutation(one, CHOICES * many) for one in jax.random.split(mix, TIMES)
        ]
        places = jnp.concatenate(orders).reshape(TIMES * PARTS, -1)
        (both, mean, states), error = lax.scan(update, (both, mean, states), places)
        figures = jnp.stack([error.mean(), size, _shot(taken).any(1).mean()])
        return (both, mean, states, key), figures

    key = jax.random.key(seed)
    critic = network(jax.random.fold_in(key, 7), (ROWS + _OTHERS_SEE, *critic_sizes, 1))
    both = (params, critic)
    state = (both, params, tuple(map(optimiser.init, both)), key)
    step, judge = jax.jit(turn), jax.jit(duel, static_argnames="many")
    for number in range(rounds):
        left = 1 - 0.95 * number / rounds
        state, figures = step(state, rate * left * (number >= BEGIN), left)
        if (number + 1) % max(1, rounds // 10) == 0:
            names = ("critic", "gain", "moons")
            told(f"round {number + 1}", dict(zip(names, figures, strict=True)))
            for other in others:
                told("    ", judge(state[1], other, jax.random.key(number), 4 * many))
            save(out, state[1])
    return state[1]


def _less(params: Params, rate: float, change: Params) -> Params:
    return {name: rows - rate * change[name] for name, rows in params.items()}

"""Lessons: a network learns the costs of the search, or the choices of the simple bot."""

from __future__ import annotations

from collections.abc import Sequence
from math import cos, pi

import jax
import jax.numpy as jnp
import numpy as np
import optax
from jax import Array

from .labels import Labels, played_again
from .network import BETA, Params, log_odds, network, outputs
from .table import PASSES, rows_of

RATE = 1.5e-3
FORGIVEN = 4.0
"""Points of loss with which a card counts for 1 / e of the best one."""
Figures = dict[str, Array]


def search_loss(params: Params, labels: Labels) -> tuple[Array, Figures]:
    """Return how far a network is from the costs of the search, and figures of it.

    What counts is the order of the cards and the differences of their costs, most among the best.
    """
    seen, cards, costs = played_again(labels)
    there = jnp.isfinite(costs)
    choice = there.sum(1) > 1
    out = outputs(params, rows_of(seen))
    label = jnp.where(there, costs, 0)
    least = jnp.where(there, costs, jnp.inf).min(1, keepdims=True)
    loss = jnp.where(there & choice[:, None], costs - least, 0)
    wanted = jax.nn.softmax(jnp.where(there, -BETA * label, -1e9))
    cross = -(wanted * log_odds(out, cards)).sum(1)
    weight = there * jnp.exp(-loss / FORGIVEN)
    weight /= weight.sum(1, keepdims=True) + 1e-9
    mean = (weight * (out - label)).sum(1, keepdims=True)
    error = (weight * optax.huber_loss(out - label - mean, delta=1.0)).sum(1)
    chosen = jnp.where(there, out, jnp.inf).argmin(1)
    lost = jnp.take_along_axis(loss, chosen[:, None], 1)[:, 0]
    is_pass = jnp.arange(len(lost)) < PASSES * labels.owner.shape[0]
    figures = {
        "lost": _mean(lost, choice & ~is_pass),
        "lost by passes": _mean(lost, choice & is_pass),
    }
    return _mean(0.5 * cross + error, choice), figures


def simple_loss(params: Params, labels: Labels) -> tuple[Array, Figures]:
    """Return how unlikely a network finds the choices of the simple bot, and how many it makes."""
    seen, cards, _ = played_again(labels)
    card = labels.simple.T.reshape(-1).astype(int)
    known = (card >= 0) & (cards.sum(1) > 1)
    odds = log_odds(outputs(params, rows_of(seen)), cards)
    cross = -jnp.take_along_axis(odds, jnp.maximum(card, 0)[:, None], 1)[:, 0]
    return _mean(cross, known), {"same": _mean(odds.argmax(1) == card, known)}


def _mean(figure: Array, where: Array) -> Array:
    return (figure * where).sum() / jnp.maximum(where.sum(), 1)


LOSSES = {"search": search_loss, "simple": simple_loss}


def taught(
    what: str,
    labels: Labels,
    test: Labels,
    sizes: Sequence[int],
    steps: int,
    batch: int,
    seed: int,
) -> Params:
    """Teach a new network in so many steps."""
    loss = LOSSES[what]
    optimiser = optax.chain(optax.clip_by_global_norm(1.0), optax.scale_by_adam())

    def learn(
        params: Params,
        mean: Params,
        state: optax.OptState,
        places: Array,
        labels: Labels,
        rate: float,
    ) -> tuple[Params, Params, optax.OptState, Figures]:
        some = jax.tree.map(lambda rows: rows[places], labels)
        (_, figures), slope = jax.value_and_grad(loss, has_aux=True)(params, some)
        change, state = optimiser.update(slope, state, params)
        params = jax.tree.map(lambda one, other: one - rate * other, params, change)
        return params, optax.incremental_update(params, mean, 0.005), state, figures

    step, check = jax.jit(learn), jax.jit(loss)
    params = mean = network(jax.random.key(seed), sizes)
    state = optimiser.init(params)
    chance = np.random.default_rng(seed)
    there = jax.device_put(labels)
    for number in range(steps):
        rate = RATE * min(1.0, number / 200 + 0.01) * 0.5 * (1 + cos(pi * number / steps))
        places = chance.integers(0, len(labels.owner), batch)
        params, mean, state, figures = step(params, mean, state, places, there, rate)
        if (number + 1) % max(1, steps // 8) == 0:
            told(f"{what} {number + 1}", figures)
            told("    held out", check(mean, test)[1])
    return mean


def told(what: str, figures: Figures) -> None:
    """Print figures."""
    print(what, *(f"{name} {float(value):.3f}" for name, value in figures.items()), flush=True)

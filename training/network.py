"""Networks of floats, and the file of whole numbers that is made of one."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import Array

from hearts.bots.swift.network import CEILING
from hearts.bots.swift.rows import ROWS

from .labels import Labels, played_again
from .table import rows_of

BETA = 2.0
"""How sharply a network plays while it learns: odds of e for 1 / BETA points."""
SIZES = (ROWS, 704, 192, 52)
Params = dict[str, Array]
_THERE = 100
"""Rows of the first layer that are there at most, about."""
_LEFT_ABOVE = 1e-5
"""The share of numbers that may be above the ceiling."""


def network(key: Array, sizes: Sequence[int]) -> Params:
    """Return a network with weights by chance."""
    params: Params = {}
    for at, (rows, columns) in enumerate(pairwise(sizes), 1):
        key, own = jax.random.split(key)
        scale = (2.0 / min(rows, _THERE if at == 1 else rows)) ** 0.5
        scale *= 0.1 if at == len(sizes) - 1 else 1.0
        params[f"w{at}"] = jax.random.normal(own, (rows, columns)) * scale
        params[f"b{at}"] = jnp.zeros(columns)
    return params


def outputs(params: Params, rows: Array) -> Array:
    """Return the outputs of a network for many sets of rows."""
    x = rows.astype(jnp.bfloat16)
    many = len(params) // 2
    for at in range(1, many + 1):
        weights = params[f"w{at}"].astype(jnp.bfloat16)
        x = jnp.dot(x, weights, preferred_element_type=jnp.float32) + params[f"b{at}"]
        if at < many:
            x = jax.nn.relu(x).astype(jnp.bfloat16)
    return x


def log_odds(costs: Array, cards: Array) -> Array:
    """Return the logarithm of the odds of each card, by its cost."""
    return jax.nn.log_softmax(jnp.where(cards, -BETA * costs, -1e9))


def save(path: Path, params: Params) -> None:
    arrays: dict[str, Any] = {name: np.asarray(rows) for name, rows in params.items()}
    with path.open("wb") as file:
        np.savez(file, **arrays)


def load(path: Path) -> Params:
    with np.load(path) as rows:
        return {name: jnp.array(rows[name]) for name in rows.files}


def export(params: Params, labels: Labels, recipe: Mapping[str, object], path: Path) -> float:
    """Write the file of the bot; return how often it chooses the card that the floats choose.

    The hands say how large the numbers become.
    """
    seen, cards, _ = jax.jit(played_again)(labels)
    legal = np.asarray(cards)
    choice = legal.sum(1) > 1
    legal, rows = legal[choice], np.asarray(rows_of(seen))[choice]
    floats, whole, unit = rows.astype(np.float32), rows.astype(np.int64), 1.0
    layers, parts = [], []
    many = len(params) // 2
    for at in range(1, many + 1):
        weights, bias = (np.asarray(params[f"{name}{at}"], np.float64) for name in "wb")
        scale = np.abs(weights).max() / 127
        unit *= scale
        numbers, biases = np.round(weights / scale), np.round(bias / unit)
        whole = whole @ numbers.astype(np.int64) + biases.astype(np.int64)
        floats = floats @ weights + bias
        shift = 0
        if at < many:
            high = np.quantile(whole, 1 - _LEFT_ABOVE)
            shift = max(0, int(np.ceil(np.log2(high / CEILING))))
            whole, floats = np.clip(whole >> shift, 0, CEILING), np.maximum(floats, 0)
            unit *= 2**shift
        layers.append({"rows": len(weights), "columns": len(bias), "shift": shift})
        parts += [numbers.astype(np.int8).tobytes(), biases.astype("<i4").tobytes()]
    head = {**recipe, "layers": layers, "unit": unit}
    path.write_bytes(json.dumps(head).encode() + b"\n" + b"".join(parts))
    chosen = [np.where(legal, costs, np.inf).argmin(1) for costs in (whole, floats)]
    return float((chosen[0] == chosen[1]).mean())

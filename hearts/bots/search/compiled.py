"""The functions of a search, compiled by numba. Only :mod:`hearts.bots` imports this, when asked.

The functions stay written once (see :mod:`.playing`): each is compiled as it stands, with those
that it calls. What was compiled is kept on disk, beside this module or, where that cannot be
written, in the cache folder of the user: numba sees to that. It looks at the time of one file
alone, so the names under which it keeps functions say what all of them contain.
"""

from __future__ import annotations

import hashlib
import marshal
from functools import lru_cache, partial
from types import FunctionType, ModuleType
from typing import Any

import numpy as np
from numba import njit, types
from numba.extending import intrinsic, overload_method

from hearts.bots import passing
from hearts.bots.swift.bot import shipped_bytes
from hearts.bots.swift.network import CEILING, read_layers
from hearts.game.cards import Card

from . import endgame, habits, playing, rollouts, settling, swift_play
from .engine import Engine, SwiftEngine

_MODULES = (passing, playing, settling, habits, rollouts, endgame, swift_play)
_LEFT_OUT = {"rule_bits", "cards_to_pass", "by_trouble", "seen_of"}
"""Functions that take more than numbers."""
_INT, _INTS, _FLOATS = types.int64, types.int64[::1], types.float64[::1]
_INT_GRID, _FLOAT_GRID = types.int64[:, ::1], types.float64[:, ::1]
_LAYER = (types.int8[:, ::1], types.int32[::1], _INT)
_NETWORK: Any = types.Tuple(_LAYER * 3)  # type: ignore[no-untyped-call]
_CALLED: dict[str, tuple[Any, ...]] = {
    "deal_worlds": (_INTS, _INT, _INT, _INTS, _INTS, _INTS, _INTS, _FLOATS, _INTS),
    "roll_out": (_INTS, _INTS, _INTS, _INT, _INT, _INTS, _INT, _INTS, _FLOATS, _FLOATS),
    "roll_out_passes": (
        _INTS, _INTS, _INTS, _INTS, _INT, _INT, _INTS, _INT, _INT, _INT, _INTS, _FLOATS, _FLOATS,
    ),
    "roll_out_exactly": (
        _INTS, _INT_GRID, _FLOAT_GRID, _INTS, _INTS, _INT, _INT, _INTS, _INTS, _FLOATS, _FLOATS,
    ),
    "keep_best": (_FLOATS, _INT, _INT, _INTS, _INT),
}  # fmt: skip
"""The functions that a search calls, with their types; those that they call are compiled in."""
_CALLED_SWIFTLY: dict[str, tuple[Any, ...]] = {
    "swift_pass": (_INTS, _INTS, _INTS, _NETWORK),
    "finish": (_INTS, _INTS, _INTS, _NETWORK, _INT, _INT, _FLOATS),
}


def network_costs(network: Any, rows: Any, many: int) -> Any:
    """Take the place of the function of this name in :mod:`.swift_play`."""
    weights, biases, shift, weights_2, biases_2, shift_2, weights_3, biases_3, _ = network
    sums = biases.copy()
    for place in range(many):
        row = rows[place]
        for column in range(sums.size):
            sums[column] += weights[row, column]
    more = biases_2.copy()
    for row in range(sums.size):
        number = min(sums[row] >> shift, CEILING)
        if number > 0:
            for column in range(more.size):
                more[column] += number * weights_2[row, column]
    costs = biases_3.copy()
    for row in range(more.size):
        number = min(more[row] >> shift_2, CEILING)
        if number > 0:
            for column in range(costs.size):
                costs[column] += number * weights_3[row, column]
    return costs


@lru_cache(1)
def _swift_engine() -> SwiftEngine:
    functions = compiled_functions()
    for name, takes in _CALLED_SWIFTLY.items():
        functions[name].compile(takes)
    return SwiftEngine(_network(), *(functions[name] for name in _CALLED_SWIFTLY))


def _network() -> tuple[Any, ...]:
    parts: list[Any] = []
    for layer, data in read_layers(shipped_bytes()):
        size = layer.rows * layer.columns
        parts.append(np.frombuffer(data, np.int8, size).reshape(layer.rows, -1).copy())
        parts.append(np.frombuffer(data, "<i4", layer.columns, size).astype(np.int32))
        parts.append(layer.shift)
    return tuple(parts)


def _ones_typed(_context: Any, _mask: Any) -> Any:
    def generate(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return builder.ctpop(arguments[0])

    return types.int64(types.int64), generate


def _zeros_typed(_context: Any, _mask: Any) -> Any:
    def generate(context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return builder.ctlz(arguments[0], context.get_constant(types.boolean, False))

    return types.int64(types.int64), generate


_ones: Any = intrinsic(_ones_typed)
_leading_zeros: Any = intrinsic(_zeros_typed)
# numba does not know these two methods of an int, and asks for equal names of the parameters.
overload_method(types.Integer, "bit_count")(lambda mask: lambda mask: _ones(mask))
overload_method(types.Integer, "bit_length")(lambda mask: lambda mask: 64 - _leading_zeros(mask))


def _names(module: ModuleType) -> dict[str, Any]:
    """Map the names of a module to their values, with cards as plain ints, which numba knows."""
    return {
        name: int(value) if isinstance(value, Card) else value
        for name, value in vars(module).items()
    }


def _numbers() -> bytes:
    """Return the numbers that have names in the modules, because they are compiled into the
    functions.
    """
    named = [
        (name, value)
        for module in _MODULES
        for name, value in vars(module).items()
        if isinstance(value, int | float)
    ]
    return repr(named).encode()


@lru_cache(1)
def compiled_functions() -> dict[str, Any]:
    """Every function of a search by its name, each compiled when it is first called."""
    plain: dict[str, Any] = {
        name: value
        for module in _MODULES
        for name, value in vars(module).items()
        if isinstance(value, FunctionType)
        and value.__module__ == module.__name__
        and name not in _LEFT_OUT
    }
    plain["network_costs"] = network_costs
    code = b"".join(marshal.dumps(function.__code__) for function in plain.values())
    digest = hashlib.sha256(code + _numbers()).hexdigest()[:12]
    namespaces = {module.__name__: _names(module) for module in _MODULES}
    namespaces[__name__] = {"CEILING": CEILING}
    compiled = {}
    for name, function in plain.items():
        own = FunctionType(function.__code__, namespaces[function.__module__], name)
        own.__module__ = function.__module__
        own.__qualname__ = f"{name}-{digest}"
        compiled[name] = njit(cache=name in _CALLED or name in _CALLED_SWIFTLY, nogil=True)(own)
    for namespace in namespaces.values():
        namespace.update({name: compiled[name] for name in plain.keys() & namespace.keys()})
    return compiled


@lru_cache(1)
def compiled_engine() -> Engine:
    """Return the engine of compiled functions: each is loaded or compiled now, so that no move
    waits.
    """
    functions = compiled_functions()
    for name, takes in _CALLED.items():
        functions[name].compile(takes)
    zeros: Any = np.zeros
    return Engine(
        partial(np.array, dtype=np.int64),
        partial(np.array, dtype=np.float64),
        lambda rows, columns: zeros((rows, columns), np.int64),
        lambda rows, columns: zeros((rows, columns), np.float64),
        swiftly=_swift_engine,
        **{name: functions[name] for name in _CALLED},
    )

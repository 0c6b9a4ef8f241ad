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
from hearts.game.cards import Card

from . import endgame, habits, playing, rollouts, settling
from .engine import Engine

_MODULES = (passing, playing, settling, habits, rollouts, endgame)
_LEFT_OUT = {"rule_bits", "cards_to_pass", "by_trouble"}
"""Functions that take more than numbers."""
_INT, _INTS, _FLOATS = types.int64, types.int64[::1], types.float64[::1]
_INT_GRID, _FLOAT_GRID = types.int64[:, ::1], types.float64[:, ::1]
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


def compiled_functions() -> dict[str, Any]:
    """Every function of a search by its name, each compiled when it is first called."""
    plain = {
        name: value
        for module in _MODULES
        for name, value in vars(module).items()
        if isinstance(value, FunctionType)
        and value.__module__ == module.__name__
        and name not in _LEFT_OUT
    }
    code = b"".join(marshal.dumps(function.__code__) for function in plain.values())
    digest = hashlib.sha256(code + _numbers()).hexdigest()[:12]
    namespaces = {module.__name__: _names(module) for module in _MODULES}
    compiled = {}
    for name, function in plain.items():
        own = FunctionType(function.__code__, namespaces[function.__module__], name)
        own.__module__ = function.__module__
        own.__qualname__ = f"{name}-{digest}"
        compiled[name] = njit(cache=name in _CALLED, nogil=True)(own)
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
        **{name: functions[name] for name in _CALLED},
    )

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
from numba.core import cgutils
from numba.extending import intrinsic, overload_method

from hearts.bots import passing
from hearts.bots.swift.bot import shipped_bytes
from hearts.bots.swift.network import CEILING, read_layers, recipe_of
from hearts.game.cards import Card

from . import endgame, habits, playing, rollouts, settling, swift_play
from .engine import Engine, SwiftEngine

_MODULES = (passing, playing, settling, habits, rollouts, endgame, swift_play)
_LEFT_OUT = {"rule_bits", "cards_to_pass", "by_trouble", "seen_of"}
"""Functions that take more than numbers."""
_INT, _INTS, _FLOATS = types.int64, types.int64[::1], types.float64[::1]
_INT_GRID, _FLOAT_GRID = types.int64[:, ::1], types.float64[:, ::1]
_WEIGHTS = types.int8[:, ::1]
_LAYER = (_WEIGHTS, types.int32[::1], _INT)
# Some 110 rows add up in the first layer, so 16 bits are enough for its sums.
_NETWORK: Any = types.Tuple(  # type: ignore[no-untyped-call]
    (_WEIGHTS, types.int16[::1], _INT, *_LAYER, *_LAYER)
)
_WIDTH = 32
"""Numbers of a layer that are multiplied at once; each layer has a multiple of them."""
_helpers: Any = cgutils
_ir: Any = _helpers.ir
_CALLED: dict[str, tuple[Any, ...]] = {
    "deal_worlds": (_INTS, _INT, _INT, _INTS, _INTS, _INTS, _INTS, _FLOATS, _INTS),
    "roll_out": (_INTS, _INTS, _INTS, _INT, _INT, _INTS, _INT, _INTS, _FLOATS, _FLOATS),
    "roll_out_passes": (
        _INTS, _INTS, _INTS, _INTS, _INT, _INT, _INTS, _INT, _INT, _INT, _INTS, _FLOATS, _FLOATS,
    ),
    "roll_out_exactly": (
        _INTS, _INT_GRID, _FLOAT_GRID, _INTS, _INTS, _INT, _INT, _INTS, _INTS, _FLOATS, _FLOATS,
        _INTS,
    ),
    "keep_best": (_FLOATS, _INT, _INT, _INTS, _INT),
}  # fmt: skip
"""The functions that a search calls, with their types; those that they call are compiled in."""
_CALLED_SWIFTLY: dict[str, tuple[Any, ...]] = {
    "swift_pass": (_INTS, _INTS, _INTS, _NETWORK),
    "finish": (_INTS, _INTS, _INTS, _NETWORK, _INT, _INT, _FLOATS),
    "roll_out_swiftly": (
        _INTS, _INTS, _INTS, _INTS, _INTS, _NETWORK, _INTS, _INT, _INT, _INTS, _INTS, _FLOATS,
        _FLOATS,
    ),
    "choose_worlds": (
        _INTS, _INTS, _INTS, _INTS, _INTS, _NETWORK, _INTS, types.float64, _INTS, _FLOATS, _INTS,
        _INT, _INT,
    ),
}  # fmt: skip


def _product_typed(_context: Any, numbers: Any, weights: Any, _row: Any) -> Any:
    """Sum up the products of a row of numbers and a row of weights.

    numba alone takes eight of them at a time, and three times as long.
    """

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        one, two = (
            context.make_array(kind)(context, builder, value)
            for kind, value in zip(signature.args[:2], arguments[:2], strict=True)
        )
        wide = _ir.VectorType(_ir.IntType(32), _WIDTH)
        many = builder.extract_value(one.shape, 0)
        begin = builder.gep(two.data, [builder.mul(arguments[2], many)])
        total = _helpers.alloca_once_value(builder, _ir.Constant(wide, None))

        def loaded(start: Any, at: Any, bits: int) -> Any:
            some = _ir.VectorType(_ir.IntType(bits), _WIDTH).as_pointer()
            value = builder.load(builder.bitcast(builder.gep(start, [at]), some))
            value.align = bits // 8
            return builder.sext(value, wide)

        step = many.type(_WIDTH)
        with _helpers.for_range_slice(builder, many.type(0), many, step, many.type) as (at, _):
            products = builder.mul(loaded(one.data, at, 16), loaded(begin, at, 8))
            builder.store(builder.add(builder.load(total), products), total)
        kind = _ir.FunctionType(_ir.IntType(32), [wide])
        name = f"llvm.vector.reduce.add.v{_WIDTH}i32"
        return builder.call(
            _helpers.get_or_insert_function(builder.module, kind, name), [builder.load(total)]
        )

    return types.int32(numbers, weights, types.int64), generate


_product: Any = intrinsic(_product_typed)


def network_costs(network: Any, rows: Any, many: int) -> Any:
    """Take the place of the function of this name in :mod:`.swift_play`."""
    weights, biases, shift, weights_2, biases_2, shift_2, weights_3, biases_3, _ = network
    sums = biases.copy()
    # Four rows at once read and write the sums a quarter as often.
    for place in range(0, many - 3, 4):
        one, two = weights[rows[place]], weights[rows[place + 1]]
        three, four = weights[rows[place + 2]], weights[rows[place + 3]]
        for column in range(sums.size):
            sums[column] += one[column] + two[column] + three[column] + four[column]
    for place in range(many & ~3, many):
        one = weights[rows[place]]
        for column in range(sums.size):
            sums[column] += one[column]
    for column in range(sums.size):
        sums[column] = min(max(sums[column] >> shift, 0), CEILING)
    costs = biases_3.copy()
    for row in range(biases_2.size):
        number = min(biases_2[row] + _product(sums, weights_2, row) >> shift_2, CEILING)
        if number > 0:
            for column in range(costs.size):
                costs[column] += np.int32(number) * np.int32(weights_3[row, column])
    return costs


@lru_cache(1)
def _swift_engine() -> SwiftEngine:
    functions = compiled_functions()
    for name, takes in _CALLED_SWIFTLY.items():
        functions[name].compile(takes)
    unit = recipe_of(shipped_bytes()).unit
    return SwiftEngine(_network(), unit, **{name: functions[name] for name in _CALLED_SWIFTLY})


def _network() -> tuple[Any, ...]:
    parts: list[Any] = []
    for layer, data in read_layers(shipped_bytes()):
        size = layer.rows * layer.columns
        parts.append(np.frombuffer(data, np.int8, size).reshape(layer.rows, -1).copy())
        parts.append(np.frombuffer(data, "<i4", layer.columns, size).astype(np.int32))
        parts.append(layer.shift)
    parts[1] = parts[1].astype(np.int16)
    parts[3] = parts[3].T.copy()
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
    code = b"".join(
        marshal.dumps(function.__code__) for function in (*plain.values(), _product_typed)
    )
    digest = hashlib.sha256(code + _numbers()).hexdigest()[:12]
    namespaces = {module.__name__: _names(module) for module in _MODULES}
    namespaces[__name__] = {"CEILING": CEILING, "np": np, "_product": _product}
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

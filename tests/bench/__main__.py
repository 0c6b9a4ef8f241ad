"""The benchmark: ``python -m tests.bench``. A table for each question, beside bare trio programs.

Only figures of one run compare: the bare programs exchange the same bytes on the same machine at
the same time. ``--quick`` takes a minute, all of it a quarter of an hour.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from . import measures as m
from .machine import head
from .report import Figures, print_table
from .scale import QUICK_ROWS, ROWS, ScalePlan, ScaleRow, measure_scale
from .thinking import TABLES, measure_thinking

_TABLES = (1, 16, 128, 512)
_QUICK_TABLES = (1, 16, 128)
_SCALE, _THINKING = "scale", "thinking"
"""The parts that have rows of their own."""
_PARTS: dict[str, Callable[[m.BenchPlan], Iterable[Figures]]] = {
    "socketless": m.measure_socketless,
    "speed": m.measure_speed,
    "dialects": m.measure_dialects,
    "watchers": m.measure_watchers,
    "pace": m.measure_pace,
    "journal": m.measure_journal,
    "memory": m.measure_memory,
}


def _numbers(text: str) -> tuple[int, ...]:
    return tuple(int(number) for number in text.split(","))


def _parts(text: str) -> tuple[str, ...]:
    parts = tuple(text.split(","))
    for part in parts:
        if part not in (all := (*_PARTS, _SCALE, _THINKING)):
            raise argparse.ArgumentTypeError(f"{part!r} is none of {', '.join(all)}")
    return parts


def _rows(text: str) -> tuple[ScaleRow, ...]:
    pairs = (row.split("x") for row in text.split(","))
    return tuple(ScaleRow(int(people), int(tables)) for people, tables in pairs)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="a minute's worth, one round")
    parser.add_argument("--tables", type=_numbers, help="numbers of tables (1,16,128,512)")
    parser.add_argument("--rounds", type=int, help="rounds, whose medians are printed (3)")
    parser.add_argument(
        "--only",
        type=_parts,
        default=tuple(_PARTS),
        help=f"of {','.join(_PARTS)}, and {_SCALE}, {_THINKING}",
    )
    parser.add_argument("--rows", type=_rows, default=(), help="of scale: 4x1000,1x10000 and such")
    parser.add_argument("--seconds", type=float, help="of a round of scale (60) or thinking (8)")
    parser.add_argument("--computers", default="expert", help="of thinking: their level (expert)")
    parser.add_argument("--no-kill", action="store_true", help="of scale: only play")
    parser.add_argument("--keep", type=Path, help="of these two: add rounds to a file of JSON")
    parser.add_argument(
        "--store",
        action="store_true",
        help="the part journal with a store in PostgreSQL as well, which is started for it",
    )
    parser.add_argument(
        "--against",
        metavar="COMMIT",
        help="in place of the parts: the server of another commit in turn with this one",
    )
    options = parser.parse_args()
    quick = options.quick
    plan = m.BenchPlan(
        tables=options.tables or (_QUICK_TABLES if quick else _TABLES),
        rounds=options.rounds or (1 if quick else 3),
        hands=512 if quick else 2048,
        pace_seconds=3 if quick else 10,
        memory_tables=64 if quick else 256,
        memory_hands=(0, 1, 50) if quick else (0, 1, 50, 100, 500, 1000),
        store=options.store,
    )
    scale = ScalePlan(
        rows=options.rows or (QUICK_ROWS if quick else ROWS),
        seconds=options.seconds or (5 if quick else 60),
        rounds=options.rounds or 1,
        kills=not options.no_kill,
        kept=options.keep,
    )
    own = {
        _SCALE: lambda: measure_scale(scale),
        _THINKING: lambda: measure_thinking(
            options.tables or TABLES, options.seconds or 8, options.keep, options.computers
        ),
    }
    parts = [own[name]() if name in own else _PARTS[name](plan) for name in options.only]
    if options.against is not None:
        parts = [m.measure_against(plan, options.against)]
    _run(parts)


def _run(parts: Sequence[Iterable[Figures]]) -> None:
    for line in head():
        print(line)
    for part in parts:
        for table in part:
            print_table(table.title, table.header, table.rows)


if __name__ == "__main__":
    main()

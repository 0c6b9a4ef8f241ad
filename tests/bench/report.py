"""Tables as text."""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Figures:
    """The figures of one question."""

    title: str
    header: Sequence[str]
    rows: Sequence[Sequence[str]]


def print_table(title: str, header: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Print a table with a title; the first column to the left, the others to the right."""
    widths = [max(len(line[i]) for line in (header, *rows)) for i in range(len(header))]
    print(f"\n{title}")
    for line in (header, ["-" * width for width in widths], *rows):
        first, *rest = (
            cell.ljust(width) if i == 0 else cell.rjust(width)
            for i, (cell, width) in enumerate(zip(line, widths, strict=True))
        )
        print("  ".join((first, *rest)).rstrip(), flush=True)


def percentile(values: Sequence[float], percent: float) -> float:
    """The value that so many per cent of all do not exceed; ``values`` are sorted."""
    return values[min(len(values) - 1, int(len(values) * percent / 100))]


def milliseconds(seconds: float) -> str:
    return f"{1000 * seconds:.2f}"


def median_ratio(ones: Sequence[float], others: Sequence[float]) -> str:
    if not any(others):
        return "-"
    return f"{statistics.median(a / b for a, b in zip(ones, others, strict=True) if b):.2f}"

"""Numbers as people read them: no more digits than their errors justify."""

from __future__ import annotations

import math
from itertools import pairwise

from msgspec import Struct

from hearts_arena.numbers.estimates import Estimate

_MOST_DECIMALS = 4
_UNITS = ((86_400, "d"), (3600, "h"), (60, "min"), (1, "s"))
NONE = "-"


class NumberSigns(Struct, frozen=True, gc=False):
    """The way an output writes what is not a digit."""

    half: str
    """Before half of an interval."""
    minus: str
    micro: str

    def of(self, number: str) -> str:
        return number.replace("-", self.minus)


PAGE = NumberSigns("±", "\N{MINUS SIGN}", "µs")
TERMINAL = NumberSigns("±", "-", "us")
ASCII = NumberSigns("+-", "-", "us")


def decimals(error: float | None, unknown: int = 2) -> int:
    """Digits after the point of a number with this standard error; ``unknown`` without one.

    The last of them is the first digit of the error, or the second if the first is a 1:
    4.531 with an error of 0.047 is 4.53, with one of 0.012 it is 4.531.
    """
    if error is None or not math.isfinite(error) or error <= 0.0:
        return unknown
    power = math.floor(math.log10(error))
    if error < 2.0 * 10.0**power:
        power -= 1
    return min(max(-power, 0), _MOST_DECIMALS)


def rounded(value: float, digits: int, *, signed: bool = False) -> str:
    text = f"{value:.{digits}f}"
    if not text.strip("-0."):
        return text.lstrip("-")
    return "+" + text if signed and value > 0.0 else text


def estimate_texts(
    estimate: Estimate | None,
    signs: NumberSigns,
    *,
    factor: float = 1.0,
    signed: bool = False,
    unknown: int = 2,
) -> tuple[str, str]:
    """Return the mean, and half the interval if known; ``factor`` 100 turns a share into per
    cent.
    """
    if estimate is None:
        return NONE, ""
    digits = decimals(None if estimate.se is None else estimate.se * factor, unknown)
    mean = signs.of(rounded(estimate.mean * factor, digits, signed=signed))
    half = estimate.half_width
    return mean, "" if half is None else signs.half + rounded(half * factor, digits)


def grouped(number: int) -> str:
    return f"{number:,}"


def percent(share: float) -> str:
    """Return a share from 0 to 1 with one digit; 0 and 100 only if it is just that."""
    text = f"{100.0 * share:.1f}%"
    if share < 1.0 and text == "100.0%":
        return "99.9%"
    return "<0.1%" if share > 0.0 and text == "0.0%" else text


def duration(seconds: float) -> str:
    """Return a long time in its two largest units, such as "2 d 03 h" or "45 s"."""
    for (size, unit), (smaller, rest) in pairwise(_UNITS):
        if seconds >= size:
            count, left = divmod(int(seconds) // smaller, size // smaller)
            return f"{count} {unit} {left:02} {rest}"
    return f"{int(seconds)} s"


def short_time(seconds: float, micro: str = "us") -> str:
    """Return the time of a choice in three digits at most, such as "37 us" or "1.2 s"."""
    for size, unit in ((1.0, "s"), (1e-3, "ms"), (1e-6, micro)):
        amount = seconds / size
        if amount >= 0.9995:
            return f"{amount:.3g} {unit}" if amount < 999.5 else f"{amount:.0f} {unit}"
    return f"0 {micro}" if seconds <= 0.0 else f"<1 {micro}"

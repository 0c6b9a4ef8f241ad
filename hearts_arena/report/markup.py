"""Markup that is HTML and XML at once; whatever comes from others is escaped here."""

from __future__ import annotations

import math
import re
from typing import TypeVar

from markupsafe import Markup, escape
from msgspec import Struct

T = TypeVar("T")

_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def element(name: str, /, *content: Markup | str, **attributes: str | float | None) -> Markup:
    """An element. Content that is plain text is escaped, and so are the values of attributes.

    An attribute that is None is left out; a final underscore in its name, and hyphens for
    the others, make ``class_`` and ``text_anchor`` of Python what they are in HTML.
    """
    source = f"<{name}"
    for key, value in attributes.items():
        if value is not None:
            text = value if isinstance(value, str) else plain(value)
            source += f' {key.rstrip("_").replace("_", "-")}="{escape(as_xml(text))}"'
    return Markup(f"{source}>{joined(*content)}</{name}>" if content else f"{source}/>")


def joined(*content: Markup | str) -> Markup:
    """One after the other; what is plain text is escaped."""
    return Markup().join(map(as_xml, content))


def as_xml(value: T) -> T | str:
    """The same, without the characters in a text that XML does not know."""
    if isinstance(value, str) and not isinstance(value, Markup):
        return _NOT_XML.sub("\N{REPLACEMENT CHARACTER}", value)
    return value


def minus(number: str) -> str:
    """A number with a minus as wide as a plus."""
    return number.replace("-", "\N{MINUS SIGN}")


def plain(number: float) -> str:
    """A coordinate, to a hundredth of a pixel."""
    return f"{number:.2f}".rstrip("0").rstrip(".") if number % 1 else f"{number:.0f}"


class Scale(Struct, frozen=True, gc=False):
    """Where a number lies on an axis, in pixels."""

    low: float
    high: float
    start: float
    end: float

    def at(self, value: float) -> float:
        """The place of a number, which may be beyond the axis."""
        return self.start + (self.end - self.start) * (value - self.low) / (self.high - self.low)

    def ticks(self, most: int) -> list[float]:
        """Round numbers on the axis, up to ``most`` and one more."""
        step = _round_step((self.high - self.low) / most)
        first = math.ceil(self.low / step - 1e-9)
        last = math.floor(self.high / step + 1e-9)
        return [number * step for number in range(first, last + 1)]

    def digits(self, most: int) -> int:
        """The digits after the point that such ticks need."""
        step = _round_step((self.high - self.low) / most)
        return max(0, -math.floor(math.log10(step) + 1e-9))


def around(numbers: list[float], start: float, end: float) -> Scale:
    """An axis with some room beyond the least and the largest number."""
    low, high = min(numbers, default=0.0), max(numbers, default=0.0)
    margin = (high - low) * 0.05 or 0.5
    return Scale(low - margin, high + margin, start, end)


def _round_step(least: float) -> float:
    power = 10.0 ** math.floor(math.log10(least))
    return next(step * power for step in (1, 2, 5, 10) if step * power >= least * (1 - 1e-9))

"""The rules of a table as ticks and choices: a preset, and each rule by itself."""

from __future__ import annotations

from collections.abc import Callable

import urwid
from msgspec.structs import replace
from urwid.widget.widget import AbstractFlowWidget

from hearts.game.rules import PRESETS, STANDARD, ExactEnd, Moon, Passing, Rules
from hearts_client.screen.input.controls import Choice, TickBox
from hearts_client.words.rule_words import in_words

_TICKED = {
    "jack": Rules(jack=True),
    "must_dump_queen": Rules(must_dump_queen=True),
    "points_on_first_trick": Rules(points_on_first_trick=True),
    "rotating_lead": Rules(rotating_lead=True),
    "no_trick_bonus": Rules(no_trick_bonus=True),
    "queen_keeps_hearts": Rules(queen_keeps_hearts=True),
}
_MOONS = (
    ("26 to the others", Moon.OTHERS),
    ("26 off", Moon.MINUS),
    ("shooter chooses", Moon.CHOICE),
)
_EXACT_ENDS = (
    ("is like any score", ExactEnd.NOTHING),
    ("goes back to 0", ExactEnd.ZERO),
    ("wins", ExactEnd.WINS),
)
_PASSINGS = (
    ("left, right, across, hold", Passing.CYCLE),
    ("no hold", Passing.CYCLE3),
    ("left", Passing.LEFT),
    ("never", Passing.NEVER),
)


class RulesEditor:
    """Rows for a form, from which the rules are read."""

    def __init__(
        self, rules: Rules | None, on_change: Callable[[], None], *, has_host: bool
    ) -> None:
        """None are the rules of the host, which can be chosen if there is a host."""
        self.rules = rules
        """The rules that are chosen; None for the host's own."""
        self._on_change = on_change
        detailed = rules or STANDARD
        presets: list[tuple[str, Rules | None]] = [("host's", None)] if has_host else []
        self._preset = Choice(
            "Rules",
            [*presets, *PRESETS.items()],
            rules,
            self._use_preset,
            help="The standard game, rules of three old programs, or those chosen below.",
        )
        self._ticks = {
            field: TickBox(_sentence(in_words(example)[0]), getattr(detailed, field), self._read)
            for field, example in _TICKED.items()
        }
        self._moon = Choice(
            "A moon",
            _MOONS,
            detailed.moon,
            self._read,
            help="What becomes of the 26 points of a player who took them all.",
        )
        self._exact_end = Choice(
            "Exact end",
            _EXACT_ENDS,
            detailed.exact_end,
            self._read,
            help="What a score of exactly the end of the game does.",
        )
        self._passing = Choice(
            "The pass",
            _PASSINGS,
            detailed.passing,
            self._read,
            help="Where three cards go, hand by hand; hold: each keeps his own.",
        )

    @property
    def rows(self) -> list[AbstractFlowWidget]:
        """The rows, in the order in which they are shown."""
        return [
            self._preset,
            urwid.Divider(),
            *self._ticks.values(),
            self._moon,
            self._exact_end,
            self._passing,
        ]

    @property
    def text(self) -> str:
        """The rules as a text, for a person."""
        return "as the host has them" if self.rules is None else str(self.rules)

    def _use_preset(self) -> None:
        self.rules = self._preset.value
        detailed = self.rules or STANDARD
        for field, tick in self._ticks.items():
            tick.set(getattr(detailed, field))
        self._moon.set(detailed.moon)
        self._exact_end.set(detailed.exact_end)
        self._passing.set(detailed.passing)
        self._on_change()

    def _read(self) -> None:
        ticked = {field: tick.on for field, tick in self._ticks.items()}
        self.rules = replace(
            STANDARD,
            moon=self._moon.value,
            exact_end=self._exact_end.value,
            passing=self._passing.value,
            **ticked,
        )
        self._preset.set(self.rules)
        self._on_change()


def _sentence(words: str) -> str:
    return words[0].upper() + words[1:]

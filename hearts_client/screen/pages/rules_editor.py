"""The rules of a table as ticks and choices: a preset, and each rule by itself."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from typing import Any, TypeVar

import urwid
from urwid.widget.widget import AbstractFlowWidget

from hearts.game.rules import PRESETS, RULES_BY_BITS, STANDARD, HouseRule, Rules
from hearts_client.screen.input.controls import LABEL_WIDTH, Choice, TickBox

T = TypeVar("T")

_COLUMNS = 81
"""Of a row, with the gap at its end."""
_TICKS = [rule for rule in RULES_BY_BITS if rule.kind is bool]
_CHOICES = [rule for rule in RULES_BY_BITS if rule.kind is not bool]


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
        self._presets = [
            Choice(
                "" if row else "Rules",
                options,
                rules,
                partial(self._use_preset, row),
                help="The standard game, another with a name, or the rules chosen below.",
            )
            for row, options in enumerate(_rows([*presets, *PRESETS.items()]))
        ]
        self._controls = {rule.field: self._control(rule, detailed) for rule in _TICKS + _CHOICES}

    def _control(self, rule: HouseRule, rules: Rules) -> TickBox | Choice[Any]:
        value = getattr(rules, rule.field)
        if rule.kind is bool:
            words = rule.values[1].words
            return TickBox(f"{words[0].upper()}{words[1:]}", value, self._read)
        choices = [(each.choice, rule.kind(number)) for number, each in enumerate(rule.values)]
        return Choice(rule.label, choices, value, self._read, help=rule.help)

    @property
    def rows(self) -> list[AbstractFlowWidget]:
        """The rows, in the order in which they are shown."""
        return [*self._presets, urwid.Divider(), *self._controls.values()]

    @property
    def text(self) -> str:
        """The rules as a text, for a person."""
        return "as the host has them" if self.rules is None else str(self.rules)

    def _use_preset(self, row: int) -> None:
        self.rules = self._presets[row].value
        self._show()

    def _read(self) -> None:
        before = rules = self.rules or STANDARD
        for field, control in self._controls.items():
            value = control.on if isinstance(control, TickBox) else control.value
            if value != getattr(before, field):
                rules = rules.having(field, value)
        self.rules = rules
        self._show()

    def _show(self) -> None:
        for preset in self._presets:
            preset.set(self.rules)
        detailed = self.rules or STANDARD
        for field, control in self._controls.items():
            control.set(getattr(detailed, field))
        self._on_change()


def _rows(options: Iterable[tuple[str, T]]) -> list[list[tuple[str, T]]]:
    """The options in rows that are as wide as a terminal at least is."""
    rows: list[list[tuple[str, T]]] = [[]]
    room = _COLUMNS - LABEL_WIDTH
    for words, value in options:
        room -= 6 + len(words)
        if room < 0:
            rows.append([])
            room = _COLUMNS - LABEL_WIDTH - 6 - len(words)
        rows[-1].append((words, value))
    return rows

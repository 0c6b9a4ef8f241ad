"""Creating a table: its name, its rules and its players; or a game alone."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, TypeVar

import urwid
from urwid.widget.widget import AbstractFlowWidget

from hearts.game.rules import (
    DEFAULT_END_SCORE,
    END_SCORES,
    PRESETS,
    RULES_BY_BITS,
    STANDARD,
    HouseRule,
    Rules,
    named_end,
    parse_rules,
)
from hearts.session.messages import NO_CLOCK_ALONE, TURN_LIMITS, Options
from hearts.settings.readers import LEVELS, whole
from hearts.wire.codec import NAME_LIMIT
from hearts_client.commands.arguments import name_text, named_deal
from hearts_client.library.reach import server_words
from hearts_client.screen.input.controls import (
    LABEL_WIDTH,
    Choice,
    ControlRow,
    Field,
    TickBox,
    in_rows,
    or_empty,
)
from hearts_client.screen.input.form import FormPage
from hearts_client.screen.wish import Join, Memory, PlayAlone
from hearts_client.session.visit import Guest
from hearts_client.words.others import shown_name

T = TypeVar("T")

_COLUMNS = 81 - LABEL_WIDTH
"""Columns of a row, with the gap at its end."""
_TICKS = [rule for rule in RULES_BY_BITS if rule.kind is bool]
_CHOICES = [rule for rule in RULES_BY_BITS if rule.kind is not bool]


class RulesEditor:
    """Rows for a form, from which the rules are read."""

    def __init__(
        self, rules: Rules | None, on_change: Callable[[], None], *, has_host: bool
    ) -> None:
        """Rules None are those of the host; they can be chosen if there is a host."""
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
            for row, options in enumerate(in_rows([*presets, *PRESETS.items()], _COLUMNS))
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
        return [*self._presets, urwid.Divider(), *self._controls.values()]

    @property
    def text(self) -> str:
        return "the server's own" if self.rules is None else str(self.rules)

    def _use_preset(self, row: int) -> None:
        self.rules = self._presets[row].value
        self._show()

    def _read(self) -> None:
        before = rules = self.rules or STANDARD
        for field, control in self._controls.items():
            if control.value != getattr(before, field):
                rules = rules.having(field, control.value)
        self.rules = rules
        self._show()

    def _show(self) -> None:
        for preset in self._presets:
            preset.set(self.rules)
        detailed = self.rules or STANDARD
        for field, control in self._controls.items():
            control.set(getattr(detailed, field))
        self._on_change()


_END_SCORE = whole(END_SCORES.start, END_SCORES.stop - 1)
_TURN_LIMIT = whole(TURN_LIMITS.start, TURN_LIMITS.stop - 1)
_NUMBER_WIDTH = 5
_DEAL_LIMIT = 200
_DEAL_WIDTH = 50


class _GamePage(FormPage[T | None]):
    def __init__(self, title: str, rules: Rules | None, *, has_host: bool, ascii: bool) -> None:
        super().__init__(title, None, ascii=ascii)
        self._editor = RulesEditor(rules, self._show_rules, has_host=has_host)

    def _number(self, label: str, value: int | None, help: str, after: str) -> Field:
        text = "" if value is None else str(value)
        width = _NUMBER_WIDTH
        return Field(label, text, width, width, self.changed, help, after=after)

    def _begin(self, *rows: AbstractFlowWidget) -> None:
        self.rows(*rows)
        self._show_rules()

    def _show_rules(self) -> None:
        self.changed()
        self.show_note(f"The rules: {self._editor.text}")


class OpeningPage(_GamePage[Join]):
    def __init__(
        self, guest: Guest, memory: Memory, levels: frozenset[int], *, ascii: bool
    ) -> None:
        """``levels`` are those of computers that the host allows; without any nothing is asked."""
        server = server_words(guest.host, guest.port)
        rules = None if memory.rules is None else parse_rules(memory.rules)
        super().__init__(f"A new table at {server}", rules, has_host=True, ascii=ascii)
        self._guest = guest
        self._name = Field(
            "Table",
            memory.table,
            30,
            NAME_LIMIT,
            self.changed,
            "For friends who know its name. Empty: you may join one that is forming.",
            after="empty: for everybody",
        )
        self._end_score = self._number(
            "Ends at",
            memory.end_score,
            "The score at which a game ends, 1 to 10000; empty: as the host has it.",
            "points",
        )
        self._turn_limit = self._number(
            "Time",
            memory.turn_limit,
            "Seconds for each choice, 15 to 3600; empty: as the host has it, none alone.",
            "seconds for a choice",
        )
        self._computers = Choice(
            "Computers",
            [(str(count), count) for count in range(4)],
            memory.computers,
            self.changed,
            help="How many of the other three seats computers have; people take the others.",
        )
        self._level = Choice(
            "Level",
            [("host's", 0), *((name, n) for name, n in LEVELS.items() if n in levels)],
            memory.level if memory.level in levels else 0,
            self.changed,
            help="How well the computers play.",
        )
        self._begin(
            self._name,
            *self._editor.rows,
            ControlRow(self._end_score, self._turn_limit),
            self._computers,
            *([self._level] if levels - {0} else []),
            self.button("Open the table", self._open, key="o"),
        )

    def _open(self) -> None:
        table = self._name.read(or_empty(name_text)) or ""
        wishes = Options(
            frozenset(range(4 - self._computers.value, 4)),
            self._editor.rules,
            self._end_score.read(or_empty(_END_SCORE)),
            self._turn_limit.read(or_empty(_TURN_LIMIT)) or (NO_CLOCK_ALONE if table else None),
            (self._level.value,) * 4,
        )
        self.finish(Join(self._guest, table, wishes))


class JoinPage(FormPage[bool]):
    """Asks whether to join a table that exists already."""

    def __init__(self, name: str, about: str, *, ascii: bool) -> None:
        super().__init__(f"The table {shown_name(name)}", False, ascii=ascii)
        self.rows(
            urwid.Text(about),
            urwid.Text("The rules you chose are not used there."),
            urwid.Divider(),
            ControlRow(
                self.button("Join it", lambda: self.finish(True), key="j"),
                self.button("Choose another name", lambda: self.finish(False), key="n"),
            ),
        )


class AlonePage(_GamePage[PlayAlone]):
    """Gives a game against computers, with rules of one's choice."""

    def __init__(self, name: str, memory: Memory, *, ascii: bool, has_deal: bool = True) -> None:
        """``has_deal`` says whether the first deal can be chosen, as at a server of one's own."""
        rules = parse_rules(memory.alone_rules)
        super().__init__("A game against three computers", rules, has_host=False, ascii=ascii)
        self._name = name
        self._usual_end = named_end(rules) or DEFAULT_END_SCORE
        self._end_score = self._number(
            "Ends at",
            memory.alone_end_score,
            f"The score at which a game ends, 1 to 10000; empty: {DEFAULT_END_SCORE}.",
            "points",
        )
        help = "The code of the first deal; RULES#CODE sets the rules too; empty: a new deal."
        self._deal = Field("Deal", "", _DEAL_WIDTH, _DEAL_LIMIT, self.changed, help)
        self._begin(
            *self._editor.rows,
            self._end_score,
            *([self._deal] if has_deal else []),
            urwid.Divider(),
            self.button("Play", self._play, key="p"),
        )

    def _show_rules(self) -> None:
        before = self._usual_end
        self._usual_end = named_end(self._editor.rules or STANDARD) or DEFAULT_END_SCORE
        if self._end_score.text == str(before):
            self._end_score.text = str(self._usual_end)
        super()._show_rules()

    def _play(self) -> None:
        end_score = self._end_score.read(or_empty(_END_SCORE))
        deal = self._deal.read(or_empty(named_deal))
        rules = self._editor.rules or STANDARD
        if deal is not None and deal.rules is not None:
            rules = deal.rules
        end_score = end_score or named_end(rules) or DEFAULT_END_SCORE
        self.finish(PlayAlone(self._name, rules, end_score, deal.text if deal else ""))

"""Creating a table: its name, its rules and who sits there; or a game alone."""

from __future__ import annotations

import urwid
from urwid.widget.widget import AbstractFlowWidget

from hearts.arguments import whole
from hearts.game.rules import DEFAULT_END_SCORE, END_SCORES, STANDARD, named_end
from hearts.session.messages import TURN_LIMITS
from hearts.wire.codec import NAME_LIMIT
from hearts_client.commands.arguments import name_text, named_deal
from hearts_client.library.reach import where
from hearts_client.words.others import shown_name

from .controls import Choice, ControlRow, Field, or_empty
from .form import FormPage, Shortcut
from .memory import Memory, wishes_of
from .rules_editor import RulesEditor
from .wish import Back, Guest, Join, PlayAlone

_END_SCORE = whole(END_SCORES.start, END_SCORES.stop - 1)
_TURN_LIMIT = whole(TURN_LIMITS.start, TURN_LIMITS.stop - 1)
_NUMBER_WIDTH = 5
_DEAL_LIMIT = 200
_DEAL_WIDTH = 50


class OpeningPage(FormPage[Join | Back]):
    """Gives the table that shall be opened at a server."""

    def __init__(self, guest: Guest, memory: Memory, *, ascii: bool, problem: str = "") -> None:
        server = where(guest.host, guest.port)
        super().__init__(f"A new table at {server}", ascii=ascii, problem=problem)
        self._guest = guest
        wishes = memory.options
        self._name = Field(
            "Table",
            memory.table,
            width=30,
            limit=NAME_LIMIT,
            on_change=self.changed,
            after="empty: for everybody",
            help="For friends who know its name. Empty: you may join one that is forming.",
        )
        self._editor = RulesEditor(wishes.rules, self._show_rules, has_host=True)
        self._end_score = _number_field(
            self,
            "Ends at",
            wishes.end_score,
            after="points",
            help="The score at which a game ends, 1 to 10000; empty: as the host has it.",
        )
        self._turn_limit = _number_field(
            self,
            "Time",
            wishes.turn_limit,
            after="seconds for a choice",
            help="The time for each choice, 15 to 3600 seconds; empty: as the host has it.",
        )
        self._computers = Choice(
            "Computers",
            [(str(count), count) for count in range(4)],
            len(wishes.computers),
            self.changed,
            help="How many of the other three seats computers have; people take the others.",
        )
        last: list[AbstractFlowWidget] = [
            ControlRow(self._end_score, self._turn_limit),
            self._computers,
            self.button("Open the table", self._open, key="o"),
        ]
        self.rows(self._name, *self._editor.rows, *last)
        self.keys(Shortcut("esc", "Back", self._back))
        self._show_rules()
        self.show_problem(problem)

    def _show_rules(self) -> None:
        self.changed()
        self.show_note(f"The rules: {self._editor.text}")

    def _open(self) -> None:
        table = self._name.read(or_empty(name_text)) or ""
        wishes = wishes_of(
            self._computers.value,
            self._editor.rules,
            self._end_score.read(or_empty(_END_SCORE)),
            self._turn_limit.read(or_empty(_TURN_LIMIT)),
        )
        self.finish(Join(self._guest, table, wishes))

    def _back(self) -> None:
        self.finish(Back())


class JoinPage(FormPage[bool]):
    """Asks whether a table that there is already is to be joined."""

    def __init__(self, name: str, about: str, *, ascii: bool) -> None:
        """``about`` is what there is to say about the table."""
        super().__init__(f"The table {shown_name(name)}", ascii=ascii)
        self.rows(
            urwid.Text(about),
            urwid.Text("What you have chosen for a new table does not count there."),
            urwid.Divider(),
            ControlRow(
                self.button("Join it", lambda: self.finish(True), key="j"),
                self.button("Choose another name", lambda: self.finish(False), key="n"),
            ),
        )
        self.keys(Shortcut("esc", "Back", lambda: self.finish(False)))


class AlonePage(FormPage[PlayAlone | Back]):
    """Gives a game against computers, with rules of one's choice."""

    def __init__(self, name: str, memory: Memory, *, ascii: bool, problem: str = "") -> None:
        super().__init__("A game against three computers", ascii=ascii, problem=problem)
        self._name = name
        self._editor = RulesEditor(memory.alone_rules, self._change_rules, has_host=False)
        self._usual_end = named_end(memory.alone_rules) or DEFAULT_END_SCORE
        self._end_score = _number_field(
            self,
            "Ends at",
            memory.alone_end_score,
            after="points",
            help=f"The score at which a game ends, 1 to 10000; empty: {DEFAULT_END_SCORE}.",
        )
        self._deal = Field(
            "Deal",
            "",
            width=_DEAL_WIDTH,
            limit=_DEAL_LIMIT,
            on_change=self.changed,
            help="The code of the first deal; RULES#CODE sets the rules too; empty: a new deal.",
        )
        last: list[AbstractFlowWidget] = [
            self._end_score,
            self._deal,
            urwid.Divider(),
            self.button("Play", self._play, key="p"),
        ]
        self.rows(*self._editor.rows, *last)
        self.keys(Shortcut("esc", "Back", self._back))
        self._show_rules()
        self.show_problem(problem)

    def _show_rules(self) -> None:
        self.changed()
        self.show_note(f"The rules: {self._editor.text}")

    def _change_rules(self) -> None:
        before = self._usual_end
        self._usual_end = named_end(self._editor.rules or STANDARD) or DEFAULT_END_SCORE
        if self._end_score.text == str(before):
            self._end_score.text = str(self._usual_end)
        self._show_rules()

    def _play(self) -> None:
        end_score = self._end_score.read(or_empty(_END_SCORE))
        deal = self._deal.read(or_empty(named_deal))
        rules = self._editor.rules or STANDARD
        if deal is not None and deal.rules is not None:
            rules = deal.rules
        end_score = end_score or named_end(rules) or DEFAULT_END_SCORE
        self.finish(PlayAlone(self._name, rules, end_score, deal.text if deal else ""))

    def _back(self) -> None:
        self.finish(Back())


def _number_field(
    page: FormPage[Join | Back] | FormPage[PlayAlone | Back],
    label: str,
    value: int | None,
    *,
    after: str,
    help: str,
) -> Field:
    return Field(
        label,
        "" if value is None else str(value),
        width=_NUMBER_WIDTH,
        limit=_NUMBER_WIDTH,
        on_change=page.changed,
        after=after,
        help=help,
    )

"""The page of the options; a change is seen at once."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Collection, Sequence
from functools import partial

import urwid
from urwid.widget.widget import AbstractFlowWidget

from hearts_client.screen.input.controls import (
    LABEL_WIDTH,
    Choice,
    Field,
    TickBox,
    WrongField,
    in_rows,
)
from hearts_client.screen.input.form import FormPage
from hearts_client.screen.input.ui import SMALLEST
from hearts_client.screen.pictures.canvas import Ink
from hearts_client.screen.settings.settings import OPTIONS, Option, Settings

_OWN_COLUMNS = SMALLEST[0] - LABEL_WIDTH - 2
_OWN_CARDS = "Cards from files; CARDS.md says how they are designed."

_Choices = list[Choice[object]]


class OptionsPage(FormPage[Settings]):
    """Gives the settings as they are in the end."""

    def __init__(
        self,
        settings: Settings,
        on_change: Callable[[Settings], None],
        *,
        own_cards: Sequence[str] = (),
        hidden: Collection[str] = (),
        ascii: bool,
    ) -> None:
        """``on_change`` gets the settings whenever one of them is another. ``own_cards`` are the
        names of cards from files, and ``hidden`` those of options that the person does not have.
        """
        super().__init__("Options", settings, ascii=ascii)
        self._settings = settings
        self._on_change = on_change
        self._readers: list[tuple[str, Callable[[], object]]] = []
        rows: list[AbstractFlowWidget] = []
        for option in (each for each in OPTIONS if each.name not in hidden):
            if option.heading:
                rows.append(urwid.Text((Ink.STRONG, option.heading)))
            if option.choices:
                rows += self._choices(option, own_cards if option.name == "cards" else ())
            elif option.read is not None:
                rows += self._fields(option, option.read)
            else:
                rows.append(self._tick(option))
        self.rows(*rows)
        self.keys(("esc", "Back", lambda: self.finish(self._settings)))

    def _choices(self, option: Option, own_cards: Sequence[str]) -> _Choices:
        """Make the row of an option, and those of the cards from files."""
        value = getattr(self._settings, option.name)
        if option.name == "cards" and value not in own_cards:
            value = self._settings.design
        choices: _Choices = []
        rows = [(option.labels[0], option.choices, option.help)]
        own: list[tuple[str, object]] = [(name, name) for name in own_cards]
        for number, names in enumerate(in_rows(own, _OWN_COLUMNS)):
            rows.append(("" if number else "Your own", names, _OWN_CARDS))
        for number, (label, row, help) in enumerate(rows):
            choose = partial(self._choose, choices, number)
            choices.append(Choice(label, row, value, choose, help=help))
        self._readers.append((option.name, lambda: choices[0].value))
        return choices

    def _choose(self, choices: _Choices, number: int) -> None:
        for choice in choices:
            choice.set(choices[number].value)
        self._read()

    def _fields(self, option: Option, read: Callable[[str], object]) -> list[Field]:
        width, limit, help = option.width, option.limit, option.help
        texts = option.show(getattr(self._settings, option.name))
        fields = [
            Field(label, text, width, limit, self._read, help)
            for label, text in zip(option.labels, texts, strict=True)
        ]
        join = option.join
        self._readers.append((option.name, lambda: join([field.read(read) for field in fields])))
        return fields

    def _tick(self, option: Option) -> TickBox:
        on = getattr(self._settings, option.name)
        tick = TickBox(option.labels[0], on, self._read, help=option.help)
        self._readers.append((option.name, lambda: tick.value))
        return tick

    def _read(self) -> None:
        """Take the valid values; a wrong one is reported, and stays as it was."""
        wrong, old = "", self._settings
        for name, read in self._readers:
            try:
                self._settings = self._settings.having(name, read())
            except (WrongField, argparse.ArgumentTypeError) as error:
                wrong = str(error)
        self.show_problem(wrong)
        if self._settings != old:
            self._on_change(self._settings)

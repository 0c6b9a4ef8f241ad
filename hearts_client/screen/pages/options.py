"""The settings, to be seen and changed; a change is seen at once."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from functools import partial
from typing import TypeVar

import urwid
from urwid.widget.widget import AbstractFlowWidget

from hearts.arguments import LEVELS, seconds
from hearts.taunt import TAUNT_LIMIT
from hearts.wire.codec import NAME_LIMIT
from hearts.wire.widths import text_width
from hearts_client.commands.arguments import name_text
from hearts_client.screen.input.controls import (
    LABEL_WIDTH,
    Choice,
    Field,
    TickBox,
    WrongField,
    or_empty,
)
from hearts_client.screen.input.form import FormPage, Shortcut
from hearts_client.screen.input.ui import SMALLEST
from hearts_client.screen.pictures.canvas import Ink
from hearts_client.screen.settings.settings import (
    LONGEST_STAY,
    MOST_TAUNTS,
    Colors,
    Design,
    Highlight,
    Settings,
)
from hearts_client.screen.settings.settings_json import command_text, computer_names, taunt_text
from hearts_client.screen.sound.sounds import PROGRAMS
from hearts_client.words.style import Sort

_SECONDS = seconds(LONGEST_STAY)
_SECONDS_WIDTH = 5
_GAP = 2
_NAME_WIDTH = 30
_TAUNT_WIDTH = 60
_COMMAND_LIMIT = 200
_PROGRAMS = ", ".join(PROGRAMS)
_PLACES = ("Left", "Across", "Right")
_SORTS = (("black and red in turn", Sort.ALTERNATING), ("always the same", Sort.SUIT))
_HIGHLIGHTS = (
    ("raised", Highlight.RAISED),
    ("inverted", Highlight.INVERTED),
    ("heavy lines", Highlight.OUTLINE),
)
_DESIGNS = (
    ("classic", Design.CLASSIC),
    ("plain", Design.PLAIN),
    ("four colours", Design.FOUR_COLORS),
)
_COLORS = (
    ("automatic", Colors.AUTO),
    ("dark", Colors.DARK),
    ("light", Colors.LIGHT),
    ("colour-blind", Colors.SAFE),
    ("none", Colors.NONE),
)
_LEVELS = tuple((name, name) for name in LEVELS)
_HEARD = (("nothing", None), ("the bell", False), ("sounds", True))
"""Whether sounds are played in place of the bell; None for neither."""

T = TypeVar("T")


class OptionsPage(FormPage[Settings]):
    """Gives the settings as they are in the end."""

    def __init__(
        self,
        settings: Settings,
        on_change: Callable[[Settings], None],
        *,
        own_cards: Sequence[str] = (),
        ascii: bool,
    ) -> None:
        """``on_change`` gets the settings whenever one of them is another. ``own_cards`` are the
        names of cards from files.
        """
        super().__init__("Options", ascii=ascii)
        self._settings = settings
        self._on_change = on_change
        self._wrong = ""
        self._sort = Choice(
            "Suits",
            _SORTS,
            settings.sort,
            self._read,
            help="The order of the suits in your hand: clubs, diamonds, hearts, spades, or mixed.",
        )
        is_own = settings.own_cards in own_cards
        self._design = Choice[Design | None](
            "Cards",
            _DESIGNS,
            None if is_own else settings.design,
            self._choose_design,
            help="What the cards look like.",
        )
        self._own_cards = [
            Choice(
                "" if row else "Your own",
                [(name, name) for name in names],
                settings.own_cards,
                partial(self._choose_own, row),
                help="Cards from files; CARDS.md says how they are designed.",
            )
            for row, names in enumerate(_in_rows(own_cards))
        ]
        self._highlight = Choice(
            "Chosen",
            _HIGHLIGHTS,
            settings.highlight,
            self._read,
            help="How the card is marked that Enter would take.",
        )
        self._colors = Choice(
            "Colours",
            _COLORS,
            settings.colors,
            self._read,
            help="For a dark or a light background, without red and green, or no colours at all.",
        )
        self._heard = Choice[bool | None](
            "To hear",
            _HEARD,
            settings.sounds if settings.bell else None,
            self._read,
            help="At your turn, the queen and a moon. At the table, z turns it off and on.",
        )
        self._sound_command = self._text_field(
            "Sounds by",
            settings.sound_command,
            _TAUNT_WIDTH,
            _COMMAND_LIMIT,
            f"A program with options, which gets a WAV file; empty: {_PROGRAMS}.",
        )
        self._trick_stays = self._seconds_field(
            "A trick", settings.trick_stays, "For so long a trick lies; empty: until a key."
        )
        self._bot_pause = self._seconds_field(
            "A computer", settings.bot_pause, "So long a computer thinks, in a game alone."
        )
        self._notice_stays = self._seconds_field(
            "A notice", settings.notice_stays, "For so long a notice is shown."
        )
        self._key_waits = self._seconds_field(
            "Keys",
            settings.key_waits,
            "So long after a change Enter, Space, y, n and clicks do nothing.",
        )
        self._asks_twice = TickBox(
            "Ask before a queen of spades, king or ace that need not be played",
            settings.asks_twice,
            self._read,
            help="Where it would take the trick, though you may play a lower card of its suit.",
        )
        self._finishes_slowly = TickBox(
            "Show each card of a hand that a computer finishes",
            settings.finishes_slowly,
            self._read,
            help="Otherwise f finishes it at once, as far as the others let it.",
        )
        self._chooses_ahead = TickBox(
            "Choose a card before it is your turn",
            settings.chooses_ahead,
            self._read,
            help="Enter or a click chooses it, and again takes it back. It is played in its turn.",
        )
        self._computers = [
            self._text_field(place, name, _NAME_WIDTH, NAME_LIMIT, "The name of that computer.")
            for place, name in zip(_PLACES, settings.computers, strict=True)
        ]
        self._level = Choice(
            "They play",
            _LEVELS,
            settings.level,
            self._read,
            help="As beginners, by rules or by search, from the next game on. Expert is an extra.",
        )
        self._taunts = [
            self._text_field(
                f"! {number}",
                taunt,
                _TAUNT_WIDTH,
                TAUNT_LIMIT,
                "What is said at the table with these two keys; empty ones are left out.",
            )
            for number, taunt in enumerate(_padded(settings.taunts), 1)
        ]
        self.rows(
            self._design,
            *self._own_cards,
            self._highlight,
            self._sort,
            self._colors,
            self._heard,
            self._sound_command,
            self._asks_twice,
            self._chooses_ahead,
            self._finishes_slowly,
            _head("Seconds"),
            self._trick_stays,
            self._notice_stays,
            self._bot_pause,
            self._key_waits,
            _head("The computers of a game alone"),
            self._level,
            *self._computers,
            _head("What can be said with one key"),
            *self._taunts,
        )
        self.keys(Shortcut("esc", "Back", lambda: self.finish(self._settings)))

    def _seconds_field(self, label: str, value: float | None, help: str) -> Field:
        text = "" if value is None else f"{value:g}"
        return self._text_field(label, text, _SECONDS_WIDTH, _SECONDS_WIDTH, help)

    def _text_field(self, label: str, text: str, width: int, limit: int, help: str) -> Field:
        return Field(label, text, width=width, limit=limit, on_change=self._read, help=help)

    def _choose_design(self) -> None:
        for choice in self._own_cards:
            choice.set("")
        self._read()

    def _choose_own(self, row: int) -> None:
        name = self._own_cards[row].value
        self._design.set(None)
        for choice in self._own_cards:
            choice.set(name)
        self._read()

    def _read(self) -> None:
        """Take what is right; what is wrong is told, and stays as it was."""
        self._wrong = ""
        old = self._settings
        self._settings = Settings(
            sort=self._sort.value,
            trick_stays=self._or_old(
                lambda: self._trick_stays.read(or_empty(_SECONDS)), old.trick_stays
            ),
            bot_pause=self._or_old(lambda: self._bot_pause.read(_SECONDS), old.bot_pause),
            notice_stays=self._or_old(lambda: self._notice_stays.read(_SECONDS), old.notice_stays),
            key_waits=self._or_old(lambda: self._key_waits.read(_SECONDS), old.key_waits),
            asks_twice=self._asks_twice.on,
            chooses_ahead=self._chooses_ahead.on,
            finishes_slowly=self._finishes_slowly.on,
            highlight=self._highlight.value,
            design=old.design if self._design.value is None else self._design.value,
            own_cards=self._own_cards[0].value if self._design.value is None else "",
            colors=self._colors.value,
            bell=self._heard.value is not None,
            sounds=old.sounds if self._heard.value is None else self._heard.value,
            sound_command=self._or_old(
                lambda: self._sound_command.read(command_text), old.sound_command
            ),
            computers=self._or_old(self._read_computers, old.computers),
            level=self._level.value,
            taunts=self._or_old(self._read_taunts, old.taunts),
        )
        self.show_problem(self._wrong)
        if self._settings != old:
            self._on_change(self._settings)

    def _or_old(self, read: Callable[[], T], old: T) -> T:
        try:
            return read()
        except (WrongField, argparse.ArgumentTypeError) as error:
            self._wrong = str(error)
            return old

    def _read_computers(self) -> tuple[str, str, str]:
        return computer_names([field.read(name_text) for field in self._computers])

    def _read_taunts(self) -> tuple[str, ...]:
        taunts = [field.read(or_empty(taunt_text)) for field in self._taunts]
        return tuple(taunt for taunt in taunts if taunt is not None)


def _padded(taunts: tuple[str, ...]) -> list[str]:
    return [*taunts, *[""] * (MOST_TAUNTS - len(taunts))]


def _in_rows(names: Sequence[str]) -> list[list[str]]:
    """Names in as many rows as they need beside their label."""
    rows: list[list[str]] = []
    room = 0
    for name in names:
        width = text_width(f"( ) {name}", ambiguous=2) + _GAP
        if width > room:
            rows.append([])
            room = SMALLEST[0] - LABEL_WIDTH - 2
        rows[-1].append(name)
        room -= width
    return rows


def _head(text: str) -> AbstractFlowWidget:
    return urwid.Text((Ink.STRONG, text))

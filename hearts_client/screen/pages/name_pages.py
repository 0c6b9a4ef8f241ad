"""Pages for a name of one's own at a server: claim it, write its words down, take it back."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum, auto
from functools import partial

import urwid
from msgspec import Struct
from urwid.widget.widget import AbstractFlowWidget

from hearts.errors import HeartsError, leaves
from hearts.names.words import CHECKED, is_word, secret_of, words_of
from hearts_client.library.reach import where
from hearts_client.names.kept import KeptNames
from hearts_client.names.own_name import UNSAFE, OwnName, claim
from hearts_client.screen.input.controls import ControlRow, Field
from hearts_client.screen.input.form import FormPage
from hearts_client.screen.input.ui import Ui, waiting
from hearts_client.screen.pictures.canvas import Ink
from hearts_client.session.visit import Guest, complaint
from hearts_client.words.others import shown_name
from hearts_client.words.style import sentence

from .device_pages import ask_in, let_in, show_devices

_ABOUT = (
    "Nobody else can be called {name} there then. A key for it is kept in a file of yours; there "
    "is no password and no mail address. Everybody else is a guest, with ~ in front of their name."
)
_BY_SSH = (
    "Nobody else can be called {name} here then. Your ssh key proves it: give the same name when "
    "you come again. All hosts see this one key, and this one could use the name without it. "
    "Everybody else is a guest, with ~ in front of their name."
)
_WRITE = (
    "Write these twelve words down, in this order. With them you have your names back on any "
    "machine; without them they are lost with this one. They are shown this once."
)
_WORDS_LIMIT = 400


class NameAct(Enum):
    CLAIM = auto()
    WRITE_DOWN = auto()
    ASK_IN = auto()
    DEVICES = auto()


class TypedWords(Struct, frozen=True, gc=False):
    """The words that somebody has typed to have their names back."""

    words: str


class TypedCode(Struct, frozen=True, gc=False):
    """The code of another device, as somebody has typed it."""

    code: str


class NamePage(FormPage[NameAct | TypedWords | TypedCode | None]):
    """Gives what to do about the name at a server; None to leave it."""

    def __init__(
        self, guest: Guest, kept: KeptNames, *, ascii: bool, problem: str = "", typed: str = ""
    ) -> None:
        """``typed`` are words that were typed before, and were wrong."""
        at, name = where(guest.host, guest.port), shown_name(guest.name)
        super().__init__(f"A name of your own at {at}", None, ascii=ascii, problem=problem)
        known = kept.at(OwnName(kept, guest.host, guest.port).address)
        is_own = known is not None and known.name == guest.name
        self._words = Field(
            "Words", typed, 60, _WORDS_LIMIT, self.changed,
            "The twelve words from your paper; the first four letters of each are enough.",
            on_enter=partial(self.do, self._take_back),
        )  # fmt: skip
        why = _BY_SSH if kept.is_visitor else _ABOUT
        about = [f"{name} is your name there." if is_own else why.format(name=name)]
        if guest.tls is None and not is_own and not kept.is_visitor:
            about.append(UNSAFE)
        make = self.button(
            f"Make {name} your own", partial(self.finish, NameAct.CLAIM), key="m",
            help="From then on you prove that it is yours, whenever you play there.",
        )  # fmt: skip
        write = self.button(
            "Write the twelve words down", partial(self.finish, NameAct.WRITE_DOWN), key="w",
            help="They are the only way back to your names when this machine is gone.",
        )  # fmt: skip
        self._code = Field(
            "Code", "", 12, 12, self.changed, "It stands on the other device, which asked for it.",
            on_enter=partial(self.do, self._let_in),
        )  # fmt: skip
        others = [
            self.button("Devices", partial(self.finish, NameAct.DEVICES), key="d",
                help="All that have the name, and how one loses it."),
            ControlRow(self._code, self.button("Let another device in", self._let_in, key="l")),
        ]  # fmt: skip
        too = self.button(
            f"I am {name} on another device", partial(self.finish, NameAct.ASK_IN), key="o",
            help="That device lets this one in, by a code.",
        )  # fmt: skip
        paper: list[AbstractFlowWidget] = [
            urwid.Divider(),
            urwid.Text((Ink.STRONG, "From your paper")),
            self._words,
            self.button("Take my name back", self._take_back, key="t"),
        ]
        self.rows(
            *(urwid.Text(text) for text in about),
            urwid.Divider(),
            *(others if is_own else [make, too]),
            *([write] if kept.owes_words else []),
            *([] if kept.is_visitor else paper),
        )

    def _let_in(self) -> None:
        self.finish(TypedCode(self._code.text))

    def _take_back(self) -> None:
        self.finish(TypedWords(self._words.text))


class WordsPage(FormPage[bool]):
    """Shows the words; gives True if they are written down."""

    def __init__(self, words: Sequence[str], *, ascii: bool) -> None:
        super().__init__("Your twelve words", False, leaving="Later", ascii=ascii)
        half = len(words) // 2
        left, right = (
            urwid.Text(
                [
                    (Ink.STRONG, f"{number:4}  {word}\n")
                    for number, word in enumerate(some, 1 + start)
                ]
            )
            for start, some in ((0, words[:half]), (half, words[half:]))
        )
        self.rows(
            urwid.Text(_WRITE),
            urwid.Divider(),
            urwid.Columns([left, right]),
            self.button("I have written them down", partial(self.finish, True), key="w"),
        )


class CheckPage(FormPage[bool]):
    """Has some of the words typed; gives True if they are right, and False to see them again."""

    def __init__(self, words: Sequence[str], *, ascii: bool) -> None:
        super().__init__("Your twelve words", False, leaving="See them again", ascii=ascii)
        self._asked = [
            (words[number - 1], Field(f"Word {number}", "", 20, 20, self.changed, ""))
            for number in CHECKED
        ]
        self.rows(
            urwid.Text("Type these words from your paper."),
            ControlRow(*(field for _, field in self._asked)),
            self.button("Done", self._check, key="d"),
        )

    def _check(self) -> None:
        if all(is_word(field.text, word) for word, field in self._asked):
            self.finish(True)
        else:
            self.show_problem("These are not the words. Look at your paper again.")


async def manage_name(ui: Ui, guest: Guest, kept: KeptNames, *, ascii: bool) -> None:
    """Let a person do what they want with their name at a server. Raises CannotKeepNames."""
    said = typed = ""
    while True:
        act = await ui.run(NamePage(guest, kept, ascii=ascii, problem=said, typed=typed))
        said = typed = ""
        try:
            match act:
                case None:
                    return
                case TypedWords(words):
                    typed = words
                    await kept.use_secret(secret_of(words))
                    said, typed = await _claim(ui, kept, guest), ""
                case NameAct.CLAIM:
                    said = await _claim(ui, kept, guest)
                    await _write_down(ui, kept, ascii=ascii)
                case NameAct.ASK_IN:
                    said = await ask_in(ui, kept, guest, ascii=ascii)
                case TypedCode(code):
                    said = await let_in(ui, kept, guest, code, ascii=ascii)
                case NameAct.DEVICES:
                    said = await show_devices(ui, kept, guest, ascii=ascii)
                case NameAct.WRITE_DOWN:
                    await _write_down(ui, kept, ascii=ascii)
        except* HeartsError as errors:
            why = complaint(next(leaves(errors)), came_back=False, password="type it at the start")
            said = sentence(why)


async def _claim(ui: Ui, kept: KeptNames, guest: Guest) -> str:
    with waiting(ui, f"Asking {where(guest.host, guest.port)}..."):
        return " ".join(await claim(kept, guest))
    return ""


async def _write_down(ui: Ui, kept: KeptNames, *, ascii: bool) -> None:
    words = words_of(kept.secret)
    while kept.owes_words and await ui.run(WordsPage(words, ascii=ascii)):
        if await ui.run(CheckPage(words, ascii=ascii)):
            await kept.wrote_down()

"""The start screen: the things that a person can do before there is a table."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from functools import partial
from secrets import token_hex

import urwid
from msgspec.structs import replace
from urwid.widget.widget import AbstractFlowWidget

from hearts.settings.readers import whole
from hearts.wire.codec import NAME_LIMIT
from hearts_client.commands.arguments import address, name_text, password_text
from hearts_client.library.reach import PASSWORD_VARIABLE, Tls, server_words, where
from hearts_client.screen.input.controls import (
    Button,
    ControlRow,
    Field,
    TickBox,
    WrongField,
    or_empty,
)
from hearts_client.screen.input.form import FormPage, cut
from hearts_client.screen.pictures.canvas import Ink
from hearts_client.screen.wish import (
    ArrangeAlone,
    Join,
    Memory,
    OpenTableWish,
    OwnNameWish,
    PlayDay,
    Resume,
    ShowTables,
    StartWish,
    Wish,
)
from hearts_client.session.saved import SavedSession
from hearts_client.session.visit import Guest
from hearts_client.words.others import shown_name

_SUITS = [(Ink.CARD, "♠ "), (Ink.CARD_RED, "♥ "), (Ink.CARD, "♣ "), (Ink.CARD_RED, "♦ ")]
_ADDRESS_LIMIT = 260
_PASSWORD_LIMIT = 1023
_CHAT_PORT = whole(0, 65535)
_MOST_SAVED = 9
"""There is a digit for each; ``--resume`` knows of the others."""
_SAVED_WIDTH = 70
_HELP = {
    "l": "Learn Hearts in one hand against computers, in which nothing counts.",
    "c": "Choose rules, or a deal that you know, for a game against computers.",
    "j": "Sit at a public table that is forming, or a new one; or at the table named above.",
    "t": "List the public tables of the server, to join one or watch it.",
    "n": "Open a table with rules of your choice, perhaps for friends only.",
    "w": "Sit at your own table; players at other tables can invite you.",
    "y": "Where the host lets names be claimed: have yours for yourself, or take it back.",
    "d": "Four hands, the same for everybody at that server: one try, and then your place.",
    "m": "Choices that cost you points, from your own games: what would you play now?",
    "f": "Choose or make a profile: settings, statistics and games belong to it.",
}


class StartPage(FormPage[Wish]):
    """Gives the next wish; :attr:`remembered` is what has been typed by then."""

    def __init__(
        self,
        memory: Memory,
        saved: Sequence[SavedSession] = (),
        *,
        name: str,
        profile: str = "",
        is_visitor: bool = False,
        mistakes: str = "Mistakes",
        day: str = "The deal of the day",
        ascii: bool,
        problem: str = "",
    ) -> None:
        """``saved`` are the games to come back to, the latest first.

        ``name`` is what the person is called where nothing is remembered, and ``profile`` whose
        settings and games they are; empty for the user who is logged in. A visitor has this one
        server, no profile and no records. ``mistakes`` and ``day`` are labels of buttons.
        ``problem`` is why the last wish was not fulfilled.
        """
        super().__init__(
            _heading(ascii), StartWish.QUIT, leaving="Quit", ascii=ascii, problem=problem
        )
        self._memory = memory
        changed, wish, guest, named = self.changed, self._wish, self._guest, self._read_name
        server = where(memory.host, memory.port)
        self._name = Field(
            "Your name",
            memory.name or name,
            30,
            NAME_LIMIT,
            changed,
            "The name that the others see.",
        )
        self._server = Field(
            "Server",
            server,
            42,
            _ADDRESS_LIMIT,
            changed,
            "The name or the address of the host, with its port if it is not 7626.",
        )
        self._tls = TickBox(
            "TLS",
            memory.tls is not None,
            changed,
            help="Use TLS, if the server does: nobody else can read or change what is sent.",
        )
        self._password = Field(
            "Password",
            "",
            30,
            _PASSWORD_LIMIT,
            changed,
            "If the server asks for one; it is not kept.",
            secret=True,
        )
        self._table = Field(
            "Table",
            "",
            30,
            NAME_LIMIT,
            changed,
            "The name of a table to join; empty: the next free seat. A new name opens one.",
        )
        self._chat = Field(
            "Chat port",
            str(memory.taunt_port),
            5,
            5,
            changed,
            "The port of the server's chat, as the host has told it; 0 for no chat.",
        )
        # A table with a name that nobody else would take.
        waiting = f"waiting {token_hex(4)}"
        play = self.button(
            "Play now against three computers",
            lambda: self.finish(memory.alone(named())),
            key="p",
            help=f"The rules: {memory.alone_rules}, to {memory.alone_end_score}.",
        )
        # What belongs to a machine of one's own has no keys for a visitor.
        learn: list[Button] = []
        reach: list[AbstractFlowWidget] = []
        records: list[Button] = []
        profiles: list[Button] = []
        names = [wish("y", "A name of your own", lambda: OwnNameWish(guest()))]
        if not is_visitor:
            learn = [wish("l", "Your first hand, explained", lambda: StartWish.LESSON)]
            reach = [
                ControlRow(self._server, self._tls),
                ControlRow(self._password, self._chat),
            ]
            records = [
                wish("s", "Statistics", lambda: StartWish.STATISTICS),
                wish("r", "Replays", lambda: StartWish.RECORDS),
            ]
            profiles = [
                wish("m", mistakes, lambda: StartWish.MISTAKES),
                wish("f", f"Profile: {profile or 'none'}", lambda: StartWish.PROFILES),
            ]
        self.rows(
            _head("Alone"),
            ControlRow(play, wish("c", "Choose rules", lambda: ArrangeAlone(named()))),
            ControlRow(*learn, wish("h", "How Hearts is played", lambda: StartWish.RULES)),
            urwid.Divider(),
            _head("With others" if is_visitor else "At a server"),
            self._name,
            *reach,
            self._table,
            ControlRow(
                wish(
                    "j",
                    "Join the next free seat",
                    lambda: Join(guest(), self._table.read(or_empty(name_text)) or ""),
                ),
                wish("t", "Tables", lambda: ShowTables(guest())),
                wish("n", "New table", lambda: OpenTableWish(guest())),
            ),
            ControlRow(
                wish("w", "Wait to be invited", lambda: Join(guest(), waiting, waits=True)),
                *names,
                wish("d", day, lambda: PlayDay(guest())),
            ),
            urwid.Divider(),
            *self._saved_rows(saved[:_MOST_SAVED]),
            ControlRow(
                *records,
                wish("o", "Options", lambda: StartWish.OPTIONS),
                wish("q", "Quit", lambda: StartWish.QUIT),
            ),
            *([ControlRow(*profiles)] if profiles else []),
        )
        # The name is kept from the first time on.
        self.focus_on(play if memory.name or not learn else learn[0])

    def _wish(self, key: str, label: str, wish: Callable[[], Wish]) -> Button:
        return self.button(label, lambda: self.finish(wish()), key=key, help=_HELP.get(key, ""))

    def _saved_rows(self, saved: Sequence[SavedSession]) -> list[AbstractFlowWidget]:
        if not saved:
            return []
        buttons = [
            self.button(
                cut(_saved_line(session), _SAVED_WIDTH),
                partial(self.finish, Resume(session)),
                key=str(number),
                help="Take your seat again.",
            )
            for number, session in enumerate(saved, 1)
        ]
        return [_head("Come back to"), *buttons, urwid.Divider()]

    @property
    def remembered(self) -> Memory:
        """The memory with what has been typed, as far as it is right."""
        memory = self._memory
        try:
            memory = replace(memory, name=self._read_name())
            host, port = self._server.read(address)
        except WrongField:
            return memory
        memory = replace(memory, host=host, port=port, tls=self._read_tls())
        try:
            return replace(memory, taunt_port=self._chat.read(_CHAT_PORT))
        except WrongField:
            return memory

    def _guest(self) -> Guest:
        name = self._read_name()
        host, port = self._server.read(address)
        password = self._password.read(or_empty(password_text))
        password = password or os.environ.get(PASSWORD_VARIABLE, "")
        chat = self._chat.read(_CHAT_PORT)
        return Guest(host, port, name, self._read_tls(), password, chat)

    def _read_name(self) -> str:
        return self._name.read(name_text)

    def _read_tls(self) -> Tls | None:
        return (self._memory.tls or Tls()) if self._tls.value else None


def _heading(ascii: bool) -> list[tuple[Ink, str]]:
    title = (Ink.TITLE, "H E A R T S")
    if ascii:
        return [title]
    return [*_SUITS, (Ink.TITLE, "  "), title, (Ink.TITLE, "   "), *reversed(_SUITS)]


def _head(text: str) -> urwid.Text:
    return urwid.Text((Ink.STRONG, text))


def _saved_line(saved: SavedSession) -> str:
    progress, place = saved.progress, saved.place
    name = shown_name(progress.names[progress.player])
    at = "Alone" if place.solo else server_words(place.host, place.port)
    return f"{at} as {name}, {saved.hands_played}"

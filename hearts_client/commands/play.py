"""A person plays in a terminal, line by line."""

from __future__ import annotations

import argparse
import contextlib
import os
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager

import trio
from msgspec.structs import replace

from hearts.errors import HeartsError, leaves
from hearts.game.deal import NO_CUTS, parse_deal_text
from hearts.session.client_events import RegistrationRefused
from hearts.session.messages import Refusal
from hearts.session.resume_token import ResumeToken
from hearts.session.table_words import Introduction, PlayerKind
from hearts_client.library.client import Client
from hearts_client.library.connecting import connect
from hearts_client.library.dialects import Dialect
from hearts_client.library.reach import CannotConnect, where
from hearts_client.library.retries import RETRY_LIMIT
from hearts_client.lines.asking import ask_password, can_ask
from hearts_client.lines.keyboard import read_lines
from hearts_client.lines.person import Ending, Person
from hearts_client.session.analyst import Analyst
from hearts_client.session.places import Places, at_home, places_of
from hearts_client.session.saved import (
    Keeper,
    SavedSession,
    SessionPlace,
    choose,
    read_all,
)
from hearts_client.session.solo_folders import folder_of, kept, new_name
from hearts_client.words.complaints import complaint
from hearts_client.words.rule_words import computers_line
from hearts_client.words.style import Sort, Style

from .arguments import (
    DEFAULT_TAUNT_PORT,
    PASSWORD_VARIABLE,
    default_name,
    dialect_of,
    password_of,
    profile_of,
    tls_of,
)
from .options import table_options
from .solo import LOOPBACK, own_server
from .without_seat import list_tables, wants_table, watch_table

_QUEUED_LINES = 100
_PERSON = Introduction(PlayerKind.PERSON, cuts=True)
_ALONE = Introduction(PlayerKind.PERSON)
"""Whoever plays alone may want a deal of his choice, so he does not cut it."""
_STDIN = 0
_LEVEL = "simple"
"""How well the computers of a game alone play."""
_BOT_PAUSE = 0.5
"""Seconds before a computer's choice in a game alone."""
_FAILED = 2
_INTERRUPTED = 130


def play(given: argparse.Namespace, *, ascii: bool) -> int:
    """Play line by line as the options say; gives the exit status."""
    style = Style(
        ascii=ascii,
        color=_wants_color(given.color),
        sort=Sort(given.sort or Sort.ALTERNATING.value),
    )
    try:
        return trio.run(_App(given, style, places_of(profile_of(given))).run)
    except KeyboardInterrupt:
        return _INTERRUPTED


def _wants_color(wish: str) -> bool:
    if wish == "auto":
        plain = "NO_COLOR" in os.environ or os.environ.get("TERM", "dumb") == "dumb"
        return sys.stdout.isatty() and not plain
    return wish == "always"


def _say(line: str) -> None:
    # A terminal that is stopped (Ctrl-S) holds us up here. The table does not wait for us, and
    # what we owe is sent when the terminal goes on.
    encoding = sys.stdout.encoding or "ascii"
    print(line.encode(encoding, "replace").decode(encoding), flush=True)


class _App:
    """One run of the program."""

    def __init__(self, given: argparse.Namespace, style: Style, places: Places) -> None:
        self._given = given
        self._style = style
        self._places = places
        self._name = given.name or places.profile or default_name()
        self._password = password_of(given)
        self._typed = ""
        """The password that was asked for, and typed."""
        self._status = 0
        self._keeper: Keeper | None = None
        self._analyst = Analyst()

    async def run(self) -> int:
        """Play until the end; gives the exit status."""
        send, receive = trio.open_memory_channel[str](_QUEUED_LINES)
        signals = {signal.SIGINT, signal.SIGTERM, signal.SIGHUP}
        try:
            with trio.open_signal_receiver(*signals) as received:
                async with trio.open_nursery() as nursery:
                    nursery.start_soon(self._leave_on_signal, received, nursery.cancel_scope)
                    if not self._given.list and self._given.watch is None:
                        nursery.start_soon(read_lines, _STDIN, send)
                        nursery.start_soon(self._analyst.run)
                    await self._play(receive)
                    nursery.cancel_scope.cancel()
        except* HeartsError as errors:
            self._complain(errors)
        except* BrokenPipeError:
            self._fall_silent()
        except* OSError as errors:
            # The terminal may be gone, and then this line is lost too.
            with contextlib.suppress(OSError):
                print(f"hearts-client: {next(leaves(errors))}", file=sys.stderr)
            self._fall_silent()
        return self._status

    def _fall_silent(self) -> None:
        # Python would try to write what is left at exit, and complain.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        self._status = _FAILED

    async def _leave_on_signal(self, received: AsyncIterator[int], scope: trio.CancelScope) -> None:
        await anext(received)
        _say("")
        _say("You leave the table.")
        self._say_how_to_come_back()
        self._status = _INTERRUPTED
        scope.cancel()

    def _complain(self, errors: BaseExceptionGroup[HeartsError]) -> None:
        self._status = _FAILED
        for error in leaves(errors):
            text = complaint(
                error,
                came_back=self._given.resume is not None,
                password="give it with --password-file or in the environment "
                f"({PASSWORD_VARIABLE})",
            )
            print(f"hearts-client: {text}", file=sys.stderr)
            if isinstance(error, CannotConnect) and self._given.resume is None:
                print("To play against the computer: hearts-client --solo", file=sys.stderr)

    async def _play(self, lines: trio.MemoryReceiveChannel[str]) -> None:
        given = self._given
        if given.list:
            await list_tables(given, self._name, self._password, _say)
        elif given.watch is not None:
            if not await watch_table(given, self._name, self._password, self._style, _say):
                self._status = 1
        elif given.solo:
            await self._play_solo(lines)
        elif given.resume is not None:
            await self._resume(given.resume, lines)
        else:
            host, port = given.server
            chat = DEFAULT_TAUNT_PORT if given.taunt_port is None else given.taunt_port
            dialect = dialect_of(given) or Dialect.DEALER
            place = SessionPlace(host, port, chat, tls_of(given), dialect)
            if given.table is None or await wants_table(
                given, self._name, self._password, lines, _say
            ):
                await self._play_at(place, None, lines)

    async def _resume(self, wanted: str, lines: trio.MemoryReceiveChannel[str]) -> None:
        folder = at_home(self._places.sessions)
        sessions, problems = await trio.to_thread.run_sync(read_all, folder)
        for problem in problems:
            print(f"hearts-client: {problem}", file=sys.stderr)
        chosen = choose(sessions, wanted, self._places.command)
        if self._given.taunt_port is not None:
            place = replace(chosen.place, taunt_port=self._given.taunt_port)
            chosen = replace(chosen, place=place)
        dialect = dialect_of(self._given)
        if dialect is not None:
            chosen = replace(chosen, place=replace(chosen.place, dialect=dialect))
        if chosen.place.solo:
            await self._play_solo(lines, chosen)
        else:
            await self._play_at(chosen.place, chosen, lines)

    async def _play_at(
        self,
        place: SessionPlace,
        saved: SavedSession | None,
        lines: trio.MemoryReceiveChannel[str],
    ) -> None:
        # Without a home the game is played and not saved.
        sessions = self._places.sessions
        if sessions is not None:
            self._keeper = Keeper(sessions, place, _say, saved)
        async with self._connect(place, saved.progress if saved is not None else None) as client:
            _say(f"Connected to {where(place.host, place.port)} as {self._name_of(saved)}.")
            person = Person(
                client,
                self._style,
                _say,
                record_folder=self._given.record,
                keeper=self._keeper,
                dialect=place.dialect,
                invite=place.invite,
                ask=self._analyst.ask,
            )
            try:
                ending = await person.play(lines, place.chat, place.tls)
            except RegistrationRefused as error:
                if not self._may_ask(error):
                    raise
            else:
                self._finish(ending)
                return
        self._typed = await ask_password(lines, _say, is_wrong=bool(self._typed))
        if self._typed:
            await self._play_at(place, saved, lines)

    def _may_ask(self, error: RegistrationRefused) -> bool:
        # One that was given with an option is wrong for good.
        return error.code == Refusal.BAD_PASSWORD and not self._password and can_ask()

    def _name_of(self, saved: SavedSession | None) -> str:
        return self._name if saved is None else saved.progress.names[saved.progress.player]

    async def _play_solo(
        self, lines: trio.MemoryReceiveChannel[str], saved: SavedSession | None = None
    ) -> None:
        deal = self._given.deal or ""
        ending = Ending.AGAIN
        while ending is Ending.AGAIN:
            ending, deal = await self._play_here(lines, deal, saved)
            saved = None
            if ending is Ending.AGAIN:
                _say("")
                _say(f"The deal {deal} again, as the first hand of a new game.")
        self._finish(ending)

    async def _play_here(
        self, lines: trio.MemoryReceiveChannel[str], deal: str, saved: SavedSession | None
    ) -> tuple[Ending, str]:
        """Play one game alone; how it ended, and its last deal."""
        given, sessions = self._given, self._places.sessions
        solo = saved.place.solo if saved is not None else new_name()
        dialect = dialect_of(given) or Dialect.DEALER
        folder = None if sessions is None else folder_of(sessions, solo)
        keeper: Keeper | None = None

        def is_kept() -> bool:
            return (saved if keeper is None else keeper.kept) is not None

        server = own_server(
            [deal] if deal else [],
            turn_limit=given.turn_limit or 0,
            bot_pause=_BOT_PAUSE if given.bot_pause is None else given.bot_pause,
            data_dir=folder,
            level=given.level or _LEVEL,
        )
        async with kept(folder, is_kept), server as (port, chat_port):
            _say(f"A game against three computers {'begins' if saved is None else 'goes on'}.")
            if given.level is not None:
                _say(computers_line(given.level))
            place = SessionPlace(LOOPBACK, port, chat_port, None, dialect, solo)
            if sessions is not None:
                self._keeper = keeper = Keeper(sessions, place, _say, saved)
            come_back = None if saved is None else saved.progress
            joining = self._connect(place, come_back, retry_limit=0, deal=deal)
            async with joining as client:
                person = Person(
                    client,
                    self._style,
                    _say,
                    deal=deal,
                    solo=True,
                    record_folder=given.record,
                    keeper=keeper,
                    dialect=dialect,
                    ask=self._analyst.ask,
                )
                ending = await person.play(lines, place.chat)
                return ending, person.last_deal

    def _connect(
        self,
        place: SessionPlace,
        come_back: ResumeToken | None = None,
        *,
        retry_limit: float = RETRY_LIMIT,
        deal: str = "",
    ) -> AbstractAsyncContextManager[Client]:
        given = self._given
        return connect(
            place.host,
            place.port,
            name=self._name,
            table=given.table or "",
            options=table_options(given),
            password=self._password or self._typed,
            tls=place.tls,
            come_back=come_back,
            retry_limit=retry_limit,
            dialect=place.dialect,
            introduction=_ALONE if place.solo else _PERSON,
            first_cuts=parse_deal_text(deal)[1] if deal else NO_CUTS,
        )

    def _finish(self, ending: Ending) -> None:
        if ending is Ending.LEFT:
            _say("You leave the table.")
        elif ending is Ending.LOST:
            self._status = 1
        self._say_how_to_come_back()

    def _say_how_to_come_back(self) -> None:
        if self._keeper is not None and self._keeper.kept is not None:
            _say(f"To come back: {self._places.command} --resume {self._keeper.kept.choice}")

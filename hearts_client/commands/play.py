"""A person plays in a terminal, line by line."""

from __future__ import annotations

import argparse
import contextlib
import os
import sys
from collections.abc import AsyncIterator
from functools import partial

import trio
from msgspec.structs import replace

from hearts.errors import HeartsError, leaves
from hearts.net.system import LEAVING
from hearts.session.client_events import RegistrationRefused
from hearts.session.messages import Options
from hearts.settings.option_rows import FAILED, INTERRUPTED, NOT_ALL
from hearts_client.days.visitor import TodaysDeal, days_of
from hearts_client.door_link import DoorLink, VisitorKeeper
from hearts_client.library.dialects import Dialect
from hearts_client.library.reach import PASSWORD_VARIABLE, CannotConnect, server_words
from hearts_client.lines.keyboard import ask_password, can_ask, read_lines
from hearts_client.lines.onlooker import look_on
from hearts_client.lines.person import Ending, Person
from hearts_client.names.kept import KeptNames
from hearts_client.names.own_name import own_name, seats_elsewhere
from hearts_client.par.pars import ParFile, Reckoner, pars_of
from hearts_client.session.own_record import OwnRecord
from hearts_client.session.own_server import Computers
from hearts_client.session.places import NOWHERE, Places, at_home, places_of
from hearts_client.session.replay import disclosed_replays
from hearts_client.session.saved import (
    Keeper,
    SavedSession,
    SessionPlace,
    choose,
    read_all,
)
from hearts_client.session.visit import (
    FINAL,
    Guest,
    TableVisit,
    alone,
    complaint,
    lesson_visit,
    wants_password,
)
from hearts_client.words.lesson import TITLE
from hearts_client.words.rule_words import computers_line
from hearts_client.words.style import Sort, Style
from hearts_client.words.tables import new_table_line, table_lines, table_there_line, to_watch
from hearts_client.words.typed import YES_OR_NO, NotUnderstood, read_word

from . import arguments as shared
from .options import table_options

_QUEUED_LINES = 100
_STDIN = 0
_LEVEL = "swift"
_BOT_PAUSE = 0.5
"""Seconds before a computer's choice in a game alone."""


def play(given: argparse.Namespace, *, ascii: bool, link: DoorLink | None = None) -> int:
    """Play line by line as the options say; gives the exit status.

    ``link`` is that of a visitor, who has no folders and no other program.
    """
    style = Style(
        ascii=ascii,
        color=_wants_color(given.color),
        sort=Sort(given.sort or Sort.ALTERNATING.value),
    )
    try:
        places = NOWHERE if link is not None else places_of(shared.profile_of(given))
        return trio.run(_App(given, style, places, link).run)
    except KeyboardInterrupt:
        return INTERRUPTED


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
    def __init__(
        self, given: argparse.Namespace, style: Style, places: Places, link: DoorLink | None
    ) -> None:
        self._link = link
        self._given = given
        self._style = style
        self._places = places
        self._name = given.name or places.profile or shared.default_name()
        self._password = shared.password_of(given)
        self._status = 0
        self._keeper: Keeper | None = None
        self._wants_par = link is None and not given.no_par
        self._reckoner = Reckoner()
        self._pars = ParFile(None)
        self._days = days_of(places, link)
        self._record: OwnRecord | None = None

    def _names(self) -> KeptNames:
        return KeptNames(self._places.config)

    async def run(self) -> int:
        send, receive = trio.open_memory_channel[str](_QUEUED_LINES)
        try:
            with trio.open_signal_receiver(*LEAVING) as received:
                async with trio.open_nursery() as nursery:
                    nursery.start_soon(self._leave_on_signal, received, nursery.cancel_scope)
                    if not self._given.list and self._given.watch is None:
                        read = partial(read_lines, in_thread=self._link is None)
                        nursery.start_soon(read, _STDIN, send)
                        nursery.start_soon(self._reckoner.run)
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
        self._status = FAILED

    async def _leave_on_signal(self, received: AsyncIterator[int], scope: trio.CancelScope) -> None:
        await anext(received)
        _say("")
        _say("You leave the table.")
        self._print_how_to_come_back()
        self._status = INTERRUPTED
        scope.cancel()

    def _complain(self, errors: BaseExceptionGroup[HeartsError]) -> None:
        self._status = FAILED
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
        dialect = shared.dialect_of(given) or Dialect.DEALER
        guest = shared.guest_of(given, self._name)
        server = server_words(guest.host, guest.port)
        if given.list:
            listed = await guest.tables()
            for line in (*filter(None, listed.greeting), *table_lines(listed.tables, server)):
                _say(line)
        elif given.standings:
            for line in await guest.standings():
                _say(line)
        elif given.watch is not None:
            listed = await guest.tables()
            async with guest.watch(to_watch(listed.tables, given.watch, server)) as watcher:
                for line in filter(None, listed.greeting):
                    _say(line)
                if not await look_on(watcher, self._style, _say):
                    self._status = NOT_ALL
        elif given.lesson:
            await self._teach(lines)
        elif given.day:
            await self._play_day(guest, lines)
        elif given.solo:
            await self._visit(self._visit_to(alone(dialect)), lines)
        elif given.resume is not None:
            await self._resume(given.resume, lines)
        elif self._link is not None and await self._is_back(self._link, lines):
            pass
        elif given.table is None or await _wants_table(
            guest, given.table, table_options(given), lines
        ):
            await self._visit(self._visit_to(guest.place(dialect)), lines)

    async def _play_day(self, guest: Guest, lines: trio.MemoryReceiveChannel[str]) -> None:
        today = await self._tell_of_day(guest)
        if today.is_open:
            visit = self._visit_to(guest.place(Dialect.DEALER))
            await self._visit(replace(visit, table=today.table, options=None), lines)
        elif today.is_playing:
            saved = today.find(guest, await self._saved())
            if saved is not None:
                await self._visit(self._visit_to(saved.place, saved), lines)

    async def _tell_of_day(self, guest: Guest) -> TodaysDeal:
        today = await self._days.ask(guest)
        for line in (*today.lines, *today.outcome):
            _say(line)
        return today

    async def _saved(self) -> list[SavedSession]:
        if self._link is not None:
            return self._link.latest_first
        saved, problems = await trio.to_thread.run_sync(read_all, at_home(self._places.sessions))
        for problem in problems:
            print(f"hearts-client: {problem}", file=sys.stderr)
        return saved

    async def _end_day(self, visit: TableVisit, record: OwnRecord, ending: Ending) -> None:
        """Keep the pars of hands of a day, and tell of it if its last hand is over."""
        if record.day is None:
            return
        guest = visit.guest
        if not self._given.no_par:
            kept = self._pars if self._link is None else None
            pars = await pars_of(kept, disclosed_replays(record))
            await self._days.keep_pars(guest, record.day, pars)
        if ending is Ending.OVER:
            _say("")
            await self._tell_of_day(guest)

    async def _teach(self, lines: trio.MemoryReceiveChannel[str]) -> None:
        visit = lesson_visit(self._name)
        pause = _BOT_PAUSE if self._given.bot_pause is None else self._given.bot_pause
        visit = replace(visit, computers=replace(visit.computers, pause=pause))
        async with visit.seat(None) as seat:
            _say(f"{TITLE}, against three computers; /quit leaves it at any time.")
            person = Person(seat, self._style, _say, deal=visit.deal, is_lesson=True)
            self._finish(await person.play(lines))

    async def _resume(self, wanted: str, lines: trio.MemoryReceiveChannel[str]) -> None:
        saved = await self._saved()
        if self._given.is_server_named:
            guest = shared.guest_of(self._given, self._name)
            dialect = shared.dialect_of(self._given) or Dialect.DEALER
            here = {each.progress.credentials for each in saved}
            elsewhere = await seats_elsewhere(self._names, guest, dialect)
            new = [each for each in elsewhere if each.progress.credentials not in here]
            saved = [*saved, *new]
        chosen = choose(saved, wanted, self._places.command)
        place, taunt_port = chosen.place, self._given.taunt_port
        place = replace(
            place,
            taunt_port=place.taunt_port if taunt_port is None else taunt_port,
            dialect=shared.dialect_of(self._given) or place.dialect,
        )
        await self._visit(self._visit_to(place, chosen), lines)

    async def _is_back(self, link: DoorLink, lines: trio.MemoryReceiveChannel[str]) -> bool:
        """Go on with the latest game of a visitor; False if there is none any more."""
        saved = next(iter(link.latest_first), None)
        if saved is None:
            return False
        try:
            await self._visit(self._visit_to(saved.place, saved), lines)
            return True
        except* RegistrationRefused as errors:
            if not all(_is_final(error) for error in leaves(errors)):
                raise
        _say("Your last game is over.")
        return False

    def _visit_to(self, place: SessionPlace, saved: SavedSession | None = None) -> TableVisit:
        given = self._given
        prover, problem = None, ""
        if self._link is None and saved is None and not place.solo:
            guest = shared.guest_of(given, self._name)
            prover, problem = own_name(self._names, guest)
        if problem:
            _say(problem)
        computers = Computers(
            turn_limit=given.turn_limit or 0,
            pause=_BOT_PAUSE if given.bot_pause is None else given.bot_pause,
            level=given.level or _LEVEL,
        )
        return TableVisit(
            place,
            self._name,
            given.table or "",
            table_options(given),
            self._password,
            given.deal or "",
            computers,
            saved,
            prover=prover,
        )

    async def _visit(self, visit: TableVisit, lines: trio.MemoryReceiveChannel[str]) -> None:
        """Play until the person leaves; they may be asked for a password, or want a deal again."""
        is_wrong = False
        while True:
            ending: Ending | None = None
            deal = ""
            try:
                ending, deal = await self._sit_down(visit, lines)
            except* RegistrationRefused as errors:
                if self._password or not can_ask() or not all(map(wants_password, leaves(errors))):
                    # A password that was given with an option is wrong for good.
                    raise
            if ending is None:
                password = await ask_password(lines, _say, is_wrong=is_wrong)
                if not password:
                    return
                visit, is_wrong = replace(visit, password=password), True
            elif ending is Ending.AGAIN:
                _say("")
                _say(f"The deal {deal} again, as the first hand of a new game.")
                visit = visit.again(deal)
            else:
                self._finish(ending)
                if self._record is not None:
                    await self._end_day(visit, self._record, ending)
                return

    async def _sit_down(
        self, visit: TableVisit, lines: trio.MemoryReceiveChannel[str]
    ) -> tuple[Ending, str]:
        """Play at one table; give how it ended, and its last deal."""
        saved = visit.saved
        async with visit.seat(self._new_keeper(saved)) as seat:
            place = seat.place
            if seat.is_alone:
                _say(f"A game against three computers {'begins' if saved is None else 'goes on'}.")
                if self._given.level is not None:
                    _say(computers_line(self._given.level))
            else:
                name = visit.name
                if saved is not None:
                    name = saved.progress.names[saved.progress.player]
                _say(f"Connected to {server_words(place.host, place.port)} as {name}.")
            person = Person(
                seat,
                self._style,
                _say,
                deal=visit.deal,
                record_folder=self._given.record,
                reckon=partial(self._reckoner.ask, self._pars) if self._wants_par else None,
            )
            self._keeper, self._record = seat.keeper, person.player_session.record
            return await person.play(lines), person.player_session.promises.last_deal

    def _finish(self, ending: Ending) -> None:
        if ending is Ending.LEFT:
            _say("You leave the table.")
        elif ending is Ending.LOST:
            self._status = NOT_ALL
        self._print_how_to_come_back()

    def _new_keeper(self, saved: SavedSession | None) -> Keeper | None:
        if self._link is not None:
            return VisitorKeeper(self._link, saved)
        return None if self._places.sessions is None else Keeper(self._places.sessions, saved)

    def _print_how_to_come_back(self) -> None:
        if self._link is not None:
            _say(self._link.farewell)
        elif self._keeper is not None and self._keeper.kept is not None:
            _say(f"To come back: {self._places.command} --resume {self._keeper.kept.choice}")


def _is_final(error: BaseException) -> bool:
    return isinstance(error, RegistrationRefused) and error.code in FINAL


async def _wants_table(
    guest: Guest,
    table: str,
    options: Options | None,
    lines: trio.MemoryReceiveChannel[str],
) -> bool:
    """Say what a table is; ask if the person joins it if their ``options`` do not count there.

    Gives False if the person does not join it. Raises HeartsError.
    """
    try:
        looked = await guest.look(table)
    except RegistrationRefused as error:
        if not wants_password(error):
            raise
        return True  # It is asked for when the seat is.
    if looked.table is None:
        if looked.is_known:
            _say(new_table_line(table))
        return True
    _say(table_there_line(table, looked.table))
    if options is None:
        return True
    _say("Your own wishes do not count there. Join it? Type yes or no.")
    async for line in lines:
        try:
            return read_word(line, YES_OR_NO)
        except NotUnderstood as error:
            _say(f"Please {error}.")
    return False

"""The way from the start screen to a table and back, until the person quits."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from secrets import token_hex
from typing import assert_never

import trio
from msgspec.structs import replace

from hearts.errors import HeartsError, leaves
from hearts.session.client_events import RegistrationRefused, TablesListed
from hearts.session.messages import NO_CLOCK_ALONE, Options, Refusal
from hearts_client.days.visitor import TodaysDeal
from hearts_client.library.dialects import Dialect
from hearts_client.library.reach import server_words
from hearts_client.mistakes.kept import KeptMistakes, read_mistakes, today
from hearts_client.names.own_name import own_name
from hearts_client.par.pars import pars_of
from hearts_client.screen.input.drawn_page import TextPage
from hearts_client.screen.input.ui import waiting
from hearts_client.screen.pages.asking_pages import (
    DAY_TITLE,
    DayPage,
    PasswordPage,
    ProfilesPage,
)
from hearts_client.screen.pages.mistakes_page import ask_mistakes
from hearts_client.screen.pages.name_pages import manage_name
from hearts_client.screen.pages.opening import AlonePage, JoinPage, OpeningPage
from hearts_client.screen.pages.own_games import browse_records, show_statistics
from hearts_client.screen.pages.start import StartPage
from hearts_client.screen.pages.tables_page import TablesPage, gone, keep_fresh, why_not
from hearts_client.screen.pages.texts import RULES_TITLE, rules_lines, with_headings
from hearts_client.screen.table.seat_session import SeatSession
from hearts_client.screen.table.table_page import Leaving
from hearts_client.screen.table.table_session import WatchSession
from hearts_client.session.own_record import OwnRecord
from hearts_client.session.own_server import Computers
from hearts_client.session.places import make_profile, profiles
from hearts_client.session.replay import disclosed_replays
from hearts_client.session.visit import (
    Guest,
    TableVisit,
    alone,
    complaint,
    lesson_visit,
    wants_password,
)
from hearts_client.words.others import shown_name
from hearts_client.words.style import sentence
from hearts_client.words.tables import CannotWatch, table_there_line, to_watch

from .shared import Profile, Shared
from .wish import (
    ArrangeAlone,
    AtServer,
    Join,
    Memory,
    OpenTableWish,
    OwnNameWish,
    PlayAlone,
    PlayDay,
    Resume,
    ShowStandings,
    ShowTables,
    StartWish,
    WatchWish,
    Wish,
)

_PASSWORD_ADVICE = "type it into its field"
_THREE_COMPUTERS = frozenset({1, 2, 3})


class Navigation:
    """The way of a person from the first page to the last."""

    def __init__(self, shared: Shared, open: Callable[[str], Profile]) -> None:
        """``open`` reads what belongs to another profile."""
        self._shared = shared
        self._ui = shared.ui
        self._ascii = shared.theme.ascii
        self._open = open
        self._problem = " ".join(shared.profile.problems)
        self._passwords: dict[tuple[str, int], str] = {}
        """The passwords that were typed since the start, by server."""

    @property
    def _profile(self) -> Profile:
        return self._shared.profile

    @property
    def _memory(self) -> Memory:
        return self._shared.profile.kept.memory

    async def run(self, wish: Wish | None = None) -> None:
        """Fulfil one wish after the other until it is Quit; the first may be given."""
        while wish is not StartWish.QUIT:
            # Do not join a table while the terminal is too small.
            await self._ui.until_it_fits()
            wish = await self._start() if wish is None else await self._try(wish)

    async def _start(self) -> Wish:
        saved, problems = await self._profile.saved()
        problem = " ".join([self._problem, *problems]).strip()
        self._problem = ""
        kept, damaged = await self._mistakes()
        many = len(kept.due(today()))
        page = StartPage(
            self._memory,
            saved,
            name=self._profile.name,
            profile=self._profile.places.profile,
            is_visitor=self._profile.is_visitor,
            day=await self._profile.days.label(self._memory.host, self._memory.port),
            mistakes=f"Mistakes: {many} to look at today" if many else "Mistakes",
            ascii=self._ascii,
            problem=f"{problem} {damaged}".strip(),
        )
        wish = await self._ui.run(page)
        await self._keep(page.remembered)
        return wish

    async def _mistakes(self) -> tuple[KeptMistakes, str]:
        """Read the person's mistakes, with a line if they are damaged."""
        records = self._profile.records
        if records is None:
            return KeptMistakes(), ""
        return await trio.to_thread.run_sync(read_mistakes, records)

    async def _keep(self, memory: Memory) -> None:
        self._problem = await self._profile.kept.keep(memory) or self._problem

    async def _try(self, wish: Wish) -> Wish | None:
        """Fulfil a wish; give the next one, or None for the start screen."""
        following: Wish | None = None
        await self._keep(self._memory.after(wish))
        if isinstance(wish, PlayAlone) and self._profile.is_visitor:
            wish = self._at_own_table(wish)
        if isinstance(wish, AtServer) and not wish.guest.password:
            known = self._passwords.get((wish.guest.host, wish.guest.port), "")
            wish = replace(wish, guest=replace(wish.guest, password=known))
        try:
            following = await self._fulfil(wish)
        except* HeartsError as errors:
            first = next(leaves(errors))
            match wish:
                case Join(guest, name, is_listed=True) if _is_taken(first):
                    self._problem = f"No seat is free at {shown_name(name)} any longer."
                    following = ShowTables(guest)
                case WatchWish(guest, name, number) if number and _is_taken(first):
                    self._problem = f"Game {number} cannot be watched any longer."
                    following = ShowTables(guest, name)
                case Join() | OpenTableWish() | ShowTables() | WatchWish() | PlayDay() if (
                    wants_password(first)
                ):
                    following = await self._with_password(wish)
                case _:
                    is_back = isinstance(wish, Resume)
                    why = complaint(first, came_back=is_back, password=_PASSWORD_ADVICE)
                    self._problem = sentence(why)
        return following

    def _at_own_table(self, wish: PlayAlone) -> Join:
        """Give the wish for a game alone at the server, at a table that nobody else would take."""
        memory = self._memory
        guest = Guest(memory.host, memory.port, wish.name, taunt_port=memory.taunt_port)
        options = Options(_THREE_COMPUTERS, wish.rules, wish.end_score, NO_CLOCK_ALONE)
        return Join(guest, f"alone {token_hex(4)}", options)

    async def _with_password(self, wish: AtServer) -> Wish | None:
        """Give the wish with the password that is typed, or None for the start screen."""
        guest = wish.guest
        page = PasswordPage(
            server_words(guest.host, guest.port), is_wrong=bool(guest.password), ascii=self._ascii
        )
        password = self._passwords[guest.host, guest.port] = await self._ui.run(page)
        return replace(wish, guest=replace(guest, password=password)) if password else None

    async def _fulfil(self, wish: Wish) -> Wish | None:
        match wish:
            case Join(guest, name, is_listed=True):
                # The name of a table that is gone would open a private one.
                listed = await self._tables(guest, name)
                if listed is None:
                    return None
                self._problem = why_not(listed, name)
                return ShowTables(guest, name, listed) if self._problem else await self._play(wish)
            case Join(_, name, options) if (
                name and options is not None and not await self._wants(wish)
            ):
                return OpenTableWish(wish.guest)
            case PlayAlone() | Join() | Resume():
                return await self._play(wish)
            case PlayDay(guest):
                return await self._play_day(guest)
            case ArrangeAlone(name):
                has_deal = not self._profile.is_visitor
                arranging = AlonePage(name, self._memory, ascii=self._ascii, has_deal=has_deal)
                return await self._ui.run(arranging)
            case OpenTableWish(guest):
                listed = await self._tables(guest)
                if listed is not None:
                    page = OpeningPage(guest, self._memory, listed.levels, ascii=self._ascii)
                    return await self._ui.run(page)
            case ShowTables():
                return await self._show_tables(wish)
            case OwnNameWish(guest):
                await manage_name(self._ui, guest, self._profile.names(), ascii=self._ascii)
            case ShowStandings(guest):
                with waiting(self._ui, "Asking for the standings..."):
                    told = await guest.standings()
                    await self._ui.run(TextPage("Standings", told, ascii=self._ascii))
                return ShowTables(guest)
            case WatchWish(guest, name, number) if number:
                await self._watch(guest, number)
                return ShowTables(guest, name)
            case WatchWish(guest, wanted):
                listed = await self._tables(guest)
                if listed is not None:
                    await self._watch(guest, _to_watch(guest, listed, wanted))
            case StartWish.STATISTICS | StartWish.RECORDS | StartWish.MISTAKES:
                return await self._show_games(wish)
            case StartWish.LESSON:
                await self._teach()
            case StartWish.RULES:
                alone = self._memory.alone("")
                lines = with_headings(rules_lines(alone.rules, alone.end_score, 0))
                await self._ui.run(TextPage(RULES_TITLE, lines, ascii=self._ascii))
            case StartWish.OPTIONS:
                self._problem = await self._shared.change_options()
            case StartWish.PROFILES:
                await self._change_profile()
            case StartWish.QUIT:
                return wish
            case _:
                assert_never(wish)
        return None

    async def _change_profile(self) -> None:
        known = await trio.to_thread.run_sync(profiles)
        now = self._profile.places.profile
        if now and now not in known:  # Nothing is kept of it yet.
            known.append(now)
        chosen = await self._ui.run(ProfilesPage(now, known, ascii=self._ascii))
        if chosen is None or chosen == now:
            return
        try:
            if chosen:
                await trio.to_thread.run_sync(make_profile, chosen)
        except OSError as error:
            self._problem = f"The profile cannot be made: {error.strerror}: {error.filename}."
            return
        self._shared.use_profile(await trio.to_thread.run_sync(self._open, chosen))
        self._problem = " ".join(self._profile.problems)

    # At a table

    async def _play(self, wish: PlayAlone | Join | Resume) -> Wish | None:
        """Play until the person is done; give the wish for a deal that they want again.

        Raises HeartsErrors, in groups, if the table cannot be reached or ends in a fault.
        """
        visit, theme = self._visit(wish), self._shared.theme
        place = visit.place
        doing = f"Connecting to {server_words(place.host, place.port)}..."
        if place.solo:
            doing, settings = "The computers sit down...", theme.settings
            # The page makes the pauses, so that a hand can be finished at once.
            computers = (self._profile.turn_limit, 0, settings.level, settings.computers)
            visit = replace(visit, computers=Computers(*computers))
        again = ""
        with waiting(self._ui, doing) as page:
            async with visit.seat(self._profile.keeper(visit.saved)) as seat:
                waits = isinstance(wish, Join) and wish.waits
                listed = isinstance(wish, Join) and wish.is_listed
                session = SeatSession(
                    self._shared, seat, deal=visit.deal, waits=waits, is_listed=listed
                )
                leaving = await session.play()
                if leaving is Leaving.AGAIN:
                    again = session.again
                if place.solo:
                    page.show("The computers stand up...")
        record = session.player_session.record
        if record.day is not None:
            await self._end_day(visit.guest, record, is_over=leaving is Leaving.OVER)
        if isinstance(wish, Join) and session.is_gone:
            self._problem = gone(wish.table)
            return ShowTables(wish.guest, wish.table)
        return self._memory.alone(visit.name, again) if again else None

    async def _play_day(self, guest: Guest) -> Wish | None:
        today = await self._todays_deal(guest)
        if today is None:
            return None
        saved = today.find(guest, (await self._profile.saved())[0]) if today.is_playing else None
        if saved is None and not today.is_open:
            await self._show_day(today)
        elif await self._ui.run(DayPage(today, goes_on=saved is not None, ascii=self._ascii)):
            return Join(guest, today.table) if saved is None else Resume(saved)
        return None

    async def _todays_deal(self, guest: Guest) -> TodaysDeal | None:
        with waiting(self._ui, f"Asking {server_words(guest.host, guest.port)} for its day..."):
            return await self._profile.days.ask(guest)
        return None

    async def _show_day(self, today: TodaysDeal) -> None:
        lines = [*today.outcome, "", *today.lines]
        await self._ui.run(TextPage(DAY_TITLE, lines, ascii=self._ascii))

    async def _end_day(self, guest: Guest, record: OwnRecord, *, is_over: bool) -> None:
        """Keep the pars of hands of a day, and show what came of it if its last hand is over."""
        profile = self._profile
        assert record.day is not None
        if self._shared.theme.settings.shows_par:
            with waiting(self._ui, "Reckoning what your hands usually cost..."):
                kept = None if profile.is_visitor else profile.pars
                pars = await pars_of(kept, disclosed_replays(record))
                await profile.days.keep_pars(guest, record.day, pars)
        today = await self._todays_deal(guest) if is_over else None
        if today is not None:
            await self._show_day(today)

    async def _teach(self) -> None:
        """Play the guided first hand, of which nothing is kept."""
        visit = lesson_visit(self._memory.name or self._profile.name)
        with waiting(self._ui, "The computers sit down..."):
            async with visit.seat(None) as seat:
                await SeatSession(self._shared, seat, deal=visit.deal, is_lesson=True).play()

    def _visit(self, wish: PlayAlone | Join | Resume) -> TableVisit:
        dialect = self._profile.dialect
        match wish:
            case PlayAlone(name, rules, end_score, deal):
                options = Options(_THREE_COMPUTERS, rules, end_score)
                place = alone(dialect or Dialect.DEALER)
                return TableVisit(place, name, options=options, deal=deal)
            case Join(guest, table, options):
                place = guest.place(dialect or Dialect.DEALER)
                visit = TableVisit(place, guest.name, table, options, guest.password)
                if visit.is_of_day:  # Only this dialect says that the hands are those of a day.
                    place = guest.place(Dialect.DEALER)
                prover, problem = own_name(self._profile.names, guest)
                self._problem = problem or self._problem
                return replace(visit, place=place, prover=prover)
            case Resume(saved):
                place, progress = saved.place, saved.progress
                if dialect is not None:
                    place = replace(place, dialect=dialect)
                return TableVisit(place, progress.names[progress.player], saved=saved)

    async def _watch(self, guest: Guest, game_number: int) -> None:
        with waiting(self._ui, f"Going to game {game_number}..."):
            async with guest.watch(game_number) as watcher:
                await WatchSession(self._shared, watcher).run()

    # What a server has

    async def _wants(self, wish: Join) -> bool:
        """Say if the person wants the table that there is instead of a new one of that name."""
        guest, looked = wish.guest, None
        with waiting(self._ui, f"Asking {server_words(guest.host, guest.port)} for the table..."):
            looked = await guest.look(wish.table)
        if looked is None:
            return False
        if looked.table is None:
            return True
        line = table_there_line(wish.table, looked.table)
        page = JoinPage(wish.table, line, ascii=self._ascii)
        return await self._ui.run(page)

    async def _tables(self, guest: Guest, first: str = "") -> TablesListed | None:
        """Ask for the public tables of a server; None if the person does not wait for them.

        ``first`` is the table to know most of.
        """
        with waiting(self._ui, f"Asking {server_words(guest.host, guest.port)} for its tables..."):
            return await guest.tables(first)
        return None

    async def _show_tables(self, wish: ShowTables) -> Wish | None:
        guest, looked_at = wish.guest, wish.looked_at
        listed = wish.listed or await self._tables(guest, looked_at)
        if listed is None:
            return None
        problem, self._problem = self._problem, ""
        page = TablesPage(listed, guest, ascii=self._ascii, problem=problem, looked_at=looked_at)
        async with trio.open_nursery() as nursery:
            nursery.start_soon(keep_fresh, page, guest.tables)
            following = await self._ui.run(page)
            nursery.cancel_scope.cancel()
        return following

    async def _show_games(self, wish: StartWish) -> Wish | None:
        records, shared = self._profile.records, self._shared
        chosen: str | None = None
        if records is None:
            self._problem = "There is no home folder to keep games in."
        elif wish is StartWish.STATISTICS:
            with waiting(self._ui, "Counting your games..."):
                pars = self._profile.pars if shared.theme.settings.shows_par else None
                await show_statistics(self._ui, records, Path.cwd(), pars)
        elif wish is StartWish.MISTAKES and shared.ask is not None:
            kept, self._problem = await self._mistakes()
            await ask_mistakes(self._ui, records, kept, shared.theme, shared.ask)
        else:
            with waiting(self._ui, "Reading your games..."):
                chosen = await browse_records(
                    self._ui,
                    records,
                    shared.theme,
                    ask=shared.ask,
                    reckon=shared.reckon,
                    page=self._profile.page,
                )
        name = self._memory.name or self._profile.name
        return self._memory.alone(name, chosen) if chosen else None


def _to_watch(guest: Guest, listed: TablesListed, wanted: str) -> int:
    server = server_words(guest.host, guest.port)
    try:
        return to_watch(listed.tables, wanted, server)
    except CannotWatch:
        raise CannotWatch(f"there is no such table at {server}; Tables shows them") from None


def _is_taken(error: BaseException) -> bool:
    return isinstance(error, RegistrationRefused) and error.code == Refusal.TABLE_TAKEN

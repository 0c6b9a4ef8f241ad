"""From the start screen to a table and back, until the person has enough."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from secrets import token_hex
from typing import assert_never

import trio
from msgspec.structs import replace

from hearts.errors import HeartsError, leaves
from hearts.session.client_events import RegistrationRefused, TablesListed
from hearts.session.messages import Refusal
from hearts_client.library.reach import where
from hearts_client.screen.input.ui import waiting
from hearts_client.screen.pages.asking_pages import PasswordPage, ProfilesPage
from hearts_client.screen.pages.opening import AlonePage, JoinPage, OpeningPage
from hearts_client.screen.pages.records_page import browse_records
from hearts_client.screen.pages.start import StartPage
from hearts_client.screen.pages.statistics_page import show_statistics
from hearts_client.screen.pages.tables_page import TablesPage, keep_fresh, why_not
from hearts_client.screen.settings.kept_files import KeptFiles
from hearts_client.screen.settings.memory import Memory
from hearts_client.session.places import make_profile, profiles
from hearts_client.session.saved import SavedSession, read_all
from hearts_client.session.visit import Guest, complaint, wants_password
from hearts_client.words.others import shown_name
from hearts_client.words.tables import CannotWatch, table_there_line, to_watch

from .joining import Joining
from .profile import Profile
from .shared import Shared
from .wish import (
    ArrangeAlone,
    Go,
    Join,
    JoinTableWish,
    LobbyWish,
    OpenTableWish,
    PlayAlone,
    Resume,
    ShowTables,
    StartWish,
    WaitForInvitation,
    WatchTable,
    WatchWish,
    Wish,
)

_PASSWORD_ADVICE = "type it into its field"
_AtServer = Join | ShowTables | WatchWish
"""The wishes for which a server may ask for a password."""
_NO_HOME = "There is no home folder to keep games in."


class Navigation:
    """The way of a person from the first page to the last."""

    def __init__(self, shared: Shared, open: Callable[[str], Profile]) -> None:
        """``open`` reads what belongs to another profile."""
        self._shared = shared
        self._ui = shared.ui
        self._ascii = shared.theme.ascii
        self._open = open
        self._joining = Joining(shared)
        self._problem = " ".join(shared.profile.problems)
        self._passwords: dict[tuple[str, int], str] = {}
        """Those that were typed since the start, by server."""

    @property
    def _profile(self) -> Profile:
        return self._shared.profile

    @property
    def _kept(self) -> KeptFiles:
        return self._shared.profile.kept

    async def run(self, wish: Wish | None = None) -> None:
        """Fulfil one wish after the other until it is Quit; the first may be given."""
        while wish is not StartWish.QUIT:
            # Do not join a table while the terminal is too small.
            await self._ui.until_it_fits()
            wish = await self._start() if wish is None else await self._try(wish)

    async def _start(self) -> Wish:
        saved, problems = await self._saved()
        problem = " ".join([self._problem, *problems]).strip()
        self._problem = ""
        memory = self._kept.memory
        page = StartPage(
            memory,
            saved,
            name=self._profile.name,
            profile=self._profile.places.profile,
            ascii=self._ascii,
            problem=problem,
        )
        wish = await self._ui.run(page)
        await self._keep(page.remembered)
        return wish

    async def _saved(self) -> tuple[list[SavedSession], list[str]]:
        if self._profile.places.sessions is None:
            return [], []
        return await trio.to_thread.run_sync(read_all, self._profile.places.sessions)

    async def _keep(self, memory: Memory) -> None:
        self._problem = await self._kept.keep_memory(memory) or self._problem

    async def _try(self, wish: Wish) -> Wish | None:
        """Fulfil a wish; give the next one, or None for the start screen."""
        following: Wish | None = None
        await self._keep(self._kept.memory.after(wish))
        if isinstance(wish, _AtServer) and not wish.guest.password:
            known = self._passwords.get((wish.guest.host, wish.guest.port), "")
            wish = replace(wish, guest=replace(wish.guest, password=known))
        try:
            following = await self._fulfil(wish)
        except* HeartsError as errors:
            first = next(leaves(errors))
            if isinstance(wish, Join) and wish.is_listed and _is_taken(first):
                self._problem = f"No seat is free at {shown_name(wish.table)} any longer."
                following = ShowTables(wish.guest)
            elif isinstance(wish, _AtServer) and wants_password(first):
                following = await self._with_password(wish)
            else:
                why = complaint(
                    first, came_back=isinstance(wish, Resume), password=_PASSWORD_ADVICE
                )
                self._problem = f"{why[0].upper()}{why[1:]}."
        return following

    async def _with_password(self, wish: _AtServer) -> Wish | None:
        """Give the wish with the password that is typed, or None for the start screen."""
        guest = wish.guest
        page = PasswordPage(
            where(guest.host, guest.port), is_wrong=bool(guest.password), ascii=self._ascii
        )
        password = self._passwords[guest.host, guest.port] = await self._ui.run(page)
        return replace(wish, guest=replace(guest, password=password)) if password else None

    async def _fulfil(self, wish: Wish) -> Wish | None:
        match wish:
            case PlayAlone(name):
                return self._again(await self._joining.play_alone(wish), name)
            case Join(_, name, options) if (
                name and options is not None and not await self._wants(wish)
            ):
                return OpenTableWish(wish.guest)
            case Join(guest):
                return self._again(await self._joining.join(wish), guest.name)
            case Resume(saved):
                name = saved.progress.names[saved.progress.player]
                return self._again(await self._joining.resume(saved), name)
            case ArrangeAlone(name):
                alone = AlonePage(name, self._kept.memory, ascii=self._ascii)
                game = await self._ui.run(alone)
                return None if isinstance(game, Go) else game
            case OpenTableWish(guest):
                opening = OpeningPage(guest, self._kept.memory, ascii=self._ascii)
                table = await self._ui.run(opening)
                return None if isinstance(table, Go) else table
            case WaitForInvitation(guest):
                # A name that nobody else would take.
                return Join(guest, f"waiting {token_hex(4)}", waits=True)
            case ShowTables(guest):
                return await self._show_tables(guest)
            case WatchWish(guest, wanted):
                await self._watch(guest, wanted)
            case StartWish.STATISTICS:
                await self._show_statistics()
            case StartWish.RECORDS:
                return await self._show_records()
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
        if isinstance(chosen, Go) or chosen == now:
            return
        try:
            if chosen:
                await trio.to_thread.run_sync(make_profile, chosen)
        except OSError as error:
            self._problem = f"The profile cannot be made: {error.strerror}: {error.filename}."
            return
        self._shared.use_profile(await trio.to_thread.run_sync(self._open, chosen))
        self._problem = " ".join(self._profile.problems)

    def _again(self, deal: str, name: str) -> Wish | None:
        return self._kept.memory.alone(name, deal) if deal else None

    async def _wants(self, wish: Join) -> bool:
        """Say if the person wants the table that there is instead of a new one of that name."""
        looked = await self._joining.look(wish)
        if looked is None:
            return False
        if looked.table is None:
            return True
        line = table_there_line(wish.table, looked.table)
        page = JoinPage(wish.table, line, ascii=self._ascii)
        return await self._ui.run(page)

    async def _show_tables(self, guest: Guest) -> Wish | None:
        listed: TablesListed | None = None
        looked_at = ""
        while True:
            listed = listed or await self._joining.tables(guest, looked_at)
            if listed is None:
                return None
            page = self._tables_page(guest, listed, looked_at)
            wish, listed = await self._choose_table(guest, page), None
            looked_at = page.looked_at
            match wish:
                case JoinTableWish(name):
                    # The name of a table that is gone would open a private one.
                    listed = await self._joining.tables(guest, name)
                    if listed is None:
                        return None
                    self._problem = why_not(listed, name)
                    if not self._problem:
                        return Join(guest, name, is_listed=True)
                case WatchTable(game_number):
                    await self._watch_listed(guest, game_number)
                case Go.NEW_TABLE:
                    return OpenTableWish(guest)
                case Go.BACK:
                    return None
                case Go.REFRESH:
                    pass

    def _tables_page(self, guest: Guest, listed: TablesListed, looked_at: str) -> TablesPage:
        problem, self._problem = self._problem, ""
        server = where(guest.host, guest.port)
        return TablesPage(listed, server, ascii=self._ascii, problem=problem, looked_at=looked_at)

    async def _choose_table(self, guest: Guest, page: TablesPage) -> LobbyWish:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(keep_fresh, page, guest.tables)
            wish = await self._ui.run(page)
            nursery.cancel_scope.cancel()
        return wish

    async def _watch_listed(self, guest: Guest, game_number: int) -> None:
        try:
            await self._joining.watch(guest, game_number)
        except* RegistrationRefused as errors:
            if not all(map(_is_taken, leaves(errors))):
                raise
            self._problem = f"Game {game_number} cannot be watched any longer."

    async def _watch(self, guest: Guest, wanted: str) -> None:
        listed = await self._joining.tables(guest)
        if listed is None:
            return
        server = where(guest.host, guest.port)
        try:
            number = to_watch(listed.tables, wanted, server)
        except CannotWatch:
            raise CannotWatch(f"there is no such table at {server}; Tables shows them") from None
        await self._joining.watch(guest, number)

    async def _show_statistics(self) -> None:
        if self._profile.records is None:
            self._problem = _NO_HOME
            return
        with waiting(self._ui, "Counting your games..."):
            await show_statistics(self._ui, self._profile.records, Path.cwd())

    async def _show_records(self) -> Wish | None:
        if self._profile.records is None:
            self._problem = _NO_HOME
            return None
        with waiting(self._ui, "Reading your games..."):
            chosen = await browse_records(
                self._ui, self._profile.records, self._shared.theme.style, ask=self._shared.ask
            )
            if chosen is not None:
                return self._again(chosen, self._kept.memory.name or self._profile.name)
        return None


def _is_taken(error: BaseException) -> bool:
    return isinstance(error, RegistrationRefused) and error.code == Refusal.TABLE_TAKEN

"""A person's session at the screen, from the connection to the moment when he has seen its end."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import trio

from hearts.dealer.client_events import DealerEvent
from hearts.errors import HeartsError
from hearts.session.client_events import Seated
from hearts.session.table_words import InvitableCount, InvitableMessage, TableMessage, Taken
from hearts.session.wishes import BeInvitable
from hearts.table import Resign
from hearts_client.library.chat import CannotSay
from hearts_client.library.client import Client
from hearts_client.library.reach import Tls
from hearts_client.lines.wishes import Wishes
from hearts_client.session.analyst import Ask
from hearts_client.session.player_session import PlayerSession
from hearts_client.session.replay import disclosed_replays
from hearts_client.session.saved import Keeper, SavedSession, SessionPlace
from hearts_client.words.invited import invitation_lines
from hearts_client.words.narrator import Narrator
from hearts_client.words.rule_words import computers_line
from hearts_client.words.typed import RequestCommand, Wants, read_line

from .above import Above
from .canvas import Ink
from .invite_page import InvitePage
from .remembered import Remembered
from .seat_page import SeatPage
from .table_refresh import REFRESH_EVERY
from .theme import Theme
from .tones import Sound
from .ui import Ui
from .wanted import Leaving

_COMMANDS_WAITING = 5


class SeatSession:
    """One session; it shows what the servers say, and carries out what the page is told."""

    def __init__(
        self,
        ui: Ui,
        client: Client,
        theme: Theme,
        remembered: Remembered,
        ring: Callable[[Sound], None],
        *,
        deal: str = "",
        solo: bool = False,
        records: Path | None = None,
        sessions: Path | None = None,
        place: SessionPlace | None = None,
        saved: SavedSession | None = None,
        waits: bool = False,
        level: str = "",
        ask: Ask | None = None,
    ) -> None:
        """``ring`` lets something be heard, and ``ask`` asks a bot what it thinks of a position.

        ``deal`` is the text of the first deal, if it was chosen, and ``solo`` says that the
        game is one alone.

        ``records`` and ``sessions`` are the folders of records and of games to come back to; None
        where nothing is kept. ``place`` is where the game is played, if one can come back to it,
        and ``saved`` what is kept of it already. ``waits`` says that others may invite the person
        to their tables while his forms. ``level`` is how well the computers play, if that is known.
        """
        keeper = None
        if place is not None and sessions is not None:
            keeper = Keeper(sessions, place, self._tell, saved)
        self._keeper = keeper
        self.page = SeatPage(
            client,
            theme,
            ring,
            say=self._say,
            command=self._command,
            alone=solo,
            invite=None if place is None or solo else place.invite,
            ask=ask,
        )
        self.player_session = PlayerSession(
            client,
            self,
            self._tell,
            deal=deal,
            record_folder=records,
            keeper=keeper,
            tell_deal=self._tell_deal,
        )
        self._ui = ui
        self._theme = theme
        self._solo = solo
        narrator = self.page.table.story
        assert isinstance(narrator, Narrator)
        self._wishes = Wishes(client, narrator, self._answer)
        self._above = Above(
            ui,
            self.page,
            theme,
            remembered,
            replays=lambda: disclosed_replays(self.player_session.record),
            leaving=self._leaving,
            may_repeat=lambda: solo or self.page.is_over,
            can_end=solo,
            invite=self._invite,
            level=level,
            ask=ask,
        )
        if level:
            self.page.tell(computers_line(level))
        self._is_to_wait = waits
        self._waits_next = False
        """Whether others may invite the person once the server has taken note."""
        self._invite_page: InvitePage | None = None
        self._problem: HeartsError | None = None
        self._typed, self._commands = trio.open_memory_channel[str](_COMMANDS_WAITING)

    @property
    def again(self) -> str:
        """The text of the deal that the person wants again; empty for none."""
        return self._above.again

    async def play(self, chat: tuple[str, int] | None, tls: Tls | None = None) -> Leaving:
        """Play until the person is done. Raises RegistrationRefused and RemoteProtocolError."""
        async with trio.open_nursery() as nursery:
            for task in (
                self.page.run,
                self.page.choosing.send,
                self._above.run,
                self._do_commands,
            ):
                nursery.start_soon(task)
            nursery.start_soon(self._follow, chat, tls)
            leaving = await self._ui.run(self.page)
            nursery.cancel_scope.cancel()
        if self._problem is not None:
            raise self._problem
        if leaving is Leaving.ENDED and self._keeper is not None:
            await self._keeper.forget()
        return leaving

    @property
    def is_kept(self) -> bool:
        """Whether one can come back to the game with another program."""
        return self._keeper is not None and self._keeper.kept is not None

    async def _follow(self, chat: tuple[str, int] | None, tls: Tls | None) -> None:
        try:
            await self.player_session.play(chat, tls)
        except HeartsError as error:
            self._problem = error
            self.page.finish(Leaving.LEFT)

    # What the servers say

    def hear(self, event: DealerEvent) -> None:
        """Show what happens."""
        self.page.chat.is_there = self.player_session.has_chat
        self.page.hear(event)
        match event:
            case InvitableMessage() | InvitableCount() if self._invite_page is not None:
                self._invite_page.hear(event)
            case InvitableMessage() | InvitableCount():
                for line in invitation_lines(event):
                    self.page.chat.note(line.strip())
            case TableMessage() if self._is_to_wait:
                self._is_to_wait = False
                self._command(RequestCommand.WAIT.value)
            case Seated() if self._invite_page is not None:
                self._invite_page.finish(None)
            case Taken(wish) if wish is BeInvitable:
                self.page.waits = self._waits_next
            case Taken(wish) if wish is Resign:
                self.page.finish(Leaving.LEFT)

    async def _invite(self) -> None:
        """Let the person choose whom to invite, while the server is asked who waits."""
        if not self.page.table.may_start:
            return  # It has begun since the key was pressed.
        page = self._invite_page = InvitePage(ascii=self._theme.ascii)
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self._ask_who_waits)
            number = await self._ui.run(page)
            nursery.cancel_scope.cancel()
        self._invite_page = None
        if number is not None:
            self._command(f"{RequestCommand.INVITE.value} {number}")

    async def _ask_who_waits(self) -> None:
        while True:
            await self._wishes.do(Wants(RequestCommand.PLAYERS), knows_more=True)
            await trio.sleep(REFRESH_EVERY)

    def hear_chat(self, player: int, text: str) -> None:
        """Show what a player, 0-3, has said."""
        self.page.chat.is_there = True
        self.page.chat.hear(player, text)
        self.page.changed()

    def hear_notice(self, text: str) -> None:
        """Show what the servers have said."""
        self.page.chat.hear(-1, text)
        self.page.changed()

    def _tell(self, line: str) -> None:
        """A sentence about the chat or a file, such as the line client prints."""
        self.page.chat.note(line.removeprefix("* "))
        self.page.changed()

    def _tell_deal(self, line: str) -> None:
        text = line.removeprefix("* ")
        if "WARNING" in text:
            self.page.notice(text, Ink.ALARM)
        else:
            self.page.ticker.history.append((text, Ink.DIM))

    # What the person types in the chat

    def _say(self, text: str) -> None:
        try:
            self.player_session.speak(text)
        except CannotSay as error:
            self.page.chat.not_said(str(error))

    def _command(self, line: str) -> None:
        try:
            self._typed.send_nowait(line)
        except trio.WouldBlock:
            self.page.chat.not_said("one thing after the other")

    async def _do_commands(self) -> None:
        async for line in self._commands:
            match read_line(line):
                case Wants(what) as wants:
                    if what is RequestCommand.WAIT:
                        self._waits_next = wants.wants_to_wait
                    await self._wishes.do(wants, knows_more=self.player_session.knows_more)
                    if what in (RequestCommand.AGREE, RequestCommand.REFUSE):
                        self.page.choosing.proposed = ""
                    elif what in (RequestCommand.YIELD, RequestCommand.STAY):
                        self.page.choosing.is_seat_wanted = False
                case _:
                    self.page.chat.not_said(f"{line.split()[0]} is none of the commands; see help")
            self.page.changed()

    def _answer(self, line: str) -> None:
        self.page.chat.note(line)
        self.page.changed()

    def _leaving(self) -> str:
        if self._solo and self.is_kept:
            return "The game stays yours: come back to it from the start screen."
        if self._solo:
            return "The game ends when you leave."
        return (
            "The seat stays yours: come back to it from the start screen. "
            "/leave in the chat gives it up for good."
        )

"""A person's session at the screen, from the connection until they have seen its end."""

from __future__ import annotations

from collections.abc import Sequence

import trio

from hearts.session.client_events import DealerEvent, Seated
from hearts.session.table_words import InvitableCount, InvitableMessage, TableMessage, Taken
from hearts.session.wishes import BeInvitable
from hearts.table.inputs import Resign
from hearts_client.library.chat import CannotSend
from hearts_client.lines.wishes import Wishes
from hearts_client.par.own_pars import OwnPars
from hearts_client.screen.pages.asking_pages import InvitePage
from hearts_client.screen.pages.tables_page import REFRESH_EVERY
from hearts_client.screen.pictures.canvas import Ink
from hearts_client.screen.shared import Shared
from hearts_client.session.player_session import PlayerSession
from hearts_client.session.replay import HandReplay, disclosed_replays
from hearts_client.session.visit import TakenSeat
from hearts_client.words.narrator import Narrator
from hearts_client.words.rule_words import computers_line
from hearts_client.words.tables import invitation_lines
from hearts_client.words.typed import REQUESTS, Typed, read_line

from .lesson_page import LessonPage
from .seat_page import SeatPage
from .table_page import Leaving
from .table_session import TableSession

_COMMANDS_WAITING = 5


class SeatSession(TableSession):
    """One session: it shows the news of the servers, and carries out the wishes of the page."""

    def __init__(
        self,
        shared: Shared,
        seat: TakenSeat,
        *,
        deal: str = "",
        waits: bool = False,
        is_lesson: bool = False,
        is_listed: bool = False,
    ) -> None:
        """``deal`` is the text of the first deal, if it was chosen. ``waits`` says that others may
        invite the person to their tables while this one forms. Of a lesson no record is kept.
        ``is_listed`` says that the table is one of the public ones.
        """
        client = seat.client
        self.page: SeatPage = (LessonPage if is_lesson else SeatPage)(
            seat,
            shared.theme,
            shared.ring,
            say=self._send_chat,
            command=self._command,
        )
        super().__init__(shared, self.page)
        self._seat = seat
        self.is_alone = seat.is_alone
        self.player_session = PlayerSession(
            seat,
            self,
            self._show_line,
            deal=deal,
            record_folder=None if is_lesson else shared.profile.records,
            narrate_deal=self._show_deal,
        )
        self.page.record = self.player_session.record
        pars = OwnPars(self.player_session.record, shared.reckon, self._show_par)
        self.player_session.look_at_deals = pars.look
        narrator = self.page.table.story
        assert isinstance(narrator, Narrator)
        self._wishes = Wishes(client, narrator, self._show_line)
        if seat.is_alone and not is_lesson:
            self.level = shared.theme.settings.level
            self.page.show_notice(computers_line(self.level))
        self._is_listed = is_listed
        self.is_gone = False
        """True if the table was gone, so that its name has opened a private one, which was left."""
        self._is_to_wait = waits
        self._waits_next = False
        """True if others may invite the person once the server has taken note."""
        self._invite_page: InvitePage | None = None
        self._typed, self._commands = trio.open_memory_channel[str](_COMMANDS_WAITING)

    async def play(self) -> Leaving:
        """Play until the person is done. Raises RegistrationRefused and RemoteProtocolError."""
        leaving = await self.run(self.page.choosing.send, self._do_commands)
        if leaving is Leaving.ENDED and self._seat.keeper is not None:
            await self._seat.keeper.forget()
        return leaving

    async def follow(self) -> None:
        await self.player_session.play()

    def replays(self) -> Sequence[HandReplay]:
        return disclosed_replays(self.player_session.record)

    # What the servers say

    def receive(self, event: DealerEvent) -> None:
        self.page.chat.is_there = self.player_session.has_chat
        self.page.receive(event)
        match event:
            case InvitableMessage() | InvitableCount() if self._invite_page is not None:
                self._invite_page.receive(event)
            case InvitableMessage() | InvitableCount():
                for line in invitation_lines(event):
                    self.page.chat.note(line.strip())
            case TableMessage(private=True) if self._is_listed:
                self.is_gone = True
                self.page.finish(Leaving.LEFT)
            case TableMessage() if self._is_to_wait:
                self._is_to_wait = False
                self._command("/wait")
            case Seated() if self._invite_page is not None:
                self._invite_page.finish(None)
            case Taken(wish) if wish is BeInvitable:
                self.page.waits = self._waits_next
            case Taken(wish) if wish is Resign:
                self.page.finish(Leaving.LEFT)

    async def invite(self) -> None:
        if not self.page.table.may_start:
            return  # It has begun since the key was pressed.
        page = self._invite_page = InvitePage(ascii=self._shared.theme.ascii)
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self._ask_who_waits)
            number = await self._shared.ui.run(page)
            nursery.cancel_scope.cancel()
        self._invite_page = None
        if number is not None:
            self._command(f"/invite {number}")

    async def _ask_who_waits(self) -> None:
        while True:
            await self._wishes.do(Typed("/players"), knows_more=True)
            await trio.sleep(REFRESH_EVERY)

    def receive_chat(self, player: int, text: str) -> None:
        self.page.chat.is_there = True
        self.page.chat.receive(player, text)
        self.page.changed()

    def receive_notice(self, text: str) -> None:
        self.page.chat.receive(-1, text)
        self.page.changed()

    def _show_line(self, line: str) -> None:
        """Show a sentence about the chat or a file, such as the line client prints."""
        self.page.chat.note(line.removeprefix("* "))
        self.page.changed()

    def _show_deal(self, line: str) -> None:
        text = line.removeprefix("* ")
        if "WARNING" in text:
            self.page.notice(text, Ink.ALARM)
        else:
            self.page.ticker.note(text, Ink.DIM)

    def _show_par(self, hand: int, lines: Sequence[str]) -> None:
        self.page.table.par = hand, lines
        for line in lines:
            self.page.ticker.note(line, Ink.DIM)
        self.page.changed()

    # What the person types in the chat

    def _send_chat(self, text: str) -> None:
        try:
            self.player_session.speak(text)
        except CannotSend as error:
            self.page.chat.not_said(str(error))

    def _command(self, line: str) -> None:
        try:
            self._typed.send_nowait(line)
        except trio.WouldBlock:
            self.page.chat.not_said("one thing after the other")

    async def _do_commands(self) -> None:
        async for line in self._commands:
            match read_line(line):
                case Typed(what) as typed if what in REQUESTS:
                    if what == "/wait":
                        self._waits_next = typed.wants_to_wait
                    await self._wishes.do(typed, knows_more=self.player_session.knows_more)
                    if what in ("/agree", "/refuse"):
                        self.page.choosing.proposed = ""
                    elif what in ("/yield", "/stay"):
                        self.page.choosing.is_seat_wanted = False
                case _:
                    self.page.chat.not_said(f"{line.split()[0]} is none of the commands; see help")
            self.page.changed()

    def leaving(self) -> str:
        keeper = self._seat.keeper
        if self.is_alone and keeper is not None and keeper.kept is not None:
            return "The game stays yours: come back to it from the start screen."
        if self.is_alone:
            return "The game ends when you leave."
        return (
            "The seat stays yours: come back to it from the start screen. "
            "/leave in the chat gives it up for good."
        )

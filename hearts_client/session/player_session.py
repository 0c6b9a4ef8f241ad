"""One session of a person, whatever shows it: events, chat, records, and coming back later."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Protocol

import trio

from hearts.errors import LocalProtocolError
from hearts.game.events import YourHand
from hearts.game.view import claim_in_words
from hearts.session.client_events import (
    CaughtUp,
    ConnectionLost,
    DealerEvent,
    RegistrationRefused,
    Seated,
    SessionEnded,
    WaitingForPlayers,
)
from hearts.session.messages import Scores
from hearts.session.resume_token import ResumeToken
from hearts.session.table_words import PlayerCommentMessage, ServerNotice, TableMessage
from hearts.table.effects import HandAborted, RestClaimed, TakenBack
from hearts_client.library.chat import CannotSend, ChatClient, check_line
from hearts_client.library.client import Client

from .own_record import OwnRecord
from .promises import Promises
from .record_files import RecordFiles
from .saved import Keeper, SavedSession
from .visit import FINAL, TakenSeat

_CHAT_WAIT = 1.0
"""Seconds for which the first hand waits for the chat."""
_COMMENTS_WAITING = 5
"""Lines that are not sent yet while the table forms."""
_SILENT_FOR = 4.0
"""Seconds after which a person is told that the server says nothing."""
_NOTICES_KEPT = 8
"""Notices that may still come over the other connection too."""
_SAVE_LIMIT = 10.0
"""Seconds that the last writing of a record may take when everything else is over."""


class Shows(Protocol):
    """The side of a client that a person sees."""

    def receive(self, event: DealerEvent) -> None:
        """Something has happened in the game or to the connection."""

    def receive_chat(self, player: int, text: str) -> None:
        """Show what a player, 0-3, has said."""

    def receive_notice(self, text: str) -> None:
        """Show what a server has said."""


class Notices:
    """Knows the notices of late, which a server may send over both connections."""

    def __init__(self) -> None:
        self._unpaired: deque[tuple[bool, str]] = deque(maxlen=_NOTICES_KEPT)
        """Notices that came over one connection, each with True if that was the chat's."""

    def is_new(self, text: str, *, in_chat: bool) -> bool:
        """Take in a notice; False if it has come over the other connection already."""
        is_told = (not in_chat, text) in self._unpaired
        if is_told:
            self._unpaired.remove((not in_chat, text))
        else:
            self._unpaired.append((in_chat, text))
        return not is_told


class PlayerSession:
    """Follows a client's session, and does what no person has to ask for."""

    def __init__(
        self,
        seat: TakenSeat,
        shows: Shows,
        say: Callable[[str], None],
        *,
        deal: str = "",
        can_repeat: bool = False,
        record_folder: Path | None = None,
        narrate_deal: Callable[[str], None] | None = None,
    ) -> None:
        """``say`` gets a sentence: that the chat is missing, or a file cannot be written.
        ``narrate_deal`` gets those about the deals that were checked, if it is another.

        ``deal`` is the code of the first deal, if it was chosen, and ``can_repeat`` says whether
        one can be played again. ``record_folder`` is where the records of the games are kept; None
        for nowhere.
        """
        client, keeper = seat.client, seat.keeper
        self.is_past = client.progress is not None
        """True while the connection is lost, or the past is told."""
        self.knows_more = False
        """True if the server has told of our table, and so can do all that a table needs before it
        begins."""
        self.record = _record_of(client, keeper)
        self.look_at_deals: Callable[[bool], None] = lambda is_past: None
        """Called when a deal may have been disclosed; True if that is only told of once more."""
        self._client = client
        self._shows = shows
        self._say = say
        self._seat = seat
        if keeper is not None:
            client.keep, keeper.say = self._keep, say
        self._chat: ChatClient | None = None
        self._to_say, self._comments = trio.open_memory_channel[str](_COMMENTS_WAITING)
        self.promises = Promises(self.record, narrate_deal or say, deal=deal, can_repeat=can_repeat)
        self._notices = Notices()
        self._files: RecordFiles | None = None
        if record_folder is not None:
            self._files = RecordFiles(record_folder, self.record, say)

    @property
    def has_chat(self) -> bool:
        return self._is_forming or (self._chat is not None and self._chat.is_there)

    @property
    def _is_forming(self) -> bool:
        """True while the table forms, and passes on what is said."""
        return self.knows_more and self._client.seated is None

    def speak(self, text: str) -> None:
        """Say something to the table. Raises CannotSend."""
        if self._is_forming:
            check_line(text)
            try:
                self._to_say.send_nowait(text)
            except trio.WouldBlock:
                raise CannotSend("wait for the answer to your last request") from None
        elif self._chat is None:
            raise CannotSend("there is no chat at this table")
        else:
            self._chat.send(text)

    async def _send_comments(self) -> None:
        async for text in self._comments:
            # The table may have begun, or the connection may be lost.
            with suppress(LocalProtocolError):
                await self._client.comment(text)

    async def play(self) -> bool:
        """Follow the session to its end; True if it ended as it should.

        Raises RegistrationRefused, and RemoteProtocolError in a group.
        """
        client, keeper = self._client, self._seat.keeper
        refused: RegistrationRefused | None = None
        complete = False
        try:
            async with trio.open_nursery() as nursery:
                nursery.start_soon(self._send_comments)
                nursery.start_soon(self._report_silence)
                try:
                    complete = await self._follow(nursery)
                except RegistrationRefused as error:
                    refused = error
                if refused is not None and refused.code in FINAL:
                    await self.promises.wait_for_last(is_over=True)
                nursery.cancel_scope.cancel()
        finally:
            with trio.CancelScope(shield=True, deadline=trio.current_time() + _SAVE_LIMIT):
                await self._save()
                is_over = client.seated is not None and client.progress is None
                if refused is not None:
                    is_over = refused.code in FINAL
                if keeper is not None and is_over:
                    await keeper.forget()
        if refused is not None:
            raise refused
        return complete

    async def _follow(self, nursery: trio.Nursery) -> bool:
        client, place = self._client, self._seat.place
        ended = SessionEnded(complete=False)
        async for event in client:
            if isinstance(event, Seated) and place.taunt_port and self._chat is None:
                self._chat = ChatClient(event.credentials, self.receive_chat, self._chat_changed)
                host = client.host or place.host
                nursery.start_soon(self._chat.run, host, place.taunt_port, place.tls)
            if isinstance(event, CaughtUp) and self._chat is not None and client.host:
                self._chat.go_to(client.host)
            self._receive(event)
            if isinstance(event, WaitingForPlayers | CaughtUp):
                # The plain dialect has no word for it.
                with suppress(LocalProtocolError):
                    await client.ask_table()
            if isinstance(event, Seated | YourHand | HandAborted | Scores):
                await self._save()
            if isinstance(event, Seated) and self._chat is not None:
                # The promise of the first deal should be heard before a card of it is played.
                await client.flush()
                with trio.move_on_after(_CHAT_WAIT):
                    await self._chat.settled.wait()
            if isinstance(event, SessionEnded):
                ended = event
        if not ended.displaced:
            await self.promises.wait_for_last(is_over=ended.complete)
        return ended.complete

    async def _report_silence(self) -> None:
        await trio.sleep(_SILENT_FOR)
        if self._client.player < 0:
            self._say("* The server has not answered yet.")

    def _receive(self, event: DealerEvent) -> None:
        match event:
            case ConnectionLost():
                self.is_past = True
            case TakenBack(hands) if hands >= 0:
                self.is_past = True
            case CaughtUp():
                self.is_past = False
            case TableMessage():
                self.knows_more = True
            case PlayerCommentMessage(player, text):
                self._shows.receive_chat(player, text)
            case RestClaimed(player, cards):
                told = claim_in_words(self._client.names[player], cards)
                self._notices.is_new(told, in_chat=False)  # The game has told it.
            case ServerNotice(text):
                self._tell_notice(text, in_chat=False)
        self._shows.receive(event)
        self.promises.receive(event)
        self.look_at_deals(self.is_past)

    async def _keep(self, progress: ResumeToken) -> bool:
        saved = SavedSession(self._seat.place, progress, self.record.missed, self.record.day)
        return self._seat.keeper is None or await self._seat.keeper.keep(saved)

    async def _save(self) -> None:
        if self._client.progress is not None:
            await self._keep(self._client.progress)
        if self._files is not None:
            await self._files.save()

    # The chat

    def receive_chat(self, player: int, text: str) -> None:
        """Take in what the taunt server brings; ``player`` is 0-3, or -1 for a notice."""
        if player >= 0:
            self._shows.receive_chat(player, text)
        elif self.promises.notice(text):
            self.look_at_deals(self.is_past)
        else:
            self._tell_notice(text, in_chat=True)

    def _tell_notice(self, text: str, *, in_chat: bool) -> None:
        if self._notices.is_new(text, in_chat=in_chat):
            self._shows.receive_notice(text)

    def _chat_changed(self, why: str | None) -> None:
        if why is None:
            self._say("* The chat is back.")
        else:
            self._say(f"* There is no chat: {why}. The game goes on.")


def _record_of(client: Client, keeper: Keeper | None) -> OwnRecord:
    kept = None if keeper is None else keeper.kept
    record = OwnRecord(client.picture)
    if client.progress is not None and client.progress.knows_count:
        missed = 0 if kept is None else kept.missed
        record = OwnRecord(client.picture, client.progress.hands, missed)
    record.day = None if kept is None else kept.day
    return record

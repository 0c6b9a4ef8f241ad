"""Answers what a client asks of tables beside its own play (DealerSpec.md section 14.8)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import assert_never

import trio

from hearts.errors import Fault
from hearts.hosting.client import HostedClient
from hearts.hosting.table_requests import (
    AnswerInvitation,
    BeInvitable,
    HostRequest,
    Invite,
    Message,
    MoveSeat,
    SayWhileForming,
    StartTable,
    TellInvitable,
    TellTable,
    TellTables,
    comment_told,
    invitable_count_told,
    invitable_told,
    seat_told,
    tables_told,
    taken_told,
)
from hearts.limits import ITEM_WORK, LIST_WORK, Looks
from hearts.limits.buckets import Bucket

from .forming import FormingTable, Sitter
from .listing import describe_playing
from .lobby import Lobby
from .sessions import Sessions

COMMENTS = 15
"""Comments of a client at once, while a table forms; as many as the chat passes on."""
COMMENT_RATE = COMMENTS / 30.0
"""The same a second."""
MOVES = 5
"""Moves to another seat at once, each of which everybody at the table hears; and invitations."""
MOVE_RATE = MOVES / 30.0
"""The same a second."""


class LobbyRequests:
    """What one client of a server may ask, as hosting hands it on."""

    def __init__(
        self,
        client: HostedClient,
        lobby: Lobby,
        sessions: Sessions,
        *,
        leave: Callable[[], None],
        sitter: Sitter | None = None,
        game_number: int = 0,
    ) -> None:
        """The client has a seat at a table that forms, or has to do with one that plays.

        ``leave`` frees what it has before its table begins.
        """
        self.leave = leave
        self._client = client
        self._lobby = lobby
        self._sessions = sessions
        self._sitter = sitter
        self._game_number = game_number
        self._comments = Bucket(COMMENT_RATE, COMMENTS, trio.current_time())
        self._moves = Bucket(MOVE_RATE, MOVES, trio.current_time())
        self._invites = Bucket(MOVE_RATE, MOVES, trio.current_time())
        self._looks = Looks(lobby.looks, client.who)
        self._listed: set[type[HostRequest]] = set()

    def ask(self, request: HostRequest) -> Sequence[Message] | Fault:
        """The answer, or why there is none."""
        match request:
            case SayWhileForming(text):
                return self._say(text)
            case StartTable():
                return self._start()
            case MoveSeat(player):
                return self._move(player)
            case BeInvitable(wanted):
                return self._be_invitable(wanted)
            case TellInvitable():
                self._charge_list(TellInvitable)
                listed = self._lobby.invitations.listed()
                count = invitable_count_told(len(listed))
                return [*(invitable_told(each.number, each.info) for each in listed), count]
            case Invite(number):
                return self._invite(number)
            case AnswerInvitation(agreed):
                return self._answer_invitation(agreed)
            case TellTables():
                self._charge_list(TellTables)
                tables = self._all_tables()
                return [*tables, tables_told(len(tables))]
            case TellTable(name):
                # As for block -12: a name may be a guess.
                self._client.charge(ITEM_WORK)
                told = self._named_table(name) if name else self._own_table()
                return Fault.NOT_NOW if told is None else [told]
            case _:
                assert_never(request)

    def _charge_list(self, kind: type[HostRequest]) -> None:
        """The first list of a kind is waited for; the same again is not."""
        if kind in self._listed:
            self._client.charge(LIST_WORK)
        self._listed.add(kind)

    def _forming(self) -> FormingTable | None:
        """The client's own table, as long as it forms."""
        sitter = self._sitter
        if sitter is None or sitter.evicted is not None:
            return None
        return sitter.table if self._lobby.tables.is_forming(sitter.table) else None

    def _say(self, text: str) -> Sequence[Message] | Fault:
        table, sitter = self._forming(), self._sitter
        if table is None or sitter is None or not self._comments.take(trio.current_time()):
            return Fault.NOT_NOW
        table.tell(comment_told(sitter.player, text))
        return []

    def _start(self) -> Sequence[Message] | Fault:
        table, sitter = self._forming(), self._sitter
        if table is None or sitter is None:
            return Fault.NOT_NOW
        if table.opener_player != sitter.player:
            return Fault.NOT_PLAYER_0
        self._lobby.start(table)
        return []

    def _move(self, player: int) -> Sequence[Message] | Fault:
        table, sitter = self._forming(), self._sitter
        if table is None or sitter is None or not table.may_move(sitter, player):
            return Fault.NOT_NOW
        if not self._moves.take(trio.current_time()):
            return Fault.NOT_NOW
        # First, for then everybody is told who is where.
        self._client.say_message(seat_told(player))
        self._lobby.move(sitter, player)
        return []

    def _be_invitable(self, wanted: bool) -> Sequence[Message] | Fault:
        table, sitter = self._forming(), self._sitter
        if table is None or sitter is None:
            return Fault.NOT_NOW
        invitations = self._lobby.invitations
        if not wanted:
            invitations.remove(sitter, "the player cannot be invited any more")
            return [taken_told(BeInvitable)]
        return [taken_told(BeInvitable)] if invitations.add(sitter) else Fault.NOT_NOW

    def _invite(self, number: int) -> Sequence[Message] | Fault:
        table, sitter = self._forming(), self._sitter
        if table is None or sitter is None:
            return Fault.NOT_NOW
        if table.opener_player != sitter.player:
            return Fault.NOT_PLAYER_0
        if not self._invites.take(trio.current_time()):
            return Fault.NOT_NOW
        if not self._lobby.invitations.invite(sitter, number):
            return Fault.NOT_NOW
        return [taken_told(Invite)]

    def _answer_invitation(self, agreed: bool) -> Sequence[Message] | Fault:
        sitter = self._sitter
        if sitter is None or not self._lobby.invitations.answer(sitter, agreed):
            return Fault.NOT_NOW
        return []

    def _all_tables(self) -> list[Message]:
        forming, playing = self._lobby.tables.public()
        return [*map(self._lobby.describe, forming), *map(describe_playing, playing)]

    def _named_table(self, name: str) -> Message | None:
        now = trio.current_time()
        if not self._looks.admits(name, now):
            return None
        told = self._table(name)
        if told is None:
            self._looks.missed(now)
        return told

    def _table(self, name: str) -> Message | None:
        forming = self._lobby.tables.forming.get(name)
        if forming is not None and forming.opened:
            return self._lobby.describe(forming)
        playing = self._lobby.tables.playing.get(name)
        return None if playing is None else describe_playing(playing)

    def _own_table(self) -> Message | None:
        forming = self._forming()
        if forming is not None:
            return self._lobby.describe(forming)
        playing = None
        if self._game_number:
            playing = self._sessions.playing(self._game_number)
        elif self._sitter is not None:
            playing = self._lobby.tables.playing.get(self._sitter.table.name)
        return None if playing is None else describe_playing(playing)

"""Answers the wishes of a client beside its own play (DealerSpec.md section 14.8)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, assert_never

import trio

from hearts.errors import Fault
from hearts.hosting.hosted_table import HostedTable
from hearts.limits.buckets import Bucket
from hearts.limits.work import ITEM_WORK, LIST_WORK
from hearts.session.table_words import (
    Beside,
    InvitableCount,
    InvitableMessage,
    PlayerCommentMessage,
    SeatMoved,
    TableMessage,
    TablesMessage,
    Taken,
)
from hearts.session.wishes import (
    AnswerInvitation,
    Asked,
    AskForInvitable,
    AskForTable,
    AskForTables,
    AskHost,
    BeInvitable,
    ChatWhileForming,
    Invite,
    MoveSeat,
    SendAway,
    SetLevel,
    StartTable,
)

from .forming import Sitter
from .named_tables import describe_playing

if TYPE_CHECKING:
    from .offer import LobbyOffer

COMMENTS = 15
"""Comments of a client at once, while a table forms; as many as the chat passes on."""
COMMENT_RATE = COMMENTS / 30.0
"""The same a second."""
MOVES = 5
"""Moves to another seat, invitations, or questions to the host, at once; everybody at the table
hears of each move."""
MOVE_RATE = MOVES / 30.0
"""The same a second."""


class LobbyWishes:
    """Answers the wishes of one client of a server beside its play."""

    def __init__(self, offer: LobbyOffer) -> None:
        """The client has what it was offered: a seat at a table that forms or plays."""
        self._client = offer.client
        self._lobby = offer.reception.lobby
        self._sitter = offer.place if isinstance(offer.place, Sitter) else None
        self._offer = offer
        now = trio.current_time()
        self._comments = Bucket(COMMENT_RATE, COMMENTS, now)
        self._moves = Bucket(MOVE_RATE, MOVES, now)
        self._invites = Bucket(MOVE_RATE, MOVES, now)
        self._asks = Bucket(MOVE_RATE, MOVES, now)
        self._levels = Bucket(COMMENT_RATE, COMMENTS, now)
        self._listed: set[type[Asked]] = set()

    def ask(self, wish: Asked) -> Sequence[Beside] | Fault:
        match wish:
            case AskForTables():
                self._charge_list(wish)
                tables = self._lobby.public_tables()
                return [*tables, TablesMessage(len(tables))]
            case AskForTable(_, name):
                # As for block -12: a name may be a guess.
                self._client.charge(ITEM_WORK)
                told = self._named_table(name) if name else self._own_table()
                return Fault.NOT_NOW if told is None else [told]
            case AskForInvitable():
                self._charge_list(wish)
                listed = self._lobby.invitations.listed()
                told_of = [InvitableMessage(each.number, each.info) for each in listed]
                return [*told_of, InvitableCount(len(listed))]
            case AnswerInvitation(_, agreed):
                sitter = self._sitter
                is_asked = sitter and self._lobby.invitations.answer(sitter, agreed)
                return [] if is_asked else Fault.NOT_NOW
            case AskHost(_, text):
                if not self._asks.take(trio.current_time()):
                    return Fault.NOT_NOW
                names = self._offer.names
                proved = "" if names is None else names.proved
                self._lobby.ask_host(text, self._client, self._playing(), proved)
                return [Taken(AskHost)]
            case _:
                sitter = self._forming()
                return Fault.NOT_NOW if sitter is None else self._form(wish, sitter)

    def _form(
        self,
        wish: ChatWhileForming | StartTable | MoveSeat | SendAway | SetLevel | BeInvitable | Invite,
        sitter: Sitter,
    ) -> Sequence[Beside] | Fault:
        """Return the answer to a wish about the table that forms."""
        lobby, table = self._lobby, sitter.table
        if (
            isinstance(wish, StartTable | Invite | SetLevel)
            and table.opener_player != sitter.player
        ):
            return Fault.NOT_PLAYER_0
        match wish:
            case ChatWhileForming(_, text):
                if not self._comments.take(trio.current_time()):
                    return Fault.NOT_NOW
                table.notify(PlayerCommentMessage(sitter.player, text))
                return []
            case StartTable():
                lobby.start(table)
                return []
            case MoveSeat(_, seat):
                if not (table.may_move(sitter, seat) and self._moves.take(trio.current_time())):
                    return Fault.NOT_NOW
                # First, for then everybody is told who is where.
                self._client.notify(SeatMoved(seat))
                lobby.move(sitter, seat)
                return []
            case SendAway(_, seat):
                if sitter is not table.founder:
                    return Fault.NOT_PLAYER_0
                guest = table.sitters[seat]
                if guest is None or guest is sitter or not guest.registered:
                    return Fault.NOT_NOW
                lobby.send_away(guest)
            case SetLevel(_, seat, level):
                may = self._levels.take(trio.current_time())
                if not (may and lobby.set_level(table, seat, level)):
                    return Fault.NOT_NOW
            case BeInvitable(_, wanted):
                if not wanted:
                    lobby.invitations.remove(sitter, "the player cannot be invited any more")
                elif not lobby.invitations.add(sitter):
                    return Fault.NOT_NOW
            case Invite(_, number):
                may = self._invites.take(trio.current_time())
                if not (may and lobby.invitations.invite(sitter, number)):
                    return Fault.NOT_NOW
            case _:
                assert_never(wish)
        return [Taken(type(wish))]

    def _charge_list(self, wish: Asked) -> None:
        """Charge a list: nothing for the first one of a kind, which is waited for."""
        if type(wish) in self._listed:
            self._client.charge(LIST_WORK)
        self._listed.add(type(wish))

    def _forming(self) -> Sitter | None:
        """Return the client's place, as long as its table forms."""
        sitter = self._sitter
        if sitter is None or sitter.evicted is not None:
            return None
        return sitter if self._lobby.tables.is_forming(sitter.table) else None

    def _named_table(self, name: str) -> TableMessage | None:
        now = trio.current_time()
        if not self._offer.looks.admits(name, now):
            return None
        told = self._lobby.named(name)
        if told is None:
            self._offer.looks.missed(now)
        return told

    def _own_table(self) -> TableMessage | None:
        sitter = self._forming()
        if sitter is not None:
            return self._lobby.describe(sitter.table)
        playing = self._playing()
        return None if playing is None else describe_playing(playing)

    def _playing(self) -> HostedTable | None:
        """Return the table that plays at which the client is."""
        if number := self._offer.game_number:
            return self._lobby.sessions.playing(number)
        sitter = self._sitter
        return None if sitter is None else self._lobby.sessions.by_name.get(sitter.table.name)

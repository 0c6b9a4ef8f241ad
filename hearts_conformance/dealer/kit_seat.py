"""The server's side of the client's seat, which says more or other things if a script wants.

Its messages are kept apart, and each frame of the client is judged on its way in.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import cycle

from msgspec.structs import replace

from hearts.dealer.beside import REQUESTS
from hearts.dealer.frames import Frame, MessageType
from hearts.dealer.seat import DealerSeat
from hearts.errors import Fault, Reason, RemoteProtocolError
from hearts.game.cards import four
from hearts.game.cuts import NO_HASHES, VALUE_BYTES
from hearts.game.events import ChosenBy
from hearts.session import table_words
from hearts.table.effects import Ask, Change, CutSettled, DealDisclosed, DealPromised, TableEvent
from hearts.table.inputs import Chosen, ClaimRest, GiveSeat, Question, Resign, TakeBack, Vote
from hearts.wire.credentials import SeatCredentials
from hearts_conformance.checks import ClientFault, Marks
from hearts_conformance.session.kept_link import KeptLink
from hearts_conformance.session.script import Extra, PromiseTwist, Script

from .frames import spell

_UNKNOWN_TYPES = (250, 0, 136, 777, 2**31 - 1, 99)
_UNKNOWN_SIZES = (4096, 0, 3, 64)
_LATER_FIELDS = bytes.fromhex("00000001 0000000261 00 ffffffff 2a")
"""Bytes that a later version may add to a payload."""
_MOST = 1000
"""Frames between two choices after which a client is not listened to any more."""
_FAILS = {
    Fault.NOT_ASKED: "answer.in-reply-to",
    Fault.WRONG_TYPE: "answer.type",
    Fault.ANSWERED: "answer.once",
}
_MEANT = {
    MessageType.REGISTER_PLAYER: "register.player",
    MessageType.QUERY_NEW_RULES: "rules.vote",
    MessageType.QUERY_ABORT: "abort.vote",
    MessageType.GIVE_SEAT: "seat.give",
    MessageType.INVITATION: "invitation.answer",
}
"""The checks of answers without meaning; a request, if it is none of these."""


_ANOTHER_HASH = b"\x5a" * VALUE_BYTES


class ToldPromises:
    """The promises that the client is told, over all its connections."""

    def __init__(self, promises: PromiseTwist, player: int) -> None:
        self.is_double = False
        """The promise told last is the second one of its deal, and another."""
        self._promises = promises
        self._player = player
        self._deal = 0
        """The first deal with a hash of the client."""
        self._hashes = NO_HASHES
        """Those that were promised for it otherwise."""

    def told_as(self, promise: DealPromised) -> list[DealPromised]:
        self.is_double = False
        if not promise.hashes[self._player] or self._deal not in (0, promise.deal):
            return [promise]
        was_told, self._deal = self._deal == promise.deal, promise.deal
        match self._promises:
            case PromiseTwist.TWICE:
                self.is_double = True
                digest = bytes(byte ^ 1 for byte in promise.digest)
                return [promise, replace(promise, digest=digest)]
            case PromiseTwist.OTHERWISE if was_told:
                self.is_double = True
                hashes = list(promise.hashes)
                hashes[self._player - 1] = _ANOTHER_HASH
                self._hashes = four(hashes)
                return [replace(promise, hashes=self._hashes)]
            case _:
                return [promise]

    def disclosed_as(self, disclosed: DealDisclosed) -> DealDisclosed:
        """Give the proof to tell in place of one: it has the hashes that were promised last."""
        if disclosed.deal != self._deal or self._hashes == NO_HASHES or disclosed.shown is None:
            return disclosed
        return replace(disclosed, shown=replace(disclosed.shown, hashes=self._hashes))


class DealerKitSeat(DealerSeat):
    def __init__(self, player: int, script: Script, marks: Marks) -> None:
        super().__init__(player)
        self._script = script
        self._marks = marks
        self.link = KeptLink()
        self._unknown = cycle(_UNKNOWN_TYPES)
        self._sizes = cycle(_UNKNOWN_SIZES)
        self._others: Sequence[table_words.PlayerInfo] = ()
        self._past = 0
        self._late: set[int] = set()
        self._choiceless = 0
        self.refused = ""
        """The check of a request that was refused since this was last looked at."""
        self.promises = ToldPromises(script.promises, player)
        self.on_missed_cut: Callable[[], None] = lambda: None
        """Is called when the client has not shown its value, before the deal is dealt."""
        self.on_introduction: Callable[[table_words.Introduction], None] = lambda said: None
        self.has_left = False
        """The client was told that it has left for good."""

    def header(self, question: Question) -> tuple[int, int] | None:
        """Type and number of the query for a choice; None if it is settled already."""
        query = self._queries.find(question)
        return None if query is None else (query.type, query.number)

    # To the client

    def welcome(
        self, credentials: SeatCredentials, table_name: str, infos: Sequence[table_words.PlayerInfo]
    ) -> bytes:
        self._others = infos
        return super().welcome(credentials, table_name, infos)

    def encode_event(self, event: TableEvent) -> bytes:
        told = event
        if isinstance(event, CutSettled) and event.by is not ChosenBy.PLAYER:
            self.on_missed_cut()
        if isinstance(event, DealPromised):
            told_as = self.promises.told_as(event)
            return self.link.keep(event, b"".join(map(super().encode_event, told_as)))
        if isinstance(event, DealDisclosed):
            told = self.promises.disclosed_as(event)
            if self._script.wrong_proof:
                told = replace(told, secret=bytes(byte ^ 1 for byte in told.secret))
        return self.link.keep(event, super().encode_event(told))

    def ask(self, asked: Ask) -> bytes:
        data = super().ask(asked)
        if self._script.asides:
            data += self._asides(asked.question)
        return self.link.keep(asked, data)

    def refuse(self, reason: Reason) -> bytes:
        return self.link.keep(reason, super().refuse(reason))

    def refuse_legal(self, question: Question, reason: Reason) -> None:
        """Refuse a legal answer as if it were illegal; its query is open again."""
        query = self._queries.find(question)
        assert query is not None
        query.meaningless = question is Question.MOON
        self.refuse(reason)

    def beside(self, told: table_words.Beside) -> bytes:
        self.has_left = self.has_left or told == table_words.Taken(Resign)
        if isinstance(told, table_words.Declined) and told.wish is TakeBack:
            self.refused = "undo.refused"
        data = super().beside(told)
        if isinstance(told, table_words.Replay):
            self._past = self._sequence
        return data

    def _asides(self, question: Question) -> bytes:
        player = self.player
        other = self._others[(player + 1) % 4]
        gone = replace(other, presence=table_words.Presence.AWAY)
        return b"".join(
            self.beside(told)
            for told in (
                table_words.Waiting(question, (player,), 1000, 50_000),
                table_words.PlayerChange(Change.LEFT, gone),
                table_words.ServerNotice("The conformance kit plays on."),
                table_words.PlayerChange(Change.BACK, other),
                table_words.Waiting(question, (player,), 6000, 45_000),
            )
        )

    def _frame(self, type: int, payload: bytes) -> bytes:
        match self._script.extra:
            case Extra.UNKNOWN:
                frame = super()._frame(type, payload)
                return frame + super()._frame(next(self._unknown), bytes(next(self._sizes)))
            case Extra.LONGER if type != MessageType.PONG:
                return super()._frame(type, payload + _LATER_FIELDS)
            case _:
                return super()._frame(type, payload)

    # From the client

    def receive(self, data: bytes) -> list[table_words.Given]:
        """Read what the client has sent. Raises ClientFault."""
        try:
            return super().receive(data)
        except RemoteProtocolError as error:
            raise ClientFault("frame.whole", str(error)) from None

    def _accept(self, frame: Frame) -> table_words.Given | None:
        given = super()._accept(frame)
        self._choiceless = 0 if isinstance(given, Chosen) else self._choiceless + 1
        if self._choiceless > _MOST:
            raise ClientFault("notify.silent", f"{_MOST} frames came in a row that choose nothing")
        if frame.type in REQUESTS:
            self._marks.show("request.payload")
        match given:
            case ClaimRest():
                # The kit wants to see a card.
                self.refused = "claim.refused"
                self._replies.append(self.beside(table_words.Declined(ClaimRest, Fault.NOT_NOW)))
                return None
            case table_words.Introduced():
                self._marks.show("register.player")
                self.on_introduction(given.said)
            case Vote() | GiveSeat():
                self._marks.show(_MEANT[MessageType(frame.type)])
        return given

    def _refuse(self, frame: Frame, fault: Fault) -> None:
        check = _FAILS.get(fault)
        if fault is Fault.MEANINGLESS:
            check = _MEANT.get(MessageType(frame.type), "request.payload")
        elif fault is Fault.NOT_ASKED and self._past and frame.number <= self._past:
            check = "back.past"
        elif fault is Fault.TOO_LATE:
            # One answer may have been on its way.
            check = "late.nothing" if frame.number in self._late else None
            self._late.add(frame.number)
        if check is not None:
            raise ClientFault(check, f"{spell(frame)} came: {fault.text}")
        super()._refuse(frame, fault)

"""The registration of the client under test: sections 3 and, for who comes back, 5.6."""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct

from hearts.errors import RemoteProtocolError
from hearts.session.messages import ListedTable, Options, Refusal
from hearts.session.registration import (
    ComeBack,
    GivenName,
    GivenOptions,
    GivenPassword,
    GivenProcessId,
    Item,
    JoinTable,
    ListTables,
    LookAt,
    ReasonsWanted,
    Registration,
    RegistrationEnded,
    Skipped,
    SpeakDealer,
)
from hearts.wire.codec import encode_int
from hearts_conformance.checks import Check, ClientFault, Marks
from hearts_conformance.line import HungUp, Line, Silence

from . import checks

JOINS = "goes to a table by its name"
_LISTED = ListedTable("Conformance", 0, 1, ("Kit", "Moe", "Larry", ""))


class ClientUnderTest(Struct, frozen=True, gc=False):
    """A client that has registered."""

    name: str
    process_id: int
    player: int
    """Its latest Player ID."""
    back: ComeBack | None
    """What it has shown to come back."""
    table: str | None
    """The table that it has asked for by its name."""
    speaks_dealer: bool
    """Whether it has turned the dealer dialect on."""


Welcome = Callable[[ComeBack], int | Refusal]
"""The reply to who comes back. Raises ClientFault."""


class CheckedRegistration:
    """One registration, up to the Process ID."""

    def __init__(
        self, line: Line, marks: Marks, welcome: Welcome, *, version: int | None = None
    ) -> None:
        """``version`` is that of the dealer dialect, if the kit speaks it."""
        self._line = line
        self._marks = marks
        self._welcome = welcome
        self._version = version
        self._speaks_dealer = False
        self._table: str | None = None
        self._registration = Registration()
        self._unfed = b""
        self._back: ComeBack | None = None
        self._name: str | None = None
        self._player = -1
        self.reasons = False
        """Whether reasons of refusals were asked for."""

    async def offer_seat(self, player: int) -> None:
        """Send the Player ID, or a refusal in its place."""
        self._player = player
        await self.keep_quiet(checks.SILENT, "the Player ID")
        await self._send(encode_int(player), checks.SILENT)

    async def receive(self, seat: int) -> ClientUnderTest | None:
        """Take the registration; None if the client was refused and has to call again.

        ``seat`` is the Player ID that block -4 gives. Raises ClientFault.
        """
        while True:
            item = await self._take()
            match item:
                case GivenName(name):
                    if not name:
                        raise ClientFault(checks.NAME, "a name came that is none: see 3.2 and 1.4")
                    self._name = name
                    self._marks.show(checks.NAME)
                case GivenOptions(ints):
                    self._check_wishes(ints)
                case GivenProcessId(process_id):
                    if not self._speaks_dealer:
                        self._check_rest()
                    assert self._name is not None
                    if self._back is not None and self._back.shown.process_id != process_id:
                        raise ClientFault(
                            checks.NUMBERS,
                            f"Process ID {process_id} came behind a block -5 with another one",
                        )
                    if self._speaks_dealer:
                        # The first frames may be there already: section 14.1.
                        self._line.give_back(self._unfed)
                    else:
                        await self.keep_quiet(checks.PROCESS_ID, "an answer to the Process ID")
                    self._marks.show(checks.PROCESS_ID)
                    return ClientUnderTest(
                        self._name,
                        process_id,
                        self._player,
                        self._back,
                        self._table,
                        self._speaks_dealer,
                    )
                case _:
                    if not await self._reply(item, seat):
                        return None

    async def refuse(self, refusal: Refusal) -> None:
        """Send a refusal in place of a reply or of the Game number."""
        await self._send(self._registration.refuse(RegistrationEnded(refusal)), checks.PROCESS_ID)

    async def _reply(self, item: Item, seat: int) -> bool:
        """Reply to a block; whether the registration goes on."""
        if self._unfed:
            raise ClientFault(
                checks.REPLIES, f"{self._unfed.hex(' ')} came before the reply was sent"
            )
        self._marks.show(checks.BLOCKS)
        self._marks.show(checks.REPLIES)
        match item:
            case ReasonsWanted():
                self.reasons = True
                reply = self._registration.accept()
            case SpeakDealer(version) if self._version is not None:
                self._speaks_dealer = True
                reply = self._registration.accept(min(version, self._version))
            case GivenPassword():
                reply = self._registration.accept()
            case Skipped() | LookAt():
                reply = self._registration.accept(0)
            case ListTables():
                reply = self._registration.listing([_LISTED])
            case JoinTable(name):
                self._table = name
                self._marks.habits.add(JOINS)
                self._player = seat
                reply = self._registration.accept(seat)
            case ComeBack():
                answer = self._welcome(item)
                if isinstance(answer, Refusal):
                    await self.refuse(answer)
                    return False
                self._back = item
                reply = self._registration.accept(answer)
            case GivenName() | GivenOptions() | GivenProcessId():
                raise AssertionError("these have no reply")
            case _:
                # What is for another dialect; the kit plays a server without it.
                await self.refuse(Refusal.BAD_OPTION)
                return False
        await self._send(reply, checks.REPLIES)
        return True

    def _check_wishes(self, ints: tuple[int, ...]) -> None:
        self._marks.show(checks.BLOCKS)
        try:
            Options.decode(ints)
        except RemoteProtocolError as error:
            self._marks.fail(checks.WISHES, f"block -2 with {ints}: {error}")
        else:
            self._marks.show(checks.WISHES)

    def _check_rest(self) -> None:
        if self._unfed:
            raise ClientFault(
                checks.PROCESS_ID,
                f"{self._unfed.hex(' ')} came behind the Process ID, before it was answered",
            )

    async def keep_quiet(self, check: Check, before: str) -> None:
        """See that nothing comes, the first few times long enough to be sure."""
        if not self._marks.looks_closer(check):
            return
        early = await self._line.listen()
        if early:
            raise ClientFault(check, f"{early[:32].hex(' ')} came before {before}")
        if check is checks.SILENT:
            self._marks.show(check)

    async def _take(self) -> Item:
        check = checks.NAME if self._name is None else checks.PROCESS_ID
        try:
            while True:
                # One byte after the other, for what lies behind an item may be too early.
                while self._unfed:
                    self._registration.feed(self._unfed[:1])
                    self._unfed = self._unfed[1:]
                    item = self._registration.take()
                    if item is not None:
                        return item
                self._unfed = await self._line.read_some()
        except Silence:
            raise ClientFault(
                check, f"nothing (or not all) came for {self._line.waits.patience:g} s"
            ) from None
        except HungUp:
            raise ClientFault(check, "the client closed the connection before that") from None
        except RegistrationEnded as refused:
            named = self._name is not None and refused.refusal is not Refusal.BAD_NAME
            raise ClientFault(checks.BLOCKS if named else checks.NAME, str(refused)) from None

    async def _send(self, data: bytes, check: Check) -> None:
        try:
            await self._line.send(data)
        except Silence:
            raise ClientFault(check, "the client does not read") from None

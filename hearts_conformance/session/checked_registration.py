"""The registration of the client under test: sections 3 and, for who comes back, 5.6."""

from __future__ import annotations

from collections.abc import Callable

from hearts.errors import RemoteProtocolError
from hearts.names.guests import as_guest
from hearts.names.proof import NameProof
from hearts.session import registration
from hearts.session.messages import (
    CHALLENGE_TAG,
    PROOF_TAG,
    VISITOR_BYTES,
    ListedTable,
    Options,
    Refusal,
    encode_greeting,
    encode_list,
)
from hearts.wire.codec import encode_int
from hearts_conformance.checks import ClientFault, Marks
from hearts_conformance.line import DOES_NOT_READ, INT, HungUp, KitLine, Silence

from .name_desk import KitNameDesk
from .script import Script

JOINS = "goes to a table by its name"
_ENOUGH = 4
"""Sessions after which it can be told."""
_NARROW = 1 << 22
"""Numbers of processes, counters and times lie so near to each other.

That four random ones do comes about once in thirty million times.
"""
_NAME_BLOCKS = {CHALLENGE_TAG: "name.challenge", PROOF_TAG: "name.proof"}
_LISTED = ListedTable("Conformance", 0, 1, ("Kit", "Moe", "Larry", ""))


def _know_nobody(_: registration.ComeBack) -> int:
    raise registration.RegistrationEnded(Refusal.NO_SUCH_GAME)


class CheckedRegistration:
    """One registration, up to the Process ID, and what the client has said in it."""

    def __init__(
        self,
        line: KitLine,
        marks: Marks,
        script: Script,
        version: int | None,
        welcome: Callable[[registration.ComeBack], int] = _know_nobody,
    ) -> None:
        """``welcome`` gives the reply to a client that comes back, or raises RegistrationEnded.

        ``version`` is that of the dealer dialect, if the kit speaks it.
        """
        self.received: set[type[registration.Item]] = set()
        """The kinds of blocks that the client has sent."""
        self.was_refused = False
        self._line = line
        self._marks = marks
        self._welcome = welcome
        self._script = script
        self._version = version
        self._registration = registration.Registration()
        self.has_asked_levels = self._is_level_refused = False
        self.names = KitNameDesk(script.names, marks)
        self._dialect = 0
        self._unfed = b""
        self._name_bytes = bytearray()
        self.is_complete = False
        self.name = ""
        """Empty until it has come."""
        self.back: registration.ComeBack | None = None
        self.table: str | None = None
        self.visitor = b""
        """The token by which the client has asked for the deal of the day."""

    async def offer_seat(self, player: int) -> None:
        """Send the Player ID, or a refusal in its place."""
        self.player = player
        await self._see_silence()
        await send(self._line, encode_int(player), "start.silent")

    async def receive(self, seat: int) -> None:
        """Take the registration; it is not complete if the client was refused.

        ``seat`` is the Player ID that block -4 gives. Raises ClientFault.
        """
        while True:
            item = await self._take()
            match item:
                case registration.GivenName(name):
                    self._check_name(name)
                    self.name = name
                    self._marks.show("str.length")
                    self._marks.show("register.name")
                case registration.GivenOptions(ints):
                    self._check_wishes(ints)
                case registration.GivenProcessId(process_id):
                    if registration.SpeakDealer in self.received:
                        self._line.put_back(self._unfed)
                    else:
                        await self._see_rest()
                    if self.back is not None and self.back.shown.process_id != process_id:
                        raise ClientFault(
                            "back.numbers",
                            f"Process ID {process_id} came behind a block -5 with another one",
                        )
                    self._marks.show("register.process")
                    if self._is_level_refused:
                        self._marks.show("levels.refused")
                    if not self.names.is_own:
                        self.name = as_guest(self.name)
                    self.process_id, self.is_complete = process_id, True
                    return
                case _:
                    if not await self._reply(item, seat):
                        return

    async def refuse(self, refusal: Refusal) -> None:
        """Send a refusal in place of a reply or of the Game number."""
        reply = self._registration.refuse(registration.RegistrationEnded(refusal))
        await send(self._line, reply, "register.process")

    async def _reply(self, item: registration.Item, seat: int) -> bool:
        """Reply to a block; False if that ends the registration."""
        self.received.add(type(item))
        # A reply that comes byte by byte looks like a whole one to who cannot read pieces.
        if not self._line.piecewise:
            came = f"{self._unfed[:32].hex(' ')} came before the reply was sent"
            self._marks.decide("register.replies", came if self._unfed else "")
        self._marks.show("register.blocks")
        try:
            reply = self._answer(item, seat)
        except registration.RegistrationEnded as refused:
            await self.refuse(refused.refusal)
            return False
        await send(self._line, reply, "register.replies")
        return True

    def _answer(self, item: registration.Item, seat: int) -> bytes:
        """Answer a block. Raises RegistrationEnded if it is refused."""
        refusal = self._script.refused_block
        if refusal is not None and not isinstance(item, registration.ReasonsWanted):
            self.was_refused = True
            raise registration.RegistrationEnded(refusal)
        match item:
            case registration.ReasonsWanted():
                return encode_int(1)
            case registration.SpeakDealer(version) if self._version is not None:
                self._dialect = min(version, self._version)
                return encode_int(self._dialect)
            case registration.GivenPassword():
                return encode_int(1)
            case registration.Skipped(tag) if tag in _NAME_BLOCKS:
                raise ClientFault(_NAME_BLOCKS[tag], f"block {tag} came, and not as it should be")
            case registration.AskGreeting(visitor) if len(visitor) == VISITOR_BYTES:
                self.visitor = visitor
                return encode_greeting(self._script.day)
            case registration.AskChallenge(asked):
                return self.names.challenge(asked)
            case registration.GivenProof(proof):
                return self._prove(proof)
            case registration.GivenLevels(levels):
                return encode_int(self._answer_levels(levels))
            case registration.ListTables():
                tables = self._script.tables
                return encode_list((_LISTED,) if tables is None else tables)
            case registration.JoinTable(name):
                if self._script.day and name.startswith("day "):
                    raise ClientFault("day.once", f"block -4 came with {name!r}")
                self.table = name
                self._marks.habits.add(JOINS)
                self.player = seat
                return encode_int(seat)
            case registration.ComeBack():
                reply = encode_int(self._welcome(item))
                self.back = item
                return reply
            case registration.Skipped() | registration.LookAt() | registration.AskGreeting():
                return encode_int(0)
            case registration.Watch(game) if self._script.watched is not None:
                if game != self._script.watched:
                    raise registration.RegistrationEnded(Refusal.TABLE_TAKEN)
                return encode_int(1)
            case _:
                # It is for another dialect; the kit plays a server without it.
                raise registration.RegistrationEnded(Refusal.BAD_OPTION)

    def _prove(self, proof: NameProof) -> bytes:
        try:
            return self.names.prove(proof, self.name, self._dialect)
        except registration.RegistrationEnded:
            self.was_refused = True
            raise

    def _answer_levels(self, wanted: tuple[int, ...]) -> int:
        """Say which levels are allowed, if none are wanted; else whether all of them are."""
        allowed = self._script.levels
        if not wanted:
            self.has_asked_levels = True
            return sum(1 << level for level in allowed)
        self._is_level_refused = not allowed.issuperset(wanted)
        if self.has_asked_levels:
            came = f"levels {wanted} came, and the reply had the bits of {sorted(allowed)}"
            self._marks.decide("levels.allowed", came if self._is_level_refused else "")
        return not self._is_level_refused

    def _check_name(self, name: str) -> None:
        data = bytes(self._name_bytes)
        fault = length_fault(data)
        if fault is not None:
            raise ClientFault("str.length", fault)
        if not name:
            came = f"the name {data[4:36].hex(' ')} came, which is none: see 3.2"
            raise ClientFault("register.name", came)

    def _check_wishes(self, ints: tuple[int, ...]) -> None:
        self._marks.show("register.blocks")
        try:
            Options.decode(ints)
        except RemoteProtocolError as error:
            self._marks.fail("register.wishes", f"block -2 with {ints}: {error}")
        else:
            self._marks.show("register.wishes")

    async def _see_rest(self) -> None:
        """See that nothing comes behind the Process ID; frames may, in the dealer dialect."""
        early = self._unfed
        if not early and self._marks.looks_closer("register.process"):
            early = await self._line.listen()
        if early:
            came = f"{early[:32].hex(' ')} came behind the Process ID, before it was answered"
            raise ClientFault("register.process", came)

    async def _see_silence(self) -> None:
        """See that nothing comes before the Player ID."""
        if not self._marks.looks_closer("start.silent"):
            return
        early = await self._line.listen()
        came = f"{early[:32].hex(' ')} came before the Player ID"
        self._marks.decide("start.silent", came if early else "")

    async def _take(self) -> registration.Item:
        check = "register.process" if self.name else "register.name"
        if self._is_level_refused:
            check = "levels.refused"
        try:
            while True:
                # One byte after the other, for what lies behind an item may be too early.
                while self._unfed:
                    if not self.name:
                        self._name_bytes += self._unfed[:1]
                    self._registration.feed(self._unfed[:1])
                    self._unfed = self._unfed[1:]
                    item = self._registration.take()
                    if item is not None:
                        return item
                self._unfed = await self._line.read_some()
        except Silence:
            fault = None if self.name else length_fault(bytes(self._name_bytes))
            if fault is not None:
                raise ClientFault("str.length", fault) from None
            raise ClientFault(
                check, f"nothing (or not all) came for {self._line.waits.patience:g} s"
            ) from None
        except HungUp:
            raise ClientFault(check, "the client closed the connection before that") from None
        except registration.RegistrationEnded as refused:
            if "NUL" in str(refused):
                raise ClientFault("str.length", f"in a block, {refused}") from None
            named = bool(self.name) and refused.refusal is not Refusal.BAD_NAME
            raise ClientFault(
                "register.blocks" if named else "register.name", str(refused)
            ) from None


async def send(line: KitLine, data: bytes, check: str) -> None:
    """Write to the client. Raises ClientFault of this check if it does not read."""
    try:
        await line.send(data)
    except Silence:
        raise ClientFault(check, DOES_NOT_READ) from None


def see_process_id(marks: Marks, process_id: int) -> None:
    """Note the Process ID with which a client has begun a session."""
    seen = marks.process_ids
    if process_id in seen:
        marks.fail("register.random", f"Process ID {process_id} came in two sessions")
    seen.append(process_id)
    if len(seen) < _ENOUGH or marks["register.random"].failed:
        return
    lowest, highest = min(seen), max(seen)
    came = f"{len(seen)} sessions had Process IDs from {lowest} to {highest}"
    marks.decide("register.random", came if highest - lowest < _NARROW else "")


def length_fault(data: bytes) -> str | None:
    """Say why the length of a str is wrong, as far as it has come; None if it may be right."""
    length, text = int.from_bytes(data[:INT], "big"), data[INT:]
    if not text or length > 1024:
        return None
    came = f"{data[:32].hex(' ')} came: length {length}"
    if len(text) < length:
        # A text that ends with its NUL is whole.
        return f"{came}, and {len(text)} bytes with the NUL" if text[-1] == 0 else None
    if text[-1] == 0:
        return None
    if 0 in text:
        return f"{came}, but the NUL is byte {1 + text.index(0)}"
    return f"{came}, and no NUL at its end"

"""The taunt server of the kit, for one table: section 9."""

from __future__ import annotations

from hearts.errors import RemoteProtocolError
from hearts.taunt.messages import encode_delivery
from hearts.taunt.server import Register, ServerSession, Taunt, TooLong, Unreadable
from hearts.wire.credentials import SERVER_PLAYER, SeatCredentials
from hearts_conformance.checks import Marks
from hearts_conformance.line import INT, HungUp, KitLine, Silence

from .checked_registration import length_fault
from .script import ChatBehavior

FIRST_GAME = 7000
"""The first game number of the kit; each session has the next one."""
WATCHED_GAME = FIRST_GAME - 1
"""The game that is there to be watched."""
_NUMBERS = 16
"""Bytes of the four ints of a seat."""
_TAUNTS = (
    (SERVER_PLAYER, "The chat of the conformance kit."),
    (1, "hello"),
    (3, "viel Glück, Zoë"),
    (0, ""),
    (2, "x" * 127),
)
"""Everybody who can speak, and texts of all sizes."""


class ChatTable:
    """The taunt server of one scenario; it refuses connections of other sessions."""

    def __init__(self, chat: ChatBehavior, marks: Marks) -> None:
        self._chat = chat
        self._marks = marks
        self.seat: SeatCredentials | None = None
        """The numbers of the client's seat, once it has been told."""
        self.happened = False
        """The client has met what the chat does in this scenario."""

    async def serve(self, line: KitLine) -> None:
        if self._chat is ChatBehavior.AWAY:
            self.happened = True
            return
        line.piecewise = self._chat is ChatBehavior.SPLIT
        session = ServerSession()
        taunt = bytearray()
        try:
            while True:
                try:
                    data = await line.read_some()
                except Silence:
                    continue  # Nobody has to chat.
                # One byte after the other, to see where a taunt begins.
                for place in range(len(data)):
                    taunt += data[place : place + 1]
                    session.feed(data[place : place + 1])
                    game = int.from_bytes(taunt, "big", signed=True)
                    # A taunt begins with the numbers of a seat, and this with none of ours.
                    if session.registered and self.seat and len(taunt) == INT and game < FIRST_GAME:
                        self._marks.fail(
                            "chat.send",
                            f"{taunt.hex(' ')} came where the four ints of the seat are due, "
                            f"the Game number first",
                        )
                        taunt.clear()
                        await line.end()
                        return
                    event = session.next_event()
                    if event is None:
                        continue
                    taunt.clear()
                    if not isinstance(event, Register):
                        await self._relay(line, event)
                    elif not await self._register(line, session, event.credentials):
                        await line.end()
                        return
        except (HungUp, Silence):
            pass
        except RemoteProtocolError as error:
            if not self._check_length(taunt):
                self._marks.fail("chat.send", str(error))
        finally:
            self._check_length(taunt)

    def _check_length(self, taunt: bytearray) -> bool:
        """Find a wrong length in a taunt that is not whole, or none."""
        fault = length_fault(bytes(taunt[_NUMBERS:]))
        taunt.clear()
        if fault is not None:
            self._marks.fail("str.length", f"in a taunt, {fault}")
        return fault is not None

    async def _register(
        self, line: KitLine, session: ServerSession, shown: SeatCredentials
    ) -> bool:
        if shown != self.seat:
            now = FIRST_GAME if self.seat is None else self.seat.game_number
            # A connection of a session before is refused, and no fault.
            if not FIRST_GAME <= shown.game_number < now:
                self._marks.fail(
                    "chat.register", f"{number_text(shown)} came; {number_text(self.seat)} is right"
                )
            await line.send(session.refuse())
            return False
        self._marks.show("chat.register")
        self.happened = True
        if self._chat is ChatBehavior.REFUSES:
            await line.send(session.refuse())
            return False
        status = session.accept()
        taunts = [encode_delivery(player, text) for player, text in _TAUNTS]
        if self._chat is ChatBehavior.JOINED:
            await line.send(status + b"".join(taunts))
        else:
            for data in (status, *taunts):
                await line.send(data)
        return self._chat is not ChatBehavior.DIES

    async def _relay(self, line: KitLine, event: Taunt | TooLong | Unreadable) -> None:
        if event.credentials != self.seat:
            self._marks.fail("chat.send", f"{number_text(event.credentials)} came before a taunt")
        elif isinstance(event, TooLong):
            self._marks.fail("chat.send", f"a taunt of {event.length} bytes came")
        elif isinstance(event, Unreadable):
            self._marks.fail("chat.send", f"a taunt that is no text came: {event.why}")
        else:
            self._marks.show("chat.send")
            await line.send(encode_delivery(event.credentials.player, event.text))


def number_text(numbers: SeatCredentials | None) -> str:
    """Return the four numbers of a seat, in words."""
    if numbers is None:
        return "no registration before the Game number"
    return (
        f"Game number {numbers.game_number}, Game ID {numbers.game_id}, "
        f"Player ID {numbers.player}, Process ID {numbers.process_id}"
    )

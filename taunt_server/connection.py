"""One connection of the taunt server: its registration, what it says, and what it is told."""

from __future__ import annotations

from collections import OrderedDict
from typing import assert_never

import trio
from msgspec import Struct, field

from hearts.errors import RemoteProtocolError
from hearts.limits.buckets import put_last
from hearts.limits.networks import network_of
from hearts.limits.tries import SEATS_KEPT, GuessLimiter, Seat
from hearts.net import Link
from hearts.net.logline import EventLog
from hearts.taunt.announcer import LINES, MUTE, TELL, UNMUTE
from hearts.taunt.messages import TAUNT_LIMIT, encode_delivery, shorten
from hearts.taunt.server import Register, ServerEvent, ServerSession, Taunt, TooLong, Unreadable
from hearts.wire.credentials import SERVER_PLAYER, SeatCredentials, are_genuine

from .limits import TAUNT_WINDOW, TAUNTS, Gates, gate_of
from .room import Rooms

REGISTRATION_SECONDS = 30.0
"""Time for the four numbers to arrive."""

FLOOD_NOTICE = (
    f"Too many taunts: at most {TAUNTS} in {TAUNT_WINDOW:.0f} seconds are passed on. "
    "Please wait a little."
)
UNREADABLE_NOTICE = "Not passed on: a taunt is UTF-8 text without control characters."
NUMBERS_NOTICE = "Not passed on: the four numbers are not those of your registration."

log = EventLog("taunt_server")


def muted_notice(why: str = "") -> str:
    """Return the notice for a player who is muted; ``why`` has the end and the reason."""
    return shorten(f"Not passed on: the host has muted you{why or '.'}")


def too_long_notice(length: int) -> str:
    """Return the notice for the author of a taunt of ``length`` bytes."""
    return f"Not passed on: the taunt has {length} bytes, and at most {TAUNT_LIMIT} are allowed."


class ChatCommon(Struct, frozen=True):
    """The things that all connections have in common."""

    secret: bytes
    rooms: Rooms = field(default_factory=Rooms)
    gates: Gates = field(default_factory=OrderedDict)
    guesses: GuessLimiter = field(default_factory=GuessLimiter)
    homes: OrderedDict[Seat, str] = field(default_factory=OrderedDict)
    """The network from which each seat was proved the last time."""


class Connection:
    """A client, from its first byte to its last."""

    __slots__ = ("_address", "_link", "_numbers_came", "_rooms", "_session", "_shared", "shown")

    def __init__(self, link: Link, address: str, shared: ChatCommon) -> None:
        self._link = link
        self._address = address
        self._shared = shared
        self._rooms = shared.rooms
        self._session = ServerSession()
        self.shown = SeatCredentials(0, 0, SERVER_PLAYER, 0)
        """The numbers of its registration, once they have come."""
        self._numbers_came = trio.Event()

    @property
    def has_spoken(self) -> bool:
        """True if the four numbers of a registration have come."""
        return self._numbers_came.is_set()

    @property
    def is_registered(self) -> bool:
        """True from the answer to a registration that was right."""
        return self._session.registered

    async def run(self, nursery: trio.Nursery) -> None:
        """Serve until the connection is closed; ``nursery`` owns the wait for the registration."""
        nursery.start_soon(self._register)
        try:
            await self._link.run(self._receive)
        finally:
            self._rooms.leave(self)

    def send(self, data: bytes) -> None:
        self._link.write(data)
        self._link.flush()

    def turn_away(self, why: str) -> None:
        """Answer the registration with -1 and end, unless it has ended."""
        if self._link.ending:
            return
        log.info("registration-refused", address=self._address, why=why)
        self._link.write(self._session.refuse())
        self.end()

    def end(self) -> None:
        self._rooms.leave(self)
        self._link.end()

    def abort(self, why: str) -> None:
        self._rooms.leave(self)
        self._link.abort(why)

    def send_farewell(self, data: bytes) -> None:
        """End the connection; one that is registered gets ``data`` first."""
        if self._session.registered:
            self._link.write(data)
        self.end()

    async def _register(self) -> None:
        with trio.move_on_after(REGISTRATION_SECONDS):
            await self._numbers_came.wait()
        if self._link.ending:
            return
        if not self._numbers_came.is_set():
            self.turn_away(f"no registration within {REGISTRATION_SECONDS:.0f} s")
            return
        shown = self.shown
        genuine = shown.player in range(SERVER_PLAYER, 4) and are_genuine(
            self._shared.secret, shown
        )
        wait = self._turn(genuine)
        if wait is not None:
            await trio.sleep(wait)
        if self._link.ending:
            return
        kept = self._rooms.notices(shown.game_number, trio.current_time())
        if wait is None:
            self.turn_away("too many wrong registrations from this address or at this seat")
        elif not genuine:
            self.turn_away("the four numbers are not genuine")
        elif not self._rooms.is_holder(shown.game_number, shown.player, shown.process_id):
            self.turn_away("somebody else has this seat now")
        # The game server speaks on its connection and hears nothing on it.
        elif shown.player != SERVER_PLAYER and not self._rooms.join(self):
            self.turn_away("this seat has too many connections")
        else:
            self._link.write(self._session.accept() + kept)
            log.info(
                "registered", address=self._address, game=shown.game_number, player=shown.player
            )
            self._handle_events()

    def _turn(self, genuine: bool) -> float | None:
        """Return the seconds until the numbers may be answered; None if they are refused unseen."""
        # A guess at the game server's own numbers could name any game: that is one seat.
        seat = (self.shown.game_number if self.shown.player >= 0 else 0, self.shown.player)
        home = self._shared.homes.get(seat, "")
        now = trio.current_time()
        wait = self._shared.guesses.attempt(seat, self._address, home=home, right=genuine, now=now)
        if wait is not None and genuine:
            put_last(self._shared.homes, seat, network_of(self._address), SEATS_KEPT)
        return wait

    def _receive(self, data: bytes) -> None:
        self._session.feed(data)
        self._handle_events()

    def _handle_events(self) -> None:
        try:
            while not self._link.ending:
                event = self._session.next_event()
                if event is None:
                    break
                self._handle(event)
        except RemoteProtocolError as error:
            log.warning("protocol-error", address=self._address, what=error)
            self.end()
        self._link.flush()

    def _handle(self, event: ServerEvent) -> None:
        if isinstance(event, Register):
            self.shown = event.credentials
            self._numbers_came.set()
        elif self.shown.player == SERVER_PLAYER:
            self._announce(event)
        else:
            self._relay(event)

    def _announce(self, event: Taunt | TooLong | Unreadable) -> None:
        shown = event.credentials
        if not are_genuine(self._shared.secret, shown):
            self._drop(NUMBERS_NOTICE, "numbers")
        elif shown.player == SERVER_PLAYER:
            self._pass_on(event, shown.game_number)
        elif shown.player not in range(4) or not isinstance(event, Taunt):
            self._drop(NUMBERS_NOTICE, "numbers")
        elif event.text == "":
            self._rooms.give_seat(shown.game_number, shown.player, shown.process_id)
        elif event.text == MUTE or event.text.startswith((f"{MUTE} ", f"{MUTE}:")):
            why = event.text.removeprefix(MUTE)
            self._rooms.mute(shown.game_number, shown.player, shown.process_id, why)
        elif event.text == UNMUTE:
            self._rooms.unmute(shown.game_number, shown.player)
        elif event.text.startswith(TELL):
            self._rooms.tell(shown, event.text.removeprefix(TELL))
        elif event.text == LINES:
            said = self._rooms.lines(shown.game_number, trio.current_time())
            head = encode_delivery(SERVER_PLAYER, f"{LINES} {shown.game_number} {len(said)}")
            self._link.write(head + b"".join(said))
        else:
            self._drop(NUMBERS_NOTICE, "numbers")

    def _relay(self, event: Taunt | TooLong | Unreadable) -> None:
        # Everything counts for the seat that registered, whatever numbers a taunt shows; so a
        # client hears at most TAUNTS notices and one more in any window.
        now = trio.current_time()
        gate = gate_of(self._shared.gates, (self.shown.game_number, self.shown.player), now)
        if not gate.admit(now):
            if gate.allow_notice(now):
                self._drop(FLOOD_NOTICE, "flood")
            return
        # Compared with the registration and not with the secret: no oracle for other seats.
        if event.credentials != self.shown:
            self._drop(NUMBERS_NOTICE, "numbers")
            return
        if (why := self._rooms.why_muted(self)) is not None:
            self._drop(muted_notice(why), "muted")
            return
        self._pass_on(event, self.shown.game_number)

    def _pass_on(self, event: Taunt | TooLong | Unreadable, game_number: int) -> None:
        match event:
            case Taunt(text=text) if self.shown.player == SERVER_PLAYER:
                self._rooms.announce(game_number, text, trio.current_time())
            case Taunt(text=text):
                self._rooms.relay(game_number, self.shown.player, text, trio.current_time())
            case TooLong(length=length):
                self._drop(too_long_notice(length), "too_long")
            case Unreadable():
                self._drop(UNREADABLE_NOTICE, "unreadable")
            case _:
                assert_never(event)

    def _drop(self, notice: str, why: str) -> None:
        log.info(
            "taunt-dropped",
            address=self._address,
            game=self.shown.game_number,
            player=self.shown.player,
            why=why,
        )
        self._link.write(encode_delivery(SERVER_PLAYER, notice))

"""A client: its connection, and the seat it plays once its table has begun."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import Protocol

import trio

from hearts.dealer.seat import DealerSeat, Introduced
from hearts.dealer.watcher import WatcherSeat
from hearts.errors import Fault, Reason, RemoteProtocolError
from hearts.limits import FRAME_WORK, READ_WORK, Work
from hearts.net import Link
from hearts.net.logline import EventLog
from hearts.plain.seat import EARLY_LIMIT
from hearts.session.messages import Refusal
from hearts.session.registration import Refused, Registration
from hearts.table import Ask, CaughtUp, Decline, Input, Left, Question, TableEvent, Wish
from hearts_server.metrics.figures import ConnectionEnd

log = EventLog(__name__)

Give = Callable[[Input | Introduced], None]


class Ears(Protocol):
    """What takes the bytes of a client that has its place, in either dialect."""

    early: bytes
    idle: int
    """Frames that nobody waited for, since it was set to 0."""
    pieces: int
    """Pieces that bytes came in which brought nothing that was due."""

    @property
    def player(self) -> int:
        """0-3; 4 for a watcher."""

    @property
    def asked(self) -> bool:
        """Whether the client's bytes matter now."""

    def receive(self, data: bytes) -> Sequence[Input | Introduced]:
        """What the bytes amount to. Raises RemoteProtocolError."""


class ClientSeat(Ears, Protocol):
    """The seat of a client, in either dialect."""

    @property
    def has_caught_up(self) -> bool:
        """Whether the client owes nothing earlier than the open choice."""

    def tell(self, event: TableEvent) -> bytes:
        """The bytes of an event. Raises RemoteProtocolError."""

    def recall(self, missed: TableEvent | Question) -> bytes:
        """The bytes of what was told while the client was away."""

    def ask(self, asked: Ask) -> bytes:
        """The bytes of a question."""

    def refuse(self, reason: Reason) -> bytes:
        """The bytes that say that a choice is not legal."""

    def made_before(self) -> None:
        """The open choice was made over a connection that is lost."""


async def _no_wait() -> None:
    """The turn of a client that nobody else could be in the way of."""


class Client:
    """One connection, from its registration to its end.

    A fault of the client ends its connection and reaches nobody else: its table only hears that
    it has left.
    """

    __slots__ = (
        "_early",
        "_give",
        "_paused",
        "_recalled",
        "_work",
        "dealer",
        "gone",
        "introduced",
        "link",
        "outcome",
        "place",
        "registration",
        "turn",
        "watcher",
        "who",
    )

    def __init__(
        self,
        link: Link,
        who: str,
        work: Work | None = None,
        paused: Callable[[], None] = lambda: None,
        turn: Callable[[], Awaitable[None]] = _no_wait,
    ) -> None:
        """``who`` names the connection in the log.

        ``work`` is what it may make the server do; ``paused`` is called once, when that is too
        much for the first time. ``turn`` waits until the server has time for a stranger.
        """
        self.turn = turn
        self._work = work
        self._paused: Callable[[], None] | None = paused
        self.link = link
        self.who = who
        self.registration = Registration()
        self.dealer: DealerSeat | None = None
        """The seat of a client that speaks the dealer dialect, from its Process ID on."""
        self.watcher: WatcherSeat | None = None
        """What hears a watcher, from his Process ID on."""
        self.introduced: Introduced | None = None
        """What the player has said about himself."""
        self.outcome: ConnectionEnd | Refusal = ConnectionEnd.LEFT
        """How the connection ended, as far as it was this side that ended it."""
        self.place: Ears
        """What hears the client; there is nothing before :meth:`attach`."""
        self._give: Give | None = None
        self._early = b""
        self._recalled: ClientSeat | None = None
        self.gone = False
        """Whether the connection has ended."""

    def speak_dealer(self, player: int) -> None:
        """From here on the client speaks the dealer dialect; the table may not have begun."""
        self.dealer = DealerSeat(player)
        self.say(self.dealer.register_query())

    def watch(self) -> WatcherSeat:
        """From here on the client hears frames, as one who watches."""
        self.watcher = WatcherSeat()
        return self.watcher

    @property
    def _speaker(self) -> DealerSeat | WatcherSeat | None:
        """What makes the frames of a client that hears frames."""
        return self.dealer or self.watcher

    def say(self, data: bytes) -> None:
        """Write bytes, and send them now."""
        self.link.write(data)
        self.link.flush()

    def attach(self, give: Give, place: Ears) -> None:
        """The client has its place, and what it sends goes to ``give``."""
        self.place = place
        self._recalled = None
        if self.dealer is None:
            place.early += self._early
            self._early = b""
        if self.gone:
            give(Left(place.player))
        else:
            self._give = give

    def receive(self, data: bytes) -> None:
        """Take bytes from the connection."""
        give = self._give
        if give is None:
            self._wait(data)
            return
        try:
            inputs = self.place.receive(data)
        except RemoteProtocolError as error:
            self.drop(str(error))
            return
        self._reply()
        for given in inputs:
            give(given)
            if type(given) is CaughtUp:
                self.link.quick_ack()
        place = self.place
        if place.idle:
            self._charge_for(place)
        if not place.asked:
            self.link.rest()

    def _charge_for(self, place: Ears) -> None:
        self.charge(READ_WORK * place.pieces + FRAME_WORK * place.idle)
        place.idle = place.pieces = 0

    def charge(self, work: float) -> None:
        """The client has made the server work; if that was too much it is not read for a while."""
        if self._work is None:
            return
        seconds = self._work.spend(work, trio.current_time())
        if seconds:
            self.link.pause(seconds, self.turn)
            if self._paused is not None:
                self._paused()
                self._paused = None
                log.info("slowed", address=self.who)

    def recall(self, chair: ClientSeat) -> None:
        """The client is told what it missed before it has this place, and answers on the way."""
        self._recalled = chair
        if self.dealer is None:
            chair.early, self._early = self._early, b""

    def _wait(self, data: bytes) -> None:
        if self.dealer is not None:
            self._hear_before(self.dealer, data)
            return
        if self._recalled is not None:
            try:
                self._recalled.receive(data)
            except RemoteProtocolError as error:
                self.drop(str(error))
            return
        self.charge(READ_WORK)
        self._early += data
        if len(self._early) > EARLY_LIMIT:
            self._early = b""
            why = f"more than {EARLY_LIMIT} bytes came before they were due"
            self.refuse(Refused(Refusal.BAD_OPTION, why))

    def _hear_before(self, dealer: DealerSeat, data: bytes) -> None:
        """Hear a client whose table has not begun: he can say who he is, and ping."""
        while data or dealer.early:
            try:
                inputs = dealer.receive(data)
            except RemoteProtocolError as error:
                self.drop(str(error))
                return
            data = b""
            self._reply()
            for given in inputs:
                if isinstance(given, Introduced):
                    self.introduced = given
                elif isinstance(given, Wish):
                    self.say(dealer.decline(Decline(given.player, given, Fault.NOT_NOW)))
        if dealer.idle:
            self._charge_for(dealer)

    def _reply(self) -> None:
        speaker = self._speaker
        if speaker is not None and (replies := speaker.take_replies()):
            self.say(replies)

    def wake(self) -> None:
        """Read on, now that a choice is due; first what came while nothing was."""
        data = self.link.catch_up()
        if data:
            self.receive(data)

    def take_early(self) -> None:
        """Look again at bytes that came before they were due, now that more is due."""
        if self._give is not None:
            self.receive(b"")

    def refuse(self, refused: Refused, *, told: bool = False) -> None:
        """Tell the client that its registration ends here, and end the connection.

        ``told`` says that the log tells of it elsewhere.
        """
        self.outcome = refused.refusal
        if not told:
            code = int(refused.refusal)
            log.info("refused", address=self.who, code=code, why=str(refused))
        speaker = self._speaker
        if speaker is None:
            self.link.write(self.registration.refuse(refused))
        else:
            self.link.write(speaker.refused(refused.refusal, str(refused)))
        self.link.end()

    def drop(self, why: str) -> None:
        """End the connection for a fault of the client."""
        log.info("dropped", address=self.who, why=why)
        self.outcome = ConnectionEnd.PROTOCOL
        speaker = self._speaker
        if speaker is not None:
            self.link.write(speaker.take_replies() + speaker.notice(why))
        self.link.end()
        self.left()

    def finish(self) -> None:
        """End the connection because the session is over."""
        self.outcome = ConnectionEnd.FINISHED
        self._give = None
        self.link.end()

    def left(self) -> None:
        """The connection has ended: tell the table, if there is one."""
        self.gone = True
        if self._give is not None:
            give, self._give = self._give, None
            give(Left(self.place.player))

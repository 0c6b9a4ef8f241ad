"""A client: its connection, and the seat it plays once its table has begun."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import Enum
from typing import Protocol

from hearts.dealer.listener import WatcherSeat
from hearts.dealer.seat import DealerSeat
from hearts.errors import Fault, RemoteProtocolError
from hearts.limits.work import FRAME_WORK, READ_WORK
from hearts.plain.seat import EARLY_LIMIT as EARLY_LIMIT
from hearts.plain.seat import PlainSeat
from hearts.session.messages import Refusal
from hearts.session.registration import Registration, RegistrationEnded
from hearts.session.table_words import (
    Beside,
    Declined,
    Introduced,
    Introduction,
    Refused,
    ServerNotice,
    Taken,
    still_program,
)
from hearts.session.wishes import Asked, AskForTable, LobbyWish
from hearts.table.inputs import Able, Chosen, ClientCaughtUp, ClientLeft, Resign, Wish

from .ports import ClientSeat, Give, Log, PeerLink, Receiver


class Answers(Protocol):
    """Answers one client's wishes beside its play."""

    def ask(self, wish: Asked, /) -> Sequence[Beside] | Fault:
        """Answer a wish, or give the fault for which there is no answer."""


class ConnectionEnd(Enum):
    """The way in which a connection ended."""

    FINISHED = "finished"
    """Its table ended."""
    REFUSED = "refused"
    """Its registration was refused."""
    LEFT = "left"
    """The peer closed it."""
    LOST = "lost"
    """The network broke the connection, or the peer did not read its messages."""
    PROTOCOL = "protocol"
    """The peer broke the protocol."""
    REPLACED = "replaced"
    """Its player came back on another one."""
    REMOVED = "removed"
    """The host took its player from the table."""


_FOR_GOOD = {
    ConnectionEnd.REPLACED: Refusal.SEAT_ELSEWHERE,
    ConnectionEnd.REMOVED: Refusal.BANNED,
}
"""The refusals of those who play: a program that is told one does not come back by itself."""


def _free(work: float) -> None:
    """Charge nothing, for a client that nobody limits."""


def stay() -> None:
    """Free no seat that is not that of a table."""


_REGISTERED = Registration()
"""That of all clients who have their place; nothing of it is said any more."""


class HostedClient:
    """One connection, from its registration to its end.

    A fault of the client ends its connection and reaches nobody else: its table only hears that
    it has left.
    """

    __slots__ = (
        "_early",
        "_give",
        "_gives",
        "_log",
        "_recalled",
        "_unanswered",
        "answers",
        "charge",
        "gone",
        "introduced",
        "leave",
        "link",
        "outcome",
        "place",
        "registration",
        "seat",
        "watcher",
        "who",
    )

    def __init__(
        self, link: PeerLink, who: str, log: Log, charge: Callable[[float], None] = _free
    ) -> None:
        """``who`` names the connection in the log; ``charge`` is called for what nobody waits for,
        with the work that it makes."""
        self.link = link
        self.who = who
        self.charge = charge
        self._log = log
        self.registration = Registration()
        self.seat: ClientSeat | None = None
        """The seat that a player plays through, from their Process ID on."""
        self.watcher: WatcherSeat | None = None
        """The place of a watcher, from their Process ID on."""
        self.introduced: Introduction | None = None
        """The player's own words of themselves."""
        self.answers: Answers | None = None
        """The object that answers the client's wishes beside its play, if any does."""
        self.leave: Callable[[], None] = stay
        """Frees the seat that it has before its table has begun."""
        self._unanswered: tuple[Asked, ...] = ()
        """Those that wait for that."""
        self.outcome: ConnectionEnd | Refusal = ConnectionEnd.LEFT
        """The way in which the connection ended, as far as it was this side that ended it."""
        self.place: Receiver
        """The seat or place that hears the client; there is none before :meth:`attach`."""
        self._give: Give | None = None
        self._gives = False
        """True while inputs that were read already are still to be given."""
        self._early = b""
        self._recalled: ClientSeat | None = None
        self.gone = False
        """True if the connection has ended."""

    def take_seat(self, player: int, *, dealer: bool) -> None:
        """Give the client the seat for which it has registered; its table may not have begun.

        ``dealer`` says in which dialect it goes on.
        """
        if dealer:
            seat = DealerSeat(player)
            self.seat = seat
            self.send(seat.register_query())
        else:
            self.seat = PlainSeat(player)

    def watch(self) -> WatcherSeat:
        """Let the client receive frames as a watcher from now on."""
        self.watcher = WatcherSeat()
        return self.watcher

    @property
    def _speaker(self) -> Receiver | None:
        """The seat or place of a client whose dialect has words for more than the game."""
        speaker = self.seat or self.watcher
        return speaker if speaker is not None and speaker.speaks_dealer else None

    @property
    def speaks_dealer(self) -> bool:
        return self._speaker is not None

    @property
    def follows(self) -> bool:
        speaker = self._speaker
        return speaker is not None and speaker.follows

    @property
    def ability(self) -> Able | None:
        """The abilities of the client besides playing; None if it has none."""
        seat, said = self.seat, self.introduced
        if seat is None or not seat.speaks_dealer:
            return None
        return Able(seat.player, votes=True, next_hash=None if said is None else said.next_hash)

    def move(self, player: int) -> None:
        """Give the client another seat of its table, which is forming."""
        if self.seat is not None:
            self.seat.player = player

    def notify(self, *told: Beside) -> None:
        """Tell the client something beside the game, if it can hear it."""
        speaker = self._speaker
        if speaker is not None:
            self.send(b"".join(map(speaker.beside, told)))

    def send(self, data: bytes) -> None:
        self.link.write(data)
        self.link.flush()

    def attach(self, give: Give, place: Receiver) -> None:
        """Give the client its place; its inputs go to ``give`` from now on."""
        self.place = place
        self.registration = _REGISTERED
        self._recalled = None
        self.leave = stay
        if not place.speaks_dealer:
            # It owes what it can say: nothing that is left to charge.
            self.charge = _free
        place.early += self._early
        self._early = b""
        if self.gone:
            give(ClientLeft(place.player))
        else:
            self._give = give
            self._answer_waiting()

    def receive(self, data: bytes) -> None:
        give = self._give
        if give is None:
            self._wait(data)
            return
        place = self.place
        try:
            inputs = place.receive(data)
        except RemoteProtocolError as error:
            self.drop(str(error))
            return
        if place.speaks_dealer and (replies := place.take_replies()):
            self.send(replies)
        left = len(inputs)
        for given in inputs:
            left -= 1
            # What the table does with the first must not let the client be read on before these.
            self._gives = left > 0
            if type(given) is Chosen or not isinstance(given, LobbyWish):
                give(given)
            else:
                self._answer(given)
        if place.idle:
            self._charge_for(place)
        if not place.asked:
            self.link.rest(talks=place.speaks_dealer)
        elif not inputs or type(inputs[-1]) is ClientCaughtUp:
            # The rest of its acknowledgements and its choice may wait for this.
            self.link.quick_ack()

    def _charge_for(self, place: Receiver) -> None:
        self.charge(READ_WORK * place.pieces + FRAME_WORK * place.idle)
        place.idle = place.pieces = 0

    def recall(self, seat: ClientSeat) -> None:
        """Let the client answer while it is told what it missed, before it has this place."""
        self._recalled = seat
        seat.early, self._early = self._early + seat.early, b""

    def _wait(self, data: bytes) -> None:
        if self.seat is not None and self.seat.speaks_dealer:
            self._receive_before(self.seat, data)
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
            self.refuse(RegistrationEnded(Refusal.BAD_OPTION, why))

    def _receive_before(self, seat: ClientSeat, data: bytes) -> None:
        """Receive from a client whose table has not begun: it can say who it is, and ping."""
        while data or seat.early:
            try:
                inputs = seat.receive(data)
            except RemoteProtocolError as error:
                self.drop(str(error))
                return
            data = b""
            if replies := seat.take_replies():
                self.send(replies)
            for given in inputs:
                if isinstance(given, Introduced):
                    self.introduced = still_program(self.introduced, given.said)
                elif isinstance(given, LobbyWish):
                    self._answer(given)
                elif isinstance(given, Resign):
                    self.notify(Taken(Resign))
                    self.finish()
                    self.leave()
                    return
                elif isinstance(given, Wish):
                    self.notify(Declined(type(given), Fault.NOT_NOW))
        if seat.idle:
            self._charge_for(seat)

    def answer_wishes(self, answers: Answers) -> None:
        """Take the answers from here, also to wishes that came before."""
        self.answers = answers
        self._answer_waiting()

    def _answer_waiting(self) -> None:
        wishes, self._unanswered = self._unanswered, ()
        for wish in wishes:
            self._answer(wish)

    def _answer(self, wish: Asked) -> None:
        speaker = self._speaker
        assert speaker is not None, "it has words"
        if self.answers is None and self._give is None:
            self._unanswered = (*self._unanswered, wish)
            return
        told = Fault.NOT_NOW if self.answers is None else self.answers.ask(wish)
        if isinstance(told, Fault):
            told = (Declined(type(wish), told),)
        elif isinstance(wish, AskForTable) and not wish.table:
            speaker.follows = True
        self.notify(*told)

    def wake(self) -> None:
        """Read on, now that a choice is due; first what came while nothing was."""
        data = self.link.catch_up()
        if data:
            self.receive(data)

    def read_early(self) -> None:
        """Look again at bytes that came before they were due, now that more is due."""
        if self._give is not None and not self._gives:
            self.receive(b"")

    def refuse(self, refused: RegistrationEnded, *, told: bool = False) -> None:
        """Tell the client that its registration ends here, and end the connection.

        ``told`` says that the log tells of it elsewhere.
        """
        self.outcome = refused.refusal
        if not told:
            code = int(refused.refusal)
            self._log.info("refused", address=self.who, code=code, why=str(refused))
        speaker = self._speaker
        if speaker is None:
            self.link.write(self.registration.refuse(refused))
        else:
            self.link.write(speaker.beside(Refused(refused.refusal, str(refused))))
        self.link.end()

    def drop(self, why: str, outcome: ConnectionEnd = ConnectionEnd.PROTOCOL) -> None:
        """End the connection before its table is over, unless it has ended."""
        if self.gone:
            return
        self._log.info("dropped", address=self.who, why=why)
        self.outcome = outcome
        speaker = self._speaker
        if speaker is not None:
            refusal = _FOR_GOOD.get(outcome)
            word = ServerNotice(why) if refusal is None else Refused(refusal, why)
            self.link.write(speaker.take_replies() + speaker.beside(word))
        self.link.end()
        self.left()

    def finish(self) -> None:
        """End the connection because the session is over."""
        self.outcome = ConnectionEnd.FINISHED
        self._give = None
        self.link.end()

    def left(self) -> None:
        """Tell the table, if there is one, that the connection has ended."""
        self.gone = True
        if self._give is not None:
            give, self._give = self._give, None
            give(ClientLeft(self.place.player))

"""A seat of a match that a program plays over a connection, in the dialect that it chooses.

This is the side of the server in SocketSpec.md for a table that waits for nobody else: a
registration, then the seat, and again a registration where the program comes back. A fault of the
program ends its connection and reaches nobody but itself.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import inf
from typing import Protocol

import trio

from hearts.dealer.numbers import PlayerKind
from hearts.dealer.seat import DealerSeat
from hearts.dealer.structures import PlayerInfo
from hearts.errors import Fault, Reason, RemoteProtocolError
from hearts.game.events import HandScored
from hearts.net import SocketLink
from hearts.plain.seat import PlainSeat
from hearts.session.messages import Refusal
from hearts.session.registration import ComeBack, Refused
from hearts.table import (
    Ask,
    Chosen,
    Decline,
    OpenSeat,
    ProposeRules,
    Question,
    ReplacePlayer,
    SessionTotals,
    TableEvent,
)
from hearts.wire.codec import encode_int
from hearts.wire.credentials import SeatCredentials, issue

from .wire_arrival import Registered, register
from .wire_heard import Heard

BYTES_A_HAND = 64 * 1024
"""What a program may send for each hand and its begin: many times of what the longest takes."""
MOST_RETURNS = 5
"""How often a program can come back in one match."""


class SeatHost(Protocol):
    """What a seat needs of its table."""

    def chosen(self, chosen: Chosen) -> None:
        """The player has made a choice."""

    def lost(self, player: int, why: str) -> None:
        """The program plays no more in this match."""

    def open_question(self, player: int) -> Ask | None:
        """What the player is asked and has not chosen yet."""

    def standing(self, hands: int) -> SessionTotals:
        """Where the players stood after so many hands."""


class Entrance(Protocol):
    """Where the program of one seat comes in."""

    gone: trio.Event
    """Set when it cannot come any more, for it has ended."""
    has_patience: bool
    """Whether its first connection may take as long as it likes."""

    async def accept(self) -> trio.SocketStream:
        """The next connection."""

    async def end(self) -> None:
        """Wait until the program has ended by itself, if it is one of our own."""


@dataclass(frozen=True, slots=True)
class Patience:
    """How long a table waits for programs, in seconds."""

    start: float = 20.0
    """From its start until it has registered."""
    grace: float = 3.0
    """From the loss of its connection until it is back."""
    exit: float = 5.0
    """From the end of the match until it has ended by itself; then it is killed."""


class WireSeat:
    """One seat of one match."""

    def __init__(
        self,
        player: int,
        host: SeatHost,
        names: Sequence[str],
        game_number: int,
        secret: bytes,
        patience: Patience,
    ) -> None:
        """``names`` are those of seats 0-3; ``secret`` proves that somebody has had the seat."""
        self.player = player
        self.settled = trio.Event()
        """Whether the program has registered, or is lost: there is nothing to wait for."""
        self.is_lost = False
        """Whether the program plays no more."""
        self.why_lost = ""
        self._names = names
        self._game_number = game_number
        self._secret = secret
        self._patience = patience
        self._host = host
        self._credentials: SeatCredentials | None = None
        self._link: SocketLink | None = None
        self._chair: PlainSeat | DealerSeat
        self._heard = Heard()
        self._begun = False
        self._over = False
        self._responds = True
        self._bytes_left = BYTES_A_HAND
        self._scope = trio.CancelScope()

    @property
    def is_there(self) -> bool:
        """Whether the program is connected."""
        return self._link is not None and not self._link.ending

    # The connection

    async def attend(self, entrance: Entrance) -> None:
        """Let the program in, and in again, until the match is over or the program lost."""
        with self._scope:
            async with trio.open_nursery() as nursery:
                nursery.start_soon(self._notice_end, entrance)
                await self._let_in(entrance, nursery)
                nursery.cancel_scope.cancel()
        if self._responds and not self.is_lost:
            with trio.move_on_after(self._patience.exit):
                await entrance.end()

    async def _notice_end(self, entrance: Entrance) -> None:
        await entrance.gone.wait()
        if not self.is_there:
            self.lose("the program has ended")

    async def _let_in(self, entrance: Entrance, nursery: trio.Nursery) -> None:
        wait, why = self._patience.start, "it did not register in time"
        if entrance.has_patience:
            wait = inf
        for _ in range(1 + MOST_RETURNS):
            with trio.move_on_after(wait):
                while not self.is_there:
                    await self._meet(SocketLink(await entrance.accept(), nursery))
            link = self._link
            if link is None:
                self.lose(why)
                return
            self.settled.set()
            await link.run(self._receive)
            self._link = None
            if self._over:
                return
            wait, why = self._patience.grace, "its connection was lost"
            if entrance.gone.is_set():
                wait = 0
        self.lose("it hung up again and again")

    async def _meet(self, link: SocketLink) -> None:
        """Give the seat to who registers for it as he should."""
        try:
            registered = await register(link, self.player, self._decided)
            if registered is None or not self._seat(registered, link) or link.ending:
                self._link = None
                link.end()
                await link.run(lambda data: None)
        finally:
            if link is not self._link:
                link.close()

    def _seat(self, registered: Registered, link: SocketLink) -> bool:
        """Give the seat to a program, and tell it all that it has missed; whether it has it."""
        player, process_id = self.player, registered.process_id
        refusal = self._refusal(registered)
        chair: PlainSeat | DealerSeat
        if registered.dealer:
            chair = DealerSeat(player)
            link.write(chair.register_query())
            if refusal is not None:
                link.write(chair.refused(refusal, refusal.text))
        else:
            chair = PlainSeat(player)
            if refusal is not None:
                link.write(encode_int(refusal))
        if refusal is not None:
            return False
        if not self._begun:
            self._credentials = issue(self._secret, self._game_number, player, process_id)
        elif registered.hands is not None:
            for data in self._recall(chair, registered.hands):
                link.allow(len(data))
                link.write(data)
        self._chair, self._link = chair, link
        self._receive(registered.rest)
        return True

    def _refusal(self, registered: Registered) -> Refusal | None:
        if not self._begun:
            return None
        if registered.hands is None:
            # Whoever is new may try again later: there will be other matches.
            return Refusal.SERVER_FULL
        known = self._credentials
        is_right = known is not None and known.process_id == registered.process_id
        return None if is_right else Refusal.NO_SUCH_GAME

    # Coming back

    def _decided(self, asked: ComeBack) -> int:
        """The choices of the replay that are decided. Raises Refused."""
        if not self._begun or asked.shown != self._credentials:
            raise Refused(Refusal.NO_SUCH_GAME)
        scored = self._heard.hands_scored
        if not -1 <= asked.hands <= scored:
            raise Refused(Refusal.NO_SUCH_GAME, f"{scored} hands are scored, not {asked.hands}")
        missed = self._heard.since(asked.hands)
        questions = sum(isinstance(item, Question) for item in missed)
        return questions - (self._host.open_question(self.player) is not None)

    def _recall(self, chair: PlainSeat | DealerSeat, hands: int) -> Iterator[bytes]:
        dealer = chair if isinstance(chair, DealerSeat) else None
        if dealer is not None:
            scored = self._heard.hands_scored if hands < 0 else hands
            dealer.stand(self._host.standing(scored))
        yield self._welcome(chair)
        if dealer is not None:
            yield dealer.replay(True)
        yield chair.tell(self._heard.game_begun)
        for item in self._heard.since(hands):
            yield chair.recall(item)
        if dealer is not None:
            yield dealer.replay(False)
            asked = self._host.open_question(self.player)
            if asked is not None:
                yield dealer.ask(asked)

    # From the program

    def _receive(self, data: bytes) -> None:
        link, chair = self._link, self._chair
        assert link is not None
        self._bytes_left -= len(data)
        try:
            if self._bytes_left < 0:
                raise RemoteProtocolError(f"more than {BYTES_A_HAND} bytes for one hand")
            inputs = chair.receive(data)
        except RemoteProtocolError as error:
            link.abort(str(error))
            return
        if isinstance(chair, DealerSeat):
            link.write(chair.take_replies())
        for given in inputs:
            match given:
                case Chosen():
                    self._host.chosen(given)
                case ProposeRules() | ReplacePlayer() | OpenSeat() if isinstance(chair, DealerSeat):
                    link.write(chair.decline(Decline(self.player, given, Fault.NOT_NOW)))
                case _:
                    pass
        link.flush()
        if chair.asked:
            # A program with Nagle's algorithm holds the rest back until this is confirmed, and
            # that would be 40 ms of its time.
            link.quick_ack()

    def take_early(self) -> None:
        """Look again at bytes that came before they were due."""
        if self.is_there and self._chair.early:
            self._receive(b"")

    # To the program

    def begin(self) -> None:
        """Everybody is there: the session begins."""
        self._begun = True
        if self.is_there:
            self._write(self._welcome(self._chair))

    def _welcome(self, chair: PlainSeat | DealerSeat) -> bytes:
        assert self._credentials is not None
        infos = [
            PlayerInfo(player, PlayerKind.EXTERNAL_CPU, name=name)
            for player, name in enumerate(self._names)
        ]
        return chair.welcome(self._credentials, "", infos)

    def tell(self, event: TableEvent) -> None:
        """Tell the program something, or keep it for its return."""
        self._heard.add(event)
        if isinstance(event, HandScored):
            self._bytes_left = BYTES_A_HAND
        if self.is_there:
            try:
                data = self._chair.tell(event)
            except RemoteProtocolError as error:
                assert self._link is not None
                self._link.abort(str(error))
                return
            self._write(data)

    def ask(self, asked: Ask) -> None:
        """Ask the program for a choice."""
        self._heard.add(asked.question)
        if self.is_there:
            self._write(self._chair.ask(asked))

    def refuse(self, reason: Reason) -> None:
        """The choice is not legal, and the program may choose again."""
        if self.is_there:
            self._write(self._chair.refuse(reason))

    def _write(self, data: bytes) -> None:
        if data and self._link is not None:
            self._link.write(data)

    def flush(self) -> None:
        """Send what was written."""
        if self._link is not None:
            self._link.flush()

    # The end

    def finish(self, responds: bool) -> None:
        """The match is over, and the program was told so; no time is left to one that hangs."""
        self._over = True
        self._responds = responds
        if self._link is not None and responds:
            self._link.end()
        else:
            self._scope.cancel()

    def lose(self, why: str) -> None:
        """The program plays no more in this match."""
        if self._over or self.is_lost:
            return
        self.is_lost = True
        self.why_lost = why
        self.settled.set()
        if self._link is not None:
            self._link.abort(why)
        self._scope.cancel()
        self._host.lost(self.player, why)

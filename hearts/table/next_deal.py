"""The next deal: it is promised with the hashes of those who cut, and dealt with their values.

DealerSpec.md section 14.8 has the cuts, SocketSpec.md section 7.6 the promise.
"""

from __future__ import annotations

from collections.abc import Callable

from hearts.game.cuts import NO_HASHES, FourHashes, four_hashes, hash_of, shown_cuts
from hearts.game.deal import commitment
from hearts.game.events import ChosenBy, Deal
from hearts.game.proof import commitment_notice
from hearts.wire.text import quoted

from .effects import Ask, Tell
from .events import CutSettled, DealPromised
from .history import SessionHistory
from .inputs import Cut, Question
from .outbox import Outbox
from .seat import Request
from .seats import Seats
from .steps import Promise


class NextDeal:
    """Draws a deal, promises it, and takes the values of those who cut it."""

    __slots__ = ("_draw", "_drawn", "_outbox", "_past", "_seats", "_values", "_waits", "promised")

    def __init__(
        self, draw: Callable[[], Deal], seats: Seats, past: SessionHistory, outbox: Outbox
    ) -> None:
        self._draw = draw
        self._seats = seats
        self._past = past
        self._outbox = outbox
        self._drawn: Deal | None = None
        """A deal of which nothing is durable yet."""
        self._values: list[bytes] = [b""] * 4
        self._waits = False
        """Whether a deal, or its promise, is to be proposed when nobody is waited for."""
        self.promised: Promise | None = None
        """That of a deal that is not dealt yet."""

    @property
    def is_under_way(self) -> bool:
        """Whether the next durable step is a deal or its promise."""
        return self._drawn is not None or self.promised is not None

    def propose(self, now: float) -> None:
        """Propose a deal, or first its promise if somebody cuts it."""
        self._drawn = self._draw()
        self._wait_for_hashes(self._drawn, now)

    def _wait_for_hashes(self, drawn: Deal, now: float) -> None:
        self._waits = True
        if drawn.secret is not None:
            for player, seat in enumerate(self._seats):
                if seat.next_hash is None and not seat.stand_in:
                    self._seats.wait_for_hash(player, now)
        self._go_on()

    def promise(self, promise: Promise) -> None:
        """Tell of a promise that is durable now, and hold the players to it."""
        self._begin(promise.secret, promise.hashes)
        self.promised = promise
        for seat, digest in zip(self._seats, promise.hashes, strict=True):
            if seat.next_hash == digest:
                seat.next_hash = b""

    def take_up(self, now: float) -> None:
        """Go on with the next deal after a restart: values and hashes are to be said again."""
        if self.promised is not None:
            self.ask(self.promised, now)
        elif self._drawn is not None:
            self._wait_for_hashes(self._drawn, now)

    def ask(self, promise: Promise, now: float) -> None:
        """Ask for the values of a promise."""
        self._values = [b""] * 4
        self._waits = True
        cannot_show = []
        for player, digest in enumerate(promise.hashes):
            seat = self._seats[player]
            if digest and (seat.connected or not seat.stand_in):
                request = self._seats.ask(player, Question.CUT, now)
                if seat.connected and seat.votes:
                    limit, account = request.limit, seat.account
                    self._outbox.effects.append(
                        Ask(player, Question.CUT, limit, 0, 0, account.free, account.bank)
                    )
                elif seat.connected:
                    cannot_show.append(player)
        for player in cannot_show:
            self.miss(player)
        self._go_on()

    def sit_in_plain(self, player: int) -> None:
        """Wait for nothing from a client that has come back in a dialect without cuts."""
        self.offer(player, b"")
        self.miss(player)

    def offer(self, player: int, next_hash: bytes | None) -> None:
        """Keep the hash of a client's next value; one that has not said so yet is waited for."""
        seat = self._seats[player]
        if next_hash is None or next_hash == seat.used_hash != b"":
            # A client that comes back has not heard of that promise yet, and says another one then.
            seat.next_hash = seat.next_hash or None
            return
        seat.next_hash = next_hash
        request = seat.request
        if request is not None and request.is_for_hash:
            seat.request = None
            self._go_on()

    def cut(self, cut: Cut, request: Request, now: float) -> bool:
        """Take a player's value, unless it does not fit its hash; whether it does."""
        promise, player = self.promised, cut.player
        if promise is None or not cut.value or hash_of(cut.value) != promise.hashes[player]:
            return False
        seat = self._seats[player]
        seat.take(request, now)
        self._values[player] = cut.value
        seat.next_hash = cut.next_hash
        self._settle(player, ChosenBy.PLAYER)
        return True

    def miss(self, player: int, by: ChosenBy = ChosenBy.STAND_IN) -> None:
        """Go on without what a player was to say of the next deal, if anything."""
        request = self._seats[player].request
        if request is None or request.question is not Question.CUT:
            return
        if request.is_for_hash:
            self._seats[player].next_hash = b""
        else:
            self._seats.stand_in_for(player)
        self._settle(player, by)

    def _settle(self, player: int, by: ChosenBy) -> None:
        self._seats[player].request = None
        self._outbox.effects.append(Tell(player, CutSettled(player, by)))
        self._go_on()

    def deal(self, deal: Deal) -> None:
        """A deal is durable: tell its promise, if that was not told, and who has shown no value."""
        if self.promised is None:
            self._begin(deal.secret, NO_HASHES)
        self._forget_requests()
        for player in deal.shown.missing if deal.shown is not None else ():
            name, number = quoted(self._seats[player].name), self._past.deals_over + 1
            self._outbox.announce(f"{name} has not shown a number for deal {number}")
        self.promised = None

    def _begin(self, secret: bytes | None, hashes: FourHashes) -> None:
        self._drawn = None
        self._forget_requests()
        self._seats.begin_hand()
        for seat, digest in zip(self._seats, hashes, strict=True):
            seat.used_hash = digest
        if secret is not None:
            number = self._past.deals_over + 1
            self._outbox.announce(commitment_notice(number, secret))
            self._outbox.tell_all(DealPromised(number, commitment(secret), hashes))

    def _forget_requests(self) -> None:
        # When steps are read back, what was waited for then is settled by what was stored next.
        for seat in self._seats:
            if seat.request is not None and seat.request.question is Question.CUT:
                seat.request = None

    def _go_on(self) -> None:
        """Propose the deal or its promise, if nobody is waited for."""
        if not self._waits or self._seats.are_asked(Question.CUT):
            return
        self._waits = False
        promise = self.promised
        if promise is not None:
            shown = shown_cuts(promise.hashes, self._values)
            self._outbox.propose(Deal.from_shown(promise.secret, shown))
            return
        assert self._drawn is not None
        hashes = four_hashes(
            seat.next_hash or b"" if seat.connected or not seat.stand_in else b""
            for seat in self._seats
        )
        if self._drawn.secret is None or hashes == NO_HASHES:
            self._outbox.propose(self._drawn)
        else:
            self._outbox.propose(Promise(self._drawn.secret, hashes))

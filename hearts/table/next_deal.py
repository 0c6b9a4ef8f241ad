"""The next deal: what it follows from is promised, and players may cut it before it is dealt.

DealerSpec.md section 14.8 has the cuts, section 7.6 the promise.
"""

from __future__ import annotations

from collections.abc import Callable

from hearts.game.deal import NO_CUT, commitment
from hearts.game.events import ChosenBy, Deal
from hearts.game.proof import commitment_notice

from .effects import Ask, Tell
from .events import CutSettled, DealPromised
from .history import SessionHistory
from .inputs import Cut, Question
from .outbox import Outbox
from .seat import Kind
from .seats import Seats
from .steps import Promise


class NextDeal:
    """Draws a deal, promises it, and takes the cuts of those who want to cut."""

    __slots__ = ("_cuts", "_draw", "_outbox", "_past", "_seats", "promised")

    def __init__(
        self, draw: Callable[[], Deal], seats: Seats, past: SessionHistory, outbox: Outbox
    ) -> None:
        self._draw = draw
        self._seats = seats
        self._past = past
        self._outbox = outbox
        self._cuts: dict[int, bytes] = {}
        self.promised: bytes | None = None
        """The secret of a deal that is promised and not dealt yet."""

    def propose(self) -> None:
        """Propose a deal, or first its promise if somebody wants to cut it."""
        deal = self._draw()
        if deal.secret is not None and self._seats.cutters:
            self._outbox.propose(Promise(deal.secret))
        else:
            self._outbox.propose(deal)

    def let_cut(self, secret: bytes, now: float) -> None:
        """The promise is durable: those who want to cut are asked."""
        self._promise(secret)
        self._cuts.clear()
        for player in self._seats.cutters:
            request = self._seats.ask(player, Question.CUT, now)
            self._outbox.effects.append(Ask(player, Question.CUT, request.limit, 0))
        self._propose_if_cut()

    def let_cut_again(self, now: float) -> None:
        """The server was started again before the promised deal: what was cut is not known.

        A player who was there before has his grace period to come back and say that he cuts.
        """
        for player, seat in enumerate(self._seats):
            if seat.kind is Kind.CLIENT and not seat.stand_in:
                self._seats.ask(player, Question.CUT, now)
        self._propose_if_cut()

    def offer(self, player: int, wants_to_cut: bool) -> None:
        """A client says whether it wants to cut."""
        seat = self._seats[player]
        was_cutter = seat.is_cutter
        seat.wants_to_cut = wants_to_cut
        request = seat.request
        if not seat.connected or request is None or request.question is not Question.CUT:
            return
        if not seat.is_cutter:
            self.leave_uncut(player)
        elif not was_cutter:
            self._outbox.effects.append(Ask(player, Question.CUT, request.limit, 0))

    def leave_uncut(self, player: int) -> None:
        """A player cuts nothing, if he was asked."""
        request = self._seats[player].request
        if request is not None and request.question is Question.CUT:
            self.cut(Cut(player, NO_CUT), ChosenBy.CLOCK)

    def cut(self, cut: Cut, by: ChosenBy) -> None:
        """A player's cut is made."""
        self._seats[cut.player].request = None
        self._outbox.effects.append(Tell(cut.player, CutSettled(cut.player, by)))
        self._cuts[cut.player] = cut.data
        self._propose_if_cut()

    def deal(self, deal: Deal) -> None:
        """The deal is durable: it keeps the promise, which is made now if it was not before."""
        if deal.secret is not None and self.promised is None:
            self._promise(deal.secret)
        self.promised = None

    def _promise(self, secret: bytes) -> None:
        self.promised = secret
        number = self._past.deals_over + 1
        self._outbox.announce(commitment_notice(number, secret))
        self._outbox.tell_all(DealPromised(number, commitment(secret)))

    def _propose_if_cut(self) -> None:
        if self.promised is not None and not self._seats.are_asked(Question.CUT):
            cuts = b"".join(self._cuts.get(player, NO_CUT) for player in range(4))
            self._outbox.propose(Deal.from_secret(self.promised, cuts))

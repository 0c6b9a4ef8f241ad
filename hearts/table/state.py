"""The whole state of a table as one value, with the outbox for the effects of a step."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import inf

from msgspec import Struct

from hearts.game.deal import commitment_notice
from hearts.game.events import Deal
from hearts.game.kernel import HandPlay

from .effects import (
    Announce,
    Change,
    Changed,
    Effect,
    Ended,
    Notify,
    Persist,
    RestClaimed,
    SendToAll,
    Stopped,
    TableEvent,
)
from .history import SessionHistory
from .inputs import QUESTIONS, Abort, Setting, TakeBack
from .seat import COMPUTER_NAMES, LOST_LIMITS, Kind, Request, Seat
from .steps import NewRules, SeatChange, Step, format_step


class NextDeal(Struct):
    """The deal that comes next, as far as it is known."""

    drawn: Deal | None = None
    """A deal that is drawn and not durable yet."""
    values: dict[int, bytes] = {}
    """Those that players have shown for it."""
    waits: bool = False
    """True if a deal, or its promise, is to be proposed when nobody is waited for."""


class Votes(Struct):
    """The proposals of one game, of which one can be open."""

    proposals: int = 0
    """The number of proposals made in this game."""
    wanted: NewRules | Abort | None = None
    """The proposal that is open."""
    waiting: frozenset[int] = frozenset()
    """The players who have not answered yet."""
    agreed_abort: Abort | TakeBack | None = None
    """The hand or game that all have agreed to break off, or the choice that somebody alone takes
    back, until that is done."""
    deadline: float = inf
    """The time at which the open proposal is refused at the latest."""


class SeatPlans(Struct):
    """The changes of seats before the next hand, and the player who is asked for their seat."""

    changes: dict[int, SeatChange] = {}
    """At most one for each seat."""
    opened: frozenset[int] = frozenset()
    """The seats that are to be open once a computer has them."""
    wanted: dict[tuple[int, bool], set[int]] = {}
    """The players who want to give away the seat of a client who is away, and open it or not."""
    under_way: int = 0
    """The number of changes that are proposed and not yet durable."""
    asked: int = -1
    """The player who is asked to give up their seat; -1 for nobody."""
    asker: int = -1
    opens: bool = False
    """True if the seat that was asked for last is to be open for a person."""
    deadline: float = inf
    """The time at which the seat stays theirs at the latest."""


class ClaimedRest(Struct):
    """The tricks that are left of a hand, if a player has claimed them."""

    claimer: int = -1
    hand: HandPlay | None = None
    """The hand that was claimed last."""
    untold: RestClaimed | None = None
    """A claim whose first card is not durable yet."""


class SessionState:
    """Four seats, their games and the effects to carry out; the other modules change it."""

    def __init__(
        self,
        setting: Setting,
        players: Sequence[tuple[str, Kind]],
        draw: Callable[[], Deal],
        computer_names: Sequence[str] = COMPUTER_NAMES,
        most_hands: int = 0,
        first_hand: int = 0,
        lost_limits: float = LOST_LIMITS,
    ) -> None:
        """``players`` are the names and kinds of seats 0-3; ``draw`` gives each deal.

        ``computer_names`` are four or more, for computers that get a seat later. The session ends
        after ``most_hands``; 0 for no bound. ``first_hand`` is the number in its game that the
        first hand has, from 0, so that it can have any pass. ``lost_limits`` are the turn limits
        that are lost for one player in one hand before a bot plays; inf for never.
        """
        self.setting = setting
        """That of the game under way."""
        self.draw = draw
        self.computer_names = computer_names
        self.most_hands = most_hands
        self.lost_limits = lost_limits
        self.seats = [Seat(name, kind) for name, kind in players]
        self.past = SessionHistory(setting, first_hand)
        self.game = self.past.new_game()
        """The game under way."""
        self.next_deal = NextDeal()
        self.votes = Votes()
        self.plans = SeatPlans()
        self.rest = ClaimedRest()
        self.requests = 0
        """The number of the latest request."""
        self.clock_ends = inf
        """The time at which time is up for somebody; it may be early, never late."""
        self.paused_at: float | None = None
        """The time since which no client is connected, so that no clock runs."""
        self.is_read_back = False
        """True while stored steps are done again: the next deal may be one of them."""
        self.is_draining = False
        """True if no further hand is dealt, and the table stops."""
        self.is_complete = False
        """True if the session ended as it should, because the players wanted no more."""
        self.ended = False
        """True if it takes no more input."""
        self.effects: list[Effect] = []
        """To be carried out, in order."""
        self.proposed: list[Step] = []
        """The steps whose lines are not durable yet, the oldest first."""
        self.deal_notices: list[str] = []
        """The announcements of deals that follow from stored lines, the oldest first."""

    @property
    def commitment(self) -> str | None:
        """The notice of the deal that is promised or played; None if there is nothing to prove."""
        secret = self.game.secret if self.game.phase in QUESTIONS else None
        if self.past.promise is not None:
            secret = self.past.promise.secret
        return None if secret is None else commitment_notice(self.past.deals_over + 1, secret)

    def waited_for(self) -> list[tuple[int, Request]]:
        """Return the players who have not chosen yet, and their requests."""
        return [
            (player, seat.request)
            for player, seat in enumerate(self.seats)
            if seat.request is not None and not seat.request.pending
        ]

    def first_client(self, now: float) -> int | None:
        """Give the player who has the say of player 0; None among computers.

        That is the lowest client that is there or whose grace period runs. If all clients are away
        for longer, it is the lowest of them.
        """
        clients = [player for player in range(4) if self.seats[player].kind is Kind.CLIENT]
        here = (p for p in clients if not self.seats[p].out_of_grace(self.setting, now))
        return next(here, next(iter(clients), None))

    def propose(self, step: Step) -> None:
        """Let a step be stored; it is done when it is durable."""
        self.proposed.append(step)
        self.effects.append(Persist(format_step(step)))

    def notify_all(self, event: TableEvent) -> None:
        """Tell every player something that all may see."""
        self.effects.append(SendToAll(event))

    def announce(self, text: str, about: int | None = None) -> None:
        """Tell everybody in words; ``about`` is the player who comes or goes."""
        self.effects.append(Announce(text, about))

    def notify(self, text: str) -> None:
        """Tell everybody in words, over every way that there is."""
        self.effects.append(Notify(text))

    def changed(self, player: int, change: Change) -> None:
        self.effects.append(Changed(player, change))

    def end(self, why: str) -> None:
        self.ended = True
        self.effects.append(Ended(why))

    def stop(self) -> None:
        """Stop the table, which can be taken up again."""
        self.ended = True
        self.effects.append(Stopped("the server shuts down"))

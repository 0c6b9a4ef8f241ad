"""What players propose to all, and who agrees: other rules for the next game, or that the hand or
the game is broken off (DealerSpec.md section 14.8)."""

from __future__ import annotations

from math import inf

from .effects import Tell
from .events import AbortProposed, AbortRefused, RulesAgreed, RulesProposed, RulesRefused
from .inputs import Abort
from .outbox import Outbox
from .seat import Kind
from .seats import Seats
from .steps import NewRules

VOTE_LIMIT = 60.0
"""Seconds that the players have to agree."""

MOST_PROPOSALS = 10
"""Proposals in one game: each that is agreed to is stored, and each asks everybody."""

Proposal = NewRules | Abort
"""What all players have to agree to."""


class Ballot:
    """The proposals of one game, of which one can be open, and what was agreed on."""

    __slots__ = (
        "_outbox",
        "_proposals",
        "_seats",
        "_waiting",
        "_wanted",
        "agreed_abort",
        "deadline",
    )

    def __init__(self, seats: Seats, outbox: Outbox) -> None:
        self._seats = seats
        self._outbox = outbox
        self._proposals = 0
        self._wanted: Proposal | None = None
        """What is proposed, as long as that is open."""
        self._waiting: set[int] = set()
        """The players who have not answered yet."""
        self.agreed_abort: Abort | None = None
        """What all have agreed to break off, until that is done."""
        self.deadline = inf
        """When the open proposal is refused at the latest."""

    def begin_game(self) -> None:
        """A game begins, in which more may be proposed."""
        self._proposals = 0

    def propose(self, wanted: Proposal, proposer: int, now: float) -> bool:
        """Ask everybody but the proposer, for computers agree; whether that is possible now."""
        if self._wanted is not None or self.agreed_abort is not None:
            return False
        if self._proposals >= MOST_PROPOSALS:
            return False
        self._proposals += 1
        seats = self._seats
        asked = [p for p in range(4) if p != proposer and seats[p].kind is Kind.CLIENT]
        self._wanted = wanted
        for player in asked:
            if not (seats[player].connected and seats[player].votes):
                self.refuse(player, "a player cannot be asked")
                return True
        self._waiting.update(asked)
        self.deadline = now + VOTE_LIMIT
        proposed = _proposed(wanted)
        self._outbox.effects += (Tell(player, proposed) for player in asked)
        self._count()
        return True

    def vote(self, player: int, agreed: bool) -> None:
        """A player answers."""
        if player not in self._waiting:
            return
        if not agreed:
            self.refuse(player, "a player does not agree")
            return
        self._waiting.discard(player)
        self._count()

    def _count(self) -> None:
        if self._waiting or self._wanted is None:
            return
        if isinstance(self._wanted, Abort):
            self.agreed_abort = self._wanted
        else:
            self._outbox.propose(self._wanted)
        self._close()

    def refuse(self, player: int, why: str) -> None:
        """Refuse what is proposed, if anything is; ``player`` is -1 if nobody refused it."""
        wanted = self._wanted
        if wanted is not None:
            self._close()
            is_abort = isinstance(wanted, Abort)
            self._outbox.tell_all((AbortRefused if is_abort else RulesRefused)(player, why))

    def expire(self, now: float) -> None:
        """Refuse a proposal whose time is up."""
        if now >= self.deadline:
            self.refuse(-1, "not everybody has answered in time")

    def end_hand(self, *, is_last: bool) -> None:
        """The hand is over, and with the last one the game: it cannot be broken off any more."""
        over = (Abort.HAND, Abort.GAME) if is_last else (Abort.HAND,)
        why = "it is over"
        if self.agreed_abort in over:
            self.agreed_abort = None
            self._outbox.tell_all(AbortRefused(-1, why))
        elif self._wanted in over:
            self.refuse(-1, why)

    def take_abort(self) -> Abort | None:
        """What was agreed on to be broken off; it is given once."""
        agreed, self.agreed_abort = self.agreed_abort, None
        return agreed

    def agree(self, rules: NewRules) -> None:
        """Everybody has agreed, and that is durable."""
        self._outbox.tell_all(RulesAgreed(rules.rules, rules.end_score))

    def _close(self) -> None:
        self._wanted = None
        self._waiting.clear()
        self.deadline = inf


def _proposed(wanted: Proposal) -> RulesProposed | AbortProposed:
    if isinstance(wanted, Abort):
        return AbortProposed(wanted, VOTE_LIMIT)
    return RulesProposed(wanted.rules, wanted.end_score, VOTE_LIMIT)

"""Other rules for the next game: a proposal, and who agrees (DealerSpec.md section 14.8)."""

from __future__ import annotations

from math import inf

from .effects import Tell
from .events import RulesAgreed, RulesProposed, RulesRefused
from .outbox import Outbox
from .seat import Kind
from .seats import Seats
from .steps import NewRules

VOTE_LIMIT = 60.0
"""Seconds that the players have to agree."""

MOST_PROPOSALS = 10
"""Proposals in one game: each that is agreed to is stored, and each asks everybody."""


class Ballot:
    """The proposals of one game, of which one can be open, and the rules that were agreed on."""

    __slots__ = ("_outbox", "_proposals", "_seats", "_waiting", "_wanted", "deadline")

    def __init__(self, seats: Seats, outbox: Outbox) -> None:
        self._seats = seats
        self._outbox = outbox
        self._proposals = 0
        self._wanted: NewRules | None = None
        """What is proposed, as long as that is open."""
        self._waiting: set[int] = set()
        """The players who have not answered yet."""
        self.deadline = inf
        """When the open proposal is refused at the latest."""

    def begin_game(self) -> None:
        """A game begins, in which rules may be proposed again."""
        self._proposals = 0

    def propose(self, wanted: NewRules, proposer: int, now: float) -> bool:
        """Ask everybody but the proposer, for computers agree; whether that is possible now."""
        if self._wanted is not None or self._proposals >= MOST_PROPOSALS:
            return False
        self._proposals += 1
        seats = self._seats
        asked = [p for p in range(4) if p != proposer and seats[p].kind is Kind.CLIENT]
        for player in asked:
            if not (seats[player].connected and seats[player].votes):
                self._outbox.tell_all(RulesRefused(player, "a player cannot be asked"))
                return True
        if not asked:
            self._outbox.propose(wanted)
            return True
        self._wanted = wanted
        self._waiting.update(asked)
        self.deadline = now + VOTE_LIMIT
        proposed = RulesProposed(wanted.rules, wanted.end_score, VOTE_LIMIT)
        self._outbox.effects += (Tell(player, proposed) for player in asked)
        return True

    def vote(self, player: int, agreed: bool) -> None:
        """A player answers."""
        if player not in self._waiting:
            return
        if not agreed:
            self.refuse(player, "a player does not agree")
            return
        self._waiting.discard(player)
        if self._wanted is not None and not self._waiting:
            self._outbox.propose(self._wanted)
            self._close()

    def refuse(self, player: int, why: str) -> None:
        """Refuse what is proposed, if anything is; ``player`` is -1 if nobody refused it."""
        if self._wanted is not None:
            self._close()
            self._outbox.tell_all(RulesRefused(player, why))

    def expire(self, now: float) -> None:
        """Refuse a proposal whose time is up."""
        if now >= self.deadline:
            self.refuse(-1, "not everybody has answered in time")

    def agree(self, rules: NewRules) -> None:
        """Everybody has agreed, and that is durable."""
        self._outbox.tell_all(RulesAgreed(rules.rules, rules.end_score))

    def _close(self) -> None:
        self._wanted = None
        self._waiting.clear()
        self.deadline = inf

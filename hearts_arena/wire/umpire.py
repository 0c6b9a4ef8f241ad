"""The umpire of a match on the wire: its clocks, its end, and what its programs are counted.

The game is that of a server's table, and so are all bytes. What differs is about time and faults,
for here nobody waits for a person:

- The clock of a choice starts when it is asked for, whatever the program still owes. A hand has a
  limit of its own; when it is used up the clock makes the rest of its choices at once.
- A program that is lost, or does nothing for a whole hand, plays no more: a stand-in does.
- Nobody cuts, votes, claims the rest or moves to another seat: the deals are those of the plan.
- The last hand of the match ends the game, whatever the scores are, and nobody is asked about
  another one. So a program ends as it does at a server.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import inf

from msgspec.structs import replace

from hearts.errors import Fault
from hearts.game.events import CardPlayed, ChosenBy, HandScored, MoonChosen, PassMade
from hearts.game.scoring import Four
from hearts.game.view import view_of
from hearts.table import effects, inputs
from hearts.table.table import Table

from .local import LocalSeat
from .seat import WireSeat


class MatchUmpire:
    """Takes the inputs of the table of one match."""

    def __init__(
        self,
        table: Table,
        hands: int | None,
        wired: Mapping[int, WireSeat],
        called: Mapping[int, LocalSeat],
    ) -> None:
        """With ``hands`` the match has so many, else it lasts to the end of the game."""
        self.points: list[Four] = []
        self.scores: list[Four] = []
        self.winners: tuple[int, ...] = ()
        """Empty until the match is over."""
        self._table = table
        self._hands = hands
        self._wired = wired
        self._called = called

    @property
    def is_complete(self) -> bool:
        return bool(self.winners)

    def step(self, given: inputs.Input, now: float) -> list[effects.Effect]:
        if self.winners:
            return []
        match given:
            case inputs.ClientLeft(player):
                self._wired[player].hang_up()
                return []
            case inputs.Able() | inputs.ClientCameBack():
                return []
            case (
                inputs.ProposeRules()
                | inputs.ProposeAbort()
                | inputs.ReplacePlayer()
                | inputs.OpenSeat()
                | inputs.Resign()
                | inputs.ClaimRest()
            ):
                return [effects.Decline(given.player, given, Fault.NOT_NOW)]
            case _:
                return self._watch(given, self._table.step(given, now), now)

    def _watch(
        self, given: inputs.Input, told: Sequence[effects.Effect], now: float
    ) -> list[effects.Effect]:
        done: list[effects.Effect] = []
        for effect in told:
            match effect:
                case effects.TellAll(HandScored(points, scores) as event):
                    self._end_hand(points, scores)
                    if len(self.points) == self._hands:
                        best = min(scores)
                        winners = tuple(player for player in range(4) if scores[player] == best)
                        return done + self._end(effects.GameScored(points, scores, winners, None))
                    self._tell(event)
                case effects.TellAll(effects.GameScored(points, scores) as event):
                    self._end_hand(points, scores)
                    return done + self._end(replace(event, decider=None))
                case effects.TellAll(event):
                    self._note(event, now)
                    self._tell(event)
                case effects.Tell(_, event):
                    self._note(event, now)
                case effects.Ask():
                    effect = self._ask(effect, now)
                case effects.Refuse(player):
                    self._wired[player].account.refuse()
                case effects.AskBot():
                    seat = self._wired[effect.view.player]
                    if isinstance(given, inputs.Chosen):
                        # Too many tries were illegal.
                        seat.account.refuse()
                    elif seat.is_lost:
                        effect = replace(effect, by=ChosenBy.STAND_IN)
                case _:
                    pass
            done.append(effect)
        return done

    def _tell(self, event: effects.TableEvent) -> None:
        for seat in self._called.values():
            seat.tell(event)

    def _note(self, event: effects.TableEvent, now: float) -> None:
        match event:
            case CardPlayed(player, _, by) | PassMade(player, _, by) | MoonChosen(player, _, by):
                if player in self._wired:
                    self._wired[player].account.settle(by, now)
            case effects.DealPromised():
                for seat in self._wired.values():
                    seat.account.begin_hand()
            case _:
                pass

    def _ask(self, asked: effects.Ask, now: float) -> effects.Ask:
        player = asked.player
        called = self._called.get(player)
        if called is not None:
            self._table.step(inputs.GiveTime(player, inf), now)
            called.ask(asked, view_of(self._table.game, player))
            return asked
        seat = self._wired[player]
        left = seat.account.ask(now)
        self._table.step(inputs.GiveTime(player, 0.0 if seat.is_lost else left), now)
        return replace(asked, left=left)

    def _end_hand(self, points: Four, scores: Four) -> None:
        self.points.append(points)
        self.scores.append(scores)
        for seat in self._wired.values():
            seat.end_hand()

    def _end(self, scored: effects.GameScored) -> list[effects.Effect]:
        self.winners = scored.winners
        self._tell(scored)
        settled = effects.AgainSettled(-1, False, ChosenBy.CLOCK)
        return [
            effects.TellAll(scored),
            effects.TellAll(settled),
            effects.Ended("the match is over"),
        ]

"""What one player was told and asked, which follows from the steps that are done again."""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

from hearts.game.deal import commitment
from hearts.game.events import AbortHand, ChooseMoon, Deal, HandScored, Pass, Play
from hearts.game.game import Phase
from hearts.game.view import seen_by, shown

from .events import (
    AgainSettled,
    DealDisclosed,
    DealPromised,
    GameAborted,
    GameBegun,
    GameScored,
    HandAborted,
    RulesAgreed,
    TableEvent,
)
from .inputs import AnswerAgain, Question, Setting
from .standing import SessionStanding
from .steps import AbandonGame, AskAgain, NewRules, Promise, Removal, SeatChange, Step

QUESTIONS = {
    Phase.PASS: Question.PASS,
    Phase.PLAY: Question.CARD,
    Phase.MOON: Question.MOON,
}
"""What is asked in a phase in which somebody has to choose."""


class StepReplay:
    """Does steps again, one after the other."""

    __slots__ = ("_game", "_is_promised", "_player", "_setting", "_standing")

    def __init__(self, player: int | None, standing: SessionStanding, setting: Setting) -> None:
        """It begins at ``standing``; a player of None is a watcher; of ``setting`` the clocks
        count."""
        self._player = player
        self._standing = standing
        """With the rules as they are; what else stands in it is that of the begin."""
        self._setting = setting
        self._game = standing.new_game()
        self._is_promised = False

    @property
    def begins_with_question(self) -> bool:
        """Whether the player has been asked about another game when it begins."""
        return self._player is not None and self._standing.decider == self._player

    def tell(self, step: Step, hands: int) -> Sequence[TableEvent | Question]:
        """Do a step; what the player was told and asked then.

        ``hands`` is how many hands of the session were scored before.
        """
        deal = hands + self._standing.aborted + 1
        match step:
            case Deal() | Play() | Pass() | ChooseMoon():
                return self._do(step, deal)
            case AbortHand():
                # Nothing else of that hand is kept.
                self._standing = self._standing.after_step(step)
                return (HandAborted(deal),)
            case AbandonGame():
                self._standing = self._standing.after_step(step)
                self._game = self._standing.new_game()
                return GameAborted(), GameBegun(self._standing.setting(self._setting))
            case AskAgain(decider):
                game = self._game
                scored = GameScored(game.points, game.scores, game.winners, decider)
                mine = decider is not None and decider == self._player
                return (scored, Question.AGAIN) if mine else (scored,)
            case AnswerAgain(who, yes, by):
                settled = AgainSettled(who, yes, by)
                self._standing = self._standing.after_step(step)
                if not yes:
                    return (settled,)
                self._game = self._standing.new_game()
                return settled, GameBegun(self._standing.setting(self._setting))
            case Promise(secret, hashes):
                self._is_promised = True
                return (DealPromised(deal, commitment(secret), hashes),)
            case NewRules(rules, end_score):
                self._standing = self._standing.after_step(step)
                return (RulesAgreed(rules, end_score),)
            case SeatChange() | Removal():
                return ()
            case _:
                assert_never(step)

    def _do(
        self, action: Deal | Pass | Play | ChooseMoon, deal: int
    ) -> list[TableEvent | Question]:
        game, player = self._game, self._player
        items: list[TableEvent | Question] = []
        if isinstance(action, Deal):
            if action.secret is not None and not self._is_promised:
                items.append(DealPromised(deal, commitment(action.secret)))
            self._is_promised = False
        for event in game.apply(action):
            if isinstance(event, HandScored):
                if game.secret is not None:
                    items.append(DealDisclosed(deal, game.secret, game.cuts, game.shown))
                # The last hand of a game is told with who decides about another one.
                if event.winners:
                    continue
            seen = shown(event) if player is None else seen_by(event, player)
            if seen is not None:
                items.append(seen)
        if player in game.waiting_for() and (
            game.phase is not Phase.PASS or isinstance(action, Deal)
        ):
            items.append(QUESTIONS[game.phase])
        return items

"""What was decided at a table so far, and how one player was told of it.

Events follow from the steps alone, so a player who comes back is told what he missed by doing the
steps again from a point that he names (SocketSpec.md section 5.6).
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from itertools import islice

from hearts.errors import HeartsError
from hearts.events import Action, Deal, HandScored
from hearts.game import Game, Phase
from hearts.view import seen_by

from .messages import (
    AgainSettled,
    AnswerAgain,
    GameBegun,
    GameScored,
    Question,
    Setting,
    TableEvent,
)
from .steps import AskAgain, Step

QUESTIONS = {
    Phase.PASS: Question.PASS,
    Phase.PLAY: Question.CARD,
    Phase.MOON: Question.MOON,
}
"""What is asked in a phase in which somebody has to choose."""


class Past:
    """The durable steps of a session, in order."""

    __slots__ = ("_games", "_last_deal", "_scored_at", "_setting", "_steps")

    def __init__(self, setting: Setting) -> None:
        self._setting = setting
        self._steps: list[Step] = []
        self._games = [0]
        self._scored_at: list[int] = []
        self._last_deal = 0

    @property
    def hands_scored(self) -> int:
        """For how many hands of the session Scores were sent."""
        return len(self._scored_at)

    @property
    def last(self) -> Step | None:
        """The latest step."""
        return self._steps[-1] if self._steps else None

    @property
    def game_actions(self) -> tuple[Action, ...]:
        """What was dealt and chosen in the game under way."""
        steps = islice(self._steps, self._games[-1], None)
        return tuple(step for step in steps if not isinstance(step, AskAgain | AnswerAgain))

    def can_be_next(self, step: Step, game: Game) -> bool:
        """Whether a stored step may follow in a session that has come to this game."""
        asked = isinstance(self.last, AskAgain)
        match step:
            case AskAgain(player):
                return game.phase is Phase.OVER and not asked and player in (None, 0, 1, 2, 3)
            case AnswerAgain(player):
                return asked and player in (-1, 0, 1, 2, 3)
            case _:
                try:
                    game.check(step)
                except HeartsError:
                    return False
                return True

    def add(self, step: Step) -> None:
        """A step is durable."""
        if isinstance(step, Deal):
            self._last_deal = len(self._steps)
        self._steps.append(step)

    def note_scores(self) -> None:
        """The latest step led to Scores."""
        self._scored_at.append(len(self._steps))

    def note_game(self) -> None:
        """A new game begins with the next step."""
        self._games.append(len(self._steps))

    def decided(self, player: int, hands: int) -> int:
        """How many choices of a player :meth:`replay` brings that are decided already."""
        steps = islice(self._steps, self._start(hands), None)
        return sum(
            not isinstance(step, Deal | AskAgain) and step.player == player for step in steps
        )

    def _start(self, hands: int) -> int:
        if hands < 0:
            return self._last_deal
        return self._scored_at[hands - 1] if hands else 0

    def replay(self, player: int, hands: int) -> Iterator[TableEvent | Question]:
        """What a player was told and asked after the Scores of so many hands of the session.

        ``hands`` is at most :attr:`hands_scored`; with -1 it begins at the last hand dealt. A
        question that is not followed by the event of its answer is still open. What is added while
        the iterator is in use comes too.
        """
        steps = self._steps
        start = self._start(hands)
        index = self._games[bisect_right(self._games, max(start - 1, 0)) - 1]
        game = self._new_game()
        while index < len(steps):
            step = steps[index]
            told = index >= start
            match step:
                case AskAgain(decider):
                    if told:
                        yield GameScored(game.scores, game.winners, decider)
                    if decider == player and index + 1 >= start:
                        yield Question.AGAIN
                case AnswerAgain(who, yes, by):
                    if told:
                        yield AgainSettled(who, yes, by)
                    if yes:
                        game = self._new_game()
                        if told:
                            yield GameBegun(self._setting)
                case _:
                    items = self._replay_action(game, step, player)
                    if told:
                        yield from items
            index += 1

    def _replay_action(
        self, game: Game, action: Action, player: int
    ) -> list[TableEvent | Question]:
        items: list[TableEvent | Question] = []
        for event in game.apply(action):
            # The last hand of a game is told with who decides about another one.
            if isinstance(event, HandScored) and event.winners:
                continue
            seen = seen_by(event, player)
            if seen is not None:
                items.append(seen)
        if player in game.waiting_for() and (
            game.phase is not Phase.PASS or isinstance(action, Deal)
        ):
            items.append(QUESTIONS[game.phase])
        return items

    def _new_game(self) -> Game:
        return Game(self._setting.rules, self._setting.end_score)

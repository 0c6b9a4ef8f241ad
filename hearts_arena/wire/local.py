"""A seat whose player is asked by a call, at a table where programs on the wire play too."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from math import inf

import trio

from hearts.game.cards import Card
from hearts.game.events import CardPlayed, ChooseMoon, HandScored, Pass, Play, TrickTaken
from hearts.game.view import View
from hearts.table import Ask, Chosen, GameScored, Question, TableEvent
from hearts_arena.kept.moves import choice_of
from hearts_arena.plan.results import Conduct, TimeTaken
from hearts_arena.play.called_process import ProcessChair
from hearts_arena.play.chairs import Chair

_Call = Callable[[], object]


class LocalSeat:
    """One seat of one match.

    A player's class is called in a process of its own, one call after the other, and a thread waits
    for it: so neither a long thought nor the end of that process is the others' business. That
    costs a bot of our own more than its thoughts, so those are called without.
    """

    def __init__(self, player: int, chair: Chair | ProcessChair, moves: list[str]) -> None:
        """``chair`` has its player, and writes each of his choices into ``moves``."""
        self.player = player
        self._chair = chair
        self._moves = moves
        self._trick: list[Card] = []
        self._leader = 0
        self._calls, self._next_calls = trio.open_memory_channel[tuple[_Call, bool]](inf)

    @property
    def conduct(self) -> Conduct:
        """How the player behaved."""
        return self._chair.conduct

    @property
    def pace(self) -> TimeTaken:
        """How long he took."""
        return self._chair.pace

    async def attend(self, chosen: Callable[[Chosen], None]) -> None:
        """Call the player for whatever comes, until the match is over."""
        try:
            async for call, is_choice in self._next_calls:
                if isinstance(self._chair, Chair):
                    call()
                else:
                    # Whoever is left behind there ends with the process that he waits for.
                    await trio.to_thread.run_sync(call, abandon_on_cancel=True)
                if is_choice:
                    chosen(Chosen(self.player, self._choice()))
        finally:
            if isinstance(self._chair, ProcessChair):
                self._chair.close()

    def _choice(self) -> Pass | Play | ChooseMoon:
        # The move has the mark of who made it, too: a stand-in if he has raised.
        return choice_of(self._moves[-1], self.player)

    def tell(self, event: TableEvent) -> None:
        """Tell the player what he wants to hear of."""
        match event:
            case CardPlayed(player, card):
                if not self._trick:
                    self._leader = player
                self._trick.append(card)
            case TrickTaken(winner):
                trick, self._trick = tuple(self._trick), []
                if self._chair.hears_tricks:
                    self.call(partial(self._chair.trick_taken, trick, self._leader, winner))
            case HandScored(points, scores) | GameScored(points, scores):
                self.call(partial(self._chair.hand_done, points, scores))
            case _:
                pass

    def ask(self, asked: Ask, view: View) -> None:
        """Let the player choose."""
        chair = self._chair
        chair.choices += 1
        choose: dict[Question, _Call] = {
            Question.CARD: partial(chair.play_card, view),
            Question.PASS: partial(chair.choose_pass, view),
            Question.MOON: partial(chair.choose_moon, view),
        }
        self.call(choose[asked.question], is_choice=True)

    def call(self, call: _Call, is_choice: bool = False) -> None:
        """Call something of the player, after all that he is called for already."""
        self._calls.send_nowait((call, is_choice))

    def finish(self) -> None:
        """The match is over, and the player is told nothing more."""
        self._calls.close()

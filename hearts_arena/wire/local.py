"""A seat whose player is asked by a call, at a table where programs on the wire play too."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from math import inf
from typing import Any

import trio

from hearts.game.cards import Card
from hearts.game.events import CardPlayed, HandScored, TrickTaken
from hearts.game.view import View
from hearts.table.effects import Ask, GameScored, TableEvent
from hearts.table.inputs import Chosen, Question
from hearts_arena.kept.moves import choice_of
from hearts_arena.plan.results import SeatCounts
from hearts_arena.play.called_seat import CARD, MOON, PASS, Asking, CalledSeat

_ASKINGS: dict[Question, Asking[Any]] = {
    Question.CARD: CARD,
    Question.PASS: PASS,
    Question.MOON: MOON,
}


class LocalSeat:
    """One seat of one match.

    A program of the line protocol gets one call after the other, and a thread waits for the answer.
    The same is true of a class of a user, which runs as such a program. So neither a long thought
    nor a crash holds up the other seats. For a bot of our own a thread would cost more than the
    thought itself, so it is called without one.
    """

    def __init__(
        self, player: int, seat: CalledSeat, moves: list[str], *, is_program: bool
    ) -> None:
        """``seat`` writes each choice of its player into ``moves``."""
        self.player = player
        self.counts: SeatCounts = seat
        self._seat = seat
        self._moves = moves
        self._is_program = is_program
        self._trick: list[Card] = []
        self._leader = 0
        self._calls, self._next_calls = trio.open_memory_channel[Callable[[], object]](inf)

    async def attend(self, chosen: Callable[[Chosen], None]) -> None:
        """Call the player for whatever comes, until the match is over."""
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self._kill_at_the_end)
            async for call in self._next_calls:
                written = len(self._moves)
                await self._do(call)
                if len(self._moves) > written:
                    # The move has the mark of who made it, too: a stand-in if it has raised.
                    chosen(Chosen(self.player, choice_of(self._moves[-1], self.player)))
            await self._do(self._seat.close)
            nursery.cancel_scope.cancel()

    async def _do(self, call: Callable[[], object]) -> None:
        if self._is_program:
            await trio.to_thread.run_sync(call)
        else:
            call()

    async def _kill_at_the_end(self) -> None:
        # A thread that waits for the program hears its end, and is not left behind.
        try:
            await trio.sleep_forever()
        finally:
            self._seat.kill()

    def notify(self, event: TableEvent) -> None:
        """Tell the player what it may want to hear of."""
        match event:
            case CardPlayed(player, card):
                if not self._trick:
                    self._leader = player
                self._trick.append(card)
            case TrickTaken(winner):
                trick, self._trick = tuple(self._trick), []
                self.call(self._seat.notify, "trick_taken", trick, self._leader, winner)
            case HandScored(points, scores) | GameScored(points, scores):
                self.call(self._seat.notify, "hand_done", points, scores)

    def ask(self, asked: Ask, view: View) -> None:
        self.call(self._seat.choose, _ASKINGS[asked.question], view)

    def call(self, call: Callable[..., object], *what: object) -> None:
        """Call something of the player, after all that it is called for already."""
        self._calls.send_nowait(partial(call, *what))

    def finish(self) -> None:
        """Tell the player nothing more: the match is over."""
        self._calls.close()

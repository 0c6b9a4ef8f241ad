"""The cost of choices, as hands go on if all four play as swift does; and which are mistakes.

Everything comes from what the player could see. Scores do not count, because swift knows of none.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from itertools import count
from typing import Protocol

from msgspec import Struct

from hearts.bots.levels import fastest_engine
from hearts.bots.search.engine import Engine
from hearts.bots.search.playing import END, HANDS, TURN
from hearts.bots.search.position import position_of, state_of
from hearts.bots.search.swift_play import FIGURES, MOST_ROWS, PASSED, RECEIVED, STEP, seen_of
from hearts.bots.search.worlds import Worlds
from hearts.bots.swift.bot import SwiftBot, shipped_network
from hearts.game.cards import cards_of, mask_of
from hearts.game.events import Action, ChosenBy, Pass, Play
from hearts.game.game import PASS_SIZE, Game
from hearts.game.kernel import first_leader
from hearts.game.scoring import Four, points_by
from hearts.game.view import View, view_of

from .outlook import Cards, Outlook, outlook_of

PLAIN_DEALS, COMPILED_DEALS = 128, 256
"""Deals for each choice, in plain Python and compiled."""
_FEW_DEALS = 8
"""For so few nothing is compiled."""
LEAST = 1.0
"""Points that a mistake costs at least, of which a moon is 26."""
SURE = 3.0
"""Standard errors by which a mistake costs more than nothing."""
HOPELESS = 2.0
"""Standard errors that are allowed for before a choice is left alone."""
_SHARES = (8, 4, 2, 1)
"""A judge looks at an eighth of the deals first, and at more if it is not sure."""


class SwiftJudge:
    """Looks at choices in many deals, all alike for each choice, in which swift plays on."""

    def __init__(
        self, deals: int = 0, seed: int | None = None, clock: Callable[[], float] | None = None
    ) -> None:
        """``deals`` are at most so many; 0 for as many as are fit. ``clock`` is for the times at
        which to be done.
        """
        self._engine: Engine = fastest_engine(is_plain=0 < deals <= _FEW_DEALS)
        is_compiled = self._engine is not fastest_engine(is_plain=True)
        self.deals = deals or (COMPILED_DEALS if is_compiled else PLAIN_DEALS)
        self._draw = random.Random(seed)
        self._clock = clock
        self._swift = SwiftBot(shipped_network())

    def look(self, view: View, choices: Sequence[Cards], until: float | None = None) -> Outlook:
        """Say what is expected of some cards, or of some passes."""
        look = _Look(self._engine, view, choices, self._draw)
        for _ in range(self.deals):
            look.play_on()
            if self._clock is not None and until is not None and self._clock() > until:
                break
        return look.outlook

    def look_beside(self, view: View, chosen: Cards = (), until: float | None = None) -> Outlook:
        """Say what is expected of a choice, and of the others: each legal card, or swift's pass."""
        if view.legal:
            return self.look(view, [(card,) for card in cards_of(view.legal)], until)
        return self.look(view, list(dict.fromkeys([self._best(view), chosen])), until)

    def judge(self, view: View, chosen: Cards) -> Outlook | None:
        """Return the outlook of a position if a choice in it was a mistake for sure, or None.

        ``chosen`` is a card, or a pass in the order of the cards. It is held against swift's
        choice first; what looks like a mistake is looked at again in other deals.
        """
        pair = [self._best(view), chosen]
        if pair[0] == chosen:
            return None
        look = _Look(self._engine, view, pair, self._draw)
        for share in _SHARES:
            while len(look.found) * share < self.deals:
                look.play_on()
            one, other = look.outlook.of(*chosen), look.outlook.of(*pair[0])
            loss, error = one.loss - other.loss, max(one.error, other.error)
            if loss + HOPELESS * error < least_cost(view):
                return None
            if is_mistake(view, loss, error):
                again = self.look_beside(view, chosen)
                one = again.of(*chosen)
                return again if is_mistake(view, one.loss, one.error) else None
        return None

    def _best(self, view: View) -> Cards:
        if view.legal:
            return (self._swift.choose_card(view),)
        return tuple(sorted(self._swift.choose_pass(view)))


class _Look:
    """One position, with what became of it in some deals."""

    def __init__(
        self, engine: Engine, view: View, choices: Sequence[Cards], draw: random.Random
    ) -> None:
        self._engine, self._swiftly = engine, engine.swiftly()
        self._view, self._choices, self._draw = view, choices, draw
        self._worlds = Worlds(position_of(view))
        self._state, self._seen = state_of(view), seen_of(view)
        self._state[END] = 0
        self._room = engine.ints([0] * MOST_ROWS)
        self._figures = engine.floats([0.0] * FIGURES)
        self.found: list[list[list[float]]] = []

    @property
    def outlook(self) -> Outlook:
        return outlook_of(self._choices, self.found)

    def play_on(self) -> None:
        """Deal the hidden cards, and play them on from each choice."""
        (world,) = self._worlds.deal(1, self._draw.getrandbits(32) or 1)
        self._state[HANDS : HANDS + 4] = world
        view = self._view
        if view.legal:
            self._guess_passes(world)
            self.found.append(
                [self._end(self._state, self._seen, card) for (card,) in self._choices]
            )
            return
        given = [self._pass_of(player) for player in range(4)]
        self.found.append([self._after_pass(world, given, cards) for cards in self._choices])

    def _end(self, state: list[int], seen: list[int], card: int) -> list[float]:
        ints, swiftly = self._engine.ints, self._swiftly
        swiftly.finish(
            ints(state), ints(seen), self._room, swiftly.network, self._view.player, card,
            self._figures,
        )  # fmt: skip
        return [float(figure) for figure in self._figures]

    def _guess_passes(self, world: Four) -> None:
        """Let chance say which of their cards the others have received from others."""
        me, seen = self._view.player, self._seen
        for source in range(4) if seen[STEP] else ():
            target = (source + seen[STEP]) % 4
            if me not in (source, target):
                cards = [*cards_of(world[target] | seen[target])]
                seen[PASSED + source] = mask_of(self._draw.sample(cards, PASS_SIZE))
                seen[RECEIVED + target] = seen[PASSED + source]

    def _pass_of(self, player: int) -> int:
        if player == self._view.player:
            return 0
        ints, swiftly = self._engine.ints, self._swiftly
        self._state[TURN] = player
        state, seen = ints(self._state), ints(self._seen)
        return int(swiftly.swift_pass(state, seen, self._room, swiftly.network))

    def _after_pass(self, world: Four, given: list[int], cards: Cards) -> list[float]:
        view, state, seen = self._view, self._state.copy(), self._seen.copy()
        given[view.player] = mask_of(cards)
        for player in range(4):
            source = (player - seen[STEP]) % 4
            seen[PASSED + player], seen[RECEIVED + player] = given[player], given[source]
            state[HANDS + player] = world[player] & ~given[player] | given[source]
        state[TURN] = first_leader(state[HANDS : HANDS + 4], view.rules, view.hand_number)
        return self._end(state, seen, -1)


def least_cost(view: View) -> float:
    return LEAST * points_by(view.rules).moon / 26


def is_mistake(view: View, loss: float, error: float) -> bool:
    return loss > max(SURE * error, least_cost(view))


class Judged(Protocol):
    """A game, or one hand of it, that can be judged: a record, or what a link has."""

    @property
    def actions(self) -> Sequence[Action]: ...

    def new_game(self) -> Game: ...


class MadeChoice(Struct, frozen=True):
    """One choice among several, of a card or a pass, with what its player could see."""

    number: int
    """That of the pass or play among all passes and plays of the record, from 0."""
    view: View
    by: ChosenBy
    cards: Cards
    """The card, or the pass in the order of the cards."""

    @property
    def trick(self) -> int:
        """The number of the trick, from 1; 0 for a pass."""
        return len(self.view.history) // 4 + 1 if self.view.legal else 0


def choices_of(record: Judged) -> Iterator[MadeChoice]:
    """Give every choice of a game, in order."""
    game = record.new_game()
    numbers = count()
    for action in record.actions:
        if isinstance(action, Pass | Play):
            number, view = next(numbers), view_of(game, action.player)
            cards = (action.card,) if isinstance(action, Play) else tuple(sorted(action.cards))
            if isinstance(action, Pass) or len(view.legal_cards) > 1:
                yield MadeChoice(number, view, action.by, cards)
        game.apply(action)

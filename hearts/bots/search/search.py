"""A bot with a flat search: every legal card in many worlds that fit, each played to the end.

For each card there are two plans, to duck and to shoot the moon, and the better one counts.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import combinations

from msgspec import Struct

from hearts.bots.passing import by_trouble
from hearts.bots.player import Bot, Draw
from hearts.bots.reading import PastTricks
from hearts.bots.simple import is_better_on_others
from hearts.game.cards import POINTS_MASK, Card, cards_of, mask_of
from hearts.game.game import PASS_SIZE
from hearts.game.view import View

from .endgame import ROW
from .engine import Engine, Ints
from .playing import SIZE, TURN
from .position import Position, position_of, state_of
from .settling import SEVERAL, holder
from .worlds import Worlds

_BATCH = 50
"""Worlds between two looks at the clock."""

_FIRST_DROP = 150
"""Worlds before a plan can be dropped, because a moon may be rare; then after each quarter more."""

_HARD_CARDS = 12
"""With more cards in all hands and a moon still open, to solve a world takes long."""
_HARD_WORLDS = 50
"""Worlds that are solved then, at most."""

_Roll = Callable[[int, int, Ints], None]
"""Rolls out some plans in the worlds from one number up to another."""


class Strength(Struct, frozen=True, gc=False):
    """The amount of work that a search does."""

    worlds: int
    """Worlds for the choice of a card, at most."""
    pass_worlds: int
    """Worlds for a pass, at most; 0 passes by the rule of :mod:`hearts.bots.passing`."""
    shoots: bool = True
    """True if to shoot the moon is a plan too, for each card."""
    pass_pool: int = 9
    """The number of the most troublesome cards from which a pass is chosen."""
    exact_cards: int = 12
    """With so many cards or fewer in all hands the rest is solved in each world."""
    exact_worlds: int = 200
    """Worlds that are solved, at most."""
    seconds: float | None = None
    """Seconds that a choice may take, if a clock is given; the best found so far counts then."""


class SearchBot:
    """Plays under every variant. Its choice depends on the view, its draws, and on time if given.

    A choice takes milliseconds and more, so it is no bot for a thread that has others to serve.
    """

    def __init__(
        self,
        engine: Engine,
        draw: Draw,
        strength: Strength,
        clock: Callable[[], float] | None = None,
        early: Bot | None = None,
    ) -> None:
        """``early`` passes and plays until the rest is solved; ``clock`` is for the seconds."""
        self._engine = engine
        self._draw = draw
        self._strength = strength
        self.seconds = strength.seconds
        self._clock = clock
        self._early = early
        self._past = PastTricks()

    def choose_pass(self, view: View) -> Sequence[Card]:
        if self._early is not None:
            return self._early.choose_pass(view)
        ranked = by_trouble(view.hand, view.rules)
        if not self._strength.pass_worlds:
            return ranked[:PASS_SIZE]
        passes = list(combinations(ranked[: self._strength.pass_pool], PASS_SIZE))
        return passes[self._look_at_passes(position_of(view), passes).best_choice()]

    def choose_card(self, view: View) -> Card:
        if self._early is not None and 52 - len(view.history) > self._strength.exact_cards:
            return self._early.choose_card(view)
        return self.best_card(position_of(view, self._past))

    def choose_moon(self, view: View) -> bool:
        """Choose the way that wins more often; in points both cost the same."""
        return is_better_on_others(view)

    def best_card(self, position: Position) -> Card:
        """Choose a card for the player on turn."""
        cards = tuple(cards_of(position.view.legal))
        if len(cards) == 1:
            return cards[0]
        return cards[self._look(position, cards, drop=True).best_choice()]

    def card_costs(self, position: Position) -> list[float]:
        """Return what the legal cards cost, in their order, on average."""
        cards = tuple(cards_of(position.view.legal))
        rows = self._look(position, cards, drop=False)
        many, totals = rows.modes, [total / rows.done for total in rows.totals]
        return [min(totals[at : at + many]) for at in range(0, len(totals), many)]

    def _look(self, position: Position, cards: tuple[Card, ...], *, drop: bool) -> _Rows:
        engine, strength, view = self._engine, self._strength, position.view
        state = self._state(view)
        left = 52 - len(view.history)
        if left <= strength.exact_cards:
            hard = left > _HARD_CARDS and holder(state) != SEVERAL
            most = min(_HARD_WORLDS if hard else strength.exact_worlds, strength.worlds)
            rows = _Rows(engine, state, len(cards), 1, most, exact=True)
            self._roll(position, rows, _solving(engine, rows, cards, left), drop=drop)
            return rows
        points_left = (view.hand | view.unseen | mask_of(view.trick)) & POINTS_MASK
        may_shoot = strength.shoots and points_left and holder(state) in (-1, view.player)
        rows = _Rows(engine, state, len(cards), 2 if may_shoot else 1, strength.worlds)
        self._roll(position, rows, _playing(engine, rows, cards), drop=drop)
        return rows

    def _look_at_passes(self, position: Position, passes: list[tuple[Card, ...]]) -> _Rows:
        engine, strength, view = self._engine, self._strength, position.view
        state = self._state(view)
        state[TURN] = view.hand_number % 4 if view.rules.rotating_lead else -1
        modes = 2 if strength.shoots else 1
        rows = _Rows(engine, state, len(passes), modes, strength.pass_worlds)
        self._roll(position, rows, _passing(engine, rows, passes, view), drop=True)
        return rows

    def _state(self, view: View) -> list[int]:
        return state_of(view, int(self._draw() * 0xFFFFFFFF) + 1)

    def _roll(self, position: Position, rows: _Rows, roll: _Roll, *, drop: bool) -> None:
        """Deal and roll out batch by batch while there is time."""
        clock, seconds = self._clock, self.seconds
        begun = clock() if clock is not None else 0.0
        engine = self._engine
        fitting = Worlds(position)
        cards, groups = engine.ints(fitting.cards), engine.ints(fitting.groups)
        holders, splits = engine.ints(fitting.holders), engine.ints(fitting.splits)
        sums = engine.floats(fitting.sums)
        next_drop = _FIRST_DROP
        while (done := rows.done) < rows.most:
            if done and clock is not None and seconds is not None and clock() - begun >= seconds:
                break
            if drop and done >= next_drop:
                next_drop = done + done // 4
                rows.left = engine.keep_best(rows.costs, rows.many, done, rows.plans, rows.left)
                if rows.is_decided():
                    break
            last = min(done + _BATCH, rows.most)
            engine.deal_worlds(
                rows.state, done, last, cards, groups, holders, splits, sums, rows.worlds
            )
            roll(done, last, rows.plans[: rows.left])
            rows.done = last


class _Rows:
    """The rows of numbers of one look, and the figures found in them: see :mod:`.rollouts`."""

    def __init__(
        self,
        engine: Engine,
        state: list[int],
        choices: int,
        modes: int,
        most: int,
        *,
        exact: bool = False,
    ) -> None:
        """For so many choices in so many modes each, in at most so many worlds."""
        self.exact = exact
        self.done = 0
        """Worlds that were looked at."""
        self.many = choices * modes
        self.modes = modes
        self.most = most
        self.plans = engine.ints(range(self.many))
        """The plans; the first :attr:`left` of them are still looked at."""
        self.left = self.many
        self.state = engine.ints(state)
        self.worlds = engine.int_grid(1, 4 * most)[0]
        self.totals = engine.float_grid(1, self.many)[0]
        self.costs = engine.float_grid(1, most * self.many)[0]

    def is_decided(self) -> bool:
        """Tell whether all plans that are left are for one choice."""
        return len({int(plan) // self.modes for plan in self.plans[: self.left]}) == 1

    def best_choice(self) -> int:
        """Give the place of the choice whose plan costs least, of those that are left."""
        left = (int(plan) for plan in self.plans[: self.left])
        best = min(left, key=lambda plan: (self.totals[plan], plan))
        return best // self.modes


def _playing(engine: Engine, rows: _Rows, cards: Sequence[Card]) -> _Roll:
    """Plays the rest of the hand by habit, from each card on."""
    chosen, work = engine.ints(cards), engine.ints([0] * SIZE)

    def roll(first: int, last: int, plans: Ints) -> None:
        engine.roll_out(
            rows.state, work, rows.worlds, first, last, chosen, rows.modes, plans,
            rows.totals, rows.costs,
        )  # fmt: skip

    return roll


def _solving(engine: Engine, rows: _Rows, cards: Sequence[Card], left: int) -> _Roll:
    """Solves the rest of the hand, from each card on; ``left`` cards are in all hands."""
    chosen, tries = engine.ints(cards), engine.ints([0] * (left + 1))
    states, found = engine.int_grid(left + 1, SIZE), engine.float_grid(left + 1, ROW)

    def roll(first: int, last: int, plans: Ints) -> None:
        engine.roll_out_exactly(
            rows.state, states, found, tries, rows.worlds, first, last, chosen, plans,
            rows.totals, rows.costs,
        )  # fmt: skip

    return roll


def _passing(engine: Engine, rows: _Rows, passes: Sequence[tuple[Card, ...]], view: View) -> _Roll:
    """Plays the whole hand by habit, from each pass on."""
    work, given = engine.ints([0] * SIZE), engine.ints([0] * 4)
    masks = engine.ints([mask_of(cards) for cards in passes])
    step = view.direction.target(0)

    def roll(first: int, last: int, plans: Ints) -> None:
        engine.roll_out_passes(
            rows.state, work, given, rows.worlds, first, last, masks, view.player, step,
            rows.modes, plans, rows.totals, rows.costs,
        )  # fmt: skip

    return roll

"""A bot with a flat search: every legal card in many worlds that fit, each played to the end.

For each card there are two plans, to duck and to shoot the moon, and the better one counts.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import combinations

from msgspec import Struct

from hearts.bots.passing import by_trouble
from hearts.bots.player import Draw
from hearts.bots.reading import PastTricks
from hearts.bots.simple import is_better_on_others
from hearts.bots.swift.bot import SwiftBot
from hearts.game.cards import POINTS_MASK, Card, cards_of, mask_of
from hearts.game.game import PASS_SIZE
from hearts.game.view import View

from .endgame import ROW, worth_trying
from .engine import Engine, Ints
from .playing import MOON, SIZE, TURN
from .position import Position, position_of, state_of
from .settling import holder
from .swift_play import MOST_ROWS, POOL, SEEN, seen_of
from .worlds import Worlds

_BATCH, _SWIFT_BATCH = 50, 8
"""Worlds between two looks at the clock."""
_FIRST_DROP = 3
"""Such batches before a plan can be dropped, because a moon may be rare; then after each quarter
more."""

_LEAST_SOLVED = 20
"""If fewer worlds could be solved, they are played on in as if more cards were left."""

_FIRST_LOOK = 8
"""Cards of a hand before swift is doubted: in two tricks to look on has brought nothing."""
_DOUBT = 4.0
"""Points by which a card may be dearer than swift's choice, by its network, to be looked at."""
_DOUBTFUL = 4
"""Cards that are looked at, at most."""
_BELIEF = 8.0
"""The number of worlds that count as much as the network's own word."""

_Deal = Callable[[int, int], None]
"""Deals the worlds from one number up to another."""
_Roll = Callable[[int, int, Ints], None]
"""Rolls out some plans in the worlds from one number up to another."""


class Strength(Struct, frozen=True, gc=False):
    """The amount of work that a search does."""

    worlds: int
    """Worlds for the choice of a card, at most."""
    pass_worlds: int
    """Worlds for a pass, at most; 0 passes by the rule of :mod:`hearts.bots.passing`."""
    pass_pool: int = 9
    """The number of the most troublesome cards from which a pass is chosen."""
    exact_cards: int = 12
    """With so many cards or fewer in all hands the rest is solved in each world."""
    exact_worlds: int = 200
    """Worlds that are solved, at most."""
    positions: int = 400_000
    """Positions that are looked at to solve them, at most."""
    looks: int = 32
    """Worlds in which swift plays on from its doubtful cards, at most."""
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
        early: SwiftBot | None = None,
    ) -> None:
        """``early`` passes, and says which cards are worth a look until the rest is solved;
        ``clock`` is for the seconds.
        """
        self._engine = engine
        self._draw = draw
        self._strength = strength
        self.seconds = strength.seconds
        self._clock = clock
        self._early = early
        if early is not None:
            # It is compiled now, so that no choice waits for it.
            engine.swiftly()
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
        swift = self._early
        if swift is None:
            return self.best_card(position_of(view, self._past))
        cards = tuple(cards_of(view.legal))
        if len(cards) == 1:
            return cards[0]
        if (rows := self._solved(position_of(view, self._past), cards, drop=True)) is not None:
            return cards[rows.best_choice()]
        if len(view.history) < _FIRST_LOOK or not self._strength.looks:
            return swift.choose_card(view)
        return self._card_of(swift, view)

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

    def _card_of(self, swift: SwiftBot, view: View) -> Card:
        """Choose the best of the cards that cost little more than swift's choice."""
        dearer, state = swift.dearer(view), self._state(view)
        cards = _unlike(state, view, dearer)[:_DOUBTFUL]
        if len(cards) == 1:
            return cards[0]
        rows = _Rows(self._engine, state, len(cards), 1, self._strength.looks)
        rows.batch = _SWIFT_BATCH
        for place, card in enumerate(cards):
            rows.totals[place] = _BELIEF * dearer[card] * state[MOON] / 26
        position = position_of(view, self._past)
        likely = _Likely(self._engine, rows, position)
        self._roll(position, rows, likely.playing(cards), drop=True, deal=likely.deal)
        return cards[rows.best_choice()]

    def _solved(self, position: Position, cards: tuple[Card, ...], *, drop: bool) -> _Rows | None:
        """Solve the rest of the hand; return None if too many cards are left for that."""
        strength, left = self._strength, 52 - len(position.view.history)
        if left > strength.exact_cards:
            return None
        most = min(strength.exact_worlds, strength.worlds)
        rows = _Rows(self._engine, self._state(position.view), len(cards), 1, most)
        solve = _solving(self._engine, rows, cards, left, strength.positions)
        self._roll(position, rows, solve, drop=drop)
        return rows if rows.done >= min(_LEAST_SOLVED, most) else None

    def _look(self, position: Position, cards: tuple[Card, ...], *, drop: bool) -> _Rows:
        if (solved := self._solved(position, cards, drop=drop)) is not None:
            return solved
        engine, strength, view = self._engine, self._strength, position.view
        state = self._state(view)
        points_left = (view.hand | view.unseen | mask_of(view.trick)) & POINTS_MASK
        may_shoot = points_left and holder(state) in (-1, view.player)
        rows = _Rows(engine, state, len(cards), 2 if may_shoot else 1, strength.worlds)
        self._roll(position, rows, _playing(engine, rows, cards), drop=drop)
        return rows

    def _look_at_passes(self, position: Position, passes: list[tuple[Card, ...]]) -> _Rows:
        engine, strength, view = self._engine, self._strength, position.view
        state = self._state(view)
        state[TURN] = view.hand_number % 4 if view.rules.rotating_lead else -1
        rows = _Rows(engine, state, len(passes), 2, strength.pass_worlds)
        self._roll(position, rows, _passing(engine, rows, passes, view), drop=True)
        return rows

    def _state(self, view: View) -> list[int]:
        return state_of(view, int(self._draw() * 0xFFFFFFFF) + 1)

    def _roll(
        self,
        position: Position,
        rows: _Rows,
        roll: _Roll,
        *,
        drop: bool,
        deal: _Deal | None = None,
    ) -> None:
        """Deal and roll out batch by batch while there is time."""
        deal = deal or _dealing(self._engine, rows, position, rows.worlds)
        clock, seconds = self._clock, self.seconds
        begun = clock() if clock is not None else 0.0
        next_drop = _FIRST_DROP * rows.batch
        while (done := rows.done) < rows.most:
            if done and clock is not None and seconds is not None and clock() - begun >= seconds:
                break
            if drop and done >= next_drop:
                next_drop = done + done // 4
                rows.left = self._engine.keep_best(
                    rows.costs, rows.many, done, rows.plans, rows.left
                )
                if rows.is_decided():
                    break
            last = min(done + rows.batch, rows.most)
            deal(done, last)
            roll(done, last, rows.plans[: rows.left])
            rows.done = min(last, rows.most)


def _unlike(state: list[int], view: View, dearer: dict[Card, float]) -> list[Card]:
    """Return the cards that are cheap enough to be looked at, the cheapest of each run of
    neighbours.
    """
    # The same cards are neighbours in every world.
    state[(view.player + 1) % 4] = view.unseen
    tried = worth_trying(state, view.legal)
    state[(view.player + 1) % 4] = 0
    cheapest = {(tried & (2 << card) - 1).bit_length(): card for card in reversed(dearer)}
    return [card for card in dearer if dearer[card] < _DOUBT and card in cheapest.values()]


class _Rows:
    """The rows of numbers of one look, and the figures found in them: see :mod:`.rollouts`."""

    def __init__(
        self,
        engine: Engine,
        state: list[int],
        choices: int,
        modes: int,
        most: int,
    ) -> None:
        """For so many choices in so many modes each, in at most so many worlds."""
        self.batch = _BATCH
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


class _Likely:
    """Deals worlds in which the others would have played as they did, if they were swift."""

    def __init__(self, engine: Engine, rows: _Rows, position: Position) -> None:
        view = position.view
        self._engine, self._rows, self._swiftly = engine, rows, engine.swiftly()
        self._seen, self._history = engine.ints(seen_of(view)), engine.ints(view.history)
        self._work, self._work_seen = engine.ints([0] * SIZE), engine.ints([0] * SEEN)
        self._room = engine.ints([0] * MOST_ROWS)
        self._pool = engine.int_grid(1, 4 * POOL * rows.batch)[0]
        self._weights = engine.float_grid(1, POOL * rows.batch)[0]
        self._deal = _dealing(engine, rows, position, self._pool)

    def deal(self, first: int, last: int) -> None:
        many = POOL * (last - first)
        self._deal(0, many)
        swiftly = self._swiftly
        swiftly.choose_worlds(
            self._rows.state, self._seen, self._work, self._work_seen, self._room,
            swiftly.network, self._history, swiftly.unit, self._pool, self._weights[:many],
            self._rows.worlds, first, last,
        )  # fmt: skip

    def playing(self, cards: Sequence[Card]) -> _Roll:
        """Plays the rest of the hand as swift does, from each card on."""
        chosen, rows, swiftly = self._engine.ints(cards), self._rows, self._swiftly

        def roll(first: int, last: int, plans: Ints) -> None:
            swiftly.roll_out_swiftly(
                rows.state, self._seen, self._work, self._work_seen, self._room, swiftly.network,
                rows.worlds, first, last, chosen, plans, rows.totals, rows.costs,
            )  # fmt: skip

        return roll


def _dealing(engine: Engine, rows: _Rows, position: Position, worlds: Ints) -> _Deal:
    """Deals worlds that are all equally likely."""
    fitting = Worlds(position)
    cards, groups = engine.ints(fitting.cards), engine.ints(fitting.groups)
    holders, splits = engine.ints(fitting.holders), engine.ints(fitting.splits)
    sums = engine.floats(fitting.sums)

    def deal(first: int, last: int) -> None:
        engine.deal_worlds(rows.state, first, last, cards, groups, holders, splits, sums, worlds)

    return deal


def _playing(engine: Engine, rows: _Rows, cards: Sequence[Card]) -> _Roll:
    """Plays the rest of the hand by habit, from each card on."""
    chosen, work = engine.ints(cards), engine.ints([0] * SIZE)

    def roll(first: int, last: int, plans: Ints) -> None:
        engine.roll_out(
            rows.state, work, rows.worlds, first, last, chosen, rows.modes, plans,
            rows.totals, rows.costs,
        )  # fmt: skip

    return roll


def _solving(
    engine: Engine, rows: _Rows, cards: Sequence[Card], left: int, positions: int
) -> _Roll:
    """Solves the rest of the hand, from each card on, while the positions last; ``left`` cards are
    in all hands.
    """
    chosen, tries = engine.ints(cards), engine.ints([0] * (left + 1))
    states, found = engine.int_grid(left + 1, SIZE), engine.float_grid(left + 1, ROW)
    budget = engine.ints([positions])

    def roll(first: int, last: int, plans: Ints) -> None:
        solved = engine.roll_out_exactly(
            rows.state, states, found, tries, rows.worlds, first, last, chosen, plans,
            rows.totals, rows.costs, budget,
        )  # fmt: skip
        if solved < last:
            rows.most = solved

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

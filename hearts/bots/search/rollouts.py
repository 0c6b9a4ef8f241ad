"""Rollouts: a hand is played out in each of many worlds, for each card or pass (see .playing).

A world is four hands that fit what a player knows: a row of four masks. In each world all cards
have the same random numbers, so that what differs comes from the card.
"""

from __future__ import annotations

from collections.abc import MutableSequence, Sequence

from hearts.bots.passing import trouble
from hearts.game.cards import HEARTS_MASK, TWO_OF_CLUBS

from .habits import duck, lowest, shoot
from .playing import (
    HANDS,
    JACK,
    PLAYED,
    QUEEN,
    RULES,
    SIZE,
    TAKEN,
    TURN,
    State,
    draw,
    legal,
    play,
)
from .settling import cost, holder, is_settled, settle

Totals = MutableSequence[float]
"""Sums over worlds: the cost of the hand (:func:`hearts.bots.search.settling.cost`) by plans."""

CLEARLY = 3.0
"""Standard errors by which a plan must be worse to be dropped."""
SLIGHT = 0.1
"""Points by which it must be worse, beside that."""
SUSPICIOUS = 6
"""Hearts, the queen of spades as 13, all with one player, from which on the others take care that
they do not shoot."""


def suspected(state: State, alone: int) -> int:
    """Return the player who may be shooting the moon, or -1; ``alone`` is of
    :func:`.settling.holder`.
    """
    if alone < 0:
        return -1
    taken = state[TAKEN + alone]
    return alone if taken & QUEEN or (taken & HEARTS_MASK).bit_count() >= SUSPICIOUS else -1


def play_out(state: State, me: int, shooting: bool) -> None:
    """Play a hand to its end, and count its points.

    If ``shooting``, player ``me`` tries to, until somebody else takes a point.
    """
    suspect = suspected(state, holder(state))
    while state[PLAYED] < 52:
        if state[PLAYED] & 3 == 0:
            if is_settled(state):
                break
            alone = holder(state)
            suspect = suspected(state, alone)
            if alone != -1 and alone != me:
                shooting = False
        cards = legal(state)
        if cards & cards - 1 == 0:
            play(state, lowest(cards))
        elif shooting and state[TURN] == me:
            play(state, shoot(state, cards))
        else:
            play(state, duck(state, cards, suspect))
    settle(state)


def set_hands(work: State, state: State, worlds: Sequence[int], world: int) -> None:
    """Make ``work`` the hand ``state`` as it is in one world."""
    for place in range(SIZE):
        work[place] = state[place]
    for player in range(4):
        work[HANDS + player] = worlds[4 * world + player]


def roll_out(
    state: State,
    work: State,
    worlds: Sequence[int],
    first: int,
    last: int,
    cards: Sequence[int],
    modes: int,
    plans: Sequence[int],
    totals: Totals,
    costs: MutableSequence[float],
) -> None:
    """Play out the worlds from ``first`` up to ``last``, for some plans of the player on turn.

    A plan is the place of one of ``cards`` times ``modes``, and with two modes 1 more if the player
    shoots the moon then. ``totals`` get the sums of each plan, ``costs`` the cost of each rollout,
    by worlds and in them by plans. The random numbers of ``state`` move on.
    """
    me = state[TURN]
    many = len(cards) * modes
    for world in range(first, last):
        draw(state, 2)
        for place in range(len(plans)):
            plan = plans[place]
            set_hands(work, state, worlds, world)
            play(work, cards[plan // modes])
            play_out(work, me, plan % modes == 1)
            costs[world * many + plan] = cost(work, me)
            totals[plan] += cost(work, me)


def most_trouble(hand: int, many: int, jack: bool) -> int:
    """Return the ``many`` cards of a hand that are the most trouble, as a mask."""
    chosen = 0
    for _ in range(many):
        left = hand & ~chosen
        worst = -1
        most = 0.0
        while left:
            card = lowest(left)
            left &= left - 1
            figure = trouble(hand, card, jack)
            if worst < 0 or figure > most:
                worst = card
                most = figure
        chosen |= 1 << worst
    return chosen


def roll_out_passes(
    state: State,
    work: State,
    given: State,
    worlds: Sequence[int],
    first: int,
    last: int,
    passes: Sequence[int],
    me: int,
    step: int,
    modes: int,
    plans: Sequence[int],
    totals: Totals,
    costs: Totals,
) -> None:
    """As :func:`roll_out`, for passes of player ``me``, as masks.

    All pass to the player ``step`` seats on. The others pass the cards that are most trouble to
    them: ``given`` has room for these. In ``state`` the leader of the first trick is on turn, or -1
    if the two of clubs decides who leads.
    """
    many = len(passes) * modes
    jack = state[RULES] & JACK != 0
    for world in range(first, last):
        draw(state, 2)
        for player in range(4):
            given[player] = most_trouble(worlds[4 * world + player], 3, jack)
        for place in range(len(plans)):
            plan = plans[place]
            set_hands(work, state, worlds, world)
            for player in range(4):
                cards = passes[plan // modes] if player == me else given[player]
                work[HANDS + player] &= ~cards
                work[HANDS + (player + step) % 4] |= cards
            if work[TURN] < 0:
                for player in range(4):
                    if work[HANDS + player] >> TWO_OF_CLUBS & 1:
                        work[TURN] = player
            play_out(work, me, plan % modes == 1)
            costs[world * many + plan] = cost(work, me)
            totals[plan] += cost(work, me)


def keep_best(
    costs: Sequence[float], many: int, worlds: int, plans: MutableSequence[int], left: int
) -> int:
    """Drop the clearly worse ones of the first ``left`` plans; return the number that stay.

    Clearly: by :data:`CLEARLY` standard errors of the difference in the same worlds, and by
    :data:`SLIGHT` points at least. Those that stay move to the front of ``plans``.
    """
    best = plans[0]
    least = 0.0
    for place in range(left):
        total = 0.0
        for world in range(worlds):
            total += costs[world * many + plans[place]]
        if place == 0 or total < least:
            best = plans[place]
            least = total
    stay = 0
    for place in range(left):
        total = squares = 0.0
        for world in range(worlds):
            loss = costs[world * many + plans[place]] - costs[world * many + best]
            total += loss
            squares += loss * loss
        mean = total / worlds
        error = ((squares / worlds - mean * mean + 0.01) / worlds) ** 0.5
        if mean <= SLIGHT + CLEARLY * error:
            plans[stay] = plans[place]
            stay += 1
    return stay

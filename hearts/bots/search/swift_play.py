"""Rollouts in which all four play as the bot swift does: its rows and choices on rows of numbers.

A world in which swift would not have played what the others played is unlikely. That says more of
the hidden cards than their voids: in the middle of a hand the true world is some ten times as
likely as others (the log of it is 2.4 on average).

Who plays sees what the person in that seat would see (``seen``), so nobody looks at a hidden card.
:mod:`hearts.bots.swift` stays the truth, and the tests hold this module to it.
"""

from __future__ import annotations

from collections.abc import MutableSequence, Sequence
from math import exp, sqrt
from typing import Any

from hearts.bots.swift.rows import RULES as NETWORK_RULES
from hearts.bots.swift.rows import STARTS
from hearts.game.cards import (
    FULL_DECK,
    HEARTS_MASK,
    JACK_OF_DIAMONDS,
    POINTS_MASK,
    QUEEN_OF_SPADES,
    mask_of,
)
from hearts.game.game import PASS_SIZE
from hearts.game.kernel import HandPlay
from hearts.game.view import View

from .habits import lowest
from .playing import (
    BEST,
    BROKEN,
    HANDS,
    JACK,
    ONE_SUIT,
    PLAYED,
    POINTS,
    QUEEN,
    RULES,
    SUIT,
    TAKEN,
    TRICK,
    TURN,
    WINNER,
    State,
    draw,
    legal,
    pick,
    play,
)
from .rollouts import Totals, set_hands
from .settling import cost, is_settled, settle

PASSED = 4  # The first of four: what each has passed; before it, what each has played.
RECEIVED = 8
VOIDS = 12  # Four bits for each player: the suits that they are known to lack.
STEP = 13  # Seats from who passes to who receives; 0 if nothing is passed.
DIRECTION = 14
KNOWN_RULES = 15  # The rules that the network knows of, as bits.
LEADER = 16  # Who leads the first trick.
SEEN = 17
MOST_ROWS = 256

COST, OWN_POINTS, OWN_QUEEN, OWN_MOON, OTHER_MOON, OWN_TRICK = 0, 1, 2, 3, 4, 5
FIGURES = 6
"""The end of a hand for a player: its cost, their points; the others are 1 if it is so, else 0:
the player took the queen, shot the moon, another did, the player took the trick under way."""
Figures = MutableSequence[float]

(
    R_HAND, R_PLAYED, R_OUT, R_TRICK, R_BEST, R_KNOWN, R_RECEIVED, R_HIGHEST, R_LOWEST, R_LENGTH,
    R_LEFT, R_HEARTS, R_QUEEN, R_TRICKS, R_ALONE, R_WINNER, R_LEAD, R_PLACE, R_CARDS, R_VOID,
    R_DIRECTION, R_RULES, R_BROKEN, R_PHASE, R_SPOT_HAND, R_SPOT_TRICK, R_JACK, R_JACK_TAKEN,
) = STARTS  # fmt: skip
SPOT = 1 << NETWORK_RULES.index("spot")

POOL = 4
"""Worlds that are dealt for each one that is looked at."""
SHARP = 2.0
"""Sharpness of the others' choices: odds of e for 1 / SHARP points, as swift practised."""
BLUR = 0.25
"""The share of choices that say nothing, because the others are no swift."""


def seen_of(view: View) -> list[int]:
    """Return the row of what lies open, and of what the player knows of passes."""
    seen = [0] * SEEN
    me, step = view.player, view.direction.target(0)
    seen[STEP], seen[DIRECTION], seen[LEADER] = step, view.direction, view.first_leader
    seen[PASSED + me] = seen[RECEIVED + (me + step) % 4] = mask_of(view.passed)
    seen[RECEIVED + me] = seen[PASSED + (me - step) % 4] = mask_of(view.received)
    for place, name in enumerate(NETWORK_RULES):
        seen[KNOWN_RULES] |= getattr(view.rules, name) << place
    play = HandPlay([0, 0, 0, 0], view.rules, view.first_leader)
    for card in view.history:
        seen[VOIDS] |= shown_void(play.turn, card, play.suit, play.broken)
        seen[play.turn] |= 1 << card
        play.play(card)
    return seen


def shown_void(player: int, card: int, suit: int, broken: int) -> int:
    """Return the suits that a card shows its player to lack; ``suit`` is led, -1 for a lead."""
    if suit < 0:
        return 0b1110 << 4 * player if card < 13 and not broken else 0
    return 1 << 4 * player + suit if card // 13 != suit else 0


def play_seen(state: State, seen: State, card: int) -> None:
    """Play a legal card for the player on turn, before the eyes of all."""
    player = state[TURN]
    seen[VOIDS] |= shown_void(player, card, state[SUIT], state[BROKEN])
    seen[player] |= 1 << card
    play(state, card)


def put(rows: State, many: int, start: int, cards: int) -> int:
    """Add a row for each card of a mask behind ``many`` rows; return how many there are then."""
    while cards:
        rows[many] = start + lowest(cards)
        many += 1
        cards &= cards - 1
    return many


def rows_at(state: State, seen: State, picked: int, phase: int, rows: State) -> int:
    """Write what the player on turn sees, as :func:`hearts.bots.swift.rows.rows_of`; return how
    many rows that is.

    For a pass ``picked`` are the cards of it so far, and ``phase`` is one more than their number.
    """
    me, trick, rules = state[TURN], state[TRICK], seen[KNOWN_RULES]
    hand = state[HANDS + me] & ~picked
    shown = trick | state[TAKEN] | state[TAKEN + 1] | state[TAKEN + 2] | state[TAKEN + 3]
    out = FULL_DECK & ~(hand | shown)
    many = put(rows, 0, R_HAND, hand)
    alone = 4
    for seat in range(4):
        player = me + seat & 3
        taken = state[TAKEN + player]
        many = put(rows, many, R_PLAYED + 52 * seat, seen[player])
        rows[many] = R_HEARTS + 14 * seat + (taken & HEARTS_MASK).bit_count()
        many += 1
        if taken & POINTS_MASK:
            alone = seat if alone == 4 else 5
        many = put(rows, many, R_QUEEN + seat, taken >> QUEEN_OF_SPADES & 1)
        many = put(rows, many, R_TRICKS + seat, int(taken != 0))
        if state[RULES] & JACK:
            many = put(rows, many, R_JACK_TAKEN + seat, taken >> JACK_OF_DIAMONDS & 1)
        if seat:
            many = put(rows, many, R_VOID + 4 * (seat - 1), seen[VOIDS] >> 4 * player & 15)
    rows[many] = R_ALONE + alone
    many = put(rows, many + 1, R_OUT, out)
    many = put(rows, many, R_TRICK, trick)
    known = (picked if phase else seen[PASSED + me]) & ~shown
    many = put(rows, many, R_KNOWN + 52 * (seen[STEP] - 1), known)
    many = put(rows, many, R_RECEIVED, seen[RECEIVED + me])
    for suit in range(4):
        mask = ONE_SUIT << 13 * suit
        own, left = hand & mask, out & mask
        rows[many] = R_LENGTH + 14 * suit + own.bit_count()
        rows[many + 1] = R_LEFT + 14 * suit + left.bit_count()
        many = put(rows, many + 2, R_HIGHEST, own & -(1 << left.bit_length()))
        many = put(rows, many, R_LOWEST, own & (left & -left) - 1 if left else own)
    if trick:
        rows[many] = R_BEST + state[BEST]
        rows[many + 1] = R_WINNER + (state[WINNER] - me & 3) - 1
        rows[many + 2] = R_LEAD + state[SUIT]
        many += 3
    rows[many] = R_PLACE + (state[PLAYED] & 3)
    rows[many + 1] = R_CARDS + hand.bit_count() - 1
    rows[many + 2] = R_DIRECTION + seen[DIRECTION]
    rows[many + 3] = R_PHASE + phase
    many = put(rows, many + 4, R_RULES, rules)
    many = put(rows, many, R_BROKEN, state[BROKEN])
    if rules & SPOT:
        many = put(rows, many, R_SPOT_HAND, hand & HEARTS_MASK)
        many = put(rows, many, R_SPOT_TRICK, trick & HEARTS_MASK)
    if state[RULES] & JACK:
        many = put(rows, many, R_JACK, hand >> JACK_OF_DIAMONDS & 1)
        many = put(rows, many, R_JACK + 1, out >> JACK_OF_DIAMONDS & 1)
        many = put(rows, many, R_JACK + 2, trick >> JACK_OF_DIAMONDS & 1)
    return many


def network_costs(network: Any, rows: Sequence[int], many: int) -> Sequence[int]:
    """Return what the network says of some rows; :mod:`.compiled` has a function of its own."""
    costs: Sequence[int] = network.costs(rows[:many])
    return costs


def cheapest(network: Any, rows: State, many: int, cards: int) -> int:
    """Return the card of a mask of which the network expects least."""
    costs = network_costs(network, rows, many)
    best = lowest(cards)
    cards &= cards - 1
    while cards:
        card = lowest(cards)
        cards &= cards - 1
        if costs[card] < costs[best]:
            best = card
    return best


def swift_pass(state: State, seen: State, rows: State, network: Any) -> int:
    """Return the three cards that the player on turn passes, as a mask."""
    picked = 0
    for phase in range(1, 4):
        many = rows_at(state, seen, picked, phase, rows)
        picked |= 1 << cheapest(network, rows, many, state[HANDS + state[TURN]] & ~picked)
    return picked


def play_until(state: State, seen: State, rows: State, network: Any, last: int) -> None:
    """Play a hand on until ``last`` cards of it are played, or until no card counts any more."""
    while state[PLAYED] < last and not (state[PLAYED] & 3 == 0 and is_settled(state)):
        cards = legal(state)
        card = lowest(cards)
        if cards & cards - 1:
            card = cheapest(network, rows, rows_at(state, seen, 0, 0, rows), cards)
        play_seen(state, seen, card)


def finish(
    state: State, seen: State, rows: State, network: Any, me: int, card: int, figures: Figures
) -> None:
    """Play a card, or none for -1, and then the hand to its end; write the figures of ``me``."""
    if card >= 0:
        play_seen(state, seen, card)
        play_until(state, seen, rows, network, state[PLAYED] + 3 & ~3)
    figures[OWN_TRICK] = card >= 0 and state[TURN] == me
    play_until(state, seen, rows, network, 52)
    moon_player = settle(state)
    figures[COST] = cost(state, me)
    figures[OWN_POINTS] = state[POINTS + me]
    figures[OWN_QUEEN] = state[TAKEN + me] & QUEEN != 0
    figures[OWN_MOON] = moon_player == me
    figures[OTHER_MOON] = moon_player >= 0 and moon_player != me


def guess_passes(state: State, seen: State, worlds: Sequence[int], world: int, me: int) -> None:
    """Let chance say which of their cards the others have received from others."""
    step = seen[STEP]
    for target in range(4):
        source = target - step & 3
        if step and me not in (source, target):
            cards = worlds[4 * world + target] | seen[target]
            given = 0
            for _ in range(PASS_SIZE):
                given |= 1 << pick(state, cards & ~given)
            seen[PASSED + source] = seen[RECEIVED + target] = given


def likelihood(
    state: State, seen: State, rows: State, network: Any, history: Sequence[int], unit: float
) -> float:
    """Return how likely it is that the others play as they did, in the hand ``state``.

    The hand is taken back to its first card, and played again. The choices of a player are not
    independent, so together they say less: the square root is returned.
    """
    me = state[TURN]
    for player in range(4):
        state[player] |= seen[player]
        state[TAKEN + player] = seen[player] = 0
    state[TRICK] = state[PLAYED] = state[BROKEN] = seen[VOIDS] = 0
    state[SUIT] = state[BEST] = state[WINNER] = -1
    state[TURN] = seen[LEADER]
    likely = 1.0
    for place in range(len(history)):
        card = history[place]
        cards = legal(state)
        if state[TURN] != me and cards & cards - 1:
            costs = network_costs(network, rows, rows_at(state, seen, 0, 0, rows))
            odds = 0.0
            left = cards
            while left:
                less = (costs[card] - costs[lowest(left)]) * unit * SHARP
                left &= left - 1
                odds += exp(min(40.0, less))
            likely *= (1.0 - BLUR) / odds + BLUR / cards.bit_count()
        play_seen(state, seen, card)
    return sqrt(likely)


def choose_worlds(
    state: State,
    seen: State,
    work: State,
    work_seen: State,
    rows: State,
    network: Any,
    history: Sequence[int],
    unit: float,
    pool: Sequence[int],
    weights: Totals,
    worlds: MutableSequence[int],
    first: int,
    last: int,
) -> None:
    """Choose the worlds from ``first`` up to ``last`` from a pool, by how likely the play is."""
    total = 0.0
    for world in range(len(weights)):
        guess_passes(state, seen, pool, world, state[TURN])
        set_hands(work, state, pool, world)
        for place in range(SEEN):
            work_seen[place] = seen[place]
        weights[world] = likelihood(work, work_seen, rows, network, history, unit)
        total += weights[world]
    step = total / (last - first)
    at = step * draw(state, 65536) / 65536
    chosen = 0
    below = weights[0]
    for world in range(first, last):
        while below <= at and chosen < len(weights) - 1:
            chosen += 1
            below += weights[chosen]
        for player in range(4):
            worlds[4 * world + player] = pool[4 * chosen + player]
        at += step


def roll_out_swiftly(
    state: State,
    seen: State,
    work: State,
    work_seen: State,
    rows: State,
    network: Any,
    worlds: Sequence[int],
    first: int,
    last: int,
    cards: Sequence[int],
    plans: Sequence[int],
    totals: Totals,
    costs: MutableSequence[float],
) -> None:
    """Do as :func:`hearts.bots.search.rollouts.roll_out` does, but let all four play as swift."""
    me = state[TURN]
    many = len(cards)
    for world in range(first, last):
        guess_passes(state, seen, worlds, world, me)
        for place in range(len(plans)):
            plan = plans[place]
            set_hands(work, state, worlds, world)
            for at in range(SEEN):
                work_seen[at] = seen[at]
            play_seen(work, work_seen, cards[plan])
            play_until(work, work_seen, rows, network, 52)
            settle(work)
            costs[world * many + plan] = cost(work, me)
            totals[plan] += cost(work, me)

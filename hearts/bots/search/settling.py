"""The cost of a hand to a player: its points, the moon, and the end of the game (see .playing)."""

from __future__ import annotations

import math

from hearts.game.cards import FULL_DECK, POINTS_MASK

from .playing import (
    DIGITS,
    END,
    EXACT_WINS,
    EXACT_ZERO,
    HANDS,
    JACK,
    JACK_CARD,
    MOON,
    MOON_CHOICE,
    MOON_MINUS,
    NO_TRICK,
    PLANES,
    POINTS,
    RULES,
    SCORES,
    TAKEN,
    State,
)

GAME_WORTH = 30.0
"""Worth of winning a game that would otherwise be lost, in points of which a moon is 26."""
SCORE_WIDTH = 15.0
"""Such points ahead that make it e times as likely to win a game that goes on."""
SEVERAL = -2
"""Not one player alone: see :func:`holder`."""


def shooter(state: State) -> int:
    """Give the player who took all hearts and the queen of spades; -1 if nobody did."""
    for player in range(4):
        if state[TAKEN + player] & POINTS_MASK == POINTS_MASK:
            return player
    return -1


def holder(state: State) -> int:
    """Give the one player who has taken points; -1 for nobody, :data:`SEVERAL` for several."""
    found = -1
    for player in range(4):
        if state[TAKEN + player] & POINTS_MASK:
            if found >= 0:
                return SEVERAL
            found = player
    return found


def is_settled(state: State) -> bool:
    """Tell whether no card that is still to be played changes the points; asked between tricks."""
    if state[RULES] & NO_TRICK:
        for player in range(4):
            if not state[TAKEN + player]:
                return state[HANDS] == 0
    counting = POINTS_MASK | JACK_CARD if state[RULES] & JACK else POINTS_MASK
    held = state[HANDS] | state[HANDS + 1] | state[HANDS + 2] | state[HANDS + 3]
    return held & counting == 0


def plain_points(state: State, player: int) -> int:
    """Return the points of the cards that one player took, without moon and bonus."""
    taken = state[TAKEN + player]
    points = 0
    for digit in range(DIGITS):
        points += (taken & state[PLANES + digit]).bit_count() << digit
    if state[RULES] & JACK and taken & JACK_CARD:
        points -= 10
    return points


def count_points(state: State, moon_player: int, on_others: bool) -> None:
    """Write what the finished hand adds to each score, with the moon counted as is said."""
    rules = state[RULES]
    moon = state[MOON]
    for player in range(4):
        taken = state[TAKEN + player]
        points = plain_points(state, player)
        if moon_player >= 0:
            if player == moon_player:
                points -= moon if on_others else 2 * moon
            elif on_others:
                points += moon
        if rules & NO_TRICK and taken & FULL_DECK == 0:
            points -= 5
        state[POINTS + player] = points


def score_after(state: State, player: int) -> int:
    """Return the score of a player after the counted hand."""
    score = state[SCORES + player] + state[POINTS + player]
    return 0 if score == state[END] and state[RULES] & EXACT_ZERO else score


def cost(state: State, player: int) -> float:
    """Compute the cost of the counted points to a player: their own less the mean of the four.

    It is in points. If the hand ends the game, the result counts as well: the cost is less by
    :data:`GAME_WORTH` times the difference between the player's share of the win and the chance to
    win that they would have had if the game went on.
    """
    if state[END] == 0:
        total = 0
        for other in range(4):
            total += state[POINTS + other]
        return state[POINTS + player] - 0.25 * total
    own = score_after(state, player)
    gained = winners = exact = 0
    least = most = own
    scale = state[MOON] / 26
    width = SCORE_WIDTH * scale
    odds = 0.0
    for other in range(4):
        score = score_after(state, other)
        gained += score - state[SCORES + other]
        least = min(least, score)
        most = max(most, score)
        odds += math.exp(min(40.0, (own - score) / width))
        exact += score == state[END]
    points = own - state[SCORES + player] - 0.25 * gained
    if most < state[END]:
        return points
    winning = state[END] if exact and state[RULES] & EXACT_WINS else least
    for other in range(4):
        winners += score_after(state, other) == winning
    share = 1.0 / winners if own == winning else 0.0
    return points - GAME_WORTH * scale * (share - 1.0 / odds)


def settle(state: State) -> int:
    """Count the points of a finished hand; return the player who shot the moon, or -1.

    A player who may choose how their moon counts chooses the cheaper way.
    """
    moon_player = shooter(state)
    rules = state[RULES]
    count_points(state, moon_player, not rules & (MOON_MINUS | MOON_CHOICE))
    if moon_player >= 0 and rules & MOON_CHOICE:
        off = cost(state, moon_player)
        count_points(state, moon_player, True)
        if cost(state, moon_player) >= off:
            count_points(state, moon_player, False)
    return moon_player

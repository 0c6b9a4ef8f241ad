"""The knowledge of one seat at a moment, ready for search: read from a view in one call."""

from __future__ import annotations

from msgspec import Struct

from hearts.bots.reading import PastTricks, read
from hearts.game.cards import POINTS_MASK, four
from hearts.game.kernel import HandPlay
from hearts.game.rules import Rules
from hearts.game.scoring import Four, points_by
from hearts.game.view import View

from .playing import (
    BEST,
    BROKEN,
    DIGITS,
    END,
    MOON,
    PLANES,
    PLAYED,
    RULES,
    SCORES,
    SEED,
    SIZE,
    SUIT,
    TAKEN,
    TRICK,
    TURN,
    UNLIKE,
    WINNER,
    rule_bits,
)
from .settling import SEVERAL, holder, plain_points


class Position(Struct, frozen=True, gc=False):
    """A view with what follows from it about the others. Sets of cards are masks."""

    view: View
    may_hold: Four
    """The cards that each of the others may hold; 0 for the player.

    If one of them has shown a void in a suit, its cards are left out for that one. A card that the
    player passed and that is still out is left to the one who received it.
    """
    held: Four
    """The number of cards that each of the others holds; 0 for the player."""

    def play_in(self, world: Four) -> HandPlay:
        """Return the hand under way as it is in a world, by the rules kernel; it may be played on.

        Its fields are new: to change it changes nothing else.
        """
        view = self.view
        play = HandPlay([0, 0, 0, 0], view.rules, view.first_leader)
        for card in view.history:
            play.play(card)
        play.hands = list(world)
        return play


def position_of(view: View, past: PastTricks | None = None) -> Position:
    """Return the position of a view: of a player on turn, or of one who is to pass.

    ``past`` may be kept from one view of a hand to the next, and saves reading tricks twice.
    """
    reading = read(view, past)
    return Position(view, reading.may_hold, four(_held(view, player) for player in range(4)))


def _held(view: View, player: int) -> int:
    if player == view.player:
        return 0
    has_played = (player - view.leader) % 4 < len(view.trick)
    return 13 - len(view.history) // 4 - has_played


def put_rules(state: list[int], rules: Rules) -> None:
    """Write rules, and the points of the cards under them, into a row of ints that has none yet."""
    state[RULES] = rule_bits(rules)
    points = points_by(rules)
    state[MOON] = points.moon
    for card, number in enumerate(points.of_card):
        if POINTS_MASK >> card & 1:
            for digit in range(DIGITS):
                state[PLANES + digit] |= (number >> digit & 1) << card
    for suit in range(0, 52, 13):
        numbers = points.of_card[suit : suit + 13]
        most = max(numbers, key=numbers.count)
        for card, number in enumerate(numbers, suit):
            state[UNLIKE] |= (number != most) << card


def state_of(view: View, seed: int = 1) -> list[int]:
    """Turn a view into the row of ints of :mod:`.playing`; the hands of the others are empty.

    ``seed`` starts the random numbers: an int of 32 bits that is not 0.
    """
    state = [0] * SIZE
    state[view.player] = view.hand
    for player in range(4):
        state[TAKEN + player] = view.taken[player]
        state[SCORES + player] = view.scores[player]
    state[SUIT] = state[BEST] = state[WINNER] = -1
    for place, card in enumerate(view.trick):
        state[TRICK] |= 1 << card
        if place == 0 or (card // 13 == state[SUIT] and card > state[BEST]):
            state[SUIT] = card // 13
            state[BEST] = card
            state[WINNER] = (view.leader + place) % 4
    state[TURN] = (view.leader + len(view.trick)) % 4
    state[PLAYED] = len(view.history)
    state[BROKEN] = view.broken
    put_rules(state, view.rules)
    state[END] = view.end_score if _may_end(state, view) else 0
    state[SEED] = seed
    return state


def _may_end(state: list[int], view: View) -> bool:
    """Tell whether the hand may end the game; if not, it is solved much more quickly."""
    scores, most = view.scores, 2 * state[MOON]
    if holder(state) == SEVERAL:
        scores = four(score + plain_points(state, at) for at, score in enumerate(scores))
        left = view.hand | view.unseen | state[TRICK]
        most = sum((left & state[PLANES + digit]).bit_count() << digit for digit in range(DIGITS))
    return max(scores) + most >= view.end_score

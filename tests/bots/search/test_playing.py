"""The play of rollouts is that of the rules kernel, position by position, under all rules."""

from __future__ import annotations

import random

from hypothesis import given
from hypothesis import strategies as st

from hearts.bots.search import playing
from hearts.bots.search.position import put_rules
from hearts.bots.search.settling import is_settled, settle
from hearts.game.cards import FULL_DECK, POINTS_MASK, mask_of
from hearts.game.kernel import NO_SUIT, HandPlay
from hearts.game.rules import Moon, Rules
from hearts.game.scoring import hand_points
from tests.game.games import ALL_RULES

from .positions import begun_by, state_of_play

HANDS_PLAYED = 600
"""With 52 positions each."""


def differences(hand: HandPlay, state: list[int]) -> list[str]:
    """What is not the same in the kernel and in the row of ints."""
    pairs = {
        "hands": (hand.hands, state[playing.HANDS : playing.HANDS + 4]),
        "taken": (hand.taken, state[playing.TAKEN : playing.TAKEN + 4]),
        "trick": (mask_of(hand.trick), state[playing.TRICK]),
        "suit": (hand.suit, state[playing.SUIT]),
        "best": (hand.best if hand.suit != NO_SUIT else -1, state[playing.BEST]),
        "winner": (hand.winner, state[playing.WINNER]),
        "turn": (hand.turn, state[playing.TURN]),
        "played": (hand.played, state[playing.PLAYED]),
        "broken": (hand.broken, bool(state[playing.BROKEN])),
    }
    return [name for name, (one, other) in pairs.items() if one != other]


def expected_points(taken: list[int], rules: Rules) -> list[int]:
    return list(hand_points(taken, rules, rules.moon is Moon.OTHERS))


def test_every_position_is_that_of_the_kernel() -> None:
    source = random.Random(20)
    positions = 0
    for _ in range(HANDS_PLAYED):
        hand, rules = begun_by(source)
        state = state_of_play(hand, rules)
        settled: list[int] = []
        while not hand.over:
            cards = hand.legal()
            assert playing.legal(state) == cards, (rules, hand.played)
            card = playing.pick(state, cards)
            hand.play(card)
            playing.play(state, card)
            positions += 1
            assert not differences(hand, state), (rules, differences(hand, state))
            if not settled and hand.played % 4 == 0 and is_settled(state):
                early = state.copy()
                settle(early)
                settled = early[playing.POINTS : playing.POINTS + 4]
        settle(state)
        assert state[playing.POINTS : playing.POINTS + 4] == expected_points(hand.taken, rules)
        assert settled == state[playing.POINTS : playing.POINTS + 4]
    assert positions == 52 * HANDS_PLAYED


@given(
    ALL_RULES,
    st.lists(st.integers(0, FULL_DECK), min_size=3, max_size=3),
    st.sampled_from([0, 1, 2, 3, None]),
)
def test_points_and_moons_are_those_of_scoring(
    rules: Rules, cuts: list[int], shooter: int | None
) -> None:
    taken = []
    left = FULL_DECK
    for cut in cuts:
        taken.append(left & cut)
        left &= ~cut
    taken.append(left)
    if shooter is not None:
        taken = [mask & ~POINTS_MASK for mask in taken]
        taken[shooter] |= POINTS_MASK
    state = [0] * playing.SIZE
    state[playing.TAKEN : playing.TAKEN + 4] = taken
    put_rules(state, rules)
    assert settle(state) == (-1 if shooter is None else shooter) or shooter is None
    assert state[playing.POINTS : playing.POINTS + 4] == expected_points(taken, rules)


def test_every_card_is_picked_as_often_as_the_others() -> None:
    state = [0] * playing.SIZE
    state[playing.SEED] = 12345
    cards = 0b1011 << 20
    counts = {20: 0, 21: 0, 23: 0}
    for _ in range(3000):
        counts[playing.pick(state, cards)] += 1
    assert all(900 < count < 1100 for count in counts.values())
    assert all(playing.draw(state, 4) < 4 for _ in range(100))

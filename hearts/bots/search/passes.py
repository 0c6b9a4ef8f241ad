"""Passes: what the others give, and rollouts from the pass on (see .playing)."""

from __future__ import annotations

from collections.abc import Sequence

from hearts.game.cards import JACK_OF_DIAMONDS, QUEEN_OF_SPADES, TWO_OF_CLUBS

from .habits import highest, lowest
from .playing import DIAMONDS, HANDS, JACK, ONE_SUIT, RULES, SPADES, TURN, State, draw
from .rollouts import FIGURES, Figures, add_figures, play_out, set_hands
from .settling import cost

_LOW_SPADES = (1 << QUEEN_OF_SPADES) - (1 << 13 * SPADES)
_ENOUGH_GUARDS = 4


def trouble(hand: int, card: int, jack: bool) -> float:
    """How glad a player is to be rid of a card: as :func:`hearts.bots.passing.trouble`."""
    suit = card // 13
    low = (hand & _LOW_SPADES).bit_count()
    if suit == SPADES:
        if card < QUEEN_OF_SPADES or low >= _ENOUGH_GUARDS:
            return -5.0
        return (30.0 if card == QUEEN_OF_SPADES else 22.0) - 3.0 * low
    if jack and card == JACK_OF_DIAMONDS:
        return -10.0
    of_suit = ONE_SUIT << 13 * suit
    below = ~hand & of_suit & (1 << card) - 1
    guards = 0
    if below:
        guards = (hand & of_suit & (1 << highest(below)) - 1).bit_count()
    if suit == 0:
        return card * 1.2 - 1.5 * guards
    figure = card % 13 - 1.5 * guards + (4.0 - (hand & of_suit).bit_count()) * 1.5
    if jack and suit == DIAMONDS and card > JACK_OF_DIAMONDS:
        return figure - 6.0
    return figure


def most_trouble(hand: int, many: int, jack: bool) -> int:
    """So many cards of a hand that are the most trouble, as a mask."""
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
    figures: Figures,
    costs: Figures,
) -> None:
    """As :func:`hearts.bots.search.rollouts.roll_out`, for passes of player ``me``, as masks.

    All pass to who sits ``step`` seats on. The others pass what is most trouble to them: ``given``
    has room for that. ``state`` has the leader of the first trick on turn, or -1 if it is who holds
    the two of clubs.
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
            moon_player = play_out(work, me, plan % modes == 1)
            add_figures(work, me, moon_player, figures, plan * FIGURES)
            costs[world * many + plan] = cost(work, me)

"""A match under way: asks the players in their chairs for passes, cards and moons, hand by hand.

The rules are those of the kernel (:mod:`hearts.game.kernel`) and of :mod:`hearts.game.scoring`. The
views are the same that a table makes of its :class:`hearts.game.game.Game`, which takes far longer.
"""

from __future__ import annotations

from functools import lru_cache
from time import perf_counter

from hearts.game.cards import WIRE, Card, mask_of
from hearts.game.deal import Hands, deal_hands
from hearts.game.kernel import HandPlay, first_leader
from hearts.game.rules import Direction, Moon
from hearts.game.scoring import Four, add_points, hand_points, moon_shooter
from hearts.game.view import View
from hearts_arena.kept.captures import captures_text
from hearts_arena.plan.plan import Plan

from .chairs import FAILURES, Chair, UnderWay

_DEALS_KEPT = 512
"""Deals that are remembered, since the matches of a block have the same ones."""
_dealt = lru_cache(_DEALS_KEPT)(deal_hands)
_NO_CARDS: tuple[tuple[Card, ...], ...] = ((), (), (), ())
_NOTHING_TAKEN: Four = (0, 0, 0, 0)


class InProcessMatch:
    """A match under way."""

    def __init__(
        self, plan: Plan, chairs: list[Chair], moves: list[str], under_way: UnderWay
    ) -> None:
        self.points: list[Four] = []
        self.scores: Four = (0, 0, 0, 0)
        self.took: list[str] = []
        """Who took queen, jack and moon in each hand."""
        self.winners: tuple[int, ...] = ()
        """Empty until the match is over."""
        self._rules = plan.rules
        self._hands = plan.hands
        self._end = plan.game_end
        self._chairs = chairs
        self._moves = moves
        self._under_way = under_way
        self._first_leader = 0
        self._history: tuple[Card, ...] = ()

    def play_hand(self, number: int, secret: bytes) -> None:
        """Play the hand with a number in its game, from the deal to the scores."""
        dealt = _dealt(secret)
        if self.points:
            self._moves.append(" ")
        direction = self._rules.direction(number)
        hands = list(dealt)
        passed = received = _NO_CARDS
        if direction is not Direction.HOLD:
            passed = self._ask_for_passes(dealt, number, direction)
            received = _exchange(hands, passed, direction)
        play = self._play_tricks(hands, number, direction, passed, received)
        self.took.append(captures_text(self._history, self._first_leader, play.taken))
        on_others = self._rules.moon is Moon.OTHERS
        shooter = moon_shooter(play.taken)
        if shooter is not None and self._rules.moon is Moon.CHOICE:
            on_others = self._ask_for_moon(
                play, number, direction, shooter, passed[shooter], received[shooter]
            )
        self._score(hand_points(play.taken, self._rules, on_others))

    def _ask_for_passes(
        self, dealt: Hands, number: int, direction: Direction
    ) -> tuple[tuple[Card, ...], ...]:
        first = self._first_leader
        for chair in self._chairs:
            chair.choices += 1
        return tuple(
            chair.choose_pass(
                View(
                    seat,
                    self._rules,
                    self._end,
                    self.scores,
                    number,
                    direction,
                    dealt[seat],
                    0,
                    (),
                    (),
                    first,
                    (),
                    first,
                    (),
                    _NOTHING_TAKEN,
                    False,
                )
            )
            for seat, chair in enumerate(self._chairs)
        )

    def _play_tricks(
        self,
        hands: list[int],
        number: int,
        direction: Direction,
        passed: tuple[tuple[Card, ...], ...],
        received: tuple[tuple[Card, ...], ...],
    ) -> HandPlay:
        # Names of their own, since this runs for every card of a tournament.
        rules, end, scores, chairs = self._rules, self._end, self.scores, self._chairs
        moves, under_way, clock = self._moves, self._under_way, perf_counter
        first = self._first_leader = first_leader(hands, rules, number)
        play = HandPlay(hands, rules, first)
        history: list[Card] = []
        taken = _NOTHING_TAKEN
        for _ in range(13):
            under_way[2] += 1
            leader = play.leader
            begun = len(history)
            for _ in range(4):
                player = play.turn
                chair = chairs[player]
                legal = play.legal()
                choose_of = chair.choose_of
                if choose_of is not None:
                    begin = clock()
                    chosen = choose_of(legal)
                    seconds = clock() - begin
                    chair.seconds += seconds
                    if seconds > chair.slowest:
                        chair.slowest = seconds
                    moves.append(chair.card_moves[chosen])
                    play.play(chosen)
                    history.append(chosen)
                    continue
                view = View(
                    player,
                    rules,
                    end,
                    scores,
                    number,
                    direction,
                    hands[player],
                    legal,
                    passed[player],
                    received[player],
                    first,
                    tuple(history),
                    leader,
                    tuple(history[begun:]),
                    taken,
                    play.broken,
                )
                under_way[1] = player
                begin = clock()
                try:
                    card = chair.choose_card(view)
                except FAILURES as error:
                    chair.fall(error, "choose_card", view)
                    card = chair.choose_card(view)
                seconds = clock() - begin
                chair.seconds += seconds
                if seconds > chair.slowest:
                    chair.slowest = seconds
                if card.__class__ is Card and legal >> card & 1:
                    moves.append(chair.card_moves[card])
                else:
                    card = chair.settle_card(card, view)
                play.play(card)
                history.append(card)
            a, b, c, d = play.taken
            taken = (a, b, c, d)
            for chair in chairs:
                if chair.hears_tricks:
                    chair.trick_taken(tuple(history[begun:]), leader, play.leader)
        for chair in chairs:
            chair.choices += 13
        self._history = tuple(history)
        return play

    def _ask_for_moon(
        self,
        play: HandPlay,
        number: int,
        direction: Direction,
        shooter: int,
        passed: tuple[Card, ...],
        received: tuple[Card, ...],
    ) -> bool:
        a, b, c, d = play.taken
        self._chairs[shooter].choices += 1
        return self._chairs[shooter].choose_moon(
            View(
                shooter,
                self._rules,
                self._end,
                self.scores,
                number,
                direction,
                0,
                0,
                passed,
                received,
                self._first_leader,
                self._history,
                play.leader,
                (),
                (a, b, c, d),
                play.broken,
            )
        )

    def _score(self, points: Four) -> None:
        outcome = add_points(self.scores, points, self._rules, self._end)
        self.points.append(points)
        self.scores = outcome.scores
        for chair in self._chairs:
            chair.hand_done(points, outcome.scores)
        if self._hands is None:
            self.winners = outcome.winners
        elif len(self.points) == self._hands:
            best = min(self.scores)
            self.winners = tuple(seat for seat in range(4) if self.scores[seat] == best)


def _exchange(
    hands: list[int], passed: tuple[tuple[Card, ...], ...], direction: Direction
) -> tuple[tuple[Card, ...], ...]:
    """Let the passed cards change hands; what each player received."""
    received = list(_NO_CARDS)
    for player, cards in enumerate(passed):
        target = direction.target(player)
        mask = mask_of(cards)
        hands[player] &= ~mask
        hands[target] |= mask
        received[target] = tuple(sorted(cards, key=WIRE.__getitem__))
    return tuple(received)

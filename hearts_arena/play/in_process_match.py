"""A match under way: asks the players in their seats for passes, cards and moons, hand by hand.

The rules are those of the kernel (:mod:`hearts.game.kernel`) and of :mod:`hearts.game.scoring`. The
views are the same that a table makes of its :class:`hearts.game.game.Game`, which takes far longer.
"""

from __future__ import annotations

from functools import lru_cache

from hearts.game.cards import WIRE, Card, mask_of
from hearts.game.deal import deal_hands
from hearts.game.kernel import HandPlay, first_leader
from hearts.game.rules import Direction, Moon
from hearts.game.scoring import Four, add_points, hand_points, moon_shooter
from hearts.game.view import View
from hearts_arena.kept.captures import captures_text
from hearts_arena.plan.plan import Plan

from .called_seat import CARD, MOON, PASS, CalledSeat, UnderWay

_DEALS_KEPT = 512
"""Deals that are remembered, since the matches of a block have the same ones."""
_dealt = lru_cache(_DEALS_KEPT)(deal_hands)
_Cards = tuple[Card, ...]
_NO_CARDS: tuple[_Cards, ...] = ((), (), (), ())
_NOTHING_TAKEN: Four = (0, 0, 0, 0)


class InProcessMatch:
    def __init__(
        self, plan: Plan, seats: list[CalledSeat], moves: list[str], under_way: UnderWay
    ) -> None:
        self.points: list[Four] = []
        self.scores: Four = (0, 0, 0, 0)
        self.took: list[str] = []
        """The takers of queen, jack and moon in each hand."""
        self.winners: tuple[int, ...] = ()
        """Empty until the match is over."""
        self._rules = plan.rules
        self._hands = plan.hands
        self._end = plan.game_end
        self._seats = seats
        self._moves = moves
        self._under_way = under_way
        self._first_leader = 0

    def play_hand(self, number: int, secret: bytes) -> None:
        """Play the hand with a number in its game, from the deal to the scores."""
        if self.points:
            self._moves.append(" ")
        rules = self._rules
        self._number = number
        self._direction = rules.direction(number)
        self._passed = self._received = _NO_CARDS
        self._leader = self._first_leader
        self._history: list[Card] = []
        self._taken = _NOTHING_TAKEN
        hands = list(_dealt(secret))
        if self._direction is not Direction.HOLD:
            # All choose before anybody receives.
            passed = [
                seat.choose(PASS, self._view(player, hands[player]))
                for player, seat in enumerate(self._seats)
            ]
            self._exchange(hands, tuple(passed))
        play = self._play_tricks(hands)
        self.took.append(captures_text(self._history, self._takers, play.taken))
        on_others = rules.moon is Moon.OTHERS
        shooter = moon_shooter(play.taken)
        if shooter is not None and rules.moon is Moon.CHOICE:
            view = self._view(shooter, 0, is_broken=play.broken)
            on_others = self._seats[shooter].choose(MOON, view)
        self._score(hand_points(play.taken, rules, on_others))

    def _exchange(self, hands: list[int], passed: tuple[_Cards, ...]) -> None:
        received = list(_NO_CARDS)
        for player, cards in enumerate(passed):
            target = self._direction.target(player)
            mask = mask_of(cards)
            hands[player] &= ~mask
            hands[target] |= mask
            received[target] = tuple(sorted(cards, key=WIRE.__getitem__))
        self._passed, self._received = passed, tuple(received)

    def _play_tricks(self, hands: list[int]) -> HandPlay:
        # Names of their own, since this runs for every card of a tournament.
        seats, history = self._seats, self._history
        self._takers: list[int] = []
        self._leader = self._first_leader = first_leader(hands, self._rules, self._number)
        play = HandPlay(hands, self._rules, self._leader)
        hearing = [seat for seat in seats if hasattr(seat.bot, "trick_taken")]
        for begun in range(0, 52, 4):
            self._under_way[2] += 1
            for _ in range(4):
                player = play.turn
                seat = seats[player]
                legal = play.legal()
                if (choose_of := seat.choose_of) is not None:
                    card = seat.choose_card_of(legal, choose_of)
                else:
                    trick = tuple(history[begun:])
                    view = self._view(player, hands[player], legal, trick, is_broken=play.broken)
                    card = seat.choose(CARD, view)
                play.play(card)
                history.append(card)
            leader, self._leader = self._leader, play.leader
            self._takers.append(play.leader)
            a, b, c, d = play.taken
            self._taken = a, b, c, d
            for seat in hearing:
                seat.notify("trick_taken", tuple(history[begun:]), leader, play.leader)
        return play

    def _view(
        self, player: int, hand: int, legal: int = 0, trick: _Cards = (), *, is_broken: bool = False
    ) -> View:
        return View(
            player,
            self._rules,
            self._end,
            self.scores,
            self._number,
            self._direction,
            hand,
            legal,
            self._passed[player],
            self._received[player],
            self._first_leader,
            tuple(self._history),
            self._leader,
            trick,
            self._taken,
            is_broken,
        )

    def _score(self, points: Four) -> None:
        outcome = add_points(self.scores, points, self._rules, self._end)
        self.points.append(points)
        self.scores = outcome.scores
        for seat in self._seats:
            seat.notify("hand_done", points, outcome.scores)
        if self._hands is None:
            self.winners = outcome.winners
        elif len(self.points) == self._hands:
            best = min(self.scores)
            self.winners = tuple(seat for seat in range(4) if self.scores[seat] == best)

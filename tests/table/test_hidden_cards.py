"""A hand played twice, with the cards that a seat may not know exchanged among the others.

Both plays go on side by side. Whatever comes to the seat, or to a bot that plays for it, is the
same in both until the rules show a card that differs. The deals are given directly, below their
commitments, which are to differ.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Sequence

from msgspec.structs import replace

from hearts.errors import HeartsError
from hearts.game.cards import TWO_OF_CLUBS, Card, cards_of, mask_of
from hearts.game.events import AbortHand, Action, Deal, Pass, Play
from hearts.game.game import Game, Phase
from hearts.game.rules import Rules
from hearts.game.view import view_of
from hearts.table.seat import Kind
from tests.game.games import deal_by, play_by_chance, rules_by

from .scene import END, Scene

CASES = 160
Swaps = dict[Card, Card]
LEAST = {
    "steps": 3000,
    "steps after the moment": 1000,
    "bytes": 10_000,
    "AskBot": 500,
    "own tries": 100,
    "clock": 100,
    "back itself": 30,
    "shown by card": 100,
    "shown by received": 10,
    "shown by leader": 5,
    "shown by nothing": 2,
}
"""What has to occur in all cases together."""


# What is exchanged


def swapped(action: Action, swaps: Swaps, seat: int) -> Action:
    """An action of the hand with hidden cards exchanged; what was played stays as it was."""
    match action:
        case Deal(hands):
            a, b, c, d = (mask_of(swaps.get(card, card) for card in cards_of(h)) for h in hands)
            return Deal((a, b, c, d))
        case Pass(player, cards) if player != seat:
            return replace(action, cards=tuple(swaps.get(card, card) for card in cards))
    return action


def passes(actions: Iterable[Action]) -> set[tuple[int, frozenset[Card]]]:
    return {(act.player, frozenset(act.cards)) for act in actions if isinstance(act, Pass)}


class Hand:
    """A hand that was played by chance, and what a seat knew at a moment of it."""

    def __init__(self, rules: Rules, number: int, actions: Sequence[Action], seat: int) -> None:
        self.rules = rules
        self.number = number
        self.actions = actions
        self.seat = seat

    def play(self, actions: Iterable[Action]) -> Game:
        """The hand after these actions. Raises HeartsError where one is not legal."""
        game = Game(self.rules, END)
        game.hand_number = self.number - 1
        for action in actions:
            game.check(action)
            game.apply(action)
        return game

    def hidden(self, moment: int) -> list[Card]:
        """The cards of which the seat does not know, after so many actions, who holds them."""
        game = self.play(self.actions[:moment])
        known = set(cards_of(game.dealt[self.seat]))
        known.update(game.received[self.seat], game.history)
        if game.phase is not Phase.PASS and not self.rules.rotating_lead:
            known.add(TWO_OF_CLUBS)
        return [card for card in map(Card, range(52)) if card not in known]

    def exchange(self, moment: int, source: random.Random) -> Swaps | None:
        """Hidden cards to exchange so that all that was seen up to the moment may stay; or None."""
        hidden = self.hidden(moment)
        before = self.actions[:moment]
        for _ in range(40):
            pairs = min(source.choice([1, 1, 2, 4]), len(hidden) // 2)
            chosen = source.sample(hidden, 2 * pairs)
            if TWO_OF_CLUBS in hidden and source.random() < 0.5:
                chosen = [TWO_OF_CLUBS, *(card for card in chosen if card != TWO_OF_CLUBS)]
            half = list(zip(chosen[:pairs], chosen[pairs : 2 * pairs], strict=True))
            swaps = dict(half) | {b: a for a, b in half}
            after = [swapped(action, swaps, self.seat) for action in before]
            if after[0] == before[0] and passes(after) == passes(before):
                continue
            try:
                self.play(after)
            except HeartsError:
                continue
            return swaps
        return None


# Two scenes side by side


class Pair:
    """The same hand twice."""

    def __init__(self, seat: int, one: Scene, other: Scene) -> None:
        self.seat = seat
        self.scenes = one, other
        self.seen: Counter[str] = Counter()
        self._compared = 0
        self._checks = 0

    def check(self) -> None:
        """Assert that the seat has heard the same in both, and would see the same."""
        one, other = self.scenes
        heard, also = one.heard[self.seat], other.heard[self.seat]
        assert heard[self._compared :] == also[self._compared :]
        for _, what in heard[self._compared :]:
            self.seen[type(what).__name__] += 1
        self._compared = len(heard)
        assert one.now == other.now
        assert one.table.wake_at == other.table.wake_at
        assert view_of(one.table.game, self.seat) == view_of(other.table.game, self.seat)
        self._checks += 1
        if not self._checks % 8:
            replays = [list(scene.table.past.replay(self.seat, -1)) for scene in self.scenes]
            assert replays[0] == replays[1]

    def differ(self) -> bool:
        """Whether the seat has heard something else in the other scene."""
        one, other = self.scenes
        return one.heard[self.seat] != other.heard[self.seat]

    def misbehave(self, player: int, source: random.Random) -> None:
        """Tries that are not legal, a clock that runs out, comings and goings: the same in both."""
        one = self.scenes[0]
        roll = source.random()
        if one.here[player] and roll < 0.35:
            if player == self.seat:
                tries = source.choices(one.illegal(player), k=source.randrange(1, 11))
                for scene in self.scenes:
                    self._try(scene, player, tries)
                self.seen["own tries"] += 1
            else:
                for scene in self.scenes:
                    self._try(scene, player, source.choices([13, -1], k=source.randrange(5)))
                self.seen["tries of others"] += 1
        elif one.here[player] and roll < 0.43:
            for scene in self.scenes:
                scene.run_out(player)
            self.seen["clock"] += 1
        elif roll < 0.5:
            self._leave(source)
        elif roll < 0.6:
            self._come_back(source)

    def _try(self, scene: Scene, player: int, tries: Iterable[int]) -> None:
        passing = scene.table.game.phase is Phase.PASS
        for index in tries:
            if player not in scene.bots:
                scene.say(player, *([index] * 3 if passing else [index]))

    def _leave(self, source: random.Random) -> None:
        here = [player for player in range(4) if self.scenes[0].here[player]]
        if len(here) > 1:
            player = source.choice(here)
            for scene in self.scenes:
                scene.leave(player)
            self.seen["left"] += 1

    def _come_back(self, source: random.Random) -> None:
        one = self.scenes[0]
        gone = [p for p in range(4) if not one.here[p] and p not in one.computers]
        if gone:
            player = source.choice(gone)
            hands = source.choice([-1, *range(one.table.past.hands_scored() + 1)])
            for scene in self.scenes:
                scene.come_back(player, hands)
            self.seen["back"] += 1
            self.seen["back itself"] += player == self.seat


def instead(action: Action, hand: Hand, swaps: Swaps, pair: Pair, source: random.Random) -> Action:
    """What is done in the other scene: the same where it can be done there."""
    action = swapped(action, swaps, hand.seat)
    if isinstance(action, Play):
        play = pair.scenes[1].table.game.play
        assert play is not None
        legal = play.legal()
        if not legal >> action.card & 1:
            return replace(action, card=source.choice(list(cards_of(legal))))
    return action


def what_shows(pair: Pair, action: Action, other: Action) -> str:
    """What the rules have shown to the seat by the latest action; empty for no difference."""
    if isinstance(action, Play):
        return "card" if action != other else ""
    one, two = (scene.table.game for scene in pair.scenes)
    if one.received[pair.seat] != two.received[pair.seat]:
        return "received"
    return "leader" if one.first_leader != two.first_leader else ""


def play_twice(number: int, totals: Counter[str]) -> None:
    source = random.Random(number)
    rules = rules_by(source)
    earlier = source.choice([0, 0, 0, 1, 2, 3])
    done = [act for act, _ in play_by_chance(Game(rules, END), source, earlier + 1)]
    start = max(index for index, action in enumerate(done) if isinstance(action, Deal))
    hand = Hand(rules, earlier, done[start:], source.randrange(4))
    latest = source.choice([4, 24, len(hand.actions) - 8])
    moment = source.randrange(1, latest + 1)
    swaps = hand.exchange(moment, source)
    if swaps is None:
        totals["nothing to exchange"] += 1
        return
    kinds = [source.choice([Kind.CLIENT] * 3 + [Kind.COMPUTER]) for _ in range(4)]
    kinds[source.randrange(4)] = Kind.CLIENT
    following = deal_by(source)
    first, last = hand.actions[0], swapped(hand.actions[0], swaps, hand.seat)
    before = [action for action in done[:start] if isinstance(action, Deal)]
    assert isinstance(first, Deal)
    assert isinstance(last, Deal)
    pair = Pair(
        hand.seat,
        Scene(rules, kinds, [*before, first, following]),
        Scene(rules, kinds, [*before, last, following]),
    )
    pair.check()
    shown = ""
    for action in done[:start]:
        if not isinstance(action, Deal):
            for scene in pair.scenes:
                scene.choose(action)
    for step, action in enumerate(hand.actions[1:], 1):
        pair.check()
        assert not isinstance(action, Deal | AbortHand)
        pair.misbehave(action.player, source)
        pair.check()
        other = instead(action, hand, swaps, pair, source)
        listening = pair.scenes[0].here[hand.seat]
        pair.scenes[0].choose(action)
        pair.scenes[1].choose(other)
        shown = what_shows(pair, action, other)
        if shown:
            assert step >= moment
            assert pair.differ() or not listening
            break
        totals["steps"] += 1
        totals["steps after the moment"] += step >= moment
    else:
        pair.check()
    totals.update(pair.seen)
    totals[f"shown by {shown or 'nothing'}"] += 1


def test_a_seat_hears_the_same_until_the_rules_show_the_difference() -> None:
    totals: Counter[str] = Counter()
    for number in range(CASES):
        try:
            play_twice(number, totals)
        except AssertionError as error:
            error.add_note(f"in case {number}")
            raise
    assert not {name: totals[name] for name in LEAST if totals[name] < LEAST[name]}

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
from hearts.game.events import AbortHand, Action, ChooseMoon, Deal, Pass, Play
from hearts.game.game import Game, Phase
from hearts.game.rules import Rules
from hearts.game.view import view_of
from hearts.table.effects import Ask, AskBot, Effect, Persist, Refuse, SendTo
from hearts.table.inputs import Answered, Chosen, ClientCaughtUp, Input
from hearts.table.seat import Kind, Request
from tests.game.games import deal_by, play_by_chance, rules_by

from .desk import Desk

CASES = 80
END = 10_000
Swaps = dict[Card, Card]
LEAST = {
    "steps": 1500,
    "steps after the moment": 500,
    "SendTo": 200,
    "SendToAll": 2500,
    "Refuse": 50,
    "AskBot": 250,
    "own tries": 50,
    "clock": 50,
    "back itself": 15,
    "shown by card": 50,
    "shown by received": 5,
    "shown by leader": 2,
    "shown by nothing": 1,
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


class RandomHand:
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


class Scene(Desk):
    """A table with clients that acknowledge at once, and what each seat hears of it."""

    clock = 60
    """Seconds for a choice; 0 for no limit."""

    def __init__(self, rules: Rules, kinds: Sequence[Kind], deals: Iterable[Deal]) -> None:
        self._heard = 0
        super().__init__(rules, kinds, end=END, limit=self.clock, deals=deals)

    def give(self, given: Input) -> list[Effect]:
        effects = super().give(given)
        for effect in effects:
            if isinstance(effect, Ask):
                super().give(ClientCaughtUp(effect.player))
        return effects

    def take_heard(self, seat: int) -> list[Effect]:
        begin, self._heard = self._heard, len(self.effects)
        return [effect for effect in self.effects[begin:] if _hears(seat, effect)]

    def request(self, player: int) -> Request:
        request = self.table.seats[player].request
        assert request is not None
        return request

    def is_here(self, player: int) -> bool:
        return self.table.seats[player].connected

    def make(self, action: Pass | Play | ChooseMoon) -> None:
        """Let a player make a choice, or a bot for who is not there or has let the time pass."""
        player = action.player
        if self.request(player).bot is None and self.is_here(player):
            self.give(Chosen(player, action))
            return
        self.run_out(player)
        asked = next(e for e in reversed(self.all_of(AskBot)) if e.view.player == player)
        self.give(Answered(asked.request, replace(action, by=asked.by)))
        if self.is_here(player):
            self.come_late(player)

    def run_out(self, player: int) -> None:
        """Let a player's clock run out, so that a bot is asked."""
        while self.request(player).bot is None:
            self.wait_until(max(self.now, self.table.wake_at))

    def illegal(self, player: int) -> list[Pass | Play | None]:
        """Choices that the player may not make now, with one that means nothing."""
        view = view_of(self.table.game, player)
        if self.table.game.phase is Phase.PASS:
            return [None, *(Pass(player, (card, card, card)) for card in view.cards)]
        return [None, *(Play(player, card) for card in view.cards if card not in view.legal_cards)]


def _hears(seat: int, effect: Effect) -> bool:
    match effect:
        case Persist():
            return False
        case AskBot():
            return effect.view.player == seat
        case SendTo() | Ask() | Refuse():
            return effect.player == seat
    return True


class Pair:
    """The same hand twice."""

    def __init__(self, seat: int, one: Scene, other: Scene) -> None:
        self.seat = seat
        self.scenes = one, other
        self.seen: Counter[str] = Counter()
        self._checks = 0

    def check(self) -> None:
        """Assert that the seat has heard the same in both, and would see the same."""
        one, other = self.scenes
        heard = one.take_heard(self.seat)
        assert heard == other.take_heard(self.seat)
        self.seen.update(type(what).__name__ for what in heard)
        assert one.now == other.now
        assert one.table.wake_at == other.table.wake_at
        assert view_of(one.table.game, self.seat) == view_of(other.table.game, self.seat)
        self._checks += 1
        if not self._checks % 8:
            self._check_replay(-1)

    def _check_replay(self, hands: int) -> None:
        one, other = (scene.table.past for scene in self.scenes)
        assert list(one.replay(self.seat, hands)) == list(other.replay(self.seat, hands))
        assert one.decided(self.seat, hands) == other.decided(self.seat, hands)

    def differ(self) -> bool:
        one, other = self.scenes
        return one.take_heard(self.seat) != other.take_heard(self.seat)

    def misbehave(self, player: int, source: random.Random) -> None:
        """Tries that are not legal, a clock that runs out, comings and goings: the same in both."""
        one = self.scenes[0]
        roll = source.random()
        if one.is_here(player) and roll < 0.35:
            is_own = player == self.seat
            tries = source.choices(
                one.illegal(player) if is_own else [None], k=source.randrange(11)
            )
            for scene in self.scenes:
                for choice in tries:
                    if scene.request(player).bot is None:
                        scene.give(Chosen(player, choice))
            self.seen["own tries"] += is_own
        elif one.is_here(player) and roll < 0.43:
            for scene in self.scenes:
                scene.run_out(player)
            self.seen["clock"] += 1
        elif roll < 0.5:
            here = [player for player in range(4) if one.is_here(player)]
            if len(here) > 1:
                who = source.choice(here)
                for scene in self.scenes:
                    scene.leave(who)
        elif roll < 0.6:
            self._come_back(source)

    def _come_back(self, source: random.Random) -> None:
        seats = self.scenes[0].table.seats
        gone = [p for p in range(4) if seats[p].gone_at is not None]
        if gone:
            player = source.choice(gone)
            if player == self.seat:
                hands = self.scenes[0].table.past.hands_scored()
                self._check_replay(source.choice([-1, *range(hands + 1)]))
            for scene in self.scenes:
                scene.come_back(player)
            self.seen["back itself"] += player == self.seat


def instead(
    action: Action, hand: RandomHand, swaps: Swaps, pair: Pair, source: random.Random
) -> Action:
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
    hand = RandomHand(rules, earlier, done[start:], source.randrange(4))
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
        if not isinstance(action, Deal | AbortHand):
            for scene in pair.scenes:
                scene.make(action)
    for step, action in enumerate(hand.actions[1:], 1):
        pair.check()
        assert not isinstance(action, Deal | AbortHand)
        pair.misbehave(action.player, source)
        pair.check()
        other = instead(action, hand, swaps, pair, source)
        assert not isinstance(other, Deal | AbortHand)
        listening = pair.scenes[0].is_here(hand.seat)
        pair.scenes[0].make(action)
        pair.scenes[1].make(other)
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

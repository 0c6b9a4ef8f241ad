"""A table on a desk: its inputs and effects by hand, with a store that is durable when told."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence
from itertools import repeat
from typing import Any, TypeVar

from hearts.game.cards import Card
from hearts.game.cuts import hash_of
from hearts.game.deal import SECRET_BYTES
from hearts.game.events import ChooseMoon, ChosenBy, Deal, Pass, Play
from hearts.game.rules import Rules, parse_rules
from hearts.game.view import View, view_of
from hearts.table import inputs
from hearts.table.effects import AskBot, Effect, Persist, SendTo, SendToAll, TableEvent
from hearts.table.seat import COMPUTER_NAMES, LOST_LIMITS, Kind
from hearts.table.steps import parse_step
from hearts.table.table import Table

CLIENT, COMPUTER = Kind.CLIENT, Kind.COMPUTER
HOLD = "pass=never"
JACK = parse_rules("jack")
NUMBERS = tuple(bytes([player]) * 32 for player in (10, 11, 12, 13))
"""The value that each player shows, for every deal."""
NAMES = ("Ann", "Bob", "Cleo", "Dan")
SECRET = bytes(range(SECRET_BYTES))
EffectT = TypeVar("EffectT")


def lowest(view: View) -> Card:
    return min(view.legal_cards, key=lambda card: (card.rank, card))


def choice_for(
    question: inputs.Question, view: View, by: ChosenBy = ChosenBy.PLAYER
) -> inputs.Choice:
    """A choice that is legal: the lowest cards, 26 on the others, and another game."""
    match question:
        case inputs.Question.PASS:
            return Pass(view.player, view.cards[:3], by)
        case inputs.Question.CARD:
            return Play(view.player, lowest(view), by)
        case inputs.Question.MOON:
            return ChooseMoon(view.player, True, by)
        case inputs.Question.AGAIN:
            return inputs.AnswerAgain(view.player, True, by)
        case inputs.Question.CUT:
            return inputs.Cut(view.player, bytes(32), b"")


class Desk:
    """A table, the time, what it wants done, and lines that are not durable yet."""

    def __init__(
        self,
        rules: str | Rules = "standard",
        kinds: Sequence[Kind] = (Kind.CLIENT,) * 4,
        *,
        end: int = 100,
        limit: int = 60,
        grace: float = 100.0,
        pause: float = 0.0,
        slow_store: bool = False,
        stored: Sequence[str] | None = None,
        names: Sequence[str] = NAMES,
        computer_names: Sequence[str] = COMPUTER_NAMES,
        most_hands: int = 0,
        first_hand: int = 0,
        public: bool = False,
        lost_limits: float = LOST_LIMITS,
        deals: Iterable[Deal] | None = None,
    ) -> None:
        """``stored`` are the lines of a table that is taken up again."""
        rules = parse_rules(rules) if isinstance(rules, str) else rules
        setting = inputs.Setting(rules, end, limit, grace, pause, public)
        self.table = Table(
            setting,
            list(zip(names, kinds, strict=True)),
            iter(deals or repeat(Deal.from_secret(SECRET))).__next__,
            computer_names,
            most_hands,
            first_hand,
            lost_limits,
        )
        self.now = 0.0
        self.slow_store = slow_store
        self.pending: deque[str] = deque()
        """Lines that were given to the store and are not durable yet, while it is slow."""
        self.lines: list[str] = list(stored or ())
        """Lines that are durable."""
        self.effects: list[Effect] = []
        """Everything that the table wanted, in order."""
        self.answered = 0
        """How many of the questions to bots were answered by :meth:`answer_bots`."""
        if stored is None:
            self._carry_out(self.table.start(self.now))
        else:
            self._carry_out(self.table.restore(stored, self.now))

    def give(self, given: inputs.Input) -> list[Effect]:
        """Give the table an input; the new effects, those of a quick store included."""
        before = len(self.effects)
        self._carry_out(self.table.step(given, self.now))
        return self.effects[before:]

    def leave(self, player: int) -> list[Effect]:
        return self.give(inputs.ClientLeft(player))

    def come_back(self, player: int) -> list[Effect]:
        return self.give(inputs.ClientCameBack(player))

    def catch_up(self, player: int) -> list[Effect]:
        return self.give(inputs.ClientCaughtUp(player))

    def come_late(self, player: int) -> list[Effect]:
        return self.give(inputs.CameLate(player))

    def able(self, *players: int, cuts: bool = False) -> Desk:
        """Say for players that they can vote, and whether they cut."""
        for player in players:
            next_hash = hash_of(NUMBERS[player]) if cuts else b""
            self.give(inputs.Able(player, votes=True, next_hash=next_hash))
        return self

    def agree(self, *players: int) -> list[Effect]:
        return [
            effect for player in players for effect in self.give(inputs.Vote(player, agreed=True))
        ]

    def wait(self, seconds: float) -> list[Effect]:
        """Let time pass."""
        return self.wait_until(self.now + seconds)

    def wait_until(self, now: float) -> list[Effect]:
        self.now = now
        return self.give(inputs.Tick())

    def wait_for_clock(self) -> list[Effect]:
        """Let time pass until something is due."""
        return self.wait_until(self.table.wake_at)

    def durable(self) -> list[Effect]:
        self.lines.append(self.pending.popleft())
        return self.give(inputs.Durable())

    def _carry_out(self, effects: list[Effect]) -> None:
        self.effects += effects
        for effect in effects:
            if isinstance(effect, Persist):
                assert parse_step(effect.line) in self.table.proposed
                if self.slow_store:
                    self.pending.append(effect.line)
                else:
                    self.lines.append(effect.line)
                    self._carry_out(self.table.step(inputs.Durable(), self.now))

    def all_of(self, kind: type[EffectT]) -> list[EffectT]:
        """Every effect of a kind so far."""
        return [effect for effect in self.effects if isinstance(effect, kind)]

    def told(self, player: int) -> list[TableEvent]:
        """What a player was told so far."""
        return [
            effect.event
            for effect in self.effects
            if isinstance(effect, SendToAll)
            or (isinstance(effect, SendTo) and effect.player == player)
        ]

    def told_to_all(self, *kinds: type) -> list[object]:
        return [e.event for e in self.all_of(SendToAll) if isinstance(e.event, kinds)]

    def asked(self) -> list[tuple[int, inputs.Question]]:
        if self.table.ended:
            return []
        return [(player, request.question) for player, request in self.table.waited_for()]

    def choice(self, player: int, question: inputs.Question) -> inputs.Choice:
        return choice_for(question, view_of(self.table.game, player))

    def choose(self, player: int, question: inputs.Question) -> list[Effect]:
        return self.give(inputs.Chosen(player, self.choice(player, question)))

    def play(self, cards: int) -> list[Effect]:
        """So many cards, by whoever is on turn; the effects of the last one."""
        effects: list[Effect] = []
        for _ in range(cards):
            effects = self.choose(self.on_turn, inputs.Question.CARD)
        return effects

    def answer(self, asked: AskBot) -> list[Effect]:
        choice = choice_for(asked.question, asked.view, asked.by)
        return self.give(inputs.Answered(asked.request, choice))

    def answer_bots(self) -> None:
        """Bots answer what they were asked, and what they are asked because of that."""
        while len(asked := self.all_of(AskBot)) > self.answered:
            self.answer(asked[self.answered])
            self.answered += 1

    def play_hand(self) -> None:
        """Everybody chooses until the hand is scored (the next one may be dealt then)."""
        hand = self.table.game.hand_number
        while not self.table.ended and self.table.game.hand_number == hand:
            asked = self.asked()
            if not asked or asked[0][1] is inputs.Question.AGAIN:
                return
            for player, question in asked:
                self.choose(player, question)

    @property
    def on_turn(self) -> int:
        """The one player who has to play a card now."""
        ((player, question),) = self.asked()
        assert question is inputs.Question.CARD
        return player

    def miss(self, player: int) -> float:
        """Let a player's clock run out, and a bot choose; how long the clock ran."""
        self.catch_up(player)
        begin = self.now
        while len(self.all_of(AskBot)) == self.answered:
            self.wait_for_clock()
        self.answer_bots()
        return self.now - begin

    def out_of_grace(self, *players: int) -> None:
        """Lose the connections of players, and wait for them as long as the others must."""
        for player in players:
            self.leave(player)
        self.now += self.table.setting.grace

    def show(self, *players: int) -> None:
        """Let players show their values, and say the same hash for the next deal."""
        for player in players:
            value = NUMBERS[player]
            self.give(inputs.Chosen(player, inputs.Cut(player, value, hash_of(value))))


def a_hand_away(cards: int = 51, **settings: Any) -> Desk:
    """A table in the last trick of its first hand: the next card leads to another deal."""
    desk = Desk(HOLD, **settings)
    desk.play(cards)
    return desk


def game_over(**settings: Any) -> Desk:
    """A table at which player 0 is asked about another game."""
    desk = Desk(HOLD, end=1, **settings)
    desk.play(52)
    return desk

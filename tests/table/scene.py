"""A session that is played, and all that is heard at its table."""

from __future__ import annotations

import struct
from collections import deque
from collections.abc import Iterable, Sequence
from math import inf

from msgspec.structs import replace

from hearts.game.cards import Card
from hearts.game.events import AbortHand, Action, CardsReceived, Deal, Pass, Play, YourHand
from hearts.game.rules import Rules
from hearts.game.view import view_of
from hearts.plain.seat import PlainSeat
from hearts.table.effects import (
    Announce,
    Ask,
    AskBot,
    Changed,
    Effect,
    GameBegun,
    Persist,
    Refuse,
    Show,
    TableEvent,
    Tell,
    TellAll,
)
from hearts.table.inputs import (
    Answered,
    ClientCameBack,
    ClientCaughtUp,
    ClientLeft,
    Durable,
    Input,
    Question,
    Setting,
    Tick,
)
from hearts.table.seat import Kind
from hearts.table.table import Table
from tests.table.desk import NAMES

END = 10_000


class Scene:
    """A table with clients that acknowledge at once, and all that comes to each seat."""

    def __init__(self, rules: Rules, kinds: Sequence[Kind], deals: Iterable[Deal]) -> None:
        setting = Setting(rules, END, 60, 100.0)
        players = list(zip(NAMES, kinds, strict=True))
        self.table = Table(setting, players, iter(deals).__next__)
        self.setting = setting
        self.computers = frozenset(p for p in range(4) if kinds[p] is Kind.COMPUTER)
        self.here = [kind is Kind.CLIENT for kind in kinds]
        """Which clients are connected."""
        self.heard: list[list[tuple[float, object]]] = [[] for _ in range(4)]
        """What came to each seat, and when: bytes, questions, notices, and views for its bot."""
        self.now = 0.0
        self._seats = [PlainSeat(player, self.computers) for player in range(4)]
        self._cards: list[list[Card]] = [[] for _ in range(4)]
        self._passed: list[list[int]] = [[] for _ in range(4)]
        self._asked: list[Question | None] = [None] * 4
        self._due: list[Question | None] = [None] * 4
        self.bots: dict[int, AskBot] = {}
        """What bots are to choose in place of players."""
        self._inputs: deque[Input] = deque()
        self._carry_out(self.table.start(self.now))
        self._run()

    # What the table wants

    def give(self, given: Input) -> None:
        self._inputs.append(given)
        self._run()

    def _run(self) -> None:
        while self._inputs:
            self._carry_out(self.table.step(self._inputs.popleft(), self.now))

    def _carry_out(self, effects: Iterable[Effect]) -> None:
        for effect in effects:
            match effect:
                case TellAll(event):
                    for player in range(4):
                        self._tell(player, event)
                case Tell(player, event):
                    self._tell(player, event)
                case Persist():
                    self._inputs.append(Durable())
                case Ask(player, question):
                    self._hear(player, effect)
                    if self.here[player]:
                        self._asked[player] = question
                        self._due[player] = question
                        assert self._seats[player].owe_choice(question)
                        self._inputs.append(ClientCaughtUp(player))
                case Refuse(player, reason):
                    self._hear(player, self._seats[player].refuse(reason))
                    self._due[player] = self._asked[player]
                case AskBot():
                    self._hear(effect.view.player, effect)
                    self.bots[effect.view.player] = effect
                case Announce():
                    for player in range(4):
                        self._hear(player, effect)
                case Show():
                    for player in range(4):
                        self._hear(player, effect)
                case Changed():
                    for player in range(4):
                        self._hear(player, effect)
                case _:
                    raise AssertionError(f"a {type(effect).__name__} in the middle of a game")

    def _hear(self, player: int, what: object) -> None:
        self.heard[player].append((self.now, what))

    def _tell(self, player: int, event: TableEvent) -> None:
        match event:
            case YourHand(_, _, cards):
                self._cards[player] = list(cards)
            case CardsReceived(cards):
                for index, card in zip(self._passed[player], cards, strict=True):
                    self._cards[player][index] = card
        if not self.here[player]:
            return
        seat = self._seats[player]
        data = seat.tell(event)
        if data:
            self._hear(player, data)
        self._inputs += self._acknowledge(player)

    def _acknowledge(self, player: int) -> list[Input]:
        """Send all that is owed before an open choice."""
        seat = self._seats[player]
        inputs: list[Input] = []
        while seat.owes and not seat.asked:
            due, self._due[player] = self._due[player], None
            if due is None:
                assert not seat.receive(struct.pack(">i", player))
            else:
                # Somebody else has chosen, and the client's own choice comes late.
                inputs += seat.receive(bytes(12 if due is Question.PASS else 4))
        return inputs

    # What the players do

    def choose(self, action: Action) -> None:
        """Let a player make a choice: with bytes, or a bot for whoever is not there."""
        assert not isinstance(action, Deal | AbortHand)
        player = action.player
        if isinstance(action, Pass) and player not in self.computers:
            self._passed[player] = [self._cards[player].index(card) for card in action.cards]
        if self.here[player] and player not in self.bots:
            match action:
                case Play(_, card):
                    self.say(player, self._cards[player].index(card))
                case Pass():
                    self.say(player, *self._passed[player])
                case _:
                    self.say(player, int(action.on_others))
            return
        if player not in self.bots:
            self.run_out(player)
        asked = self.bots.pop(player)
        self.give(Answered(asked.request, replace(action, by=asked.by)))

    def say(self, player: int, *numbers: int) -> None:
        """Send numbers in place of a choice."""
        self._due[player] = None
        for given in self._seats[player].receive(struct.pack(f">{len(numbers)}i", *numbers)):
            self.give(given)

    def run_out(self, player: int) -> None:
        """Let a player's clock run out, so that a bot is asked."""
        while player not in self.bots:
            assert self.table.wake_at < inf
            self.now = max(self.now, self.table.wake_at)
            self.give(Tick())

    def illegal(self, player: int) -> list[int]:
        """Hand indexes that the player may not play now, and some that mean nothing."""
        legal = view_of(self.table.game, player).legal
        return [i for i, card in enumerate(self._cards[player]) if not legal >> card & 1] + [13, -1]

    def leave(self, player: int) -> None:
        self.here[player] = False
        self._due[player] = None
        self.give(ClientLeft(player))

    def come_back(self, player: int, hands: int) -> None:
        """Be told what was missed on a new connection (SocketSpec.md section 5.6)."""
        seat = self._seats[player] = PlainSeat(player, self.computers)
        self.bots.pop(player, None)
        data = [seat.tell(GameBegun(self.setting))]
        late = self._acknowledge(player)
        for missed in self.table.past.replay(player, hands):
            data.append(seat.recall(missed))
            late += self._acknowledge(player)
            if isinstance(missed, Question):
                self._asked[player] = self._due[player] = missed
        self._hear(player, (self.table.past.decided(player, hands), b"".join(data)))
        self.here[player] = True
        self.give(ClientCameBack(player))
        for given in late:
            self.give(given)

"""Sessions by chance: steps in any order in which a table takes them from its store."""

from __future__ import annotations

import random
from collections.abc import Iterator

from hearts.bots import RandomBot
from hearts.game.cards import four
from hearts.game.cuts import NO_HASHES, ShownCuts, hash_of, shown_cuts
from hearts.game.deal import NO_CUTS
from hearts.game.events import AbortHand, ChooseMoon, ChosenBy, Deal, Pass, Play
from hearts.game.game import Game, Phase
from hearts.game.rules import Rules
from hearts.game.view import view_of
from hearts.table.inputs import AnswerAgain
from hearts.table.seat import Kind
from hearts.table.steps import AbandonGame, AskAgain, NewRules, Promise, SeatChange, Step
from tests.game.games import deal_by

_NAMES = ("Eve", "É" * 30, "Ω x", "𝄞" * 30)


class SessionByChance:
    """One session; it chooses who chose, and how often what is rare comes between."""

    def __init__(
        self, rules: Rules, other_rules: Rules, end_score: int, seed: int, more: float = 0.9
    ) -> None:
        """``more`` is how likely another game follows each."""
        self.games = [(rules, end_score)]
        """The rules of each game, and where it ends."""
        self._source = source = random.Random(seed)
        self._bot = RandomBot(source.random)
        self._other = other_rules
        self._more = more
        self._rarely = source.choice([0.0, 0.01, 0.3])
        """How often rules are agreed on, seats change hands, deals are promised."""
        self._marks = source.choice(["player", "seat", "choice"])
        self._seats = [source.choice(list(ChosenBy)) for _ in range(4)]

    def steps(self, hands: int) -> Iterator[Step]:
        """The steps of some hands, and of some cards more."""
        source = self._source
        agreed: tuple[Rules, int] | None = None
        while True:
            game = Game(*self.games[-1])
            while game.phase is not Phase.OVER:
                if game.phase is Phase.DEAL:
                    hands -= 1
                    yield from self._before_deal()
                elif source.random() < self._rarely / 10:
                    game.check(AbortHand())
                    game.apply(AbortHand())
                    yield AbortHand()
                    if source.random() < self._rarely:
                        break
                    continue
                for new_rules in self._new_rules():
                    agreed = new_rules.rules, new_rules.end_score
                    yield new_rules
                action = self._action(game)
                if hands < 0 and source.random() < 0.02:
                    return
                game.check(action)
                game.apply(action)
                yield action
            if game.phase is not Phase.OVER:
                yield AbandonGame()
                self.games.append(agreed or self.games[-1])
                agreed = None
                continue
            asked = source.choice([None, 0, 1, 2, 3])
            answer = AnswerAgain(source.randrange(-1, 4), source.random() < self._more, self._by(0))
            for step in (AskAgain(asked), answer):
                for new_rules in self._new_rules():
                    agreed = new_rules.rules, new_rules.end_score
                    yield new_rules
                yield step
            if not answer.yes:
                return
            self.games.append(agreed or self.games[-1])
            agreed = None

    def _new_rules(self) -> Iterator[NewRules]:
        if self._source.random() < self._rarely / 10:
            yield NewRules(self._other, self._source.choice([1, 60, 10_000]))

    def _before_deal(self) -> Iterator[Step]:
        source = self._source
        self._promised: bytes | None = None
        self._shown: ShownCuts | None = None
        if source.random() < self._rarely:
            kind = source.choice(list(Kind))
            process_id = source.choice([0, 2**31 - 1])
            yield SeatChange(source.randrange(4), kind, process_id, source.choice(_NAMES))
        if source.random() < self._rarely:
            self._promised = source.randbytes(16)
            self._shown = self._shown_by_chance()
            yield Promise(self._promised, self._shown.hashes)

    def _shown_by_chance(self) -> ShownCuts:
        """What players show: a value, nothing, or nothing of what was promised."""
        source = self._source
        while True:
            values = [source.choice([b"", source.randbytes(32)]) for _ in range(4)]
            others = [source.choice([b"", source.randbytes(32)]) for _ in range(4)]
            pairs = zip(values, others, strict=True)
            hashes = four(hash_of(value) if value else other for value, other in pairs)
            if hashes != NO_HASHES:
                return shown_cuts(hashes, values)

    def _action(self, game: Game) -> Deal | Pass | Play | ChooseMoon:
        source = self._source
        if game.phase is Phase.DEAL:
            if self._promised is not None and self._shown is not None:
                return Deal.from_shown(self._promised, self._shown)
            if source.random() < self._rarely:
                return deal_by(source)
            secret = source.choice([bytes(16), source.randbytes(16)])
            cuts = source.randbytes(32) if source.random() < self._rarely else NO_CUTS
            return Deal.from_secret(secret, cuts)
        player = source.choice(game.waiting_for())
        view, by = view_of(game, player), self._by(player)
        if game.phase is Phase.PASS:
            return Pass(player, self._bot.choose_pass(view), by)
        if game.phase is Phase.MOON:
            return ChooseMoon(player, self._bot.choose_moon(view), by)
        return Play(player, self._bot.choose_card(view), by)

    def _by(self, player: int) -> ChosenBy:
        match self._marks:
            case "player":
                return ChosenBy.PLAYER
            case "seat":
                return self._seats[player]
            case _:
                return self._source.choice(list(ChosenBy))

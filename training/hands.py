"""Hands with labels: the compiled search's cost of each card and pass, at each choice of a hand."""

from __future__ import annotations

import random
import zlib
from collections.abc import Sequence
from itertools import combinations
from multiprocessing import get_context
from pathlib import Path

import msgspec
from msgspec.structs import replace

from hearts.bots import SimpleBot
from hearts.bots.passing import by_trouble
from hearts.bots.search.compiled import compiled_engine
from hearts.bots.search.position import position_of
from hearts.bots.search.search import SearchBot, Strength
from hearts.game.cards import Card, cards_of
from hearts.game.events import Deal, Pass, Play
from hearts.game.game import PASS_SIZE, Game, Phase
from hearts.game.rules import parse_rules
from hearts.game.scoring import points_by
from hearts.game.view import View, view_of

WORLDS = 150
UNIT = 100
"""Costs are kept in parts of a point of the standard game."""
SHARES = (
    (50, "standard"),
    (11, "queen-keeps"),
    (5, "mactech98"),
    (8, "mac2000"),
    (8, "windows93"),
    (9, "spot-hearts"),
    (5, "notrick"),
    (2, "jack,notrick,bleed"),
    (2, "rotate,queen-keeps"),
)
"""The rules of the hands, with their shares."""
POOL = 9
"""Cards of a hand, by trouble, of which passes are looked at."""
MANY = 200
"""Hands in a file."""


class LabelledHand(msgspec.Struct, frozen=True, array_like=True):
    """A hand that was played, with what the choices in it cost."""

    rules: str
    hand_number: int
    dealt: tuple[int, ...]
    passes: tuple[tuple[int, ...], ...]
    plays: tuple[int, ...]
    pass_costs: dict[int, list[int]]
    """By players: the cost of each pass of three of the pool."""
    card_costs: dict[int, list[int]]
    """By the number of the play: the cost of each legal card, in the order of the cards."""
    simple: dict[int, int] = {}
    """The card of the simple bot, by the number of the play."""


class Teacher(SearchBot):
    """The search, for the costs of all choices; none is dropped."""

    def pass_costs(self, view: View) -> list[float]:
        """Return the cost of each pass of three cards of the pool, in the order of
        combinations.
        """
        ranked = by_trouble(view.hand, view.rules)[: self._strength.pass_pool]
        passes = list(combinations(ranked, PASS_SIZE))
        rows = self._look_at_passes(position_of(view), passes)
        sums = [total / rows.done for total in rows.totals]
        return [min(sums[at : at + rows.modes]) for at in range(0, len(sums), rows.modes)]


class HandPlayer:
    """Plays hands with all choices labelled; those who play are now good, now not."""

    def __init__(self, seed: str) -> None:
        self._chance = random.Random(seed)
        strength = Strength(WORLDS, WORLDS, exact_cards=16, exact_worlds=100)
        self._teacher = Teacher(compiled_engine(), self._chance.random, strength)
        self._simple = SimpleBot()

    def hand(self) -> LabelledHand:
        chance = self._chance
        text = chance.choices([name for _, name in SHARES], [share for share, _ in SHARES])[0]
        game = Game(parse_rules(text), 100_000)
        game.hand_number = chance.randrange(4) - 1
        game.apply(Deal.from_secret(chance.randbytes(16)))
        hand = LabelledHand(text, game.hand_number, game.dealt, (), (), {}, {}, {})
        wild = [chance.choice((0.0, 0.0, 0.0, 0.05, 0.15)) for _ in range(4)]
        simple = [chance.random() < 0.15 for _ in range(4)]
        while game.phase in (Phase.PASS, Phase.PLAY) and len(game.history) < 48:
            player = game.waiting_for()[0]
            view = view_of(game, player)
            is_wild = chance.random() < wild[player]
            if game.phase is Phase.PASS:
                game.apply(Pass(player, self._pass(view, hand, simple[player], is_wild)))
            else:
                game.apply(Play(player, self._card(view, hand, simple[player], is_wild)))
        passes = tuple(tuple(map(int, cards or ())) for cards in game.passes)
        return replace(hand, passes=passes, plays=tuple(map(int, game.history)))

    def _pass(self, view: View, hand: LabelledHand, simple: bool, wild: bool) -> tuple[Card, ...]:
        ranked = by_trouble(view.hand, view.rules)
        if wild:
            return tuple(self._chance.sample(ranked, PASS_SIZE))
        if simple or self._chance.random() < 0.4:
            return ranked[:PASS_SIZE]
        costs = self._teacher.pass_costs(view)
        hand.pass_costs[view.player] = _kept(costs, view)
        return list(combinations(ranked[:POOL], PASS_SIZE))[costs.index(min(costs))]

    def _card(self, view: View, hand: LabelledHand, simple: bool, wild: bool) -> Card:
        cards = tuple(cards_of(view.legal))
        if len(cards) == 1:
            return cards[0]
        expected = self._teacher.card_costs(position_of(view))
        hand.card_costs[len(view.history)] = _kept(expected, view)
        by_rule = self._simple.choose_card(view)
        hand.simple[len(view.history)] = int(by_rule)
        if wild:
            return self._chance.choice(cards)
        return by_rule if simple else cards[expected.index(min(expected))]


def read_hands(path: Path) -> list[LabelledHand]:
    return msgspec.msgpack.decode(zlib.decompress(path.read_bytes()), type=list[LabelledHand])


def _kept(costs: Sequence[float], view: View) -> list[int]:
    """Return costs in whole parts of a point, as if a moon had 26."""
    scale = UNIT * 26 / points_by(view.rules).moon
    return [round(cost * scale) for cost in costs]


def played(folder: Path, hands: int, seed: int, processes: int) -> list[Path]:
    """Play the hands that a folder lacks; return the files of all, which depend on no process."""
    folder.mkdir(parents=True, exist_ok=True)
    files = [
        (folder / f"{seed}-{begin}-{end}.hands", f"{seed}.{begin}", end - begin)
        for begin in range(0, hands, MANY)
        for end in [min(begin + MANY, hands)]
    ]
    compiled_engine()
    with get_context("spawn").Pool(processes) as pool:
        pool.starmap(_write, [file for file in files if not file[0].exists()], 1)
    return [path for path, _, _ in files]


def _write(path: Path, seed: str, many: int) -> None:
    player = HandPlayer(seed)
    written = path.with_suffix(".part")
    written.write_bytes(zlib.compress(msgspec.msgpack.encode([player.hand() for _ in range(many)])))
    written.rename(path)

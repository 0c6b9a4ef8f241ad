"""The odds of hearts/bots/search/odds.py, learned from what searches found.

``python -m tests.bench.learning play FILE --hands 4000 --seed 1`` has searches play, and writes
what they expect of each legal card. ``python -m tests.bench.learning fit FILE...`` finds the odds
that choose cheapest on average and writes them into odds.py. ``play --learned`` searches with the
odds that are there, so that the two can be done in turn. Both need numba.
"""

from __future__ import annotations

import argparse
import math
import random
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from hearts.bots.levels import expert
from hearts.bots.search import odds
from hearts.bots.search.bot import SearchBot
from hearts.bots.search.learned import PLACES, hidden_from, moon_place, places, queen_place
from hearts.bots.search.playing import HANDS, TURN
from hearts.bots.search.position import state_of
from hearts.game.cards import Card
from hearts.game.events import Deal, Pass, Play
from hearts.game.game import Game, Phase
from hearts.game.rules import STANDARD
from hearts.game.view import View, view_of

WORLDS = 150
"""Worlds of each choice; they need not be many, for chance in them evens out over the choices."""
PASS_WORLDS = 60
WHIM = 0.04
"""How often a card is played by chance, so that positions come that good play does not reach."""
FIRMNESS = 0.15
"""Points by which choosing by chance may cost more, for each unit of entropy that it brings."""
ROUNDS = 12
TOGETHER = 64
"""Choices that are looked at for one step."""
STEP = 0.3
HELD_OUT = 0.1
"""The last part of the choices, which the odds are judged by and not fitted to."""

_Made = Callable[[bool], SearchBot]


class Choices:
    """Choices among cards: the places in the tables for each card, and what the card costs."""

    def __init__(self, states: Any, costs: Any) -> None:
        """From rows of :func:`played`."""
        begins: list[int] = []
        rows: list[tuple[int, int, int, int]] = []
        prices: list[float] = []
        for state, row in zip(states.tolist(), costs, strict=True):
            begins.append(len(rows))
            cards = [card for card in range(52) if not np.isnan(row[card])]
            mask = sum(1 << card for card in cards)
            hand, out = state[HANDS + state[TURN]], hidden_from(state)
            queen, moon = queen_place(hand, out), moon_place(state)
            rows += [places(state, mask, card, hand, out, queen, moon) for card in cards]
            prices += [float(row[card]) for card in cards]
        self.begins = np.array([*begins, len(rows)])
        """Where the cards of each choice begin, and the end of the last."""
        self.places = np.array(rows)
        self.costs = np.array(prices)

    def __len__(self) -> int:
        return len(self.begins) - 1

    def part(self, first: int, last: int, weights: Any) -> tuple[Any, Any, Any, Any, Any]:
        """Of some choices: begins, choice of each card, its places, chances, and cost."""
        begin, end = self.begins[first], self.begins[last]
        begins = self.begins[first:last] - begin
        which = np.repeat(np.arange(last - first), np.diff(self.begins[first : last + 1]))
        rows = self.places[begin:end]
        logs = weights[rows].sum(axis=1)
        chances = np.exp(logs - np.maximum.reduceat(logs, begins)[which])
        chances /= np.add.reduceat(chances, begins)[which]
        return begins, which, rows, chances, self.costs[begin:end]


def choices_by(hands: int, seed: int, *, learned: bool) -> Iterator[tuple[View, dict[Card, float]]]:
    """What searches that do not shoot expect of each legal card, hand by hand.

    In half of the hands one player shoots; his own choices are left out.
    """
    source = random.Random(seed)

    def made(shoots: bool) -> SearchBot:
        return expert(source.random, WORLDS, PASS_WORLDS, shoots=shoots, learned=learned)

    ducking, shooting = made(False), made(True)
    for number in range(hands):
        game = Game(STANDARD, 10_000)
        game.hand_number = number % 4 - 1
        game.apply(Deal.from_secret(source.randbytes(16)))
        shooter = source.randrange(8)
        while game.phase in (Phase.PASS, Phase.PLAY):
            player = game.waiting_for()[0]
            view, bot = view_of(game, player), shooting if player == shooter else ducking
            if game.phase is Phase.PASS:
                game.apply(Pass(player, bot.choose_pass(view)))
                continue
            cards = view.legal_cards
            card = cards[0]
            if len(cards) > 1:
                outlook = bot.outlook(view)
                card = outlook.best.card
                if player != shooter:
                    yield view, {one.card: one.cost for one in outlook.cards}
                    if source.random() < WHIM:
                        card = source.choice(cards)
            game.apply(Play(player, card))


def played(hands: int, seed: int, *, learned: bool) -> tuple[Any, Any]:
    """Choices as rows: the state of each, and what each card costs, NaN where it is not legal."""
    states, costs = [], []
    for view, found in choices_by(hands, seed, learned=learned):
        states.append(state_of(view))
        costs.append([found.get(Card(card), math.nan) for card in range(52)])
    return np.array(states), np.array(costs, dtype=np.float32)


def fitted(choices: Choices) -> Any:
    """The logarithms of the odds with the least mean cost, less what chance in them is worth."""
    weights, squares = np.zeros(PLACES), np.full(PLACES, 1e-6)
    fit = int(len(choices) * (1 - HELD_OUT))
    order = np.random.default_rng(0)
    for number in range(ROUNDS):
        step = STEP / (1 + number / 2)
        for block in order.permutation(fit // TOGETHER):
            first = int(block) * TOGETHER
            begins, which, rows, chances, costs = choices.part(first, first + TOGETHER, weights)
            worth = costs + FIRMNESS * np.log(chances + 1e-9)
            mean = np.add.reduceat(chances * worth, begins)[which]
            change = np.zeros(PLACES)
            np.add.at(change, rows, (chances * (worth - mean))[:, None])
            squares += change**2
            weights -= step * change / np.sqrt(squares)
        print(f"round {number + 1}: {regret(choices, weights, fit):.3f} points", flush=True)
    return weights


def regret(choices: Choices, weights: Any, first: int) -> float:
    """What a choice costs more than the one that seemed best, on average, from ``first`` on."""
    begins, _, _, chances, costs = choices.part(first, len(choices), weights)
    means = np.add.reduceat(chances * costs, begins)
    return float((means - np.minimum.reduceat(costs, begins)).mean())


def written(weights: Sequence[float]) -> str:
    """The odds as a text, with a letter for each."""
    last = len(odds.ALPHABET) - 1
    steps = (round(weight / odds.STEP) + odds.MIDDLE for weight in weights)
    return "".join(odds.ALPHABET[min(max(step, 0), last)] for step in steps)


def write_odds(text: str, path: Path) -> None:
    """Put a text in place of the one in odds.py."""
    before, _, rest = path.read_text().partition("TEXT = (\n")
    lines = "".join(f'    "{text[at : at + 92]}"\n' for at in range(0, len(text), 92))
    path.write_text(f"{before}TEXT = (\n{lines}){rest.partition(')')[2]}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parts = parser.add_subparsers(dest="part", required=True)
    play = parts.add_parser("play")
    play.add_argument("file", type=Path)
    play.add_argument("--hands", type=int, default=4000)
    play.add_argument("--seed", type=int, default=1)
    play.add_argument("--learned", action="store_true")
    fit = parts.add_parser("fit")
    fit.add_argument("files", type=Path, nargs="+")
    options = parser.parse_args()
    if options.part == "play":
        states, costs = played(options.hands, options.seed, learned=options.learned)
        np.savez(options.file, states=states, costs=costs)
        return
    files = [np.load(path) for path in options.files]
    states, costs = (np.concatenate([file[name] for file in files]) for name in ("states", "costs"))
    write_odds(written(fitted(Choices(states, costs))), Path(odds.__file__))


if __name__ == "__main__":
    main()

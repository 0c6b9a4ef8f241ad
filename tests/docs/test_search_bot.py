"""The search bot of hearts/bots/search/README.md: legal under all rules, and no fool."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

from hearts.bots import Bot, RandomBot
from hearts.game.game import Game
from hearts.game.rules import STANDARD, Rules
from hearts.game.scoring import Four
from tests.game.games import deal_by, rules_by
from training.matches import play_hand

TEXT = Path(__file__).parents[2] / "hearts" / "bots" / "search" / "README.md"
PROGRAM = TEXT.read_text(encoding="utf-8").split("```python\n")[1].split("```")[0]


def _bot(source: random.Random) -> Bot:
    names: dict[str, Any] = {"__name__": "flat_search"}
    exec(compile(PROGRAM, str(TEXT), "exec"), names)
    bot: Bot = names["FlatSearch"](source.random)
    return bot


def _hand(bots: list[Bot], rules: Rules, source: random.Random) -> Four:
    game = Game(rules)
    game.apply(deal_by(source))
    return play_hand(game, bots)


def test_it_plays_by_all_rules() -> None:
    source = random.Random(3)
    bot = _bot(source)
    for _ in range(4):
        others: list[Bot] = [RandomBot(source.random) for _ in range(3)]
        _hand([bot, *others], rules_by(source), source)


def test_it_beats_chance() -> None:
    source = random.Random(4)
    bot = _bot(source)
    scores = [
        _hand([bot, *[RandomBot(source.random) for _ in range(3)]], STANDARD, source)
        for _ in range(12)
    ]
    own = sum(score[0] for score in scores) / len(scores)
    others = sum(sum(score[1:]) for score in scores) / len(scores) / 3
    assert own < others - 4

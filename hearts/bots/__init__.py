"""What bots think: players that choose from a view, without input or output of their own."""

from __future__ import annotations

from .levels import expert, strong
from .novice import NoviceBot
from .player import Bot, BotFactory, Draw, MoonBot, choose_moon
from .random_bot import RandomBot
from .simple import SimpleBot

BOTS: dict[str, BotFactory] = {
    "random": RandomBot,
    "novice": NoviceBot,
    "simple": lambda draw: SimpleBot(),
    "strong": strong,
    "expert": expert,
}
"""The bots that come with the project, by name, the weakest first."""

__all__ = [
    "BOTS", "Bot", "BotFactory", "Draw", "MoonBot", "NoviceBot", "RandomBot", "SimpleBot",
    "choose_moon",
]  # fmt: skip

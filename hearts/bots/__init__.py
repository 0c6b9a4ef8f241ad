"""The bots: players that choose from a view, without input or output of their own."""

from __future__ import annotations

from .levels import expert, strong, swift
from .novice import NoviceBot as NoviceBot
from .player import Bot as Bot
from .player import BotFactory as BotFactory
from .player import Draw as Draw
from .player import MoonBot as MoonBot
from .player import choose_moon as choose_moon
from .random_bot import RandomBot as RandomBot
from .simple import SimpleBot as SimpleBot

BOTS: dict[str, BotFactory] = {
    "random": RandomBot,
    "novice": NoviceBot,
    "simple": lambda draw: SimpleBot(),
    "strong": strong,
    "expert": expert,
    "swift": swift,
}
"""The bots that come with the project, by name."""

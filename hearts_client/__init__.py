"""Play Hearts over the wire: what the author of a bot imports.

A bot is a class with ``choose_pass(view)`` and ``choose_card(view)``; ``run_bot(MyBot)`` makes a
program of it. :func:`connect` is the road for everything else.
"""

from __future__ import annotations

from hearts.bots import Bot, MoonBot, RandomBot, SimpleBot
from hearts.dealer.answers import Introduction
from hearts.dealer.client_events import DealChecked, DealerEvent, Declined, Watching
from hearts.dealer.numbers import PlayerKind
from hearts.errors import HeartsError, Reason, RemoteProtocolError
from hearts.game.cards import CARDS, Card, Suit
from hearts.game.rules import Rules, parse_rules
from hearts.game.view import View
from hearts.session.client_events import (
    CameBack,
    CaughtUp,
    ChoiceRefused,
    ChoiceTerms,
    ClientEvent,
    ConnectionLost,
    RegistrationRefused,
    SessionEnded,
    YourChoice,
)
from hearts.session.messages import Options
from hearts.session.progress import Progress
from hearts.table.inputs import Question

from .commands.bot import run_bot
from .library.client import Client
from .library.connecting import connect
from .library.dialects import Dialect
from .library.playing import BotError, GameResult, SessionResult, play_session
from .library.reach import CannotConnect, Tls
from .library.watching import Watcher, watch

__all__ = [
    "CARDS",
    "Bot",
    "BotError",
    "CameBack",
    "CannotConnect",
    "Card",
    "CaughtUp",
    "ChoiceRefused",
    "ChoiceTerms",
    "Client",
    "ClientEvent",
    "ConnectionLost",
    "DealChecked",
    "DealerEvent",
    "Declined",
    "Dialect",
    "GameResult",
    "HeartsError",
    "Introduction",
    "MoonBot",
    "Options",
    "PlayerKind",
    "Progress",
    "Question",
    "RandomBot",
    "Reason",
    "RegistrationRefused",
    "RemoteProtocolError",
    "Rules",
    "SessionEnded",
    "SessionResult",
    "SimpleBot",
    "Suit",
    "Tls",
    "View",
    "Watcher",
    "Watching",
    "YourChoice",
    "connect",
    "parse_rules",
    "play_session",
    "run_bot",
    "watch",
]

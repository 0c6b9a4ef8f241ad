"""Play Hearts over the wire: what the author of a bot imports.

A bot is a class with ``choose_pass(view)`` and ``choose_card(view)``; ``run_bot(MyBot)`` makes a
program of it. :func:`connect` is the road for everything else; README.md in this folder has
its events.
"""

from __future__ import annotations

from hearts.bots import Bot, MoonBot, RandomBot, SimpleBot
from hearts.dealer.answers import Introduction
from hearts.dealer.client_events import DealChecked, DealerEvent, Declined, Watching
from hearts.dealer.messages import (
    AbortGame,
    DoneHand,
    InvitableCount,
    InvitableMessage,
    InvitationMessage,
    InvitationOver,
    PlayerChange,
    PlayerCommentMessage,
    RegisterOpponents,
    SeatMoved,
    ServerNotice,
    TableMessage,
    TablesMessage,
    Taken,
    Waiting,
)
from hearts.dealer.numbers import PlayerKind, Presence
from hearts.dealer.structures import PlayerInfo
from hearts.errors import HeartsError, Reason, RemoteProtocolError
from hearts.game.cards import CARDS, Card, Suit
from hearts.game.events import (
    CardPlayed,
    CardsReceived,
    ChosenBy,
    HandBegun,
    MoonChosen,
    PassMade,
    TrickBegun,
    TricksDone,
    TrickTaken,
    YourHand,
)
from hearts.game.rules import Direction, Rules, parse_rules
from hearts.game.view import View
from hearts.session.client_events import (
    AgainAnswered,
    AnotherGame,
    CameBack,
    CaughtUp,
    ChoiceRefused,
    ChoiceTerms,
    ClientEvent,
    ConnectionLost,
    Refused,
    RegistrationRefused,
    ScoresSoFar,
    Seated,
    SessionEnded,
    TableLooked,
    TablesListed,
    WaitingForPlayers,
    YourChoice,
)
from hearts.session.hand import SeenHand, ShownTrick
from hearts.session.messages import ListedTable, LookedTable, Options, Scores, TableInfo
from hearts.session.picture import Picture
from hearts.session.resume_token import ResumeToken
from hearts.table import (
    Abort,
    AbortProposed,
    AbortRefused,
    Change,
    DealDisclosed,
    DealPromised,
    GameAborted,
    HandAborted,
    Question,
    RestClaimed,
    RulesAgreed,
    RulesProposed,
    RulesRefused,
    SeatKept,
    SeatWanted,
)

from .commands.bot import run_bot
from .library.client import Client
from .library.connecting import connect
from .library.dialects import Dialect
from .library.playing import BotError, GameResult, SessionResult, play_session
from .library.reach import CannotConnect, Tls
from .library.watching import Watcher, watch

__all__ = [
    "CARDS",
    "Abort",
    "AbortGame",
    "AbortProposed",
    "AbortRefused",
    "AgainAnswered",
    "AnotherGame",
    "Bot",
    "BotError",
    "CameBack",
    "CannotConnect",
    "Card",
    "CardPlayed",
    "CardsReceived",
    "CaughtUp",
    "Change",
    "ChoiceRefused",
    "ChoiceTerms",
    "ChosenBy",
    "Client",
    "ClientEvent",
    "ConnectionLost",
    "DealChecked",
    "DealDisclosed",
    "DealPromised",
    "DealerEvent",
    "Declined",
    "Dialect",
    "Direction",
    "DoneHand",
    "GameAborted",
    "GameResult",
    "HandAborted",
    "HandBegun",
    "HeartsError",
    "Introduction",
    "InvitableCount",
    "InvitableMessage",
    "InvitationMessage",
    "InvitationOver",
    "ListedTable",
    "LookedTable",
    "MoonBot",
    "MoonChosen",
    "Options",
    "PassMade",
    "Picture",
    "PlayerChange",
    "PlayerCommentMessage",
    "PlayerInfo",
    "PlayerKind",
    "Presence",
    "Question",
    "RandomBot",
    "Reason",
    "Refused",
    "RegisterOpponents",
    "RegistrationRefused",
    "RemoteProtocolError",
    "RestClaimed",
    "ResumeToken",
    "Rules",
    "RulesAgreed",
    "RulesProposed",
    "RulesRefused",
    "Scores",
    "ScoresSoFar",
    "SeatKept",
    "SeatMoved",
    "SeatWanted",
    "Seated",
    "SeenHand",
    "ServerNotice",
    "SessionEnded",
    "SessionResult",
    "ShownTrick",
    "SimpleBot",
    "Suit",
    "TableInfo",
    "TableLooked",
    "TableMessage",
    "TablesListed",
    "TablesMessage",
    "Taken",
    "Tls",
    "TrickBegun",
    "TrickTaken",
    "TricksDone",
    "View",
    "Waiting",
    "WaitingForPlayers",
    "Watcher",
    "Watching",
    "YourChoice",
    "YourHand",
    "connect",
    "parse_rules",
    "play_session",
    "run_bot",
    "watch",
]

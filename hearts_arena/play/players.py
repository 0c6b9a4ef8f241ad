"""Players of a tournament: their texts on the command line, and the making of their bots."""

from __future__ import annotations

import importlib
import inspect
import random
import shlex
import shutil
import sys
from collections.abc import Callable, Sequence
from typing import Protocol, assert_never, cast

from msgspec import Struct
from msgspec.structs import replace

from hearts.bots import BOTS, Bot, Draw, RandomBot, SimpleBot, choose_moon
from hearts.errors import HeartsError
from hearts.game.cards import Card
from hearts.game.scoring import Four
from hearts.game.view import View
from hearts_arena.plan.plan import Plan

from .line_bot import LineBot, LineProgram

_COMMAND = "cmd:"
_LINES = "--line"
_CONNECTS = "wire:"
_BLUNDER = "blunder"
HANDS_TO_HANG = 10
"""After so many limits of a hand a class that does not come back from one call is hung."""

Value = int | float | bool | str


class BadPlayer(HeartsError):
    """A player of the command line that cannot be had; the text says why."""


class ArenaBot(Bot, Protocol):
    """The whole life of a player that is a Python class; all but the two of Bot may be missing.

    Each match has an object of its own for each seat, so nothing can be learned from one match for
    another, and the order in which they are played does not matter. With ``--keep-players`` an
    object plays all matches, and begin_tournament comes once; a player with two seats at a table
    has two objects.
    """

    def begin_tournament(self, players: int, end_score: int) -> None:
        """Prepare for a tournament of so many players, as far as this object plays in it.

        ``end_score`` is that of its views: out of reach if a number of hands is played.
        """
        ...

    def begin_game(self, names: Sequence[str], seat: int) -> None:
        """Take the names in seats 0-3, and the seat of this player."""
        ...

    def choose_moon(self, view: View) -> bool:
        """Return True for 26 on each of the others, False for 26 off the own score."""
        ...

    def trick_taken(self, cards: Sequence[Card], leader: int, winner: int) -> None:
        """Take note of a complete trick: its four cards from the leader on, and the player who took
        it.
        """
        ...

    def hand_done(self, points: Four, scores: Four) -> None:
        """Take note of a hand that is over: its additions to the scores, and the scores after
        it.
        """
        ...


class BuiltIn(Struct, frozen=True, gc=False):
    name: str
    blunder: float = 0.0
    """The probability that a choice is made by chance instead."""


class OwnClass(Struct, frozen=True, gc=False):
    module: str
    name: str
    settings: tuple[tuple[str, Value], ...] = ()
    """Arguments that the class is called with, by keyword."""


class OwnProgram(Struct, frozen=True, gc=False):
    """A program that the arena starts, and that speaks SocketSpec.md."""

    line: str


class Connects(Struct, frozen=True, gc=False):
    """A program that connects by itself, to a port of its own."""

    port: int


InProcess = BuiltIn | OwnClass | LineProgram
"""Players that are asked by a call, and need no socket."""
OnWire = OwnProgram | Connects
Player = InProcess | OnWire

BotMaker = Callable[[int], Bot]
"""Makes a bot for one seat of one match; the number is the seed of all its randomness."""


def parse_player(text: str) -> Player:
    """Read the text of a player, such as ``simple,blunder=0.1`` or ``module:Class,depth=3``.

    Raises BadPlayer, saying what is wrong and what is possible.
    """
    if text.startswith(_COMMAND):
        line = text.removeprefix(_COMMAND).strip()
        first, _, rest = line.partition(" ")
        if first == _LINES:
            line = rest.strip()
        if not line:
            raise BadPlayer(f"{text!r} names no command")
        return LineProgram(line) if first == _LINES else OwnProgram(line)
    if text.startswith(_CONNECTS):
        port = text.removeprefix(_CONNECTS)
        if not (port.isascii() and port.isdecimal() and 1 <= int(port[:6]) <= 65535):
            raise BadPlayer(f"{text!r} names no port from 1 to 65535")
        return Connects(int(port))
    name, *words = (word.strip() for word in text.split(","))
    settings = tuple(map(_setting, words))
    if name in BOTS:
        return _built_in(name, settings)
    module, _, class_name = name.partition(":")
    if not (module and class_name.isidentifier()):
        raise BadPlayer(
            f"there is no player {name!r}: give {', '.join(BOTS)}, MODULE:CLASS, "
            f"{_COMMAND}COMMAND or {_CONNECTS}PORT"
        )
    return OwnClass(module, class_name, settings)


def _setting(text: str) -> tuple[str, Value]:
    name, equals, value = text.partition("=")
    if not (name.isidentifier() and equals):
        raise BadPlayer(f"{text!r} is no setting: give NAME=VALUE")
    if value in ("true", "false"):
        return name, value == "true"
    for kind in (int, float):
        try:
            return name, kind(value)
        except ValueError:
            continue
    return name, value


def _built_in(name: str, settings: tuple[tuple[str, Value], ...]) -> BuiltIn:
    blunder = 0.0
    for setting, value in settings:
        if setting != _BLUNDER:
            raise BadPlayer(f"{name} has no setting {setting!r}, only {_BLUNDER}=0..1")
        if isinstance(value, bool | str) or not 0 <= value <= 1:
            raise BadPlayer(f"{_BLUNDER} is a number from 0 to 1, not {value}")
        blunder = float(value)
    return BuiltIn(name, blunder)


def maker_of(player: InProcess) -> BotMaker:
    """Make a maker of a player's bots. Raises BadPlayer if its class cannot be had, MissingExtra if
    a library is missing that a bot of the project needs.

    A class is looked for in the current folder too. It is called with its settings as keywords,
    and if it has a parameter ``draw`` with the seat's own source of randomness: each call gives a
    number from 0 to below 1.
    """
    match player:
        case BuiltIn("simple", 0.0):
            return lambda seed: SimpleBot()
        case BuiltIn(name, 0.0):
            BOTS[name](random.Random(0).random)
            return lambda seed: BOTS[name](random.Random(seed).random)
        case BuiltIn(name, blunder):
            return lambda seed: Blunderer(name, random.Random(seed).random, blunder)
        case OwnClass():
            return _maker_of_class(player)
        case LineProgram():
            # It may answer what is no choice, as any player may.
            return lambda seed: cast(Bot, LineBot(player, seed))
        case _:
            assert_never(player)


class Blunderer:
    """A bot that makes some of its choices by chance, every possibility alike."""

    __slots__ = ("_bot", "_chance", "_draw", "_share")

    def __init__(self, name: str, draw: Draw, share: float) -> None:
        self._bot = BOTS[name](draw)
        self._chance = RandomBot(draw)
        self._draw = draw
        self._share = share

    def _one(self) -> Bot:
        return self._chance if self._draw() < self._share else self._bot

    def choose_pass(self, view: View) -> Sequence[Card]:
        return self._one().choose_pass(view)

    def choose_card(self, view: View) -> Card:
        return self._one().choose_card(view)

    def choose_moon(self, view: View) -> bool:
        return choose_moon(self._one(), view)


def _maker_of_class(player: OwnClass) -> BotMaker:
    made = _class_of(player)
    settings = dict(player.settings)
    try:
        wants_draw = "draw" in inspect.signature(made).parameters and "draw" not in settings
    except (TypeError, ValueError):
        wants_draw = False
    if wants_draw:
        return lambda seed: made(**settings, draw=random.Random(seed).random)
    return lambda seed: made(**settings)


def players_of(plan: Plan) -> list[Player]:
    """Return the players of a plan, with their rules and limits. Raises BadPlayer."""
    players: list[Player] = []
    for number, entrant in enumerate(plan.entrants):
        player = parse_player(entrant.spec)
        if isinstance(player, LineProgram):
            move, _ = plan.limits_of(number)
            player = _of_plan(plan, number, LineProgram(player.line, move=move))
        players.append(player)
    return players


def in_own_process(plan: Plan, number: int) -> LineProgram:
    """Return an entrant that is a class, as a program of the line protocol."""
    words = [sys.executable, "-m", "hearts_arena.play.engine", plan.entrants[number].spec]
    return _of_plan(plan, number, LineProgram(shlex.join(words), is_trusted=True), HANDS_TO_HANG)


def _of_plan(plan: Plan, number: int, player: LineProgram, hands: int = 1) -> LineProgram:
    """Give a program the rules of a plan, and the time of so many hands."""
    _, hand = plan.limits_of(number)
    end = plan.end_score if plan.hands is None else None
    return replace(player, rules=str(plan.rules), end=end, hand=hands * hand)


def check_players(plan: Plan) -> None:
    """See that all players of a plan can be had, as far as that can be known without playing.

    Raises BadPlayer.
    """
    for entrant in plan.entrants:
        match parse_player(entrant.spec):
            case BuiltIn() | OwnClass() as player:
                maker_of(player)
            case OwnProgram() | Connects() if plan.keeps_players:
                raise BadPlayer(
                    f"{entrant.name!r} is a program on the wire: players that are kept are called"
                )
            case OwnProgram(line) | LineProgram(line):
                _check_command(line)
            case Connects():
                pass
            case player:
                assert_never(player)


def _check_command(line: str) -> None:
    try:
        program = shlex.split(line)[0]
    except (ValueError, IndexError) as error:
        raise BadPlayer(f"cannot read the command {line!r}: {error}") from None
    if "{" not in program and shutil.which(program) is None:
        raise BadPlayer(f"there is no program {program!r} that can be started")


def _class_of(player: OwnClass) -> Callable[..., Bot]:
    if "" not in sys.path:
        sys.path.insert(0, "")
    try:
        module = importlib.import_module(player.module)
    except Exception as error:
        raise BadPlayer(f"cannot import {player.module}: {error}") from error
    made: Callable[..., Bot] | None = getattr(module, player.name, None)
    if not callable(made):
        raise BadPlayer(f"the module {player.module} has no class {player.name}")
    for method in ("choose_pass", "choose_card"):
        if inspect.isclass(made) and not callable(getattr(made, method, None)):
            raise BadPlayer(f"the class {player.name} has no method {method}")
    return made

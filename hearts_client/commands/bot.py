"""The command ``hearts-bot``, and :func:`run_bot` for the command line of somebody's own bot."""

from __future__ import annotations

import argparse
import importlib
import random
import sys
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

import trio

from hearts.bots import BOTS, Bot
from hearts.errors import HeartsError, MissingExtra, leaves
from hearts.game.rules import PRESETS
from hearts.session.client_events import (
    CaughtUp,
    ConnectionLost,
    DealChecked,
    Fairness,
    Seated,
    SessionEnded,
    WaitingForPlayers,
)
from hearts.session.client_registration import NameProver
from hearts.session.messages import Options, Scores
from hearts.settings.option_rows import (
    DONE,
    FAILED,
    INTERRUPTED,
    NOT_ALL,
    OptionGroup,
    OptionRow,
    add_options,
    switch,
)
from hearts.settings.readers import OneLineParser, seconds, whole
from hearts.settings.version import add_version
from hearts_client.library.bot_faults import line_of, raised
from hearts_client.library.call_watch import CallWatch
from hearts_client.library.client import DEFAULT_PORT
from hearts_client.library.dialects import Dialect
from hearts_client.library.playing import SessionResult, play_session
from hearts_client.library.retries import RETRY_LIMIT
from hearts_client.words.fairness import fairness_in_words

from . import arguments as shared

MakeBot = Callable[[], Bot]
"""Makes a bot for one seat; a class without arguments is one."""

_MAX_BOTS = 100


class _BadBot(HeartsError):
    """The bot of the command line cannot be had; the text says why."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Return the command ``hearts-bot``; gives the exit status."""
    parser = _parser("hearts-bot", "Play Hearts with one or several bots.")
    add_version(parser)
    parser.add_argument(
        "bot",
        metavar="BOT",
        help=f"{', '.join(BOTS)}, or MODULE:CLASS for a bot of your own "
        "(the module is looked for in the current folder too)",
    )
    given = parser.parse_args(sys.argv[1:] if arguments is None else arguments)
    try:
        make_bot = find_bot(given.bot)
    except _BadBot as error:
        print(f"hearts-bot: {error}", file=sys.stderr)
        return 2
    return _run("hearts-bot", make_bot, given, given.bot.rpartition(":")[2])


def run_bot(make_bot: MakeBot, arguments: Sequence[str] | None = None) -> None:
    """Run as the command line program of a bot: read the options, play, end the process.

    ``make_bot`` is called once for each seat: the bot's class, mostly.
    """
    name = getattr(make_bot, "__name__", "bot")
    given = _parser(None, f"Play Hearts with the bot {name}.").parse_args(arguments)
    sys.exit(_run(Path(sys.argv[0]).name, make_bot, given, name))


def find_bot(text: str) -> MakeBot:
    """Return the bot that a name of the command line means. Raises _BadBot, saying what is
    wrong.
    """
    if text in BOTS:
        return partial(BOTS[text], random.SystemRandom().random)
    module_name, colon, class_name = text.partition(":")
    if not (module_name and colon and class_name):
        raise _BadBot(f"there is no bot {text!r}: give {', '.join(BOTS)} or MODULE:CLASS")
    if "" not in sys.path:
        sys.path.insert(0, "")
    try:
        module = importlib.import_module(module_name)
    except ImportError as error:
        raise _BadBot(f"cannot import {module_name}: {error}") from None
    made: MakeBot | None = getattr(module, class_name, None)
    if not callable(made):
        raise _BadBot(f"the module {module_name} has no class {class_name}")
    return made


def _parser(program: str | None, description: str) -> argparse.ArgumentParser:
    parser = OneLineParser(prog=program, description=description)
    add_options(parser, _OPTIONS)
    return parser


_OPTIONS = (
    OptionGroup(
        "",
        {
            "--host": OptionRow("the game server (default: %(default)s)", default="localhost"),
            "--port": OptionRow(
                "its port (default: %(default)s)", type=shared.PORT, default=DEFAULT_PORT
            ),
            "--name": OptionRow(
                "name at the table (default: that of the bot)", type=shared.name_text
            ),
            "--profile": OptionRow(
                "prove that --name is its own, by the names of this profile of hearts-client names",
                "NAME",
                shared.profile_text,
            ),
            "--table": shared.TABLE,
        },
    ),
    shared.password_options("none"),
    OptionGroup(
        "",
        {
            "--count": OptionRow(
                "so many bots, each with a connection of its own (default: %(default)s)",
                "N",
                whole(1, _MAX_BOTS),
                1,
            ),
            "--games": OptionRow(
                "ask for another game until N are played, where the server asks this player; "
                "it plays on as long as others want to (default: %(default)s)",
                "N",
                whole(1, 1_000_000),
                1,
            ),
            "--rules": OptionRow(
                "rules of a table that the bot opens: "
                f"{', '.join(PRESETS)}, or rules with commas (default: the host's own)",
                type=shared.rules,
            ),
        },
    ),
    *shared.TLS_OPTIONS,
    OptionGroup(
        "",
        {
            "--dialect": shared.dialect_option("plain"),
            "--retry-limit": OptionRow(
                "try for so long to come back to a game whose connection is lost; 0 for not at "
                "all (default: %(default)g)",
                "SECONDS",
                seconds(86400),
                RETRY_LIMIT,
            ),
            "--quiet": switch("print nothing but errors"),
        },
    ),
)


def _run(program: str, make_bot: MakeBot, given: argparse.Namespace, bot_name: str) -> int:
    results: list[SessionResult] = []
    status = DONE
    watch = CallWatch(lambda call: print(f"{program}: {call.text}", file=sys.stderr, flush=True))
    try:
        with watch.watching():
            trio.run(_play_all, make_bot, given, bot_name, results, watch)
    except* HeartsError as errors:
        status = FAILED
        for problem in dict.fromkeys(map(str, leaves(errors))):
            print(f"{program}: {problem}", file=sys.stderr)
    except* KeyboardInterrupt:
        status = status or INTERRUPTED
    if not status and not all(result.complete for result in results):
        print(f"{program}: the server ended the connection before the end", file=sys.stderr)
        status = NOT_ALL
    return status


async def _play_all(
    make_bot: MakeBot,
    given: argparse.Namespace,
    bot_name: str,
    results: list[SessionResult],
    watch: CallWatch,
) -> None:
    async with trio.open_nursery() as nursery:
        for number in range(1, given.count + 1):
            name = given.name or _fitting(bot_name)
            if given.count > 1:
                name = _fitting(name, f" {number}")
            nursery.start_soon(_play_one, _made(make_bot), given, name, results, watch)


def _made(make_bot: MakeBot) -> Bot:
    try:
        return make_bot()
    except MissingExtra:
        raise
    except Exception as error:
        raise _BadBot(f"the bot cannot be made: it {raised(error)} ({line_of(error)})") from error


def _fitting(name: str, ending: str = "") -> str:
    room = 30 - len(ending)
    return name.encode()[:room].decode(errors="ignore") + ending


async def _play_one(
    bot: Bot,
    given: argparse.Namespace,
    name: str,
    results: list[SessionResult],
    watch: CallWatch,
) -> None:
    games = 0
    players: tuple[str, ...] = ()

    def say(event: object) -> None:
        nonlocal games, players
        if given.quiet:
            return
        match event:
            case WaitingForPlayers(player):
                print(f"{name}: player {player}, waiting for the others", flush=True)
            case ConnectionLost(why, retry_in):
                wait = f"trying again in {retry_in:.1f} s"
                print(f"{name}: connection lost ({why}); {wait}", flush=True)
            case SessionEnded(displaced=True):
                print(f"{name}: the seat was taken on another connection", flush=True)
            case CaughtUp():
                print(f"{name}: back at the table", flush=True)
            case Seated(_, names) if not players:
                players = names
                print(f"{name}: playing with {', '.join(names)}", flush=True)
            case DealChecked(deal, str(problem)):
                print(f"{name}: WARNING: deal {deal}: {problem}", flush=True)
            case DealChecked(deal, None, Fairness.ANYBODY | Fairness.REDRAWN):
                print(f"{name}: deal {deal}: {fairness_in_words(event, players)}", flush=True)
            case Scores(scores, winners) if winners:
                games += 1
                print(f"{name}: game {games} ended with {scores}", flush=True)

    results.append(
        await play_session(
            bot,
            given.host,
            given.port,
            name=name,
            table=given.table or "",
            password=shared.password_of(given),
            tls=shared.tls_of(given),
            retry_limit=given.retry_limit,
            dialect=shared.dialect_of(given) or Dialect.PLAIN,
            options=None if given.rules is None else Options(rules=given.rules),
            games=given.games,
            on_event=say,
            watch=watch,
            prover=_prover(given, name) if given.profile else None,
        )
    )


def _prover(given: argparse.Namespace, name: str) -> NameProver:
    """Return what proves that a name is the profile's own. Raises CannotClaim."""
    from hearts_client.names.kept import KeptNames
    from hearts_client.names.own_name import CannotClaim, own_name
    from hearts_client.session.places import at_home, places_of
    from hearts_client.session.visit import Guest

    kept = partial(KeptNames, at_home(places_of(given.profile).config))
    proves, problem = own_name(kept, Guest(given.host, given.port, name))
    if proves is None:
        here = f"the profile {given.profile} has no name {name} at {given.host}:{given.port}"
        raise CannotClaim(problem or here)
    return proves

"""The options of ``hearts-client``."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from hearts.game.rules import END_SCORES, PRESETS
from hearts.session.messages import NO_CLOCK_ALONE, Options
from hearts.settings.option_rows import OptionGroup, OptionRow, add_options, switch
from hearts.settings.readers import LEVELS, OneLineParser, level, seconds, whole
from hearts.settings.version import add_version
from hearts_client.library.client import DEFAULT_PORT
from hearts_client.words.style import Sort

from . import arguments as shared

_OPTIONS = (
    OptionGroup(
        "",
        {
            "server": OptionRow(
                "the game server, and those that stand by for it "
                f"(default: localhost:{DEFAULT_PORT})",
                "HOST[,HOST2][:PORT]",
                shared.address,
                nargs="?",
            ),
            "--name": OptionRow(
                "your name at the table (default: your login name)", type=shared.name_text
            ),
            "--profile": OptionRow(
                "settings, statistics and games of your own, if several people use one login; a "
                "new name makes a profile",
                "NAME",
                shared.profile_text,
            ),
            "--table": shared.TABLE,
            "--list": switch("show the public tables and end"),
            "--standings": switch("show how names have done at the server, and end"),
            "--day": switch("the deal of the day: the same hands for everybody, once"),
            "--watch": OptionRow(
                "watch a public table that plays, by the number of its game or its name; "
                "with only one it need not be said",
                "GAME",
                nargs="?",
                const="",
            ),
            "--resume": OptionRow(
                "go on with a game that this program has left, or with a HOST also with one that "
                "you have there under your own name; with several, say which",
                "GAME",
                nargs="?",
                const="",
            ),
        },
    ),
    shared.password_options("you are asked when it is needed"),
    *shared.TLS_OPTIONS,
    OptionGroup("", {"--dialect": shared.dialect_option("dealer; with --resume that of the game")}),
    OptionGroup(
        "wishes for a table that you open",
        {
            "--rules": OptionRow(
                f"{', '.join(PRESETS)}, or rules with commas (default: the host's own)",
                type=shared.rules,
            ),
            "--end-score": OptionRow(
                "score at which a game ends (default: the host's own)",
                "POINTS",
                whole(END_SCORES.start, END_SCORES.stop - 1),
            ),
            "--turn-limit": OptionRow(
                "time for each choice (default: the host's own; none alone with computers)",
                "SECONDS",
                whole(15, 3600),
            ),
            "--computers": OptionRow(
                "seats for computers (default: 0; with --solo 3)", "N", whole(0, 3)
            ),
            "--level": OptionRow(
                f"how well computers play, if the host allows it: {', '.join(LEVELS)}, which needs "
                "the extra 'expert' (default: the host's own; with --solo as your options say)",
                "LEVEL",
                level,
            ),
        },
    ),
    OptionGroup(
        "alone",
        {
            "--solo": switch("play against three computers, here"),
            "--lesson": switch("learn Hearts: a first hand, explained as you play it, here"),
            "--deal": OptionRow(
                "with --solo: the code of the first deal, with its cuts if it was cut, and with "
                "the rules of the table if you like, such as mac2000#CODE",
                "[RULES#]CODE[+CUTS]",
                shared.named_deal,
            ),
            "--bot-pause": OptionRow(
                "with --solo: pause before a computer's choice (default: 0.5, or as your options "
                "say)",
                "SECONDS",
                seconds(60),
            ),
        },
    ),
    OptionGroup(
        "",
        {
            "--record": OptionRow(
                "keep a record of each game in this folder; 'hearts-server verify' checks it "
                "(default: where 'hearts-client statistics' finds them, and with --plain none is "
                "kept)",
                "DIR",
                Path,
            )
        },
    ),
    OptionGroup(
        "what you see",
        {
            "--plain": switch(
                "line by line, for screen readers and simple terminals; chosen by itself where "
                "there is no terminal"
            ),
            "--sort": OptionRow(
                "the suits of a hand: black and red in turn, or always clubs, diamonds, hearts, "
                f"spades (default: {Sort.ALTERNATING.value}, or as your options say)",
                choices=[sort.value for sort in Sort],
            ),
            "--cards": OptionRow(
                "cards that you have designed, at the full screen (default: as your options say)",
                "FILE",
                Path,
            ),
            "--no-par": switch("after a hand, do not say what it usually costs"),
            "--ascii": switch("letters instead of suit symbols"),
            "--color": OptionRow(
                "red suits in red (default: %(default)s)",
                default="auto",
                choices=["auto", "always", "never"],
            ),
        },
    ),
    OptionGroup(
        "",
        {
            "--taunt-port": OptionRow(
                "the chat's port on the same host; 0 for no chat "
                f"(default: {shared.DEFAULT_TAUNT_PORT}; with --resume that of the game)",
                "PORT",
                whole(0, 65535),
            )
        },
    ),
)


def parse(arguments: Sequence[str]) -> argparse.Namespace:
    """Return the options of a command line; ends the process as argparse does if they are wrong."""
    parser = OneLineParser(
        prog="hearts-client",
        description="Play Hearts in the terminal: at a table that fills the screen, or line by "
        "line. Without a HOST and without options it begins with a start screen.",
        epilog="--solo plays at once against three computers and needs no server. "
        "'hearts-client statistics' counts the games that you have played, "
        "'hearts-client sheet' makes a page to print of them, "
        "'hearts-client analyse' lists what cost most in one, "
        "'hearts-client mistakes' asks what you would play now. "
        "'hearts-client names' claims a name that nobody else has. "
        "For a hint at the table type i, or /hint line by line. "
        "'hearts-client conformance --help' tells how to test a client of your own.",
    )
    add_options(parser, _OPTIONS)
    add_version(parser)
    given = parser.parse_args(arguments)
    given.is_server_named = given.server is not None
    given.server = given.server or ("localhost", DEFAULT_PORT)
    if given.deal and not given.solo:
        parser.error("--deal goes with --solo")
    if given.deal:
        if given.deal.rules is not None and given.rules not in (None, given.deal.rules):
            parser.error("--deal has other rules than --rules: say one of them")
        given.rules = given.rules or given.deal.rules
        given.deal = given.deal.text
    if given.resume is not None and (given.solo or given.list):
        parser.error("--resume goes on with a game; it goes with neither --solo nor --list")
    if given.day and (given.solo or given.list or given.resume is not None or given.lesson):
        parser.error("--day goes with none of --solo, --list, --resume and --lesson")
    if given.standings and (given.solo or given.list or given.resume is not None or given.lesson):
        parser.error("--standings goes with none of --solo, --list, --resume and --lesson")
    if given.lesson and (given.solo or given.list or given.resume is not None):
        parser.error("--lesson goes with none of --solo, --list and --resume")
    if given.watch is not None and (given.solo or given.list or given.resume is not None):
        parser.error("--watch shows a game; it goes with none of --solo, --list and --resume")
    return given


def table_options(given: argparse.Namespace) -> Options | None:
    """Return the wishes for a table; None if there are none."""
    count = given.computers if given.computers is not None else 3 if given.solo else 0
    computers = frozenset(range(4 - count, 4))
    limit = given.turn_limit or (NO_CLOCK_ALONE if count == 3 and not given.solo else None)
    levels = (LEVELS.get(given.level, 0) if not given.solo else 0,) * 4
    wishes = Options(computers, given.rules, given.end_score, limit, levels)
    return None if wishes == Options() else wishes

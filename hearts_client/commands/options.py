"""The options of ``hearts-client``."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from hearts.game.rules import END_SCORES, PRESETS
from hearts.session.messages import Options
from hearts.settings.readers import OneLineParser, level, seconds, whole
from hearts_client.library.client import DEFAULT_PORT
from hearts_client.words.style import Sort

from . import arguments as shared


def parse(arguments: Sequence[str]) -> argparse.Namespace:
    """The options of a command line; ends the process as argparse does if they are wrong."""
    parser = OneLineParser(
        prog="hearts-client",
        description="Play Hearts in the terminal: at a table that fills the screen, or line by "
        "line. Without a HOST and without options it begins with a start screen.",
        epilog="--solo plays at once against three computers and needs no server. "
        "'hearts-client statistics' counts the games that you have played, "
        "'hearts-client sheet' makes a page to print of them, "
        "'hearts-client analyse' lists what cost most in one. "
        "For a hint at the table type i, or /hint line by line. "
        "'hearts-client conformance --help' tells how to test a client of your own.",
    )
    add = parser.add_argument
    add(
        "server",
        nargs="?",
        type=shared.address,
        metavar="HOST[,HOST2][:PORT]",
        help=f"the game server, and those that stand by for it (default: localhost:{DEFAULT_PORT})",
    )
    add("--name", type=shared.name_text, help="your name at the table (default: your login name)")
    shared.add_profile(
        parser,
        "settings, statistics and games of your own, if several people use one login; a new name "
        "makes a profile",
    )
    add(
        "--table",
        type=shared.name_text,
        metavar="NAME",
        help="a public table to join, or a private one to join or open "
        "(default: the next free seat)",
    )
    add("--list", action="store_true", help="show the public tables and end")
    add(
        "--watch",
        nargs="?",
        const="",
        metavar="GAME",
        help="watch a public table that plays, by the number of its game or its name; "
        "with only one it need not be said",
    )
    add(
        "--resume",
        nargs="?",
        const="",
        metavar="GAME",
        help="go on with a game that this program has left; with several saved, say which",
    )
    shared.add_password(parser, "you are asked when it is needed")
    shared.add_tls(parser)
    shared.add_dialect(parser, "dealer; with --resume that of the game")
    wishes = parser.add_argument_group("wishes for a table that you open")
    wishes.add_argument(
        "--rules",
        type=shared.rules,
        help=f"{', '.join(PRESETS)}, or rules with commas (default: the host's own)",
    )
    wishes.add_argument(
        "--end-score",
        type=whole(END_SCORES.start, END_SCORES.stop - 1),
        metavar="POINTS",
        help="score at which a game ends (default: the host's own)",
    )
    wishes.add_argument(
        "--turn-limit",
        type=whole(15, 3600),
        metavar="SECONDS",
        help="time for each choice (default: the host's own; with --solo no limit)",
    )
    wishes.add_argument(
        "--computers",
        type=whole(0, 3),
        metavar="N",
        help="seats for computers (default: 0; with --solo 3)",
    )
    solo = parser.add_argument_group("alone")
    solo.add_argument("--solo", action="store_true", help="play against three computers, here")
    solo.add_argument(
        "--deal",
        type=shared.named_deal,
        metavar="[RULES#]CODE[+CUTS]",
        help="with --solo: the code of the first deal, with its cuts if it was cut, and with the "
        "rules of the table if you like, such as mac2000#CODE",
    )
    solo.add_argument(
        "--bot-pause",
        type=seconds(60),
        metavar="SECONDS",
        help="with --solo: pause before a computer's choice (default: 0.5, or as your options say)",
    )
    solo.add_argument(
        "--level",
        type=level,
        metavar="LEVEL",
        help="in a game alone: how well the computers play, 'novice', 'simple', 'strong' or "
        "'expert', which needs the extra 'expert' (default: simple, or as your options say)",
    )
    add(
        "--record",
        type=Path,
        metavar="DIR",
        help="keep a record of each game in this folder; 'hearts-server verify' checks it "
        "(default: where 'hearts-client statistics' finds them, and with --plain none is kept)",
    )
    looks = parser.add_argument_group("what you see")
    looks.add_argument(
        "--plain",
        action="store_true",
        help="line by line, for screen readers and simple terminals; chosen by itself where "
        "there is no terminal",
    )
    looks.add_argument(
        "--sort",
        choices=[sort.value for sort in Sort],
        help="the suits of a hand: black and red in turn, or always clubs, diamonds, hearts, "
        f"spades (default: {Sort.ALTERNATING.value}, or as your options say)",
    )
    looks.add_argument(
        "--cards",
        type=Path,
        metavar="FILE",
        help="cards that you have designed, at the full screen (default: as your options say)",
    )
    looks.add_argument("--ascii", action="store_true", help="letters instead of suit symbols")
    looks.add_argument(
        "--color",
        choices=["auto", "always", "never"],
        default="auto",
        help="red suits in red (default: %(default)s)",
    )
    add(
        "--taunt-port",
        type=whole(0, 65535),
        metavar="PORT",
        help="the chat's port on the same host; 0 for no chat "
        f"(default: {shared.DEFAULT_TAUNT_PORT}; with --resume that of the game)",
    )
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
    if given.watch is not None and (given.solo or given.list or given.resume is not None):
        parser.error("--watch shows a game; it goes with none of --solo, --list and --resume")
    return given


def table_options(given: argparse.Namespace) -> Options | None:
    """The wishes for a table; None if there are none."""
    count = given.computers if given.computers is not None else 3 if given.solo else 0
    computers = frozenset(range(4 - count, 4))
    wishes = Options(computers, given.rules, given.end_score, given.turn_limit)
    return None if wishes == Options() else wishes

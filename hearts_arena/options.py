"""The options of ``hearts-arena``."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from msgspec import Struct

from hearts.game.rules import DEFAULT_END_SCORE, END_SCORES, PRESETS, STANDARD, parse_rules
from hearts.settings.option_rows import OptionGroup, OptionRow, add_options, switch
from hearts.settings.readers import BadArgument, OneLineParser, place, seconds, whole, worded
from hearts.settings.version import add_version

from .plan.plan import MOST_DEALS, MOST_HANDS, Schedule

_PLAYERS = """\
A PLAYER is [NAME=]WHAT, and WHAT is one of
  swift, expert, strong, simple, novice, random
                            bots that come with the project, the strongest first
  simple,blunder=0.1        the same, with one choice in ten made by chance
  MODULE:CLASS              a Python class of your own, in the current folder or installed;
                            MODULE:CLASS,depth=3 hands it settings by keyword
  cmd:./mybot {host} {port} {name}
                            a program in any language that speaks SocketSpec.md, started here;
                            one that calls hearts_client.run_bot, and hearts-bot itself, needs
                            --host {host} --port {port} --name {name}
  "cmd:--line ./engine"     a program without sockets: it reads questions from its standard
                            input and writes answers to its output (hearts_arena/LineSpec.md)
  wire:7700                 a program that connects by itself, to this port
"""


class _Command(Struct, frozen=True):
    words: str
    more: str
    sections: Sequence[OptionGroup]


def parse(arguments: Sequence[str]) -> argparse.Namespace:
    """Return the options of a command line; ends the process as argparse does if they are wrong."""
    parser = OneLineParser(
        prog="hearts-arena",
        description="Tournaments of Hearts programs: the same deals in every seating, and answers "
        "with error bars.",
        epilog="To begin: hearts-arena run simple random",
    )
    add_version(parser)
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for name, row in _COMMANDS.items():
        command = commands.add_parser(
            name,
            help=row.words,
            description=f"{row.words[0].upper()}{row.words[1:]}.",
            epilog=row.more,
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        add_options(command, row.sections)
    return parser.parse_args(arguments)


def _dask(text: str) -> tuple[str, int]:
    """Host and port of a scheduler."""
    scheme, _, rest = text.partition("://")
    with suppress(BadArgument):
        where = place(rest)
        if scheme == "dask" and not isinstance(where, str):
            return where
    raise BadArgument(f"give dask://HOST:PORT, not {text!r}")


def _part(text: str) -> tuple[int, int]:
    """Read the place of a part, from 1, and the number of parts."""
    place, _, parts = text.partition("/")
    with suppress(ValueError):
        if 1 <= int(place) <= int(parts) <= MOST_DEALS:
            return int(place), int(parts)
    raise BadArgument(f"give 1/2 for the first of two parts, say, not {text!r}")


def _above_zero(text: str) -> float:
    number = seconds(1000)(text)
    if not number > 0:
        raise BadArgument("it must be above 0")
    return number


def _deals(help: str) -> OptionGroup:
    return OptionGroup("", {"--deals": OptionRow(help, "N", whole(1, MOST_DEALS))})


_WHAT, _HOW = "what is played", "how it is played"
_PLAN = OptionGroup(
    "",
    {
        "players": OptionRow("see below", "PLAYER", nargs="+"),
        "--schedule": OptionRow(
            "who meets whom: all combinations of four in all 24 seatings; every pair, two against "
            "two in six seatings; every player against three of each other; the first against the "
            "second; the first against each other (default: %(default)s)",
            choices=[schedule.value for schedule in Schedule],
            default=Schedule.ROUND_ROBIN.value,
        ),
    },
)
_PLAYED = (
    OptionGroup(
        _WHAT,
        {
            "--seed": OptionRow(
                "of all chance (default: %(default)s)", type=whole(0, 2**63 - 1), default=1
            ),
            "--rules": OptionRow(
                f"{', '.join(PRESETS)}, or rules with commas (default: standard)",
                type=worded(parse_rules),
                default=STANDARD,
            ),
        },
    ),
    OptionGroup(
        "",
        {
            "--hands": OptionRow(
                "hands of a match (default: 1, each deal by itself)", "N", whole(1, MOST_HANDS), 1
            ),
            "--games": switch("games to the end score instead of a number of hands"),
        },
        is_choice=True,
    ),
    OptionGroup(
        _WHAT,
        {
            "--end-score": OptionRow(
                "with --games: score at which a game ends (default: that of the preset among the "
                f"rules, or {DEFAULT_END_SCORE})",
                "POINTS",
                whole(END_SCORES.start, END_SCORES.stop - 1),
            ),
            "--one-direction": switch(
                "play single hands with one direction of the pass each, not once with every one"
            ),
            "--independent": switch(
                "give every match deals of its own, instead of the same to all seatings"
            ),
            "--move-limit": OptionRow(
                "time for a choice of a program on the wire; 0 for none (default: %(default)g)",
                "SECONDS",
                seconds(3600),
                10.0,
            ),
            "--hand-limit": OptionRow(
                "time for all its choices of a hand; 0 for none (default: %(default)g)",
                "SECONDS",
                seconds(3600),
                60.0,
            ),
            "--limits": OptionRow(
                "limits of one player, in place of the two; may be given for several",
                ("NAME", "MOVE", "HAND"),
                default=[],
                nargs=3,
                action="append",
            ),
            "--deals-from": OptionRow(
                "a file with the code of a deal, or the link to a hand that nobody cut, in each "
                "line, in place of deals by the seed; lines that begin with # are read over",
                "FILE",
                Path,
            ),
            "--keep-players": switch(
                "let players that are called live on from match to match: begin_tournament comes "
                "once for each seat that a player has at a table, in place of once for each match, "
                "and the matches are played one after the other in one process"
            ),
            "--no-records": switch("keep results alone, and no records"),
        },
    ),
)
_FOLDER = OptionGroup(
    "",
    {
        "--folder": OptionRow(
            "where everything is kept; the same command goes on with what is there "
            "(default: hearts-arena-DIGEST in the current folder)",
            type=Path,
        )
    },
)
_WORK = (
    OptionGroup(
        _HOW,
        {
            "--jobs": OptionRow(
                "matches at once; they change nothing in the results (default: one for each core)",
                "N",
                whole(1, 1024),
            ),
            "--on": OptionRow(
                "play on all workers of this scheduler of dask, with the same results; for players "
                "that are called, which cmd: and wire: are not, but cmd:--line is (extra: dask)",
                "dask://HOST:PORT",
                _dask,
            ),
        },
        is_choice=True,
    ),
    OptionGroup(
        _HOW,
        {
            "--memory": OptionRow(
                "what each process of a program or of in-process players may have; what a class or "
                "a program starts inherits it, as a limit for each process (default: %(default)s)",
                "MIB",
                whole(16, 1_048_576),
                1024,
            ),
            "--wire-matches": OptionRow(
                "matches that a wire: player plays at once, with a connection for each of its "
                "seats (default: %(default)s)",
                "N",
                whole(1, 1024),
                1,
            ),
            "--quiet": switch("show no progress"),
        },
    ),
)
_PART = OptionGroup(
    _HOW,
    {
        "--part": OptionRow(
            "play only the blocks of this part, such as 1/3: every third one, from the first on; "
            "merge puts the folders of all parts together",
            "K/N",
            _part,
            (1, 1),
        )
    },
)
_OUTPUTS = OptionGroup(
    "what comes out, beside the table on the terminal",
    {
        "--html": OptionRow("a page with charts, that needs no network", "FILE", Path),
        "--json": OptionRow("everything that the table says", "FILE", Path),
        "--csv": OptionRow(
            "entrants.csv, head-to-head.csv, deals.csv and matches.csv in this folder",
            "FOLDER",
            Path,
        ),
    },
)
_COMMANDS = {
    "run": _Command(
        "play a tournament and say who is better",
        _PLAYERS,
        [
            *(_PLAN, *_PLAYED),
            _deals(
                "blocks of deals: how often the schedule is played, each time with other deals "
                "(default: 100, or as many as --deals-from has)"
            ),
            *(_FOLDER, *_WORK, _PART, _OUTPUTS),
        ],
    ),
    "test": _Command(
        "say whether one player is better than another, with as few deals as that takes",
        f"""\
It looks after every block of deals, ends as soon as it can tell, and keeps its errors. The lower
bound is what you hope for, the upper one what would not be worth it. In between either may come
out, and it takes longest.

{_PLAYERS}""",
        [
            OptionGroup(
                "",
                {
                    "players": OptionRow("who is tested, and against whom", "PLAYER", nargs=2),
                    "--bounds": OptionRow(
                        "two differences in points a hand, the first player less the second; "
                        "below 0 the first is better (default: -0.5 0)",
                        ("LOW", "HIGH"),
                        float,
                        (-0.5, 0.0),
                        nargs=2,
                    ),
                    "--alpha": OptionRow(
                        "how often it may decide for LOW where HIGH is true (default: %(default)g)",
                        "SHARE",
                        float,
                        0.05,
                    ),
                    "--beta": OptionRow(
                        "how often it may decide for HIGH where LOW is true (default: %(default)g)",
                        "SHARE",
                        float,
                        0.05,
                    ),
                },
            ),
            *_PLAYED,
            _deals(
                "blocks of deals at most; then nothing is decided (default: 20000, or as many as "
                "--deals-from has)"
            ),
            *(_FOLDER, *_WORK, _OUTPUTS),
        ],
    ),
    "precision": _Command(
        "say how many deals a wished precision takes",
        _PLAYERS,
        [
            *(_PLAN, *_PLAYED),
            OptionGroup(
                "",
                {
                    "--half-width": OptionRow(
                        "half of the 95%% interval of the difference of two players, in points per "
                        "hand (default: %(default)s)",
                        "POINTS",
                        _above_zero,
                        0.1,
                    ),
                    "--pilot": OptionRow(
                        "blocks that are played to find out (default: %(default)s)",
                        "N",
                        whole(5, 10_000),
                        30,
                    ),
                },
            ),
            *_WORK,
        ],
    ),
    "go-on": _Command(
        "go on with a tournament that was stopped, or make it longer",
        "",
        [
            OptionGroup("", {"folder": OptionRow("its folder", type=Path)}),
            _deals("play so many blocks of deals in all, where that is more than was planned"),
            *(*_WORK, _PART, _OUTPUTS),
        ],
    ),
    "merge": _Command(
        "put folders together in which parts of one plan were played",
        "They stay as they are. No block may be in two of them.",
        [
            OptionGroup(
                "",
                {
                    "into": OptionRow("the new one", "NEW", Path),
                    "folders": OptionRow("the folders of the parts", "FOLDER", Path, nargs="+"),
                },
            ),
            _OUTPUTS,
        ],
    ),
    "report": _Command(
        "show the results so far of a tournament",
        "",
        [
            OptionGroup("", {"folder": OptionRow("its folder; it may be under way", type=Path)}),
            _OUTPUTS,
        ],
    ),
    "records": _Command(
        "print the records of matches",
        "'hearts-server verify -' checks what this prints.",
        [
            OptionGroup(
                "",
                {
                    "folder": OptionRow("the folder of the tournament", type=Path),
                    "matches": OptionRow(
                        "their numbers, as in matches.csv (default: all)",
                        "MATCH",
                        whole(0, 10**12),
                        nargs="*",
                    ),
                },
            )
        ],
    ),
}

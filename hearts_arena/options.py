"""The options of ``hearts-arena``."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from msgspec import UNSET, Struct, UnsetType
from msgspec.structs import asdict

from hearts.game.rules import DEFAULT_END_SCORE, END_SCORES, PRESETS, STANDARD
from hearts.settings.readers import BadArgument, OneLineParser, place, seconds, whole
from hearts_client.commands.arguments import rules

from .plan.plan import MOST_DEALS, MOST_HANDS, Schedule

_PLAYERS = """\
A PLAYER is [NAME=]WHAT, and WHAT is one of
  expert, strong, simple, novice, random
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


class _Option(Struct, frozen=True):
    """An option or argument; what is not set is as argparse has it."""

    help: str
    metavar: str | tuple[str, ...] | UnsetType = UNSET
    type: Callable[[str], object] | UnsetType = UNSET
    default: object = UNSET
    nargs: int | str | UnsetType = UNSET
    action: str | UnsetType = UNSET
    choices: Sequence[str] | UnsetType = UNSET


class _Section(Struct, frozen=True):
    title: str
    """That of its group in the help; empty for options of the command itself."""
    options: Mapping[str, _Option]
    is_choice: bool = False
    """One option at most may be given."""


class _Command(Struct, frozen=True):
    words: str
    more: str
    sections: Sequence[_Section]


def parse(arguments: Sequence[str]) -> argparse.Namespace:
    """The options of a command line; ends the process as argparse does if they are wrong."""
    parser = OneLineParser(
        prog="hearts-arena",
        description="Tournaments of Hearts programs: the same deals in every seating, and answers "
        "with error bars.",
        epilog="To begin: hearts-arena run simple random",
    )
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for name, row in _COMMANDS.items():
        command = commands.add_parser(
            name,
            help=row.words,
            description=f"{row.words[0].upper()}{row.words[1:]}.",
            epilog=row.more,
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        _add(command, row.sections)
    return parser.parse_args(arguments)


def _add(command: argparse.ArgumentParser, sections: Sequence[_Section]) -> None:
    groups: dict[str, argparse._ActionsContainer] = {"": command}
    for section in sections:
        if section.title not in groups:
            groups[section.title] = command.add_argument_group(section.title)
        group = groups[section.title]
        if section.is_choice:
            group = group.add_mutually_exclusive_group()
        for name, option in section.options.items():
            given = {key: value for key, value in asdict(option).items() if value is not UNSET}
            group.add_argument(name, **given)


def _dask(text: str) -> tuple[str, int]:
    """Host and port of a scheduler."""
    scheme, _, rest = text.partition("://")
    with suppress(BadArgument):
        where = place(rest)
        if scheme == "dask" and not isinstance(where, str):
            return where
    raise BadArgument(f"give dask://HOST:PORT, not {text!r}")


def _above_zero(text: str) -> float:
    number = seconds(1000)(text)
    if not number > 0:
        raise BadArgument("it must be above 0")
    return number


def _switch(help: str) -> _Option:
    return _Option(help, action="store_true")


def _deals(help: str) -> _Section:
    return _Section("", {"--deals": _Option(help, "N", whole(1, MOST_DEALS))})


_WHAT, _HOW = "what is played", "how it is played"
_PLAN = _Section(
    "",
    {
        "players": _Option("see below", "PLAYER", nargs="+"),
        "--schedule": _Option(
            "who meets whom: all combinations of four in all 24 seatings; every pair, two against "
            "two in six seatings; every player against three of each other; the first against the "
            "second; the first against each other (default: %(default)s)",
            choices=[schedule.value for schedule in Schedule],
            default=Schedule.ROUND_ROBIN.value,
        ),
    },
)
_PLAYED = (
    _Section(
        _WHAT,
        {
            "--seed": _Option(
                "of all chance (default: %(default)s)", type=whole(0, 2**63 - 1), default=1
            ),
            "--rules": _Option(
                f"{', '.join(PRESETS)}, or rules with commas (default: standard)",
                type=rules,
                default=STANDARD,
            ),
        },
    ),
    _Section(
        "",
        {
            "--hands": _Option(
                "hands of a match (default: 1, each deal by itself)", "N", whole(1, MOST_HANDS), 1
            ),
            "--games": _switch("games to the end score instead of a number of hands"),
        },
        is_choice=True,
    ),
    _Section(
        _WHAT,
        {
            "--end-score": _Option(
                "with --games: score at which a game ends (default: that of the preset among the "
                f"rules, or {DEFAULT_END_SCORE})",
                "POINTS",
                whole(END_SCORES.start, END_SCORES.stop - 1),
            ),
            "--one-direction": _switch(
                "play single hands with one direction of the pass each, not once with every one"
            ),
            "--independent": _switch(
                "give every match deals of its own, instead of the same to all seatings"
            ),
            "--move-limit": _Option(
                "time for a choice of a program on the wire; 0 for none (default: %(default)g)",
                "SECONDS",
                seconds(3600),
                10.0,
            ),
            "--hand-limit": _Option(
                "time for all its choices of a hand; 0 for none (default: %(default)g)",
                "SECONDS",
                seconds(3600),
                60.0,
            ),
            "--limits": _Option(
                "limits of one player, in place of the two; may be given for several",
                ("NAME", "MOVE", "HAND"),
                default=[],
                nargs=3,
                action="append",
            ),
            "--deals-from": _Option(
                "a file with the code of a deal in each line, in place of deals by the seed; lines "
                "that begin with # are read over",
                "FILE",
                Path,
            ),
            "--keep-players": _switch(
                "let players that are called live on from match to match: begin_tournament comes "
                "once for each seat that a player has at a table, in place of once for each match, "
                "and the matches are played one after the other in one process"
            ),
            "--no-records": _switch("keep results alone, and no records"),
        },
    ),
)
_FOLDER = _Section(
    "",
    {
        "--folder": _Option(
            "where everything is kept; the same command goes on with what is there "
            "(default: hearts-arena-DIGEST in the current folder)",
            type=Path,
        )
    },
)
_WORK = (
    _Section(
        _HOW,
        {
            "--jobs": _Option(
                "matches at once; they change nothing in the results (default: one for each core)",
                "N",
                whole(1, 1024),
            ),
            "--on": _Option(
                "play on all workers of this scheduler of dask, with the same results; for players "
                "that are called, which cmd: and wire: are not, but cmd:--line is (extra: dask)",
                "dask://HOST:PORT",
                _dask,
            ),
        },
        is_choice=True,
    ),
    _Section(
        _HOW,
        {
            "--memory": _Option(
                "what each process of a program or of in-process players may have; what a class or "
                "a program starts inherits it, as a limit for each process (default: %(default)s)",
                "MIB",
                whole(16, 1_048_576),
                1024,
            ),
            "--wire-matches": _Option(
                "matches that a wire: player plays at once, with a connection for each of its "
                "seats (default: %(default)s)",
                "N",
                whole(1, 1024),
                1,
            ),
            "--quiet": _switch("show no progress"),
        },
    ),
)
_OUTPUTS = _Section(
    "what comes out, beside the table on the terminal",
    {
        "--html": _Option("a page with charts, that needs no network", "FILE", Path),
        "--json": _Option("everything that the table says", "FILE", Path),
        "--csv": _Option(
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
            *(_FOLDER, *_WORK, _OUTPUTS),
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
            _Section(
                "",
                {
                    "players": _Option("who is tested, and against whom", "PLAYER", nargs=2),
                    "--bounds": _Option(
                        "two differences in points a hand, the first player less the second; "
                        "below 0 the first is better (default: -0.5 0)",
                        ("LOW", "HIGH"),
                        float,
                        (-0.5, 0.0),
                        nargs=2,
                    ),
                    "--alpha": _Option(
                        "how often it may decide for LOW where HIGH is true (default: %(default)g)",
                        "SHARE",
                        float,
                        0.05,
                    ),
                    "--beta": _Option(
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
            _Section(
                "",
                {
                    "--half-width": _Option(
                        "half of the 95%% interval of the difference of two players, in points per "
                        "hand (default: %(default)s)",
                        "POINTS",
                        _above_zero,
                        0.1,
                    ),
                    "--pilot": _Option(
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
            _Section("", {"folder": _Option("its folder", type=Path)}),
            _deals("play so many blocks of deals in all, where that is more than was planned"),
            *(*_WORK, _OUTPUTS),
        ],
    ),
    "report": _Command(
        "show the results so far of a tournament",
        "",
        [
            _Section("", {"folder": _Option("its folder; it may be under way", type=Path)}),
            _OUTPUTS,
        ],
    ),
    "records": _Command(
        "print the records of matches",
        "'hearts-server verify -' checks what this prints.",
        [
            _Section(
                "",
                {
                    "folder": _Option("the folder of the tournament", type=Path),
                    "matches": _Option(
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

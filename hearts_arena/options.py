"""The options of ``hearts-arena``."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

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


def parse(arguments: Sequence[str]) -> argparse.Namespace:
    """The options of a command line; ends the process as argparse does if they are wrong."""
    parser = OneLineParser(
        prog="hearts-arena",
        description="Tournaments of Hearts programs: the same deals in every seating, and answers "
        "with error bars.",
        epilog="To begin: hearts-arena run simple random",
    )
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    _add_run(commands)
    _add_test(commands)
    _add_precision(commands)
    _add_go_on(commands)
    _add_report(commands)
    _add_records(commands)
    return parser.parse_args(arguments)


def _command(
    commands: argparse._SubParsersAction[OneLineParser], name: str, words: str, more: str
) -> argparse.ArgumentParser:
    return commands.add_parser(
        name,
        help=words,
        description=f"{words[0].upper()}{words[1:]}.",
        epilog=more,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )


def _add_run(commands: argparse._SubParsersAction[OneLineParser]) -> None:
    run = _command(commands, "run", "play a tournament and say who is better", _PLAYERS)
    _add_plan(run)
    run.add_argument(
        "--deals",
        type=whole(1, MOST_DEALS),
        metavar="N",
        help="blocks of deals: how often the schedule is played, each time with other deals "
        "(default: 100, or as many as --deals-from has)",
    )
    _add_folder(run)
    _add_work(run)
    _add_outputs(run)


def _add_test(commands: argparse._SubParsersAction[OneLineParser]) -> None:
    test = _command(
        commands,
        "test",
        "say whether one player is better than another, with as few deals as that takes",
        f"""\
It looks after every block of deals, ends as soon as it can tell, and keeps its errors. The lower
bound is what you hope for, the upper one what would not be worth it. In between either may come
out, and it takes longest.

{_PLAYERS}""",
    )
    test.add_argument("players", nargs=2, metavar="PLAYER", help="who is tested, and against whom")
    test.add_argument(
        "--bounds",
        nargs=2,
        type=float,
        default=(-0.5, 0.0),
        metavar=("LOW", "HIGH"),
        help="two differences in points a hand, the first player less the second; below 0 the "
        "first is better (default: -0.5 0)",
    )
    test.add_argument(
        "--alpha",
        type=float,
        default=0.05,
        metavar="SHARE",
        help="how often it may decide for LOW where HIGH is true (default: %(default)g)",
    )
    test.add_argument(
        "--beta",
        type=float,
        default=0.05,
        metavar="SHARE",
        help="how often it may decide for HIGH where LOW is true (default: %(default)g)",
    )
    _add_what_is_played(test)
    test.add_argument(
        "--deals",
        type=whole(1, MOST_DEALS),
        metavar="N",
        help="blocks of deals at most; then nothing is decided (default: 20000, or as many as "
        "--deals-from has)",
    )
    _add_folder(test)
    _add_work(test)
    _add_outputs(test)


def _add_precision(commands: argparse._SubParsersAction[OneLineParser]) -> None:
    precision = _command(
        commands, "precision", "say how many deals a wished precision takes", _PLAYERS
    )
    _add_plan(precision)
    precision.add_argument(
        "--half-width",
        type=_above_zero,
        default=0.1,
        metavar="POINTS",
        help="half of the 95%% interval of the difference of two players, in points per hand "
        "(default: %(default)s)",
    )
    precision.add_argument(
        "--pilot",
        type=whole(5, 10_000),
        default=30,
        metavar="N",
        help="blocks that are played to find out (default: %(default)s)",
    )
    _add_work(precision)


def _add_go_on(commands: argparse._SubParsersAction[OneLineParser]) -> None:
    go_on = _command(
        commands, "go-on", "go on with a tournament that was stopped, or make it longer", ""
    )
    go_on.add_argument("folder", type=Path, help="its folder")
    go_on.add_argument(
        "--deals",
        type=whole(1, MOST_DEALS),
        metavar="N",
        help="play so many blocks of deals in all, where that is more than was planned",
    )
    _add_work(go_on)
    _add_outputs(go_on)


def _add_report(commands: argparse._SubParsersAction[OneLineParser]) -> None:
    report = _command(commands, "report", "show the results so far of a tournament", "")
    report.add_argument("folder", type=Path, help="its folder; it may be under way")
    _add_outputs(report)


def _add_records(commands: argparse._SubParsersAction[OneLineParser]) -> None:
    records = _command(
        commands,
        "records",
        "print the records of matches",
        "'hearts-server verify -' checks what this prints.",
    )
    records.add_argument("folder", type=Path, help="the folder of the tournament")
    records.add_argument(
        "matches",
        nargs="*",
        type=whole(0, 10**12),
        metavar="MATCH",
        help="their numbers, as in matches.csv (default: all)",
    )


def _add_folder(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--folder",
        type=Path,
        help="where everything is kept; the same command goes on with what is there "
        "(default: hearts-arena-DIGEST in the current folder)",
    )


def _add_plan(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("players", nargs="+", metavar="PLAYER", help="see below")
    parser.add_argument(
        "--schedule",
        choices=[schedule.value for schedule in Schedule],
        default=Schedule.ROUND_ROBIN.value,
        help="who meets whom: all combinations of four in all 24 seatings; every pair, two against "
        "two in six seatings; every player against three of each other; the first against the "
        "second; the first against each other (default: %(default)s)",
    )
    _add_what_is_played(parser)


def _add_what_is_played(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument_group("what is played").add_argument
    add("--seed", type=whole(0, 2**63 - 1), default=1, help="of all chance (default: %(default)s)")
    add(
        "--rules",
        type=rules,
        default=STANDARD,
        help=f"{', '.join(PRESETS)}, or rules with commas (default: standard)",
    )
    length = parser.add_mutually_exclusive_group()
    length.add_argument(
        "--hands",
        type=whole(1, MOST_HANDS),
        default=1,
        metavar="N",
        help="hands of a match (default: 1, each deal by itself)",
    )
    length.add_argument(
        "--games", action="store_true", help="games to the end score instead of a number of hands"
    )
    add(
        "--end-score",
        type=whole(END_SCORES.start, END_SCORES.stop - 1),
        metavar="POINTS",
        help="with --games: score at which a game ends (default: that of the preset among the "
        f"rules, or {DEFAULT_END_SCORE})",
    )
    add(
        "--one-direction",
        action="store_true",
        help="play single hands with one direction of the pass each, not once with every one",
    )
    add(
        "--independent",
        action="store_true",
        help="give every match deals of its own, instead of the same to all seatings",
    )
    add(
        "--move-limit",
        type=seconds(3600),
        default=10.0,
        metavar="SECONDS",
        help="time for a choice of a program on the wire; 0 for none (default: %(default)g)",
    )
    add(
        "--hand-limit",
        type=seconds(3600),
        default=60.0,
        metavar="SECONDS",
        help="time for all its choices of a hand; 0 for none (default: %(default)g)",
    )
    add(
        "--limits",
        nargs=3,
        action="append",
        default=[],
        metavar=("NAME", "MOVE", "HAND"),
        help="limits of one player, in place of the two; may be given for several",
    )
    add(
        "--deals-from",
        type=Path,
        metavar="FILE",
        help="a file with the code of a deal in each line, in place of deals by the seed; lines "
        "that begin with # are read over",
    )
    add(
        "--keep-players",
        action="store_true",
        help="let players that are called live on from match to match: begin_tournament comes "
        "once for each seat that a player has at a table, in place of once for each match, and the "
        "matches are played one after the other in one process",
    )
    add("--no-records", action="store_true", help="keep results alone, and no records")


def _add_work(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("how it is played")
    where = group.add_mutually_exclusive_group().add_argument
    where(
        "--jobs",
        type=whole(1, 1024),
        metavar="N",
        help="matches at once; they change nothing in the results (default: one for each core)",
    )
    where(
        "--on",
        type=_dask,
        metavar="dask://HOST:PORT",
        help="play on all workers of this scheduler of dask, with the same results; for players "
        "that are called, which cmd: and wire: are not, but cmd:--line is (extra: dask)",
    )
    add = group.add_argument
    add(
        "--memory",
        type=whole(16, 1_048_576),
        default=1024,
        metavar="MIB",
        help="what each process of a program or of in-process players may have; what a class or a "
        "program starts inherits it, as a limit for each process (default: %(default)s)",
    )
    add(
        "--wire-matches",
        type=whole(1, 1024),
        default=1,
        metavar="N",
        help="matches that a wire: player plays at once, with a connection for each of its seats "
        "(default: %(default)s)",
    )
    add("--quiet", action="store_true", help="show no progress")


def _add_outputs(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument_group("what comes out, beside the table on the terminal").add_argument
    add("--html", type=Path, metavar="FILE", help="a page with charts, that needs no network")
    add("--json", type=Path, metavar="FILE", help="everything that the table says")
    add(
        "--csv",
        type=Path,
        metavar="FOLDER",
        help="entrants.csv, head-to-head.csv, deals.csv and matches.csv in this folder",
    )


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

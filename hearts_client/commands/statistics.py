"""The command ``hearts-client statistics``."""

from __future__ import annotations

import argparse
import shutil
import time
from collections.abc import Sequence
from pathlib import Path

from hearts.errors import HeartsError
from hearts.settings.option_rows import DONE, NOT_ALL, OptionGroup, OptionRow, add_options, switch
from hearts.settings.readers import whole
from hearts_client.par.pars import DealtHand, ParFile
from hearts_client.session.places import at_home, places_of, profiles
from hearts_client.statistics.counting import (
    STANDARD_INPUT,
    CountedStatistics,
    count_records,
)
from hearts_client.statistics.table import csv_text, json_text, table_lines

from . import arguments as shared

_ABOUT = """\
Count a player's games: won and lost, points, queens, moons, and more.

A record whose name has a seat in it, such as ...-seat-2.txt, is one of your own,
kept by 'hearts-client --record FOLDER', and that seat is counted. Of other
records, such as 'hearts-server records show 7' prints, --player says whose games
are counted; where a program has several seats in a record of 'hearts-arena
records', its game counts for each of them.
"""
_MORE = """\
what some of the numbers mean:
  place        who wins has place 1; equal scores have equal places
  covered      you were third to play to a trick of diamonds and played one
               above the jack, and the player to your left held the jack
  not covered  you were third, held a diamond above the jack and did not play
               it, and the player to your left played the jack
  choices      those of the clock, a stand-in or a computer were made for you

  par          the mean of eight games of the same deal by four bots of the level
               swift; "points less par" is for each hand, below 0 if you took
               fewer. Pars of games at the full screen are kept; --par 60
               reckons what is missing for a minute

Covering is counted if the jack counts; cards are counted under all rules.
A hand counts when it is scored, also in a game that was left unfinished.
Exit status: 0 all was counted, 1 something was left out, 2 nothing was counted.
"""


class _NoRecords(HeartsError):
    """There is nothing to count."""


def main(arguments: Sequence[str]) -> int:
    given = _parse(arguments)
    return shared.run_tool(
        "statistics",
        lambda: _run(given),
        cannot="cannot write ",
        output=given.output or "the statistics",
    )


def _run(given: argparse.Namespace) -> int:
    profile = shared.profile_of(given)
    paths = given.paths or _own_records(profile)
    if given.par and STANDARD_INPUT in paths:
        raise _NoRecords("--par counts twice, so it does not go with standard input")
    pars = ParFile(places_of(profile).records)
    counted = count_records(paths, given.player, pars)
    if counted.missing and given.par:
        _reckon(counted.missing, pars, given.par)
        counted = count_records(paths, given.player, pars)
    for problem in counted.problems:
        shared.complain("statistics", problem)
    if not counted.columns:
        raise _NoRecords("there is no game to count")
    shared.write_out(_text(counted, given), given.output)
    return NOT_ALL if counted.problems else DONE


def _reckon(missing: Sequence[DealtHand], pars: ParFile, seconds: float) -> None:
    """Reckon pars, the newest hands first, for so long."""
    end = time.monotonic() + seconds
    for hand in reversed(missing):
        if time.monotonic() > end:
            break
        if pars.find(hand) is None:
            pars.keep(hand, hand.reckon())


def _own_records(profile: str) -> list[Path]:
    places = places_of(profile)
    folder = at_home(places.records)
    if profile and places.profile not in (known := profiles()):
        there = f": there are {', '.join(known)}" if known else ", nor any other"
        raise _NoRecords(f"there is no profile {profile}{there}")
    if not folder.is_dir():
        raise _NoRecords(f"no records are kept in {folder}; say where yours are")
    return [folder]


def _parse(arguments: Sequence[str]) -> argparse.Namespace:
    parser = shared.tool_parser("statistics", _ABOUT, _MORE)
    options = {
        "paths": OptionRow(
            "a file with records, or a folder of such files (*.txt, *.record); - for standard "
            "input (default: those that hearts-client keeps)",
            "PATH",
            shared.record_path,
            nargs="*",
        ),
        "--profile": OptionRow("count the games of this profile", "NAME", shared.profile_text),
        "--player": OptionRow("count the games of who is called so in the records", "NAME"),
        "--par": OptionRow(
            "reckon the pars that are not kept yet, the newest hands first, for so long (0)",
            "SECONDS",
            whole(0, 86_400),
            0,
        ),
        "--average": switch("divide by the number of games"),
        "--format": OptionRow(
            "a table to look at, or a row for each rules (default: %(default)s)",
            default="text",
            choices=("text", "csv", "json"),
        ),
        "--output": shared.OUTPUT,
    }
    add_options(parser, [OptionGroup("", options)])
    return parser.parse_args(arguments)


def _text(counted: CountedStatistics, given: argparse.Namespace) -> str:
    match given.format:
        case "csv":
            return csv_text(counted.columns, average=given.average)
        case "json":
            return json_text(counted.columns, average=given.average)
        case _:
            width = None if given.output is not None else shutil.get_terminal_size().columns
            lines = table_lines(counted.columns, average=given.average, width=width)
            return "".join(f"{line}\n" for line in lines)

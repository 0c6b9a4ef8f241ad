"""The command ``hearts-server standings``: counts what has ended since, and shows the table."""

from __future__ import annotations

import argparse
import contextlib
import os
import re
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from msgspec.structs import replace

from hearts.net.files import write_whole
from hearts.net.system import give_way
from hearts.settings.table import CommandParser
from hearts_server.given_settings import add_data_dir, add_store
from hearts_server.journal.archive import Archive
from hearts_server.names.stored import Stored
from hearts_server.standings.counting import EVER
from hearts_server.standings.erasing import erase_names
from hearts_server.standings.kept import forget_results, make_tables
from hearts_server.standings.page import StandingsPage, standings_page, this_month
from hearts_server.standings.update import count_new, reckon_pars

from .opened import names_in, opened_archive

_REPORT_EVERY = 2.0
"""Seconds between two lines about how far it is."""


def main(arguments: Sequence[str]) -> int:
    """Count, reckon and show. Raises ConfigError."""
    parser = _parser()
    given = parser.parse_args(arguments)
    if given.write is not None:
        give_way()
    with contextlib.closing(opened_archive(given, write=True)) as archive:
        page = archive.do(lambda tables: _updated(given, archive))
    if given.write is not None:
        write_whole(given.write, page.json)
    elif given.json:
        print(page.json, end="")
    else:
        print(*page.told(given.month or EVER).shown(), sep="\n")
    return 0


def _parser() -> CommandParser:
    parser = CommandParser(
        prog="hearts-server standings",
        description="Show how names have done: games, places, points a hand, and points against "
        "par, each with its error. What has ended since the last time is counted first, and pars "
        "that are missing are reckoned, a tenth of a second or two for each hand.",
        epilog="It works while the server runs. A game counts if two people or more began it, if "
        "it was played to its end, without taking back, and if the host removed nobody. What is "
        "counted stays when old games are deleted. Exit status: 0 done, 2 nothing was done.",
    )
    add_data_dir(parser)
    add_store(parser, "the --store of the server, if it has one", default=argparse.SUPPRESS)
    parser.add_argument(
        "--month",
        nargs="?",
        const=this_month(),
        type=_month,
        metavar="YYYY-MM",
        help="only games of a month, this one if none is given; a game counts for the month in "
        "which its table ended (UTC)",
    )
    parser.add_argument("--json", action="store_true", help="show both tables for a program")
    parser.add_argument("--no-pars", action="store_true", help="reckon no pars now")
    parser.add_argument(
        "--again",
        action="store_true",
        help="count everything anew; games that were deleted are not in it any more",
    )
    parser.add_argument(
        "--write",
        type=Path,
        metavar="FILE",
        help="write what --json shows into a file, with the lowest priority; a server does so",
    )
    return parser


def _month(text: str) -> str:
    if not re.fullmatch(r"[0-9]{4}-(0[1-9]|1[0-2])", text):
        raise argparse.ArgumentTypeError(f"give a month as 2026-11, not {text!r}")
    return text


def _updated(given: argparse.Namespace, archive: Archive) -> StandingsPage:
    tables = archive.tables
    said, parent = time.monotonic(), os.getppid()

    def report(text: str) -> None:
        nonlocal said
        if given.write is not None and os.getppid() != parent:
            sys.exit(1)  # The server that has begun this is gone; the next one goes on.
        if time.monotonic() - said >= _REPORT_EVERY:
            said = time.monotonic()
            print(text, file=sys.stderr)

    make_tables(tables)
    if given.again:
        forget_results(tables)
    names = names_in(given, tables)
    # The one of a server has names, also if none is claimed yet.
    has_names, known = names is not None or given.write is not None, names or Stored()
    erased = erase_names(tables, known.given_up)
    claims = {one.name: one.claimed for one in known.claims} if has_names else None
    count_new(tables, report, claims)
    if not given.no_pars:
        reckon_pars(tables, report, claims)
    listed = (
        None if claims is None else {it.name: it.claimed for it in known.claims if it.is_listed}
    )
    return replace(standings_page(tables, given.month or this_month(), listed), erased=erased)

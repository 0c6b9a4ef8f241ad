"""The command ``hearts-client sheet``: score sheets of records as a page to print."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from hearts.errors import CorruptRecord, HeartsError
from hearts.settings.readers import OneLineParser
from hearts_client.session.replay import GameReplay, read_replay
from hearts_client.statistics.counting import records_of
from hearts_client.statistics.sheet_page import sheet_page

_ALL, _NOT_ALL, _FAILED = 0, 1, 2
_ABOUT = """\
Make a page to print of records of games: the rules, the score sheet, and with
--cards each hand as it was dealt and played. Any browser shows and prints it.
"""


def main(arguments: Sequence[str]) -> int:
    """Read, and print or write; gives the exit status."""
    given = _parse(arguments)
    try:
        return _run(given)
    except BrokenPipeError:
        # Whoever read this has seen enough; the rest must not be written at exit either.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return _NOT_ALL
    except OSError as error:
        _complain(f"{error.filename or given.output or 'the page'}: {error.strerror}")
    except (UnicodeDecodeError, HeartsError) as error:
        _complain(str(error))
    return _FAILED


def _run(given: argparse.Namespace) -> int:
    games: list[GameReplay] = []
    for path in given.paths:
        games += [read_replay(record) for _, record in records_of(path)]
    for number, game in enumerate(games, 1):
        if not game.hands:
            raise CorruptRecord(f"game {number} has no hand")
    page = sheet_page(games, cards=given.cards)
    if given.output is None:
        print(page, end="", flush=True)
    else:
        given.output.write_text(page, encoding="utf-8")
    problems = [game.problem for game in games if game.problem is not None]
    for problem in problems:
        _complain(problem)
    return _NOT_ALL if problems else _ALL


def _parse(arguments: Sequence[str]) -> argparse.Namespace:
    parser = OneLineParser(
        prog="hearts-client sheet",
        description=_ABOUT,
        epilog="Exit status: 0 all is on the page, 1 a record is wrong further on and stands on it "
        "as far as it goes, 2 there is no page.",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add = parser.add_argument
    add(
        "paths",
        nargs="+",
        type=lambda text: Path(text).expanduser(),
        metavar="RECORD",
        help="a file with records, such as 'hearts-client --record DIR' keeps or 'hearts-server "
        "records show 7' prints; - for standard input",
    )
    add("--cards", action="store_true", help="each hand too, card by card")
    add("--output", type=Path, metavar="FILE", help="write to this file instead of the terminal")
    return parser.parse_args(arguments)


def _complain(what: str) -> None:
    print(f"hearts-client sheet: {what}", file=sys.stderr)

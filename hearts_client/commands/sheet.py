"""The command ``hearts-client sheet``: score sheets of records as a page to print."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from msgspec.structs import replace

from hearts.errors import CorruptRecord
from hearts.settings.option_rows import DONE, NOT_ALL, OptionGroup, add_options, switch
from hearts_client.session.replay import GameReplay, read_replay
from hearts_client.statistics.counting import records_of
from hearts_client.statistics.sheet_page import sheet_page

from . import arguments as shared

_ABOUT = """\
Make a page to print of records of games: the rules, the score sheet, and with
--cards each hand as it was dealt and played. Any browser shows and prints it.
"""
_STATUS = (
    "Exit status: 0 all is on the page, 1 a record is wrong further on and stands on it as far as "
    "it goes, 2 there is no page."
)


def main(arguments: Sequence[str]) -> int:
    given = _parse(arguments)
    return shared.run_tool("sheet", lambda: _run(given), output=given.output or "the page")


def _run(given: argparse.Namespace) -> int:
    games: list[GameReplay] = []
    for path in given.paths:
        games += [read_replay(record) for _, record in records_of(path)]
    for number, game in enumerate(games, 1):
        if not game.hands:
            raise CorruptRecord(f"game {number} has no hand")
    shared.write_out(sheet_page(games, cards=given.cards, pars=given.par), given.output)
    problems = [game.problem for game in games if game.problem is not None]
    for problem in problems:
        shared.complain("sheet", problem)
    return NOT_ALL if problems else DONE


def _parse(arguments: Sequence[str]) -> argparse.Namespace:
    parser = shared.tool_parser("sheet", _ABOUT, _STATUS)
    options = {
        "paths": replace(shared.RECORD, nargs="+"),
        "--cards": switch("each hand too, card by card"),
        "--par": switch("what each hand usually costs, seat by seat"),
        "--output": shared.OUTPUT,
    }
    add_options(parser, [OptionGroup("", options)])
    return parser.parse_args(arguments)

"""The command ``hearts-client replay``: a hand of a link, or those of a record, told in lines."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

import trio
from msgspec.structs import replace

from hearts.errors import InvalidLink
from hearts.session.hand_link import SHOWN_BY_LINK, LinkedHand
from hearts.settings.option_rows import DONE, OptionGroup, OptionRow, add_options, switch
from hearts.settings.readers import whole
from hearts_client.lines.keyboard import read_lines
from hearts_client.lines.linked_game import LinkedGame
from hearts_client.lines.replayed import replayed_lines
from hearts_client.par.pars import usual_costs
from hearts_client.session.record_files import seat_of
from hearts_client.session.replay import PAGE, HandReplay, link_of, linked_replay, read_replay
from hearts_client.statistics.counting import linked, records_of
from hearts_client.words.style import Style

from . import arguments as shared

_ABOUT = """\
Show the hand of a link, or the hands of a record, with all cards, and with the
link to each. With --take you play on yourself, against computers.
"""


def main(arguments: Sequence[str]) -> int:
    given = _parse(arguments)
    return shared.run_tool("replay", lambda: _run(given))


def _run(given: argparse.Namespace) -> int:
    style = Style(ascii="utf" not in (sys.stdout.encoding or "ascii").lower())
    link = linked(given.path)
    if given.take is not None:
        if link is None:
            raise InvalidLink("--take needs the link to a hand, in place of a record")
        trio.run(_take, link, given, style)
        return DONE
    for number, replay in enumerate(_replays(given.path, link)):
        if not given.links:
            print(*([""] if number else []), *replayed_lines(replay, style), sep="\n")
            if given.par:
                print(f"Usually, seat by seat: {', '.join(usual_costs(replay)) or 'no par'}.")
        try:
            print(link_of(replay, given.page, named=given.names))
        except InvalidLink as error:
            shared.complain("replay", f"there is no link: {error}")
    if not given.links:
        print(SHOWN_BY_LINK)
    return DONE


def _replays(path: Path, link: LinkedHand | None) -> list[HandReplay]:
    if link is not None:
        return [linked_replay(link)]
    games = [read_replay(text, seat_of(path)) for _, text in records_of(path)]
    return [hand for game in games for hand in game.hands]


async def _take(link: LinkedHand, given: argparse.Namespace, style: Style) -> None:
    seat = given.seat if given.seat is not None else link.own or 0
    game = LinkedGame(link, seat, style, print)
    send, receive = trio.open_memory_channel[str](10)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(read_lines, 0, send)
        await game.go_on(given.take - 1, receive)
        nursery.cancel_scope.cancel()


def _parse(arguments: Sequence[str]) -> argparse.Namespace:
    parser = shared.tool_parser("replay", _ABOUT, SHOWN_BY_LINK)
    options = {
        "path": replace(shared.RECORD_OR_LINK, metavar="LINK"),
        "--links": switch("the links alone, one a line"),
        "--names": switch("links with the names of the players"),
        "--page": OptionRow("the page that links lead to (%(default)s)", "URL", default=PAGE),
        "--take": OptionRow(
            "take a seat at the beginning of this trick, or of the pass for 0, and play on",
            "TRICK",
            whole(0, 13),
        ),
        "--seat": OptionRow("the seat to take (default: that of the link)", "N", whole(0, 3)),
        "--par": switch("what the hand usually costs each seat"),
    }
    add_options(parser, [OptionGroup("", options)])
    return parser.parse_args(arguments)

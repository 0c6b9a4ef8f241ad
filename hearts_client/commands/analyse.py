"""The command ``hearts-client analyse``: the plays of a record that cost most."""

from __future__ import annotations

import argparse
import random
from collections.abc import Sequence

from hearts.bots.levels import ANALYSIS_WORLDS, expert, strong
from hearts.bots.search.analysis import JudgedPlay, judged_plays
from hearts.bots.search.search import SearchBot
from hearts.errors import CorruptRecord, MissingExtra
from hearts.game.record import INFO_REMARK
from hearts.settings.option_rows import DONE, OptionGroup, OptionRow, add_options, switch
from hearts.settings.readers import whole
from hearts.wire.text import is_printable
from hearts_client.statistics.counting import games_of, players_called
from hearts_client.words.others import shown_names

from . import arguments as shared

_ABOUT = """\
List the plays of a game that cost most: what was played, what would have been
better, and by how many points a hand, as the bot expert sees it from what the
player could see. The error is what chance in the search makes; plays within two
errors of the best card are left out.
"""


def main(arguments: Sequence[str]) -> int:
    given = _parse(arguments)
    return shared.run_tool("analyse", lambda: _run(given))


def _run(given: argparse.Namespace) -> int:
    bot = _bot(given.bot, given.worlds)
    records = games_of(given.path)
    for number, (text, record) in enumerate(records, 1):
        names = shown_names(record.names)
        wanted: Sequence[int] = range(4)
        if given.player is not None:
            wanted = players_called(record.names, given.player)
        if not wanted:
            raise CorruptRecord(f"nobody is called {given.player!r} here: {', '.join(names)} are")
        plays = [play for play in judged_plays(record, bot.outlook) if play.player in wanted]
        if len(records) > 1:
            print(f"Game {number}")
        for line in _lines(plays, names, None if given.every else given.most, _info(text)):
            print(line)
    return DONE


def _bot(wanted: str | None, worlds: int | None) -> SearchBot:
    # The same record is judged the same way each time.
    draw = random.Random(1).random
    if wanted != "strong":
        try:
            return expert(draw, worlds or ANALYSIS_WORLDS["expert"])
        except MissingExtra as error:
            if wanted is not None:
                raise
            shared.complain("analyse", f"{error}. The bot strong looks in its place")
    return strong(draw, worlds or ANALYSIS_WORLDS["strong"])


def _info(text: str) -> list[str]:
    """Return for each play of a record what its program has said of it; mostly nothing."""
    plays, said = [], ""
    for line in text.splitlines():
        if line.startswith("play "):
            plays.append(said)
        is_info = line.startswith(INFO_REMARK) and is_printable(line)
        said = line.removeprefix(INFO_REMARK) if is_info else ""
    return plays


def _lines(
    plays: list[JudgedPlay], names: Sequence[str], most: int | None, info: Sequence[str]
) -> list[str]:
    """Return the costliest plays, the worst first; every choice in its order where ``most`` is
    None. Below a play stands what its program has said of it.
    """
    clear = sorted((play for play in plays if play.is_clear), key=lambda play: -play.loss)
    listed = plays if most is None else clear[:most]
    total = sum(play.loss for play in clear)
    head = f"{len(plays)} choices of a card; {len(clear)} cost {total:.1f} points together."
    if not listed:
        return [head]
    width = max(6, *map(len, names))
    columns = f"hand  trick  {'player':{width}}  played  better  cost"
    rows = [
        f"{play.hand:4}  {play.trick:5}  {names[play.player]:{width}}  {play.card!s:6}  "
        f"{_better(play):6}  {play.loss:4.1f} +-{play.error:.1f}"
        + (f"\n             {info[play.number]}" if info[play.number] else "")
        for play in listed
    ]
    return [head, "", columns, *rows]


def _better(play: JudgedPlay) -> str:
    """Return the card that the bot would have played: = for the same, ~ behind what may be no
    better.
    """
    best = play.outlook.best.card
    if best == play.card:
        return "="
    return str(best) if play.is_clear else f"{best}~"


def _parse(arguments: Sequence[str]) -> argparse.Namespace:
    parser = shared.tool_parser("analyse", _ABOUT)
    options = {
        "path": shared.RECORD_OR_LINK,
        "--every": switch(
            "every choice of a card in the order of play, with what the bot would have played: "
            "= for the same card, ~ behind one that is no better beyond the error"
        ),
        "--player": OptionRow("only what this player chose", "NAME"),
        "--most": OptionRow("so many plays (%(default)s)", "N", whole(1, 10_000), 10),
        "--bot": OptionRow("who looks (expert, if it is installed)", choices=("expert", "strong")),
        "--worlds": OptionRow(
            f"deals of the hidden cards for each choice ({ANALYSIS_WORLDS['expert']}; "
            f"{ANALYSIS_WORLDS['strong']} for strong)",
            "N",
            whole(1, 100_000),
        ),
    }
    add_options(parser, [OptionGroup("", options)])
    return parser.parse_args(arguments)

"""The command ``hearts-client analyse``: the choices in a record that cost most, and why."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence

from hearts.errors import CorruptRecord
from hearts.game.record import INFO_REMARK
from hearts.judging.judge import COMPILED_DEALS, PLAIN_DEALS, MadeChoice, SwiftJudge, choices_of
from hearts.judging.outlook import Outlook
from hearts.settings.option_rows import DONE, OptionGroup, OptionRow, add_options, switch
from hearts.settings.readers import whole
from hearts.wire.text import is_printable
from hearts_client.statistics.counting import games_of, players_called
from hearts_client.words.opinions import is_worse, reasons
from hearts_client.words.others import shown_names
from hearts_client.words.style import Style

from . import arguments as shared

_ABOUT = """\
List the mistakes in a game: what was chosen, what would have been better, by how
many points a hand, and why. A choice is held against that of the bot swift: from
what the player could see the hidden cards are dealt again and again, and swift
plays each deal to its end. What costs a point or more, and more than three times
the error that chance makes, is a mistake. With the extra 'expert' it takes a
thirtieth of the time.
"""
_Found = tuple[MadeChoice, Outlook]
_STYLE = Style(ascii=True)


def main(arguments: Sequence[str]) -> int:
    given = _parse(arguments)
    return shared.run_tool("analyse", lambda: _run(given))


def _run(given: argparse.Namespace) -> int:
    # The same record is judged the same way each time.
    judge = SwiftJudge(given.deals or 0, seed=1)
    records = games_of(given.path)
    for number, (text, record) in enumerate(records, 1):
        names = shown_names(record.names)
        wanted: Sequence[int] = range(4)
        if given.player is not None:
            wanted = players_called(record.names, given.player)
        if not wanted:
            raise CorruptRecord(f"nobody is called {given.player!r} here: {', '.join(names)} are")
        choices = [choice for choice in choices_of(record) if choice.view.player in wanted]
        if len(records) > 1:
            print(f"Game {number}")
        found = list(_found(choices, judge, every=given.every))
        mistakes = sorted(filter(_is_clear, found), key=lambda one: -_loss(one))
        total = sum(map(_loss, mistakes))
        print(f"{len(choices)} choices; {len(mistakes)} cost {total:.1f} points together.")
        for line in _lines(found if given.every else mistakes[: given.most], names, _info(text)):
            print(line)
    return DONE


def _found(choices: Sequence[MadeChoice], judge: SwiftJudge, *, every: bool) -> Iterator[_Found]:
    """Give the mistakes, or all choices, each with what is expected; say how far it is."""
    shows = sys.stderr.isatty()
    for number, choice in enumerate(choices, 1):
        if shows:
            print(f"\r{number} of {len(choices)} choices", end="", file=sys.stderr, flush=True)
        look = judge.look_beside if every else judge.judge
        outlook = look(choice.view, choice.cards)
        if outlook is not None:
            yield choice, outlook
    if shows:
        print(end="\r\x1b[K", file=sys.stderr, flush=True)


def _loss(found: _Found) -> float:
    choice, outlook = found
    return outlook.of(*choice.cards).loss


def _is_clear(found: _Found) -> bool:
    choice, outlook = found
    return is_worse(outlook.of(*choice.cards))


def _info(text: str) -> list[str]:
    """Return for each choice of a record what its program has said of it; mostly nothing."""
    choices, said = [], ""
    for line in text.splitlines():
        if line.startswith(("pass ", "play ")):
            choices.append(said)
        is_info = line.startswith(INFO_REMARK) and is_printable(line)
        said = line.removeprefix(INFO_REMARK) if is_info else ""
    return choices


def _lines(listed: Sequence[_Found], names: Sequence[str], info: Sequence[str]) -> Iterator[str]:
    """Say what was found: a row for each choice, and below it what is to be said of it."""
    if not listed:
        return
    width = max(6, *map(len, names))
    yield f"\nhand  trick  {'player':{width}}  chosen    better    cost"
    for choice, outlook in listed:
        view, one = choice.view, outlook.of(*choice.cards)
        is_same = one.loss <= 0
        better = "=" if is_same else _STYLE.cards(outlook.best.cards) + "~" * (not is_worse(one))
        trick = choice.trick or "pass"
        yield (
            f"{view.hand_number + 1:4}  {trick:>5}  {names[view.player]:{width}}  "
            f"{_STYLE.cards(choice.cards):8}  {better:8}  {one.loss:4.1f} +-{one.error:.1f}"
        )
        if is_worse(one):
            for line in reasons(view, outlook.best, one, _STYLE, names.__getitem__):
                yield f"             {line}"
        if info[choice.number]:
            yield f"             {info[choice.number]}"


def _parse(arguments: Sequence[str]) -> argparse.Namespace:
    parser = shared.tool_parser("analyse", _ABOUT)
    options = {
        "path": shared.RECORD_OR_LINK,
        "--every": switch(
            "every choice in its order, with what is better: = for the same, ~ behind what is no "
            "better beyond the error"
        ),
        "--player": OptionRow("only what this player chose", "NAME"),
        "--most": OptionRow("so many mistakes (%(default)s)", "N", whole(1, 10_000), 10),
        "--deals": OptionRow(
            f"deals of the hidden cards for each choice ({COMPILED_DEALS}; {PLAIN_DEALS} "
            "without the extra 'expert')",
            "N",
            whole(1, 100_000),
        ),
    }
    add_options(parser, [OptionGroup("", options)])
    return parser.parse_args(arguments)

"""The command ``hearts-client mistakes``: a person's own mistakes as questions, line by line."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

import trio

from hearts.judging.outlook import Cards, Outlook
from hearts.settings.option_rows import DONE, OptionGroup, OptionRow, add_options, switch
from hearts.wire.text import count_of
from hearts_client.lines.keyboard import read_lines
from hearts_client.mistakes.asking import (
    answer_lines,
    is_right,
    next_line,
    question_lines,
    read_answer,
)
from hearts_client.mistakes.finding import Judging, look_through
from hearts_client.mistakes.kept import (
    KeptMistakes,
    Mistake,
    read_mistakes,
    today,
    write_mistakes,
)
from hearts_client.session.analyst import Analyst
from hearts_client.session.places import at_home, places_of
from hearts_client.words.style import Style, sentence
from hearts_client.words.typed import NotUnderstood

from . import arguments as shared

_ABOUT = """\
Ask your own mistakes: choices in the records of your games that cost a point or
more for sure. You see the table as it was and answer with a card; then you are
told what it costs, and why. What you have answered comes again after days.

Records that are new are looked through first, while you answer: some seconds for
each hand, less with the extra 'expert'. Ctrl-C stops it, and it goes on the next
time. --look looks through all that is new, and asks nothing.
"""
_STDIN = 0


def main(arguments: Sequence[str]) -> int:
    given = _parse(arguments)
    return shared.run_tool("mistakes", lambda: shared.run_task(_run, given))


def _parse(arguments: Sequence[str]) -> argparse.Namespace:
    parser = shared.tool_parser("mistakes", _ABOUT)
    options = {
        "--profile": OptionRow("the games of this profile", "NAME", shared.profile_text),
        "--record": OptionRow("the folder of your records (default: your own)", "DIR", Path),
        "--look": switch("look through what is new, and end"),
        "--ascii": switch("letters instead of suit symbols"),
    }
    add_options(parser, [OptionGroup("", options)])
    return parser.parse_args(arguments)


async def _run(given: argparse.Namespace) -> int:
    folder = given.record or at_home(places_of(shared.profile_of(given)).records)
    kept, problem = await trio.to_thread.run_sync(read_mistakes, folder)
    if problem:
        shared.complain("mistakes", problem)
    analyst = Analyst()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(analyst.run)
        if given.look:
            await look_through(kept, folder, analyst.judge, _tell)
        else:
            await _Quiz(folder, kept, Style(ascii=given.ascii)).run(analyst.judge)
        nursery.cancel_scope.cancel()
    many = len(kept.due(today()))
    print(f"{many} to look at today; {count_of(len(kept.mistakes), 'mistake')} in all.")
    return DONE


def _tell(done: int, many: int) -> None:
    if sys.stderr.isatty() or done == many > 0:
        end = "\n" if done == many else "\r"
        line = f"Looked through {done} of {many} hands."
        print(line, end=end, file=sys.stderr, flush=True)


class _Quiz:
    """Asks what is due, while the rest is looked through."""

    def __init__(self, folder: Path, kept: KeptMistakes, style: Style) -> None:
        self._folder = folder
        self._kept = kept
        self._style = style
        self._progress = (0, 0)
        self._news = trio.Event()
        self._is_looked = False
        self._analyst = Analyst()
        """For passes that nobody has looked at; games are looked through beside it."""

    async def run(self, judge: Judging) -> None:
        """Ask until nothing is left, or the input ends."""
        send, lines = trio.open_memory_channel[str](100)
        async with trio.open_nursery() as nursery:
            nursery.start_soon(read_lines, _STDIN, send)
            nursery.start_soon(self._analyst.run)
            nursery.start_soon(self._look, judge)
            while True:
                self._news = trio.Event()
                if due := self._kept.due(today()):
                    print(f"\n{len(due)} to look at today.")
                    if not await self._ask(due[0], lines):
                        break
                elif self._is_looked:
                    break
                else:
                    await self._news.wait()
            nursery.cancel_scope.cancel()

    async def _look(self, judge: Judging) -> None:
        await look_through(self._kept, self._folder, judge, self._tell)
        self._is_looked = True
        self._news.set()

    def _tell(self, done: int, many: int) -> None:
        self._news.set()
        if not self._kept.due(today()):
            _tell(done, many)

    async def _ask(self, mistake: Mistake, lines: trio.MemoryReceiveChannel[str]) -> bool:
        """Ask one; False if the input ends."""
        for line in question_lines(mistake, self._style):
            print(line)
        async for text in lines:
            if text.strip().lower() in ("/quit", "quit", "q"):
                return False
            try:
                answer = read_answer(mistake, text, self._style)
            except NotUnderstood as error:
                print(sentence(str(error)))
                continue
            await self._answer(mistake, answer)
            return True
        return False

    async def _answer(self, mistake: Mistake, answer: Cards) -> None:
        outlook: Outlook | None = mistake.outlook
        if not any(one.cards == answer for one in mistake.outlook.choices):
            outlook = await self._analyst.look(mistake.view, answer)
        if outlook is None:
            print("What it costs cannot be found out now.")
            return
        for line in answer_lines(mistake, outlook, answer, self._style):
            print(line)
        answered = self._kept.answer(mistake, today(), is_right=is_right(outlook, answer))
        print(next_line(answered))
        await trio.to_thread.run_sync(write_mistakes, self._folder, self._kept)

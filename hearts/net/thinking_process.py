"""``python -m hearts.net.thinking_process LEVEL,LEVEL SECONDS [WORLDS]``: bots in a process.

It makes the bot of each level, and answers one question after the other.
"""

from __future__ import annotations

import os
import random
import sys
import time
import traceback
from typing import BinaryIO

from hearts.bots.bot_frames import HEADER, READY, body_of_answer, frame, question_of
from hearts.bots.levels import EXPERT_WORLDS, STRONG_WORLDS, expert, strong
from hearts.bots.player import choice_of
from hearts.bots.search.search import SearchBot
from hearts.game.events import ChosenBy
from hearts.net.system import give_way


def main(levels: str, seconds: float, worlds: int = 0) -> None:
    """Answer the questions of standard input on standard output, until the input ends.

    ``seconds`` is the time that an answer may take; then the best found so far is given. ``worlds``
    is the number of worlds to look at for a card; 0 for as many as the level has.
    """
    give_way()
    # What a library may print is no answer.
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "wb", buffering=0)
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    try:
        bots = {level: _bot(level, seconds, worlds) for level in levels.split(",")}
        answers.write(frame(READY))
        _answer_all(bots, seconds, sys.stdin.buffer, answers)
    except BrokenPipeError:
        # Who asked is gone.
        return
    except Exception as error:
        # Its text may name a card.
        where = "".join(traceback.format_tb(error.__traceback__))
        print(f"{where}{type(error).__name__}", file=sys.stderr)
        raise SystemExit(1) from None


def _bot(level: str, seconds: float, worlds: int) -> SearchBot:
    draw, clock = random.random, time.monotonic
    if level == "expert":
        return expert(draw, worlds or EXPERT_WORLDS, seconds=seconds, clock=clock)
    return strong(draw, worlds or STRONG_WORLDS, seconds, clock)


def _answer_all(
    bots: dict[str, SearchBot], most: float, questions: BinaryIO, answers: BinaryIO
) -> None:
    while header := questions.read(HEADER):
        asked = question_of(questions.read(int.from_bytes(header)))
        bot = bots[asked.level or next(iter(bots))]
        bot.seconds = min(most, asked.seconds)
        answer = choice_of(bot, asked.question, asked.view, ChosenBy.COMPUTER)
        answers.write(frame(body_of_answer(answer)))


if __name__ == "__main__":
    main(sys.argv[1], float(sys.argv[2]), *map(int, sys.argv[3:]))

"""``python -m hearts.net.thinking_process LEVEL SECONDS``: a bot in a process of its own.

It makes the bot of a level, and answers one question after the other.
"""

from __future__ import annotations

import os
import random
import sys
import time
import traceback
from typing import BinaryIO

from hearts.bots import Bot
from hearts.bots.answers import choice_of
from hearts.bots.frames import HEADER, READY, body_of_choice, frame, question_of
from hearts.bots.levels import expert, strong
from hearts.game.events import ChosenBy

LOWEST_PRIORITY = 19


def main(level: str, seconds: float) -> None:
    """Answer at standard output what standard input asks, until that ends.

    ``seconds`` are what a choice may take; then the best found so far is the answer.
    """
    os.nice(LOWEST_PRIORITY)
    # What a library may print is no answer.
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "wb", buffering=0)
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    try:
        make = expert if level == "expert" else strong
        bot = make(random.random, seconds=seconds, clock=time.monotonic)
        answers.write(frame(READY))
        _answer_all(bot, sys.stdin.buffer, answers)
    except Exception as error:
        # Its text may name a card.
        where = "".join(traceback.format_tb(error.__traceback__))
        print(f"{where}{type(error).__name__}", file=sys.stderr)
        raise SystemExit(1) from None


def _answer_all(bot: Bot, questions: BinaryIO, answers: BinaryIO) -> None:
    while header := questions.read(HEADER):
        asked = question_of(questions.read(int.from_bytes(header)))
        choice = choice_of(bot, asked.question, asked.view, ChosenBy.COMPUTER)
        answers.write(frame(body_of_choice(choice)))


if __name__ == "__main__":
    main(sys.argv[1], float(sys.argv[2]))

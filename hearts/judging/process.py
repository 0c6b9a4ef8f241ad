"""``python -m hearts.judging.process``: answers what choices cost, one after the other.

Frames are those of :mod:`hearts.bots.bot_frames`.
"""

from __future__ import annotations

import os
import sys
import time
from typing import TYPE_CHECKING, BinaryIO

from msgspec import MsgspecError, Struct, msgpack

from hearts.bots.bot_frames import HEADER, READY, card_from, frame
from hearts.game.view import View
from hearts.net.system import give_way

from .outlook import Cards, Outlook

if TYPE_CHECKING:
    from .judge import SwiftJudge

COMMAND = (sys.executable, "-m", __spec__.name)
LOOK_TIME = 1.0
"""Seconds for an outlook; then what was found counts."""


class JudgeAsked(Struct, frozen=True):
    """A choice, and the view of who made it, or who is to make it."""

    view: View
    chosen: Cards
    judges: bool
    """True if nothing is said of what is no mistake."""

    def body(self) -> bytes:
        return msgpack.encode(self, enc_hook=int)


def outlook_from(body: bytes) -> Outlook | None:
    """Return the outlook that a body holds; None if it holds none."""
    try:
        return msgpack.decode(body, type=Outlook | None, dec_hook=card_from)
    except MsgspecError:
        return None


def main() -> None:
    """Answer the questions of standard input on standard output, until the input ends."""
    # Who asks needs none of it.
    from .judge import SwiftJudge

    give_way()
    # What a library may print is no answer.
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "wb", buffering=0)
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    try:
        judge = SwiftJudge(clock=time.monotonic)
        answers.write(frame(READY))
        _answer_all(judge, sys.stdin.buffer, answers)
    except BrokenPipeError:
        # Who asked is gone.
        return


def _answer_all(judge: SwiftJudge, questions: BinaryIO, answers: BinaryIO) -> None:
    while header := questions.read(HEADER):
        body = questions.read(int.from_bytes(header))
        asked = msgpack.decode(body, type=JudgeAsked, dec_hook=card_from)
        if asked.judges:
            outlook = judge.judge(asked.view, asked.chosen)
        else:
            until = time.monotonic() + LOOK_TIME
            outlook = judge.look_beside(asked.view, asked.chosen, until)
        answers.write(frame(msgpack.encode(outlook, enc_hook=int)))


if __name__ == "__main__":
    main()

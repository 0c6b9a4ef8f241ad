"""A player that interrupts the tournament, once."""

from __future__ import annotations

import multiprocessing
import os
import signal
from collections.abc import Sequence
from typing import ClassVar

from hearts.bots import Draw, RandomBot
from hearts.game.cards import Card
from hearts.game.view import View


class Interrupting:
    """Plays by chance; where a folder is not there it makes it, and sends the arena a signal.

    It does so after some matches, when a part of them is kept and others are under way.
    """

    AFTER = 3000
    asked: ClassVar[int] = 0
    """Cards that players of this process were asked for."""

    def __init__(self, draw: Draw, name: str, folder: str) -> None:
        self._bot = RandomBot(draw)
        self._signal = signal.Signals[name]
        self._folder = folder

    def choose_pass(self, view: View) -> Sequence[Card]:
        return self._bot.choose_pass(view)

    def choose_card(self, view: View) -> Card:
        Interrupting.asked += 1
        parent = multiprocessing.parent_process()
        if Interrupting.asked == self.AFTER and self._is_first():
            assert parent is not None
            assert parent.pid is not None
            os.kill(parent.pid, self._signal)
        return self._bot.choose_card(view)

    def _is_first(self) -> bool:
        try:
            os.mkdir(self._folder)
        except FileExistsError:
            return False
        return True

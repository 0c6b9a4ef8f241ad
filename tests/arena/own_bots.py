"""Players as somebody could write them, most of them badly: named by ``tests.arena.own_bots:X``."""

from __future__ import annotations

import multiprocessing
import os
import random
import signal
import sys
import time
import zlib
from collections.abc import Iterator, Sequence
from typing import ClassVar

from hearts.bots import Draw, RandomBot
from hearts.game.cards import Card
from hearts.game.view import View

HERE = "tests.arena.own_bots"


class Plain:
    """Only the two methods that are needed."""

    def choose_pass(self, view: View) -> Sequence[Card]:
        return view.cards[:3]

    def choose_card(self, view: View) -> Card:
        return view.legal_cards[0]


class Moody:
    """Plays by chance what it heard of last; then it tries illegal cards, and then it raises."""

    def __init__(self, draw: Draw) -> None:
        self._chance = RandomBot(draw)
        self._draw = draw
        self._hands = 0

    def begin_game(self, names: Sequence[str], seat: int) -> None:
        self._seat = seat

    def choose_pass(self, view: View) -> Sequence[Card]:
        return self._chance.choose_pass(view)

    def choose_card(self, view: View) -> Card:
        if self._hands > 20:
            raise RuntimeError("no more")
        if self._hands > 15 and self._draw() < 0.2:
            return view.history[0] if view.history else view.cards[-1]
        return self._chance.choose_card(view)

    def trick_taken(self, cards: Sequence[Card], leader: int, winner: int) -> None:
        assert len(cards) == 4
        if winner == self._seat:
            self._draw()

    def hand_done(self, points: Sequence[int], scores: Sequence[int]) -> None:
        assert sum(points) <= sum(scores) + 100
        self._hands += 1


class Diary:
    """Plays by chance, and writes down what it is told and asked, for all matches."""

    pages: ClassVar[list[tuple[object, ...]]] = []

    def __init__(self, draw: Draw) -> None:
        self._bot = RandomBot(draw)

    def begin_tournament(self, players: int, end_score: int) -> None:
        self.pages.append(("tournament", players, end_score))

    def begin_game(self, names: Sequence[str], seat: int) -> None:
        self.pages.append(("game", tuple(names), seat))

    def choose_pass(self, view: View) -> Sequence[Card]:
        self.pages.append(("pass", view))
        return self._bot.choose_pass(view)

    def choose_card(self, view: View) -> Card:
        self.pages.append(("card", view))
        return self._bot.choose_card(view)

    def choose_moon(self, view: View) -> bool:
        self.pages.append(("moon", view))
        return self._bot.choose_moon(view)

    def trick_taken(self, cards: Sequence[Card], leader: int, winner: int) -> None:
        self.pages.append(("trick", tuple(cards), leader, winner))

    def hand_done(self, points: Sequence[int], scores: Sequence[int]) -> None:
        self.pages.append(("hand", tuple(points), tuple(scores)))


class ReadsAll:
    """Chooses by all that a view says, so that another view means another game."""

    def _one(self, view: View) -> int:
        return zlib.crc32(repr(view).encode())

    def choose_pass(self, view: View) -> Sequence[Card]:
        first = self._one(view) % 11
        return view.cards[first : first + 3]

    def choose_card(self, view: View) -> Card:
        return view.legal_cards[self._one(view) % len(view.legal_cards)]

    def choose_moon(self, view: View) -> bool:
        return self._one(view) % 2 == 0


class Tuned(Plain):
    """Has settings, and randomness from the arena."""

    def __init__(self, depth: int, draw: Draw, name: str = "", bold: bool = False) -> None:
        self.settings = (depth, name, bold)
        self.drawn = draw()


class Gambler(Plain):
    """Uses the random numbers that all share."""

    def choose_card(self, view: View) -> Card:
        return random.choice(view.legal_cards)


class Ints(Plain):
    """Answers with plain numbers, and passes a generator."""

    def choose_pass(self, view: View) -> Iterator[int]:  # type: ignore[override]
        return (int(card) for card in view.cards[:3])

    def choose_card(self, view: View) -> int:  # type: ignore[override]
        return int(view.legal_cards[0])


class Stubborn:
    """Never names a card that it may play, in ways that take turns."""

    ANSWERS: ClassVar[list[object]] = [None, -1, 52, 1 << 70, "QS", 0.5, [], object()]

    def __init__(self) -> None:
        self._asked = 0

    def _next(self) -> object:
        self._asked += 1
        return self.ANSWERS[self._asked % len(self.ANSWERS)]

    def choose_pass(self, view: View) -> object:
        cards = view.cards
        others = [card for card in range(52) if not view.hand >> card & 1]
        wrong: list[object] = [
            *(None, 7, "abc", [], cards[:2], cards[:4], (cards[0], cards[0], cards[1])),
            *(others[:3], iter(int, 1), [[], [], []]),
        ]
        self._asked += 1
        return wrong[self._asked % len(wrong)]

    def choose_card(self, view: View) -> object:
        return self._next()


class Wavering(Plain):
    """Tries a card that it has not, each time, before one that is legal."""

    def __init__(self) -> None:
        self._tried = False

    def choose_card(self, view: View) -> Card:
        self._tried = not self._tried
        if self._tried:
            return next(Card(card) for card in range(52) if not view.hand >> card & 1)
        return view.legal_cards[0]


class Raises(Plain):
    """Raises at its ninth choice, or wherever it is told to."""

    def __init__(self, where: str = "card") -> None:
        self._where = where
        self._choices = 0
        self._maybe("init")

    def _maybe(self, where: str) -> None:
        if where == self._where:
            raise RuntimeError(f"no {where}")

    def begin_tournament(self, players: int, end_score: int) -> None:
        self._maybe("tournament")

    def begin_game(self, names: Sequence[str], seat: int) -> None:
        self._maybe("game")

    def choose_pass(self, view: View) -> Sequence[Card]:
        self._maybe("pass")
        return super().choose_pass(view)

    def choose_card(self, view: View) -> Card:
        self._choices += 1
        if self._choices == 9:
            self._maybe("card")
            if self._where == "exit":
                sys.exit("enough")
        return super().choose_card(view)

    def trick_taken(self, cards: Sequence[Card], leader: int, winner: int) -> None:
        self._maybe("trick")

    def hand_done(self, points: Sequence[int], scores: Sequence[int]) -> None:
        self._maybe("hand")


class DiesSometimes(Plain):
    """Ends its process in some matches, in the middle of a hand."""

    def __init__(self, draw: Draw, share: float = 0.2, once: str = "") -> None:
        """With ``once`` it does so only while there is no such file, and makes it."""
        self._doomed = draw() < share
        self._once = once

    def choose_card(self, view: View) -> Card:
        if self._doomed and len(view.history) > 20:
            if not self._once:
                os._exit(9)
            if not os.path.exists(self._once):
                with open(self._once, "w"):
                    os._exit(9)
        return super().choose_card(view)


class Kills(Plain):
    """Sends a signal to a process, in the middle of a hand."""

    asked: ClassVar[int] = 0
    """Cards that players of this process were asked for."""

    def __init__(
        self, pid: int = 0, once: str = "", number: int = signal.SIGKILL, after: int = 0
    ) -> None:
        """Without ``pid`` it goes to whoever has started this process.

        ``once`` is a folder that is there afterwards: it happens once of all that play so, when a
        process was asked for more cards than ``after``.
        """
        parent = multiprocessing.parent_process()
        self._pid = pid or (parent and parent.pid) or 0
        self._once, self._number, self._after = once, number, after

    def choose_card(self, view: View) -> Card:
        Kills.asked += 1
        if len(view.history) > 20 and Kills.asked > self._after and self._is_first():
            assert self._pid
            os.kill(self._pid, self._number)
        return super().choose_card(view)

    def _is_first(self) -> bool:
        if not self._once:
            return True
        try:
            os.mkdir(self._once)
        except FileExistsError:
            return False
        return True


class Hangs(Plain):
    """Thinks forever in some matches."""

    def __init__(self, draw: Draw, share: float = 0.2) -> None:
        self._doomed = draw() < share

    def choose_card(self, view: View) -> Card:
        while self._doomed:
            time.sleep(60)
        return super().choose_card(view)


class Does(Plain):
    """Does something at each card."""

    def __init__(self, what: str) -> None:
        self._what = what

    def choose_card(self, view: View) -> Card:
        match self._what:
            case "sleep":
                time.sleep(0.002)
            case "eat":
                self.hoard = bytearray(8 << 30)
            case "tell":
                raise RuntimeError(f"process {os.getpid()}")
        return super().choose_card(view)

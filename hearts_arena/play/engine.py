"""A Python class as a program of the line protocol.

``python -m hearts_arena.play.engine MODULE:CLASS`` runs it for matches with programs on the wire.
There a class can harm only its own process, and takes no time from the connections of others.
"""

from __future__ import annotations

import os
import random
import sys
import threading
from collections.abc import Callable
from typing import TypeVar

from msgspec.json import encode
from msgspec.structs import replace

from hearts.bots import Bot
from hearts.errors import HeartsError
from hearts.game import events
from hearts.game.cards import Card
from hearts.game.rules import END_SCORES, Direction, parse_rules
from hearts.game.scoring import Four
from hearts.game.view import View
from hearts.session.client_events import WaitingForPlayers
from hearts.session.messages import Scores, TableInfo
from hearts.session.picture import Picture
from hearts_client.library.bot_faults import line_of, raised
from hearts_client.library.call_watch import CallWatch, SlowCall

from .called_seat import CARD, FAILURES, MOON, PASS, Asking, Choice
from .faults import PlayerFault, fault_of
from .line_bot import CARD_OF, FAULT, READY
from .line_process import LONGEST_LINE
from .players import BotMaker, OwnClass, maker_of, parse_player

_Answer = TypeVar("_Answer")


class ClassEngine:
    """Hears the lines of the arena, and asks a player of a class."""

    def __init__(self, make: BotMaker, write_line: Callable[[str], None]) -> None:
        self._make = make
        self._write = write_line
        self._watch = CallWatch(self._report_slow)
        self._players = 0
        self._bot: Bot | None = None
        self._view: View | None = None
        """The view of the question that is asked now."""
        self._trick: list[Card] = []
        self._leader = 0
        self._was_illegal = False

    def receive_all(self) -> None:
        with self._watch.watching(), open(0, encoding="utf-8", newline="\n") as lines:
            for line in lines:
                self._receive(*line.rstrip("\n").split(" "))

    def _receive(self, kind: str, *words: str) -> None:
        match kind:
            case "hearts-line":
                self._write(READY)
            case "tournament":
                self._players = int(words[0])
            case "game":
                self._begin_game(*words)
            case "name":
                self._names.append(" ".join(words[1:]))
                if len(self._names) == 4:
                    self._notify("begin_game", tuple(self._names), self._seat)
            case "hand":
                number, direction, *cards = words
                hand = events.YourHand(int(number), Direction[direction.upper()], _cards(*cards))
                self._picture.update(hand)
            case "passed":
                self._picture.update(
                    events.PassMade(self._seat, _cards(*words), events.ChosenBy.PLAYER)
                )
            case "received":
                self._picture.update(events.CardsReceived(_cards(*words)))
            case "played":
                player, (card,) = int(words[0]), _cards(words[1])
                self._begin_trick(player)
                self._picture.update(events.CardPlayed(player, card, events.ChosenBy.PLAYER))
                self._trick.append(card)
            case "trick":
                trick, self._trick = tuple(self._trick), []
                winner = int(words[0])
                self._picture.update(events.TrickTaken(winner, (0, 0, 0, 0)))
                self._notify("trick_taken", trick, self._leader, winner)
            case "scores":
                points, scores = _four(*words[:4]), _four(*words[4:])
                self._picture.update(Scores(scores))
                self._notify("hand_done", points, scores)
            case "pass":
                self._ask(PASS, words[0], lambda cards: " ".join(map(str, cards)))
            case "card":
                if not self._trick:
                    self._begin_trick(self._seat)
                self._ask(CARD, words[0], str)
            case "moon":
                self._ask(MOON, words[0], lambda on_others: "others" if on_others else "self")

    def _begin_game(self, seat: str, end: str, rules: str, seed: str) -> None:
        end_score = END_SCORES[-1] if end == "-" else int(end)
        self._seat = int(seat)
        self._names: list[str] = []
        self._picture = Picture()
        self._picture.update(WaitingForPlayers(self._seat))
        self._picture.update(TableInfo(parse_rules(rules), end_score, 0, frozenset()))
        if self._bot is None:
            random.seed(int(seed))
            self._bot = self._call("__init__", lambda: self._make(int(seed)))
            self._notify("begin_tournament", self._players, end_score)

    def _begin_trick(self, leader: int) -> None:
        hand = self._picture.hand
        if not hand.begun or hand.is_trick_full:
            self._leader = leader
            self._picture.update(events.TrickBegun(leader))

    def _notify(self, method: str, *what: object) -> None:
        receive = getattr(self._bot, method, None)
        if receive is not None:
            self._call(method, lambda: receive(*what))

    def _ask(self, asking: Asking[Choice], number: str, words: Callable[[Choice], str]) -> None:
        bot = self._bot
        assert bot is not None
        view = self._view = self._picture.view()
        answer, choice = self._call(asking.method, lambda: _answer(asking, bot, view))
        if choice is None and not self._was_illegal:
            self._was_illegal = True
            self._report_fault(asking.fault(bot, answer, view))
        self._view = None
        self._write(f"{number} {'nothing legal' if choice is None else words(choice)}")

    def _call(self, method: str, call: Callable[[], _Answer]) -> _Answer:
        with self._watch.call(method, ""):
            try:
                return call()
            except FAILURES as error:
                what, line = raised(error), line_of(error)
                self._report_fault(fault_of(method, what, line, self._view, is_crash=True))
                raise SystemExit(1) from None

    def _report_slow(self, call: SlowCall) -> None:
        what = f"has not answered for {call.seconds:g} s"
        self._report_fault(fault_of(call.method, what, call.line, self._view))

    def _report_fault(self, fault: PlayerFault) -> None:
        line = FAULT + encode(fault).decode()
        if len(line.encode()) > LONGEST_LINE:
            line = FAULT + encode(replace(fault, what=fault.what[:80], line="")).decode()
        self._write(line)


def _answer(asking: Asking[Choice], bot: Bot, view: View) -> tuple[object, Choice | None]:
    answer = asking.ask(bot, view)
    return answer, asking.read(answer, view)


def _cards(*words: str) -> tuple[Card, ...]:
    return tuple(CARD_OF[word] for word in words)


def _four(*words: str) -> Four:
    a, b, c, d = map(int, words)
    return a, b, c, d


def main() -> None:
    try:
        player = parse_player(" ".join(sys.argv[1:]))
        if not isinstance(player, OwnClass):
            sys.exit("give MODULE:CLASS")
        make = maker_of(player)
    except HeartsError as error:
        sys.exit(str(error))
    # What the class prints is no line of the protocol.
    output = os.dup(1)
    os.dup2(2, 1)
    saying = threading.Lock()

    def write_line(line: str) -> None:
        with saying:
            os.write(output, line.encode() + b"\n")

    ClassEngine(make, write_line).receive_all()


if __name__ == "__main__":
    # Under its own name, so that none of its lines passes for one of the class.
    from hearts_arena.play import engine

    engine.main()

"""A program of the line protocol as a player: hearts_arena/LineSpec.md says what is said."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from math import inf

from msgspec import DecodeError, Struct
from msgspec.json import decode

from hearts.game.cards import CARDS, Card, by_wire
from hearts.game.rules import Direction
from hearts.game.scoring import Four
from hearts.game.view import View
from hearts.wire.text import is_legible, is_visible

from .faults import PlayerFault
from .line_process import EXIT_LIMIT, LineFault, LineProcess

START_LIMIT = 20.0
"""Seconds from its start until a program says that it is ready."""
FAULT = "#fault "
"""Before a fault of itself that a program tells, in JSON."""
INFO = "#info "
"""Before the number of a question and what a program says of its answer."""
LONGEST_INFO = 200
"""Characters of both that are read."""
_VERSION = "hearts-line 1"
READY = "ready"
CARD_OF = {str(card): card for card in CARDS}


class LineProgram(Struct, frozen=True, gc=False):
    """A program that the arena starts, and that speaks the line protocol."""

    line: str
    rules: str = "standard"
    end: int | None = None
    """The score at which a game ends; None for a number of hands."""
    move: float = 0.0
    """Seconds for a choice; 0 for no limit."""
    hand: float = 0.0
    """Seconds for all choices of a hand; 0 for no limit."""
    memory: int = 0
    """Bytes that the program may have; 0 for as many as the process that starts it."""
    is_trusted: bool = False
    """True if what it prints as an error is shown, and a choice that takes longer than the limit of
    a hand is a fault."""


class OutOfTime(Exception):
    """The time of a player is up, so that the clock chooses."""


class ToldFault(Exception):
    """A program tells a fault of itself, and plays no more."""

    def __init__(self, fault: PlayerFault) -> None:
        super().__init__(fault)
        self.fault = fault


class LineBot:
    """Asks a program in lines, and tells it what happens."""

    def __init__(self, player: LineProgram, seed: int) -> None:
        """Start the program. Raises LineFault."""
        self._player = player
        self._seed = seed
        self._is_ready = False
        self._asked = 0
        """The number of the latest question."""
        self._question: object = None
        """Its subject, to see that it is asked again."""
        self.info = ""
        """Its words about its latest choice."""
        self._process = LineProcess(player.line, player.memory, shows_errors=player.is_trusted)

    def begin(self, complain: Callable[[PlayerFault], None]) -> None:
        """Wait until the program is ready; pass the faults that it reports to ``complain``.

        Raises LineFault.
        """
        self._complain = complain
        if self._is_ready:
            return
        self._process.write(_VERSION)
        self._flush()
        line = self._read(time.monotonic() + START_LIMIT)
        if line is None:
            raise LineFault(f"did not say {READY!r} within {START_LIMIT:g} s")
        if line.strip() != READY:
            raise LineFault(f"said {line[:80]!a} before {READY!r}")
        self._is_ready = True

    def close(self, patience: float = EXIT_LIMIT) -> None:
        self._process.close(patience)

    def kill(self) -> None:
        """End the program at once, while another thread may read from it."""
        self._process.kill()

    # What it is told

    def begin_tournament(self, players: int, end_score: int) -> None:
        self._process.write(f"tournament {players}")

    def begin_game(self, names: Sequence[str], seat: int) -> None:
        player = self._player
        self._hand = -1
        end = "-" if player.end is None else player.end
        self._process.write(f"game {seat} {end} {player.rules} {self._seed}")
        for number, name in enumerate(names):
            self._process.write(f"name {number} {name}")

    def _begin_hand(self, view: View) -> None:
        if view.hand_number == self._hand:
            return
        self._hand = view.hand_number
        self._spent = 0.0
        self._has_answered = False
        self._told = 0
        """Cards of the trick under way that it was told of."""
        self._told_received = False
        direction = Direction(view.direction).name.lower()
        self._process.write(f"hand {view.hand_number} {direction} {_words(by_wire(view.hand))}")

    def _catch_up(self, view: View) -> None:
        """Send all that it needs to know before it is asked."""
        if view.direction is Direction.HOLD:
            self._begin_hand(view)
        if view.received and not self._told_received:
            self._told_received = True
            self._process.write(f"passed {_words(view.passed)}")
            self._process.write(f"received {_words(view.received)}")
        self._send_played(view.trick, view.leader)

    def _send_played(self, trick: Sequence[Card], leader: int) -> None:
        for place in range(self._told, len(trick)):
            self._process.write(f"played {(leader + place) % 4} {trick[place]}")
        self._told = len(trick)

    def trick_taken(self, cards: Sequence[Card], leader: int, winner: int) -> None:
        self._send_played(cards, leader)
        self._told = 0
        self._process.write(f"trick {winner}")

    def hand_done(self, points: Four, scores: Four) -> None:
        self._process.write(f"scores {_words(points)} {_words(scores)}")
        self._flush()
        if not self._has_answered:
            raise LineFault("did not answer for a whole hand")

    # What it is asked

    def choose_pass(self, view: View) -> Sequence[Card] | str:
        self._begin_hand(view)
        return _cards(self._ask("pass", "", view))

    def choose_card(self, view: View) -> Card | str:
        self._catch_up(view)
        words = self._ask("card", _words(view.legal_cards), view)
        card = CARD_OF.get(words[0]) if len(words) == 1 else None
        return _unread(words) if card is None else card

    def choose_moon(self, view: View) -> bool | None:
        return {"others": True, "self": False}.get(" ".join(self._ask("moon", "", view)))

    def _ask(self, what: str, more: str, view: View) -> list[str]:
        """Return the words of its answer. Raises OutOfTime if none comes in time, and LineFault."""
        if self._question == (what, view):
            self._process.write(f"illegal {self._asked}")
        self._question = (what, view)
        self.info = ""
        self._asked += 1
        begin = time.monotonic()
        player = self._player
        spent = 0.0 if player.is_trusted else self._spent
        deadline = begin + min(player.move or inf, (player.hand or inf) - spent)
        self._process.write(f"{what} {self._asked} {more}".rstrip())
        self._flush()
        try:
            return self._answer(deadline)
        finally:
            self._spent += time.monotonic() - begin

    def _answer(self, deadline: float) -> list[str]:
        while True:
            line = self._read(deadline)
            if line is None and self._player.is_trusted:
                raise LineFault(f"did not come back within {self._player.hand:g} s")
            if line is None:
                self._process.write(f"late {self._asked}")
                raise OutOfTime
            number, *words = line.split() or [""]
            if number.isascii() and number.isdecimal() and len(number) < 10:
                if int(number) < self._asked:
                    # It was late, and the clock has chosen.
                    continue
                if int(number) == self._asked:
                    self._has_answered = True
                    return words
            raise LineFault(f"said {line[:80]!a}, which answers no question")

    def _flush(self) -> None:
        """Hand over what was said. Raises LineFault, and ToldFault if it says why it has ended."""
        try:
            self._process.flush()
        except LineFault:
            deadline = time.monotonic() + EXIT_LIMIT
            while self._read(deadline) is not None:
                pass
            raise

    def _read(self, deadline: float) -> str | None:
        """Return the next line that is no remark; None if there is none before the deadline.

        Raises LineFault, and ToldFault if the program has told of a crash.
        """
        while (line := self._process.read(deadline)) is not None and line.startswith("#"):
            if line.startswith(INFO):
                number, _, text = line.removeprefix(INFO)[:LONGEST_INFO].partition(" ")
                if number == str(self._asked):
                    self.info = text if is_legible(text) and is_visible(text) else ""
            if not line.startswith(FAULT):
                continue
            try:
                fault = decode(line.removeprefix(FAULT), type=PlayerFault)
            except DecodeError:
                continue
            if fault.is_crash:
                raise ToldFault(fault)
            self._complain(fault)
        return line


def _words(values: Sequence[object]) -> str:
    return " ".join(map(str, values))


def _cards(words: Sequence[str]) -> list[Card] | str:
    """Return the cards of an answer; a text if one of them is no card."""
    cards = [card for word in words if (card := CARD_OF.get(word)) is not None]
    return cards if len(cards) == len(words) > 0 else _unread(words)


def _unread(words: Sequence[str]) -> str:
    return f"cannot read {' '.join(words)[:80]!a}"

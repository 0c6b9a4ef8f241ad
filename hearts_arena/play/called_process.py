"""A player's class in a process of its own: what it does to that process costs itself alone.

So it is where programs on the wire play too. There it must not end the tournament, and must not
take the processor from the connections of others.
"""

from __future__ import annotations

import random
import threading
from collections.abc import Sequence
from contextlib import suppress
from multiprocessing.connection import Connection

from hearts.game.scoring import Four
from hearts.game.view import View
from hearts_arena.plan.results import Conduct, TimeTaken
from hearts_client.library.bot_faults import moment
from hearts_client.library.call_watch import SLOW, CallWatch, SlowCall

from .chairs import Chair, Complain, PlayerFault
from .player_process import PlayerProcess
from .players import Foreign, maker_of

START_LIMIT = 20.0
"""Seconds for the process to begin, beside what its player takes."""

_Reply = tuple[list[str], bool, Conduct, TimeTaken, list[PlayerFault]]
"""Moves, whether it wants to hear of tricks, how it behaved, and its faults."""


class ProcessChair:
    """One player's place in a match, as a :class:`Chair` is, with the player in another process.

    Every method waits for that process, so it is called in a thread.
    """

    def __init__(
        self,
        seat: int,
        moves: list[str],
        complain: Complain,
        player: Foreign,
        *,
        memory: int,
        limit: float,
    ) -> None:
        """``memory`` is in bytes, ``limit`` the seconds of a call after which the player has hung;
        0 for none of them."""
        self.choices = 0
        self.hears_tricks = False
        self._seat = seat
        self._moves = moves
        self._complain = complain
        self._player = player
        self._memory = memory
        self._limit = limit
        self._conduct = Conduct()
        self._pace = TimeTaken()
        self._pipe: Connection | None = None
        self._process: PlayerProcess | None = None
        self._stand_in: Chair | None = None
        """Plays when the process has ended."""
        self._closing = threading.Lock()
        self._closed = False

    @property
    def conduct(self) -> Conduct:
        known, rest = self._conduct, Conduct() if self._stand_in is None else self._stand_in.conduct
        return Conduct(
            self.choices,
            known.illegal,
            known.timeouts,
            known.crashes + rest.crashes,
            known.stood_in + rest.stood_in,
        )

    @property
    def pace(self) -> TimeTaken:
        return self._pace

    def sit_down(self, seed: int) -> None:
        """Start the process, and make the player there."""
        with self._closing:
            if self._closed:
                return
            self._process = PlayerProcess(self._memory, _serve, self._seat, self._player)
            self._pipe = self._process.pipe
        self._call("sit_down", seed)

    def begin_tournament(self, players: int, end_score: int) -> None:
        self._call("begin_tournament", players, end_score)

    def begin_game(self, names: Sequence[str]) -> None:
        self._call("begin_game", names)

    def trick_taken(self, cards: Sequence[object], leader: int, winner: int) -> None:
        self._call("trick_taken", cards, leader, winner)

    def hand_done(self, points: Four, scores: Four) -> None:
        self._call("hand_done", points, scores)

    def choose_pass(self, view: View) -> None:
        self._call("choose_pass", view)

    def play_card(self, view: View) -> None:
        self._call("play_card", view)

    def choose_moon(self, view: View) -> None:
        self._call("choose_moon", view)

    def close(self) -> None:
        """End the process, whatever it is at."""
        with self._closing:
            self._closed = True
            if self._process is not None:
                self._process.end()
                self._process = None

    def _call(self, method: str, *what: object) -> None:
        if self._stand_in is None:
            why = self._ask_process(method, what)
            if why is None:
                return
            self._give_up(method, why, what)
        if self._stand_in is not None and method != "sit_down":
            getattr(self._stand_in, method)(*what)

    def _ask_process(self, method: str, what: tuple[object, ...]) -> str | None:
        """Let the player do something; why he is given up, if he is."""
        assert self._pipe is not None
        try:
            self._pipe.send((method, what))
            limit = self._limit or None
            if limit is not None and method == "sit_down":
                limit += START_LIMIT
            while self._pipe.poll(limit):
                said: _Reply | str = self._pipe.recv()
                if isinstance(said, str):
                    slow = f"has not answered for {SLOW:g} s"
                    self._tell(_method(method), slow, what, said, is_crash=False)
                    continue
                moves, self.hears_tricks, self._conduct, self._pace, faults = said
                self._moves += moves
                for fault in faults:
                    self._complain(self._seat, fault)
                return None
        except (EOFError, OSError):
            return "ended the process that it plays in"
        return f"did not come back within {self._limit:g} s"

    def _give_up(self, method: str, why: str, what: tuple[object, ...]) -> None:
        self.close()
        self.hears_tricks = False
        self._stand_in = Chair(self._seat, self._moves, [0, self._seat, 0], self._complain)
        self._stand_in.count_death()
        self._tell(_method(method), why, what, "", is_crash=True)

    def _tell(
        self, method: str, why: str, what: tuple[object, ...], line: str, *, is_crash: bool
    ) -> None:
        view = next((each for each in what if isinstance(each, View)), None)
        when, hand = ("", -1) if view is None else (moment(view), view.hand_number)
        self._complain(
            self._seat, PlayerFault(method, why, when, line, is_crash=is_crash, hand=hand)
        )


def _method(called: str) -> str:
    """What the author has called what we call so."""
    return {"sit_down": "__init__", "play_card": "choose_card"}.get(called, called)


def _serve(pipe: Connection, seat: int, player: Foreign) -> None:
    """Be the process of a player, until the pipe is closed."""
    sending = threading.Lock()
    moves: list[str] = []
    faults: list[PlayerFault] = []
    chair = Chair(seat, moves, [0, seat, 0], lambda _, fault: faults.append(fault))

    def tell_slow(call: SlowCall) -> None:
        with sending, suppress(OSError):
            pipe.send(call.line)

    watch = CallWatch(tell_slow)
    with suppress(EOFError, OSError), watch.watching():
        while True:
            method, what = pipe.recv()
            with watch.call(method, ""):
                if method == "sit_down":
                    random.seed(what[0])
                    chair.sit_down(maker_of(player), what[0])
                else:
                    getattr(chair, method)(*what)
            with sending:
                pipe.send((moves, chair.hears_tricks, chair.conduct, chair.pace, faults))
            moves.clear()
            faults.clear()

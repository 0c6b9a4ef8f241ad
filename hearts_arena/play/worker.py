"""What a worker process is told and reports, and how it plays what it is given."""

from __future__ import annotations

import threading
import time
import traceback
from contextlib import suppress
from ctypes import Array, c_longlong
from multiprocessing.connection import Connection

from msgspec import Struct

from hearts.errors import HeartsError
from hearts.game.scoring import Four
from hearts_arena.plan.plan import Plan
from hearts_arena.plan.results import Conduct, Match, MatchResult, TimeTaken
from hearts_client.library.bot_faults import message
from hearts_client.library.call_watch import SLOW, CallWatch, SlowCall

from .match_runner import FirstFaults, MatchRunner, SecretOf
from .players import BadPlayer

Job = tuple[Match, frozenset[int]]
"""A match, and the seats whose players end the process that they play in."""
_Paces = tuple[float, float, float, float, float, float, float, float]
_Packed = tuple[
    int,
    tuple[Four, ...],
    Four,
    tuple[int, ...],
    tuple[Conduct, Conduct, Conduct, Conduct],
    _Paces,
    str,
    str,
]
Fault = tuple[int, str, bool]
"""The entrant, what is wrong with its player, and whether that was a crash."""
Report = tuple[list[_Packed], list[Fault], float]
"""Results of a chunk, the first faults of entrants, and the seconds it took."""


class Slow(Struct, frozen=True):
    """A player has not answered for some time."""

    entrant: int
    text: str


class WorkerDied(HeartsError):
    """Workers end again and again, and no player is to blame; the text says what is known."""


def _pack(result: MatchResult) -> _Packed:
    """A result in a form that goes through a pipe in half the time."""
    a, b, c, d = result.pace
    paces = a.seconds, a.slowest, b.seconds, b.slowest, c.seconds, c.slowest, d.seconds, d.slowest
    return (
        *(result.number, result.points, result.scores, result.winners, result.conduct),
        *(paces, result.moves, result.took),
    )


def unpack(packed: _Packed) -> MatchResult:
    """The result of its packed form."""
    number, points, scores, winners, conduct, paces, moves, took = packed
    a, b, c, d, e, f, g, h = paces
    pace = TimeTaken(a, b), TimeTaken(c, d), TimeTaken(e, f), TimeTaken(g, h)
    return MatchResult(number, points, scores, winners, conduct, pace, moves, took)


def work(
    pipe: Connection,
    under_way: Array[c_longlong],
    plan: Plan,
    secret_of: SecretOf,
) -> None:
    """Be a worker: play chunks until the pipe is closed."""
    news: list[Fault] = []
    first = FirstFaults(lambda *fault: news.append(fault))
    sending = threading.Lock()

    def tell_slow(call: SlowCall) -> None:
        match, _ = runner.now
        what = f"has not answered for {SLOW:g} s"
        text = message("a call of it", what, runner.where(), call.line)
        with sending, suppress(OSError):
            pipe.send(Slow(match.seats[under_way[1]], text))

    def play(chunk: list[Job]) -> Report | HeartsError:
        begin = time.monotonic()
        try:
            results = [_pack(runner.play(match, dead)) for match, dead in chunk]
        except Exception:
            # Players cannot raise up to here: nobody of them is to blame.
            return WorkerDied(traceback.format_exc())
        return results, news, time.monotonic() - begin

    with suppress(EOFError, OSError):
        try:
            runner = MatchRunner(
                plan, secret_of, first.hear, memoryview(under_way).cast("B").cast("q")
            )
        except BadPlayer as error:
            pipe.send(error)
            return
        watch = CallWatch(tell_slow, progress=lambda: tuple(under_way))
        with watch.watching():
            while True:
                chunk = pipe.recv()
                with watch.call("", ""):
                    report = play(chunk)
                with sending:
                    pipe.send(report)
                news.clear()

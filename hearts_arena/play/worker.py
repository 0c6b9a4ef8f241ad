"""A worker process: it plays the matches that it is given, and reports."""

from __future__ import annotations

import threading
import time
import traceback
from contextlib import suppress
from ctypes import Array, c_longlong
from multiprocessing.connection import Connection

from msgspec.msgpack import encode

from hearts.errors import HeartsError
from hearts_arena.plan.plan import Plan
from hearts_arena.plan.results import Match
from hearts_client.library.bot_faults import message
from hearts_client.library.call_watch import SLOW, CallWatch, SlowCall

from .faults import FirstFaults, named
from .match_runner import MatchRunner, SecretOf
from .players import BadPlayer

Job = tuple[Match, frozenset[int]]
"""A match, and the seats whose players end the process that they play in."""
Fault = tuple[int, str, bool]
"""The entrant, what is wrong with its player, and whether that was a crash."""
Report = tuple[bytes, list[Fault], float]
"""Results of a chunk in MessagePack, the first faults of entrants, and the seconds it took."""


class WorkerDied(HeartsError):
    """Workers end again and again, and no player is to blame; the text says what is known."""


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
            named(plan, pipe.send)(match.seats[under_way[1]], text, False)

    def play(chunk: list[Job]) -> Report | HeartsError:
        begin = time.monotonic()
        try:
            results = encode([runner.play(match, dead) for match, dead in chunk])
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

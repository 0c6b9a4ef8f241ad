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
from .match_runner import MatchRunner
from .players import BadPlayer

Job = tuple[Match, frozenset[int]]
"""A match, and the seats whose players end the process that they play in."""
Fault = tuple[int, str, bool]
"""The entrant, what is wrong with its player, and whether that was a crash."""
Report = tuple[bytes, float]
"""Results of a chunk in MessagePack, and the seconds it took."""


class WorkerDied(HeartsError):
    """Workers end again and again, and no player is to blame; the text says what is known."""


def work(
    pipe: Connection,
    under_way: Array[c_longlong],
    plan: Plan,
) -> None:
    """Be a worker: play chunks until the pipe is closed."""
    sending = threading.Lock()

    def send(message: Report | Fault | str | HeartsError) -> None:
        with sending:
            pipe.send(message)

    def tell_slow(call: SlowCall) -> None:
        match, _ = runner.now
        what = f"has not answered for {SLOW:g} s"
        text = message("a call of it", what, runner.where(), call.line)
        with suppress(OSError):
            named(plan, send)(match.seats[under_way[1]], text, False)

    with suppress(EOFError, OSError):
        numbers = memoryview(under_way).cast("B").cast("q")
        first = FirstFaults(lambda *fault: send(fault))
        try:
            runner = MatchRunner(plan, first.hear, numbers)
        except BadPlayer as error:
            send(error)
            return
        watch = CallWatch(tell_slow, progress=lambda: tuple(under_way))
        with watch.watching():
            while True:
                chunk: list[Job] = pipe.recv()
                begin = time.monotonic()
                try:
                    with watch.call("", ""):
                        results = encode([runner.play(match, dead) for match, dead in chunk])
                except Exception:
                    # Players cannot raise up to here: nobody of them is to blame.
                    send(WorkerDied(traceback.format_exc()))
                else:
                    send((results, time.monotonic() - begin))

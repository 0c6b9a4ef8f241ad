"""The cost of a hand at a table without sockets: time, instructions under callgrind, and memory.

``python -m tests.bench.socketless`` times it in both dialects; ``--calls`` prints a profile. With
``--callgrind`` it counts instructions, which repeat to a millionth on one machine and so compare
commits; valgrind must be installed.
"""

from __future__ import annotations

import argparse
import cProfile
import gc
import os
import pstats
import re
import shutil
import subprocess
import sys
import time
import tracemalloc
from collections.abc import Callable, Sequence

from hearts.game.deal import deal_hands
from tests.hosting.desk import DEALER, PLAIN, TableDesk

from .processes import ROOT
from .script import Inputs, SessionScript
from .session import in_dealer_dialect, record_session, replay, table_desk

ROUNDS = 5
"""The best of so many rounds counts: other load can only slow one down."""
_FUNCTIONS = 40
"""Lines of a profile."""
_COLLECTED = re.compile(r"Collected : (\d+)")


def microseconds_per_hand(script: SessionScript) -> tuple[float, float]:
    """CPU time of a hand, plain and dealer: rules, table, the four seats and their bytes."""
    inputs = in_dealer_dialect(script)
    rounds = [
        (_timed(lambda: replay(script)), _timed(lambda: replay(script, inputs)))
        for _ in range(ROUNDS)
    ]
    plain, dealer = (min(times) / script.hands * 1e6 for times in zip(*rounds, strict=True))
    return plain, dealer


def _timed(call: Callable[[], object]) -> float:
    begin = time.process_time()
    call()
    return time.process_time() - begin


def instructions_per_hand(hands: int, *table: str) -> float | None:
    """Instructions of a hand under callgrind, at a table that options of :func:`main` tell.

    None where valgrind is not installed.
    """
    if shutil.which("valgrind") is None:
        return None
    # Python compiles what was edited since the last time, which is not to be counted.
    _play_in_process([], hands, 0, *table)
    once, twice = (_instructions(hands, times, *table) for times in (1, 2))
    return (twice - once) / hands


def _instructions(hands: int, times: int, *table: str) -> int:
    under = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null"]
    said = _play_in_process(under, hands, times, *table)
    found = _COLLECTED.search(said)
    if found is None:
        raise RuntimeError(f"callgrind said something else: {said[-300:]!r}")
    return int(found[1])


def _play_in_process(under: Sequence[str], hands: int, times: int, *table: str) -> str:
    done = subprocess.run(
        [
            *(*under, sys.executable, "-m", "tests.bench.socketless"),
            *("--hands", str(hands), "--times", str(times), *table),
        ],
        cwd=ROOT,
        # The same seed of hashes and the same environment, so that counts repeat.
        env={"PYTHONHASHSEED": "0", "PATH": os.environ["PATH"]},
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stderr


def print_calls(script: SessionScript, dealer: Inputs | None) -> None:
    """Print the functions that are called most, with their calls in a session."""
    profile = cProfile.Profile()
    profile.runcall(replay, script, dealer)
    pstats.Stats(profile).strip_dirs().sort_stats("tottime").print_stats(_FUNCTIONS)


def table_sizes(
    script: SessionScript, hands: Sequence[int], dealer: Inputs | None = None
) -> list[int]:
    """Bytes of one table with its four clients after these numbers of hands, ascending.

    ``dealer`` is what they send in the dealer dialect. What a client would have read, what the
    store would have written and what the log and the chat would have said is thrown away.
    """
    dialect = PLAIN if dealer is None else DEALER
    inputs = script.inputs if dealer is None else dealer
    # The first table makes what all tables share.
    _play(table_desk(script.secrets, dialect), inputs, [1])
    tracemalloc.start()
    try:
        before = _traced()
        return [size - before for size in _play(table_desk(script.secrets, dialect), inputs, hands)]
    finally:
        tracemalloc.stop()


def _play(desk: TableDesk, inputs: Inputs, hands: Sequence[int]) -> list[int]:
    desk.begin()
    sizes: list[int] = []
    for player, data in inputs:
        _throw_away(desk)
        while desk.table.past.hands_scored() >= hands[len(sizes)]:
            sizes.append(_traced())
            if len(sizes) == len(hands):
                return sizes
        desk.arrive(player, data)
    _throw_away(desk)
    return [*sizes, _traced()]


def _throw_away(desk: TableDesk) -> None:
    for link in desk.links:
        link.pieces.clear()
        link.flushed = 0
    desk.store.lines.clear()
    desk.said.clear()


def _traced() -> int:
    gc.collect()
    # The names that were looked up last are no table's, nor are the deals that were made last.
    sys._clear_type_cache()
    deal_hands.cache_clear()
    return tracemalloc.get_traced_memory()[0]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--hands", type=int, default=20, help="hands of one session (20)")
    parser.add_argument("--times", type=int, help="only play the session so many times")
    parser.add_argument("--dealer", action="store_true", help="play or count the dealer dialect")
    parser.add_argument("--computers", action="store_true", help="one plain client, simple bots")
    parser.add_argument("--callgrind", action="store_true", help="count instructions")
    parser.add_argument("--calls", action="store_true", help="count calls, by cProfile")
    options = parser.parse_args()
    if options.callgrind:
        table = [f"--{name}" for name in ("dealer", "computers") if getattr(options, name)]
        instructions = instructions_per_hand(options.hands, *table)
        if instructions is None:
            raise SystemExit("valgrind is not installed")
        print(f"{instructions:,.0f} instructions a hand")
        return
    script = record_session(options.hands, computers=3 if options.computers else 0)
    inputs = in_dealer_dialect(script) if options.dealer else None
    if options.calls:
        print_calls(script, inputs)
    elif options.times is None:
        plain, dealer = microseconds_per_hand(script)
        beside = f", in the dealer dialect {dealer:.0f}, {dealer / plain:.2f}"
        print(f"{plain:.0f} us a hand{'' if options.computers else beside}")
    else:
        for _ in range(options.times):
            replay(script, inputs)


if __name__ == "__main__":
    main()

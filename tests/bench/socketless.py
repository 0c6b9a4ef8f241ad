"""What a hand costs at a table without sockets: time, and instructions under callgrind.

``python -m tests.bench.socketless`` times it. With ``--callgrind`` it counts instructions, which
repeat to a millionth on one machine and so compare commits; valgrind must be installed.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Sequence

from .processes import ROOT
from .script import Script
from .session import record_session, replay

ROUNDS = 5
"""The best of so many rounds counts: other load can only slow one down."""
_COLLECTED = re.compile(r"Collected : (\d+)")


def microseconds_per_hand(script: Script) -> float:
    """CPU time of a hand: rules, table, the four seats and their bytes."""
    best = min(_timed(lambda: replay(script)) for _ in range(ROUNDS))
    return best / script.hands * 1e6


def _timed(call: Callable[[], object]) -> float:
    begin = time.process_time()
    call()
    return time.process_time() - begin


def instructions_per_hand(hands: int) -> float | None:
    """Instructions of a hand under callgrind; None where valgrind is not installed."""
    if shutil.which("valgrind") is None:
        return None
    # Python compiles what was edited since the last time, which is not to be counted.
    _play_in_process([], hands, 0)
    once, twice = (_instructions(hands, times) for times in (1, 2))
    return (twice - once) / hands


def _instructions(hands: int, times: int) -> int:
    under = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null"]
    said = _play_in_process(under, hands, times)
    found = _COLLECTED.search(said)
    if found is None:
        raise RuntimeError(f"callgrind said something else: {said[-300:]!r}")
    return int(found[1])


def _play_in_process(under: Sequence[str], hands: int, times: int) -> str:
    done = subprocess.run(
        [
            *(*under, sys.executable, "-m", "tests.bench.socketless"),
            *("--hands", str(hands), "--times", str(times)),
        ],
        cwd=ROOT,
        # The same seed of hashes and the same environment, so that counts repeat.
        env={"PYTHONHASHSEED": "0", "PATH": os.environ["PATH"]},
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stderr


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--hands", type=int, default=20, help="hands of one session (20)")
    parser.add_argument("--times", type=int, help="only play the session so many times")
    parser.add_argument("--callgrind", action="store_true", help="count instructions")
    options = parser.parse_args()
    if options.callgrind:
        instructions = instructions_per_hand(options.hands)
        if instructions is None:
            raise SystemExit("valgrind is not installed")
        print(f"{instructions:,.0f} instructions a hand")
        return
    script = record_session(options.hands)
    if options.times is None:
        print(f"{microseconds_per_hand(script):.0f} us a hand")
        return
    for _ in range(options.times):
        replay(script)


if __name__ == "__main__":
    main()

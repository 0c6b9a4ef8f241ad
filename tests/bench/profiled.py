"""Runs a server under Python's profiler: ``python profiled.py FILE`` and the server's arguments.

It counts from one SIGUSR1 to the next, and then writes the profile of the event loop's thread to
FILE. By path, so that it can run the server of another commit, which :envvar:`PYTHONPATH` leads to.
"""

from __future__ import annotations

import cProfile
import os
import runpy
import signal
import sys


def main() -> None:
    file, *arguments = sys.argv[1:]
    profile = cProfile.Profile()
    runs = False

    def turn(*_: object) -> None:
        nonlocal runs
        runs = not runs
        if runs:
            profile.enable()
            return
        profile.disable()
        profile.dump_stats(f"{file}.part")
        os.replace(f"{file}.part", file)

    signal.signal(signal.SIGUSR1, turn)
    # The folder of this file is no place to find modules in.
    del sys.path[0]
    sys.argv = ["hearts-server", *arguments]
    runpy.run_module("hearts_server", run_name="__main__")


if __name__ == "__main__":
    main()

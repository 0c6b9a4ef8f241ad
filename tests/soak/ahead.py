"""A server whose clock is ahead: ``python -m tests.soak.ahead SECONDS``, and its settings."""

from __future__ import annotations

import runpy
import sys
import time


def main() -> None:
    now, ahead = time.time, float(sys.argv.pop(1))
    time.time = lambda: now() + ahead
    runpy.run_module("hearts_server", run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    main()

"""What a shell does for a program that has a terminal: runs it in the foreground, and again after
it was stopped. Run as ``shim.py TERMINAL PROGRAM...``.

It says on standard output, a line each: ``began PID``, ``stopped SIGNAL SAME`` and ``exited STATUS
SAME``. The status is as Python counts: -N for signal N; SAME is 1 where the attributes of the
terminal are what they were at first. The line ``fg`` on standard input lets a stopped program go
on. It imports little, for it is started for each program.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import signal
import sys
import termios


def main() -> None:
    """Take the terminal, and lend it to the program for as long as it runs."""
    path, *command = sys.argv[1:]
    terminal = os.open(path, os.O_RDWR | os.O_NOCTTY)
    fcntl.ioctl(terminal, termios.TIOCSCTTY, 0)
    # Who is not in the foreground would be stopped when they hand the terminal on.
    signal.signal(signal.SIGTTOU, signal.SIG_IGN)
    before = termios.tcgetattr(terminal)
    report = os.dup(1)
    os.set_inheritable(report, False)
    for stream in (1, 2):
        os.dup2(terminal, stream)
    pid = os.fork()
    if not pid:
        os.setpgid(0, 0)
        os.tcsetpgrp(terminal, os.getpid())
        signal.signal(signal.SIGTTOU, signal.SIG_DFL)
        os.dup2(terminal, 0)
        os.execvp(command[0], command)
    # The terminal is taken away: a shell passes that on.
    signal.signal(signal.SIGHUP, lambda number, frame: os.killpg(pid, number))
    say(report, f"began {pid}")
    while True:
        _, how = os.waitpid(pid, os.WUNTRACED)
        with contextlib.suppress(OSError):
            os.tcsetpgrp(terminal, os.getpgrp())
        if not os.WIFSTOPPED(how):
            break
        say(report, f"stopped {os.WSTOPSIG(how)} {is_as(before, terminal)}")
        if os.read(0, 100) != b"fg\n":
            return
        os.tcsetpgrp(terminal, pid)
        os.killpg(pid, signal.SIGCONT)
    say(report, f"exited {os.waitstatus_to_exitcode(how)} {is_as(before, terminal)}")


def is_as(before: list[object], terminal: int) -> int:
    try:
        return int(termios.tcgetattr(terminal) == before)
    except termios.error:
        return 0  # There is no terminal any more.


def say(report: int, line: str) -> None:
    os.write(report, line.encode() + b"\n")


if __name__ == "__main__":
    main()

"""What is left of programs when the arena itself is gone, and what is said about them."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import trio

from hearts_arena.wire.programs import MARK

SLEEPER = "import sys, time; open(sys.argv[1], 'w').write(''); time.sleep(1000)"


def left(word: str) -> list[int]:
    """The processes whose command line holds a word and whose environment our mark."""
    found = []
    for path in Path("/proc").glob("[0-9]*"):
        try:
            ours = MARK.encode() in (path / "environ").read_bytes()
            if ours and word.encode() in (path / "cmdline").read_bytes():
                found.append(int(path.name))
        except OSError:
            continue
    return found


async def test_an_arena_that_is_killed_takes_its_programs_with_it(tmp_path: Path) -> None:
    begun = tmp_path / "begun"
    program = tmp_path / "sleeper.py"
    program.write_text(SLEEPER)
    arguments = ("run", "simple", f"V=cmd:{sys.executable} {program} {begun}")
    arena = await trio.lowlevel.open_process(
        [sys.executable, "-m", "hearts_arena", *arguments, "--folder", str(tmp_path / "t")],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        with trio.fail_after(30):
            while not left(str(program)) or not begun.exists():
                await trio.lowlevel.checkpoint()
            os.kill(arena.pid, signal.SIGKILL)
            await arena.wait()
            while left(str(program)):
                await trio.lowlevel.checkpoint()
    finally:
        arena.kill()
        await arena.wait()
        for pid in left(str(program)):
            os.kill(pid, signal.SIGKILL)


async def test_it_is_said_whom_to_start_and_who_is_lost(tmp_path: Path) -> None:
    program = tmp_path / "quitter.py"
    program.write_text("raise SystemExit('I do not feel like playing.')")
    arguments = ("run", "simple", f"V=cmd:{sys.executable} {program}", "--deals", "1")
    with trio.fail_after(60):
        done = await trio.run_process(
            [
                *(sys.executable, "-m", "hearts_arena", *arguments),
                *("--folder", str(tmp_path / "t"), "--one-direction"),
            ],
            capture_stdout=True,
            capture_stderr=True,
        )
    said = done.stderr.decode()
    assert said.count("V is lost in match") == 1
    log = tmp_path / "t" / "output" / "1-V.log"
    assert str(log) in said
    assert "I do not feel like playing." in log.read_text()

"""How the client takes a terminal and gives it back, and where it does not take it at all."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest

from .play import CODE, hand, my_turn, pass_cards, settle
from .terminal import CLIENT, ROOT, terminal

INTERRUPTED = 130
LINE_CLIENT = "Type the three cards"
NO_URWID = 'raise ModuleNotFoundError("No module named \'urwid\'", name="urwid")\n'


@pytest.mark.parametrize(
    "answers",
    [True, pytest.param(False, marks=pytest.mark.heavy)],
    ids=["answers", "says nothing"],
)
async def test_stopped_and_interrupted(answers: bool, tmp_path: Path) -> None:
    settle(tmp_path)
    solo, temporary = ("--solo", "--deal", CODE), tmp_path / "tmp"
    temporary.mkdir()
    async with terminal(tmp_path, *solo, answers=answers, TMPDIR=str(temporary)) as screen:
        await pass_cards(screen, "2c", "3c", "4c")
        await my_turn(screen, 1)
        assert screen.is_full
        held = set(hand(screen))

        screen.type("\x1a")
        stopped = await screen.ended()
        assert (stopped.status, stopped.as_before) == (-signal.SIGTSTP, True)
        assert screen.left_clean()
        assert not screen.shows("Your turn")

        await screen.go_on()
        await my_turn(screen, 1)
        assert screen.is_full
        assert set(hand(screen)) == held
        screen.type("\r")
        await my_turn(screen, 2)

        screen.type("\x03")
        ended = await screen.ended()
        assert (ended.status, ended.as_before) == (INTERRUPTED, True)
        assert screen.left_clean()
        assert b"Traceback" not in screen.said
    # The server of the game is gone, with all that it kept.
    assert list(temporary.iterdir()) == []


async def test_a_signal_ends_in_order(tmp_path: Path) -> None:
    async with terminal(tmp_path) as screen:
        await screen.wait_for("Play now")
        screen.signal(signal.SIGTERM)
        ended = await screen.ended()
        assert (ended.status, ended.as_before) == (INTERRUPTED, True)
        assert screen.left_clean()
        assert not screen.text.strip()


async def test_the_window_is_closed(tmp_path: Path) -> None:
    temporary, errors = tmp_path / "tmp", tmp_path / "errors"
    temporary.mkdir()
    command = ("sh", "-c", 'exec "$@" 2>"$0"', str(errors), *CLIENT, "--solo")
    async with terminal(tmp_path, command=command, TMPDIR=str(temporary)) as screen:
        await screen.wait_for("Mark three")
        screen.hang_up()
        # The signal may also come when the program has noticed by itself and is all but done.
        assert (await screen.ended()).status in (1, 2, INTERRUPTED, -signal.SIGHUP)
    assert errors.read_text() == ""
    assert list(temporary.iterdir()) == []


async def test_without_urwid(tmp_path: Path) -> None:
    (tmp_path / "urwid.py").write_text(NO_URWID)
    path = f"{tmp_path}{os.pathsep}{ROOT}"
    async with terminal(tmp_path, "--solo", PYTHONPATH=path) as screen:
        await screen.wait_for("pip install 'hearts-server[screen]'")
        await screen.wait_for(LINE_CLIENT)
        assert not screen.is_full


@pytest.mark.parametrize(
    ("arguments", "kind"),
    [(["--plain"], "xterm-256color"), ([], "dumb"), ([], "")],
    ids=["plain", "dumb", "unknown"],
)
async def test_line_by_line(arguments: list[str], kind: str, tmp_path: Path) -> None:
    async with terminal(tmp_path, "--solo", *arguments, TERM=kind) as screen:
        await screen.wait_for(LINE_CLIENT)
        assert not screen.is_full
        assert not screen.shows("pip install")
        screen.type("/help\r")
        # The list is longer than the screen: its end is what is seen.
        await screen.wait_for("/quit")

"""Programs that start one another."""

from __future__ import annotations

import os
import sys

import pytest
import trio

from hearts.net.children import child, listening_lines, port_of, run_quietly

GAME = "game-server listening on [::1]:7626"
CHAT = "chat-server listening on 127.0.0.1:7627"
AT_PATH = "game-server listening on /run/hearts/game"


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        (f"hello\n{CHAT}\n{GAME}\nmore\n", {"chat-server": CHAT, "game-server": GAME}),
        (f"{CHAT}\n", {"chat-server": CHAT}),
        (f"{CHAT}\n{GAME}", {"chat-server": CHAT}),
        ("game-server listening on nothing\n", {}),
        (f"{AT_PATH}\n", {"game-server": AT_PATH}),
        (f"{GAME}\n{GAME}0\n", {"game-server": GAME}),
    ],
    ids=["all", "one", "half-a-line", "no-port", "path", "twice"],
)
async def test_lines_of_a_child_that_ends(said: str, expected: dict[str, str]) -> None:
    script = "import sys; sys.stdout.write(sys.argv[1])"
    async with trio.open_nursery() as nursery:
        process = await nursery.start(child([sys.executable, "-c", script, said]))
        assert await listening_lines(process, "game-server", 20) == expected


async def test_a_silent_child_has_its_time_and_ends_with_its_input() -> None:
    script = "import trio; from hearts.net.children import *; trio.run(wait_for_parents_end)"
    with trio.fail_after(20):
        async with trio.open_nursery() as nursery:
            process = await nursery.start(child([sys.executable, "-c", script]))
            assert await listening_lines(process, "game-server", 0.01) == {}
            assert process.stdin is not None
            await process.stdin.aclose()
    assert process.returncode == 0


async def test_a_child_hears_lines_of_its_parent() -> None:
    script = "import trio; from hearts.net.children import *; trio.run(wait_for_parents_end, print)"
    with trio.fail_after(20):
        async with trio.open_nursery() as nursery:
            process = await nursery.start(child([sys.executable, "-c", script]))
            assert process.stdin is not None
            assert process.stdout is not None
            for piece in (b"one li", b"ne\nand ", b"another\n", b"no line"):
                await process.stdin.send_all(piece)
            await process.stdin.aclose()
            said = b"".join([data async for data in process.stdout])
    assert said.decode().splitlines() == ["one line", "and another"]


@pytest.mark.parametrize("in_our_session", [True, False])
async def test_a_child_leads_a_group_and_has_a_session_of_its_own_or_ours(
    in_our_session: bool,
) -> None:
    # Linux counts priorities within a session; Ctrl-C goes to the group of the terminal.
    async with trio.open_nursery() as nursery:
        command = [sys.executable, "-c", "input()"]
        process = await nursery.start(child(command, in_our_session=in_our_session))
        assert os.getsid(process.pid) == (os.getsid(0) if in_our_session else process.pid)
        assert os.getpgid(process.pid) == process.pid != os.getpgrp()
        nursery.cancel_scope.cancel()


def test_port_of_a_line() -> None:
    assert (port_of(GAME), port_of(CHAT)) == (7626, 7627)


async def test_a_program_that_nobody_hears(capfd: pytest.CaptureFixture[str]) -> None:
    assert await run_quietly(["sh", "-c", "echo heard; echo heard >&2; read x || exit 0"], 30)
    assert not await run_quietly(["sh", "-c", "exit 3"], 30)
    assert not await run_quietly(["/nowhere/at/all"], 30)
    with trio.fail_after(30):
        assert not await run_quietly(["sh", "-c", "trap '' TERM; sleep 1000"], 0.01)
    assert capfd.readouterr() == ("", "")

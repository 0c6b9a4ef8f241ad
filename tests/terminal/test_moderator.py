"""A moderator's evening in real terminals: one player is reported, muted, warned and banned."""

from __future__ import annotations

import subprocess
import sys
from contextlib import AsyncExitStack
from pathlib import Path

import pytest
import trio

from hearts_server.commands.main import main
from tests.integration.house import HOST, listening

from .terminal import environment, terminal

ENTER = "\r"
CLIENT = (sys.executable, "-m", "hearts_client")


async def claim(home: Path, port: int, name: str) -> None:
    """Claim a name; the words are not written down."""
    await trio.run_process(
        [*CLIENT, "names", "--claim", f"{HOST}:{port}", "--name", name],
        stdin=b"\n\n\n",
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env=environment(home),
        check=False,
    )


@pytest.mark.heavy
async def test_an_evening(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data_dir, mia, bob = (tmp_path / name for name in ("server", "mia", "bob"))
    for home in (mia, bob):
        home.mkdir()
    own = "--names", "--turn-limit", "0"

    async def host(*words: str) -> str:
        command = [*words, "--data-dir", str(data_dir)]
        assert await trio.to_thread.run_sync(main, command) == 0
        return capsys.readouterr().out

    async with listening(data_dir, *own, without=("web",)) as server:
        for home, name in ((mia, "Mia"), (bob, "Bob")):
            await claim(home, server.port, name)
        assert await host("moderator", "Mia") == "Mia is a moderator\n"
        chat = "--taunt-port", str(server.taunt_port)
        where = (f"{HOST}:{server.port}", *chat, "--table", "club")
        async with (
            terminal(mia, *where, "--name", "Mia", size=(120, 40)) as first,
            AsyncExitStack() as stack,
        ):
            await first.wait_for("It waits for")
            plain = terminal(bob, *where, "--name", "Bob", "--plain", size=(120, 40))
            second = await stack.enter_async_context(plain)
            await first.wait_for("Bob")
            await second.wait_for("Mia")
            first.type("g")
            await second.wait_for("Type the three cards")
            await first.wait_for("/ to talk")
            second.type("/say you all cheat" + ENTER)
            first.type("/")
            await first.wait_for("back to the cards")
            await first.wait_for("you all cheat")
            for asked, seen in (
                ("/report bob", "is reported"),
                ("/mod warn Bob be kind", "done: warn"),
                ("/mod mute Bob --hours 2 --why too loud", "done: mute"),
            ):
                first.type(asked + ENTER)
                await first.wait_for(seen)
            await second.wait_for("the host warns you: be kind")
            second.type("/say hello?" + ENTER)
            await second.wait_for("too loud")
            second.type("/mod mute Mia" + ENTER)
            await second.wait_for("you can ask for this: report NAME")
            first.type("/mod ban Bob --why enough" + ENTER)
            await first.wait_for("done: ban")
            await second.wait_for("the host does not let you in: enough")
        async with terminal(bob, *where, "--name", "Bob", "--plain") as again:
            await again.wait_for("enough")
        reports = (await host("reports")).splitlines()
        assert reports[0].endswith(f"Mia ({HOST}) reports Bob ({HOST})")
        assert reports[1:] == ["  Bob: you all cheat"]
        acts = (await host("acts")).splitlines()
        assert [line.split(": ")[0].split(" ", 2)[2] for line in acts] == ["the host", *["Mia"] * 3]

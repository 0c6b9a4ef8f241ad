"""The identity of a visitor: the key whose signature let them in, and no other."""

from __future__ import annotations

import asyncio
import subprocess
from collections.abc import Iterator
from pathlib import Path

import asyncssh
import pytest

from tests.terminal.play import hand
from tests.terminal.terminal import terminal

from .door_house import HOST, NO_KEY, PATIENCE, DoorProcess, Forged, KeylessClient, door


@pytest.fixture(scope="module")
def there(tmp_path_factory: pytest.TempPathFactory) -> Iterator[DoorProcess]:
    with door(tmp_path_factory.mktemp("door")) as made:
        yield made


async def _said(there: DoorProcess, keys: list[object]) -> str:
    """Return the first words of the game to a visitor with these keys, in turn, line by line."""
    connecting = asyncssh.connect(
        HOST, there.port, username="play", known_hosts=None, config=None,
        client_keys=keys, client_factory=KeylessClient, agent_path=None,
    )  # fmt: skip
    async with asyncio.timeout(PATIENCE), connecting as connection:
        process = await connection.create_process("plain", stderr=asyncssh.STDOUT)
        said = ""
        while "You are player" not in said and "are back" not in said:
            said += await process.stdout.read(4096)
        return said


def _keys(there: DoorProcess, *names: str) -> list[asyncssh.SSHKey]:
    return [asyncssh.read_private_key(there.key(name)) for name in names]


async def test_a_key_brings_back_to_the_seat(there: DoorProcess, tmp_path: Path) -> None:
    """And whoever shows it with the signature of another key is a guest, with no seat."""
    ann = there.key("ann")
    async with terminal(tmp_path, command=there.ssh(key=ann), answers=False) as screen:
        await screen.wait_for("Play now")
        assert not screen.shows(NO_KEY)
        screen.type("p")
        await screen.wait_for("Mark three")
        cards = set(hand(screen))
        screen.hang_up()
    async with terminal(tmp_path, command=there.ssh(key=ann), answers=False) as screen:
        await screen.wait_for(lambda: screen.shows("Mark three") and set(hand(screen)) == cards)


def test_a_wrong_signature_is_no_identity(there: DoorProcess) -> None:
    """Somebody's public key is known to all: github.com/ann.keys."""
    ann, thief = _keys(there, "ann", "thief")
    assert NO_KEY in asyncio.run(_said(there, [Forged(ann, thief)]))
    # And a key that is merely offered: OpenSSH has no private one for it.
    shown = there.folder / "shown.pub"
    shown.write_bytes(there.key("ann").with_suffix(".pub").read_bytes())
    assert NO_KEY in there.run("-- plain", key=shown).stdout


def test_the_second_of_two_keys_in_turn(there: DoorProcess) -> None:
    ann, thief = _keys(there, "ann", "thief")
    said = asyncio.run(_said(there, [Forged(ann, thief), thief]))
    assert NO_KEY not in said
    assert "You are player" in said
    # Both are refused, the one for its signature and the other one for its size.
    small = asyncssh.generate_private_key("ssh-rsa", key_size=1024)
    assert NO_KEY in asyncio.run(_said(there, [Forged(ann, thief), small]))


def test_a_certificate_is_no_key(there: DoorProcess, tmp_path: Path) -> None:
    certified = there.key("certified")
    sign = [
        "ssh-keygen",
        "-q",
        "-s",
        str(there.key("ca")),
        "-I",
        "x",
        "-n",
        "play",
        f"{certified}.pub",
    ]
    subprocess.run(sign, check=True)
    only = "-oPubkeyAcceptedAlgorithms=ssh-ed25519-cert-v01@openssh.com"
    asked = there.run(only, "-- plain", key=certified)
    assert NO_KEY in asked.stdout
    assert NO_KEY not in there.run("-- plain", key=certified).stdout


async def test_a_key_has_a_name_of_its_own(tmp_path: Path) -> None:
    """It is proved whenever its owner says it; nobody without a key has one."""
    with door(tmp_path, game=("--names", "--fill-after", "never")) as there:
        for key, said, shown in (
            (there.key("dora"), "This name is yours from now on.", "Dora (you)"),
            (there.key("eve"), "somebody else's", "~Dora (you)"),
            (None, "A name is for those who come with an ssh key", "~Dora (you)"),
            (there.key("dora"), "Dora is your name there.", "Dora (you)"),
        ):
            command = there.ssh(key=key)
            async with terminal(tmp_path, command=command, size=(100, 40), answers=False) as screen:
                await screen.wait_for("Play now")
                place = screen.find("Your name")
                assert place is not None
                screen.click(place[0] + 14, place[1])
                screen.type("\x15\x0bDora")
                screen.click_text("A name of your own")
                await screen.wait_for("Your ssh key proves it")
                assert not screen.shows("twelve words")
                screen.click_text("Make Dora your own")
                await screen.wait_for(said)
                screen.type("\x1b")
                await screen.wait_for("Join the next")
                screen.click_text("Join the next")
                await screen.wait_for(shown)
                assert screen.shows("~Dora") is shown.startswith("~")
        assert "client failed" not in there.log.read_text()

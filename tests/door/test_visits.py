"""Visits by OpenSSH's own client, and by worse ones: what is refused, kept up, and measured."""

from __future__ import annotations

import asyncio
import os
import re
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import AbstractAsyncContextManager, suppress
from pathlib import Path
from typing import Any

import asyncssh
import pytest
import trio

from hearts.wire.proxy_header import proxy_header
from tests.terminal.terminal import terminal

from .door_house import ENTER, HOST, NO_KEY, PATIENCE, DoorProcess, KeylessClient, door, until

pytestmark = pytest.mark.heavy
STRINGS = re.compile(r"\x1b[\]PX^_]|[\x90\x98\x9d-\x9f]")
"""The beginnings of strings to a terminal: titles, the clipboard, programs for it."""
SCREEN: Any = {"term_type": "xterm-256color", "term_size": (100, 40), "encoding": None}


@pytest.fixture(scope="module")
def there(tmp_path_factory: pytest.TempPathFactory) -> Iterator[DoorProcess]:
    with door(tmp_path_factory.mktemp("door"), chats=True) as made:
        yield made


def connect(there: DoorProcess, **more: object) -> AbstractAsyncContextManager[Any]:
    return asyncssh.connect(
        HOST, there.port, username="play", known_hosts=None, config=None, agent_path=None,
        client_factory=KeylessClient, **{"client_keys": None, **more},
    )  # fmt: skip


@pytest.mark.parametrize("command", ["sftp", "plain;id", "PLAIN", "$(id)"])
def test_only_one_command_counts(there: DoorProcess, command: str) -> None:
    assert "exec request failed" in there.run(f"-- {command}").stderr
    assert "subsystem request failed" in there.run("-s", f"-- {command}").stderr


async def test_the_deal_of_the_day_is_one_try_for_a_key(there: DoorProcess, tmp_path: Path) -> None:
    ann, bob = there.key("day-ann"), there.key("day-bob")
    nothing_seen = there.run("-- plain day", key=ann).stdout
    assert "You have one try" in nothing_seen
    day = there.ssh("-t -- day", key=ann)
    async with terminal(tmp_path, command=day, size=(100, 40), answers=False) as screen:
        await screen.wait_for("Begin your try")
        screen.type("b")
        await screen.wait_for("Mark three")
        screen.hang_up()
    again = there.run("-- plain day", key=ann).stdout
    assert "Your try at the deal of the day is under way." in again
    assert "You have one try" in there.run("-- plain day", key=bob).stdout
    nobody = there.run("-- plain day")
    assert "you came without an ssh key, by which you would be known" in (
        nobody.stderr + nobody.stdout
    )
    assert "Connected to" not in nobody.stdout


def test_nothing_is_forwarded(there: DoorProcess) -> None:
    for option in ("-R 0:127.0.0.1:1", "-R /tmp/hearts-forwarded:127.0.0.1:1"):
        refused = there.run("-oExitOnForwardFailure=yes", option, "-- plain")
        assert refused.returncode == 255
        assert "orwarding" in refused.stderr or "forward" in refused.stderr
    through = there.run("-W", f"{HOST}:{there.game.port}")
    assert "forwarding failed" in through.stderr or "prohibited" in through.stderr
    assert there.run("-W", str(there.socket)).returncode == 255


def test_no_environment_agent_or_display(there: DoorProcess) -> None:
    async def ask() -> list[bool]:
        async with connect(there) as connection:
            channel, _ = await connection.create_session(asyncssh.SSHClientSession, "plain")
            text = asyncssh.packet.String
            false, number = asyncssh.packet.Boolean(False), asyncssh.packet.UInt32(0)
            return [
                await channel._make_request(b"env", text("LANG"), text("de_DE")),
                await channel._make_request(b"env", text("LD_PRELOAD"), text("/tmp/x.so")),
                await channel._make_request(b"auth-agent-req@openssh.com"),
                await channel._make_request(b"x11-req", false, text("a"), text("00"), number),
            ]

    assert asyncio.run(ask()) == [False] * 4


async def test_nothing_but_a_picture_comes(there: DoorProcess, tmp_path: Path) -> None:
    """Keys that suspend and quit do nothing, and no string is sent to the terminal."""
    async with terminal(tmp_path, command=there.ssh(), size=(100, 40), answers=False) as screen:
        await screen.wait_for("Play now")
        for absent in ("Statistics", "Replays", "Profile", "Server", "TLS", "Password"):
            assert not screen.shows(absent)
        screen.type("\x1a\x1csrfl")
        screen.type("c")
        await screen.wait_for("A game against three computers")
        assert not screen.shows("Deal ")
        screen.click_text(") mac2000")
        screen.click_text("[p] Play")
        await screen.wait_for("Mark three")
        assert screen.shows("mac2000")
        screen.type("i")
        screen.type("m")
        await screen.wait_for("Leave the table")
        screen.type("x")
        await screen.wait_for("Come back to")
        screen.type("q")
        state = await screen.ended()
        assert state.as_before
        assert not STRINGS.search(screen.said.decode())
    assert "client failed" not in there.log.read_text()


def test_what_is_agreed_on(there: DoorProcess) -> None:
    for option in (
        *("KexAlgorithms=diffie-hellman-group14-sha256", "KexAlgorithms=ecdh-sha2-nistp256"),
        *("Ciphers=chacha20-poly1305@openssh.com", "HostKeyAlgorithms=rsa-sha2-512"),
    ):
        assert "no match" in there.run(f"-o{option}", "-oLogLevel=DEBUG", "-- plain").stderr
    said = there.run("-vv", "-oLogLevel=DEBUG2", "-oCompression=yes", "-- plain").stderr
    for sign in ("kex-strict-s-v00@openssh", "compression: none", "algorithm: ssh-ed25519"):
        assert sign in said


def test_keys_of_sixteen_kilobytes(there: DoorProcess) -> None:
    """A key that is too long costs nothing, and its owner is a guest."""

    class Huge(asyncssh.SSHKeyPair):
        def sign(self, data: bytes) -> bytes:
            return b"\0" * 64

    def string(data: bytes) -> bytes:
        return len(data).to_bytes(4) + data

    data = string(b"ssh-rsa") + string(b"\1\0\1") + string(b"\1" * 16_000)
    key = Huge(b"ssh-rsa", b"ssh-rsa", (b"rsa-sha2-256",), (), data, None)

    async def ask() -> str:
        async with connect(there, client_keys=[key]) as connection:
            process = await connection.create_process("plain")
            return str(await process.stdout.readline())

    assert NO_KEY in asyncio.run(ask())


def test_a_thousand_half_open_connections(there: DoorProcess) -> None:
    """8 of an address wait at most, and 64 in all; others come in meanwhile, and each goes soon."""
    crowd = []
    began = time.monotonic()
    for number in range(1000):
        one = socket.socket()
        one.settimeout(5)
        one.bind((f"127.{1 + number // 250}.{number % 250}.1", 0))
        with suppress(OSError):
            one.connect((HOST, there.port))
        crowd.append(one)
        one.setblocking(False)
    waiting = 0
    time.sleep(1)
    for one in crowd:
        with suppress(OSError):
            waiting += one.recv(100).startswith(b"SSH-2.0")
    assert 8 <= waiting <= 64
    tries = [there.run("-- plain") for _ in range(3)]
    assert any(NO_KEY in each.stdout for each in tries) or waiting > 40
    for one in crowd:
        one.close()
    until(lambda: NO_KEY in there.run("-- plain").stdout, 20)
    assert time.monotonic() - began < 40


def test_a_silent_connection_has_ten_seconds(there: DoorProcess) -> None:
    async def say_nothing() -> float:
        reader, writer = await asyncio.open_connection(HOST, there.port)
        began = time.monotonic()
        with suppress(ConnectionResetError):
            await reader.read()
        writer.close()
        return time.monotonic() - began

    async def log_in_and_wait(*, opens: bool) -> float:
        async with connect(there) as connection:
            logged_in = time.monotonic()
            if opens:
                loop, room = asyncio.get_running_loop(), (1 << 16, 1 << 15)
                make = asyncssh.channel.SSHClientChannel
                await make(connection, loop, "strict", None, "strict", *room)._open(b"session")
            await connection.wait_closed()
            return time.monotonic() - logged_in

    async def at_once() -> list[float]:
        later = [log_in_and_wait(opens=opens) for opens in (False, True)]
        return await asyncio.gather(say_nothing(), *later)

    assert all(8 < seconds < 15 for seconds in asyncio.run(at_once()))


def test_keys_are_exchanged_again_once_a_minute(there: DoorProcess) -> None:
    async def ask() -> None:
        async with connect(there, rekey_bytes=1, rekey_seconds=1) as connection:
            with suppress(asyncssh.ChannelOpenError):
                await connection.create_process("plain")
            await connection.wait_closed()

    began = time.monotonic()
    asyncio.run(ask())
    assert time.monotonic() - began < 8


def test_a_client_that_reads_nothing(there: DoorProcess) -> None:
    """Its terminal waits, the door holds little for it, and others play."""
    before = _memory(there.pid)

    async def ask() -> None:
        async with connect(there) as connection:
            made = await connection.create_process(**SCREEN, window=1 << 30)
            connection._transport.pause_reading()
            for number in range(3000):
                made.channel.change_terminal_size(100 + number % 200, 30 + number % 60)
                made.stdin.write(b"o\x1b")
                if not number % 100:
                    await asyncio.sleep(0.1)
            assert NO_KEY in (await asyncio.to_thread(there.run, "-- plain")).stdout

    asyncio.run(ask())
    assert _memory(there.pid) - before < 8 << 20
    until(lambda: not there.clients())


def test_visitors_who_leave_at_once(there: DoorProcess) -> None:
    """Some terminals are gone before their client has begun."""

    async def come_and_go() -> None:
        async with connect(there) as connection:
            channel, _ = await connection.create_session(asyncssh.SSHClientSession, **SCREEN)
            channel.abort()
            connection.abort()

    for _ in range(30):
        asyncio.run(come_and_go())
    assert NO_KEY in there.run("-- plain").stdout
    until(lambda: not there.clients())


def test_a_storm_of_window_changes(there: DoorProcess) -> None:
    """The client hears of ten a second, and of the last one."""

    async def ask() -> float:
        async with connect(there) as connection:
            made = await connection.create_process(**SCREEN)
            await made.stdout.read(4096)
            (pid,) = there.clients()
            before = _cpu(pid)
            for number in range(20_000):
                made.channel.change_terminal_size(80 + number % 100, 24 + number % 50)
                if not number % 500:
                    await asyncio.sleep(0.05)
            made.channel.change_terminal_size(2**31, 2**31)
            until(lambda: _size(pid) == (500, 200))
            return _cpu(pid) - before

    assert asyncio.run(ask()) < 2.0
    until(lambda: not there.clients())


def test_what_a_client_has(there: DoorProcess) -> None:
    """Its memory, its time to the first screen, its limits, and its open files."""

    async def ask() -> None:
        async with connect(there) as connection:
            made = await connection.create_process(**SCREEN)
            said = b""
            while b"Play now" not in said:
                said += await made.stdout.read(4096)
            (pid,) = there.clients()
            cpu, own = _cpu(pid), _private(pid)
            print(f"\n{cpu:.3f} s to the first screen, {own / 1e6:.1f} MB private")
            assert own < 15e6
            assert cpu < 0.15
            await asyncio.to_thread(look, pid)

    def look(pid: int) -> None:
        limits = Path(f"/proc/{pid}/limits").read_text()
        for line in ("Max file size +0 ", "Max processes +0 ", "Max core file size +0 "):
            assert re.search(line, limits)
        assert re.search("Max open files +24 ", limits)
        assert Path(f"/proc/{pid}/cwd").readlink() == Path("/")
        found = [os.readlink(each) for each in Path(f"/proc/{pid}/fd").iterdir()]
        regular = [each for each in found if each.startswith("/") and "/dev/" not in each]
        assert regular == [str(there.log)]

    asyncio.run(ask())


def _private(pid: int) -> int:
    text = Path(f"/proc/{pid}/smaps_rollup").read_text()
    return 1024 * sum(int(size) for size in re.findall(r"^Private_\w+: +(\d+) kB", text, re.M))


def _memory(pid: int) -> int:
    return 1024 * int(re.findall(r"VmRSS:\s+(\d+)", Path(f"/proc/{pid}/status").read_text())[0])


def _cpu(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _size(pid: int) -> tuple[int, int]:
    with open(f"/proc/{pid}/fd/1", "rb") as file:
        return tuple(os.get_terminal_size(file.fileno()))  # type: ignore[return-value]  # two


def test_the_socket_is_for_the_servers_user(there: DoorProcess) -> None:
    assert there.socket.stat().st_mode & 0o777 == 0o600
    with socket.create_connection((HOST, there.game.port)) as plain:
        plain.sendall(proxy_header("192.0.2.99"))
        plain.settimeout(PATIENCE)
        while plain.recv(4096):
            pass
    assert "192.0.2.99" not in there.game.log.read_text()
    if os.geteuid():
        pytest.skip("only root can be another user")
    there.socket.chmod(0o666)
    # Another user, who has come as far as the socket all the same.
    reach = "import socket, os; s = socket.socket(socket.AF_UNIX); p = os.open('data', os.O_PATH); "
    reach += "os.fchdir(p); os.setuid(65534); s.connect('door'); print(s.recv(100))"
    done = subprocess.run(
        [sys.executable, "-c", reach], cwd=there.folder, capture_output=True, text=True,
        timeout=PATIENCE, check=False,
    )  # fmt: skip
    there.socket.chmod(0o600)
    assert done.stdout in ("b''\n", ""), done
    assert "event=ssh-door-refused uid=65534" in there.game.log.read_text()


async def test_through_kills_and_the_same_key_twice(tmp_path: Path) -> None:
    with door(tmp_path, "--seats", str(tmp_path / "seats.json"), chats=True) as there:
        ann = there.key("ann")
        async with terminal(tmp_path, command=there.ssh(key=ann), answers=False) as first:
            await first.wait_for("Play now")
            first.type("p")
            await first.wait_for("Mark three")
            there.game.kill()
            await first.wait_for("onnection")
            there.game.begin()
            await trio.to_thread.run_sync(there.game.wait_ready)
            await first.wait_for("Mark three")

            # The same key again: the newer one has the seat, the older one is told.
            async with terminal(tmp_path, command=there.ssh(key=ann), answers=False) as second:
                await second.wait_for("Mark three")
                assert (await first.ended()).status == 0
                assert b"You came in again with the same key" in first.said

                # The door ends in order, and says so; its key is the same in its next life.
                fingerprint = there.fingerprint
                assert await trio.to_thread.run_sync(there.stop) == 0
                await second.ended()
                assert b"The door is closed for a moment" in second.said
        await trio.to_thread.run_sync(there.begin)
        assert there.fingerprint == fingerprint
        async with terminal(tmp_path, command=there.ssh(key=ann), answers=False) as third:
            await third.wait_for("Mark three")
        await trio.to_thread.run_sync(_nothing_told, there)


def _nothing_told(there: DoorProcess) -> None:
    """No name of a key is kept, and the server tells how to come in."""
    kept = (there.folder / "seats.json").read_text()
    kept += there.log.read_text()
    public = there.key("ann").with_suffix(".pub")
    shown = ["ssh-keygen", "-lf", str(public)]
    print_of = subprocess.run(shown, capture_output=True, text=True, check=True)
    assert len(kept) < 8192
    assert public.read_text().split()[1] not in kept
    assert print_of.stdout.split()[1].removeprefix("SHA256:") not in kept
    invite = (
        f"{sys.executable} -m hearts_server invitation --data-dir {there.socket.parent}".split()
    )
    invited = subprocess.run(invite, capture_output=True, text=True, check=True).stdout
    assert f"ssh -p {there.port} play@" in invited
    assert there.fingerprint in invited


async def test_words_are_asked_for_in_the_client(tmp_path: Path) -> None:
    game = ("--password", "sesame")
    with door(tmp_path, "--max-per-address", "1", game=game) as there:
        async with terminal(tmp_path, command=there.ssh(), answers=False) as screen:
            await screen.wait_for("Play now")
            screen.type("p")
            await screen.wait_for("The host asks for a password")
            assert screen.shows("The password of this server")
            screen.type("wrong" + ENTER)
            await screen.wait_for("That is not the password")
            screen.type("sesame" + ENTER)
            await screen.wait_for("Mark three")
            assert b"sesame" not in screen.said
            # Their address has its share.
            asked = await trio.to_thread.run_sync(lambda: there.run("-- plain"))
            assert "too many visitors from your address" in asked.stdout
            asked = await trio.to_thread.run_sync(lambda: there.run("-b 127.0.0.9", "-- plain"))
            assert "Connected to" in asked.stdout
        assert "address=127.0.0.1" in there.game.log.read_text()

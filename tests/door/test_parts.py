"""The door's parts that speak to nobody: limits, keys, seats, terminals."""

from __future__ import annotations

import stat
from pathlib import Path

import asyncssh
import pytest

from hearts.errors import RemoteProtocolError
from hearts.limits.networks import NetworkCounts
from hearts.wire.ssh_door import DoorOpened, DoorSecret, door_line, read_door_line
from hearts_server.running.ssh_door import door_secret
from hearts_ssh.keys import host_key, is_accepted, is_signature, visitor_mark
from hearts_ssh.limits import WAITING, fitting, is_admitted, known_address, known_terminal
from hearts_ssh.seats import SeatStore

NOW = 1_000_000.0
ALWAYS, NEVER = 0.0, 1.0
"""Chances by which a newcomer is dropped early as soon as that may be, and as late as can be."""


def test_eight_newcomers_of_an_address_and_of_all_sixty_four() -> None:
    newcomers = NetworkCounts(WAITING)
    for _ in range(8):
        assert is_admitted(newcomers, "192.0.2.1", NEVER)
        newcomers.add("192.0.2.1")
    assert not is_admitted(newcomers, "192.0.2.1", NEVER)
    for number in range(24):
        newcomers.add(f"198.51.{number}.1")
    # From 32 on chance decides.
    assert not is_admitted(newcomers, "203.0.113.1", ALWAYS)
    assert is_admitted(newcomers, "203.0.113.1", NEVER)
    for number in range(32):
        newcomers.add(f"100.64.{number}.1")
    assert not is_admitted(newcomers, "203.0.113.1", NEVER)
    newcomers.remove("192.0.2.1")
    assert is_admitted(newcomers, "192.0.2.1", NEVER)


def test_sizes_and_terminals() -> None:
    assert fitting(0, 0) == (80, 24)
    assert fitting(1, 1) == (20, 5)
    assert fitting(2**32 - 1, 2**32 - 1) == (500, 200)
    for name in ("xterm", "xterm-256color", "screen.xterm", "tmux-256color", "linux", "foot"):
        assert known_terminal(name) == ("" if "." in name else name)
    for name in ("", "dumb", "../../etc/passwd", "xterm-", "xterm\n", "vt52", "x" * 10_000):
        assert known_terminal(name) == ""


def test_the_address_that_visitors_tell_others() -> None:
    for name in ("8.8.8.8", "2606:4700::1111"):
        assert known_address((name, 7622)) == known_address((name, 7622, 0, 0)) == name
    assert known_address(("::ffff:8.8.8.8", 7622, 0, 0)) == "8.8.8.8"
    for name in ("127.0.0.1", "::1", "192.168.1.7", "172.17.0.2", "fe80::1"):
        assert known_address((name, 7622)) == ""
    assert known_address(None) == ""


@pytest.mark.parametrize(
    ("kind", "more", "accepted"),
    [
        ("ssh-ed25519", {}, True),
        ("ecdsa-sha2-nistp256", {}, True),
        ("ecdsa-sha2-nistp521", {}, True),
        ("ssh-rsa", {"key_size": 2048}, True),
        ("ssh-rsa", {"key_size": 1024}, False),
    ],
)
def test_keys_that_visitors_may_have(kind: str, more: dict[str, int], accepted: bool) -> None:
    key = asyncssh.generate_private_key(kind, **more)  # type: ignore[arg-type]  # a size
    assert is_signature(key.public_data, key.sign(b"x", key.sig_algorithms[0]))
    assert is_accepted(key.public_data) is accepted


def _string(data: bytes) -> bytes:
    return len(data).to_bytes(4) + data


def test_other_keys_cost_nothing() -> None:
    huge = b"".join(map(_string, (b"ssh-rsa", b"\1\0\1", b"\1" * 16_000)))
    assert not is_accepted(huge)
    slow = b"".join(map(_string, (b"ssh-rsa", b"\1" * 6, b"\1" * 256)))
    assert not is_accepted(slow)
    for data in (b"", b"\0", b"\xff" * 40, _string(b"ssh-dss"), _string(b"ssh-rsa")):
        assert not is_accepted(data)
        assert not is_signature(data, data)
    # RSA with SHA-1 is no signature.
    assert not is_signature(_string(b"ssh-rsa"), _string(b"ssh-rsa"))


def test_the_key_of_the_door_follows_from_the_secret() -> None:
    one, other = door_secret(b"1" * 32), door_secret(b"2" * 32)
    assert host_key(one).get_fingerprint() == host_key(one).get_fingerprint()
    assert host_key(one).get_fingerprint() != host_key(other).get_fingerprint()
    assert visitor_mark(one, b"ann") != visitor_mark(other, b"ann") != visitor_mark(one, b"bob")


def test_the_lines_of_server_and_door() -> None:
    opened = DoorOpened(7622, "SHA256:" + "a" * 43)
    assert read_door_line(door_line(opened), DoorOpened) == opened
    wrong = door_line(DoorSecret("0" * 64, True)), door_line(DoorOpened(7622, "\x1b" * 50))
    for line in (b"", b"{}\n", door_line(opened)[:-1], b" " * 400 + b"\n", *wrong):
        with pytest.raises(RemoteProtocolError):
            read_door_line(line, DoorOpened)


def test_seats_are_few_and_grow_old(tmp_path: Path) -> None:
    file = tmp_path / "seats.json"
    store = SeatStore(file)
    for number in range(6):
        store.keep("ann", f"seat {number}", f"numbers {number}", NOW)
    assert store.of("ann", NOW) == tuple(f"numbers {number}" for number in range(2, 6))
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    store.keep("ann", "seat 3", "", NOW)
    assert SeatStore(file).of("ann", NOW) == ("numbers 2", "numbers 4", "numbers 5")
    store.keep("bob", "seat", "x" * 20_000, NOW)
    assert store.of("bob", NOW) == ()
    store.keep("bob", "seat", "his", NOW + 8 * 86400)
    assert store.of("ann", NOW + 8 * 86400) == ()
    assert b"ann" not in file.read_bytes()
    for number in range(201):
        store.keep(f"visitor {number}", "seat", "numbers", NOW + 8 * 86400)
    assert store.of("bob", NOW + 8 * 86400) == ()
    assert store.of("visitor 200", NOW + 8 * 86400) == ("numbers",)
    file.write_bytes(b"no JSON")
    assert SeatStore(file).of("visitor 1", NOW) == ()

"""The client in hardened mode: for visitors, who have a terminal here and must have nothing else.

A door by ssh runs it in a process of its own. The process has a terminal, the socket to its door,
and what Python has read by then. What is off is in :data:`OFF`; behind it :func:`guard` refuses
whatever would open a file for writing, begin a process or a thread, or reach a host.
"""

from __future__ import annotations

import argparse
import gc
import os
import socket
import sys
from collections.abc import Callable
from pathlib import Path
from secrets import randbelow

from msgspec import UNSET, Struct, UnsetType
from msgspec.json import decode

from hearts.bots.swift.bot import shipped_network
from hearts.names.keys import KEY_BYTES, KeyPair
from hearts_client.commands.options import parse
from hearts_client.commands.play import play
from hearts_client.door_link import DoorLink
from hearts_client.library.client import DEFAULT_PORT
from hearts_client.library.reach import DEFAULT_TAUNT_PORT, connect_by
from hearts_client.screen.app import run as run_screen

OFF = {
    "own cards": "no folders (NOWHERE), and no command line",
    "settings and memory in files": "KeptFiles has no folder",
    "profiles": "their button and key are not made",
    "records, statistics, replays of files, CSV and sheets": "no folder; buttons are not made",
    "saved games in files": "VisitorKeeper tells the door",
    "games alone with a server of one's own": "Play now opens a table at the server",
    "sounds": "the bell of the terminal rings; the option is hidden",
    "the analyst": "Shared.ask is None",
    "names in a file, and their words": "VisitorNames keeps nothing: the door gives the secret",
    "own mistakes": "no folder; the button is not made",
    "par of a hand": "Shared.reckon asks for none; the option is hidden. The four of a day are "
    "reckoned at its end, in this process",
    "the first hand, explained": "its button and key are not made",
    "other hosts, TLS, standby hosts": "connect_by: the door makes each connection",
    "passwords of the environment and of files": "the environment is empty",
    "programs of the command line (sheet, analyse, conformance)": "there is no command line",
    "suspending and quitting by key (^Z, ^\\)": "the terminal has no such keys",
    "titles, the clipboard (OSC) and other strings to the terminal": "the screen writes none",
    "threads": "what would wait in one is not there, or waits for the terminal itself",
}
"""All that a person at their own machine has and a visitor has not, and what takes it away."""

ALLOWED = frozenset(
    {
        *("import", "compile", "exec", "marshal.loads", "marshal.load", "os.listdir", "os.scandir"),
        *("object.__getattr__", "object.__setattr__", "sys._getframe", "gc.get_objects"),
        *("socket.__new__", "fcntl.ioctl", "fcntl.fcntl", "builtins.id", "code.__new__"),
        *("sys.set_asyncgen_hook_firstiter", "sys.set_asyncgen_hook_finalizer"),
        *("sys.unraisablehook", "sys.excepthook", "signal.pthread_kill", "pickle.find_class"),
    }
)
"""Events of Python's audit that do nothing outside of this process, ``open`` for reading besides.
"""
_WRITES = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
_LONGEST_LINE = 1 << 18
_NO_KEY = (
    "You came without an ssh key: nobody can come back to your seat when this connection is over. "
    "ssh-keygen makes one."
)
_GOES = (
    "You came without an ssh key, so nobody can come back to your seat.",
    "To come back to your seat, connect again with the same key.",
)
"""The last words for a visitor without a key, and with one."""


class NotForVisitors(Exception):
    """Something was tried that is off in hardened mode."""


class VisitorWords(Struct, frozen=True, kw_only=True):
    """The words of the door about its visitor: one line of JSON."""

    is_full: bool
    """True if the terminal can have the full screen."""
    term: str
    visitor: str
    """The token of their key, by which the server knows them on its days; empty without a key."""
    names: str = ""
    """The secret of the names of their key, in hex; empty without a key."""
    day: bool
    """True if they want the deal of the day."""
    has_chat: bool
    host: str = ""
    """The address at which the visitor has come, if it is the same from anywhere; else empty."""
    seats: tuple[str, ...]
    """The seats that the visitor can come back to, the latest last."""


_given: argparse.Namespace | UnsetType = UNSET


def prepare() -> None:
    """Do what each visitor's process would do in the same way, before it is forked."""
    global _given
    _given = parse(["localhost", "--color", "never"])
    shipped_network()
    KeyPair(bytes(KEY_BYTES))  # The library of names is read.
    gc.collect()
    gc.freeze()


def run(control: socket.socket) -> int:
    """Play with a visitor; ``control`` is the socket to the door. Gives the exit status."""
    visitor = decode(_line(control), type=VisitorWords)
    given = _given
    assert given is not UNSET
    given.name = f"Guest {10 + randbelow(90)}"
    given.is_server_named, given.plain, given.day = False, not visitor.is_full, visitor.day
    given.server = visitor.host or "localhost", DEFAULT_PORT
    given.taunt_port = DEFAULT_TAUNT_PORT if visitor.has_chat else 0
    os.environ["TERM"] = visitor.term
    token = bytes.fromhex(visitor.visitor)
    names = bytes.fromhex(visitor.names)
    link = DoorLink(control, visitor.seats, _GOES[bool(token)], token, names)
    connect_by(link.dial)
    sys.addaudithook(guard())
    greeting = "" if token else _NO_KEY
    if visitor.is_full:
        return run_screen(given, ascii=False, link=link, greeting=greeting)
    if greeting:
        print(greeting, flush=True)
    return play(given, ascii=False, link=link)


def _line(control: socket.socket) -> bytes:
    line = b""
    while not line.endswith(b"\n") and len(line) < _LONGEST_LINE:
        data = control.recv(_LONGEST_LINE)
        if not data:
            break
        line += data
    return line


def guard() -> Callable[[str, tuple[object, ...]], None]:
    """Return a hook of Python's audit that refuses all that is not in ALLOWED.

    A name alone is read by the screen, which finds the terminal's description step by step.
    """
    code = Path(__file__).parent.parent
    readable = tuple(f"{folder}{os.sep}" for folder in {sys.prefix, sys.base_prefix, str(code)})

    def look(event: str, values: tuple[object, ...]) -> None:
        if event in ALLOWED:
            return
        if event == "open":
            path, _, flags = values
            is_ours = str(path).startswith(readable) or os.sep not in str(path).removeprefix("/")
            if str(path) == os.devnull or (is_ours and not int(str(flags)) & _WRITES):
                return
        raise NotForVisitors(event)

    return look

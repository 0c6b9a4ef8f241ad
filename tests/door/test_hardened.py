"""A visitor's client can do nothing outside of itself; a new way out is found here."""

from __future__ import annotations

import ast
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from hearts_client.hardened import ALLOWED, NotForVisitors, guard
from tests.soak.soak_server import ROOT

CALLS = {
    *("open", "exec", "eval", "system", "popen", "fork", "forkpty", "execv", "execvp"),
    *("spawnv", "posix_spawn", "Popen", "run_process", "open_process", "child", "run_quietly"),
    *(
        "write_text",
        "write_bytes",
        "write_whole",
        "write_new",
        "unlink",
        "rmtree",
        "mkdir",
        "touch",
    ),
    *("rename", "symlink_to", "chmod", "open_tcp_stream", "open_unix_socket", "connect_tcp"),
    *("open_ssl_over_tcp_stream", "create_connection", "getaddrinfo", "import_module", "dlopen"),
    *("run_sync", "start_new_thread", "Thread", "killpg", "suspend", "raise_signal"),
}
"""Calls that open files, begin processes and threads, or reach hosts, by their last name."""
STRINGS = re.compile(r"[\x1b\x90\x9b\x9d\x9e\x9f\a]")
"""The beginnings of what a terminal does not just show."""
KEPT = {
    "hearts.net.children": {"run_process", "run_sync", "subprocess"},
    "hearts.net.files": {"open", "unlink", "write_bytes"},
    "hearts.net.listen": {"getaddrinfo", "unlink"},
    "hearts.net.system": {"Popen", "ctypes", "killpg", "open", "subprocess"},
    "hearts.net.tls": {"open_tcp_stream", "run_sync"},
    "hearts.wire.text": {r"'\x9f'"},  # the end of a range that is not legible
    # The command line, which a visitor does not have.
    "hearts_client.commands.arguments": {"open", "write_text"},
    "hearts_client.commands.bot": {"import_module"},
    "hearts_client.library.call_watch": {"Thread"},
    "hearts_client.statistics.counting": {"open"},
    "hearts_client.screen.input.chat_box": {"open"},
    "hearts_client.screen.table.keys": {"open"},
    "hearts_client.screen.table.seat_page": {"open"},
    # For a person at their own machine, and not for a visitor, as OFF says.
    "hearts_client.commands.play": {"open", "run_sync"},
    "hearts_client.library.reach": {"open_tcp_stream", "run_sync"},
    "hearts_client.lines.keyboard": {"run_sync"},
    "hearts_client.names.kept": {"mkdir", "open", "write_whole"},
    "hearts_client.days.visitor": {"mkdir", "run_sync"},
    "hearts_client.par.pars": {"mkdir", "open", "run_sync", "touch", "write_whole"},
    "hearts_client.mistakes.finding": {"run_sync"},
    "hearts_client.mistakes.kept": {"open", "rename", "write_whole"},
    "hearts_client.screen.app": {"open", "run_sync"},
    "hearts_client.screen.navigation": {"run_sync"},
    "hearts_client.screen.pages.own_games": {"run_sync", "write_new"},
    "hearts_client.screen.pictures.own_cards": {"open"},
    "hearts_client.screen.settings.kept_files": {"mkdir", "open", "write_whole"},
    "hearts_client.screen.shared": {"run_sync"},
    "hearts_client.screen.sound": {"mkdir", "open", "run_quietly", "run_sync", "write_whole"},
    "hearts_client.session.analyst": {"child", "subprocess"},
    "hearts_client.session.own_server": {"child", "mkdir", "open"},
    "hearts_client.session.places": {"mkdir"},
    "hearts_client.session.record_files": {
        *("mkdir", "run_sync", "touch", "unlink", "write_new", "write_whole")
    },
    "hearts_client.session.saved": {"chmod", "mkdir", "open", "run_sync", "unlink", "write_whole"},
    "hearts_client.session.visit": {"rmtree", "run_sync"},
    # The bell, and red suits, which a visitor's lines do not have.
    "hearts_client.screen.input.ui": {r"'\x07'"},
    "hearts_client.words.style": {r"'\x1b'"},
}


def _modules() -> list[str]:
    """All modules of ours that a visitor's process has read before it begins."""
    program = (
        "import sys, json; from hearts_client import hardened; hardened.prepare(); "
        "print(json.dumps([n for n in sys.modules if n.split('.')[0].startswith('hearts')]))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True
    )
    found: list[str] = json.loads(done.stdout)
    return found


def _ways(path: Path) -> set[str]:
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        match node:
            case ast.Call(func=ast.Attribute(attr=name) | ast.Name(id=name)) if name in CALLS:
                found.add(name)
            case ast.Attribute(attr=name) if name in CALLS - {"open", "touch", "child"}:
                found.add(name)
            case ast.Constant(value=str(text)) if STRINGS.search(text):
                found.add(ascii(STRINGS.search(text)[0]))  # type: ignore[index]  # it was found
            case ast.Import(names=names):
                found |= {each.name for each in names} & {"subprocess", "ctypes", "multiprocessing"}
    return found


def test_no_module_has_a_new_way_out() -> None:
    """Whoever adds one here says in OFF, or here, why a visitor does not get to it."""
    found = {}
    for name in _modules():
        path = ROOT / name.replace(".", "/")
        file = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
        if ways := _ways(file):
            found[name] = ways
    assert found == KEPT


def test_nothing_but_reading_our_own_code_is_allowed(tmp_path: Path) -> None:
    look = guard()
    for event in sorted(ALLOWED):
        look(event, ())
    look("open", (str(ROOT / "hearts" / "errors.py"), "r", os.O_RDONLY))
    for event in (
        *("subprocess.Popen", "os.fork", "os.exec", "os.system", "os.posix_spawn", "ctypes.dlopen"),
        *("socket.connect", "socket.getaddrinfo", "os.remove", "os.mkdir"),
        "_thread.start_new_thread",
    ):
        with pytest.raises(NotForVisitors, match=event):
            look(event, ())
    with pytest.raises(NotForVisitors):
        look("open", (str(ROOT / "hearts" / "errors.py"), "w", os.O_WRONLY | os.O_CREAT))
    with pytest.raises(NotForVisitors):
        look("open", (str(tmp_path / "secret"), "r", os.O_RDONLY))

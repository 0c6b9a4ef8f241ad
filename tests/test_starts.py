"""What a program does not import before it is needed: each module costs time at every start."""

from __future__ import annotations

import socket
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
_NOBODY = {
    "difflib", "email", "hearts_arena", "hearts_conformance", "http", "importlib.metadata",
    "jinja2", "multiprocessing", "prometheus_client", "psycopg", "tomllib", "urwid", "wcwidth",
    "zipfile",
    "hearts.bots.search", "numba", "numpy",
}  # fmt: skip
_SERVER = _NOBODY | {
    "hearts.game.stats", "hearts.game.verify", "hearts_client", "hearts_server.commands.records",
    "hearts_server.commands.verify", "hearts_server.metrics.page",
}  # fmt: skip
_CLIENT = _NOBODY | {
    "hearts.hosting", "hearts.dealer.seat", "hearts.plain.seat", "hearts_client.screen",
    "hearts_client.statistics", "hearts_server", "sqlite3",
}  # fmt: skip


def modules(program: str, *arguments: str) -> set[str]:
    """What is imported when a program of one line has ended, and its standard input with it."""
    said = f"import atexit, sys; atexit.register(lambda: print('!', *sys.modules)); {program}"
    done = subprocess.run(
        [sys.executable, "-c", said, *arguments],
        cwd=ROOT, input="", capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert "Traceback" not in done.stderr, done.stderr
    return set(done.stdout.rpartition("!")[2].split())


SERVER = "from hearts_server.commands.main import main; sys.exit(main())"
CLIENT = "from hearts_client.commands.main import main; sys.exit(main())"


@pytest.mark.parametrize("journal", ["normal", "off"])
def test_a_server_imports_what_it_needs(journal: str, tmp_path: Path) -> None:
    where = ("--host", "127.0.0.1", "--port", "0", "--taunt-port", "0", "--data-dir", str(tmp_path))
    alone = ("--no-taunt-server", "--no-web", "--exit-with-parent", "--journal", journal)
    loaded = modules(SERVER, *where, *alone)
    assert "hearts.hosting.hosted_table" in loaded
    assert not loaded & _SERVER
    assert ("sqlite3" in loaded) == (journal != "off")


_NO_LIBPQ = (
    "import ctypes.util; ctypes.util.find_library = lambda name: None; "
    "sys.modules['psycopg_c'] = sys.modules['psycopg_binary'] = None"
)


@pytest.mark.parametrize(
    ("prepared", "said"),
    [
        ("sys.modules['psycopg'] = None", "psycopg: pip install"),
        (_NO_LIBPQ, "libpq: apt-get install libpq5"),
    ],
    ids=["no psycopg", "no libpq"],
)
def test_a_store_without_its_library_says_how_to_get_it(prepared: str, said: str) -> None:
    program = f"import sys; {prepared}; {SERVER}"
    done = subprocess.run(
        [sys.executable, "-c", program, "records", "--store", "postgresql://x/y", "list"],
        cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 2
    assert done.stderr.startswith(f"hearts-server records: --store needs {said}")


@pytest.mark.parametrize("library", ["h11", "wsproto"])
def test_a_gateway_without_its_libraries_says_how_to_get_them(library: str) -> None:
    program = f"import sys; sys.modules[{library!r}] = None; from hearts_web.__main__ import main"
    done = subprocess.run(
        [sys.executable, "-c", f"{program}; sys.exit(main())", "--help"],
        cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 2
    assert done.stderr.startswith(f"hearts-web needs {library}: pip install 'hearts-server[web]'")


def test_an_arena_without_dask_says_how_to_get_it(tmp_path: Path) -> None:
    program = "import sys; sys.modules['distributed'] = None; from hearts_arena.command import main"
    done = subprocess.run(
        [sys.executable, "-c", f"{program}; sys.exit(main())", "run", "simple", "random",
         "--on", "dask://127.0.0.1:9"],
        cwd=tmp_path, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 2
    assert done.stderr.startswith(
        "hearts-arena: --on needs distributed: pip install 'hearts-server[dask]'"
    )
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("words", [["--help"], ["--port", "many"]])
def test_settings_are_read_before_a_server_is_imported(words: list[str]) -> None:
    loaded = modules(SERVER, *words)
    assert "hearts_server.given_settings" in loaded
    assert not loaded & {"trio", "sqlite3", "hearts_server.running.serve"}


def test_an_arena_is_told_what_to_do_before_it_imports_how() -> None:
    loaded = modules("from hearts_arena.command import main; sys.exit(main())", "--help")
    assert "hearts_arena.options" in loaded
    assert not loaded & {"trio", "jinja2", "hearts_client", "hearts.hosting", "hearts_arena.play"}


@pytest.mark.parametrize(
    ("arguments", "wanted", "others"),
    [
        (["records"], "hearts_server.commands.records", {"hearts_server.running.serve"}),
        (["verify"], "hearts_server.commands.verify", {"trio", "sqlite3"}),
        (["tables"], "hearts_server.commands.console", {"trio", "sqlite3"}),
    ],
    ids=["records", "verify", "tables"],
)
def test_another_command_does_not_import_the_server(
    arguments: list[str], wanted: str, others: set[str]
) -> None:
    loaded = modules(SERVER, *arguments, "--help")
    assert wanted in loaded
    assert not loaded & (others | {"hearts.hosting.hosted_table", "hearts_server.server"})


def test_a_client_imports_what_it_needs() -> None:
    with socket.socket() as nobody:
        nobody.bind(("127.0.0.1", 0))
        loaded = modules(CLIENT, f"127.0.0.1:{nobody.getsockname()[1]}")
    assert "hearts_client.commands.play" in loaded
    assert not loaded & _CLIENT


def test_the_full_screen_needs_no_lines() -> None:
    loaded = modules("import hearts_client.screen.app")
    assert "urwid" in loaded
    assert not loaded & {
        "hearts_client.commands.play",
        "hearts_client.lines.person",
        "hearts.hosting",
    }


def test_the_kit_is_there_when_it_is_wanted() -> None:
    assert "hearts_conformance.command" in modules(CLIENT, "conformance", "--list")

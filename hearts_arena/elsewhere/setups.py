"""The setup of a machine: results follow from it beside the plan, so all have to have the same."""

from __future__ import annotations

import hashlib
import platform
import sys
from collections.abc import Iterable
from functools import cache
from importlib.metadata import version
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

import hearts
import hearts_arena
import hearts_client.library
from hearts.errors import HeartsError
from hearts_arena.plan.plan import Plan
from hearts_arena.play.player_process import Pipe, PlayerProcess
from hearts_arena.play.players import BadPlayer, OwnClass, check_players, parse_player

_LIBRARIES = ("numba", "numpy")
"""Libraries that the project's own players choose with; each version may round in its own way."""
_DIGITS = 10
"""The number of digits of a digest that are shown."""
_LIMIT = 120.0
"""Seconds until all players can be made; on a new machine the expert is compiled first."""


_Players = tuple[tuple[str, str], ...]


class Setup(Struct, frozen=True, gc=False):
    """The programs and versions with which a machine plays."""

    python: str
    """Such as ``CPython 3.11``."""
    arena: str
    dask: str
    players: _Players = ()
    """Modules and libraries that players are made of, and which they are."""


@cache
def setup_here() -> Setup:
    """Return the setup of this process, without players. Its code is that of the first call."""
    major, minor, _ = platform.python_version_tuple()
    return Setup(
        f"{platform.python_implementation()} {major}.{minor}",
        f"{version('hearts-server')}, code {_code()}",
        version("distributed"),
    )


def setup_of(plan: Plan, memory: int) -> Setup:
    """Make the setup of this process, with the players of a plan.

    The players are made in a process of their own, which may have ``memory`` bytes, so that their
    files are read anew. Raises BadPlayer, also if that takes longer than two minutes.
    """
    process = PlayerProcess(memory, _send_players, plan)
    try:
        if not process.pipe.poll(_LIMIT):
            raise BadPlayer(f"the players could not be made within {_LIMIT:g} s")
        said: _Players | str = process.pipe.recv()
    except (EOFError, OSError):
        raise BadPlayer("a player ends the process that imports it") from None
    finally:
        process.end()
    if isinstance(said, str):
        raise BadPlayer(said)
    return replace(setup_here(), players=said)


def what_is_wrong(here: Setup, there: Setup | Exception) -> str:
    """Say why a machine would not play like this one, and give a remedy; empty if it would.

    ``there`` is its setup, or the error that it has raised when it was asked. That it has no
    players, as a scheduler, is not wrong.
    """
    match there:
        case HeartsError():
            return str(there)
        case Exception():
            return (
                f"it has no hearts-server, or another one than here ({there}): install the same "
                "there and start it anew"
            )
    known = dict(there.players)
    pairs = [
        ("Python", there.python, here.python),
        ("hearts-server", there.arena, here.arena),
        ("dask", there.dask, here.dask),
        *((name, known.get(name, what), what) for name, what in here.players),
    ]
    wrong = [
        f"{name} there is {theirs}, and here it is {ours}"
        for name, theirs, ours in pairs
        if theirs != ours
    ]
    return "; ".join([*wrong, "install the same there and start it anew"]) if wrong else ""


def _send_players(pipe: Pipe, plan: Plan) -> None:
    try:
        check_players(plan)
    except HeartsError as error:
        pipe.send(str(error))
        return
    made_of = {name: version(name) for name in _LIBRARIES if name in sys.modules}
    for entrant in plan.entrants:
        player = parse_player(entrant.spec)
        if isinstance(player, OwnClass):
            package = player.module.partition(".")[0]
            made_of[player.module] = f"code {_digest(_files_of(package))}"
    pipe.send(tuple(made_of.items()))


def _files_of(package: str) -> Iterable[tuple[str, Path]]:
    """Return the files of a package, or of a module alone, that are imported now, by their
    names.
    """
    for name, module in sorted(sys.modules.items()):
        file = getattr(module, "__file__", None)
        if file is not None and (name == package or name.startswith(f"{package}.")):
            yield name, Path(file)


def _code() -> str:
    packages = hearts, hearts_arena, hearts_client.library
    folders = [Path(package.__path__[0]) for package in packages]
    return _digest(
        (f"{folder.name}/{path.relative_to(folder)}", path)
        for folder in folders
        for path in sorted(folder.rglob("*.py"))
    )


def _digest(files: Iterable[tuple[str, Path]]) -> str:
    found = hashlib.sha256()
    for name, path in files:
        found.update(f"{name}\n".encode())
        found.update(hashlib.sha256(path.read_bytes()).digest())
    return found.hexdigest()[:_DIGITS]

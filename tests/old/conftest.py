"""What the tests of what is old share: each old program, unpacked once, and its clients, built."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest

from .archive import ARCHIVES, HERE, NotBuilt, OldProgram, unpack

OldClient = Callable[[str], Sequence[str]]


@pytest.fixture(
    scope="session", params=[ARCHIVES[0], pytest.param(ARCHIVES[1], marks=pytest.mark.heavy)]
)
def old(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> OldProgram:
    root = unpack(HERE / request.param, tmp_path_factory.mktemp("old"))
    return OldProgram(root, request.param == ARCHIVES[0])


@pytest.fixture(scope="session")
def old_client(old: OldProgram, tmp_path_factory: pytest.TempPathFactory) -> OldClient:
    """Gives the command of an old client by its language, built once; skips where that cannot be.

    "dealer" is the one in JavaScript in the dealer dialect.
    """
    made: dict[str, list[str]] = {}

    def command(name: str) -> Sequence[str]:
        if name == "dealer":
            return [*command("javascript"), "--dialect", "dealer", "--cut"]
        if name not in made:
            try:
                made[name] = old.client(name, tmp_path_factory.mktemp(name))
            except NotBuilt as why:
                pytest.skip(str(why))
        return made[name]

    return command

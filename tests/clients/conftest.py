"""What the tests of the clients share: the clients, built once, and a server to be killed."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.soak.soak_server import ServerProcess, server

from .programs import LANGUAGES, MAIN_LANGUAGES, Missing
from .tables import NO_CLOCK, Command, Workshop


@pytest.fixture(scope="session")
def workshop(tmp_path_factory: pytest.TempPathFactory) -> Workshop:
    """Gives the command of a language's client, built once. Raises Missing."""
    made: dict[str, Command] = {}

    def command(name: str) -> Command:
        if name not in made:
            made[name] = LANGUAGES[name].made(tmp_path_factory.mktemp(name))
        return made[name]

    return command


@pytest.fixture(
    params=[
        name if name in MAIN_LANGUAGES else pytest.param(name, marks=pytest.mark.heavy)
        for name in LANGUAGES
    ]
)
def client(request: pytest.FixtureRequest, workshop: Workshop) -> Command:
    try:
        return workshop(request.param)
    except Missing as missing:
        pytest.skip(str(missing))


@pytest.fixture
def data_dir(tmp_path: Path) -> Path:
    return tmp_path / "data"


@pytest.fixture
def process(data_dir: Path) -> Iterator[ServerProcess]:
    with server(data_dir, *NO_CLOCK, "--grace", "0.3", "--end-score", "27") as made:
        made.begin()
        made.wait_ready()
        yield made

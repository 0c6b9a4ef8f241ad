"""Every integration test wants nothing logged as an error; many want a house in virtual time."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from .house import House, house
from .ports import ListeningChat


@pytest.fixture(autouse=True)
def no_error_is_logged(caplog: pytest.LogCaptureFixture) -> Iterator[None]:
    caplog.set_level(logging.INFO)
    yield
    errors = [r.getMessage() for r in caplog.get_records("call") if r.levelno >= logging.ERROR]
    assert not errors


@pytest.fixture
def chat() -> ListeningChat:
    """What the tables of the house say."""
    return ListeningChat()


@pytest.fixture
async def made(tmp_path: Path, request: pytest.FixtureRequest) -> AsyncIterator[House]:
    """A house in virtual time, with the options of the test's mark ``house``, and its chat."""
    mark = request.node.get_closest_marker("house")
    chat = request.getfixturevalue("chat") if "chat" in request.fixturenames else None
    async with house(tmp_path, *(mark.args if mark else ()), chat=chat) as made:
        yield made

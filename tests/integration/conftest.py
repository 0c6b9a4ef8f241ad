"""Every integration test wants nothing logged as an error; many want a house in virtual time."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from .house import House, house


@pytest.fixture(autouse=True)
def no_error_is_logged(caplog: pytest.LogCaptureFixture) -> Iterator[None]:
    caplog.set_level(logging.INFO)
    yield
    errors = [r.getMessage() for r in caplog.get_records("call") if r.levelno >= logging.ERROR]
    assert not errors


@pytest.fixture
async def made(tmp_path: Path, request: pytest.FixtureRequest) -> AsyncIterator[House]:
    """A house in virtual time, with the options of the test's mark ``house``."""
    mark = request.node.get_closest_marker("house")
    async with house(tmp_path, *(mark.args if mark else ())) as made:
        yield made

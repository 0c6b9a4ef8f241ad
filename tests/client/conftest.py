"""A house in virtual time, for the tests that want one."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from .client_house import ClientHouse, house


@pytest.fixture
async def made(tmp_path: Path, request: pytest.FixtureRequest) -> AsyncIterator[ClientHouse]:
    """A house in virtual time, with the options of the test's mark ``house``."""
    mark = request.node.get_closest_marker("house")
    async with house(tmp_path, *(mark.args if mark else ())) as made:
        yield made

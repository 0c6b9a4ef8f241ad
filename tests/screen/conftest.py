"""Somebody at the screen of a real server, for the tests that want one."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.client.conftest import made as made

from .seats import At, seated


@pytest.fixture
async def at(tmp_path: Path, request: pytest.FixtureRequest) -> AsyncIterator[At]:
    """A person in virtual time; the mark ``seat`` has the options, and ``begin`` how it begins."""
    mark = request.node.get_closest_marker("seat")
    arguments, more = (mark.args, {**mark.kwargs}) if mark else ((), {})
    begin = more.pop("begin", seated)
    async with begin(tmp_path, *arguments, **more) as at:
        yield at

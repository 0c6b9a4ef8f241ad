"""A browser for each module of tests, and a house for each test."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from .page_house import Web, chromium, web


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as found:
        yield found


@pytest.fixture
def house(tmp_path: Path) -> Iterator[Web]:
    with web(tmp_path / "data", "--grace", "60", "--fill-after", "never") as made:
        yield made

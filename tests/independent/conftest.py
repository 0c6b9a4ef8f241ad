"""The session of the script, as one client has it."""

from __future__ import annotations

import pytest

from .dealer_script import Ann, play


@pytest.fixture(scope="session")
def whole() -> Ann:
    return play()[0]

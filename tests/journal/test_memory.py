"""The journal in memory that other tests use is a journal."""

from __future__ import annotations

import pytest

from .contract import JournalContract
from .memory import Memory


class TestMemory(JournalContract):
    @pytest.fixture
    def place(self) -> Memory:
        return Memory()

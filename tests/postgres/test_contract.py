"""The journal in PostgreSQL keeps to the contract of every store."""

from __future__ import annotations

import pytest

from tests.journal.contract import JournalContract

from .place import Schema
from .server import PostgresServer


class TestPostgres(JournalContract):
    @pytest.fixture
    def place(self, postgres: PostgresServer) -> Schema:
        return Schema(postgres)

"""Any program of connections, bytes and pauses for the whole server."""

from __future__ import annotations

from hypothesis import given, settings

from .corpus import replay
from .server import server
from .strategies import inputs


@given(inputs("server"))
@settings(max_examples=25)
def test_any_program(data: bytes) -> None:
    server(data)


def test_every_file_of_the_corpus() -> None:
    assert replay("server")

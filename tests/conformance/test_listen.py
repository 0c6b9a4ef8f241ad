"""The kit where it cannot listen: one line says what to do."""

from __future__ import annotations

import socket
from collections.abc import Iterator

import pytest

from hearts_conformance.command import main


@pytest.fixture
def taken() -> Iterator[int]:
    """A port at which somebody listens; the one before it may be free."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        yield listener.getsockname()[1]


@pytest.mark.parametrize("before", [0, 1])
def test_a_port_that_is_taken(before: int, taken: int, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--listen", str(taken - before), "--run", "true"]) == 2
    out, errors = capsys.readouterr()
    assert out == ""
    assert errors.startswith("hearts-client conformance: cannot listen at 127.0.0.1:")
    assert errors.endswith(
        " (Address already in use); --listen PORT chooses another; the one behind it has to be "
        "free too, for the chat\n"
    )
    assert f":{taken} (" in errors or before


def test_the_last_port_has_none_behind_it(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match=r"^2$"):
        main(["--listen", "65535", "--run", "true"])
    assert "with a port up to 65534, not '65535'" in capsys.readouterr().err

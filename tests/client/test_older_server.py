"""``hearts-client`` at a server that knows the plain dialect only."""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable, Iterator

import pytest

from tests.plain.script import HAND, SEATED, TABLE, ints, text

from .test_programs import CLIENT, LIMIT, start

NAME = text("Ann")
REASONS = ints(-10, 0)
DEALER = ints(-6, 1)
REFUSED = ints(-102) + text("block -6 is not known")


def take(line: socket.socket, size: int) -> bytes:
    data = b""
    while len(data) < size and (part := line.recv(size - len(data))):
        data += part
    return data


def greet(line: socket.socket) -> None:
    line.sendall(ints(0))
    assert take(line, len(NAME + REASONS)) == NAME + REASONS
    line.sendall(ints(1))


def refuse_dealer(line: socket.socket) -> None:
    greet(line)
    assert take(line, len(DEALER)) == DEALER
    line.sendall(REFUSED)


def play(line: socket.socket) -> None:
    """A table, a hand, and the end of the server."""
    greet(line)
    process_id = take(line, 4)
    assert process_id[0] < 128
    line.sendall(SEATED)
    assert take(line, 4) == ints(0)
    line.sendall(TABLE + ints(*HAND, 1))
    assert take(line, 8) == ints(0, 0)
    line.shutdown(socket.SHUT_WR)
    line.recv(1)


@pytest.fixture
def older() -> Iterator[Callable[..., str]]:
    """Gives the address of a server whose connections go like this, one after the other."""
    listener = socket.create_server(("127.0.0.1", 0))
    listener.settimeout(LIMIT)
    problems: list[BaseException] = []
    threads: list[threading.Thread] = []

    def serve(connections: tuple[Callable[[socket.socket], None], ...]) -> None:
        try:
            for converse in connections:
                line, _ = listener.accept()
                with line:
                    line.settimeout(LIMIT)
                    converse(line)
        except BaseException as problem:
            problems.append(problem)

    def begin(*connections: Callable[[socket.socket], None]) -> str:
        threads.append(threading.Thread(target=serve, args=(connections,)))
        threads[-1].start()
        return f"127.0.0.1:{listener.getsockname()[1]}"

    yield begin
    for thread in threads:
        thread.join(LIMIT)
    listener.close()
    assert problems == []


@pytest.fixture
def state(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path_factory.mktemp("state")))


@pytest.mark.usefixtures("state")
def test_the_game_goes_on_in_the_plain_dialect(older: Callable[..., str]) -> None:
    where = older(refuse_dealer, play)
    out, errors = play_until_hand(where)
    assert errors == ""
    assert out[:4] == [
        f"Connected to {where} as Ann.",
        "The server is an older one; the game goes on in the plain dialect.",
        "You are player 0. Waiting for the other players.",
        "",
    ]
    assert "--- Hand 1: three cards go to the left, to Moe. ---" in out


def play_until_hand(where: str) -> tuple[list[str], str]:
    """What is said while nobody types anything and the input ends with the hand."""
    with start([*CLIENT, where, "--name", "Ann", "--taunt-port", "0"]) as process:
        assert process.stdout is not None
        lines: list[str] = []
        for line in process.stdout:
            lines.append(line.rstrip("\n"))
            if "--- Hand 1" in line:
                break
        rest, errors = process.communicate("/quit\n", timeout=LIMIT)
        return [*lines, *rest.splitlines()], errors


def refused(where: str, dialect: str) -> str:
    """What somebody reads who wants a dialect and types nothing."""
    words = [where, "--name", "Ann", "--taunt-port", "0", "--dialect", dialect]
    with start([*CLIENT, *words]) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert process.wait(timeout=LIMIT) == 2
        assert "older" not in process.stdout.read()
        return process.stderr.read()


@pytest.mark.usefixtures("state")
def test_who_wants_the_dealer_dialect_is_told(older: Callable[..., str]) -> None:
    where = older(refuse_dealer)
    assert refused(where, "dealer") == "hearts-client: the server refuses: block -6 is not known\n"


@pytest.mark.usefixtures("state")
def test_the_plain_dialect_from_the_beginning(older: Callable[..., str]) -> None:
    def refuse(line: socket.socket) -> None:
        greet(line)
        assert take(line, 4)[0] < 128
        line.sendall(ints(-4) + text("later"))

    where = older(refuse)
    assert refused(where, "plain") == "hearts-client: the server refuses: later\n"

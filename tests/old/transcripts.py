"""The old golden transcripts, played against the servers of today.

Their format is told in README.md of tests/vectors. The game server is that of today without
sockets (tests/vectors/vector_house.py), because time stands still there; the other is a program.
"""

from __future__ import annotations

import socket
from pathlib import Path

import trio
from trio.testing import MockClock

from tests.vectors.transcript import Case, TranscriptKind, TranscriptLine, plain_cases
from tests.vectors.vector_house import VectorServer

from .archive import TAUNT_SERVER, TODAY

VECTORS = Path("tests", "vectors")
"""Where they are, in the old program and today."""
_SILENCE = 0.1
"""Seconds in which a taunt server says nothing more, if it keeps to a transcript."""


class Differs(Exception):
    """A server said something else; the text says what."""


def stories(root: Path) -> list[Case]:
    """The cases of the plain dialect in a version of the program."""
    return plain_cases(root / VECTORS / "plain")


def _has_reason(line: TranscriptLine) -> bool:
    """Whether a reason in words follows a code; its words are free."""
    return line.comment.startswith("refused, ") and len(line.data) > 4


def tell(story: Case) -> None:
    """Play a case against the server of today. Raises Differs."""
    clock = MockClock()
    differences = []

    async def play() -> None:
        async with trio.open_nursery() as nursery:
            house = VectorServer(nursery, clock)
            try:
                for line in story.lines:
                    await _take(house, line)
                _same(bytes(house.wire.output), b"")
            except Differs as difference:
                differences.append(difference)
            nursery.cancel_scope.cancel()

    trio.run(play, clock=clock)
    for difference in differences:
        raise Differs(f"{story}: {difference}")


async def _take(house: VectorServer, line: TranscriptLine) -> None:
    if line.kind is TranscriptKind.DIRECTIVE:
        await house.do(line.words)
    elif line.kind is not TranscriptKind.RECEIVED:
        try:
            await house.send(line.data)
        except trio.BrokenResourceError:
            raise Differs("the connection had ended") from None
    elif not line.data:
        if not house.wire.ended:
            raise Differs("the connection did not end")
    else:
        output = house.wire.output
        has_reason = _has_reason(line)
        size = 8 + int.from_bytes(output[4:8], "big") if has_reason else len(line.data)
        said = bytes(output[:size])
        del output[:size]
        if has_reason:
            whole = len(said) == size and said[8:-1].isascii() and said.endswith(b"\0")
            _same(said[:4] if whole else said, line.data[:4])
        else:
            _same(said, line.data)


def _same(said: bytes, expected: bytes) -> None:
    if said != expected:
        raise Differs(f"the server said {said.hex(' ')}, not {expected.hex(' ')}")


# The taunt server


def chats(root: Path) -> dict[str, str]:
    """The transcripts of the taunt server in a version of the program, by name."""
    paths = sorted((root / VECTORS / "taunt").glob("*.txt"))
    return {f"taunt: {path.stem}": path.read_text("utf-8") for path in paths}


def tell_chat(text: str, folder: Path) -> None:
    """Play a transcript of the taunt server against the program of today. Raises Differs."""
    secret, steps = b"", list[tuple[str, str, bytes]]()
    for line in text.splitlines():
        match line.partition("#")[0].split():
            case []:
                pass
            case ["secret", value]:
                secret = bytes.fromhex(value)
            case [client, way, *values]:
                steps.append((client, way, bytes.fromhex("".join(values))))
    file = folder / "secret"
    file.write_bytes(secret)
    file.chmod(0o600)
    with TODAY.listening(TAUNT_SERVER, "--secret-file", str(file)) as port:
        _chat(port, steps)


def _chat(port: int, steps: list[tuple[str, str, bytes]]) -> None:
    open_ = {
        client: socket.create_connection(("127.0.0.1", port), timeout=20)
        for client in dict.fromkeys(client for client, _, _ in steps)
    }
    try:
        for client, way, data in steps:
            if way == "->":
                open_[client].sendall(data)
            elif way == "<-":
                _same(open_[client].recv(len(data), socket.MSG_WAITALL), data)
            else:
                connection = open_.pop(client)
                _same(connection.recv(1), b"")
                connection.close()
        for client, connection in open_.items():
            connection.settimeout(_SILENCE)
            try:
                more = connection.recv(4096)
            except TimeoutError:
                continue
            raise Differs(f"{client} heard {more.hex(' ')} at the end")
    finally:
        for connection in open_.values():
            connection.close()

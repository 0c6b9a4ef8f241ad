"""The golden transcripts, read by the server, by the client, and back into bytes."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pytest

from hearts.errors import RemoteProtocolError
from hearts.taunt.client import ChatRefused, ClientSession, Delivery, Registered
from hearts.taunt.messages import (
    Status,
    encode_delivery,
    encode_numbers,
    encode_status,
    encode_taunt,
)
from hearts.taunt.server import Register, ServerSession, Taunt
from hearts.wire.credentials import issue

from .conftest import ChatDesk

FOLDER = Path(__file__).parent.parent / "vectors" / "taunt"
FILES = sorted(FOLDER.glob("*.txt"))
SENT, RECEIVED, CLOSED = "->", "<-", "closed"


@dataclass(frozen=True, slots=True)
class VectorStep:
    """Bytes that one client sends or receives, or the end of its connection."""

    client: str
    kind: str
    data: bytes = b""


def read_transcript(path: Path) -> tuple[bytes, list[VectorStep]]:
    """The secret and the steps; neighbouring lines of one client and direction are one step."""
    secret = b""
    steps: list[VectorStep] = []
    for line in path.read_text(encoding="utf-8").splitlines():
        match line.partition("#")[0].split():
            case []:
                continue
            case ["secret", value]:
                secret = bytes.fromhex(value)
            case [client, "closed"]:
                steps.append(VectorStep(client, CLOSED))
            case [client, ("->" | "<-") as kind, *values]:
                data = bytes.fromhex("".join(values))
                if steps and (steps[-1].client, steps[-1].kind) == (client, kind):
                    data = steps.pop().data + data
                steps.append(VectorStep(client, kind, data))
            case other:
                raise AssertionError(f"{path.name}: what is {other}?")
    return secret, steps


def all_bytes(steps: list[VectorStep], client: str, kind: str) -> bytes:
    return b"".join(step.data for step in steps if (step.client, step.kind) == (client, kind))


def clients_of(steps: list[VectorStep]) -> list[str]:
    return sorted({step.client for step in steps})


def test_the_transcripts_are_there() -> None:
    assert {path.stem for path in FILES} >= {
        "registration_ok",
        "registration_refused",
        "two_players_chatting",
        "own_taunt_returned",
        "overlong_notice",
        "flood_notice",
        "server_announcement",
    }


@pytest.mark.parametrize("piece", [1, 3, 4096])
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
async def test_the_server_says_what_the_transcript_says(
    path: Path, piece: int, desk: ChatDesk
) -> None:
    _, steps = read_transcript(path)
    peers = {client: desk.peer() for client in clients_of(steps)}
    ended = set()
    for step in steps:
        peer = peers[step.client]
        if step.kind == SENT:
            for at in range(0, len(step.data), piece):
                await peer.send(step.data[at : at + piece])
        elif step.kind == RECEIVED:
            assert (await peer.receive(len(step.data))).hex(" ") == step.data.hex(" ")
        else:
            assert await peer.is_ended()
            ended.add(step.client)
    for client in peers.keys() - ended:
        assert await peers[client].is_silent()


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_the_client_reads_what_the_server_sends(path: Path) -> None:
    _, steps = read_transcript(path)
    for client in clients_of(steps):
        received = all_bytes(steps, client, RECEIVED)
        session = ClientSession(issue(b"", 1, 0, 0))
        session.register()
        session.feed(received)
        encoded = b""
        while (event := session.next_event()) is not None:
            match event:
                case Registered():
                    encoded += encode_status(Status.REGISTERED)
                case ChatRefused():
                    encoded += encode_status(Status.REFUSED)
                case Delivery(player, text):
                    encoded += encode_delivery(player, text)
        assert encoded == received


@pytest.mark.parametrize(
    "path",
    [path for path in FILES if path.stem not in ("overlong_notice", "unreadable_notice")],
    ids=lambda path: path.stem,
)
def test_the_client_writes_what_the_server_reads(path: Path) -> None:
    secret, steps = read_transcript(path)
    for client in clients_of(steps):
        sent = all_bytes(steps, client, SENT)
        session = ServerSession()
        session.feed(sent)
        encoded = b""
        try:
            while (event := session.next_event()) is not None:
                match event:
                    case Register(credentials):
                        encoded += encode_numbers(credentials)
                        session.accept()
                    case Taunt(credentials, text):
                        assert credentials == issue(
                            secret,
                            credentials.game_number,
                            credentials.player,
                            credentials.process_id,
                        )
                        encoded += encode_taunt(credentials, text)
                    case other:
                        raise AssertionError(f"no client of ours writes {other}")
        except RemoteProtocolError:
            assert path.stem == "length_out_of_range"
            assert sent.startswith(encoded)
        else:
            assert encoded == sent

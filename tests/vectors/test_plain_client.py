"""Our client says what the transcripts say when it makes the same choices.

It reads them cut in all ways, and so do its events stay the same.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import dataclass

import pytest

from hearts.game.cards import Card
from hearts.game.events import CardsReceived, PassMade, YourHand
from hearts.plain.client import PlainSession
from hearts.session import registration as r
from hearts.session.client_events import CaughtUp, DealerEvent
from hearts.session.client_registration import RegistrationRequest
from hearts.session.messages import Options, Scores
from hearts.session.resume_token import ResumeToken
from hearts.table.inputs import Question
from hearts.wire.credentials import SeatCredentials

from .transcript import Case, TranscriptKind, TranscriptLine, plain_cases


@dataclass(frozen=True, slots=True)
class PoliteVisit:
    """One connection of a client of good manners."""

    case: Case
    lines: list[TranscriptLine]

    def __str__(self) -> str:
        return str(self.case)


VISITS = [
    PoliteVisit(case, lines) for case in plain_cases() for good, lines in case.connections() if good
]


def progress_of(shown: SeatCredentials, hands: int) -> ResumeToken:
    latest = Scores((0, 0, 0, 0)) if hands > 0 else None
    return ResumeToken(shown, ("Ann", "Moe", "Larry", "Curly"), hands, max(hands, 0), latest)


def request_of(lines: list[TranscriptLine]) -> RegistrationRequest:
    """What a client must have wanted, by what it sent."""
    registration = r.Registration()
    registration.feed(b"".join(line.data for line in lines if line.kind is TranscriptKind.SENT))
    given: dict[str, object] = {"name": "nobody", "process_id": 0}
    while (item := registration.take()) is not None:
        match item:
            case r.GivenName(name):
                given["name"] = name
            case r.GivenPassword(password):
                given["password"] = password.decode()
            case r.ListTables():
                given["list_only"] = True
            case r.JoinTable(name):
                given["table"] = name
            case r.ComeBack(shown, hands):
                given["come_back"] = progress_of(shown, hands)
            case r.GivenOptions(ints):
                given["options"] = Options.decode(ints)
            case r.GivenProcessId(process_id):
                given["process_id"] = process_id
                break
    return RegistrationRequest(**given)  # type: ignore[arg-type]  # the fields of the dataclass


class TranscriptClient:
    """A client that plays a transcript."""

    def __init__(self, lines: list[TranscriptLine]) -> None:
        self.session = PlainSession(request_of(lines))
        self.log: list[DealerEvent | tuple[int, ...]] = []
        """What was heard, and the values of what was chosen, in order."""
        self._unsent = b""
        self._hand: list[Card] = []
        self._passed: list[int] = []

    def receive(self, data: bytes) -> None:
        """Feed what the server said; empty for the end of the stream."""
        self.session.feed(data)
        while (event := self.session.next_event()) is not None:
            self.log.append(event)
            match event:
                case YourHand(cards=cards):
                    self._hand = list(cards)
                case PassMade(cards=cards):
                    self._passed = [self._hand.index(card) for card in cards]
                case CardsReceived(cards=cards):
                    for index, card in zip(self._passed, cards, strict=True):
                        self._hand[index] = card
                case _:
                    pass
        self._unsent += self.session.bytes_to_send()

    def must_say(self, data: bytes) -> None:
        """Check the next bytes that the client says."""
        assert self._unsent[: len(data)].hex(" ") == data.hex(" ")
        self._unsent = self._unsent[len(data) :]

    def choose(self, data: bytes) -> None:
        """Make the choice that these bytes stand for."""
        values = struct.unpack(f">{len(data) // 4}i", data)
        self.log.append(values)
        session = self.session
        match session.asked:
            case Question.PASS:
                session.pass_cards([self._hand[index] for index in values])
            case Question.CARD:
                session.play(self._hand[values[0]])
            case Question.MOON:
                session.choose_moon(bool(values[0]))
            case Question.AGAIN:
                session.play_again(bool(values[0]))
            case None:
                raise AssertionError("no choice is asked for")
        self._unsent += session.bytes_to_send()

    def must_be_silent(self) -> None:
        assert self._unsent.hex(" ") == ""


def _byte_by_byte(lines: list[TranscriptLine]) -> Iterator[TranscriptLine]:
    for line in lines:
        if line.kind is TranscriptKind.RECEIVED and line.data:
            yield from (TranscriptLine(line.kind, bytes([byte])) for byte in line.data)
        else:
            yield line


def _joined(lines: list[TranscriptLine]) -> Iterator[TranscriptLine]:
    heard, said = b"", b""
    for line in lines:
        if line.data and line.kind is TranscriptKind.RECEIVED:
            heard += line.data
        elif line.data and line.kind is TranscriptKind.SENT:
            said += line.data
        else:
            if heard:
                yield TranscriptLine(TranscriptKind.RECEIVED, heard)
            if said:
                yield TranscriptLine(TranscriptKind.SENT, said)
            yield line
            heard, said = b"", b""


def play(lines: list[TranscriptLine]) -> list[DealerEvent | tuple[int, ...]]:
    """Play a transcript with our client; what it heard and chose."""
    client = TranscriptClient(lines)
    leaves = False
    for line in lines:
        match line.kind:
            case TranscriptKind.RECEIVED:
                client.receive(line.data)
            case TranscriptKind.SENT:
                leaves = not line.data
                client.must_say(line.data)
            case TranscriptKind.CHOSEN:
                client.choose(line.data)
                client.must_say(line.data)
            case TranscriptKind.DIRECTIVE:
                raise AssertionError("a directive is for the server")
        if leaves:
            # What it would say next was not sent any more.
            return client.log
    client.must_be_silent()
    return client.log


def _heard(log: list[DealerEvent | tuple[int, ...]]) -> list[DealerEvent]:
    # When a replay is over is known from the bytes that do not come, so it depends on the cut.
    return [entry for entry in log if not isinstance(entry, tuple | CaughtUp)]


@pytest.mark.parametrize("visit", VISITS, ids=str)
def test_client_says_what_is_written(visit: PoliteVisit) -> None:
    log = play(visit.lines)
    assert log
    for cut in (_byte_by_byte, _joined):
        assert _heard(play(list(cut(visit.lines)))) == _heard(log)

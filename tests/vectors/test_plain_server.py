"""The server says what the transcripts say, to the byte, and they say all that they are for."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import trio
from trio.testing import MockClock

from hearts.errors import Reason
from hearts.session.messages import Refusal, Tag

from .make import recorded
from .transcript import PLAIN, Case, TranscriptKind, TranscriptLine, parse, plain_cases
from .vector_house import VectorServer

CASES = plain_cases()
_LINES_JOINED = 50
"""Of what a client may send early at most 1024 bytes wait."""


def _byte_by_byte(sent: list[bytes]) -> list[bytes]:
    return [bytes([byte]) for piece in sent for byte in piece]


def _joined(sent: list[bytes]) -> list[bytes]:
    return [b"".join(sent[i : i + _LINES_JOINED]) for i in range(0, len(sent), _LINES_JOINED)]


def _stretches(lines: list[TranscriptLine], at_once: bool) -> Iterator[list[TranscriptLine]]:
    """Lines without a directive between; each line alone where they are not fed at once."""
    stretch: list[TranscriptLine] = []
    for line in lines:
        if not at_once or line.kind is TranscriptKind.DIRECTIVE or (stretch and _ends(stretch[-1])):
            yield stretch
            stretch = []
        stretch.append(line)
    yield stretch


def _ends(line: TranscriptLine) -> bool:
    return line.kind is TranscriptKind.DIRECTIVE or not line.data


@pytest.mark.parametrize(
    "cut",
    # Message by message they are recorded anew, below.
    [pytest.param(_byte_by_byte, marks=pytest.mark.heavy), _joined],
    ids=["bytes", "joined"],
)
@pytest.mark.parametrize(
    "case",
    [
        pytest.param(case, marks=pytest.mark.heavy) if number % 4 else case
        for number, case in enumerate(CASES)
    ],
    ids=str,
)
async def test_server_says_what_is_written(
    case: Case,
    cut: Callable[[list[bytes]], list[bytes]],
    nursery: trio.Nursery,
    mock_clock: MockClock,
) -> None:
    house = VectorServer(nursery, mock_clock)
    for stretch in _stretches(case.lines, cut is _joined):
        if not stretch:
            continue
        first = stretch[0]
        if first.kind is TranscriptKind.DIRECTIVE:
            await house.do(first.words)
            continue
        sent = [
            line.data
            for line in stretch
            if line.kind in (TranscriptKind.SENT, TranscriptKind.CHOSEN)
        ]
        for data in cut(sent) if all(sent) else sent:
            await house.send(data)
        expected = b"".join(line.data for line in stretch if line.kind is TranscriptKind.RECEIVED)
        said = bytes(house.wire.output[: len(expected)])
        assert said.hex(" ") == expected.hex(" ")
        del house.wire.output[: len(expected)]
        if not stretch[-1].data and stretch[-1].kind is TranscriptKind.RECEIVED:
            assert house.wire.ended
    assert not house.wire.output
    nursery.cancel_scope.cancel()


def first_ints(*kinds: TranscriptKind) -> set[int]:
    return {
        int.from_bytes(line.data[:4], "big", signed=True)
        for case in CASES
        for line in case.lines
        if line.kind in kinds and line.data
    }


def test_every_refusal_and_every_reason_occurs() -> None:
    # No transcript has an address, by which alone these are refused, nor the chance of a proof;
    # and -111 comes as a frame alone.
    by_address = {Refusal.STRANGER, Refusal.BANNED, Refusal.BAD_PROOF, Refusal.NO_CLAIM}
    by_address |= {Refusal.SEAT_ELSEWHERE}
    assert first_ints(TranscriptKind.RECEIVED) >= {*Refusal, *Reason} - by_address


def test_every_option_block_occurs() -> None:
    assert first_ints(TranscriptKind.SENT) >= {*Tag, -11}


def test_titles_name_one_case_each() -> None:
    assert len({str(case) for case in CASES}) == len(CASES)


def test_the_format_is_read_as_it_is_described() -> None:
    text = "# heading\n\n@case one two\n@set password x\n< 00 01 # a\n>> ff\n> end\n"
    (case,) = parse("file", text)
    assert case == Case("file", "one two", case.lines)
    assert [(line.kind.value, line.data, line.words) for line in case.lines] == [
        ("@", b"", ("set", "password", "x")),
        ("<", b"\x00\x01", ()),
        (">>", b"\xff", ()),
        (">", b"", ()),
    ]


@pytest.mark.parametrize("path", sorted(PLAIN.glob("*.txt")), ids=lambda path: path.stem)
def test_what_is_recorded_anew_is_what_is_written(path: Path) -> None:
    text = path.read_text("utf-8")
    assert recorded(text) == text


def test_a_case_by_hand_gets_what_the_server_says() -> None:
    case = "# new\n\n@case a bad name\n@connect raw\n{}\n> 00 00 00 00\n{}\n< end\n"
    assert recorded(case.format("<", "< # -101")) == case.format(
        "< 00 00 00 00", "< ff ff ff 9b # -101"
    )

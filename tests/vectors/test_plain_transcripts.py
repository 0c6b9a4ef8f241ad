"""The transcripts of the plain dialect show all that they are there for."""

from __future__ import annotations

from hearts.errors import Reason
from hearts.session.messages import Refusal, Tag

from .transcript import Case, TranscriptKind, parse, plain_cases

CASES = plain_cases()


def first_ints(*kinds: TranscriptKind) -> set[int]:
    return {
        int.from_bytes(line.data[:4], "big", signed=True)
        for case in CASES
        for line in case.lines
        if line.kind in kinds and line.data
    }


def test_every_refusal_and_every_reason_occurs() -> None:
    assert first_ints(TranscriptKind.RECEIVED) >= {*Refusal, *Reason}


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

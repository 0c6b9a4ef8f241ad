"""The golden transcripts as values; README.md beside this file has the format."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path

PLAIN = Path(__file__).parent / "plain"


class TranscriptKind(Enum):
    """What a line is; the value is its first word."""

    RECEIVED = "<"
    SENT = ">"
    CHOSEN = ">>"
    DIRECTIVE = "@"


END = "end"
"""In place of bytes: that side has shut down its sending."""


@dataclass(frozen=True, slots=True)
class TranscriptLine:
    """One line: bytes (empty for the end of the stream), or a directive and its words."""

    kind: TranscriptKind
    data: bytes = b""
    words: tuple[str, ...] = ()
    comment: str = ""


@dataclass(slots=True)
class Case:
    """One story of a file: a server that has just begun, and what happens there."""

    file: str
    title: str
    lines: list[TranscriptLine] = field(default_factory=list)

    def __str__(self) -> str:
        return f"{self.file}: {self.title}"

    def connections(self) -> Iterator[tuple[bool, list[TranscriptLine]]]:
        """For each connection: whether a client of good manners makes it, and its lines."""
        lines: list[TranscriptLine] = []
        for line in self.lines:
            if line.words[:1] == ("connect",):
                lines = []
                yield "raw" not in line.words, lines
            elif line.kind is not TranscriptKind.DIRECTIVE:
                lines.append(line)


def parse(file: str, text: str) -> list[Case]:
    """The cases of a file's text. Raises ValueError for a line that has no meaning."""
    cases: list[Case] = []
    for raw in text.splitlines():
        meaning, _, comment = raw.partition("#")
        words = meaning.split()
        if not words:
            continue
        first, *rest = words
        if first == "@case":
            cases.append(Case(file, " ".join(rest)))
        elif first.startswith("@"):
            cases[-1].lines.append(
                TranscriptLine(TranscriptKind.DIRECTIVE, words=(first[1:], *rest))
            )
        else:
            data = b"" if rest == [END] else bytes.fromhex("".join(rest))
            cases[-1].lines.append(
                TranscriptLine(TranscriptKind(first), data, comment=comment.strip())
            )
    return cases


def plain_cases(folder: Path = PLAIN) -> list[Case]:
    paths = sorted(folder.glob("*.txt"))
    return [case for path in paths for case in parse(path.stem, path.read_text("utf-8"))]

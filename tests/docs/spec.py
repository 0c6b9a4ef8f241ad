"""SocketSpec.md and DealerSpec.md as data: their tables and examples, by section."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

FILE = Path(__file__).parent.parent.parent / "SocketSpec.md"
DEALER_FILE = FILE.with_name("DealerSpec.md")

Row = dict[str, str]


@dataclass(frozen=True, slots=True)
class ExampleLine:
    """A line of an example: which way it goes, its bytes, and what it is."""

    sent: bool
    """Whether the client sends it."""
    data: bytes
    comment: str

    @property
    def ints(self) -> tuple[int, ...]:
        """The bytes as ints."""
        return tuple(
            int.from_bytes(self.data[i : i + 4], "big", signed=True)
            for i in range(0, len(self.data), 4)
        )


@dataclass(frozen=True, slots=True)
class Example:
    """An example: messages that follow each other on one connection."""

    section: str
    number: int
    """From 0 in each section."""
    messages: tuple[ExampleLine, ...]

    def __str__(self) -> str:
        return f"{self.section}-{self.number}"

    @property
    def sent(self) -> bytes:
        return b"".join(message.data for message in self.messages if message.sent)

    @property
    def received(self) -> bytes:
        return b"".join(message.data for message in self.messages if not message.sent)


@cache
def sections() -> dict[str, str]:
    """The text of each section and subsection of both files by its number, without its parts.

    The quick start is "Quick start", an annex is its letter.
    """
    found: dict[str, str] = {}
    head = r"^#{2,3} (?:Annex )?(\d+(?:\.\d+)?|[A-Z](?=:)|Quick start)\b.*$"
    for file in (FILE, DEALER_FILE):
        parts = re.split(head, file.read_text(encoding="utf-8"), flags=re.M)
        for number, text in zip(parts[1::2], parts[2::2], strict=True):
            assert number not in found, f"section {number} is there twice"
            found[number] = text
    return found


def tables(section: str) -> list[list[Row]]:
    """The tables of a section, as rows by column head."""
    found: list[list[Row]] = []
    for block in re.findall(r"(?:^\|.*\|\n)+", sections()[section], flags=re.M):
        head, _, *rows = ([cell.strip() for cell in line[1:-1].split("|")]
                          for line in block.splitlines())  # fmt: skip
        found.append([dict(zip(head, row, strict=True)) for row in rows])
    return found


def table(section: str) -> list[Row]:
    (rows,) = tables(section)
    return rows


def numbers(cell: str) -> list[int]:
    """The ints of a cell; ``-`` stands for none."""
    return [] if cell == "-" else [int(word) for word in cell.split()]


@cache
def examples() -> tuple[Example, ...]:
    found: list[Example] = []
    for section, text in sections().items():
        blocks = re.findall(r"^```hex\n(.*?)^```$", text, flags=re.M | re.S)
        stories = [story for block in blocks for story in _stories(block)]
        found += [Example(section, i, story) for i, story in enumerate(stories)]
    return tuple(found)


def _stories(block: str) -> list[tuple[ExampleLine, ...]]:
    stories: list[list[ExampleLine]] = [[]]
    for line in block.splitlines():
        if line.startswith("#"):
            stories.append([])
            continue
        match = re.fullmatch(r"([<>]) ((?:[0-9a-f]{2} )+)# (.+)", line)
        assert match, f"an example has the line {line!r}"
        stories[-1].append(ExampleLine(match[1] == ">", bytes.fromhex(match[2]), match[3]))
    return [tuple(story) for story in stories]


def example(section: str, number: int = 0) -> Example:
    (found,) = (each for each in examples() if (each.section, each.number) == (section, number))
    return found

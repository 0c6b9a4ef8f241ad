"""The table of settings in docs/hosting/reference.md, made from the rows of the program.

``python -m tests.docs.settings`` writes it there.
"""

from __future__ import annotations

from pathlib import Path

from hearts.settings.table import rows
from hearts_server.config import Config

PATH = Path(__file__).parents[2] / "docs" / "hosting" / "reference.md"
HEAD = "| setting | value | meaning |\n|---|---|---|\n"


def table() -> str:
    """A row for each setting of ``hearts-server``."""
    lines = (
        f"| `{name.replace('_', '-')}` | {row.metavar} | {row.words.replace('|', '/')} |\n"
        for name, row in rows(Config).items()
    )
    return HEAD + "".join(lines)


def with_table(text: str) -> str:
    """A document with the table as it should be."""
    before, _, rest = text.partition(HEAD)
    after = rest[rest.index("\n\n") + 1 :]
    return before + table() + after


if __name__ == "__main__":
    PATH.write_text(with_table(PATH.read_text("utf-8")), "utf-8")

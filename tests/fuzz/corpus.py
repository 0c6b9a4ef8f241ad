"""The corpus in the repository: small files that reach much, and one for each fault found."""

from __future__ import annotations

from pathlib import Path

from .targets import TARGETS

HERE = Path(__file__).parent
CORPUS = HERE / "corpus"


def files(name: str) -> list[Path]:
    return sorted(path for path in (CORPUS / name).glob("*") if path.is_file())


def replay(name: str) -> int:
    """Run a target with each of its files; how many there were."""
    paths = files(name)
    for path in paths:
        try:
            TARGETS[name](path.read_bytes())
        except Exception as error:
            error.add_note(f"input: {path.relative_to(HERE)}")
            raise
    return len(paths)

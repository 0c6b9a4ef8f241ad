"""The command ``hearts-server docs``: says where the documents lie on this machine."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from importlib.metadata import PackageNotFoundError, files
from importlib.resources import files as resources
from pathlib import Path

from hearts.settings.table import CommandParser, ConfigError

_FIRST = "SocketSpec.md"
_PLACES = ("*.md", "docs/**/*.md", "hearts*/**/*.md", "tests/clients/README.md", "LICENSE")

_COMPLETION = (
    ("bash", "bash-completion/completions"),
    ("zsh", "zsh/site-functions"),
    ("zsh", "zsh/vendor-completions"),  # Debian's place
    ("fish", "fish/vendor_completions.d"),
)


def main(arguments: Sequence[str]) -> int:
    """Print a line for each document, and for the folders of man pages and completion."""
    CommandParser(
        prog="hearts-server docs",
        description="Say where the documents lie on this machine, with their titles. The first "
        "heading of README says where to begin; clients in six languages lie beside theirs.",
    ).parse_args(arguments)
    for path, title in documents():
        print(f"{path}  {title}")
    return 0


def documents() -> Iterator[tuple[Path, str]]:
    """Yield the path and the title of each document. Raises ConfigError if there are none."""
    root = _root()
    for place in _PLACES:
        for path in sorted(root.glob(place)):
            head = re.search("^(?:# )?(.+)$", path.read_text(encoding="utf-8"), flags=re.M)
            yield path, "" if head is None else head[1]
    share = root / "share" if (root / "share").exists() else root.parents[1]
    yield share / "man" / "man1", "Man pages"
    for shell, folder in _COMPLETION:
        if (share / folder).exists():
            yield share / folder, f"Completion for {shell}"
    yield Path(str(resources("hearts") / "hearts-protocol.json")), "The wire of both dialects"


def _root() -> Path:
    """Return the folder of the documents: the tree, or where the package was installed."""
    tree = Path(__file__).parents[2]
    if (tree / _FIRST).exists():
        return tree
    try:
        found = [each for each in files("hearts-server") or () if each.name == _FIRST]
    except PackageNotFoundError:
        found = []
    for each in found:
        return Path(str(each.locate())).resolve().parent
    raise ConfigError("the documents are not installed; the project's page has them")

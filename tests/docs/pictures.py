"""``python -m tests.docs.pictures [FOLDER]`` makes all pictures of page and terminal in README and
docs: in their places, or all in one folder. It needs Chromium. Twice gives the same bytes.
"""

from __future__ import annotations

import sys
from pathlib import Path

import trio

from tests.page import pictures
from tests.soak.soak_server import ROOT
from tests.terminal import captures

PLACES = {
    **dict.fromkeys(pictures.NAMES, "docs/pictures"),
    **dict.fromkeys(captures.NAMES, "hearts_client/captures"),
}
"""The folder of each picture."""


def main(arguments: list[str]) -> None:
    one = Path(arguments[0]) if arguments else None
    if one is not None:
        one.mkdir(parents=True, exist_ok=True)
    trio.run(captures.take, one or ROOT / PLACES[captures.NAMES[0]])
    pictures.take(one or ROOT / PLACES[pictures.NAMES[0]])


if __name__ == "__main__":
    main(sys.argv[1:])

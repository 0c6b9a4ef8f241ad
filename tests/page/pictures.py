"""The picture of the page in README: ``python -m tests.page.pictures`` makes it."""

from __future__ import annotations

import tempfile
import time
from pathlib import Path

from tests.soak.soak_server import ROOT

from .acting import PLAY
from .page_house import PageGuest, chromium, web

PICTURE = ROOT / "docs" / "pictures" / "page.jpg"
DEAL = "1WJH-1MM5-XXDS-WW22-2PDA-F7CG-XNC3"
_IS_GOOD = """() => {
  const cards = document.querySelectorAll('.hand.asked .card').length;
  return cards > 4 && cards < 10 && document.querySelectorAll('.trick .card').length === 3;
}"""


def main() -> None:
    """Play some tricks against computers, and make the picture when Ann is the last to a trick."""
    with (
        tempfile.TemporaryDirectory() as data,
        web(Path(data) / "data", "--deal", DEAL, "--bot-pause", "0.3") as made,
        chromium() as browser,
    ):
        guest = PageGuest(browser, made, "Ann")
        guest.page.set_viewport_size({"width": 1024, "height": 640})
        guest.go()
        guest.page.get_by_role("button", name="Play now").click()
        guest.page.wait_for_selector(".hand .card")
        while not guest.page.evaluate(_IS_GOOD):
            guest.page.evaluate(PLAY)
            time.sleep(1)
        guest.page.screenshot(path=PICTURE, quality=88, type="jpeg")


if __name__ == "__main__":
    main()

"""Draw the pictures anew that the tests compare with: ``python -m tests.screen.pictures``.

To be run when a picture changes on purpose; look at it, and at the difference. The tests only read
the files.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from hearts_client.screen.pictures.canvas import Theme
from hearts_client.screen.pictures.sights import TableSight
from hearts_client.screen.pictures.table_picture import draw_table
from hearts_client.screen.settings.settings import Settings

from .sights import game_over, hand_over, on_turn, passing, watched

FOLDER = Path(__file__).parent / "pictures"


@dataclass(frozen=True, slots=True)
class Drawing:
    """A table at a moment, on a terminal."""

    name: str
    sight: Callable[[], TableSight]
    size: tuple[int, int]
    ascii: bool = False

    @property
    def path(self) -> Path:
        return FOLDER / f"{self.name}.txt"

    def drawn(self) -> str:
        lines = draw_table(self.sight(), Theme(Settings(), ascii=self.ascii), self.size).lines()
        return "\n".join(lines) + "\n"


PICTURES = (
    Drawing("turn_80x24", on_turn, (80, 24)),
    Drawing("turn_120x40", on_turn, (120, 40)),
    Drawing("turn_80x23_ascii", on_turn, (80, 23), ascii=True),
    Drawing("pass_80x24", passing, (80, 24)),
    Drawing("over_80x24", game_over, (80, 24)),
    Drawing("result_80x24", hand_over, (80, 24)),
    Drawing("result_120x40_ascii", hand_over, (120, 40), ascii=True),
    Drawing("watched_100x30", watched, (100, 30)),
)


def main() -> None:
    """Write all of them."""
    FOLDER.mkdir(exist_ok=True)
    for picture in PICTURES:
        picture.path.write_text(picture.drawn(), "utf-8")
        print(picture.path.name)


if __name__ == "__main__":
    main()

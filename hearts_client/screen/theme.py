"""How everything looks at the moment, for all pages alike."""

from __future__ import annotations

from hearts_client.words.style import Style

from .canvas import Canvas
from .settings import Settings
from .table_picture import draw_table
from .view_model import TableSight


class Theme:
    """The settings that are in force, and what follows from them."""

    def __init__(self, settings: Settings, *, ascii: bool) -> None:
        """``ascii`` is for terminals that show nothing else."""
        self.settings = settings
        self.ascii = ascii

    @property
    def style(self) -> Style:
        """For cards and lines of text."""
        return Style(ascii=self.ascii, sort=self.settings.sort)

    def draw(self, sight: TableSight, size: tuple[int, int]) -> Canvas:
        """A picture of a table, in columns and rows."""
        return draw_table(sight, self.settings, size, ascii=self.ascii)

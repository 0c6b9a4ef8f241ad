"""The picture of the table as text."""

from __future__ import annotations

from hearts.wire.widths import text_width
from hearts_client.screen.pictures.canvas import Box, Canvas, Ink, Theme
from hearts_client.screen.pictures.sights import TableSight
from hearts_client.screen.pictures.table_picture import draw_table
from hearts_client.screen.settings.settings import Settings

SMALLEST = (80, 23)
SETTINGS = Settings()


def drawn(
    sight: TableSight,
    size: tuple[int, int] = SMALLEST,
    settings: Settings = SETTINGS,
    *,
    ascii: bool = False,
) -> Canvas:
    return draw_table(sight, Theme(settings, ascii=ascii), size)


def text_of(canvas: Canvas) -> str:
    return "\n".join(canvas.lines())


def seen(sight: TableSight, size: tuple[int, int] = SMALLEST, *, ascii: bool = False) -> str:
    return text_of(drawn(sight, size, ascii=ascii))


def inks_of(canvas: Canvas, text: str) -> set[Ink]:
    return {ink for row in canvas.runs() for ink, piece in row if text in piece}


def columns_of(line: str) -> list[str]:
    """The character in each column; none behind a wide one."""
    columns: list[str] = []
    for character in line:
        columns += [character, ""][: text_width(character)]
    return columns


def cut_out(canvas: Canvas, box: Box) -> list[list[str]]:
    lines = [line.ljust(canvas.width) for line in canvas.lines()]
    return [
        columns_of(line)[box.column : box.column + box.width]
        for line in lines[box.row : box.row + box.height]
    ]

"""A screen of pyte as a picture, in SVG: for the README, from what the real client has drawn."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from xml.sax.saxutils import escape

import pyte

_COLUMN, _ROW = 8.4, 18.0
_MARGIN = 12.0
_FONT = "DejaVu Sans Mono, Menlo, Consolas, monospace"
_GROUND, _TEXT = "1c1e26", "d5d8da"
_NAMED = {
    "black": "1c1e26",
    "red": "d75f5f",
    "green": "87af5f",
    "brown": "d7af5f",
    "blue": "5f87d7",
    "magenta": "af5faf",
    "cyan": "5fafaf",
    "white": "d5d8da",
}


@dataclass(frozen=True, slots=True)
class _Run:
    """Characters of one look in a row."""

    column: int
    width: int
    text: str
    ink: str
    ground: str
    is_bold: bool


def svg_of(screen: pyte.Screen, title: str) -> str:
    """The picture; ``title`` is what it shows, for who cannot see it."""
    width = screen.columns * _COLUMN + 2 * _MARGIN
    height = screen.lines * _ROW + 2 * _MARGIN
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" '
        f'font-family="{_FONT}" font-size="14" shape-rendering="crispEdges">',
        f"<title>{escape(title)}</title>",
        f'<rect width="100%" height="100%" rx="8" fill="#{_GROUND}"/>',
    ]
    for row in range(screen.lines):
        for run in _runs(screen, row):
            lines += _drawn(run, row)
    return "\n".join([*lines, "</svg>\n"])


def _drawn(run: _Run, row: int) -> Iterator[str]:
    x, y = _MARGIN + run.column * _COLUMN, _MARGIN + row * _ROW
    length = run.width * _COLUMN
    if run.ground != _GROUND:
        box = f'x="{x:g}" y="{y:g}" width="{length:g}" height="{_ROW:g}"'
        yield f'<rect {box} fill="#{run.ground}"/>'
    if not run.text.strip():
        return
    bold = ' font-weight="bold"' if run.is_bold else ""
    # The length is given, so that columns stand below each other whatever font there is.
    yield (
        f'<text x="{x:g}" y="{y + 13.5:g}" fill="#{run.ink}"{bold} textLength="{length:g}" '
        f'lengthAdjust="spacingAndGlyphs" xml:space="preserve">{escape(run.text)}</text>'
    )


def _runs(screen: pyte.Screen, row: int) -> Iterator[_Run]:
    run: _Run | None = None
    for column in range(screen.columns):
        cell = screen.buffer[row][column]
        ink, ground = _color(cell.fg, _TEXT), _color(cell.bg, _GROUND)
        if cell.reverse:
            ink, ground = ground, ink
        if run is not None and (run.ink, run.ground, run.is_bold) == (ink, ground, cell.bold):
            run = _Run(run.column, run.width + 1, run.text + cell.data, ink, ground, cell.bold)
            continue
        if run is not None:
            yield run
        run = _Run(column, 1, cell.data, ink, ground, cell.bold)
    if run is not None:
        yield run


def _color(name: str, default: str) -> str:
    if name == "default":
        return default
    return _NAMED.get(name.removeprefix("bright"), name if len(name) == 6 else default)

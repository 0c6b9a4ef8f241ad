"""The scores of one game, hand by hand, as they are shown."""

from __future__ import annotations

from collections.abc import Sequence

from hearts.session.picture import Scoreboard, ScoreRow

from .style import table


def row_title(row: ScoreRow) -> str:
    """Which hands a row is about."""
    if not row.first:
        return "so far"
    return f"hand {row.first}" if row.first == row.last else f"hands {row.first}-{row.last}"


def score_lines(board: Scoreboard, head: Sequence[str], rows: Sequence[ScoreRow]) -> list[str]:
    """Some rows of the board and the totals; ``head`` is what the four players are called."""
    if not rows:
        return ["No hand is scored yet."]
    shown = [(row_title(row), row.points) for row in rows]
    return table(head, [*shown, ("total", board.totals)])

"""The scores of the game, hand by hand, on a page."""

from __future__ import annotations

from collections.abc import Sequence

from hearts.session.scoreboard import Scoreboard
from hearts_client.screen.pictures.canvas import Ink
from hearts_client.words.scoreboard import score_lines

from .text_page import TextPage

_WINNER = "* "


def board_page(board: Scoreboard, names: Sequence[str], *, ascii: bool = False) -> TextPage:
    """A page with the scores; ``names`` is how players 0-3 are shown."""
    return TextPage("Scores", board_lines(board, names), ascii=ascii)


def board_lines(board: Scoreboard, names: Sequence[str]) -> list[tuple[str, Ink]]:
    """What each hand added, and the totals; who has won is marked."""
    if not board.rows:
        return [(line, Ink.TEXT) for line in score_lines(board, names, board.rows)]
    head = [
        _WINNER + name if player in board.winners else name for player, name in enumerate(names)
    ]
    title, *hands, total = score_lines(board, head, board.rows)
    lines = [(title, Ink.TITLE)]
    lines += [(hand, Ink.TEXT) for hand in hands]
    lines.append((total, Ink.STRONG))
    if board.winners:
        lines += [("", Ink.TEXT), (f"{_WINNER}has won the game", Ink.NOTICE)]
    return lines

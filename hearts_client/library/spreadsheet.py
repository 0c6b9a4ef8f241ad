"""Cells of CSV files that a spreadsheet shows and does not run."""

from __future__ import annotations

_BEGINNINGS = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")
"""Of what a spreadsheet takes for a formula."""


def text_cell(text: str) -> str:
    """A text for a cell, with an apostrophe in front if it begins like a formula."""
    return f"'{text}" if text.startswith(_BEGINNINGS) else text

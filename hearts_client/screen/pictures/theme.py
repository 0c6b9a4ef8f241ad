"""The look of everything at the moment, for all pages alike."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from hearts_client.screen.settings.settings import Settings
from hearts_client.words.style import Style

from .canvas import Canvas
from .card_art import OwnCards
from .sights import TableSight
from .table_picture import draw_table

NO_OWN_CARDS: Mapping[str, OwnCards] = MappingProxyType({})


class Theme:
    """The settings that are in force, and what follows from them."""

    def __init__(
        self, settings: Settings, *, ascii: bool, own_cards: Mapping[str, OwnCards] = NO_OWN_CARDS
    ) -> None:
        """``ascii`` is for terminals that show nothing else. ``own_cards`` are those that the
        person can choose beside ours.
        """
        self.settings = settings
        self.ascii = ascii
        self.own_cards = own_cards

    @property
    def style(self) -> Style:
        """For cards and lines of text."""
        return Style(ascii=self.ascii, sort=self.settings.sort)

    def draw(self, sight: TableSight, size: tuple[int, int]) -> Canvas:
        """A picture of a table, in columns and rows."""
        own = self.own_cards.get(self.settings.own_cards)
        return draw_table(sight, self.settings, size, ascii=self.ascii, own=own)

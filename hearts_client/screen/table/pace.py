"""The pace of a table on the screen: what is over stays for a while, and what follows waits."""

from __future__ import annotations

from math import inf

from hearts.dealer.client_events import DealerEvent
from hearts.game.events import CardPlayed, TrickBegun, TrickTaken
from hearts.session.messages import Scores
from hearts_client.screen.pictures.theme import Theme

from .shown_table import ShownTable
from .ticker import Notice

_HAND_STAYS = 8.0
"""Seconds for which the scores of a hand stay, unless somebody goes on."""


class TablePace:
    """The pace at which a table is shown."""

    def __init__(self, table: ShownTable, theme: Theme, *, alone: bool = False) -> None:
        """``alone`` says that nobody else waits, so that the person has the pace in his hand."""
        self._table = table
        self._theme = theme
        self._alone = alone
        self.is_auto = False
        """Whether a computer plays the person's hand out."""

    @property
    def hurries(self) -> bool:
        """Whether the hand is played out, so that nobody needs to see each trick."""
        is_claimed = self._table.picture.hand.claimed is not None
        return (self.is_auto or is_claimed) and not self._theme.settings.finishes_slowly

    @property
    def trick_stays(self) -> float:
        """Seconds for which a trick that is over stays."""
        if self.hurries:
            return 0.0
        stays = self._theme.settings.trick_stays
        return inf if stays is None else stays

    @property
    def _pause(self) -> float:
        """Seconds before the choice of a computer, where its server makes no pause."""
        return self._theme.settings.bot_pause if self._alone and not self.hurries else 0.0

    def stays(self, item: DealerEvent | Notice) -> float:
        """Seconds for which something stays on the screen."""
        if self._table.picture.is_past:
            return 0.0
        match item:
            case TrickTaken():
                return self.trick_stays
            case CardPlayed() | TrickBegun():
                is_next = self._table.picture.turn not in (None, self._table.roster.me)
                return self._pause if is_next else 0.0
            case Scores(winners=()):
                return inf if self._alone else _HAND_STAYS
            case _:
                return 0.0

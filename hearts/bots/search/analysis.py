"""A game judged by a search: the cost of each card that was played, against the best card."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import count
from typing import Protocol

from msgspec import Struct

from hearts.game.cards import Card
from hearts.game.events import Action, ChosenBy, Play
from hearts.game.game import Game
from hearts.game.view import View, view_of

from .outlook import Outlook


class Judged(Protocol):
    """A game, or one hand of it, that can be judged: a record, or what a link has."""

    @property
    def actions(self) -> Sequence[Action]: ...

    def new_game(self) -> Game: ...


class JudgedPlay(Struct, frozen=True):
    """One choice of a card among several, with what the search expected of each."""

    hand: int
    """The number of the hand in its game, from 1."""
    trick: int
    """The number of the trick, from 1."""
    player: int
    by: ChosenBy
    card: Card
    outlook: Outlook
    number: int
    """That of the play among all plays of the record, from 0."""

    @property
    def loss(self) -> float:
        """The points that the card cost more than the best one; 0 for the best."""
        return self.outlook.of(self.card).loss

    @property
    def error(self) -> float:
        """The standard error of :attr:`loss`."""
        return self.outlook.of(self.card).error

    @property
    def is_clear(self) -> bool:
        """Tell whether the loss is more than what chance in the search makes, by two errors."""
        return self.loss > 2 * self.error


def judged_plays(record: Judged, look: Callable[[View], Outlook]) -> Iterator[JudgedPlay]:
    """Every choice of a card of a game, in order; each from what its player could see.

    ``look`` is :meth:`hearts.bots.search.search.SearchBot.outlook`, say.
    """
    game = record.new_game()
    plays = count()
    for action in record.actions:
        if isinstance(action, Play):
            view, number = view_of(game, action.player), next(plays)
            if len(view.legal_cards) > 1:
                trick = len(view.history) // 4 + 1
                yield JudgedPlay(
                    game.hand_number + 1,
                    trick,
                    action.player,
                    action.by,
                    action.card,
                    look(view),
                    number,
                )
        game.apply(action)

"""The views of the players in a hand that is over, to ask what would have been better."""

from __future__ import annotations

from hearts.game.cards import Card
from hearts.game.events import Action, Deal
from hearts.game.game import Game
from hearts.game.view import View, view_of

from .replay import HandReplay


def choice_at(replay: HandReplay, position: int) -> tuple[View, Card] | None:
    """The card that was played last at a position, and what its player saw when he chose it.

    None if no card was, or if he could play no other. Where the scores before the hand are not
    known, all are 0.
    """
    count = position - replay.before_play
    if count < 1:
        return None
    game = Game(replay.rules, replay.end_score, replay.before or (0, 0, 0, 0), replay.number - 1)
    actions: list[Action] = [Deal(replay.dealt), *replay.passes, *replay.plays[: count - 1]]
    for action in actions:
        game.apply(action)
    play = replay.plays[count - 1]
    view = view_of(game, play.player)
    return (view, play.card) if len(view.legal_cards) > 1 else None

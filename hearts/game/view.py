"""What one seat may know: the only road from a game to a socket or a bot."""

from __future__ import annotations

from msgspec import Struct

from .cards import FULL_DECK, Card, by_wire, mask_of
from .events import (
    CardsReceived,
    Event,
    HandBegun,
    HandDealt,
    OpenEvent,
    PassesExchanged,
    PassMade,
    SeenEvent,
    YourHand,
)
from .game import Game
from .rules import Direction, Rules
from .scoring import Four, tallies


class View(Struct, frozen=True, gc=False):
    """A game as one player sees it at one moment: everything he may use to choose, and no more.

    Sets of cards are masks of card indexes; the properties give them as cards. The hidden hands of
    the others do not occur in it.
    """

    player: int
    """Whose view this is, 0-3."""
    rules: Rules
    end_score: int
    scores: Four
    """The scores before this hand."""
    hand_number: int
    """From 0 in each game."""
    direction: Direction
    """Where this hand's pass goes."""
    hand: int
    """What the player holds, as a mask."""
    legal: int
    """The cards that he may play now, as a mask; 0 while it is not his turn."""
    passed: tuple[Card, ...]
    """The three cards that he passed, in his order; empty before that and in a hold hand."""
    received: tuple[Card, ...]
    """The three cards that he received; empty before that and in a hold hand."""
    first_leader: int
    """Who led the first trick."""
    history: tuple[Card, ...]
    """Every card played in this hand, in order, from the first lead on."""
    leader: int
    """Who leads, or led, the trick under way."""
    trick: tuple[Card, ...]
    """The cards of the trick under way, from the leader on."""
    taken: Four
    """The cards in the tricks that each player took, as masks."""
    broken: bool
    """Whether hearts are broken."""

    @property
    def cards(self) -> tuple[Card, ...]:
        """The hand, ascending by wire number."""
        return by_wire(self.hand)

    @property
    def legal_cards(self) -> tuple[Card, ...]:
        """The cards that may be played now, ascending by wire number."""
        return by_wire(self.legal)

    @property
    def unseen(self) -> int:
        """The cards that the others hold, as a mask: those that he has not seen."""
        a, b, c, d = self.taken
        return FULL_DECK & ~(self.hand | a | b | c | d | mask_of(self.trick))

    @property
    def points(self) -> Four:
        """The points that each player has taken so far in this hand."""
        return tallies(self.taken, self.rules)


def view_of(game: Game, player: int) -> View:
    """The view of one player (0-3) of a game in which a hand was dealt."""
    play = game.play
    return View(
        player,
        game.rules,
        game.end_score,
        game.scores,
        game.hand_number,
        game.direction,
        game.hand(player),
        play.legal() if play is not None and play.turn == player and not play.over else 0,
        game.passes[player] or (),
        game.received[player],
        game.first_leader,
        tuple(game.history),
        play.leader if play is not None else game.first_leader,
        tuple(game.history[len(game.history) - len(play.trick) :]) if play is not None else (),
        (play.taken[0], play.taken[1], play.taken[2], play.taken[3])
        if play is not None
        else (0, 0, 0, 0),
        play.broken if play is not None else False,
    )


def shown(event: Event) -> HandBegun | OpenEvent | None:
    """The part of an event that everybody may see; None if that is nothing."""
    match event:
        case HandDealt(number, direction, _):
            return HandBegun(number, direction)
        case PassMade() | PassesExchanged():
            return None
        case _:
            open_event: OpenEvent = event
            return open_event


def seen_by(event: Event, player: int) -> SeenEvent | None:
    """The part of an event that one player may see; None if that is nothing."""
    match event:
        case HandDealt(number, direction, hands):
            return YourHand(number, direction, by_wire(hands[player]))
        case PassMade():
            return event if event.player == player else None
        case PassesExchanged(received):
            return CardsReceived(received[player])
        case _:
            open_event: OpenEvent = event
            return open_event

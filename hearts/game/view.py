"""The view of one seat: all of a game that gets to a socket or a bot, and proofs from it."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct

from hearts.wire.text import quoted

from .cards import FULL_DECK, Card, Suit, by_wire, mask_of
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

LEAST_CARDS = 2
"""Cards in hand, at least, to claim the rest; with fewer there is nothing to choose."""


class View(Struct, frozen=True, gc=False):
    """A game as one player sees it at one moment: everything they may use to choose, and no more.

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
    """The direction of this hand's pass."""
    hand: int
    """The player's cards, as a mask."""
    legal: int
    """The cards that the player may play now, as a mask; 0 while it is not their turn."""
    passed: tuple[Card, ...]
    """The three cards passed, in the player's order; empty before that and in a hold hand."""
    received: tuple[Card, ...]
    """The three cards that the player received; empty before that and in a hold hand."""
    first_leader: int
    """The leader of the first trick."""
    history: tuple[Card, ...]
    """Every card played in this hand, in order, from the first lead on."""
    leader: int
    """The leader of the trick under way."""
    trick: tuple[Card, ...]
    """The cards of the trick under way, from the leader on."""
    taken: Four
    """The cards in the tricks that each player took, as masks."""
    broken: bool

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
        """The cards that the others hold, as a mask: those that the player has not seen."""
        a, b, c, d = self.taken
        return FULL_DECK & ~(self.hand | a | b | c | d | mask_of(self.trick))

    @property
    def points(self) -> Four:
        """The points that each player has taken so far in this hand."""
        return tallies(self.taken, self.rules)


def view_of(game: Game, player: int) -> View:
    """Return the view of one player (0-3) of a game in which a hand was dealt."""
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


def seen_by(event: Event, player: int | None) -> SeenEvent | None:
    """Give what a player may see of an event, or a watcher for None; None if that is nothing."""
    match event:
        case HandDealt(number, direction, hands):
            if player is None:
                return HandBegun(number, direction)
            return YourHand(number, direction, by_wire(hands[player]))
        case PassMade():
            return event if event.player == player else None
        case PassesExchanged(received):
            return None if player is None else CardsReceived(received[player])
        case _:
            open_event: OpenEvent = event
            return open_event


# Claiming the rest of a hand


def proves_rest(view: View) -> bool:
    """Tell whether a player who is about to lead is certain to take all tricks that are left.

    They play their cards of each suit from the highest down. False if it is not their lead, before
    the first card of the hand, and for the last trick. The proof uses only the player's own
    view. So it holds for all cards that the others may hold and play, and the answer tells nobody
    anything that the player does not know.

    The proof is right because under all rules a player must follow suit. To each lead of a suit
    every player who has cards of it plays one. So if n cards of a suit are hidden, nobody has any
    left after n leads of it, and only the first n leads need to be higher than all of them. The
    proof ignores voids that players have shown, and cards that were passed: one player may still
    have all the hidden cards.
    """
    if not view.legal or view.trick or not view.history:
        return False
    if view.hand.bit_count() < LEAST_CARDS:
        return False
    return all(_all_win(view.hand & suit.mask, view.unseen & suit.mask) for suit in Suit)


def _all_win(own: int, hidden: int) -> bool:
    """Tell whether the cards of one suit win, led from the highest on."""
    for _ in range(hidden.bit_count()):
        if not own:
            return True
        if own < hidden:
            return False  # The highest card of both is hidden.
        own ^= 1 << own.bit_length() - 1
    return True


def claim_in_words(name: str, cards: Iterable[Card]) -> str:
    """Word the claim for the chat; ``cards`` are all that the claimer holds."""
    return f"{quoted(name)} claims the rest: {' '.join(map(str, cards))}"


def card_of_rest(legal: int, *, is_claimed: bool) -> int:
    """Return the index of the card to play after a claim; ``legal`` are the cards that may be
    played.

    ``is_claimed`` is True for a lead of the player who has claimed. The others take no trick any
    more, whatever they play.
    """
    return (legal if is_claimed else legal & -legal).bit_length() - 1

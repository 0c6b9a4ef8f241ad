"""A rest of a hand that a player has claimed: it is played out at once (DealerSpec.md 14.8).

The claim itself is not stored: the cards that follow from it are, as choices of a computer. A table
that is taken up again in the middle of them goes on as if nobody had claimed anything.
"""

from __future__ import annotations

from hearts.errors import Fault
from hearts.game.cards import CARDS, by_wire
from hearts.game.claim import card_of_rest, claim_in_words, proves_rest
from hearts.game.events import ChosenBy, Play
from hearts.game.kernel import HandPlay
from hearts.game.view import view_of

from .effects import Decline
from .events import RestClaimed
from .games import Games
from .inputs import ClaimRest, Question
from .outbox import Outbox
from .seat import Request
from .seats import Seats


class ClaimedRest:
    """Whose the tricks are that are left of the hand, if somebody has claimed them."""

    __slots__ = ("_claimer", "_games", "_hand", "_outbox", "_seats", "_untold")

    def __init__(self, seats: Seats, games: Games, outbox: Outbox) -> None:
        self._seats = seats
        self._games = games
        self._outbox = outbox
        self._claimer = -1
        self._hand: HandPlay | None = None
        """The hand that was claimed last."""
        self._untold: RestClaimed | None = None
        """A claim of which the first card is not durable yet."""

    def is_of(self, hand: HandPlay | None) -> bool:
        """Whether the rest of a hand is claimed."""
        return hand is not None and hand is self._hand

    def claim(self, wish: ClaimRest) -> None:
        """Play the rest out if the player's own view proves that it is his."""
        player = wish.player
        game, seat = self._games.game, self._seats[player]
        request, hand = seat.request, game.play
        is_asked = request is not None and request.question is Question.CARD
        if request is None or not is_asked or request.pending or hand is None or hand.trick:
            self._outbox.effects.append(Decline(player, wish, Fault.NOT_NOW))
            return
        if not proves_rest(view_of(game, player)):
            self._outbox.effects.append(Decline(player, wish, Fault.NOT_PROVEN))
            return
        seat.self_made = True
        if seat.is_played_for:
            self._seats.end_stand_in(player)
        self._claimer, self._hand = player, hand
        self._untold = RestClaimed(player, by_wire(hand.hands[player]))
        self.choose(player, request)

    def choose(self, player: int, request: Request) -> None:
        """Choose the card of a player who is on turn."""
        hand = self._hand
        assert hand is not None
        card = card_of_rest(hand.legal(), is_claimed=player == self._claimer)
        request.pending = True
        self._outbox.propose(Play(player, CARDS[card], ChosenBy.COMPUTER))

    def tell(self) -> None:
        """Tell everybody of a claim, now that its first card is durable."""
        claimed, self._untold = self._untold, None
        if claimed is not None:
            self._outbox.tell_all(claimed)
            name = self._seats[claimed.player].name
            self._outbox.announce(claim_in_words(name, claimed.cards))

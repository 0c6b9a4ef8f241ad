"""Keeps the view of a client's seat, out of what comes over the wire.

A bot gets the same :class:`~hearts.game.view.View` here as at a table of the server, so the same
class plays in both places.
"""

from __future__ import annotations

from hearts.errors import LocalProtocolError, RemoteProtocolError
from hearts.game.cards import TWO_OF_CLUBS, Card, mask_of
from hearts.game.events import (
    CardPlayed,
    CardsReceived,
    PassMade,
    TrickBegun,
    TrickTaken,
    YourHand,
)
from hearts.game.kernel import HandPlay
from hearts.game.rules import DEFAULT_END_SCORE, STANDARD, Direction, Rules
from hearts.game.scoring import Four
from hearts.game.view import View
from hearts.table.inputs import Question

from .client_events import CameBack, ChoiceTerms, ScoresSoFar, Seated
from .messages import Scores, TableInfo
from .progress import Progress


class Tracker:
    """What one client knows of the game under way; give it each event of the session, in order."""

    def __init__(self) -> None:
        self.player = -1
        """Our seat; -1 before :class:`Seated`."""
        self.rules: Rules = STANDARD
        self._end_score = DEFAULT_END_SCORE
        self.play: HandPlay | None = None
        """The tricks of the hand, with what the others played taken out of empty hands."""
        self._scores: Four = (0, 0, 0, 0)
        self._hand_number = -1
        self._direction = Direction.HOLD
        self._hand = 0
        self._passed: tuple[Card, ...] = ()
        self._received: tuple[Card, ...] = ()
        self._first_leader = 0
        self._history: list[Card] = []
        self._left_off: Progress | None = None
        self._has_begun = False
        self._missed_hands: int | None = None
        """Hands of this game before our first one, modulo 4, where the lead goes round; None as
        long as we do not know, for we may have taken a seat in the middle of a game."""

    @property
    def dealt(self) -> bool:
        """Whether a hand was dealt, so that there is a view."""
        return self._hand_number >= 0

    @property
    def turn(self) -> int | None:
        """Whose turn it is; None while no trick is under way."""
        play = self.play
        return None if play is None or play.over else play.turn

    def check(self, card: Card) -> None:
        """Raise IllegalAction, with the reason, if we may not play a card now.

        Raises LocalProtocolError where it is not our turn.
        """
        if self.play is None or self.turn != self.player:
            raise LocalProtocolError("it is not our turn")
        self.play.check(card)

    def view(self) -> View:
        """The game as our seat sees it now. Raises LocalProtocolError before the first hand."""
        if not self.dealt:
            raise LocalProtocolError("there is nothing to see before the first hand")
        play = self.play
        trick = len(play.trick) if play is not None else 0
        return View(
            self.player,
            self.rules,
            self._end_score,
            self._scores,
            self._hand_number,
            self._direction,
            play.hands[self.player] if play is not None else self._hand,
            play.legal() if play is not None and self.turn == self.player else 0,
            self._passed,
            self._received,
            self._first_leader,
            tuple(self._history),
            play.leader if play is not None else self._first_leader,
            tuple(self._history[len(self._history) - trick :]),
            (play.taken[0], play.taken[1], play.taken[2], play.taken[3])
            if play is not None
            else (0, 0, 0, 0),
            play.broken if play is not None else False,
        )

    def update(self, event: object) -> None:
        """Take an event in; those that change nothing in the view are let by.

        Raises RemoteProtocolError where the server's game breaks the rules that it announced.
        """
        match event:
            case Seated():
                self.player = event.player
            case CameBack(_, progress):
                self._left_off = progress
            case TableInfo():
                self._begin_game(event)
            case YourHand(number, direction, cards):
                self._begin_hand(number, direction, cards)
            case PassMade(_, cards):
                self._passed = cards
                self._hand &= ~mask_of(cards)
            case CardsReceived(cards):
                self._received = cards
                self._hand |= mask_of(cards)
            case TrickBegun(leader):
                self._begin_trick(leader)
            case CardPlayed(_, card):
                assert self.play is not None
                self._history.append(card)
                self.play.play(card)
            case TrickTaken(winner):
                assert self.play is not None
                if winner != self.play.leader:
                    raise RemoteProtocolError(
                        f"player {self.play.leader} takes the trick, and not player {winner}"
                    )
            case ChoiceTerms(Question.CARD, _, legal):
                if self.play is None or self.play.legal() != mask_of(legal):
                    raise RemoteProtocolError("the cards that are said to be legal are not those")
            case Scores(scores) | ScoresSoFar(scores):
                self._scores = scores
            case _:
                pass

    def _begin_game(self, info: TableInfo) -> None:
        # Who comes back hears the Table in the middle of a game.
        left_off, self._left_off = self._left_off, None
        if left_off is None and self._has_begun:
            self._missed_hands = 0
        self._has_begun = True
        self.rules = info.rules
        self._end_score = info.end_score
        self._scores = left_off.scores if left_off is not None else (0, 0, 0, 0)
        self._first_leader = 0
        self._hand_number = -1
        self.play = None

    def _begin_hand(self, number: int, direction: Direction, cards: tuple[Card, ...]) -> None:
        self._hand_number = number
        self._direction = direction
        self._hand = mask_of(cards)
        self._passed = self._received = ()
        self._history = []
        self.play = None

    def _begin_trick(self, leader: int) -> None:
        if self.play is not None:
            return
        if self.rules.rotating_lead:
            missed = (leader - self._hand_number) % 4
            if self._missed_hands is None:
                self._missed_hands = missed
            right = missed == self._missed_hands
        else:
            right = (leader == self.player) == bool(self._hand >> TWO_OF_CLUBS & 1)
        if not right:
            raise RemoteProtocolError(f"player {leader} cannot lead the first trick")
        self._first_leader = leader
        hands = [0, 0, 0, 0]
        hands[self.player] = self._hand
        self.play = HandPlay(hands, self.rules, leader)

"""The state of one game: the actions that are allowed, and their effects."""

from __future__ import annotations

from enum import Enum
from typing import assert_never

from hearts.errors import IllegalAction, LocalProtocolError, Reason

from .cards import FULL_DECK, Card, by_wire, mask_of
from .cuts import ShownCuts
from .deal import NO_CUTS, Hands
from .events import (
    AbortHand,
    Action,
    CardPlayed,
    ChooseMoon,
    Deal,
    Event,
    HandDealt,
    HandScored,
    MoonChosen,
    Pass,
    PassesExchanged,
    PassMade,
    Play,
    TrickBegun,
    TricksDone,
    TrickTaken,
)
from .kernel import HandPlay, first_leader
from .rules import DEFAULT_END_SCORE, STANDARD, Direction, Moon, Rules
from .scoring import Four, add_points, hand_points, moon_shooter, tallies

PASS_SIZE = 3


class Phase(Enum):
    """The phases of a game, by what it waits for."""

    __hash__ = object.__hash__  # Enum's own is a call of Python, for each card that is played.

    DEAL = "deal"
    PASS = "pass"
    PLAY = "play"
    MOON = "moon"
    OVER = "over"


class Game:
    """One game of Hearts, from the first deal to its winners.

    :meth:`check` is the border: it says whether an action may be done. :meth:`apply` trusts that
    it was asked.
    """

    def __init__(
        self,
        rules: Rules = STANDARD,
        end_score: int = DEFAULT_END_SCORE,
        scores: Four = (0, 0, 0, 0),
        hands: int = 0,
    ) -> None:
        """A game before its first deal, or one that goes on with ``scores`` after some hands."""
        self.rules = rules
        self.end_score = end_score
        self.phase = Phase.DEAL
        self.scores = scores
        self.points: Four = (0, 0, 0, 0)
        """The points that the latest scored hand added."""
        self.winners: tuple[int, ...] = ()
        self.hand_number = hands - 1
        """The number of the hand under way, from 0; -1 before the first deal."""
        self.first_leader = 0
        self._clear_hand()

    def _clear_hand(self) -> None:
        self.direction = Direction.HOLD
        self.secret: bytes | None = None
        self.cuts = NO_CUTS
        self.shown: ShownCuts | None = None
        self.dealt: Hands = (0, 0, 0, 0)
        """The hands as they were dealt."""
        self.passes: list[tuple[Card, ...] | None] = [None] * 4
        self.received: tuple[tuple[Card, ...], ...] = ((), (), (), ())
        self.play: HandPlay | None = None
        """The tricks of the hand; None until its first lead is due."""
        self.history: list[Card] = []
        """The cards played in this hand, in order."""
        self.shooter: int | None = None

    def waiting_for(self) -> tuple[int, ...]:
        """Return the players who have to choose something now."""
        if self.play is not None and self.phase is Phase.PLAY:
            return (self.play.turn,)
        match self.phase:
            case Phase.PASS:
                return tuple(player for player in range(4) if self.passes[player] is None)
            case Phase.MOON:
                assert self.shooter is not None
                return (self.shooter,)
            case _:
                return ()

    def hand(self, player: int) -> int:
        """Give the cards that a player holds now, as a mask, without those that they passed."""
        if self.play is not None:
            return self.play.hands[player]
        passed = self.passes[player]
        return self.dealt[player] & ~mask_of(passed or ())

    @property
    def progress(self) -> tuple[int, int]:
        """The hand of the game and the trick of the hand, from 1; 0 before the first."""
        if self.play is None:
            return self.hand_number + 1, 0
        # Who has not played to the trick holds a card more than the others.
        held = max(hand.bit_count() for hand in self.play.hands)
        return self.hand_number + 1, 14 - max(held, 1)

    def check(self, action: Action) -> None:
        """Say whether an action may be done now.

        Raises IllegalAction for a choice that the rules refuse, and LocalProtocolError for an
        action that nobody was asked for.
        """
        match action:
            case Play(player, card):
                play = self.play
                if play is None or self.phase is not Phase.PLAY or play.turn != player:
                    raise LocalProtocolError(f"player {player} is not on turn")
                play.check(card)
            case Deal(hands):
                self._expect(self.phase is Phase.DEAL, action)
                if any(hand.bit_count() != 13 for hand in hands) or sum(hands) != FULL_DECK:
                    raise LocalProtocolError("a deal gives 13 of the 52 cards to each player")
            case Pass(player, cards):
                self._expect(self.phase is Phase.PASS and self.passes[player] is None, action)
                mask = mask_of(cards)
                if len(cards) != PASS_SIZE or mask.bit_count() != PASS_SIZE:
                    raise IllegalAction(Reason.NOT_HELD)
                if mask & ~self.dealt[player]:
                    raise IllegalAction(Reason.NOT_HELD)
            case ChooseMoon(player, _):
                self._expect(self.phase is Phase.MOON and player == self.shooter, action)
            case AbortHand():
                self._expect(self.phase in (Phase.PASS, Phase.PLAY, Phase.MOON), action)
            case _:
                assert_never(action)

    def _expect(self, asked: bool, action: Action) -> None:
        if not asked:
            kind = type(action).__name__
            raise LocalProtocolError(f"nobody was asked for a {kind} in phase {self.phase.value}")

    def apply(self, action: Action) -> list[Event]:
        """Do an action that :meth:`check` allows; return its events, in order."""
        if type(action) is Play:
            return self._apply_play(action)
        match action:
            case Pass():
                return self._apply_pass(action)
            case Deal():
                return self._apply_deal(action)
            case ChooseMoon(player, on_others, by):
                return [MoonChosen(player, on_others, by), self._score(on_others)]
            case AbortHand():
                self._clear_hand()
                self.hand_number -= 1
                self.phase = Phase.DEAL
                return []
            case _:
                assert_never(action)

    def retrace(self, choice: Play) -> bool:
        """Do a play again without its events; False for a hand's last, and an illegal one."""
        play, card = self.play, choice.card
        if play is None or play.turn != choice.player or not play.legal() >> card & 1:
            return False
        if play.played == 51:
            return False
        play.play(card)
        self.history.append(choice.card)
        return True

    def _apply_deal(self, deal: Deal) -> list[Event]:
        self._clear_hand()
        self.hand_number += 1
        self.direction = self.rules.direction(self.hand_number)
        self.dealt = deal.hands
        self.secret = deal.secret
        self.cuts = deal.cuts
        self.shown = deal.shown
        dealt = HandDealt(self.hand_number, self.direction, deal.hands)
        if self.direction is Direction.HOLD:
            return [dealt, self._begin_play(list(deal.hands))]
        self.phase = Phase.PASS
        return [dealt]

    def _apply_pass(self, choice: Pass) -> list[Event]:
        self.passes[choice.player] = choice.cards
        made = PassMade(choice.player, choice.cards, choice.by)
        if None in self.passes:
            return [made]
        hands = [self.hand(player) for player in range(4)]
        received: list[tuple[Card, ...]] = [()] * 4
        for player, cards in enumerate(self.passes):
            target = self.direction.target(player)
            mask = mask_of(cards or ())
            hands[target] |= mask
            received[target] = by_wire(mask)
        self.received = tuple(received)
        return [made, PassesExchanged(self.received), self._begin_play(hands)]

    def _begin_play(self, hands: list[int]) -> TrickBegun:
        self.first_leader = first_leader(hands, self.rules, self.hand_number)
        self.play = HandPlay(hands, self.rules, self.first_leader)
        self.phase = Phase.PLAY
        return TrickBegun(self.first_leader)

    def _apply_play(self, choice: Play) -> list[Event]:
        play = self.play
        assert play is not None
        play.play(choice.card)
        self.history.append(choice.card)
        events: list[Event] = [CardPlayed(choice.player, choice.card, choice.by)]
        if play.trick:
            return events
        events.append(TrickTaken(play.leader, tallies(play.taken, self.rules)))
        if not play.over:
            events.append(TrickBegun(play.leader))
            return events
        self.shooter = moon_shooter(play.taken)
        if self.shooter is not None and self.rules.moon is Moon.CHOICE:
            self.phase = Phase.MOON
            events.append(TricksDone(self.shooter, True))
        else:
            events.append(TricksDone(self.shooter, False))
            events.append(self._score(self.rules.moon is Moon.OTHERS))
        return events

    def _score(self, moon_on_others: bool) -> HandScored:
        assert self.play is not None
        points = hand_points(self.play.taken, self.rules, moon_on_others)
        outcome = add_points(self.scores, points, self.rules, self.end_score)
        self.points = points
        self.scores = outcome.scores
        self.winners = outcome.winners
        self.phase = Phase.OVER if outcome.over else Phase.DEAL
        return HandScored(points, outcome.scores, outcome.winners)

"""Where a session stands before a hand: all that the next hand depends on, in a few numbers."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from hearts.game.cards import JACK_OF_DIAMONDS, QUEEN_OF_SPADES
from hearts.game.events import AbortHand, ChooseMoon
from hearts.game.game import Game
from hearts.game.rules import Direction, Rules, rules_from_bits
from hearts.game.scoring import Four

from .events import SessionTotals
from .inputs import AnswerAgain, Setting
from .steps import AbandonGame, AskAgain, NewRules, Step

_NONE: Four = (0, 0, 0, 0)
_QUEEN = 1 << QUEEN_OF_SPADES
_JACK = 1 << JACK_OF_DIAMONDS


class SessionStanding(Struct, frozen=True, gc=False, array_like=True):
    """A session before a hand, or between two steps that come before its deal."""

    rule_bits: int
    """The rules of the game under way, as :attr:`Rules.bits`."""
    end_score: int
    hands: int
    """The hands that were played in this game."""
    scores: Four = _NONE
    queens: Four = _NONE
    jacks: Four = _NONE
    games: Four = _NONE
    """These four are as in :class:`SessionTotals`."""
    choices: Four = _NONE
    """The choices that each player has made in this session."""
    decider: int | None = None
    """Who has been asked about another game and has not answered."""
    agreed: tuple[int, int] | None = None
    """Bits and end of the rules that the next game is to have."""
    aborted: int = 0
    """The hands of the session that were broken off."""

    @classmethod
    def at_begin(cls, setting: Setting, first_hand: int) -> SessionStanding:
        """Before the first hand of a session, which has this number in its game."""
        return cls(setting.rules.bits, setting.end_score, first_hand)

    @property
    def rules(self) -> Rules:
        """The rules of the game under way."""
        return rules_from_bits(self.rule_bits)

    @property
    def totals(self) -> SessionTotals:
        """What the players are told of it."""
        return SessionTotals(self.scores, self.queens, self.jacks, self.games)

    def setting(self, like: Setting) -> Setting:
        """What is played now, with the clocks of another setting."""
        return replace(like, rules=self.rules, end_score=self.end_score)

    def new_game(self) -> Game:
        """The game under way, before its next deal."""
        return Game(self.rules, self.end_score, self.scores, self.hands)

    def after_step(self, step: Step) -> SessionStanding:
        """Behind a step; passes, plays and scores count when the hand is over."""
        match step:
            case NewRules(rules, end_score):
                return replace(self, agreed=(rules.bits, end_score))
            case AnswerAgain(player, yes):
                choices = _add(self.choices, [number == player for number in range(4)])
                after = replace(self, choices=choices, decider=None)
                return after._another_game() if yes else after
            case AskAgain(player):
                return replace(self, decider=player)
            case ChooseMoon(player):
                choices = _add(self.choices, [number == player for number in range(4)])
                return replace(self, choices=choices)
            case AbortHand():
                return replace(self, aborted=self.aborted + 1)
            case AbandonGame():
                return self._another_game()
            case _:
                return self

    def _another_game(self) -> SessionStanding:
        bits, end_score = self.agreed or (self.rule_bits, self.end_score)
        return SessionStanding(
            bits,
            end_score,
            0,
            games=self.games,
            choices=self.choices,
            aborted=self.aborted,
        )

    def after_hand(self, game: Game) -> SessionStanding:
        """Behind a hand that is scored, as the game has left it."""
        assert game.play is not None
        taken, winners = game.play.taken, game.winners
        choices = 13 if game.direction is Direction.HOLD else 14
        return replace(
            self,
            hands=self.hands + 1,
            scores=game.scores,
            queens=_add(self.queens, [cards & _QUEEN > 0 for cards in taken]),
            jacks=_add(self.jacks, [cards & _JACK > 0 for cards in taken]),
            games=_add(self.games, [player in winners for player in range(4)]),
            choices=_add(self.choices, [choices] * 4),
        )


def _add(counts: Four, more: Sequence[int]) -> Four:
    a, b, c, d = (count + each for count, each in zip(counts, more, strict=True))
    return (a, b, c, d)

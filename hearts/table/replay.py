"""The standing of a session, and the events and questions of one player on the way there.

Both follow from the steps that are done again, one after the other.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import assert_never

from msgspec import Struct
from msgspec.structs import replace

from hearts.game.cards import JACK_OF_DIAMONDS, QUEEN_OF_SPADES, four
from hearts.game.deal import commitment
from hearts.game.events import AbortHand, ChooseMoon, Deal, HandScored, Pass, Play
from hearts.game.game import Game, Phase
from hearts.game.rules import Direction, Rules, rules_from_bits
from hearts.game.scoring import Four
from hearts.game.view import seen_by

from .effects import (
    AgainSettled,
    DealDisclosed,
    DealPromised,
    GameAborted,
    GameBegun,
    GameScored,
    HandAborted,
    RulesAgreed,
    SessionTotals,
    TableEvent,
)
from .inputs import QUESTIONS, AnswerAgain, Question, Setting
from .steps import AbandonGame, AskAgain, NewRules, Promise, Removal, SeatChange, Step

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
    """The player who has been asked about another game and has not answered."""
    agreed: tuple[int, int] | None = None
    """Bits and end of the rules that the next game is to have."""
    aborted: int = 0
    """The hands of the session that were broken off."""

    @classmethod
    def at_begin(cls, setting: Setting, first_hand: int) -> SessionStanding:
        """Begin a session; ``first_hand`` is the number of its first hand in its game."""
        return cls(setting.rules.bits, setting.end_score, first_hand)

    @property
    def rules(self) -> Rules:
        """The rules of the game under way."""
        return rules_from_bits(self.rule_bits)

    @property
    def totals(self) -> SessionTotals:
        """The part that the players are told."""
        return SessionTotals(self.scores, self.queens, self.jacks, self.games)

    def setting(self, like: Setting) -> Setting:
        """Return the setting of the game under way, with the clocks of another setting."""
        return replace(like, rules=self.rules, end_score=self.end_score)

    def new_game(self) -> Game:
        """Return the game under way, before its next deal."""
        return Game(self.rules, self.end_score, self.scores, self.hands)

    def after_step(self, step: Step) -> SessionStanding:
        """Give the standing behind a step; passes, plays and scores count when the hand is over."""
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
        """Give the standing behind a hand that is scored, as the game has left it."""
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


def replayed(
    player: int | None,
    standing: SessionStanding,
    setting: Setting,
    steps: Iterable[tuple[int, Step]],
) -> Iterator[Sequence[TableEvent | Question]]:
    """Do steps again, and give what one player was told and asked by each.

    ``standing`` is that before the first step; each comes with the number of hands that were scored
    before. A player of None is a watcher. Only the clocks of ``setting`` count.
    """
    game = standing.new_game()
    for hands, step in steps:
        deal = hands + standing.aborted + 1
        if isinstance(step, Deal | Play | Pass | ChooseMoon):
            yield _told_of(step, game, player, deal)
            continue
        standing = standing.after_step(step)
        match step:
            case AbortHand():
                # Nothing else of that hand is kept.
                yield (HandAborted(deal),)
            case AbandonGame():
                game = standing.new_game()
                yield GameAborted(), GameBegun(standing.setting(setting))
            case AskAgain(decider):
                scored = GameScored(game.points, game.scores, game.winners, decider)
                is_mine = decider is not None and decider == player
                yield (scored, Question.AGAIN) if is_mine else (scored,)
            case AnswerAgain(who, yes, by):
                settled = AgainSettled(who, yes, by)
                if yes:
                    game = standing.new_game()
                    yield settled, GameBegun(standing.setting(setting))
                else:
                    yield (settled,)
            case Promise(secret, hashes):
                yield (DealPromised(deal, commitment(secret), hashes),)
            case NewRules(rules, end_score):
                yield (RulesAgreed(rules, end_score),)
            case SeatChange() | Removal():
                yield ()
            case _:
                assert_never(step)


def _told_of(
    action: Deal | Pass | Play | ChooseMoon, game: Game, player: int | None, deal: int
) -> list[TableEvent | Question]:
    items: list[TableEvent | Question] = []
    if isinstance(action, Deal) and action.secret is not None and action.shown is None:
        items.append(DealPromised(deal, commitment(action.secret)))
    for event in game.apply(action):
        if isinstance(event, HandScored):
            if game.secret is not None:
                items.append(DealDisclosed(deal, game.secret, game.cuts, game.shown))
            # The last hand of a game is told with who decides about another one.
            if event.winners:
                continue
        seen = seen_by(event, player)
        if seen is not None:
            items.append(seen)
    if player in game.waiting_for() and (game.phase is not Phase.PASS or isinstance(action, Deal)):
        items.append(QUESTIONS[game.phase])
    return items


def _add(counts: Four, more: Sequence[int]) -> Four:
    return four(count + each for count, each in zip(counts, more, strict=True))

"""The standing of a session, and the events and questions of one player on the way there.

Both follow from the steps that are done again, one after the other. Steps that a player has taken
back are kept until something else is chosen. So the same choice brings the same answers of the
computers, and a deal that the player has seen comes again after its hand.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import takewhile
from typing import assert_never

from msgspec import Struct
from msgspec.structs import replace

from hearts.game.cards import JACK_OF_DIAMONDS, QUEEN_OF_SPADES, four
from hearts.game.deal import commitment
from hearts.game.events import AbortHand, ChooseMoon, ChosenBy, Deal, HandScored, Pass, Play
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
    TakenBack,
)
from .inputs import QUESTIONS, AnswerAgain, Question, Setting, TakeBack
from .steps import AbandonGame, AskAgain, NewRules, Promise, Removal, SeatChange, Step

_NONE: Four = (0, 0, 0, 0)
_QUEEN = 1 << QUEEN_OF_SPADES
_JACK = 1 << JACK_OF_DIAMONDS
CHOICES = (Pass, Play, ChooseMoon)
_DEALS = (Promise, Deal)
STAYS = (AbortHand, AbandonGame, AnswerAgain, SeatChange)
"""Steps that cannot be taken back, and neither can those before them."""


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
    is_taken_back: bool = False
    """True if choices of the game under way were taken back, so that it does not count."""

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
            case TakeBack():
                return replace(self, is_taken_back=True)
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
            case TakeBack():
                yield (TakenBack(-1),)
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


# Steps that are taken back


def without_latest_choice(
    steps: Sequence[Step], player: int
) -> tuple[list[Step], list[Step]] | None:
    """Split steps at the latest choice of a player: those that stay, and those that are undone.

    The passes of others stay, because they did not depend on it, and so do rules for the next game.
    None if the player has made no choice that can be taken back.
    """
    place = _place(steps, player)
    if place < 0:
        return None
    taken, *rest = steps[place:]
    followed = takewhile(lambda step: isinstance(step, (Pass, NewRules, TakeBack)), rest)
    is_pass = isinstance(taken, Pass)
    passes = [step for step in followed if is_pass and isinstance(step, Pass)]
    rules = [step for step in rest if isinstance(step, NewRules)]
    kept = [step for step in steps[:place] if not isinstance(step, TakeBack)]
    undone = [step for step in rest if isinstance(step, (*CHOICES, *_DEALS))]
    return [*kept, *passes, *rules], [taken, *undone[len(passes) :]]


def _place(steps: Sequence[Step], player: int) -> int:
    """Find the latest choice of a player, -1 for none; all cards of a claim are one choice."""
    place = -1
    for index in range(len(steps) - 1, -1, -1):
        step = steps[index]
        if isinstance(step, STAYS) or (isinstance(step, Deal) and place >= 0):
            break
        if isinstance(step, CHOICES) and step.player == player:
            is_claimed = step.by is ChosenBy.COMPUTER
            if is_claimed or place < 0:
                place = index
            if not is_claimed:
                break
    return place


class Undone(Struct):
    """Steps that were taken back, of which the first is a choice, or all are of deals."""

    steps: list[Step] = []

    @classmethod
    def of(cls, steps: Sequence[Step]) -> Undone:
        """Keep steps; those of a claim are not done again."""
        first = steps[0]
        is_claim = isinstance(first, Play) and first.by is ChosenBy.COMPUTER
        return cls(list(steps) if not is_claim else _deals_of(steps))

    def choice_of(self, player: int) -> Pass | Play | ChooseMoon | None:
        """Return what the player chooses next if all goes on as before; passes in any order."""
        for step in self.steps:
            if not isinstance(step, CHOICES):
                break
            if step.player == player:
                return step
            if not isinstance(step, Pass):
                break
        return None

    @property
    def deal(self) -> Promise | Deal | None:
        """The promise or deal that comes next."""
        return next((step for step in self.steps if isinstance(step, _DEALS)), None)

    def follow(self, step: Step) -> None:
        """Drop a step that is done again; if it is another one, drop what cannot come any more."""
        if isinstance(step, _DEALS):
            self.steps = self.steps[self.steps.index(step) + 1 :] if step in self.steps else []
        elif isinstance(step, CHOICES):
            known = self.choice_of(step.player)
            if step == known:
                self.steps.remove(step)
            elif known is not None or not isinstance(step, Pass):
                self.steps = _deals_of(self.steps)
        elif not isinstance(step, (NewRules, TakeBack)):
            self.steps = []


def _deals_of(steps: Sequence[Step]) -> list[Step]:
    return [step for step in steps if isinstance(step, _DEALS)]

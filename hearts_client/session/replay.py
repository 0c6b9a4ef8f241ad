"""Hands that are over, to be looked at card by card: from a record, or from the session under way.

All four hands lie open here, which is right for a deal that has been disclosed and for no other.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from hearts.errors import CorruptRecord, HeartsError
from hearts.game.cards import Card, mask_of
from hearts.game.deal import Hands, deal_text
from hearts.game.events import AbortHand, Action, ChooseMoon, Deal, Pass, Play
from hearts.game.game import Game, Phase
from hearts.game.kernel import HandPlay
from hearts.game.record import Reader
from hearts.game.rules import Direction, Rules
from hearts.game.scoring import Four, tallies
from hearts.game.view import View, view_of
from hearts.wire.text import is_legible, is_visible

from .game_copy import GameCopy, OneHand, deal_of, moon_choice
from .own_record import OwnRecord

TRICK_SIZE = 4
TRICKS = 13
_NONE: Four = (0, 0, 0, 0)


class Moment(Struct, frozen=True, gc=False):
    """What lies open after some of the choices of a hand. Sets of cards are masks."""

    held: Four
    """What each player holds."""
    gone: Four
    """What each player has played or, before the exchange, is about to pass."""
    is_passed: bool
    """Whether cards have been exchanged; False in a hold hand."""
    trick: int
    """The number of the trick that lies, from 1; 0 before the first card."""
    cards: tuple[Play, ...]
    """The cards of that trick, from the lead on; all four until the next lead."""
    winner: int | None
    """Who has taken that trick; None before its last card."""
    tricks: Four
    """How many tricks each player has taken."""
    points: Four
    """The points in them, before any moon."""


class HandReplay(Struct, frozen=True, gc=False):
    """One hand, as it was dealt, passed and played.

    Its positions: 0 is the deal, then comes one for the exchange if cards were passed, then one
    for each card.
    """

    names: tuple[str, str, str, str]
    """As the players call themselves."""
    own: int | None
    """The seat (0-3) of who looks on; None if nobody's own game is looked at."""
    rules: Rules
    end_score: int
    """The score that ends the game."""
    number: int
    """From 1 in its game."""
    before: Four | None
    """The scores before it; None if they are not known."""
    direction: Direction
    dealt: Hands
    passes: tuple[Pass, ...]
    """Those of players 0-3; empty if not all are known."""
    start: Hands
    """The hands after the exchange."""
    leader: int
    """Who led the first trick."""
    plays: tuple[Play, ...]
    """All 52, or as far as the hand went."""
    moon: ChooseMoon | None
    """The choice of how a moon counts, if there was one."""
    shooter: int | None
    points: Four | None
    """What the hand added to each score; None if it is not over or that is not known."""
    scores: Four | None
    """The scores after it; None if it is not over."""
    winners: tuple[int, ...]
    """Who has won the game with it; empty if it went on."""
    deal: str
    """The text of the deal (:func:`hearts.game.deal.deal_text`); empty for hands without a
    secret."""

    @property
    def before_play(self) -> int:
        """The position before the first card."""
        return 1 if self.passes else 0

    @property
    def last(self) -> int:
        """The last position."""
        return self.before_play + len(self.plays)

    def at(self, position: int) -> Moment:
        """What lies open at a position. Raises ValueError for one that does not exist."""
        if not 0 <= position <= self.last:
            raise ValueError(f"a position is 0 to {self.last}, not {position}")
        if position < self.before_play:
            return self._before_exchange()
        return self._after_plays(position - self.before_play)

    def _before_exchange(self) -> Moment:
        a, b, c, d = (mask_of(choice.cards) for choice in self.passes)
        return Moment(self.dealt, (a, b, c, d), False, 0, (), None, _NONE, _NONE)

    def _after_plays(self, count: int) -> Moment:
        play = HandPlay(list(self.start), self.rules, self.leader)
        tricks = [0, 0, 0, 0]
        for number, choice in enumerate(self.plays[:count], 1):
            play.play(choice.card)
            if number % TRICK_SIZE == 0:
                tricks[play.leader] += 1
        begin = max(count - 1, 0) // TRICK_SIZE * TRICK_SIZE
        gone = [start & ~held for start, held in zip(self.start, play.hands, strict=True)]
        return Moment(
            _four(play.hands),
            _four(gone),
            bool(self.passes),
            -(-count // TRICK_SIZE),
            self.plays[begin:count],
            play.leader if count and count % TRICK_SIZE == 0 else None,
            _four(tricks),
            tallies(play.taken, self.rules),
        )

    def next_trick(self, position: int) -> int:
        """The position at the end of the trick that lies or, if it is complete, of the next."""
        count = max(position - self.before_play, 0)
        goal = self.before_play + (count // TRICK_SIZE + 1) * TRICK_SIZE
        return min(goal, self.last) if position >= self.before_play else self.before_play

    def previous_trick(self, position: int) -> int:
        """The position before the lead of the trick that lies."""
        count = position - self.before_play
        if count <= 0:
            return 0
        return self.before_play + (count - 1) // TRICK_SIZE * TRICK_SIZE


def _four(numbers: Sequence[int]) -> Four:
    a, b, c, d = numbers
    return (a, b, c, d)


# From a record


class GameReplay(Struct, frozen=True, gc=False):
    """The hands of a record, as far as it can be read."""

    names: tuple[str, str, str, str]
    rules: Rules
    end_score: int
    hands: tuple[HandReplay, ...]
    """A hand that was not played to its end may be the last."""
    scores: Four
    """After the last hand that was finished."""
    winners: tuple[int, ...]
    """Empty if the record stops before the end of the game."""
    problem: str | None
    """What is wrong with the rest of the record."""


def read_replay(text: str, own: int | None = None) -> GameReplay:
    """The hands of a record; ``own`` is the seat (0-3) of who looks on, if it is his.

    Raises CorruptRecord if not even the header can be read or a name cannot be shown.
    """
    reader = Reader(text)
    for player, name in enumerate(reader.names):
        if not is_legible(name) or not is_visible(name):
            raise CorruptRecord(f"the name of player {player} cannot be shown")
    hands: list[HandReplay] = []
    actions: list[Action] = []
    problem = None
    game = reader.game
    scores, winners = game.scores, game.winners
    try:
        while (step := reader.read()) is not None:
            action, _ = step
            actions = [action] if isinstance(action, Deal) else [*actions, action]
            if isinstance(action, AbortHand):
                # It counts for nothing, and is dealt anew.
                actions = []
            elif game.phase in (Phase.DEAL, Phase.OVER):
                hands.append(_replay(game, actions, reader.names, own, scores))
                scores, winners, actions = game.scores, game.winners, []
        if reader.lacks_scores:
            problem = "the scores of the last hand are missing"
    except CorruptRecord as error:
        problem = str(error)
    if actions and game.play is not None:
        hands.append(_replay(game, actions, reader.names, own, scores))
    return GameReplay(
        reader.names, game.rules, game.end_score, tuple(hands), scores, winners, problem
    )


def _replay(
    game: Game,
    actions: Sequence[Action],
    names: tuple[str, str, str, str],
    own: int | None,
    before: Four | None,
) -> HandReplay:
    """The hand under way in a game, or just over, in which these actions were done.

    ``before`` are the scores before it, if they are known.
    """
    passes = {action.player: action for action in actions if isinstance(action, Pass)}
    start = list(game.dealt)
    for player, choice in passes.items():
        mask = mask_of(choice.cards)
        start[player] &= ~mask
        start[game.direction.target(player)] |= mask
    is_over = game.phase in (Phase.DEAL, Phase.OVER)
    return HandReplay(
        names,
        own,
        game.rules,
        game.end_score,
        game.hand_number + 1,
        before,
        game.direction,
        game.dealt,
        tuple(passes[player] for player in sorted(passes)),
        _four(start),
        game.first_leader,
        tuple(action for action in actions if isinstance(action, Play)),
        next((action for action in actions if isinstance(action, ChooseMoon)), None),
        game.shooter,
        game.points if is_over else None,
        game.scores if is_over else None,
        game.winners,
        "" if game.secret is None else deal_text(game.secret, game.cuts),
    )


# From the session under way


def disclosed_replays(record: OwnRecord) -> tuple[HandReplay, ...]:
    """The hands of the latest game whose deals are disclosed, the last one last.

    A hand that its deal does not explain is left out.
    """
    replays = [_own_replay(copy, hand) for copy, hand in record.disclosed_hands()]
    return tuple(replay for replay in replays if replay is not None)


def _own_replay(copy: GameCopy, hand: OneHand) -> HandReplay | None:
    seen = hand.seen
    assert hand.disclosure is not None
    assert seen.scores is not None
    deal = deal_of(hand.disclosure)
    given = seen.passes(deal.hands)
    if given is None or deal.hands[seen.player] != seen.dealt:
        return None
    passes = [Pass(player, cards) for player, cards in enumerate(given) if cards]
    if seen.passed is not None:
        passes[seen.player] = seen.passed
    actions: list[Action] = [deal, *passes, *seen.plays]
    game = Game(copy.table.rules, copy.table.end_score)
    game.hand_number = seen.number - 1
    before = copy.scores_before(hand)
    game.scores = before or game.scores
    try:
        _do_all(game, actions)
        if game.phase is Phase.MOON and (seen.moon is not None or before is not None):
            choice = seen.moon or moon_choice(game, seen.scores.scores)
            actions.append(choice)
            _do_all(game, [choice])
    except HeartsError:
        return None
    a, b, c, d = copy.names
    # A player who came later may not know the scores before, but knows those after.
    return replace(
        _replay(game, actions, (a, b, c, d), seen.player, before),
        points=None if game.phase is Phase.MOON else game.points,
        scores=seen.scores.scores,
        winners=seen.scores.winners,
    )


def _do_all(game: Game, actions: Sequence[Action]) -> None:
    for action in actions:
        game.check(action)
        game.apply(action)


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

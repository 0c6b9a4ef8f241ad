"""One game as one client saw it, written down as a record.

Once a deal is disclosed, what the others passed follows from it: the cards that a player was dealt
and did not play. So the copy is a whole record, which ``hearts-server verify`` checks like a
server's own.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from hearts.errors import HeartsError
from hearts.game.cards import Card, by_wire, mask_of
from hearts.game.deal import Hands
from hearts.game.events import ChooseMoon, Deal, Pass, Play
from hearts.game.game import Game, Phase
from hearts.game.proof import Disclosure
from hearts.game.record import commitment_line, format_action, header_lines, scores_line
from hearts.game.rules import Direction
from hearts.game.scoring import Four, add_points, hand_points
from hearts.game.verify import passes_of
from hearts.session.messages import Scores, TableInfo

_Passes = tuple[tuple[Card, ...], ...]


@dataclass(slots=True)
class OneHand:
    """One hand as our seat saw it."""

    number: int
    """That of the deal, from 1 in its session."""
    direction: Direction
    player: int
    dealt: int
    hand_number: int
    """From 0 in its game."""
    passed: Pass | None = None
    plays: list[Play] = field(default_factory=list)
    moon: ChooseMoon | None = None
    digest: bytes | None = None
    """The commitment, where it came before the scores."""
    scores: Scores | None = None
    disclosure: Disclosure | None = None

    def passes(self, hands: Hands) -> _Passes | None:
        """What each player passed if the deal was this one; None if it cannot have been."""
        played = [mask_of(play.card for play in self.plays if play.player == p) for p in range(4)]
        given = passes_of(hands, played, self.direction)
        if given is None:
            return None
        if self.passed is not None and mask_of(self.passed.cards) != given[self.player]:
            return None
        return tuple(map(by_wire, given))


class GameCopy:
    """The record of one game, as far as its deals are known."""

    def __init__(self, table: TableInfo, names: tuple[str, ...], *, whole: bool) -> None:
        """``whole`` says whether we saw the game from its first hand; only then it is written."""
        self.hands: list[OneHand] = []
        """Those that were scored."""
        self.table = table
        self.names = names
        self._game = Game(table.rules, table.end_score)
        self._lines = header_lines(table.rules, table.end_score, names)
        self._written = 0
        self._broken = not whole

    @property
    def over(self) -> bool:
        """Whether the last hand has ended the game."""
        scores = self.hands[-1].scores if self.hands else None
        return scores is not None and bool(scores.winners)

    @property
    def empty(self) -> bool:
        """Whether no hand is written down."""
        return not self._written

    def scores_before(self, hand: OneHand) -> Four | None:
        """The scores before a hand of this game; None where we were not there."""
        if hand.hand_number == 0:
            return (0, 0, 0, 0)
        for earlier in self.hands:
            if earlier.hand_number == hand.hand_number - 1 and earlier.scores is not None:
                return earlier.scores.scores
        return None

    def miss(self) -> None:
        """The game has begun without us."""
        self._broken = True

    def text(self) -> str:
        """The record as far as it is written."""
        return "".join(f"{line}\n" for line in self._lines)

    def write(self) -> str | None:
        """Write down the hands that are complete and follow; gives a warning if one is wrong."""
        while not self._broken and self._written < len(self.hands):
            hand = self.hands[self._written]
            if hand.scores is None or hand.disclosure is None:
                break
            self._written += 1
            if hand.digest is not None:
                self._lines.append(commitment_line(hand.digest))
            deal = deal_of(hand.disclosure)
            why = self._play(hand, deal)
            self._lines.append(scores_line(hand.scores.scores))
            if why is not None:
                # The lines so far show it to whoever checks them; nothing can follow.
                self._broken = True
                return f"deal {hand.number}: {why}"
        return None

    def _play(self, hand: OneHand, deal: Deal) -> str | None:
        assert hand.scores is not None
        passes = hand.passes(deal.hands)
        actions: list[Deal | Pass | Play | ChooseMoon] = [deal]
        for player, cards in enumerate(passes or ()):
            if cards and player != hand.player:
                actions.append(Pass(player, cards))
        actions += [] if hand.passed is None else [hand.passed]
        actions += hand.plays
        game, why = self._game, None
        for action in actions:
            why = why or _do(game, action)
            self._lines.append(format_action(action))
        if why is None and game.phase is Phase.MOON:
            choice = hand.moon or moon_choice(game, hand.scores.scores)
            why = _do(game, choice)
            self._lines.append(format_action(choice))
        if why is None and (game.scores, game.winners) != (hand.scores.scores, hand.scores.winners):
            why = "the scores are not those of the cards that were played"
        return why


def deal_of(disclosure: Disclosure) -> Deal:
    return Deal.from_secret(disclosure.secret, disclosure.cuts)


def _do(game: Game, action: Deal | Pass | Play | ChooseMoon) -> str | None:
    try:
        game.check(action)
    except HeartsError as error:
        return f"the rules do not allow what was played ({error})"
    game.apply(action)
    return None


def moon_choice(game: Game, scores: Four) -> ChooseMoon:
    """What somebody else chose, as the scores show it."""
    assert game.play is not None
    assert game.shooter is not None
    points = hand_points(game.play.taken, game.rules, moon_on_others=True)
    on_others = add_points(game.scores, points, game.rules, game.end_score).scores == scores
    return ChooseMoon(game.shooter, on_others)

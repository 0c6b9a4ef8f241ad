"""One game as one client saw it, written down as a record.

Once a deal is disclosed, what the others passed follows from it: the cards that a player was dealt
and did not play. So the copy is a whole record, which ``hearts-server verify`` checks like a
server's own.
"""

from __future__ import annotations

from msgspec import Struct

from hearts.errors import HeartsError
from hearts.game.events import ChooseMoon, Deal, Pass, Play
from hearts.game.game import Game, Phase
from hearts.game.proof import Disclosure
from hearts.game.record import commitment_line, format_action, header_lines, scores_line
from hearts.game.scoring import Four, add_points, hand_points
from hearts.session.hand import NOBODY, SeenHand
from hearts.session.messages import Scores, TableInfo


class OneHand(Struct):
    """One hand as our seat saw it, and what was said of its deal."""

    number: int
    """That of the deal, from 1 in its session."""
    seen: SeenHand
    digest: bytes | None = None
    """The commitment, if it came before the scores."""
    disclosure: Disclosure | None = None


class GameCopy:
    """The record of one game, as far as its deals are known."""

    def __init__(self, table: TableInfo, names: tuple[str, ...], *, whole: bool) -> None:
        """``whole`` says whether we saw the game from its first hand; only then it is written."""
        self.hands: list[OneHand] = []
        """Those that were scored."""
        self.is_aborted = False
        """Whether the players have broken the game off."""
        self.table = table
        self.names = names
        self._game = Game(table.rules, table.end_score)
        self._lines = header_lines(table.rules, table.end_score, names)
        self._written = 0
        self._broken = not whole

    @property
    def over(self) -> bool:
        """Whether the last hand has ended the game, or the game is broken off."""
        scores = self.hands[-1].seen.scores if self.hands else None
        return self.is_aborted or (scores is not None and bool(scores.winners))

    @property
    def empty(self) -> bool:
        """Whether no hand is written down."""
        return not self._written

    def scores_before(self, hand: OneHand) -> Four | None:
        """The scores before a hand of this game; None if we were not there."""
        if hand.seen.number == 0:
            return NOBODY
        for earlier in self.hands:
            seen = earlier.seen
            if seen.number == hand.seen.number - 1 and seen.scores is not None:
                return seen.scores.scores
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
            if hand.seen.scores is None or hand.disclosure is None:
                break
            self._written += 1
            if hand.digest is not None:
                self._lines.append(commitment_line(hand.digest))
            deal = deal_of(hand.disclosure)
            why = self._play(hand.seen, deal, hand.seen.scores)
            self._lines.append(scores_line(hand.seen.scores.scores))
            if why is not None:
                # The lines so far show it to whoever checks them; nothing can follow.
                self._broken = True
                return f"deal {hand.number}: {why}"
        return None

    def _play(self, hand: SeenHand, deal: Deal, scores: Scores) -> str | None:
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
            choice = hand.moon or moon_choice(game, scores.scores)
            why = _do(game, choice)
            self._lines.append(format_action(choice))
        if why is None and (game.scores, game.winners) != (scores.scores, scores.winners):
            why = "the scores are not those of the cards that were played"
        return why


def deal_of(disclosure: Disclosure) -> Deal:
    """The deal that was disclosed."""
    secret, shown = disclosure.secret, disclosure.shown
    if shown is not None and shown.cuts == disclosure.cuts:
        return Deal.from_shown(secret, shown)
    return Deal.from_secret(secret, disclosure.cuts)


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

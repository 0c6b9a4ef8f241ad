"""One game as one client saw it, written down as a record.

Once a deal is disclosed, the passes of the others follow from it: the cards that a player was dealt
and did not play. So the copy is a whole record, which ``hearts-server verify`` checks like a
server's own.
"""

from __future__ import annotations

import re
from datetime import date

from msgspec import Struct

from hearts.errors import HeartsError
from hearts.game.deal import DealDisclosed
from hearts.game.events import Action, ChooseMoon, Deal, Pass
from hearts.game.game import Game, Phase
from hearts.game.record import (
    REMARK,
    TAKEN_BACK,
    PlayedHand,
    commitment_line,
    format_action,
    header_lines,
    scores_line,
)
from hearts.game.scoring import Four, add_points, hand_points
from hearts.session.hand import NOBODY, SeenHand
from hearts.session.messages import TableInfo

DAY_REMARK = re.compile(rf"^{REMARK}day (\S+)$", re.MULTILINE)
"""The line of a record that tells of which deal of the day its hands are."""


class OneHand(Struct):
    """One hand as our seat saw it, and the notices about its deal."""

    number: int
    """The number of the deal, from 1 in its session."""
    seen: SeenHand
    digest: bytes | None = None
    """The commitment, if it came before the scores."""
    disclosure: DealDisclosed | None = None

    @property
    def is_open(self) -> bool:
        """True if it was promised and is not disclosed."""
        return self.digest is not None and self.disclosure is None


class GameCopy:
    """The record of one game, as far as its deals are known."""

    def __init__(self, table: TableInfo, names: tuple[str, ...], *, whole: bool) -> None:
        """``whole`` is True if we saw the game from its first hand; only then it is written."""
        self.hands: list[OneHand] = []
        """The hands that were scored."""
        self.is_aborted = False
        """True if the players have broken the game off."""
        self.is_taken_back = False
        """True if choices were taken back."""
        self.table = table
        self.names = names
        self.is_whole = whole
        """False if nothing more can be written: we missed a hand, or one was wrong."""
        self._begin()

    def _begin(self) -> None:
        table = self.table
        self._game = Game(table.rules, table.end_score)
        self._lines = header_lines(table.rules, table.end_score, self.names)
        self._head = len(self._lines)
        self.written = 0
        """The number of hands that are written down."""

    def take_back(self, hands: int) -> None:
        """Leave out the latest hands, because they are to be played again, and say so."""
        self.is_whole = self.is_whole and len(self.hands) >= hands
        del self.hands[max(len(self.hands) - hands, 0) :]
        self.is_taken_back = True
        self._begin()
        self._lines.append(TAKEN_BACK)
        self.write()

    @property
    def over(self) -> bool:
        """True if the last hand has ended the game, or the game is broken off."""
        scores = self.hands[-1].seen.scores if self.hands else None
        return self.is_aborted or (scores is not None and bool(scores.winners))

    def scores_before(self, hand: OneHand) -> Four | None:
        """Return the scores before a hand of this game; None if we were not there."""
        if hand.seen.number == 0:
            return NOBODY
        before = (one.seen for one in self.hands if one.seen.number == hand.seen.number - 1)
        return next((seen.scores.scores for seen in before if seen.scores is not None), None)

    def text(self, day: date | None = None) -> str:
        """Return the record as far as it is written; ``day`` is the day whose deals it has."""
        remark = [] if day is None else [f"{REMARK}day {day}"]
        lines = [*self._lines[: self._head], *remark, *self._lines[self._head :]]
        return "".join(f"{line}\n" for line in lines)

    def write(self) -> str | None:
        """Write down the hands that are complete and follow; gives a warning if one is wrong."""
        while self.is_whole and self.written < len(self.hands):
            hand = self.hands[self.written]
            if hand.seen.scores is None or hand.disclosure is None:
                break
            self.written += 1
            if hand.digest is not None:
                self._lines.append(commitment_line(hand.digest))
            actions, why = play_seen(hand, self._game, PlayedHand(self._game.scores))
            self._lines += [*map(format_action, actions), scores_line(hand.seen.scores.scores)]
            told = hand.seen.scores.scores, hand.seen.scores.winners
            if why is None and (self._game.scores, self._game.winners) != told:
                why = "the scores are not those of the cards that were played"
            if why is not None:
                # The lines so far show it to those who check them; nothing can follow.
                self.is_whole = False
                return f"deal {hand.number}: {why}"
        return None


def play_seen(
    hand: OneHand, game: Game, played: PlayedHand, *, knows_scores: bool = True
) -> tuple[list[Action], str | None]:
    """Play a disclosed hand in its game; return its actions, and the fault in it if there is one.

    If the scores before it are not known, the moon choice of another player is not known either.
    """
    seen = hand.seen
    assert hand.disclosure is not None
    assert seen.scores is not None
    deal = deal_of(hand.disclosure)
    passes = [
        Pass(player, cards) for player, cards in enumerate(seen.passes(deal.hands) or ()) if cards
    ]
    if seen.passed is not None:
        passes = [*(one for one in passes if one.player != seen.player), seen.passed]
    actions: list[Action] = [deal, *passes, *seen.plays]
    why = None
    try:
        for action in actions:
            played.do(game, action)
        if game.phase is Phase.MOON and (seen.moon is not None or knows_scores):
            actions.append(seen.moon or _moon_choice(game, seen.scores.scores))
            played.do(game, actions[-1])
    except HeartsError as error:
        why = f"the rules do not allow what was played ({error})"
    return actions, why


def deal_of(disclosure: DealDisclosed) -> Deal:
    """Return the deal that was disclosed."""
    secret, shown = disclosure.secret, disclosure.shown
    if shown is not None and shown.cuts == disclosure.cuts:
        return Deal.from_shown(secret, shown)
    return Deal.from_secret(secret, disclosure.cuts)


def _moon_choice(game: Game, scores: Four) -> ChooseMoon:
    """Derive the moon choice of another player from the scores."""
    assert game.play is not None
    assert game.shooter is not None
    points = hand_points(game.play.taken, game.rules, moon_on_others=True)
    on_others = add_points(game.scores, points, game.rules, game.end_score).scores == scores
    return ChooseMoon(game.shooter, on_others)

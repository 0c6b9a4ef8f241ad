"""A player's own copy of the games, and the check of each deal against its promise.

The copy is made of what one client sees: its cards, everybody's plays, the scores, and the notices
about deals that come over the taunt server (SocketSpec.md section 7.6). When a deal is disclosed,
what the others passed follows from it: the cards that a player was dealt and did not play. So the
copy is a whole record, which ``hearts-server verify`` checks like a server's own.

What a client of the plain dialect cannot know is not in it: the marks that say that somebody else's
choice was made by the clock, a stand-in or a computer. In the dealer dialect the promises come with
the game, and the notices only say them again.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field

from hearts.cards import Card, by_wire, mask_of
from hearts.deal import NO_CUTS, Hands, commitment, deal_code
from hearts.dealer.client_events import DealerEvent
from hearts.errors import HeartsError
from hearts.events import (
    CardPlayed,
    ChooseMoon,
    Deal,
    MoonChosen,
    Pass,
    PassMade,
    Play,
    YourHand,
)
from hearts.game import Game, Phase
from hearts.plain.client_events import AnotherGame, Seated
from hearts.plain.messages import Scores, TableInfo
from hearts.proof import Commitment, Disclosure, parse_notice
from hearts.record import commitment_line, format_action, header_lines, scores_line
from hearts.rules import Direction
from hearts.scoring import Four, add_points, hand_points
from hearts.table import DealDisclosed, DealPromised
from hearts.verify import passes_of

_AHEAD = 4
"""Deals by which the chat may be ahead of the game; notices further ahead are not believed."""
_GAMES_KEPT = 2
"""The last deal of a game may be disclosed when the next game has begun."""

_Passes = tuple[tuple[Card, ...], ...]


@dataclass(slots=True)
class _Hand:
    """One hand as our seat saw it."""

    number: int
    direction: Direction
    player: int
    dealt: int
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


class _Copy:
    """The record of one game, as far as its deals are known."""

    def __init__(self, table: TableInfo, names: tuple[str, ...], *, whole: bool) -> None:
        """``whole`` says whether we saw the game from its first hand; only then it is written."""
        self.hands: list[_Hand] = []
        """Those that were scored."""
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

    def miss(self) -> None:
        """The game has begun without us."""
        self._broken = True

    def text(self) -> str:
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
            deal = _deal(hand.disclosure)
            why = self._play(hand, deal)
            self._lines.append(scores_line(hand.scores.scores))
            if why is not None:
                # The lines so far show it to whoever checks them; nothing can follow.
                self._broken = True
                return f"deal {hand.number}: {why}"
        return None

    def _play(self, hand: _Hand, deal: Deal) -> str | None:
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
            choice = hand.moon or _moon_choice(game, hand.scores.scores)
            why = _do(game, choice)
            self._lines.append(format_action(choice))
        if why is None and (game.scores, game.winners) != (hand.scores.scores, hand.scores.winners):
            why = "the scores are not those of the cards that were played"
        return why


def _deal(disclosure: Disclosure) -> Deal:
    return Deal.from_secret(disclosure.secret, disclosure.cuts)


def _do(game: Game, action: Deal | Pass | Play | ChooseMoon) -> str | None:
    try:
        game.check(action)
    except HeartsError as error:
        return f"the rules do not allow what was played ({error})"
    game.apply(action)
    return None


def _moon_choice(game: Game, scores: Four) -> ChooseMoon:
    """What somebody else chose, as the scores show it."""
    assert game.play is not None
    assert game.shooter is not None
    points = hand_points(game.play.taken, game.rules, moon_on_others=True)
    on_others = add_points(game.scores, points, game.rules, game.end_score).scores == scores
    return ChooseMoon(game.shooter, on_others)


class OwnRecord:
    """The games of one session as one client saw them.

    Give it every event and every notice, each in its order. The two may be apart in time: a notice
    is kept until the game has come so far. A commitment counts if it came before the scores of its
    hand and before the disclosure.

    Where both methods give a sentence, it is for the person: that a deal was checked, or a warning.
    """

    def __init__(self, deals_before: int = 0) -> None:
        """``deals_before`` is how many hands of the session were scored before the first event.

        Where it is not 0, the game under way is checked, but not written down.
        """
        self.game_number = 0
        """That of the session; 0 before it is known."""
        self.player = -1
        self.last_secret: bytes | None = None
        """The secret of the last hand that was found right and was dealt from its secret alone."""
        self._names: tuple[str, ...] = ("", "", "", "")
        self._scored = deals_before
        self._copies: deque[_Copy] = deque(maxlen=_GAMES_KEPT)
        self._games = 0
        self._whole = not deals_before
        self._another = False
        self._hand: _Hand | None = None
        self._before: _Hand | None = None
        self._digests: dict[int, bytes] = {}
        self._disclosures: dict[int, Disclosure] = {}

    def texts(self) -> dict[int, str]:
        """The records of the last two games that have a hand, by the number of the game from 1.

        A record goes as far as the deals are disclosed without a gap.
        """
        first = self._games - len(self._copies) + 1
        return {
            number: copy.text() for number, copy in enumerate(self._copies, first) if not copy.empty
        }

    def text(self) -> str:
        """The record of the last game that has a hand; empty while there is none."""
        return next(reversed(self.texts().values()), "")

    @property
    def undisclosed(self) -> bool:
        """Whether the last hand that was scored was promised and is not disclosed yet."""
        hand = self._find(self._scored)
        return hand is not None and hand.digest is not None and hand.disclosure is None

    def update(self, event: DealerEvent) -> str | None:
        """Take in what the game server says."""
        match event:
            case Seated(credentials, names):
                self.game_number = credentials.game_number
                self.player = credentials.player
                self._names = names
                self._another = False
            case AnotherGame(follows):
                self._another = follows
            case TableInfo():
                self._begin_game(event)
            case DealPromised(number, digest):
                self._find_place(number)
                return self._promise(number, digest)
            case DealDisclosed(number, secret, cuts):
                return self._hear_disclosure(Disclosure(number, secret, cuts))
            case YourHand(number, direction, cards):
                self._begin_hand(number, direction, mask_of(cards))
            case Scores():
                return self._end_hand(event)
            case _:
                self._note_choice(event)
        return None

    def _begin_game(self, table: TableInfo) -> None:
        # A client that comes back hears the Table of its game once more, and perhaps the New game
        # before it.
        last = self._copies[-1] if self._copies else None
        if last is not None and self._another and not last.hands:
            self._copies.pop()
        elif last is None or (self._another and last.over):
            self._games += 1
        else:
            return
        self._copies.append(_Copy(table, self._names, whole=self._whole or self._another))
        self._another = False

    def _find_place(self, deal: int) -> None:
        # Who takes the seat of a computer comes into the middle of a session.
        if not self._scored and self._hand is None:
            self._scored = deal - 1

    def _begin_hand(self, number: int, direction: Direction, dealt: int) -> None:
        if self._copies and not self._copies[-1].hands and number:
            self._copies[-1].miss()
        # A client that comes back hears its hand once more, from the deal on.
        self._before = self._hand
        self._hand = _Hand(self._scored + 1, direction, self.player, dealt)

    def _note_choice(self, event: DealerEvent) -> None:
        hand, before = self._hand, self._before
        if hand is None:
            return
        # What is heard once more comes as if the server had chosen it; the first word holds.
        match event:
            case PassMade(player, cards, by):
                known = before.passed if before is not None else None
                same = known is not None and known.cards == cards
                hand.passed = known if same else Pass(player, cards, by)
            case CardPlayed(player, card, by):
                known_plays = before.plays if before is not None else []
                heard = (play for play in known_plays if (play.player, play.card) == (player, card))
                hand.plays.append(next(heard, Play(player, card, by)))
            case MoonChosen(player, on_others, by):
                known_moon = before.moon if before is not None else None
                same = known_moon is not None and known_moon.on_others == on_others
                hand.moon = known_moon if same else ChooseMoon(player, on_others, by)
            case _:
                pass

    def _end_hand(self, scores: Scores) -> str | None:
        hand, self._hand, self._before = self._hand, None, None
        self._scored += 1
        digest = self._digests.pop(self._scored, None)
        disclosure = self._disclosures.pop(self._scored, None)
        if hand is None or not self._copies:
            return None
        hand.scores = scores
        hand.digest = digest
        self._copies[-1].hands.append(hand)
        return None if disclosure is None else self._disclose(hand, disclosure)

    def notice(self, text: str) -> str | None:
        """Take in what the taunt server says as player -1."""
        match parse_notice(text):
            case Commitment(number, digest):
                return self._promise(number, digest)
            case Disclosure() as disclosure:
                return self._hear_disclosure(disclosure)
            case None:
                return None

    def _hear_disclosure(self, disclosure: Disclosure) -> str | None:
        number = disclosure.deal
        if number <= self._scored:
            hand = self._find(number)
            return None if hand is None else self._disclose(hand, disclosure)
        if number <= self._scored + _AHEAD:
            known = self._disclosures.setdefault(number, disclosure)
            return None if known == disclosure else _two_answers(number)
        return None

    def _promise(self, number: int, digest: bytes) -> str | None:
        hand = self._find(number)
        if hand is not None:
            known = hand.digest
        elif self._scored < number <= self._scored + _AHEAD and number not in self._disclosures:
            known = self._digests.setdefault(number, digest)
        else:
            return None
        if known not in (None, digest):
            return f"WARNING: deal {number} was promised twice, and not the same"
        return None

    def _find(self, number: int) -> _Hand | None:
        for copy in self._copies:
            for hand in copy.hands:
                if hand.number == number:
                    return hand
        return None

    def _disclose(self, hand: _Hand, disclosure: Disclosure) -> str | None:
        if hand.disclosure is not None:
            return None if hand.disclosure == disclosure else _two_answers(hand.number)
        hand.disclosure = disclosure
        wrong = None
        for copy in self._copies:
            wrong = copy.write() or wrong
        deal = _deal(disclosure)
        secret, is_cut = disclosure.secret, disclosure.cuts != NO_CUTS
        name = f"deal {hand.number} ({deal_code(secret)}{', cut' if is_cut else ''})"
        if deal.hands[hand.player] != hand.dealt:
            return f"WARNING: {name} does not give the cards that you had"
        if hand.passes(deal.hands) is None:
            return f"WARNING: {name} does not give the cards that were played"
        if hand.digest not in (None, commitment(secret)):
            return f"WARNING: {name} is not the one that was promised"
        if wrong is not None:
            return f"WARNING: {wrong}"
        self.last_secret = None if is_cut else secret
        if hand.digest is None:
            return f"{name} checked: it gives the cards that were played, but nobody promised it"
        return f"{name} checked: it is the one that was promised"


def _two_answers(number: int) -> str:
    return f"WARNING: deal {number} was disclosed twice, and not the same"

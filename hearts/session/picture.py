"""The one picture of the table on the side of a client, made of the messages of the server.

Both dialects feed it. A bot gets the same :class:`~hearts.game.view.View` here as at a table of the
server, so the same class plays in both places; what a person sees and reads is drawn from it, too.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from hearts.errors import LocalProtocolError, RemoteProtocolError
from hearts.game import events
from hearts.game.cards import TWO_OF_CLUBS, Card, four, mask_of
from hearts.game.kernel import HandPlay
from hearts.game.rules import DEFAULT_END_SCORE, STANDARD, Direction, Rules
from hearts.game.scoring import Four
from hearts.game.view import View
from hearts.table.effects import HandAborted, RestClaimed, TakenBack
from hearts.table.inputs import Question

from .client_events import (
    AnotherGame,
    CameBack,
    CaughtUp,
    ChoiceTerms,
    ConnectionLost,
    ScoresSoFar,
    Seated,
    WaitingForPlayers,
)
from .hand import NOBODY, SeenHand
from .messages import Scores, TableInfo
from .resume_token import ResumeToken


class ScoreRow(NamedTuple):
    """The points that some hands of a game added to the scores."""

    first: int
    """The first of these hands, from 1; 0 if it is not known which they are."""
    last: int
    points: Four


class Scoreboard:
    """The scores of a game: it gets those after each hand, and knows the addition of each."""

    def __init__(self) -> None:
        self.totals: Four = NOBODY
        self.winners: tuple[int, ...] = ()
        self.rows: list[ScoreRow] = []
        self._hands = 0
        self._game_hands = 0

    def begin(self, left_off: ResumeToken | None = None) -> None:
        """Begin a game, or go on with one that was left with this progress."""
        if left_off is None or not left_off.knows_count:
            self._clear()
        elif left_off.hands != self._hands:
            self._clear()
            self._hands = left_off.hands
            self._go_on_from(left_off)

    def _clear(self) -> None:
        self.totals = NOBODY
        self.rows = []
        self.winners = ()
        self._game_hands = 0

    def _go_on_from(self, left_off: ResumeToken) -> None:
        """Take over scores whose hands we were not there to see."""
        count = self._game_hands = left_off.game_hands
        if count:
            self.totals = left_off.scores
            self.rows = [ScoreRow(1, count, self.totals)]
        if left_off.latest is not None:
            self.winners = left_off.latest.winners

    def take_back(self, hands: int) -> None:
        self.rows = self.rows[: max(len(self.rows) - hands, 0)]
        self._hands -= hands
        self.totals = four(map(sum, zip(NOBODY, *(row.points for row in self.rows), strict=True)))

    def stand(self, totals: Four) -> None:
        """Take over the scores of a game for a client that comes into the middle of it."""
        if totals != self.totals:
            self.totals = totals
            self.rows = [ScoreRow(0, 0, totals)]

    def deal(self, number: int) -> None:
        self._game_hands = number

    def add(self, scores: Scores) -> None:
        self._hands += 1
        self._game_hands += 1
        a, b, c, d = (now - before for now, before in zip(scores.scores, self.totals, strict=True))
        self.rows.append(ScoreRow(self._game_hands, self._game_hands, (a, b, c, d)))
        self.totals = scores.scores
        self.winners = scores.winners


class Picture:
    """The table as one player or watcher knows it; give it each event of the session in order."""

    def __init__(self, *, is_watching: bool = False) -> None:
        self.player = -1
        """Our seat; -1 before it is known, and for a watcher."""
        self.table: TableInfo | None = None
        """The rules and limits of the game; None before the first one."""
        self.board = Scoreboard()
        """The scores of the game."""
        self.hand = SeenHand()
        """The latest hand; it stays until the next one is dealt."""
        self.dealt = False
        """True if a hand of this game was dealt, so that there is a view."""
        self.is_past = is_watching
        """True while the past is told; a watcher is told that first."""
        self.is_over = False
        """True if the players are done."""
        self._before = SeenHand()
        """The hand under way as it was heard before our connection was lost.

        What is heard once more comes as if the server had chosen it; the first word holds.
        """
        self._left_off: ResumeToken | None = None
        self._goes_on = False  # The game under way is told again: a choice was taken back.
        self._missed_hands: int | None = None
        """Hands of this game before our first one, modulo 4, if the lead goes round; None as
        long as we do not know, because we may have taken a seat in the middle of a game."""

    @property
    def rules(self) -> Rules:
        return STANDARD if self.table is None else self.table.rules

    @property
    def end_score(self) -> int:
        return DEFAULT_END_SCORE if self.table is None else self.table.end_score

    @property
    def turn(self) -> int | None:
        """The player on turn; None while no trick is under way."""
        hand = self.hand
        under_way = self.dealt and not hand.is_trick_full
        return hand.play.turn if under_way and hand.play is not None else None

    def check(self, card: Card) -> None:
        """Raise IllegalAction, with the reason, if we may not play a card now.

        Raises LocalProtocolError if it is not our turn.
        """
        play = self.hand.play
        if play is None or self.turn != self.player:
            raise LocalProtocolError("it is not our turn")
        play.check(card)

    def require(self, cards: Sequence[Card]) -> None:
        """Raise LocalProtocolError for a card that we do not hold."""
        for card in cards:
            if not self.hand.held >> card & 1:
                raise LocalProtocolError(f"{card} is not in the hand")

    def view(self) -> View:
        """Return the game as our seat sees it now. Raises LocalProtocolError before the first
        hand.
        """
        hand = self.hand
        if not self.dealt:
            raise LocalProtocolError("there is nothing to see before the first hand")
        play = hand.play
        history = tuple([each.card for each in hand.plays])
        trick = len(play.trick) if play is not None else 0
        return View(
            self.player,
            self.rules,
            self.end_score,
            self.board.totals,
            hand.number,
            hand.direction,
            hand.held,
            play.legal() if play is not None and self.turn == self.player else 0,
            () if hand.passed is None else hand.passed.cards,
            hand.received,
            hand.first_leader,
            history,
            play.leader if play is not None else hand.first_leader,
            history[len(history) - trick :],
            NOBODY if play is None else four(play.taken),
            play.broken if play is not None else False,
        )

    def update(self, event: object) -> None:
        """Take an event in; those that change nothing in the picture are let by.

        Raises RemoteProtocolError if the server's game breaks the rules that it announced.
        """
        match event:
            case events.CardPlayed(player, card, by):
                self._lay(player, card, by)
            case events.TrickBegun(leader):
                self._begin_trick(leader)
            case events.TrickTaken():
                self._take_trick(event)
            case ChoiceTerms(Question.CARD, _, legal):
                play = self.hand.play
                if play is None or self.turn is None or play.legal() != mask_of(legal):
                    raise RemoteProtocolError("the cards that are said to be legal are not those")
            case events.YourHand(number, direction, cards):
                self._begin_hand(number, direction, _mask(cards, "a hand"))
            case events.HandBegun(number, direction):
                self._begin_hand(number, direction, 0)
            case events.PassMade(player, cards, by):
                if _mask(cards, "a pass") & ~self.hand.held:
                    raise RemoteProtocolError("a pass has cards that we do not hold")
                known = self._before.passed
                same = known is not None and known.cards == cards
                self.hand.passed = known if same else events.Pass(player, cards, by)
            case events.CardsReceived(cards):
                if _mask(cards, "what we received") & self.hand.dealt:
                    raise RemoteProtocolError("a card that was received was in the hand already")
                self.hand.received = cards
            case events.MoonChosen(player, on_others, by):
                moon = self._before.moon
                same = moon is not None and moon.on_others == on_others
                self.hand.moon = moon if same else events.ChooseMoon(player, on_others, by)
            case RestClaimed():
                self.hand.claimed = event
            case TakenBack(hands) if hands >= 0:
                self.hand = SeenHand(player=self.player)
                self.board.take_back(hands)
                self.is_past = self._goes_on = True
            case HandAborted():
                # Nothing else is known of the next hand but who led the first trick of the last.
                self.hand = SeenHand(player=self.player, first_leader=self.hand.first_leader)
            case Scores():
                self.board.add(event)
                self.hand.scores = event
            case ScoresSoFar(scores):
                self.board.stand(scores)
            case TableInfo():
                self._begin_game(event)
            case AnotherGame(follows):
                self.is_over = not follows
            case WaitingForPlayers() | Seated():
                self.player = event.player
            case CameBack(_, progress):
                self.is_past = True
                self._left_off = progress
            case CaughtUp() | ConnectionLost():
                self.is_past = False
            case _:
                pass

    # A game

    def _begin_game(self, info: TableInfo) -> None:
        # A client that comes back hears the Table in the middle of a game.
        goes_on, self._goes_on, self.dealt = self._goes_on, False, False
        if goes_on:
            return
        left_off, self._left_off = self._left_off, None
        if left_off is None and self.table is not None:
            self._missed_hands = 0
        if left_off is not None and not left_off.knows_count:
            self._missed_hands = None
        self.table = info
        self.board.begin(left_off)

    def _begin_hand(self, number: int, direction: Direction, cards: int) -> None:
        last = self.hand
        # A client that comes back hears its hand once more, from the deal on.
        self._before = last if last.scores is None else SeenHand()
        leader = last.first_leader if self.dealt else 0
        self.hand = SeenHand(number, direction, self.player, cards, leader)
        self.dealt = True
        self.board.deal(number)

    # A hand

    def _begin_trick(self, leader: int) -> None:
        hand = self.hand
        hand.begun += 1
        if hand.play is not None:
            if leader != hand.play.leader:
                raise RemoteProtocolError(
                    f"player {hand.play.leader} took the trick and {leader} leads"
                )
            return
        if self.rules.rotating_lead:
            missed = (leader - hand.number) % 4
            if self._missed_hands is None:
                self._missed_hands = missed
            right = missed == self._missed_hands
        else:
            right = self.player < 0 or (leader == self.player) == bool(
                hand.held >> TWO_OF_CLUBS & 1
            )
        if not right:
            raise RemoteProtocolError(f"player {leader} cannot lead the first trick")
        hand.known = hand.held
        hands = [0, 0, 0, 0]
        if self.player >= 0:
            hands[self.player] = hand.held
        hand.first_leader = leader
        hand.play = HandPlay(hands, self.rules, leader)

    def _lay(self, player: int, card: Card, by: events.ChosenBy) -> None:
        hand = self.hand
        play = hand.play
        if play is None or player != play.turn or hand.is_trick_full:
            raise RemoteProtocolError(f"player {player} plays out of turn")
        if player == self.player:
            if not play.hands[player] >> card & 1:
                raise RemoteProtocolError(f"we play {card}, which we do not hold")
        elif hand.known >> card & 1:
            raise RemoteProtocolError(f"another player cannot play {card}: it is ours or is gone")
        was_broken = play.broken
        play.play(card)
        hand.known |= 1 << card
        if play.broken and not was_broken:
            hand.broken_by = card
        count, before = len(hand.plays), self._before.plays
        same = count < len(before) and before[count].card == card
        hand.plays.append(before[count] if same else events.Play(player, card, by))

    def _take_trick(self, taken: events.TrickTaken) -> None:
        play = self.hand.play
        assert play is not None
        if taken.winner != play.leader:
            raise RemoteProtocolError(
                f"player {play.leader} takes the trick, and not player {taken.winner}"
            )
        self.hand.taken.append(taken)


def _mask(cards: Sequence[Card], what: str) -> int:
    mask = mask_of(cards)
    if mask.bit_count() != len(cards):
        raise RemoteProtocolError(f"{what} has a card twice")
    return mask

"""A player's own copy of the games, and the check of each deal against its promise.

The copy is made of what one client sees: its cards, everybody's plays, the scores, and the notices
about deals that come over the taunt server (SocketSpec.md section 7.6).

It lacks the marks that a client of the plain dialect cannot know: those that say that another
player's choice was made by the clock, a stand-in or a computer. In the dealer dialect the promises
come with the game, and the notices only say them again.
"""

from __future__ import annotations

from collections import deque
from datetime import date

from hearts.dealer.deal_verifier import NO_PROMISE, problem_of
from hearts.game.deal import DealDisclosed, DealPromised, parse_notice
from hearts.game.events import YourHand
from hearts.session.client_events import AnotherGame, CameBack, DealChecked, DealerEvent, Seated
from hearts.session.messages import Scores, TableInfo
from hearts.session.picture import Picture
from hearts.session.table_words import PlayerChange, TableMessage
from hearts.table.effects import GameAborted, HandAborted, TakenBack
from hearts.wire.day_chain import day_of
from hearts_client.words.fairness import DISCLOSED_TWICE, NEVER_PROMISED, PROMISED_TWICE, finding

from .game_copy import GameCopy, OneHand, deal_of

_AHEAD = 4
"""Deals by which the chat may be ahead of the game; notices further ahead are not believed."""
_NEARLY_OVER = 48
"""Cards of a hand after which the chat may speak of the next one already."""
_GAMES_KEPT = 2
"""The last deal of a game may be disclosed when the next game has begun."""


class OwnRecord:
    """The games of one session as one client saw them.

    Give it every event and every notice, each in its order. The two may be apart in time: a notice
    is kept until the game has come so far. A commitment counts if it came before the scores of its
    hand and before the disclosure.

    If both methods give a sentence, it is for the person: that a deal was checked, or a warning.

    Deals are counted from the begin of the session, and a player who takes an open seat has missed
    some (section 14.8). The first commitment tells how many; until then no deal is called wrong.
    """

    def __init__(self, picture: Picture, hands_before: int | None = None, missed: int = 0) -> None:
        """``picture`` is that of the client; it knows each event before we are told it.

        For a player who comes back, ``hands_before`` is the number of hands whose scores they have
        had. ``missed`` is the number of deals of the session before they took their seat. If there
        is either, the game under way is checked, but not written down.
        """
        self.picture = picture
        self.game_number = 0
        """The number of the session; 0 before it is known."""
        self.last_deal: tuple[bytes, bytes] | None = None
        """The secret and the cuts of the last hand that was found right."""
        self.day: date | None = None
        """The day whose deals are played; None for others."""
        self._names: tuple[str, ...] = ("", "", "", "")
        self._is_new = hands_before is None
        self._hands = hands_before or 0
        self._scored = self._hands + missed
        self._is_placed = not self._is_new
        self._is_told_place = False
        self._copies: deque[GameCopy] = deque(maxlen=_GAMES_KEPT)
        self._games = 0
        self._whole = not self._scored
        self._another = False
        self._hand: OneHand | None = None
        self._digests: dict[int, bytes] = {}
        self._disclosures: dict[int, DealDisclosed] = {}
        self._checked: dict[int, DealChecked] = {}
        """Findings about deals that are not told of yet."""
        self._overdue = 0
        """The last deal that :meth:`overdue` gave."""
        self._told: set[int] = set()
        """The deals of which it was said what was found."""

    @property
    def missed(self) -> int:
        """Deals of the session before our first hand, as far as that is known."""
        return self._scored - self._hands

    def texts(self) -> dict[int, str]:
        """Return the records of the last two games that have a hand or had one, by the number of
        the game from 1.

        A record goes as far as the deals are disclosed without a gap.
        """
        first = self._games - len(self._copies) + 1
        return {
            number: copy.text(self.day)
            for number, copy in enumerate(self._copies, first)
            if copy.written or copy.is_taken_back
        }

    def disclosed_hands(self) -> list[tuple[GameCopy, OneHand]]:
        """Return the hands of the latest game that are disclosed, in order, each with its game.

        They need not be whole games, as a text has to be: a player who came later has the hands
        that they saw.
        """
        for copy in reversed(self._copies):
            hands = [(copy, hand) for hand in copy.hands if hand.disclosure is not None]
            if hands:
                return hands
        return []

    @property
    def undisclosed(self) -> bool:
        """True if the last hand that was scored was promised and is not disclosed yet."""
        hand = self._find(self._scored)
        return hand is not None and hand.is_open

    @property
    def unfinished(self) -> int | None:
        """The deal that was promised and is not disclosed, and whose hand is not over, if any."""
        number = self._scored + 1
        is_open = number in self._digests and number not in self._disclosures
        return number if is_open else None

    def overdue(self, *, at_end: bool = False) -> list[int]:
        """Deals whose disclosure should have come by now; each is given once.

        A server discloses a deal before it promises the next one. Over the other of the two
        connections that may come a little later, but not by a hand. ``at_end`` is for when the
        session is over.
        """
        next_is_promised = self._hand is not None and self._scored + 1 in self._digests
        latest = self._scored if next_is_promised or at_end else self._scored - 1
        found = [
            hand.number
            for hand in self._seen
            if hand.is_open and self._overdue < hand.number <= latest
        ]
        self._overdue = max(self._overdue, *found, 0)
        return found

    @property
    def _seen(self) -> list[OneHand]:
        return [hand for copy in self._copies for hand in copy.hands]

    def update(self, event: DealerEvent) -> str | None:
        """Take in what the game server says."""
        match event:
            case Seated(credentials, names):
                self.game_number = credentials.game_number
                self._names = names
                self._another = False
            case CameBack(_, progress) if not progress.knows_count:
                self._lose_place()
            case AnotherGame(follows):
                self._another = follows
            case TableInfo():
                self._begin_game(event)
            case TableMessage(table=name):
                self.day = day_of(name) or self.day
            case PlayerChange(_, info):
                self._names = tuple(
                    info.name if player == info.player else name
                    for player, name in enumerate(self._names)
                )
            case DealPromised(number, digest):
                if self._hand is None and not self._is_told_place:
                    self._is_told_place = True
                    self._take_place(number)
                return self._promise(number, digest)
            case DealDisclosed():
                return self._receive_disclosure(event)
            case DealChecked(number, problem):
                self._checked[number] = event
                return NEVER_PROMISED.format(number) if problem == NO_PROMISE else None
            case YourHand():
                seen = self.picture.hand
                if self._copies and not self._copies[-1].hands and seen.number:
                    self._copies[-1].is_whole = False
                self._hand = OneHand(self._scored + 1, seen)
            case HandAborted(deal):
                return self._abort_hand(deal)
            case TakenBack(hands):
                self._take_back(hands)
            case GameAborted():
                self._another = True
                if self._copies:
                    self._copies[-1].is_aborted = True
            case Scores():
                return self._end_hand()
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
        self._copies.append(GameCopy(table, self._names, whole=self._whole or self._another))
        self._another = False

    # Which deal of the session our hand is

    def _lose_place(self) -> None:
        """Note that the server has less than we had, or that hands were played that we are never
        told of.
        """
        self._is_new = True
        self._is_placed = self._is_told_place = self._whole = False
        self._hands = self._overdue = 0
        self._hand = None
        for kept in (self._copies, self._digests, self._disclosures, self._checked, self._told):
            kept.clear()

    def _take_place(self, deal: int) -> None:
        """Note that our next hand, or the one under way, is this deal."""
        self._is_placed = True
        self._scored = deal - 1
        if self._hand is not None:
            self._hand.number = deal
        for notices in (self._digests, self._disclosures):
            for past in [number for number in notices if number < deal]:
                del notices[past]

    def _take_place_by_notice(self, deal: int) -> None:
        # A newcomer hears of the deals before their own too, and of their own last.
        over = self._hand is not None and len(self._hand.seen.plays) >= _NEARLY_OVER
        if not self._is_new or self._is_told_place or self._hands or over:
            return
        if deal > self._scored + 1 or not self._is_placed:
            self._take_place(deal)
        if self._scored:
            self._whole = False
            for copy in self._copies:
                copy.is_whole = False

    # A hand

    def _end_hand(self) -> str | None:
        hand, self._hand = self._hand, None
        self._scored += 1
        self._hands += 1
        digest = self._digests.pop(self._scored, None)
        disclosure = self._disclosures.pop(self._scored, None)
        if hand is None or not self._copies:
            return None
        hand.digest = digest
        self._copies[-1].hands.append(hand)
        return None if disclosure is None else self._disclose(hand, disclosure)

    def _abort_hand(self, deal: int) -> str | None:
        """Note that the hand of a deal is broken off; a player who comes back may hear it again."""
        hand, self._hand = self._hand, None
        if deal <= self._scored:
            return None
        self._is_placed = True
        self._scored = deal
        digest = self._digests.pop(deal, None)
        disclosure = self._disclosures.pop(deal, None)
        if hand is None or disclosure is None:
            return None
        hand.digest = digest
        return self._found(hand, disclosure, is_broken_off=True)

    def _take_back(self, hands: int) -> None:
        """Note that some hands are to be played again; their deals are told again, too."""
        if self._copies:
            self._copies[-1].take_back(max(hands, 0))
        if hands >= 0:
            self._hand = None
            self._scored -= hands
            self._hands -= hands
            for kept in (self._digests, self._disclosures, self._checked):
                kept.clear()

    def notice(self, text: str) -> str | None:
        """Take in what the taunt server says as player -1."""
        match parse_notice(text):
            case DealPromised(number, digest):
                self._take_place_by_notice(number)
                return self._promise(number, digest)
            case DealDisclosed() as disclosure:
                return self._receive_disclosure(disclosure)
            case None:
                return None

    def _receive_disclosure(self, disclosure: DealDisclosed) -> str | None:
        number = disclosure.deal
        if number <= self._scored:
            hand = self._find(number)
            return None if hand is None else self._disclose(hand, disclosure)
        if number <= self._scored + _AHEAD:
            known = self._disclosures.get(number, disclosure)
            if known.format() != disclosure.format():
                return DISCLOSED_TWICE.format(number)
            self._disclosures[number] = disclosure if known.shown is None else known
        return None

    def _promise(self, number: int, digest: bytes) -> str | None:
        hand, known = self._find(number), None
        if hand is not None:
            known = hand.digest
        elif self._scored < number <= self._scored + _AHEAD and number not in self._disclosures:
            known = self._digests.setdefault(number, digest)
        return None if known in (None, digest) else PROMISED_TWICE.format(number)

    def _find(self, number: int) -> OneHand | None:
        return next((hand for hand in self._seen if hand.number == number), None)

    def _disclose(self, hand: OneHand, disclosure: DealDisclosed) -> str | None:
        if hand.disclosure is not None:
            is_same = hand.disclosure.format() == disclosure.format()
            return None if is_same else DISCLOSED_TWICE.format(hand.number)
        seen = hand.seen
        is_ours = deal_of(disclosure).hands[seen.player] == seen.dealt
        if not is_ours and not self._is_placed:
            return None
        self._is_placed = True
        hand.disclosure = disclosure
        wrong = None
        for copy in self._copies:
            wrong = copy.write() or wrong
        return self._found(hand, disclosure, wrong)

    def _found(
        self,
        hand: OneHand,
        told: DealDisclosed,
        wrong: str | None = None,
        *,
        is_broken_off: bool = False,
    ) -> str | None:
        """Say what was found of a deal; ``wrong`` is what is wrong with the game as it was told."""
        checked = self._checked.pop(hand.number, None)
        problem = problem_of(hand.seen, told.secret, told.cuts, hand.digest)
        if problem is None and checked is not None:
            problem = checked.problem
        if problem is None and wrong is not None:
            return f"WARNING: {wrong}"
        if problem is None and not is_broken_off:
            self.last_deal = told.secret, told.cuts
        if hand.number in self._told and problem is None:
            return None
        self._told.add(hand.number)
        return finding(
            told,
            problem,
            is_promised=hand.digest is not None,
            is_broken_off=is_broken_off,
            checked=checked,
            names=self._names,
        )

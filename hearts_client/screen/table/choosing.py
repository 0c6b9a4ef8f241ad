"""The choices of a person: the open question, the hand with its cursor and marks, keys, clicks."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection, Sequence
from contextlib import suppress

import trio

from hearts.bots import SimpleBot
from hearts.errors import LocalProtocolError
from hearts.game.cards import QUEEN_OF_SPADES, RANK_TEXT, SUIT_TEXT, Card, Suit
from hearts.game.game import PASS_SIZE
from hearts.session.client_events import ConnectionLost, DealerEvent
from hearts.session.picture import Picture
from hearts.session.table_words import InvitationMessage, InvitationOver
from hearts.table.effects import (
    AbortProposed,
    AbortRefused,
    RulesAgreed,
    RulesProposed,
    RulesRefused,
    SeatKept,
    SeatWanted,
)
from hearts.table.inputs import Question
from hearts_client.library.client import Client
from hearts_client.lines.questions import why_not
from hearts_client.screen.pictures.canvas import Ink, Theme
from hearts_client.words.narrator import NOT_CERTAIN
from hearts_client.words.story import ABORT_QUESTIONS, game_in_words
from hearts_client.words.style import sentence

Sending = Callable[[], Awaitable[None]]
_WAITING = 10
"""Choices that wait to be sent; a person makes one at a time."""
_KING = 11
_RANKS = frozenset(RANK_TEXT.lower())
_SUITS = {suit.symbol: suit for suit in Suit} | {SUIT_TEXT[s].lower(): s for s in Suit}


class Choosing:
    """The choices of one person; :meth:`send` sends them."""

    def __init__(
        self, client: Client, picture: Picture, theme: Theme, notice: Callable[[str, Ink], None]
    ) -> None:
        """``picture`` knows what is on the screen, and ``notice`` says why something cannot be."""
        self.asked: Question | None = None
        """The question that is open; None once it is answered."""
        self.proposed = ""
        """The question that the person votes on; empty if there is none."""
        self.is_seat_wanted = False
        self.invitation: InvitationMessage | None = None
        """The table to which the person is asked to come; None for none."""
        self.cards: list[Card] = []
        """The hand, in the order in which it is shown."""
        self.marked: list[Card] = []
        """Marked for the pass, in the order of marking."""
        self.typed = ""
        """The beginning of a card's name; empty after a whole one."""
        self.ahead: Card | None = None
        """The card that is played as soon as it is the person's turn."""
        self.doubted: Card | None = None
        """The card that is asked about once more before it is played."""
        self.is_claiming = False
        """True if the person is asked once more before the rest of the hand is claimed."""
        self.is_finishing = False
        """True if the person is asked once more before a computer plays the hand to its end."""
        self.is_named = False
        """True if a card was typed last by its name, so that Enter can mean nothing else."""
        self._is_marked = False
        """True if a name was typed last that marked a card for the pass."""
        self._enters_names = False
        """True if Enter was pressed behind such a name, so that it does so behind the third."""
        self.doubts: Callable[[Sequence[Card]], bool] = lambda cards: False
        """Says if the person should think again before they choose some cards."""
        self._client = client
        self._picture = picture
        self._theme = theme
        self._notice = notice
        self._cursor = 0
        self._threes = 0
        """Counts how often a third card was marked; the key that did it does not pass them."""
        self._misnamed = False
        """True if a name was typed last that is no card of the hand, so that Enter is not meant."""
        self._out, self._choices = trio.open_memory_channel[Sending](_WAITING)

    async def send(self) -> None:
        async for sending in self._choices:
            # The clock may be quicker, or the connection lost: what follows says so.
            with suppress(LocalProtocolError):
                await sending()

    # What is asked

    def ask(self, question: Question) -> None:
        self.asked = question
        self._misnamed = self.is_named = self._enters_names = False
        self._go_on()
        self.show_hand()
        if question is Question.CARD:
            self._go_among_legal()
            self._play_ahead()

    def _go_among_legal(self) -> None:
        """Put the cursor on the nearest card that may be played, if it is on none of them."""
        places = [place for place, card in enumerate(self.cards) if card in self.legal]
        if places and self._cursor not in places:
            self._cursor = min(places, key=lambda place: abs(place - self._cursor))

    def receive_wish(self, event: DealerEvent) -> None:
        """Somebody may ask for something beside the game, or it is settled."""
        match event:
            case RulesProposed(rules, end_score, _):
                self.proposed = f"Shall the next game be {game_in_words(rules, end_score)}?"
            case AbortProposed(what):
                self.proposed = ABORT_QUESTIONS[what]
            case RulesAgreed() | RulesRefused() | AbortRefused():
                self.proposed = ""
            case SeatWanted():
                self.is_seat_wanted = True
            case SeatKept(player) if player == self._client.player:
                self.is_seat_wanted = False
            case InvitationMessage():
                self.invitation = event
            case InvitationOver():
                self.invitation = None
            case ConnectionLost():
                self.proposed = ""
                self.is_seat_wanted = False
                self.invitation = None

    def settle(self, question: Question) -> None:
        """Close the question, because it is answered."""
        if self.asked is question:
            self.asked = None
            self._go_on()

    def show_hand(self) -> None:
        """Show the hand or its order anew; the cursor stays at its card, or near it."""
        at = self.cursor
        held = self._picture.view().cards if self._picture.dealt else ()
        self.cards = self._theme.style.sorted(held)
        self.marked = [card for card in self.marked if card in held]
        if at in held:
            self._cursor = self.cards.index(at)
        self._cursor = min(self._cursor, max(len(held) - 1, 0))
        if not held:
            self.typed = ""
        if self.ahead not in held:
            self.ahead = None

    @property
    def cursor(self) -> Card | None:
        return self.cards[self._cursor] if self.cards else None

    @property
    def legal(self) -> frozenset[Card]:
        """The cards of the hand that can be chosen; all of them while no card is asked for."""
        if self.asked is Question.CARD:
            return frozenset(self._picture.view().legal_cards)
        return frozenset(self.cards)

    @property
    def can_choose_ahead(self) -> bool:
        is_under_way = self.asked is None and self._picture.hand.play is not None
        return self._theme.settings.chooses_ahead and is_under_way and bool(self.cards)

    @property
    def offer(self) -> object:
        """A value that identifies what can be answered now."""
        is_asked = self.asked is not None or self.votes or self.invitation is not None
        if not is_asked and not self.can_choose_ahead:
            return None
        hand = self._picture.hand
        doubt = self.doubted, self.is_claiming
        beside = self.proposed, self.invitation
        return self.asked, hand.number, hand.begun, beside, doubt, self._threes

    @property
    def votes(self) -> bool:
        """True if something is proposed, and nothing else is answered with yes or no."""
        return bool(self.proposed) and self.asked is not Question.AGAIN

    @property
    def can_claim(self) -> bool:
        """True if every trick that is left is certain to be the person's."""
        return self.asked is Question.CARD and self._client.can_claim_rest

    @property
    def can_pass(self) -> bool:
        return len(self.marked) == PASS_SIZE

    # Keys and clicks

    def choose_moon(self, on_others: bool) -> None:
        self._choose(lambda: self._client.choose_moon(on_others))

    def come(self, comes: bool) -> None:
        self.invitation = None
        self._send(lambda: self._client.answer_invitation(comes))

    def vote(self, agreed: bool) -> None:
        self.proposed = ""
        self._send(lambda: self._client.vote(agreed))

    def play_again(self, yes: bool) -> None:
        self._choose(lambda: self._client.play_again(yes))

    def move(self, step: int) -> None:
        """Move the cursor by a number of cards, round the ends."""
        self.go_to_place(self._cursor + step)

    def go_to_place(self, place: int) -> None:
        """Move the cursor to a card; 0 is the first one, and -1 the last."""
        self._go_on()
        self._misnamed = False
        self.typed = ""
        self._cursor = place % max(len(self.cards), 1)

    def go_to(self, card: Card) -> None:
        self.typed = ""
        if card in self.cards:
            self._cursor = self.cards.index(card)

    def mark(self) -> None:
        """Mark the card at the cursor for the pass, or take its mark away."""
        self._go_on()
        card = self.cursor
        if not self._has_mistyped() and card is not None and self.asked is Question.PASS:
            self._mark(card)

    def unmark(self) -> None:
        self._go_on()
        self.marked.clear()

    def take_back(self) -> None:
        self._go_on()
        self.ahead = None

    def enter(self) -> None:
        """Take the card at the cursor, or do what the person was asked about once more."""
        card, is_marked = self.cursor, self._is_marked
        if self._has_mistyped() or (card is None and not self.is_claiming):
            return
        if is_marked and (self._enters_names or not self.can_pass):
            self._is_marked, self._enters_names = False, True
        elif self.is_claiming:
            self.is_claiming = False
            self._send(self._client.claim_rest)
        elif self.asked is Question.PASS and self.can_pass:
            cards = tuple(self.marked)
            if not self.doubts(cards):
                self._choose(lambda: self._client.pass_cards(cards))
        elif card is not None and not self._take(card):
            self._notice("It is not your turn to choose.", Ink.DIM)

    def _go_on(self) -> None:
        """Forget the question that Enter would confirm, because another key was pressed."""
        self.doubted = None
        self.is_claiming = self.is_finishing = self._is_marked = False

    def _has_mistyped(self) -> bool:
        """Forget what was typed last, if it is no card or the beginning of one."""
        is_mistyped = self._misnamed or bool(self.typed)
        self._misnamed = False
        self.typed = ""
        return is_mistyped

    def _take(self, card: Card) -> bool:
        """Choose a card for what is asked; give False if nothing is."""
        if self.asked is Question.CARD:
            self._play(card)
        elif self.asked is Question.PASS:
            self._mark(card)
        elif self.can_choose_ahead:
            self.ahead = None if card == self.ahead else card
        else:
            return False
        return True

    def click(self, card: Card) -> None:
        self._misnamed = self.is_named = False
        self._go_on()
        self.go_to(card)
        self._take(card)

    def type_name(self, key: str) -> bool:
        """Take a character of a card's name; give False if it is none."""
        self._go_on()
        if len(key) != 1 or not self.cards:
            return False
        before = self.typed
        self.typed, card = name_on(before, key)
        if card is None:
            self._misnamed = bool(before) and not self.typed
            return bool(before or self.typed)
        self._misnamed = card not in self.cards
        if self._misnamed:
            self._notice(f"You do not hold {self._theme.style.card(card)}.", Ink.ALARM)
            return True
        self.go_to(card)
        self.is_named = True
        if self.asked is Question.PASS:
            if card not in self.marked:
                self._mark(card)
            self._is_marked = card in self.marked
        return True

    def _mark(self, card: Card) -> None:
        if card in self.marked:
            self.marked.remove(card)
        elif self.can_pass:
            self._notice("Three cards are marked already; Space takes a mark away.", Ink.ALARM)
        else:
            self.marked.append(card)
            self._threes += self.can_pass

    def _play(self, card: Card) -> None:
        why = why_not(self._picture, card, self._theme.style)
        if why is not None:
            self._notice(sentence(why), Ink.ALARM)
            return
        view, asks_twice = self._picture.view(), self._theme.settings.asks_twice
        if self.doubted != card and (
            self.doubts([card]) or (asks_twice and is_doubtful(card, view.legal_cards, view.trick))
        ):
            self.doubted = card
            return
        self._choose(lambda: self._client.play(card))

    def _play_ahead(self) -> None:
        card, self.ahead = self.ahead, None
        if card is not None:
            self.go_to(card)
            self._play(card)

    def claim(self) -> None:
        """Ask whether the rest is to be claimed; Enter does it."""
        if self.can_claim:
            self.doubted = None
            self.is_claiming = True
        elif self.asked is Question.CARD:
            self._notice(sentence(NOT_CERTAIN), Ink.DIM)
        else:
            self._notice("It is not your turn to lead.", Ink.DIM)

    def let_computer_choose(self) -> None:
        """Choose what the simple bot would, if a pass, a card or a moon is asked for."""
        bot, client = SimpleBot(), self._client
        if self.asked is Question.PASS:
            cards = tuple(bot.choose_pass(self._picture.view()))
            self._choose(lambda: client.pass_cards(cards))
        elif self.asked is Question.MOON:
            self.choose_moon(bot.choose_moon(self._picture.view()))
        elif self.asked is Question.CARD:
            card = bot.choose_card(self._picture.view())
            self._choose(lambda: client.play(card))

    def _choose(self, sending: Sending) -> None:
        self.asked = self.doubted = None
        self._send(sending)

    def _send(self, sending: Sending) -> None:
        try:
            self._out.send_nowait(sending)
        except trio.WouldBlock:
            self._notice("The connection is too slow; that was not sent.", Ink.ALARM)


def name_on(typed: str, key: str) -> tuple[str, Card | None]:
    """Go on with the name of a card by a key: give its beginning, or the card if it is complete.

    A name is a rank and a suit, such as "qs" or "10h"; a character that does not fit begins anew.
    """
    key = key.lower()
    if typed == "1" and key == "0":
        return "t", None
    if key in _RANKS or key == "1":
        return key, None
    if key in _SUITS and typed in _RANKS:
        return "", Card.parse(typed + SUIT_TEXT[_SUITS[key]])
    return "", None


def is_doubtful(card: Card, legal: Collection[Card], trick: Sequence[Card]) -> bool:
    """Say if a queen of spades, a king or an ace would take the trick as it lies, although a lower
    card of its suit may be played.

    ``trick`` are the cards that lie, from the lead on.
    """
    is_high = card == QUEEN_OF_SPADES or card.rank >= _KING
    has_lower = any(other.suit is card.suit and other < card for other in legal)
    takes = not trick or card.suit is trick[0].suit
    is_above = all(other.suit is not card.suit or other < card for other in trick)
    return is_high and has_lower and takes and is_above

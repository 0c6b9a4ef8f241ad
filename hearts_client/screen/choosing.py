"""What the person is asked, and how keys and clicks choose: the cards of the hand and yes or no."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from contextlib import suppress

import trio

from hearts.bots import SimpleBot
from hearts.dealer.client_events import DealerEvent
from hearts.errors import LocalProtocolError
from hearts.game.cards import Card
from hearts.game.game import PASS_SIZE
from hearts.session.client_events import ConnectionLost
from hearts.session.picture import Picture
from hearts.session.table_words import InvitationMessage, InvitationOver
from hearts.table import (
    AbortProposed,
    AbortRefused,
    Question,
    RulesAgreed,
    RulesProposed,
    RulesRefused,
    SeatKept,
    SeatWanted,
)
from hearts_client.library.client import Client
from hearts_client.lines.questions import why_not
from hearts_client.words.narrator import NOT_CERTAIN
from hearts_client.words.story import abort_question, game_in_words

from .canvas import Ink
from .odd_cards import is_odd
from .picker import Picker
from .theme import Theme

Sending = Callable[[], Awaitable[None]]
_WAITING = 10
"""Choices that wait to be sent; a person makes one at a time."""
_YES_NO = {"y": True, "n": False}
_MOON = {"+": True, "-": False}


class Choosing:
    """The choices of one person; what is chosen is sent by :meth:`send`."""

    def __init__(
        self, client: Client, picture: Picture, theme: Theme, notice: Callable[[str, Ink], None]
    ) -> None:
        """``picture`` knows what is on the screen, and ``notice`` says why something cannot be."""
        self.asked: Question | None = None
        """What there is to choose; nothing once it is chosen."""
        self.proposed = ""
        """What the person is asked to vote on, as a question; empty for nothing."""
        self.is_seat_wanted = False
        """Whether the person is asked to give up his seat."""
        self.invitation: InvitationMessage | None = None
        """The table to which the person is asked to come; None for none."""
        self.picker = Picker(theme.style)
        self.ahead: Card | None = None
        """What is played as soon as it is the person's turn."""
        self.doubted: Card | None = None
        """The card that he is asked about once more before it is played."""
        self.is_claiming = False
        """Whether he is asked once more before he claims the rest of the hand."""
        self.is_named = False
        """Whether a card was typed last by its name, so that Enter can mean nothing else."""
        self._client = client
        self._picture = picture
        self._theme = theme
        self._notice = notice
        self._threes = 0
        """How often a third card was marked; the key that marks it is not meant to pass them."""
        self._misnamed = False
        """Whether a name was typed last that is no card of the hand, so that Enter is not meant."""
        self._out, self._choices = trio.open_memory_channel[Sending](_WAITING)

    async def send(self) -> None:
        """Send what is chosen, until cancelled."""
        async for sending in self._choices:
            # The clock may be quicker, or the connection lost: what follows says so.
            with suppress(LocalProtocolError):
                await sending()

    # What is asked

    def ask(self, question: Question) -> None:
        """The person has something to choose."""
        self.asked = question
        self._misnamed = self.is_named = False
        self.doubted = None
        self.is_claiming = False
        self.show_hand()
        if question is Question.CARD:
            self.picker.go_among(self.legal)
            self._play_ahead()

    def hear_wish(self, event: DealerEvent) -> None:
        """Somebody may ask for something beside the game, or it is settled."""
        match event:
            case RulesProposed(rules, end_score, _):
                self.proposed = f"Shall the next game be {game_in_words(rules, end_score)}?"
            case AbortProposed(what):
                self.proposed = abort_question(what)
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
        """It is chosen, by whomever."""
        if self.asked is question:
            self.asked = None
            self.doubted = None
            self.is_claiming = False

    def show_hand(self) -> None:
        """The hand may be another."""
        self.picker.show(self._picture.view().cards if self._picture.dealt else ())
        if self.ahead not in self.picker.cards:
            self.ahead = None

    @property
    def legal(self) -> frozenset[Card]:
        """The cards of the hand that can be chosen; all of them while no card is asked for."""
        if self.asked is Question.CARD:
            return frozenset(self._picture.view().legal_cards)
        return frozenset(self.picker.cards)

    @property
    def can_choose_ahead(self) -> bool:
        """Whether a card can be chosen before it is the person's turn."""
        is_under_way = self.asked is None and self._picture.hand.play is not None
        return self._theme.settings.chooses_ahead and is_under_way and bool(self.picker.cards)

    @property
    def offer(self) -> object:
        """What can be answered now, as a value that is another one for another question."""
        is_asked = self.asked is not None or self.votes or self.invitation is not None
        if not is_asked and not self.can_choose_ahead:
            return None
        hand = self._picture.hand
        doubt = self.doubted, self.is_claiming
        beside = self.proposed, self.invitation
        return self.asked, hand.number, hand.begun, beside, doubt, self._threes

    @property
    def votes(self) -> bool:
        """Whether something is proposed, and nothing else is answered with yes or no."""
        return bool(self.proposed) and self.asked is not Question.AGAIN

    @property
    def can_claim(self) -> bool:
        """Whether every trick that is left is certain to be the person's."""
        return self.asked is Question.CARD and self._client.can_claim_rest

    @property
    def can_pass(self) -> bool:
        """Whether three cards are marked."""
        return len(self.picker.marked) == PASS_SIZE

    # Keys and clicks

    def answer(self, key: str) -> bool:
        """A key that answers a question with a few answers; whether it is one."""
        if self.asked is Question.MOON and key in _MOON:
            on_others = _MOON[key]
            self._choose(lambda: self._client.choose_moon(on_others))
        elif self.invitation is not None and key in _YES_NO:
            self.invitation = None
            comes = _YES_NO[key]
            self._send(lambda: self._client.answer_invitation(comes))
        elif self.votes and key in _YES_NO:
            self.proposed = ""
            agreed = _YES_NO[key]
            self._send(lambda: self._client.vote(agreed))
        elif self.asked is Question.AGAIN and key in _YES_NO:
            yes = _YES_NO[key]
            self._choose(lambda: self._client.play_again(yes))
        else:
            return False
        return True

    def pick(self, key: str) -> bool:
        """A key that has to do with the cards of the hand; whether it is one."""
        picker = self.picker
        if key != "enter":
            self.doubted = None
            self.is_claiming = False
        match key:
            case "left" | "right":
                self._misnamed = False
                picker.move(-1 if key == "left" else 1)
            case "home" | "end" if picker.cards:
                self._misnamed = False
                picker.go_to(picker.cards[0 if key == "home" else -1])
            case "enter" | " " | "up" | "down":
                self._take(key)
            case "backspace" if self.asked is Question.PASS:
                picker.unmark()
            case "backspace" if self.ahead is not None:
                self.ahead = None
            case _ if len(key) == 1 and picker.cards:
                return self._type_name(key)
            case _:
                return False
        return True

    def click(self, card: Card) -> None:
        """A card of the hand was clicked."""
        self._misnamed = self.is_named = self.is_claiming = False
        self.picker.go_to(card)
        if self.asked is Question.CARD:
            self._play(card)
        elif self.asked is Question.PASS:
            self._mark(card)
        elif self.can_choose_ahead:
            self._choose_ahead(card)

    def _type_name(self, key: str) -> bool:
        before = self.picker.typed
        card = self.picker.type(key)
        if card is None:
            self._misnamed = bool(before) and not self.picker.typed
            return bool(before or self.picker.typed)
        self._misnamed = card not in self.picker.cards
        if self._misnamed:
            self._notice(f"You do not hold {self._theme.style.card(card)}.", Ink.ALARM)
            return True
        self.picker.go_to(card)
        self.is_named = True
        if self.asked is Question.PASS:
            self._mark(card)
        return True

    def _take(self, key: str) -> None:
        card = self.picker.cursor
        if self._misnamed or self.picker.typed:
            self._misnamed = False
            self.picker.typed = ""
        elif self.is_claiming and key == "enter":
            self.is_claiming = False
            self._send(self._client.claim_rest)
        elif card is None:
            return
        elif self.asked is Question.PASS:
            if key == "enter" and self.can_pass:
                self._pass()
            else:
                self._mark(card)
        elif self.asked is Question.CARD and key == "enter":
            self._play(card)
        elif self.can_choose_ahead and key == "enter":
            self._choose_ahead(card)
        elif key == "enter":
            self._notice("It is not for you to choose now.", Ink.DIM)

    def _mark(self, card: Card) -> None:
        if not self.picker.toggle(card):
            self._notice("Three cards are marked already; Space takes a mark away.", Ink.ALARM)
        elif self.can_pass:
            self._threes += 1

    def _pass(self) -> None:
        cards = tuple(self.picker.marked)
        self._choose(lambda: self._client.pass_cards(cards))

    def _play(self, card: Card) -> None:
        why = why_not(self._picture, card, self._theme.style)
        if why is not None:
            self._notice(f"{why[0].upper()}{why[1:]}.", Ink.ALARM)
            return
        if self.doubted != card and self._theme.settings.asks_twice and self._is_odd(card):
            self.doubted = card
            return
        self._choose(lambda: self._client.play(card))

    def _is_odd(self, card: Card) -> bool:
        view = self._picture.view()
        return is_odd(card, view.legal_cards, view.trick)

    def _choose_ahead(self, card: Card) -> None:
        self.ahead = None if card == self.ahead else card

    def _play_ahead(self) -> None:
        card, self.ahead = self.ahead, None
        if card is not None:
            self.picker.go_to(card)
            self._play(card)

    def claim(self) -> None:
        """Ask whether the rest is to be claimed; Enter does it."""
        if self.can_claim:
            self.doubted = None
            self.is_claiming = True
        elif self.asked is Question.CARD:
            self._notice(f"{NOT_CERTAIN[0].upper()}{NOT_CERTAIN[1:]}.", Ink.DIM)
        else:
            self._notice("It is not for you to lead now.", Ink.DIM)

    def let_computer_choose(self) -> None:
        """Choose what the simple bot would, if a pass, a card or a moon is asked for."""
        bot = SimpleBot()
        if self.asked is Question.PASS:
            cards = tuple(bot.choose_pass(self._picture.view()))
            self._choose(lambda: self._client.pass_cards(cards))
        elif self.asked is Question.MOON:
            on_others = bot.choose_moon(self._picture.view())
            self._choose(lambda: self._client.choose_moon(on_others))
        elif self.asked is Question.CARD:
            card = bot.choose_card(self._picture.view())
            self._choose(lambda: self._client.play(card))

    def _choose(self, sending: Sending) -> None:
        self.asked = self.doubted = None
        self._send(sending)

    def _send(self, sending: Sending) -> None:
        try:
            self._out.send_nowait(sending)
        except trio.WouldBlock:
            self._notice("The connection is too slow; that was not sent.", Ink.ALARM)

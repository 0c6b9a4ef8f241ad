"""A table with the person in one of its seats: the hand, what is asked, and what keys choose."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from contextlib import suppress

import trio

from hearts.bots import SimpleBot
from hearts.bots.hints import hint
from hearts.cards import Card
from hearts.dealer.client_events import DealerEvent
from hearts.dealer.messages import PlayerChange
from hearts.errors import LocalProtocolError
from hearts.events import CardPlayed, CardsReceived, MoonChosen, PassMade, YourHand
from hearts.game import PASS_SIZE
from hearts.plain.client_events import (
    AgainAnswered,
    AnotherGame,
    ChoiceRefused,
    ConnectionLost,
    SessionEnded,
    YourChoice,
)
from hearts.plain.messages import Scores
from hearts.table import Change, Question, RulesAgreed, RulesProposed, RulesRefused
from hearts_client.client import Client
from hearts_client.hints import hint_in_words
from hearts_client.questions import why_not
from hearts_client.story import game_in_words

from .canvas import Ink
from .canvas_widget import WHEEL_UP
from .chat_box import ChatBox, Closed, Commanded, Said
from .looks import Looks
from .picker import Picker
from .prompts import choices, question_line
from .sight import Button, ChatSight, HandCard, OnCard, OnChat, Stage
from .table import Table
from .table_page import Notice, TablePage

Sending = Callable[[], Awaitable[None]]
_CHOICES_WAITING = 10
_NEW_PLAYER = frozenset({Change.COMPUTER.value, Change.TAKEN.value})
_YES_NO = {"y": True, "n": False}
_MOON = {"o": True, "m": False}


class SeatPage(TablePage):
    """What the person sees and types; what is chosen is sent by :meth:`send_choices`."""

    def __init__(
        self,
        client: Client,
        looks: Looks,
        ring: Callable[[], None],
        *,
        say: Callable[[str], None],
        command: Callable[[str], None],
    ) -> None:
        """``say`` gets a line for the chat, and ``command`` one with a slash."""
        table = Table(looks.style)
        super().__init__(table, looks, ring)
        self.chat = ChatBox(table.company.title, table.company.find, looks.settings.taunts)
        self._client = client
        self._say = say
        self._command = command
        self._picker = Picker(looks.style)
        self._asked: Question | None = None
        self._proposed = ""
        self._received: frozenset[Card] = frozenset()
        self._lost = ""
        self._auto = False
        self._pastes = False
        self._misnamed = False
        """Whether a name was typed last that is no card of the hand, so that Enter is not meant."""
        self._out, self._choices = trio.open_memory_channel[Sending](_CHOICES_WAITING)

    # What happens

    def shown(self, event: DealerEvent) -> None:
        match event:
            case YourChoice(question) | ChoiceRefused(question):
                self._ask(question)
            case YourHand():
                self._received = frozenset()
                self._picker.unmark()
            case PassMade():
                self._picker.unmark()
                self._settle(Question.PASS)
            case CardsReceived(cards):
                self._received = frozenset(cards)
            case CardPlayed(player) if player == self._client.player:
                self._received = frozenset()
                self._settle(Question.CARD)
            case MoonChosen():
                self._settle(Question.MOON)
            case AgainAnswered() | AnotherGame():
                self._settle(Question.AGAIN)
            case Scores():
                self._auto = False
            case RulesProposed(rules, end_score, _):
                self._proposed = game_in_words(rules, end_score)
            case RulesAgreed() | RulesRefused():
                self._proposed = ""
            case ConnectionLost(why):
                self._lost = why
                self._asked = None
            case PlayerChange(change, info) if change in _NEW_PLAYER:
                self.chat.unmute(info.player)
            case SessionEnded():
                self.is_over = True
                self._asked = None
        if self._lost and not isinstance(event, ConnectionLost):
            self._lost = ""
        self._show_hand()

    def _ask(self, question: Question) -> None:
        self._asked = question
        self._show_hand()
        if self._auto and question in (Question.CARD, Question.MOON):
            self._let_computer_choose()
            return
        self.ring()
        if question is Question.CARD:
            self._picker.go_among(self._legal())

    def _settle(self, question: Question) -> None:
        if self._asked is question:
            self._asked = None

    def _show_hand(self) -> None:
        tracker = self.table.tracker
        self._picker.show(tracker.view().cards if tracker.dealt else ())

    def restyle(self) -> None:
        """The settings have changed."""
        self._picker.use(self.looks.style)
        self.chat.taunts = self.looks.settings.taunts
        self.changed()

    # Keys

    def press(self, key: str) -> bool:
        if key in ("begin paste", "end paste"):
            self._pastes = key == "begin paste"
        if self.chat.is_open:
            self._type_in_chat(key)
        elif self._pastes or self._answer(key) or super().press(key):
            pass  # What is pasted was not meant to play cards.
        elif key in ("/", "tab"):
            self.chat.open()
        elif key == "!":
            self.chat.open_taunts()
        elif key == "i":
            self._hint()
        elif key == "f":
            self._finish_hand()
        elif not self._pick(key):
            return False
        self.changed()
        return True

    def _type_in_chat(self, key: str) -> None:
        match self.chat.key(key):
            case Said(text):
                self._say(text)
            case Commanded(line):
                self._command(line)
            case Closed() | None:
                pass

    def click(self, target: object | None) -> None:
        match target:
            case OnChat():
                self.chat.open()
            case OnCard(card):
                self.chat.close()
                self._click_card(card)
            case _:
                self.chat.close()
        self.changed()

    def wheel(self, target: object | None, button: int) -> None:
        if isinstance(target, OnChat):
            self.chat.scroll(up=button == WHEEL_UP)
            self.changed()

    def _click_card(self, card: Card) -> None:
        self._picker.go_to(card)
        if self._asked is Question.CARD:
            self._play(card)
        elif self._asked is Question.PASS:
            self._mark(card)

    # What is asked

    def _answer(self, key: str) -> bool:
        """A key that answers a question with a few answers."""
        if self._asked is Question.MOON and key in _MOON:
            on_others = _MOON[key]
            self._choose(lambda: self._client.choose_moon(on_others))
        elif self._votes and key in _YES_NO:
            self._proposed = ""
            agreed = _YES_NO[key]
            self._send(lambda: self._client.vote(agreed))
        elif self._asked is Question.AGAIN and key in _YES_NO:
            yes = _YES_NO[key]
            self._choose(lambda: self._client.play_again(yes))
        else:
            return False
        return True

    @property
    def _votes(self) -> bool:
        """Whether other rules are proposed, and nothing else is answered with yes or no."""
        return bool(self._proposed) and self._asked is not Question.AGAIN

    def _pick(self, key: str) -> bool:
        """A key that has to do with the cards of the hand."""
        picker = self._picker
        match key:
            case "left" | "right":
                self._misnamed = False
                picker.move(-1 if key == "left" else 1)
            case "home" | "end" if picker.cards:
                picker.go_to(picker.cards[0 if key == "home" else -1])
            case "enter" | " " | "up" | "down":
                self._take(key)
            case "backspace" if self._asked is Question.PASS:
                picker.unmark()
            case _ if len(key) == 1:
                return self._type_name(key)
            case _:
                return False
        return True

    def _type_name(self, key: str) -> bool:
        before = self._picker.typed
        card = self._picker.type(key)
        if card is None:
            self._misnamed = bool(before) and not self._picker.typed
            return bool(before or self._picker.typed)
        self._misnamed = card not in self._picker.cards
        if self._misnamed:
            self.notice(f"You do not hold {self.looks.style.card(card)}.", Ink.ALARM)
            return True
        self._picker.go_to(card)
        if self._asked is Question.PASS:
            self._mark(card)
        return True

    def _take(self, key: str) -> None:
        card = self._picker.cursor
        if self._misnamed or self._picker.typed:
            self._misnamed = False
            self._picker.typed = ""
            return
        if card is None:
            return
        if self._asked is Question.PASS:
            if key == "enter" and len(self._picker.marked) == PASS_SIZE:
                self._pass()
            else:
                self._mark(card)
        elif self._asked is Question.CARD and key == "enter":
            self._play(card)
        elif key == "enter":
            self.notice("It is not for you to choose now.", Ink.DIM)

    def _mark(self, card: Card) -> None:
        if not self._picker.toggle(card):
            self.notice("Three cards are marked already; Space takes a mark away.", Ink.ALARM)

    def _pass(self) -> None:
        cards = tuple(self._picker.marked)
        self._choose(lambda: self._client.pass_cards(cards))

    def _play(self, card: Card) -> None:
        why = why_not(self.table.tracker, card, self.looks.style)
        if why is not None:
            self.notice(f"{why[0].upper()}{why[1:]}.", Ink.ALARM)
            return
        self._choose(lambda: self._client.play(card))

    def _choose(self, sending: Sending) -> None:
        self._asked = None
        self._send(sending)

    def _send(self, sending: Sending) -> None:
        try:
            self._out.send_nowait(sending)
        except trio.WouldBlock:
            self.notice("The connection is too slow; that was not sent.", Ink.ALARM)

    async def send_choices(self) -> None:
        """Send what is chosen, until cancelled."""
        async for sending in self._choices:
            # The clock may be quicker, or the connection lost: what follows says so.
            with suppress(LocalProtocolError):
                await sending()

    # Help at hand

    def _hint(self) -> None:
        if self._asked not in (Question.PASS, Question.CARD, Question.MOON):
            self.notice("There is nothing to choose now.", Ink.DIM)
            return
        advice = hint(self.table.tracker.view(), self._asked)
        self.notice(hint_in_words(advice, self.looks.style, self.table.company.name))
        if self._asked is Question.CARD:
            self._picker.go_to(advice.cards[0])

    def _finish_hand(self) -> None:
        self._auto = not self._auto
        if not self._auto:
            self.notice("You play yourself again.")
            return
        self.notice("A computer plays your hand out; f takes it back.")
        if self._asked in (Question.CARD, Question.MOON):
            self._let_computer_choose()

    def _let_computer_choose(self) -> None:
        view = self.table.tracker.view()
        bot = SimpleBot()
        if self._asked is Question.MOON:
            on_others = bot.choose_moon(view)
            self._choose(lambda: self._client.choose_moon(on_others))
        else:
            card = bot.choose_card(view)
            self._choose(lambda: self._client.play(card))

    # What there is to be seen

    @property
    def is_asked(self) -> bool:
        return self._asked is not None

    @property
    def is_auto(self) -> bool:
        return self._auto

    def hand(self) -> tuple[HandCard, ...]:
        picker = self._picker
        legal = self._legal()
        return tuple(
            HandCard(
                card,
                playable=card in legal,
                cursor=self.is_asked and card == picker.cursor,
                marked=card in picker.marked,
                received=card in self._received,
            )
            for card in picker.cards
        )

    def _legal(self) -> frozenset[Card]:
        if self._asked is Question.CARD:
            return frozenset(self.table.tracker.view().legal_cards)
        return frozenset(self._picker.cards)

    def chat_sight(self) -> ChatSight:
        self.chat.me = self._client.player
        return self.chat.sight()

    def prompt(self) -> Notice:
        if self._lost:
            return f"Connection lost ({self._lost}); trying again...", Ink.ALARM
        if self._picker.typed:
            return f"{self._picker.typed.upper()}... and a suit: c d h s", Ink.FIELD
        if self._votes:
            return f"Shall the next game be {self._proposed}? y or n", Ink.STRONG
        if self._asked is not None:
            tracker, marked = self.table.tracker, self._picker.marked
            view = tracker.view() if tracker.dealt else None
            text = question_line(self._asked, view, marked, self.looks.style, self.table.name)
            return text, Ink.STRONG
        return super().prompt()

    def buttons(self) -> list[Button]:
        if self.chat.is_open:
            return [Button("enter", "say"), Button("esc", "back to the cards")]
        if self.is_held:
            take_back = [Button("f", "take the hand back")] if self._auto else []
            return [Button("enter", "go on"), *take_back, *self._other_buttons()]
        passes = len(self._picker.marked) == PASS_SIZE
        return [*choices(self._asked, passes, self._auto), *self._other_buttons()]

    def _other_buttons(self) -> list[Button]:
        over = self.table.stage in (Stage.HAND_OVER, Stage.GAME_OVER)
        more = [Button("v", "replay"), Button("b", "scores")] if over else []
        return [*more, Button("/", "chat"), Button("?", "help"), Button("m", "menu")]

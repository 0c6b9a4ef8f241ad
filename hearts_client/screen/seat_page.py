"""A table with the person in one of its seats: the hand, what is asked, and what keys choose."""

from __future__ import annotations

from collections.abc import Callable

from hearts.dealer.client_events import DealerEvent
from hearts.game.cards import Card
from hearts.game.events import CardPlayed, CardsReceived, MoonChosen, PassMade, YourHand
from hearts.session.client_events import (
    AgainAnswered,
    AnotherGame,
    ChoiceRefused,
    ConnectionLost,
    Seated,
    SessionEnded,
    YourChoice,
)
from hearts.session.messages import Scores
from hearts.session.table_words import InvitationMessage, InvitationOver, PlayerChange
from hearts.table import Change, HandAborted, Question, SeatWanted
from hearts_client.library.client import Client
from hearts_client.session.analyst import Ask
from hearts_client.words.invited import invitation_question
from hearts_client.words.narrator import lost_line

from .canvas import Ink
from .canvas_widget import WHEEL_UP
from .chat_box import ChatBox, Closed, Commanded, Said
from .choosing import Choosing
from .forming_keys import FORMING_KEYS, forming_buttons, forming_command
from .forming_words import forming_words
from .hinting import Hinting
from .prompts import SEAT_LINE, choices, claim_line, question_line
from .shown_table import ShownTable
from .table_page import TablePage
from .theme import Theme
from .ticker import Notice
from .tones import Sound
from .view_model import ChatSight, HandCard, LabelledKey, OnCard, OnChat, Stage
from .wanted import WantedPage

_ALWAYS = (LabelledKey("/", "chat"), LabelledKey("?", "help"), LabelledKey("m", "menu"))
_NEW_PLAYER = frozenset({Change.COMPUTER, Change.TAKEN})


class SeatPage(TablePage):
    """What the person sees and types; what is chosen is in :class:`Choosing`."""

    def __init__(
        self,
        client: Client,
        theme: Theme,
        ring: Callable[[Sound], None],
        *,
        say: Callable[[str], None],
        command: Callable[[str], None],
        alone: bool = False,
        invite: Callable[[str], str] | None = None,
        ask: Ask | None = None,
    ) -> None:
        """``say`` gets a line for the chat, and ``command`` one with a slash.

        ``alone`` says that nobody else waits, so that the person has the pace in his hand.
        ``invite`` gives the line with which friends come to a table of a name, and ``ask`` asks a
        bot that searches what it thinks of a position.
        """
        table = ShownTable(theme.style)
        super().__init__(table, theme, ring, alone=alone)
        self.chat = ChatBox(table.roster.title, table.roster.find, theme.settings.taunts)
        self._client = client
        self._say = say
        self._command = command
        self._invite = invite
        self.choosing = Choosing(client, table.picture, theme, self._advise)
        self._hinting = Hinting(table, self.choosing, theme, self.notice, self._choice_moment, ask)
        self._received: frozenset[Card] = frozenset()
        self._lost = ""
        self._pastes = False
        self._is_named = False
        self.waits = False
        """Whether others may invite the person to their tables."""

    # What happens

    def moments(self) -> tuple[object, ...]:
        return *super().moments(), self._choice_moment()

    def _choice_moment(self) -> object:
        hand = self.table.picture.hand
        return "choice", self.choosing.asked, hand.number, hand.begun

    def _advise(self, text: str, ink: Ink = Ink.NOTICE) -> None:
        """Say something about the choice that is to be made."""
        self.notice(text, ink, self._choice_moment())

    def hear(self, event: DealerEvent) -> None:
        super().hear(event)
        match event:
            case PassMade(player) | CardPlayed(player) | MoonChosen(player):
                if player == self._client.player:
                    self.clocks.chosen()
            case AgainAnswered() | HandAborted():
                self.clocks.chosen()

    def shown(self, event: DealerEvent) -> None:
        self.choosing.hear_wish(event)
        match event:
            case YourChoice(question) | ChoiceRefused(question):
                self._ask(question)
            case YourHand():
                self._received = frozenset()
                self.choosing.picker.unmark()
            case PassMade():
                self.choosing.picker.unmark()
                self.choosing.settle(Question.PASS)
            case CardsReceived(cards):
                self._received = frozenset(cards)
            case CardPlayed(player) if player == self._client.player:
                self._received = frozenset()
                self.choosing.settle(Question.CARD)
            case MoonChosen():
                self.choosing.settle(Question.MOON)
            case AgainAnswered() | AnotherGame():
                self.choosing.settle(Question.AGAIN)
            case Scores():
                self.pace.is_auto = False
            case SeatWanted() | InvitationMessage():
                self.ring(Sound.NEWS)
            case InvitationOver(agreed=True) | Seated():
                self.waits = False
            case HandAborted():
                self._forget_hand()
            case ConnectionLost(why):
                self._lost = why
                self.choosing.asked = None
            case PlayerChange(change, info) if change in _NEW_PLAYER:
                self.chat.unmute(info.player)
            case SessionEnded():
                self.is_over = True
                self.choosing.asked = None
        if self._lost and not isinstance(event, ConnectionLost):
            self._lost = ""
        self.choosing.show_hand()

    def _forget_hand(self) -> None:
        self.pace.is_auto = False
        self._received = frozenset()
        self.choosing.proposed = ""
        for question in (Question.PASS, Question.CARD, Question.MOON):
            self.choosing.settle(question)

    def _ask(self, question: Question) -> None:
        self.choosing.ask(question)
        if self.pace.is_auto and question is not Question.AGAIN:
            self.choosing.let_computer_choose()
        else:
            self.ring(Sound.TURN)

    def restyle(self) -> None:
        """The settings have changed."""
        self.choosing.picker.use(self.theme.style)
        self.chat.taunts = self.theme.settings.taunts
        self.changed()

    # Keys

    def press(self, key: str) -> bool:
        if key in ("begin paste", "end paste"):
            self._pastes = key == "begin paste"
        # A card's name and Enter are one choice, and it was not typed for anything else.
        self._is_named = self.choosing.is_named and key == "enter" and not self.is_held
        self.choosing.is_named = False
        if self.chat.is_open:
            self._type_in_chat(key)
            if not self.chat.is_open:
                self._keys.forget()
        elif self._pastes or self.is_too_soon(key):
            pass  # What is pasted was not meant to play cards.
        elif self.choosing.answer(key) or super().press(key):
            pass
        elif key in FORMING_KEYS:
            self._do_while_forming(key)
        elif key in ("/", "tab"):
            self.chat.open()
        elif key == "!":
            self.chat.open_taunts()
        elif key == "i" and self.table.is_forming:
            self._want_to_invite()
        elif key == "i":
            self._hinting.give()
        elif key == "f":
            self._finish_hand()
        elif key == "e":
            self.choosing.claim()
        elif not self.choosing.pick(key):
            return False
        self.changed()
        return True

    def offer(self) -> object:
        return super().offer() or self.choosing.offer

    def offer_to_keys(self) -> object:
        return "chat" if self.chat.is_open else super().offer_to_keys()

    def is_too_soon(self, key: str) -> bool:
        return not self._is_named and super().is_too_soon(key)

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
                self.choosing.click(card)
            case _:
                self.chat.close()
        self.changed()

    def wheel(self, target: object | None, button: int) -> None:
        if isinstance(target, OnChat):
            self.chat.scroll(up=button == WHEEL_UP)
            self.changed()

    # Help at hand

    def _want_to_invite(self) -> None:
        if self.table.may_start:
            self.want(WantedPage.INVITE)
        else:
            self.notice("Only who has opened the table may invite others to it.", Ink.DIM)

    def _do_while_forming(self, key: str) -> None:
        command, why = forming_command(key, self.table)
        if command:
            self._command(command)
        else:
            self.notice(why, Ink.DIM)

    def _finish_hand(self) -> None:
        if self.is_over or not self.table.stage.is_play:
            self.notice("There is no hand to play out now.", Ink.DIM)
            return
        self.pace.is_auto = not self.pace.is_auto
        if not self.pace.is_auto:
            self.notice("You play yourself again.")
            return
        self.notice("A computer plays your hand out; f takes it back.")
        if self.pace.hurries:
            self.dismiss()
        self.choosing.let_computer_choose()

    # What there is to be seen

    @property
    def is_asked(self) -> bool:
        return self.choosing.asked is not None

    def hand(self) -> tuple[HandCard, ...]:
        picker = self.choosing.picker
        legal = self.choosing.legal
        return tuple(
            HandCard(
                card,
                playable=card in legal,
                cursor=card == picker.cursor and (self.is_asked or self.choosing.can_choose_ahead),
                marked=card in picker.marked or card == self.choosing.ahead,
                received=card in self._received,
            )
            for card in picker.cards
        )

    def forming_words(self) -> tuple[tuple[str, Ink], ...]:
        table = self.table
        if table.stage is not Stage.WAITING or table.told is None or table.told.game_number:
            return ()
        return forming_words(
            table.told,
            table.joined,
            table.roster.me,
            self.clocks.until_it_begins,
            self._invite,
            waits=self.waits,
            invitation=self.choosing.invitation,
        )

    def chat_sight(self) -> ChatSight:
        self.chat.me = self._client.player
        return self.chat.sight()

    def prompt(self) -> Notice:
        if self._lost:
            return lost_line(self._lost), Ink.ALARM
        choosing = self.choosing
        if choosing.picker.typed:
            return f"{choosing.picker.typed.upper()}... and a suit: c d h s", Ink.FIELD
        if choosing.invitation is not None:
            return f"{invitation_question(choosing.invitation)} y or n", Ink.STRONG
        if choosing.votes:
            return f"{choosing.proposed} y or n", Ink.STRONG
        asked = choosing.asked
        style = self.theme.style
        if choosing.doubted is not None:
            card = style.card(choosing.doubted)
            return f"{card} may take the trick. Enter plays it all the same.", Ink.ALARM
        if choosing.is_claiming:
            return claim_line(self.table.picture.view()), Ink.ALARM
        if choosing.ahead is not None:
            card = style.card(choosing.ahead)
            return f"{card} is played when it is your turn; Backspace takes it back.", Ink.STRONG
        if asked is not None:
            picture, marked = self.table.picture, choosing.picker.marked
            view = picture.view() if picture.dealt else None
            text = question_line(asked, view, marked, style, self.table.name)
            return text, Ink.STRONG
        if choosing.is_seat_wanted:
            return SEAT_LINE, Ink.STRONG
        return super().prompt()

    def buttons(self) -> list[LabelledKey]:
        if self.chat.is_open:
            return [LabelledKey("enter", "say"), LabelledKey("esc", "back to the cards")]
        if self.is_held:
            take_back = [LabelledKey("f", "take the hand back")] if self.pace.is_auto else []
            return [LabelledKey("enter", "go on"), *take_back, *self._other_buttons()]
        choosing = self.choosing
        if choosing.is_claiming:
            return [LabelledKey("enter", "claim the rest"), *self._other_buttons()]
        if choosing.invitation is not None:
            return [LabelledKey("y", "come"), LabelledKey("n", "stay"), *self._other_buttons()]
        answers = choices(choosing.asked, choosing.can_pass, self.pace.is_auto, choosing.can_claim)
        return [*answers, *self._other_buttons()]

    def _other_buttons(self) -> list[LabelledKey]:
        if self.table.stage is Stage.WAITING:
            return [*forming_buttons(self.table), *_ALWAYS]
        over = self.table.stage in (Stage.HAND_OVER, Stage.GAME_OVER)
        more = [LabelledKey("v", "replay"), LabelledKey("b", "scores")] if over else []
        return [*more, *_ALWAYS]

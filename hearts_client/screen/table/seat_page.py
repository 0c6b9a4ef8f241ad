"""A table with the person in one of its seats: the hand, the questions, the choices by keys."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from msgspec.structs import replace

from hearts.bots.hints import hint
from hearts.errors import Fault
from hearts.game.cards import Card
from hearts.game.events import CardPlayed, CardsReceived, MoonChosen, PassMade, YourHand
from hearts.session import client_events
from hearts.session.client_events import DealerEvent
from hearts.session.messages import Scores
from hearts.session.table_words import InvitationMessage, InvitationOver, PlayerChange, PlayerKind
from hearts.table.effects import Change, HandAborted, SeatWanted, TakenBack
from hearts.table.inputs import Question
from hearts_client.screen.input.chat_box import ChatBox
from hearts_client.screen.pictures.canvas import Ink, LabelledKey, Piece, Theme
from hearts_client.screen.pictures.sights import ChatSight, HandCard, OnCard, OnChat, Stage
from hearts_client.screen.sound import Sound
from hearts_client.session.own_record import OwnRecord
from hearts_client.session.visit import TakenSeat
from hearts_client.words.hints import HINTED, NO_HINTS, hint_in_words
from hearts_client.words.narrator import Narrator
from hearts_client.words.style import sentence
from hearts_client.words.tables import invitation_question
from hearts_client.words.typed import Request

from .choosing import Choosing
from .keys import SEAT_KEYS, TYPING_KEYS, Key, WantedPage
from .shown_table import ShownTable
from .table_page import TablePage
from .table_words import SEAT_LINE, claim_line, forming_words, question_line

_CANNOT: dict[Request, tuple[str, str]] = {
    "/start": (
        "Only who has opened the table may start it.",
        "The table has its players already.",
    ),
    "/seat": (
        "No other seat is for you: none is free, or you are player 0.",
        "Nobody takes another seat once the table has begun.",
    ),
}
"""The answers to those who may not: while the table forms, and later."""
_NEW_PLAYER = frozenset({Change.COMPUTER, Change.TAKEN})


class SeatPage(TablePage):
    """The page of a player; their choices are in :class:`Choosing`."""

    rows = SEAT_KEYS

    def __init__(
        self,
        seat: TakenSeat,
        theme: Theme,
        ring: Callable[[Sound], None],
        *,
        say: Callable[[str], None],
        command: Callable[[str], None],
    ) -> None:
        """``say`` gets a line for the chat, and ``command`` one with a slash."""
        client, table = seat.client, ShownTable(theme.style)
        super().__init__(table, theme, ring, alone=seat.is_alone)
        roster, taunts = table.roster, theme.settings.taunts
        self.chat: ChatBox = ChatBox(roster.title, roster.find, say, command, taunts)
        self._client = client
        self._command = command
        self._invite = seat.invite
        self.choosing: Choosing = Choosing(client, table.picture, theme, self._advise)
        self._received: frozenset[Card] = frozenset()
        self._lost = ""
        self._pastes = False
        self._is_named = False
        self.waits = False
        self.record: OwnRecord | None = None
        """The record of the games, if there is one."""

    # What happens

    def moments(self) -> tuple[object, ...]:
        return *super().moments(), self._choice_moment()

    def _choice_moment(self) -> object:
        hand = self.table.picture.hand
        return "choice", self.choosing.asked, hand.number, hand.begun

    def _advise(self, text: str, ink: Ink = Ink.NOTICE) -> None:
        """Give advice about the choice that is to be made; it has not happened at the table."""
        self.notice(text, ink, self._choice_moment(), has_happened=False)

    def receive(self, event: DealerEvent) -> None:
        super().receive(event)
        match event:
            case PassMade(player) | CardPlayed(player) | MoonChosen(player):
                if player == self._client.player:
                    self.clocks.chosen()
            case client_events.AgainAnswered() | HandAborted() | TakenBack():
                self.clocks.chosen()

    def shown(self, event: DealerEvent) -> None:
        super().shown(event)
        self.choosing.receive_wish(event)
        self._lost = ""
        match event:
            case client_events.YourChoice(question) | client_events.ChoiceRefused(question):
                self._ask(question)
            case YourHand():
                self._received = frozenset()
                self.choosing.unmark()
            case PassMade():
                self.choosing.unmark()
                self.choosing.settle(Question.PASS)
            case CardsReceived(cards):
                self._received = frozenset(cards)
            case CardPlayed(player) if player == self._client.player:
                self._received = frozenset()
                self.choosing.settle(Question.CARD)
            case MoonChosen():
                self.choosing.settle(Question.MOON)
            case client_events.AgainAnswered() | client_events.AnotherGame():
                self.choosing.settle(Question.AGAIN)
            case Scores():
                self.is_auto = False
            case SeatWanted() | InvitationMessage():
                self.ring(Sound.NEWS)
            case InvitationOver(agreed=True) | client_events.Seated():
                self.waits = False
            case HandAborted() | TakenBack():
                self._forget_hand()
            case client_events.ConnectionLost(why):
                self._lost = why
                self.choosing.asked = None
            case PlayerChange(change, info) if change in _NEW_PLAYER:
                self.chat.muted.discard(info.player)
            case client_events.SessionEnded():
                self.choosing.asked = None
        self.choosing.show_hand()

    def _forget_hand(self) -> None:
        self.is_auto = False
        self._received = frozenset()
        self.choosing.proposed = ""
        self.choosing.take_back()
        for question in (Question.PASS, Question.CARD, Question.MOON):
            self.choosing.settle(question)

    def _ask(self, question: Question) -> None:
        self.choosing.ask(question)
        if self.is_auto and question is not Question.AGAIN:
            self.choosing.let_computer_choose()
        else:
            self.ring(Sound.TURN)

    def restyle(self) -> None:
        self.choosing.show_hand()
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
            self.chat.key(key)
            if not self.chat.is_open:
                self._guard.forget()
        elif not self._pastes and not super().press(key) and not self.choosing.type_name(key):
            return False  # What is pasted was not meant to play cards.
        self.changed()
        return True

    def offer(self) -> object:
        return super().offer() or self.choosing.offer

    def offer_to_keys(self) -> object:
        return "chat" if self.chat.is_open else super().offer_to_keys()

    def is_too_soon(self, row: Key[Any]) -> bool:
        return not self._is_named and super().is_too_soon(row)

    def click(self, target: object | None) -> None:
        match target:
            case OnChat():
                self.chat.open()
            case OnCard(card):
                self.chat.close()
                self.choosing.click(card)
            case _:
                self.chat.close()

    def turn_wheel(self, step: int, target: object | None) -> None:
        if isinstance(target, OnChat):
            self.chat.scroll(up=step < 0)

    # Help at hand

    def hint(self) -> None:
        """Give a hint, and go to its card."""
        asked, style = self.choosing.asked, self.theme.style
        if asked not in HINTED:
            self.refuse("There is nothing to choose now.")
            return
        if self.is_of_day:
            self.refuse(NO_HINTS)
            return
        advice = hint(self.table.picture.view(), asked)
        self._advise(hint_in_words(advice, style, self.table.roster.name))
        if asked is Question.CARD:
            self.choosing.go_to(advice.cards[0])

    def invite(self) -> None:
        if self.table.may_start:
            self.want(WantedPage.INVITE)
        else:
            self.refuse("Only who has opened the table may invite others to it.")

    def ask_table(self, what: Request) -> None:
        """AskCost to start the table or for another seat, or say why that cannot be."""
        table, (while_it_forms, afterwards) = self.table, _CANNOT[what]
        may = table.may_start if what == "/start" else table.may_move
        if may:
            self._command(what)
        else:
            self.refuse(while_it_forms if table.stage is Stage.WAITING else afterwards)

    @property
    def is_of_day(self) -> bool:
        """True if the deal of the day is played, at which nobody helps."""
        return self.record is not None and self.record.day is not None

    @property
    def can_take_back(self) -> bool:
        """True if the person plays alone with computers, without a clock."""
        others = [info for info in self.table.roster.infos if info.player != self._client.player]
        is_alone = all(info.kind is PlayerKind.COMPUTER for info in others)
        table = self._client.picture.table
        return is_alone and table is not None and not table.turn_limit

    @property
    def has_chosen(self) -> bool:
        """True if the person has chosen something in this game."""
        picture, me = self._client.picture, self._client.player
        plays = any(play.player == me for play in picture.hand.plays)
        return plays or picture.hand.passed is not None or bool(picture.board.rows)

    def take_back(self, *, again: bool = False) -> None:
        """Take the last choice back, or do it again."""
        if self.can_take_back and not self.is_over:
            self.is_auto = False
            self._command("/redo" if again else "/undo")
        else:
            self.refuse(sentence(Fault.NOT_ALONE.text))

    def finish_hand(self) -> None:
        """Let a computer play the hand out, or take the hand back."""
        if self.is_over or not self.table.stage.is_play:
            self.refuse("There is no hand to play out now.")
            return
        if self.is_of_day:
            self.refuse("The deal of the day you play yourself.")
            return
        if self.is_auto:
            self.is_auto = False
            self.notice("You play yourself again.")
            return
        if self.theme.settings.asks_to_finish and not self.choosing.is_finishing:
            self.choosing.is_finishing = True
            return
        self.is_auto, self.choosing.is_finishing = True, False
        self.notice("A computer plays your hand out; f takes it back.")
        if self.hurries:
            self.dismiss()
        self.choosing.let_computer_choose()

    # What there is to be seen

    @property
    def is_asked(self) -> bool:
        return self.choosing.asked is not None

    def hand(self) -> tuple[HandCard, ...]:
        choosing, legal = self.choosing, self.choosing.legal
        return tuple(
            HandCard(
                card,
                playable=card in legal,
                cursor=card == choosing.cursor and (self.is_asked or choosing.can_choose_ahead),
                marked=card in choosing.marked or card == choosing.ahead,
                received=card in self._received,
            )
            for card in choosing.cards
        )

    def forming_words(self) -> tuple[Piece, ...]:
        seconds, invitation = self.clocks.until_it_begins, self.choosing.invitation
        return forming_words(self.table, seconds, self._invite, self.waits, invitation)

    def chat_sight(self) -> ChatSight:
        self.chat.me = self._client.player
        return self.chat.sight()

    def prompt(self) -> Piece:
        choosing, style, picture = self.choosing, self.theme.style, self.table.picture
        if self._lost:
            return Narrator.LOST.format(why=self._lost), Ink.ALARM
        if choosing.typed:
            return f"{choosing.typed.upper()}... and a suit: c d h s", Ink.FIELD
        if choosing.invitation is not None:
            return f"{invitation_question(choosing.invitation)} y or n", Ink.STRONG
        if choosing.votes:
            return f"{choosing.proposed} y or n", Ink.STRONG
        if choosing.doubted is not None:
            doubted = style.card(choosing.doubted)
            return f"{doubted} may take the trick. Enter plays it all the same.", Ink.ALARM
        if choosing.is_finishing:
            return "Shall a computer play your hand to its end? f does it.", Ink.ALARM
        if choosing.is_claiming:
            return claim_line(picture.view()), Ink.ALARM
        if choosing.ahead is not None:
            ahead = style.card(choosing.ahead)
            return f"{ahead} is played when it is your turn; Backspace takes it back.", Ink.STRONG
        if choosing.asked is not None:
            view = picture.view() if picture.dealt else None
            marked, name = choosing.marked, self.table.roster.name
            text = question_line(choosing.asked, view, marked, style, name, picture.rules)
            return text, Ink.STRONG
        if choosing.is_seat_wanted:
            return SEAT_LINE, Ink.STRONG
        return super().prompt()

    def bar(self, counts: bool) -> Iterable[LabelledKey]:
        if self.chat.is_open:
            say, back = TYPING_KEYS
            return replace(say, counts=counts), back
        return super().bar(counts)

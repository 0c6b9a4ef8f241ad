"""A person at a table: says what happens, asks for choices, and does what is typed."""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum, auto
from pathlib import Path

import trio

from hearts.bots.hints import hint
from hearts.session.client_events import ChoiceRefused, DealerEvent, WaitingForPlayers, YourChoice
from hearts.session.table_words import PlayerChange, Taken
from hearts.table.effects import Change
from hearts.table.inputs import Question, Resign
from hearts.wire.text import count_of
from hearts_client.library.chat import CannotSend
from hearts_client.par.own_pars import OwnPars
from hearts_client.par.pars import Reckon
from hearts_client.session.own_limit import SHORT
from hearts_client.session.player_session import PlayerSession
from hearts_client.session.visit import TakenSeat
from hearts_client.words.hints import HINTED, NO_HINTS, hint_in_words
from hearts_client.words.lesson import Tutor
from hearts_client.words.narrator import Narrator
from hearts_client.words.others import chat_lines_of
from hearts_client.words.style import Style, sentence
from hearts_client.words.typed import (
    REQUESTS,
    Command,
    NotUnderstood,
    Typed,
    help_lines,
    read_line,
)

from .questions import Questions
from .turn_reminder import TurnReminder
from .wishes import OF_PLAYER_0, Wishes

_SILENT_FOR = 1.0
"""Seconds without a refusal after which there is none, mostly."""
_NOT_THERE = "There is no connection to the table at the moment."
_SAID_IN_CHAT = frozenset({Change.LEFT, Change.BACK, Change.STAND_IN})
"""Changes of a seat that the server tells the chat as well."""


class Ending(Enum):
    """The end of a session for the person."""

    OVER = auto()
    """The session has ended as it should."""
    LOST = auto()
    """The connection ended before that."""
    LEFT = auto()
    """The person left."""
    AGAIN = auto()
    """The person wants the last deal again."""


class Person:
    """One session of a person."""

    def __init__(
        self,
        seat: TakenSeat,
        style: Style,
        say: Callable[[str], None],
        *,
        deal: str = "",
        record_folder: Path | None = None,
        reckon: Reckon | None = None,
        is_lesson: bool = False,
    ) -> None:
        """``say`` prints a line. ``deal`` is the text of the first deal, if it was chosen.

        ``record_folder`` is the folder for records of the games; None to keep none. ``reckon``
        asks for the par of a hand.
        """
        self._seat = seat
        self._client = client = seat.client
        self._say = say
        self._narrator = Narrator(style, client.picture, seat.invite)
        self._held: list[str] = []
        """Lines that are true unless the server refuses us next."""
        self._are_held = trio.Event()
        self._turns = TurnReminder(client, self._narrator, say, seat.place.dialect)
        self._narrator.is_time_up = lambda: self._turns.own.is_up
        self._wishes = Wishes(client, self._narrator, say)
        self._tutor: Tutor | None = None
        if is_lesson:
            self._tutor = Tutor(style, client.picture, self._narrator.name)
        doubt = {"doubt": self._tutor.doubt} if self._tutor is not None else {}
        self._questions = Questions(client, style, self._narrator, **doubt)
        self._style = style
        self.player_session = PlayerSession(
            seat,
            self,
            say,
            deal=deal,
            can_repeat=seat.is_alone,
            record_folder=record_folder,
        )
        if reckon is not None:
            pars = OwnPars(
                self.player_session.record, reckon, lambda _, lines: self._print_all(lines)
            )
            self.player_session.look_at_deals = pars.look
        self._ending = Ending.LOST
        self._everything = trio.CancelScope()

    async def play(self, lines: trio.MemoryReceiveChannel[str]) -> Ending:
        """Play until the session is over or the person leaves.

        Raises RegistrationRefused and RemoteProtocolError, in groups.
        """
        with self._everything:
            async with trio.open_nursery() as nursery:
                nursery.start_soon(self._turns.run)
                nursery.start_soon(self._release_late)
                nursery.start_soon(self._obey, lines)
                if await self.player_session.play():
                    self._ending = Ending.OVER
                nursery.cancel_scope.cancel()
        return self._ending

    def _print_all(self, lines: list[str]) -> None:
        for line in lines:
            self._say(line)

    # What happens

    def receive(self, event: DealerEvent) -> None:
        lines = self._narrator.narrate(event)
        if isinstance(event, WaitingForPlayers):
            # The host may want a password first.
            self._held = lines
            self._are_held.set()
        else:
            self._release()
            if not self._is_said_in_chat(event):
                self._print_all(lines)
        self._turns.receive(event)
        if self._tutor is not None:
            self._print_all(self._tutor.teach(event))
            if self._tutor.is_over:
                self._leave(Ending.OVER)
        match event:
            case YourChoice(question) | ChoiceRefused(question):
                self._ask(question)
            case Taken(wish) if wish is Resign:
                self._leave(Ending.LEFT)
        if not self.player_session.is_past:
            self._turns.watch(event)

    def _release(self) -> None:
        held, self._held = self._held, []
        self._print_all(held)

    async def _release_late(self) -> None:
        await self._are_held.wait()
        await trio.sleep(_SILENT_FOR)
        self._release()

    def _is_said_in_chat(self, event: DealerEvent) -> bool:
        told = isinstance(event, PlayerChange) and event.change in _SAID_IN_CHAT
        return told and self.player_session.has_chat

    def receive_chat(self, player: int, text: str) -> None:
        if player == self._client.player:
            head = "You say: "
        else:
            head = f"{self._narrator.name(player)} says: "
        self._print_all(chat_lines_of(head, text))

    def receive_notice(self, text: str) -> None:
        self._print_all(chat_lines_of("* ", text))

    # What is asked

    def _ask(self, question: Question) -> None:
        limit = self._turns.begin()
        if self._turns.own.is_short:
            self._say(f"* Time is short. {SHORT}")
        self._print_all(
            self._questions.put(question, f" {count_of(limit, 'second')}." if limit else "")
        )

    # What is typed

    async def _obey(self, lines: trio.MemoryReceiveChannel[str]) -> None:
        async for line in lines:
            match read_line(line):
                case Typed("/say", text):
                    self._speak(text)
                case Typed("", text):
                    await self._answer(text)
                case Typed(None, word):
                    self._say(f"There is no command {word}. /help lists them.")
                case Typed(what) if what in OF_PLAYER_0 and self.player_session.is_past:
                    self._say(_NOT_THERE)
                case Typed(what) as wanted if what in REQUESTS:
                    await self._wishes.do(wanted, knows_more=self.player_session.knows_more)
                case Typed(what):
                    self._print_all(self._do(what))
        self._leave(Ending.LEFT)

    def _leave(self, ending: Ending) -> None:
        self._ending = ending
        self._everything.cancel()

    def _speak(self, text: str) -> None:
        try:
            self.player_session.speak(text)
        except CannotSend as error:
            self._say(f"Not said: {error}.")

    def _do(self, what: Command | None) -> list[str]:
        """Do what a command of the client means; return the lines to say."""
        narrator = self._narrator
        match what:
            case "/help":
                return help_lines(self._seat.is_alone)
            case "/hand":
                return narrator.hand() if self._client.picture.dealt else ["You have no cards yet."]
            case "/turn":
                return self._turn_lines()
            case "/last":
                return narrator.last_trick()
            case "/hint":
                return [self._hint()]
            case "/scores":
                return narrator.scores()
            case "/rules":
                return narrator.rules()
            case "/again" if not self._seat.is_alone:
                return ["/again is for a game against computers: hearts-client --solo"]
            case "/again" if not self.player_session.promises.last_deal:
                return ["No hand is finished yet, so there is none to play again."]
        self._leave(Ending.AGAIN if what == "/again" else Ending.LEFT)
        return []

    def _hint(self) -> str:
        asked = self._client.asked
        if self.player_session.is_past or asked is None:
            return "There is nothing to choose now."
        if self.player_session.record.day is not None:
            return NO_HINTS
        if asked not in HINTED:
            return "There is no hint for this choice."
        return hint_in_words(hint(self._client.view, asked), self._style, self._narrator.name)

    async def _answer(self, text: str) -> None:
        asked = self._client.asked
        try:
            if self.player_session.is_past:
                self._say(_NOT_THERE)
            elif asked is None and text:
                self._say(f"It is not your turn to choose, so '{text}' was ignored.")
            elif asked is None or not await self._questions.answer(asked, text):
                self._print_all(self._turn_lines())
        except NotUnderstood as error:
            self._say(sentence(str(error)))

    def _turn_lines(self) -> list[str]:
        client, turn = self._client, self._client.picture.turn
        if self.player_session.is_past:
            return [_NOT_THERE]
        lines = self._narrator.trick_lines() if turn is not None else []
        if client.asked is not None:
            limit = self._turns.limit
            left = max(limit - self._turns.seconds, 0)
            are = "is" if left == 1 else "are"
            time = f" About {count_of(left, 'second')} {are} left." if limit else ""
            return [*lines, *self._questions.put(client.asked, time)]
        if turn is None:
            return [self._turns.others]
        waited = count_of(self._turns.seconds, "second")
        return [*lines, f"It is the turn of {self._narrator.name(turn)}, for {waited} now."]

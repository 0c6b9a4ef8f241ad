"""A person at a table: says what happens, asks for choices, and does what is typed."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from enum import Enum, auto
from pathlib import Path

import trio

from hearts.deal import deal_code
from hearts.dealer.client_events import DealChecked, DealerEvent
from hearts.dealer.messages import ServerNotice
from hearts.errors import HeartsError, LocalProtocolError
from hearts.events import By, CardPlayed, MoonChosen, PassMade
from hearts.plain.client_events import (
    CameBack,
    CaughtUp,
    ChoiceRefused,
    ChoiceTerms,
    ConnectionLost,
    RegistrationRefused,
    Seated,
    SessionEnded,
    YourChoice,
)
from hearts.plain.messages import Refusal, Scores
from hearts.proof import parse_notice
from hearts.table.messages import Question

from .chat import CannotSay, Chat
from .client import Client
from .clock import TurnClock
from .commands import (
    Answer,
    Command,
    NotUnderstood,
    Say,
    Unknown,
    help_lines,
    read_line,
)
from .narrator import Narrator
from .others import chat_lines
from .own_record import OwnRecord
from .questions import Questions
from .reach import Tls
from .record_files import RecordFiles
from .saved import Keeper
from .style import Style

_MISSES_BEFORE_HURRY = 2
_HURRIED_LIMIT = 3
"""Seconds for a choice after so many that were missed in a row (SocketSpec.md section 5.4)."""
_CHAT_WAIT = 1.0
"""Seconds for which the first hand waits for the chat."""
_LAST_DEAL_LIMIT = 2.0
"""Seconds that the chat has to tell the last deal when the session is over."""
_SAVE_LIMIT = 10.0
"""Seconds that the last writing of a record may take when everything else is over."""

_NOT_THERE = "There is no connection to the table at the moment."


class Ending(Enum):
    """How a session ended for the person."""

    OVER = auto()
    """The players were done."""
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
        client: Client,
        style: Style,
        say: Callable[[str], None],
        *,
        deal: str = "",
        solo: bool = False,
        record_folder: Path | None = None,
        keeper: Keeper | None = None,
    ) -> None:
        """``say`` prints a line. ``deal`` is the code of the first deal, where it was chosen.

        ``record_folder`` is where the records of the games are kept; None for nowhere. ``keeper``
        keeps what is needed to come back after the program has ended.
        """
        self.last_deal = deal
        """The code of the last deal that is known; empty where none is."""
        self._client = client
        self._say = say
        self._solo = solo
        self._narrator = Narrator(style, client.tracker)
        self._clock = TurnClock(say)
        self._chat: Chat | None = None
        self._questions = Questions(client, style, self._narrator)
        self._misses = 0
        self._left: int | None = None
        """Milliseconds that we had when we were asked, where the server says so."""
        self._past = client.progress is not None
        self._keeper = keeper
        self._record = OwnRecord(client.progress.hands if client.progress is not None else 0)
        self._noticed = trio.Event()
        self._files: RecordFiles | None = None
        if record_folder is not None:
            self._files = RecordFiles(record_folder, self._record, say)
        self._ending = Ending.LOST
        self._everything = trio.CancelScope()

    async def play(
        self,
        lines: trio.MemoryReceiveChannel[str],
        chat_address: tuple[str, int] | None,
        tls: Tls | None = None,
    ) -> Ending:
        """Play until the session is over or the person leaves.

        ``chat_address`` is that of the taunt server, if there is one, and ``tls`` how it is
        called. Raises RegistrationRefused and RemoteProtocolError.
        """
        problem: HeartsError | None = None
        try:
            with self._everything:
                async with trio.open_nursery() as nursery:
                    nursery.start_soon(self._clock.run)
                    nursery.start_soon(self._obey, lines)
                    try:
                        await self._follow(nursery, chat_address, tls)
                    except HeartsError as error:
                        problem = error
                    nursery.cancel_scope.cancel()
        finally:
            with trio.CancelScope(shield=True, deadline=trio.current_time() + _SAVE_LIMIT):
                await self._save()
                if self._keeper is not None and self._is_over(problem):
                    await self._keeper.forget()
        if problem is not None:
            raise problem
        return self._ending

    async def _follow(
        self, nursery: trio.Nursery, chat_address: tuple[str, int] | None, tls: Tls | None
    ) -> None:
        async for event in self._client:
            if isinstance(event, Seated) and chat_address and self._chat is None:
                self._chat = Chat(event.credentials, self.hear_chat, self._hear_line)
                nursery.start_soon(self._chat.run, *chat_address, tls)
            self._hear(event)
            if isinstance(event, Seated | Scores):
                await self._save()
            if isinstance(event, Seated) and self._chat is not None:
                # The promise of the first deal should be heard before a card of it is played.
                await self._client.flush()
                with trio.move_on_after(_CHAT_WAIT):
                    await self._chat.settled.wait()
        await self._hear_last_deal()

    def _is_over(self, problem: HeartsError | None) -> bool:
        """Whether there is nothing to come back to."""
        if isinstance(problem, RegistrationRefused):
            return problem.code in (Refusal.NO_SUCH_GAME, Refusal.TABLE_TAKEN)
        return self._client.seated is not None and self._client.progress is None

    async def _save(self) -> None:
        if self._keeper is not None and self._client.progress is not None:
            await self._keeper.keep(self._client.progress)
        if self._files is not None:
            await self._files.save()

    async def _hear_last_deal(self) -> None:
        with trio.move_on_after(_LAST_DEAL_LIMIT):
            while self._record.undisclosed:
                self._noticed = trio.Event()
                await self._noticed.wait()

    def _say_all(self, lines: list[str]) -> None:
        for line in lines:
            self._say(line)

    # What happens

    def _hear(self, event: DealerEvent) -> None:
        self._say_all(self._narrator.tell(event))
        self._say_checked(self._record.update(event))
        match event:
            case ChoiceTerms(_, left):
                self._left = left
                return
            case YourChoice(question) | ChoiceRefused(question):
                self._ask(question)
                return
            case ServerNotice(text):
                self._say_chat("* ", text)
            case DealChecked(deal, str(problem)):
                self._say(f"* WARNING: deal {deal}: {problem}.")
            case SessionEnded(complete):
                self._ending = Ending.OVER if complete else Ending.LOST
            case ConnectionLost():
                self._clock.stop()
                self._past = True
            case CameBack():
                self._misses = 0
            case CaughtUp():
                self._past = False
            case CardPlayed(player, _, by) | PassMade(player, _, by) | MoonChosen(player, _, by):
                if player == self._client.player and not self._past:
                    self._misses = self._misses + 1 if by is By.CLOCK else 0
        if self._client.asked is None and not self._past:
            self._watch_others()

    def _watch_others(self) -> None:
        turn = self._client.tracker.turn
        if turn is None or turn == self._client.player:
            self._clock.start_other("Waiting for the others.")
        else:
            self._clock.start_other(f"Waiting for {self._narrator.name(turn)}.")

    def _hear_line(self, why: str | None) -> None:
        if why is None:
            self._say("* The chat is back.")
        else:
            self._say(f"* There is no chat: {why}. The game goes on.")

    def hear_chat(self, player: int, text: str) -> None:
        """Take in what the taunt server brings; ``player`` is 0-3, or -1 for a notice."""
        if player < 0:
            self._hear_notice(text)
        elif player == self._client.player:
            self._say_chat("You say: ", text)
        else:
            self._say_chat(f"{self._narrator.name(player)} says: ", text)

    def _say_chat(self, head: str, text: str) -> None:
        self._say_all(chat_lines(head, text, shutil.get_terminal_size().columns))

    def _hear_notice(self, text: str) -> None:
        if parse_notice(text) is None:
            self._say_chat("* ", text)
        else:
            self._say_checked(self._record.notice(text))
            self._noticed.set()

    def _say_checked(self, sentence: str | None) -> None:
        if sentence is None:
            return
        secret = self._record.last_secret
        self.last_deal = self.last_deal if secret is None else deal_code(secret)
        told = bool(self.last_deal) and self.last_deal in sentence
        again = "; /again plays it again" if self._solo and told else ""
        self._say(f"* {sentence[0].upper()}{sentence[1:]}{again}.")

    # What is asked

    def _limit(self) -> int:
        if self._left is not None:
            return self._left // 1000
        table = self._client.table
        limit = table.turn_limit if table is not None else 0
        if limit and self._misses >= _MISSES_BEFORE_HURRY:
            return min(limit, _HURRIED_LIMIT)
        return limit

    def _ask(self, question: Question) -> None:
        limit = self._limit()
        self._clock.start_own(limit)
        self._say_all(self._questions.put(question, f" {limit} seconds." if limit else ""))

    # What is typed

    async def _obey(self, lines: trio.MemoryReceiveChannel[str]) -> None:
        async for line in lines:
            match read_line(line):
                case Say(text):
                    self._speak(text)
                case Answer(text):
                    await self._answer(text)
                case Unknown(word):
                    self._say(f"There is no command {word}. /help lists them.")
                case Command.AGREE | Command.REFUSE as vote:
                    await self._vote(vote is Command.AGREE)
                case Command() as command:
                    self._do(command)
        self._leave(Ending.LEFT)

    async def _vote(self, agreed: bool) -> None:
        try:
            await self._client.vote(agreed)
        except LocalProtocolError as error:
            self._say(f"Not said: {error}.")

    def _leave(self, ending: Ending) -> None:
        self._ending = ending
        self._everything.cancel()

    def _speak(self, text: str) -> None:
        try:
            if self._chat is None:
                raise CannotSay("there is no chat at this table")
            self._chat.say(text)
        except CannotSay as error:
            self._say(f"Not said: {error}.")

    def _do(self, command: Command) -> None:
        narrator = self._narrator
        match command:
            case Command.HELP:
                self._say_all(help_lines(self._solo))
            case Command.HAND:
                self._say_all(narrator.hand() if self._dealt else ["You have no cards yet."])
            case Command.TURN:
                self._say_turn()
            case Command.LAST:
                self._say_all(narrator.last_trick())
            case Command.SCORES:
                self._say_all(narrator.scores())
            case Command.RULES:
                self._say_all(narrator.rules())
            case Command.AGAIN:
                self._play_again()
            case Command.QUIT:
                self._leave(Ending.LEFT)
            case Command.AGREE | Command.REFUSE:
                raise AssertionError("a vote is sent elsewhere")

    @property
    def _dealt(self) -> bool:
        return self._client.tracker.dealt

    def _play_again(self) -> None:
        if not self._solo:
            self._say("/again is for a game against the computer: hearts-client --solo")
        elif not self.last_deal:
            self._say("No hand is finished yet, so there is none to play again.")
        else:
            self._leave(Ending.AGAIN)

    async def _answer(self, text: str) -> None:
        asked = self._client.asked
        if self._past:
            self._say(_NOT_THERE)
        elif asked is None and text:
            self._say(f"It is not for you to choose now, so '{text}' was not taken.")
        elif asked is None or not await self._choose(asked, text):
            self._say_turn()

    async def _choose(self, question: Question, text: str) -> bool:
        try:
            return await self._questions.answer(question, text)
        except NotUnderstood as error:
            message = str(error)
            self._say(f"{message[0].upper()}{message[1:]}.")
            return True

    def _say_turn(self) -> None:
        client, turn = self._client, self._client.tracker.turn
        if self._past:
            self._say(_NOT_THERE)
            return
        if turn is not None:
            self._say_all(self._narrator.trick_lines())
        if client.asked is not None:
            left = max(self._limit() - self._clock.seconds, 0)
            time = f" About {left} seconds are left." if self._limit() else ""
            self._say_all(self._questions.put(client.asked, time))
        elif turn is not None:
            name = self._narrator.name(turn)
            self._say(f"It is the turn of {name}, for {self._clock.seconds} seconds now.")
        else:
            self._say("Waiting for the others.")

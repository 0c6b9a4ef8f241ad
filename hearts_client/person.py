"""A person at a table: says what happens, asks for choices, and does what is typed."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from enum import Enum, auto

import trio

from hearts.deal import deal_code, parse_deal_code
from hearts.errors import HeartsError, InvalidDealCode
from hearts.events import By, CardPlayed, MoonChosen, PassMade
from hearts.plain.client_events import (
    ChoiceRefused,
    ClientEvent,
    Seated,
    SessionEnded,
    YourChoice,
)
from hearts.plain.messages import Scores
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
from .questions import Questions
from .style import Style

_MISSES_BEFORE_HURRY = 2
_HURRIED_LIMIT = 3
"""Seconds for a choice after so many that were missed in a row (SocketSpec.md section 5.4)."""
_DEAL_NOTICE = "deal: "


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
    ) -> None:
        """``say`` prints a line. ``deal`` is the code of the first deal, where it was chosen."""
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
        self._hands_scored = 0
        self._deals_told = 0
        self._deals: deque[str] = deque()
        self._ending = Ending.LOST
        self._everything = trio.CancelScope()

    async def play(
        self, lines: trio.MemoryReceiveChannel[str], chat_address: tuple[str, int] | None
    ) -> Ending:
        """Play until the session is over or the person leaves.

        ``chat_address`` is that of the taunt server, if there is one. Raises RegistrationRefused
        and RemoteProtocolError.
        """
        problem: HeartsError | None = None
        with self._everything:
            async with trio.open_nursery() as nursery:
                nursery.start_soon(self._clock.run)
                nursery.start_soon(self._obey, lines)
                try:
                    async for event in self._client:
                        if isinstance(event, Seated) and chat_address is not None:
                            nursery.start_soon(self._run_chat, event, chat_address)
                        self._hear(event)
                except HeartsError as error:
                    problem = error
                nursery.cancel_scope.cancel()
        if problem is not None:
            raise problem
        return self._ending

    def _say_all(self, lines: list[str]) -> None:
        for line in lines:
            self._say(line)

    # What happens

    def _hear(self, event: ClientEvent) -> None:
        self._say_all(self._narrator.tell(event))
        match event:
            case YourChoice(question) | ChoiceRefused(question):
                self._ask(question)
                return
            case Scores():
                self._hands_scored += 1
                self._say_deals()
            case SessionEnded(complete):
                self._ending = Ending.OVER if complete else Ending.LOST
            case CardPlayed(player, _, by) | PassMade(player, _, by) | MoonChosen(player, _, by):
                if player == self._client.player:
                    self._misses = self._misses + 1 if by is By.CLOCK else 0
        if self._client.asked is None:
            self._watch_others()

    def _watch_others(self) -> None:
        turn = self._client.tracker.turn
        if turn is None or turn == self._client.player:
            self._clock.start_other("Waiting for the others.")
        else:
            self._clock.start_other(f"Waiting for {self._narrator.name(turn)}.")

    async def _run_chat(self, seated: Seated, address: tuple[str, int]) -> None:
        self._chat = Chat(seated.credentials, self.hear_chat)
        why = await self._chat.run(*address)
        self._say(f"* There is no chat: {why}. The game goes on.")

    def hear_chat(self, player: int, text: str) -> None:
        """Take in what the taunt server brings; ``player`` is 0-3, or -1 for a notice."""
        if player == self._client.player:
            self._say(f"You say: {text}")
        elif player >= 0:
            self._say(f"{self._narrator.name(player)} says: {text}")
        elif not text.startswith(_DEAL_NOTICE) or not self._note_deal(text):
            self._say(f"* {text}")

    def _note_deal(self, text: str) -> bool:
        try:
            self._deals.append(deal_code(parse_deal_code(text.removeprefix(_DEAL_NOTICE))))
        except InvalidDealCode:
            return False
        self._say_deals()
        return True

    def _say_deals(self) -> None:
        # The chat may be quicker than the game: a deal is not told before its hand is scored.
        while self._deals and self._deals_told < self._hands_scored:
            self._deals_told += 1
            self.last_deal = self._deals.popleft()
            again = "; /again plays it again" if self._solo else ""
            self._say(f"* The deal of the last hand was {self.last_deal}{again}.")

    # What is asked

    def _limit(self) -> int:
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
                case Command() as command:
                    self._do(command)
        self._leave(Ending.LEFT)

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
        if asked is None and text:
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

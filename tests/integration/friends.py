"""People who come to a table and ask something of the server in the dealer dialect."""

from __future__ import annotations

from typing import Protocol, TypeVar

import trio
import trio.testing

from hearts.dealer import messages as m
from hearts.dealer.beside import Ping
from hearts.dealer.frames import MessageType
from hearts.dealer.messages import MESSAGES
from hearts.game.events import Play
from hearts.session import table_words as w
from hearts.session.wishes import AskForTable
from hearts.table.inputs import AnswerAgain
from tests.dealer.payloads import Said, frame, read, type_of

from .house import Caller, text

MessageT = TypeVar("MessageT")
CLUB = "club"
DEALER = (-6, 1)


class Reachable(Protocol):
    """A server, or what stands before it."""

    async def call(self) -> Caller:
        """A new connection."""


class Friend:
    """Somebody who speaks the dealer dialect and knows nothing but its frames."""

    def __init__(self, caller: Caller) -> None:
        self.caller = caller
        self.player = -1

    @classmethod
    async def come(
        cls, made: Reachable, name: str, *blocks: int | bytes, table: str = CLUB
    ) -> Friend:
        """Register for a table by its name, or for the next free seat if it has none."""
        friend = cls(await made.call())
        caller = friend.caller
        friend.player = await caller.number()
        await caller.send(text(name), *DEALER)
        assert await caller.number() == 1
        if table:
            await caller.send(-4, text(table))
            friend.player = await caller.number()
        await caller.send(*blocks, 1000 + friend.player)
        await trio.testing.wait_all_tasks_blocked()
        return friend

    @classmethod
    async def back(
        cls, made: Reachable, seated: m.SeatedMessage, *, reasons: bool = False
    ) -> Friend:
        """Register for a seat again, up to the reply to block -5, which is still to be read."""
        friend = cls(await made.call())
        player, caller = seated.player, friend.caller
        await caller.number()
        await caller.send(text("back"), *((-10, 0) if reasons else ()), *DEALER)
        assert await caller.numbers(1 + reasons) == (1,) * (1 + reasons)
        await caller.send(-5, seated.game_number, seated.game_id, player, 1000 + player, -1)
        return friend

    async def say(self, request: Said) -> None:
        await self.caller.send(frame(request))

    async def receive(self, kind: type[MessageT]) -> MessageT:
        """The next message of a kind; what comes before it is passed over."""
        return (await numbered(self, kind))[1]

    async def types_up_to_pong(self) -> list[int]:
        """The types of all that was said so far."""
        await self.say(Ping(b"now"))
        types = [(await self.caller.frame())[0]]
        while types[-1] != MessageType.PONG:
            types.append((await self.caller.frame())[0])
        return types[:-1]

    async def ask(self, name: str = "") -> w.TableMessage:
        await self.say(AskForTable(0, name))
        return await self.receive(w.TableMessage)


async def numbered(friend: Friend, kind: type[MessageT]) -> tuple[int, MessageT]:
    """The next message of a kind, with its sequence."""
    while True:
        type, number, payload = await friend.caller.frame()
        if type == type_of(kind):
            return number, read(kind, payload)


async def play_until(friend: Friend, kind: type[MessageT], **wanted: object) -> MessageT:
    """Play the first legal card each time, and another game, until something is heard."""
    while True:
        type, number, payload = await friend.caller.frame()
        message = MESSAGES[MessageType(type)].decode(payload)
        if isinstance(message, m.LeadCard | m.PlayCard):
            card = next(each.card for each in message.cards if each.legal)
            await friend.caller.send(frame(Play(0, card), number, type))
        if isinstance(message, m.PlayAgainMessage):
            await friend.caller.send(frame(AnswerAgain(0, True), number))
        if isinstance(message, kind) and all(
            getattr(message, name) == value for name, value in wanted.items()
        ):
            return message


async def look(made: Reachable, name: str, *before: int | bytes) -> Caller:
    """Ask about a table by its name, behind some blocks that have no reply."""
    caller = await made.call()
    await caller.number()
    await caller.send(text("Eve"), *before, -12, len(name.encode()), name.encode())
    return caller

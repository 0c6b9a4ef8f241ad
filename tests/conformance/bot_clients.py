"""Our own bot as a program that the conformance kit starts, for what the independent client leaves.

It votes on breaking off, says whether it gives its seat up, and waits to be invited. Those that are
broken on purpose answer such a query wrongly, or take what follows for something else.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import ClassVar

import trio
from msgspec.structs import replace

from hearts.bots import RandomBot
from hearts.dealer.frames import HEADER, MessageType, encode_frame
from hearts.errors import HeartsError
from hearts.session.client_events import DealerEvent, WaitingForPlayers, YourChoice
from hearts.session.client_registration import RegistrationRequest
from hearts.session.table_words import (
    Introduction,
    InvitableMessage,
    InvitationMessage,
    InvitationOver,
    PlayerKind,
)
from hearts.table.effects import GameAborted, HandAborted, TakenBack
from hearts.table.inputs import Question, TakeBack
from hearts.wire.codec import encode_int
from hearts_client.library.client import Client
from hearts_client.library.dialects import Dialect, sessions
from hearts_client.library.playing import play_out

from .clients import GONE, Call, ClientProgram

_BOT = Introduction(PlayerKind.PROGRAM)


class Dies(Exception):
    """A program that does not know what to do ends."""


class BotProgram(ClientProgram):
    """It does all that it is asked for."""

    comes_back = chats = False
    settled: ClassVar[list[str]] = []
    """How invitations ended, of all programs so far."""
    answers: ClassVar[Mapping[MessageType, bytes]] = {}
    """The payload of some answers, in place of the right one."""

    dies_of: ClassVar[type | None] = None
    introduction: ClassVar[Introduction] = _BOT

    async def _dial(self) -> trio.abc.Stream:
        return _Rewritten(await self._call(), self.answers)

    async def run(self) -> None:
        request = RegistrationRequest("Zoë", self.settings.process_id)
        dial = self._dial if self.comes_back else None
        opened = sessions(Dialect.DEALER, self.introduction)
        client = Client(await self._dial(), request, dial, open_session=opened)
        async with trio.open_nursery() as nursery:
            self._client, self._nursery = client, nursery
            try:
                await play_out(RandomBot(random.Random(1).random), client, on_event=self.receive)
            except (HeartsError, Dies, *GONE):
                pass
            nursery.cancel_scope.cancel()
        await client.aclose()

    def receive(self, event: DealerEvent) -> None:
        """Something has happened, and is answered by whoever plays the bot's cards."""
        if self.dies_of is not None and isinstance(event, self.dies_of):
            raise Dies
        match event:
            case WaitingForPlayers():
                self._nursery.start_soon(self._client.be_invitable, True)
                self._nursery.start_soon(self._client.ask_invitable)
            case InvitableMessage(number):
                self._nursery.start_soon(self._client.invite, number)
            case InvitationOver(_, _, why):
                self.settled.append(why)
            case InvitationMessage():
                self._nursery.start_soon(self._client.answer_invitation, True)
            case _:
                pass


class Cutter(BotProgram):
    """It cuts each deal, and comes back."""

    comes_back = True
    introduction: ClassVar[Introduction] = replace(_BOT, cuts=True)


def _answers(name: str, query: MessageType, payload: bytes = b"") -> type[BotProgram]:
    return type(name, (BotProgram,), {"answers": {query: payload}})


GivesItsSeatUp = _answers("GivesItsSeatUp", MessageType.GIVE_SEAT, encode_int(1))
VotesWithNothing = _answers("VotesWithNothing", MessageType.QUERY_ABORT)
KeepsItsSeatWithNothing = _answers("KeepsItsSeatWithNothing", MessageType.GIVE_SEAT)
ComesWithNothing = _answers("ComesWithNothing", MessageType.INVITATION)


class DiesOfAbortedHands(BotProgram):
    dies_of = HandAborted


class LeavesWithTheGame(BotProgram):
    """Takes every P_ABORT_GAME for the end."""

    dies_of = GameAborted


class TakesBack(BotProgram):
    """It takes some choices back, the first card of its second hand among them."""

    at: ClassVar[tuple[int, ...]] = (3, 4, 18)

    def __init__(self, call: Call, call_chat: Call) -> None:
        super().__init__(call, call_chat)
        self._cards = 0

    def receive(self, event: DealerEvent) -> None:
        super().receive(event)
        if event == YourChoice(Question.CARD):
            self._cards += 1
            if self._cards in self.at:
                self._nursery.start_soon(self._client.wish, TakeBack(self._client.player))


class DiesOfTakenBack(TakesBack):
    dies_of = TakenBack


class _Rewritten(trio.abc.Stream):
    """A connection on which some answers are others."""

    def __init__(
        self, stream: trio.abc.HalfCloseableStream, answers: Mapping[MessageType, bytes]
    ) -> None:
        self._stream = stream
        self._answers = answers

    async def send_all(self, data: bytes | bytearray | memoryview) -> None:
        kind, number, _ = HEADER.unpack_from(bytes(data).ljust(HEADER.size))
        wrong = next((self._answers[each] for each in self._answers if each == kind), None)
        # A query beside the choice is answered in a write of its own.
        await self._stream.send_all(data if wrong is None else encode_frame(kind, number, wrong))

    async def wait_send_all_might_not_block(self) -> None:
        await self._stream.wait_send_all_might_not_block()

    async def receive_some(self, max_bytes: int | None = None) -> bytes | bytearray:
        return await self._stream.receive_some(max_bytes)

    async def aclose(self) -> None:
        await self._stream.aclose()

"""What a person says about the table itself: votes, and what only player 0 may ask for."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import assert_never

from hearts.errors import LocalProtocolError
from hearts.game.claim import proves_rest
from hearts.session.table_words import PlayerKind, Presence
from hearts.table import Question
from hearts_client.library.client import Client
from hearts_client.words.narrator import NOT_CERTAIN, PLAYER_0_STAYS, Narrator
from hearts_client.words.story import game_in_words
from hearts_client.words.typed import (
    FormingCommand,
    NotUnderstood,
    RequestCommand,
    Wants,
    WantsToForm,
    read_abort,
    read_game,
)


class Wishes:
    """The words of DealerSpec.md section 14.8, as they are typed."""

    def __init__(self, client: Client, narrator: Narrator, say: Callable[[str], None]) -> None:
        self._client = client
        self._narrator = narrator
        self._say = say

    async def vote(self, agreed: bool) -> None:
        """Answer where something is proposed."""
        try:
            await self._client.vote(agreed)
        except LocalProtocolError as error:
            self._say(f"Not said: {error}.")
        else:
            self._say("You agree." if agreed else "You do not agree.")

    async def give_seat(self, agreed: bool) -> None:
        """Answer where somebody asks for our seat."""
        try:
            await self._client.give_seat(agreed)
        except LocalProtocolError as error:
            self._say(f"Not said: {error}.")
        else:
            self._say("You give up your seat." if agreed else "You stay.")

    async def start(self, *, knows_more: bool) -> None:
        """Let computers take the free seats of the table that forms."""
        if self._client.seated is not None:
            self._say("The table has its players already.")
        elif not knows_more:
            self._say("That is not done: the server has no word for it.")
        else:
            await self._request(self._client.start_table)

    async def form(self, wants: WantsToForm, *, knows_more: bool) -> None:
        """Ask for something while the table forms."""
        if self._client.seated is not None:
            self._say("The table has its players already.")
        elif not knows_more:
            self._say("That is not done: the server has no word for it.")
        else:
            match wants.what:
                case FormingCommand.SEAT:
                    await self._move(wants.text)
                case FormingCommand.WAIT:
                    await self._request(lambda: self._client.be_invitable(wants.wants_to_wait))
                case FormingCommand.INVITE:
                    await self._invite(wants.text)
                case _:
                    assert_never(wants.what)

    async def _move(self, text: str) -> None:
        roster = self._narrator.roster
        if not self._client.player:
            self._say(f"That is not done: {PLAYER_0_STAYS}.")
        elif not roster.free:
            self._say("That is not done: no seat is free.")
        elif text and text not in map(str, roster.free):
            free = " or ".join(map(str, roster.free))
            self._say(f"That is not done: give the number of a free seat, {free}.")
        else:
            wanted = int(text) if text else roster.next_free
            if await self._request(lambda: self._client.move_seat(wanted)):
                self._say(f"You ask for seat {wanted}.")

    async def _invite(self, text: str) -> None:
        if not (text.isdecimal() and len(text) < 9):
            self._say("That is not done: give a number of /players.")
        else:
            await self._request(lambda: self._client.invite(int(text)))

    async def list_invitable(self, *, knows_more: bool) -> None:
        """Ask who may be invited."""
        if knows_more:
            await self._request(self._client.ask_invitable)
        else:
            self._say("That is not done: the server has no word for it.")

    async def answer_invitation(self, agreed: bool) -> None:
        """Answer where we are invited to another table."""
        try:
            await self._client.answer_invitation(agreed)
        except LocalProtocolError as error:
            self._say(f"Not said: {error}.")

    async def claim(self) -> None:
        """Claim the rest of the hand."""
        if self._client.asked is not Question.CARD:
            self._say("It is not for you to lead now.")
        elif not proves_rest(self._client.view):
            self._say(f"{NOT_CERTAIN[0].upper()}{NOT_CERTAIN[1:]}.")
        else:
            await self._request(self._client.claim_rest)

    async def leave(self, *, knows_more: bool) -> None:
        """Leave for good."""
        if not knows_more:
            self._say("That is not done: the server has no word for it. /quit leaves.")
        elif await self._request(self._client.leave_for_good):
            self._say("You leave for good.")

    async def _request(self, request: Callable[[], Awaitable[None]]) -> bool:
        try:
            await request()
        except LocalProtocolError as error:
            self._say(f"That is not done: {error}.")
            return False
        return True

    async def ask(self, wants: Wants) -> None:
        """Ask the server for something, or say why that cannot be."""
        if self._client.picture.table is None:
            self._say("There is no table yet to ask something of.")
        elif self._client.player and self._is_there(0):
            player = self._narrator.name(0)
            self._say(f"That is not done: only player 0, {player}, may ask for it.")
        else:
            try:
                await self._send(wants, self._client.picture.end_score)
            except NotUnderstood as error:
                message = str(error)
                self._say(f"{message[0].upper()}{message[1:]}.")
            except LocalProtocolError as error:
                self._say(f"That is not done: {error}.")

    def _is_there(self, player: int) -> bool:
        infos = self._narrator.roster.infos
        if not infos:
            return True
        info = infos[player]
        return info.kind is not PlayerKind.COMPUTER and info.presence is Presence.THERE

    async def _send(self, wants: Wants, end_score: int) -> None:
        client, roster = self._client, self._narrator.roster
        match wants.what:
            case RequestCommand.PROPOSE:
                rules, end_score = read_game(wants.text, end_score)
                await client.propose_rules(rules, end_score)
                self._say(f"You propose for the next game: {game_in_words(rules, end_score)}.")
            case RequestCommand.ABORT:
                what = read_abort(wants.text)
                await client.propose_abort(what)
                self._say(f"You propose to break this {what.value} off.")
            case RequestCommand.REPLACE:
                player = roster.find(wants.text)
                await client.replace_player(player)
                self._say(f"You ask for a computer in place of {roster.name(player)}.")
            case RequestCommand.OPEN:
                player = roster.find(wants.text)
                await client.open_seat(player)
                self._say(f"You ask to open the seat of {roster.name(player)}.")
            case _:
                assert_never(wants.what)

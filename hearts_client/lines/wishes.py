"""A person's wishes and answers to the server, as they are typed (DealerSpec.md 14.8)."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from hearts.errors import LocalProtocolError
from hearts.game.view import proves_rest
from hearts.session.table_words import PlayerKind, Presence
from hearts.session.wishes import SendAway
from hearts.table.inputs import Question
from hearts_client.library.client import Client
from hearts_client.words.narrator import NOT_CERTAIN, PLAYER_0_STAYS, Narrator
from hearts_client.words.story import game_in_words
from hearts_client.words.typed import (
    NotUnderstood,
    RequestCommand,
    Wants,
    read_abort,
    read_game,
)

_ANSWERS: dict[RequestCommand, tuple[Callable[[Client, bool], Awaitable[None]], bool, str]] = {
    RequestCommand.AGREE: (Client.vote, True, "You agree."),
    RequestCommand.REFUSE: (Client.vote, False, "You do not agree."),
    RequestCommand.YIELD: (Client.give_seat, True, "You give up your seat."),
    RequestCommand.STAY: (Client.give_seat, False, "You stay."),
    RequestCommand.COME: (Client.answer_invitation, True, ""),
    RequestCommand.DECLINE: (Client.answer_invitation, False, ""),
}
"""Answers to questions of the server, each with the text that is said about it."""
OF_PLAYER_0 = frozenset(
    {
        RequestCommand.PROPOSE,
        RequestCommand.ABORT,
        RequestCommand.REPLACE,
        RequestCommand.OPEN,
    }
)
_FORMING = (
    RequestCommand.START,
    RequestCommand.SEAT,
    RequestCommand.DISMISS,
    RequestCommand.WAIT,
    RequestCommand.INVITE,
)
_OF_LATER_SERVERS = (*_FORMING, RequestCommand.PLAYERS, RequestCommand.LEAVE)
_NO_WORD = "That is not done: the server has no word for it."


class Wishes:
    """Sends what is typed to the server, and says what becomes of it here."""

    def __init__(self, client: Client, narrator: Narrator, say: Callable[[str], None]) -> None:
        self._client = client
        self._narrator = narrator
        self._say = say

    async def do(self, wants: Wants, *, knows_more: bool) -> None:
        """Ask or answer, or say why that cannot be; ``knows_more`` is as in PlayerSession."""
        said = self._why_not(wants.what, knows_more)
        if not said:
            try:
                said = await self._send(wants)
            except NotUnderstood as error:
                message = str(error)
                said = f"{message[0].upper()}{message[1:]}."
            except LocalProtocolError as error:
                what = "Not said" if wants.what in _ANSWERS else "That is not done"
                said = f"{what}: {error}."
        if said:
            self._say(said)

    def _why_not(self, what: RequestCommand, knows_more: bool) -> str:
        client = self._client
        if what in _FORMING and client.seated is not None:
            return "The table has its players already."
        if what in _OF_LATER_SERVERS and not knows_more:
            return f"{_NO_WORD} /quit leaves." if what is RequestCommand.LEAVE else _NO_WORD
        if what is RequestCommand.CLAIM and client.asked is not Question.CARD:
            return "It is not for you to lead now."
        if what is RequestCommand.CLAIM and not proves_rest(client.view):
            return f"{NOT_CERTAIN[0].upper()}{NOT_CERTAIN[1:]}."
        if what in OF_PLAYER_0 and client.picture.table is None:
            return "There is no table yet to ask something of."
        if what in OF_PLAYER_0 and client.player and self._is_there(0):
            return f"That is not done: only player 0, {self._narrator.name(0)}, may ask for it."
        return ""

    def _is_there(self, player: int) -> bool:
        infos = self._narrator.roster.infos
        if not infos:
            return True
        info = infos[player]
        return info.kind is not PlayerKind.COMPUTER and info.presence is Presence.THERE

    async def _send(self, wants: Wants) -> str:
        """Send a wish; return the line to say. Raises NotUnderstood and LocalProtocolError."""
        client, roster = self._client, self._narrator.roster
        if wants.what in _ANSWERS:
            answer, agreed, said = _ANSWERS[wants.what]
            await answer(client, agreed)
            return said
        match wants.what:
            case RequestCommand.START:
                await client.start_table()
            case RequestCommand.SEAT:
                seat = self._free_seat(wants.text)
                await client.move_seat(seat)
                return f"You ask for seat {seat}."
            case RequestCommand.DISMISS:
                await client.wish(SendAway(client.player, roster.find(wants.text)))
            case RequestCommand.WAIT:
                await client.be_invitable(wants.wants_to_wait)
            case RequestCommand.PLAYERS:
                await client.ask_invitable()
            case RequestCommand.INVITE:
                if not (wants.text.isdecimal() and len(wants.text) < 9):
                    raise LocalProtocolError("give a number of /players")
                await client.invite(int(wants.text))
            case RequestCommand.CLAIM:
                await client.claim_rest()
            case RequestCommand.LEAVE:
                await client.leave_for_good()
                return "You leave for good."
            case RequestCommand.PROPOSE:
                rules, end_score = read_game(wants.text, client.picture.end_score)
                await client.propose_rules(rules, end_score)
                return f"You propose for the next game: {game_in_words(rules, end_score)}."
            case RequestCommand.ABORT:
                what = read_abort(wants.text)
                await client.propose_abort(what)
                return f"You propose to break this {what.value} off."
            case RequestCommand.REPLACE:
                player = roster.find(wants.text)
                await client.replace_player(player)
                return f"You ask for a computer in place of {roster.name(player)}."
            case RequestCommand.OPEN:
                player = roster.find(wants.text)
                await client.open_seat(player)
                return f"You ask to open the seat of {roster.name(player)}."
        return ""

    def _free_seat(self, text: str) -> int:
        roster = self._narrator.roster
        if not self._client.player:
            raise LocalProtocolError(PLAYER_0_STAYS)
        if not roster.free:
            raise LocalProtocolError("no seat is free")
        if text and text not in map(str, roster.free):
            free = " or ".join(map(str, roster.free))
            raise LocalProtocolError(f"give the number of a free seat, {free}")
        return int(text) if text else roster.next_free

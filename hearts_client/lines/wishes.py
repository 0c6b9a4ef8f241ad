"""A person's wishes and answers to the server, as they are typed (DealerSpec.md 14.8)."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from hearts.errors import LocalProtocolError
from hearts.game.view import proves_rest
from hearts.session import wishes
from hearts.session.table_words import PlayerKind, Presence
from hearts.settings.readers import LEVELS
from hearts.table import inputs
from hearts_client.library.client import Client
from hearts_client.words.narrator import NOT_CERTAIN, PLAYER_0_STAYS, Narrator
from hearts_client.words.story import game_in_words
from hearts_client.words.style import sentence
from hearts_client.words.typed import ABORTS, Command, NotUnderstood, Typed, read_game, read_word

_ANSWERS: dict[Command | None, tuple[Callable[[Client, bool], Awaitable[None]], bool, str]] = {
    "/agree": (Client.vote, True, "You agree."),
    "/refuse": (Client.vote, False, "You do not agree."),
    "/yield": (Client.give_seat, True, "You give up your seat."),
    "/stay": (Client.give_seat, False, "You stay."),
    "/come": (Client.answer_invitation, True, ""),
    "/decline": (Client.answer_invitation, False, ""),
}
"""Answers to questions of the server, each with the text that is said about it."""
OF_PLAYER_0 = frozenset({"/propose", "/abort", "/replace", "/open"})
_FORMING = ("/start", "/seat", "/dismiss", "/level", "/wait", "/invite")
_OF_LATER_SERVERS = (*_FORMING, "/players", "/leave", "/report", "/mod")
_SEATS = ("0", "1", "2", "3")
_NO_WORD = "That was not done: this server cannot do it."


class Wishes:
    """Sends what is typed to the server, and says what becomes of it here."""

    def __init__(self, client: Client, narrator: Narrator, say: Callable[[str], None]) -> None:
        self._client = client
        self._narrator = narrator
        self._say = say

    async def do(self, typed: Typed, *, knows_more: bool) -> None:
        """Ask or answer, or say why that cannot be; ``knows_more`` is as in PlayerSession."""
        said = self._why_not(typed.what, knows_more)
        if not said:
            try:
                said = await self._send(typed)
            except NotUnderstood as error:
                said = sentence(str(error))
            except LocalProtocolError as error:
                what = "Not said" if typed.what in _ANSWERS else "That was not done"
                said = f"{what}: {error}."
        if said:
            self._say(said)

    def _why_not(self, what: Command | None, knows_more: bool) -> str:
        client = self._client
        if what in _FORMING and client.seated is not None:
            return "The table has its players already."
        if what in _OF_LATER_SERVERS and not knows_more:
            return f"{_NO_WORD} /quit leaves." if what == "/leave" else _NO_WORD
        if what == "/claim" and client.asked is not inputs.Question.CARD:
            return "It is not your turn to lead."
        if what == "/claim" and not proves_rest(client.view):
            return sentence(NOT_CERTAIN)
        if what in OF_PLAYER_0 and client.picture.table is None:
            return "There is no table yet."
        if what in OF_PLAYER_0 and client.player and self._is_there(0):
            return f"That was not done: only player 0, {self._narrator.name(0)}, may ask for it."
        return ""

    def _is_there(self, player: int) -> bool:
        infos = self._narrator.roster.infos
        if not infos:
            return True
        info = infos[player]
        return info.kind is not PlayerKind.COMPUTER and info.presence is Presence.THERE

    async def _send(self, typed: Typed) -> str:
        """Send a wish; return the line to say. Raises NotUnderstood and LocalProtocolError."""
        if typed.what in _ANSWERS:
            answer, agreed, said = _ANSWERS[typed.what]
            await answer(self._client, agreed)
        else:
            wish, said = self._wish(typed)
            await self._client.wish(wish)
        return said

    def _wish(self, typed: Typed) -> tuple[wishes.Wish, str]:
        """Give a wish, and the line to say. Raises as above."""
        client, roster = self._client, self._narrator.roster
        me, text = client.player, typed.text
        match typed.what:
            case "/start":
                return wishes.StartTable(me), ""
            case "/seat":
                seat = self._free_seat(text)
                return wishes.MoveSeat(me, seat), f"You ask for seat {seat}."
            case "/dismiss":
                return wishes.SendAway(me, roster.find(text)), ""
            case "/level":
                at, _, level = text.partition(" ")
                if at not in _SEATS:
                    raise LocalProtocolError("give the number of a seat, 0 to 3, and a level")
                return wishes.SetLevel(me, int(at), read_word(level, {**LEVELS, "host": 0})), ""
            case "/wait":
                return wishes.BeInvitable(me, typed.wants_to_wait), ""
            case "/players":
                return wishes.AskForInvitable(me), ""
            case "/invite":
                if not (text.isdecimal() and len(text) < 9):
                    raise LocalProtocolError("give a number of /players")
                return wishes.Invite(me, int(text)), ""
            case "/claim":
                return inputs.ClaimRest(me), ""
            case "/undo" | "/redo":
                return inputs.TakeBack(me, again=typed.what == "/redo"), ""
            case "/report":
                return wishes.AskHost(me, f"report {roster.find(text)}"), ""
            case "/mod":
                return wishes.AskHost(me, text), ""
            case "/leave":
                return inputs.Resign(me), "You leave for good."
            case "/propose":
                rules, end = read_game(text, client.picture.end_score)
                said = f"You propose for the next game: {game_in_words(rules, end)}."
                return inputs.ProposeRules(me, rules, end), said
            case "/abort":
                what = read_word(text or "hand", ABORTS)
                said = f"You propose to abandon this {what.value}."
                return inputs.ProposeAbort(me, what), said
        player = roster.find(text)
        name = roster.name(player)
        if typed.what == "/replace":
            return inputs.ReplacePlayer(me, player), f"You ask for a computer in place of {name}."
        return inputs.OpenSeat(me, player), f"You ask to open the seat of {name}."

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

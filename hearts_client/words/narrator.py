"""Tells a person in words what happens at the table. It reads events and prints nothing itself."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from hearts.errors import Fault
from hearts.game.cards import Card
from hearts.game.events import CardPlayed, CardsReceived, ChosenBy, MoonChosen, PassMade, YourHand
from hearts.game.rules import Direction
from hearts.session import table_words, wishes
from hearts.session.client_events import (
    AgainAnswered,
    CaughtUp,
    ChoiceRefused,
    DealerEvent,
    Seated,
    WaitingForPlayers,
)
from hearts.session.messages import TableInfo
from hearts.session.picture import Picture
from hearts.table import inputs
from hearts.table.effects import TakenBack
from hearts.table.inputs import ClaimRest, OpenSeat, ProposeAbort, ProposeRules, ReplacePlayer
from hearts.wire.day_chain import day_of

from .story import PASS_WORDS, Story, hand_line
from .style import Style
from .tables import invitation_lines, title, what_is_played, who_starts

PLAYER_0_STAYS = "player 0 stays, because only that seat may ask for some things"
_TAKEN_BACK = "You take your choice back. No statistics count this game."
NOT_CERTAIN = "some of the remaining tricks may not be yours"


class _Words(NamedTuple):
    """A wish in words."""

    not_now: str
    """The reason if it cannot be granted now."""
    taken: str = ""
    of_opener: str = ""
    """The wish after "may", if only the player who has opened the table may wish for it."""


_VOTE = "The others have a minute to answer."
_WISHES: dict[type[wishes.Wish] | None, _Words] = {
    ProposeRules: _Words("there is a vote on other rules already", _VOTE),
    ProposeAbort: _Words("there is nothing to abandon, or there is a vote already", _VOTE),
    ReplacePlayer: _Words(
        "that player cannot be asked, or has said no in this game",
        "A computer takes the seat before the next hand, if its player agrees.",
    ),
    OpenSeat: _Words(
        "it is open, or its player cannot be asked or has said no in this game",
        "The player has a minute to answer.",
    ),
    wishes.StartTable: _Words("the table has begun already", of_opener="start it"),
    wishes.SendAway: _Words(
        "no guest has that seat, or the table has begun",
        "The guest is gone. The table has a new name; anybody who uses the old one is told so.",
        "send a guest away, if it is a private one",
    ),
    wishes.SetLevel: _Words(
        "somebody has that seat, or computers of that level do not play here",
        "The computer of that seat plays so.",
        "choose how well computers play",
    ),
    wishes.AskHost: _Words("you have asked too often in a short time"),
    wishes.BeInvitable: _Words(
        "the table has begun, or too many are waiting to be invited",
        "Others may invite you now; /wait off ends it.",
    ),
    wishes.Invite: _Words(
        "that player cannot be invited now, or has not come to this table before",
        "The player has half a minute to answer.",
        "invite others",
    ),
    wishes.AnswerInvitation: _Words("the invitation is over"),
    wishes.MoveSeat: _Words("that seat is not free, or it was the sixth move in a short time"),
    inputs.TakeBack: _Words("there is nothing to take back, or to do again"),
    ClaimRest: _Words("only the player who leads the next trick can claim the rest"),
    wishes.ChatWhileForming: _Words("you said too much in a short time, or the table has begun"),
}


class Narrator(Story):
    """The story of one session, for the person in one seat."""

    LOST = "Connection lost. Your seat is kept; trying again ({why})."

    def __init__(
        self,
        style: Style,
        picture: Picture,
        invite: Callable[[str], tuple[str, str]] | None = None,
    ) -> None:
        """``picture`` knows each event before we are told it. ``invite`` gives the line with which
        friends come to a table of a name, and more about it; None if nobody could come."""
        super().__init__(style, picture)
        self._is_seated = False
        self._takes_back = False
        """True while the game is told again, because a choice was taken back."""
        self._invite = invite
        self.is_time_up: Callable[[], bool] = lambda: True
        """True if the server may have played because the person's time was up, where they have a
        clock. In the plain dialect it plays in the same way behind a claim."""
        self._table: table_words.TableMessage | None = None
        """Our own table, as the server has described it last."""

    def narrate(self, event: DealerEvent) -> list[str]:
        """Return the lines for an event; none for one that the person is told of otherwise.

        What is past when a player comes back is told in short, when all of it is there.
        """
        newcomer = not self._is_seated
        if isinstance(event, table_words.TableMessage):
            self.is_of_day = day_of(event.table) is not None
        lines = self._narrate(event)
        if isinstance(event, TakenBack) and event.hands >= 0:
            self._takes_back = True
        if isinstance(event, CaughtUp):
            takes_back, self._takes_back = self._takes_back, False
            self._is_lost = False
            return self._narrate_place(_TAKEN_BACK if takes_back else "You are back.")
        if self._picture.is_past and not (newcomer and isinstance(event, Seated)):
            return []
        return lines

    def _narrate(self, event: DealerEvent) -> list[str]:
        match event:
            case WaitingForPlayers(player):
                self.roster.me = player
                return [f"You are player {player}. Waiting for the other players."]
            case (
                table_words.InvitableMessage()
                | table_words.InvitableCount()
                | table_words.InvitationMessage()
                | table_words.InvitationOver()
            ):
                return invitation_lines(event)
            case table_words.SeatMoved(player):
                self.roster.me = player
                return [f"You are player {player} now."]
            case table_words.Waiting(None):
                return self.roster.form(event)
            case table_words.RegisterOpponents(players) if not self._is_seated:
                self.roster.gather(players)
                return []
            case table_words.TableMessage() if not self._is_seated:
                return self._narrate_table(event)
            case table_words.Taken(wish):
                taken = _WISHES[wish].taken if wish in _WISHES else ""
                return [taken] if taken else []
            case Seated():
                return self._narrate_seats(event)
            case TableInfo():
                return [*self.rules(), "Type /help to see what you can type."]
            case YourHand(number, direction, cards):
                return self._narrate_own_hand(number, direction, cards)
            case PassMade(_, cards, by):
                target = self.name(self._picture.view().direction.target(self.roster.me))
                who = (
                    "You pass" if by is ChosenBy.PLAYER else "Time is up. The server passes for you"
                )
                return [f"{who}: {self._style.cards(cards)}, to {target}."]
            case CardsReceived(cards):
                return [self.received_line(cards), *self.hand()]
            case ChoiceRefused(_, reason):
                return [f"The server refuses that: {reason.text}."]
            case AgainAnswered(yes, ChosenBy.CLOCK):
                answer = "yes" if yes else "no"
                return [f"Time is up. The server answers for you: {answer}."]
            case table_words.Declined():
                return self._narrate_declined(event)
            case _:
                return super().narrate(event)

    # Coming back

    def _narrate_place(self, why: str) -> list[str]:
        lines = ["", why]
        picture = self._picture
        if picture.board.rows:
            lines += self.scores()
        lines += self.winners_lines()
        if picture.is_over:
            lines.append("The session is over.")
        elif picture.dealt:
            trick = f", trick {picture.hand.begun}" if picture.turn is not None else ""
            lines += [f"--- Hand {picture.view().hand_number + 1}{trick} ---", *self.hand()]
            if picture.turn is not None:
                lines += self.trick_lines()
        return lines

    # The table

    def _narrate_table(self, table: table_words.TableMessage) -> list[str]:
        before, self._table = self._table, table
        if table.game_number:
            return []
        starts = who_starts(table, self.roster.me, "/start")
        if before is not None and before.table == table.table:
            return [starts] if starts and table.opener != before.opener else []
        lines = [f"{title(table)}. {what_is_played(table)[0]}", *what_is_played(table)[1:]]
        if (
            table.private
            and before is None
            and not any(name for player, name in enumerate(table.names) if player != self.roster.me)
        ):
            lines.append("It is new; you have opened it.")
        if self._invite is not None:
            name = table.table if table.private else ""
            line, more = self._invite(name)
            lines += [f"Friends come with: {line}", more]
        return [*lines, starts] if starts else lines

    def _narrate_seats(self, seated: Seated) -> list[str]:
        self._is_seated = True
        self.roster.me = seated.player
        self.roster.call(seated.names)
        left, across, right = (self.name((self.roster.me + step) % 4) for step in (1, 2, 3))
        return ["", f"On your left sits {left}, across {across}, on your right {right}."]

    def _narrate_declined(self, declined: table_words.Declined) -> list[str]:
        not_now, _, of_opener = _WISHES.get(declined.wish, _Words(declined.why))
        not_you = f"only player 0, {self.name(0)}, may ask for it"
        if of_opener:
            not_you = f"only the player who opened the table may {of_opener}"
        known = {
            Fault.NOT_PLAYER_0: not_you,
            Fault.NOT_PROVEN: NOT_CERTAIN,
            Fault.NOT_ALONE: Fault.NOT_ALONE.text,
            Fault.SAME_HANDS: Fault.SAME_HANDS.text,
            Fault.NOT_NOW: not_now,
        }
        why = known.get(declined.fault)
        return [] if why is None else [f"That was not done: {why}."]

    # A hand

    def _narrate_own_hand(
        self, number: int, direction: Direction, cards: Sequence[Card]
    ) -> list[str]:
        how = PASS_WORDS[direction]
        if direction is Direction.HOLD:
            return ["", hand_line(number, how), f"Hand: {self._style.hand(cards)}"]
        target = self.name(direction.target(self.roster.me))
        return ["", hand_line(number, f"{how}, to {target}")]

    def received_line(self, cards: Sequence[Card]) -> str:
        view = self._picture.view()
        source = next(p for p in range(4) if view.direction.target(p) == self.roster.me)
        return f"From {self.name(source)} you receive: {self._style.cards(cards)}."

    def hand(self) -> list[str]:
        return [f"Hand: {self._style.hand(self._picture.view().cards)}"]

    def card_line(self, played: CardPlayed) -> str:
        if played.by is ChosenBy.CLOCK and played.player == self.roster.me:
            why = "Time is up. " if self.is_time_up() else ""
            return f"{why}The server plays {self._style.card(played.card)} for you."
        return super().card_line(played)

    def _narrate_moon_choice(self, chosen: MoonChosen) -> list[str]:
        if chosen.player != self.roster.me:
            return super()._narrate_moon_choice(chosen)
        who = (
            "You choose"
            if chosen.by is ChosenBy.PLAYER
            else "Time is up. The server chooses for you"
        )
        return [f"{who}: {self._moon_in_words(chosen, 'your')}."]

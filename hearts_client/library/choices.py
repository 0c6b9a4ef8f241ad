"""The words of a program that plays to the server: its choices and its wishes."""

from __future__ import annotations

from collections.abc import Sequence

from hearts.game.cards import Card
from hearts.game.rules import Rules
from hearts.game.view import View
from hearts.session import wishes
from hearts.session.client_events import Seated
from hearts.session.picture import Picture
from hearts.session.table_words import Introduction
from hearts.table import inputs

from .dialects import PlayerSide
from .retries import ReturningLine


class ClientChoices(ReturningLine[PlayerSide]):
    """The side of a connection on which a player speaks. Any task may call it."""

    seated: Seated | None = None
    """Our seat and the four names, once the table has its players."""

    @property
    def player(self) -> int:
        """Our seat, 0-3; -1 while the server has given none."""
        return self._session.player if self.seated is None else self.seated.player

    @property
    def picture(self) -> Picture:
        """Our knowledge of the table after the latest event."""
        return self._session.picture

    @property
    def view(self) -> View:
        """The game as we see it. Raises LocalProtocolError before the first hand."""
        return self.picture.view()

    @property
    def asked(self) -> inputs.Question | None:
        """The choice that we have to make now; None while the connection is lost."""
        return self._session.asked

    async def pass_cards(self, cards: Sequence[Card]) -> None:
        """Pass three different cards. Raises LocalProtocolError if that is not asked for."""
        self._session.pass_cards(cards)
        await self.flush()

    async def play(self, card: Card) -> None:
        """Play a card. Raises LocalProtocolError if that is not asked for."""
        self._session.play(card)
        await self.flush()

    async def choose_moon(self, on_others: bool) -> None:
        """Choose 26 points for each of the others, or 26 off our own. Raises LocalProtocolError."""
        self._session.choose_moon(on_others)
        await self.flush()

    async def play_again(self, yes: bool) -> None:
        self._session.play_again(yes)
        await self.flush()

    # What the dealer dialect has words for (DealerSpec.md section 14.8)

    async def ask_table(self, name: str = "") -> None:
        """Ask for a table's TableMessage, our own without a name.

        After that the server tells of our own whenever somebody comes or leaves, and more of what
        is new. Raises LocalProtocolError in the plain dialect, and before the registration is over.
        """
        await self.wish(wishes.AskForTable(self.player, name))

    async def ask_tables(self) -> None:
        """Ask for a TableMessage of each public table, and TablesMessage. Raises as above."""
        await self.wish(wishes.AskForTables(self.player))

    async def start_table(self) -> None:
        """Let computers take the free seats of the table that forms. Raises as above."""
        await self.wish(wishes.StartTable(self.player))

    async def move_seat(self, player: int) -> None:
        """Ask for a free seat of the table that forms, in place of our own. Raises as above."""
        await self.wish(wishes.MoveSeat(self.player, player))

    async def be_invitable(self, wanted: bool) -> None:
        """Say whether others may invite us to their tables while ours forms. Raises as above."""
        await self.wish(wishes.BeInvitable(self.player, wanted))

    async def ask_invitable(self) -> None:
        """Ask for all InvitableMessages and the InvitableCount. Raises as above."""
        await self.wish(wishes.AskForInvitable(self.player))

    async def invite(self, number: int) -> None:
        """Invite one of them to the table that we have opened. Raises as above."""
        await self.wish(wishes.Invite(self.player, number))

    async def answer_invitation(self, agreed: bool) -> None:
        """Answer InvitationMessage: True if we come. Raises LocalProtocolError if nobody asks."""
        self._session.answer_beside(wishes.AnswerInvitation(self.player, agreed))
        await self.flush()

    async def comment(self, text: str) -> None:
        """Say something to those who wait at the table that forms. Raises as above, and for a
        text that cannot be said."""
        await self.wish(wishes.ChatWhileForming(self.player, text))

    async def introduce(self, introduction: Introduction) -> None:
        """Say again who we are. Raises as above."""
        self._session.introduce(introduction)
        await self.flush()

    async def leave_for_good(self) -> None:
        """Give up our seat; the server ends the connection. Raises as above."""
        await self.wish(inputs.Resign(self.player))

    async def wish(self, wish: wishes.Wish) -> None:
        """Ask for anything that hearts.session.wishes has. Raises as above."""
        self._session.wish(wish)
        await self.flush()

    async def claim_rest(self) -> None:
        """Say that all tricks that are left of the hand are ours; RestClaimed follows, or Declined.

        Raises LocalProtocolError in the plain dialect, and without a table.
        """
        await self.wish(inputs.ClaimRest(self.player))

    async def vote(self, agreed: bool) -> None:
        """Answer RulesProposed or AbortProposed. Raises LocalProtocolError if there is none."""
        self._session.answer_beside(inputs.Vote(self.player, agreed))
        await self.flush()

    async def give_seat(self, agreed: bool) -> None:
        """Answer SeatWanted; if we agree we leave. Raises LocalProtocolError if nobody asks."""
        self._session.answer_beside(inputs.GiveSeat(self.player, agreed))
        await self.flush()

    async def propose_rules(self, rules: Rules, end_score: int) -> None:
        """As player 0, propose rules for the next game. Raises LocalProtocolError."""
        await self.wish(inputs.ProposeRules(self.player, rules, end_score))

    async def propose_abort(self, what: inputs.Abort) -> None:
        """As player 0, propose to break off the hand or the game. Raises LocalProtocolError."""
        await self.wish(inputs.ProposeAbort(self.player, what))

    async def replace_player(self, player: int) -> None:
        """As player 0, replace a player by a computer. Raises LocalProtocolError.

        The player has to be away, or has to agree.
        """
        await self.wish(inputs.ReplacePlayer(self.player, player))

    async def open_seat(self, player: int) -> None:
        """As player 0, open a computer's seat, or one that its player gives up. Raises as above."""
        await self.wish(inputs.OpenSeat(self.player, player))

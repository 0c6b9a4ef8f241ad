"""Everybody at the table but the client under test."""

from __future__ import annotations

from collections.abc import Callable

from msgspec.structs import replace

from hearts.bots import Draw, RandomBot
from hearts.bots.player import choice_of
from hearts.game.cards import Card
from hearts.game.events import ChosenBy
from hearts.game.view import View, proves_rest, view_of
from hearts.hosting.ports import Give
from hearts.plain.seat import PlainSeat
from hearts.table.effects import AbortProposed, Ask, RulesProposed, TableEvent
from hearts.table.inputs import AnswerAgain, Choice, Chosen, ClaimRest, Question, Vote
from hearts.table.table import Table

from .kept_link import KeptLink
from .script import Script


class KitBot(RandomBot):
    """Chooses for all seats; for the client if its time is up."""

    __slots__ = ("_client", "avoided")

    def __init__(self, draw: Draw, client: int) -> None:
        super().__init__(draw)
        self._client = client
        self.avoided = 0
        """Cards, as a mask, that are not chosen for the client if there are others."""

    def choose_pass(self, view: View) -> tuple[Card, ...]:
        return super().choose_pass(replace(view, hand=self._allowed(view, view.hand)))

    def choose_card(self, view: View) -> Card:
        return super().choose_card(replace(view, legal=self._allowed(view, view.legal)))

    def choose_moon(self, view: View) -> bool:
        return True

    def _allowed(self, view: View, cards: int) -> int:
        if view.player != self._client:
            return cards
        return cards & ~self.avoided or cards


class OtherPlayer(PlainSeat):
    def __init__(self, player: int, table: Table, bot: KitBot, script: Script, give: Give) -> None:
        super().__init__(player)
        self.on_event: Callable[[TableEvent], None] = lambda event: None
        """Is called with all that this player is told."""
        self.link = KeptLink()
        """Keeps nothing: its seat has no bytes."""
        self._table = table
        self._bot = bot
        self._more_games = script.more_games
        self._give = give
        self._claims = script.claims

    def encode_event(self, event: TableEvent) -> bytes:
        if isinstance(event, RulesProposed | AbortProposed):
            self._give(Vote(self.player, True))
        self.on_event(event)
        return b""

    def ask(self, asked: Ask) -> bytes:
        if self._claims and asked.question is Question.CARD and proves_rest(self._view):
            self._give(ClaimRest(self.player))
        else:
            self._give(Chosen(self.player, self._choose(asked.question)))
        return b""

    @property
    def _view(self) -> View:
        return view_of(self._table.game, self.player)

    def _choose(self, question: Question) -> Choice:
        if question is Question.AGAIN:
            self._more_games -= 1
            return AnswerAgain(self.player, self._more_games >= 0)
        return choice_of(self._bot, question, self._view, ChosenBy.PLAYER)

"""A hand of a link that goes on from one of its tricks, here and without a server."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import trio

from hearts.bots.levels import swift
from hearts.bots.player import choice_of
from hearts.errors import LocalProtocolError
from hearts.game.cards import Card
from hearts.game.events import Action, ChooseMoon, ChosenBy, Event, HandScored, Pass, Play
from hearts.game.view import View, seen_by, view_of
from hearts.session.client_events import Seated
from hearts.session.hand_link import LinkedHand
from hearts.session.messages import Scores, TableInfo
from hearts.session.picture import Picture
from hearts.table.inputs import QUESTIONS
from hearts.wire.credentials import SeatCredentials
from hearts_client.words.narrator import Narrator
from hearts_client.words.style import Style, sentence
from hearts_client.words.typed import NotUnderstood

from .questions import Questions

_WHOLE = Seated | TableInfo | Scores
_HELP = "Type a card by name or number, or /leave."


class LinkedGame:
    """The rest of a hand. It is the client of the questions to its person."""

    can_claim_rest = False

    def __init__(
        self, link: LinkedHand, player: int, style: Style, say: Callable[[str], None]
    ) -> None:
        self.player = player
        self.picture = Picture()
        self._link = link
        self._game = link.new_game()
        self._bot = swift(lambda: 0.0)
        self._narrator = Narrator(style, self.picture)
        self._questions = Questions(self, style, self._narrator)
        self._say = say
        self._is_told = False
        self._receive(Seated(SeatCredentials(0, 0, player, 0), link.names))

    @property
    def view(self) -> View:
        return view_of(self._game, self.player)

    async def go_on(self, tricks: int, lines: trio.MemoryReceiveChannel[str]) -> None:
        """Play on behind so many tricks of the link, or before its pass for -1, to the end."""
        game, link = self._game, self._link
        for line in self._start(tricks):
            self._say(line)
        while game.phase in QUESTIONS:
            waiting = game.waiting_for()
            others = [player for player in waiting if player != self.player]
            if others:
                view = view_of(game, others[0])
                chosen = choice_of(self._bot, QUESTIONS[game.phase], view, ChosenBy.COMPUTER)
                assert isinstance(chosen, Pass | Play | ChooseMoon)
                self._do(chosen)
            elif not await self._ask(lines):
                return
        _, played = link.played()
        assert played.scored is not None
        self._say(
            f"You took {game.points[self.player]} points; in the link it was "
            f"{played.scored.points[self.player]}."
        )

    def _start(self, tricks: int) -> list[str]:
        """Do what the link has before that, untold; return the lines that say what it came to."""
        passes = sum(isinstance(choice, Pass) for choice in self._link.choices)
        self._receive(TableInfo(self._link.rules, self._link.end_score, 0, frozenset()))
        self.picture.board.stand(self._link.before)
        head: Sequence[Action] = [self._link.deal]
        if tricks >= 0:
            head = self._link.actions[: 1 + passes + 4 * tricks]
        for action in head:
            self._do(action)
        self._is_told = True
        names = [self._narrator.name((self.player + step) % 4) for step in (1, 2, 3)]
        return [
            f"On your left sits {names[0]}, across {names[1]}, on your right {names[2]}.",
            *self._narrator.hand(),
            *(self._narrator.last_trick() if tricks > 0 else []),
            _HELP,
        ]

    async def _ask(self, lines: trio.MemoryReceiveChannel[str]) -> bool:
        """Ask the person until they have chosen; False if they leave."""
        question = QUESTIONS[self._game.phase]
        asked = self._questions.put(question, "")
        while True:
            for line in asked:
                self._say(line)
            text = await anext(lines, "/leave")
            if text.strip() in ("/leave", "/quit"):
                return False
            try:
                if await self._questions.answer(question, text.strip()):
                    return True
                asked = self._questions.put(question, "")
            except NotUnderstood as error:
                asked = [sentence(str(error))]

    def _do(self, action: Action) -> None:
        self._game.check(action)
        for event in self._game.apply(action):
            self._receive(event)

    def _receive(self, event: Event | Seated | TableInfo | Scores) -> None:
        if isinstance(event, HandScored):
            event = Scores(event.scores, event.winners)
        told = event if isinstance(event, _WHOLE) else seen_by(event, self.player)
        if told is not None and not isinstance(told, HandScored):
            self.picture.update(told)
            lines = self._narrator.narrate(told)
            for line in lines if self._is_told else ():
                self._say(line)

    # What the person chooses

    async def pass_cards(self, cards: Sequence[Card]) -> None:
        self._do(Pass(self.player, tuple(cards)))

    async def play(self, card: Card) -> None:
        self._do(Play(self.player, card))

    async def choose_moon(self, on_others: bool) -> None:
        self._do(ChooseMoon(self.player, on_others))

    async def play_again(self, yes: bool) -> None:
        raise LocalProtocolError("nobody was asked")

"""The table that the kit plays at: the real machine, with bots on the other three seats.

What it tells the client under test is right by construction. Time is what the kit says it is.
"""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import inf

from hearts.bots import RandomBot
from hearts.errors import IllegalAction, Reason
from hearts.game.cards import CARDS, Card, cards_of
from hearts.game.events import ChooseMoon, ChosenBy, Deal, Pass, Play
from hearts.game.rules import Rules
from hearts.game.view import View, view_of
from hearts.table import (
    Able,
    AnswerAgain,
    Answered,
    Ask,
    AskBot,
    CameBack,
    CaughtUp,
    Choice,
    Chosen,
    Decline,
    Drain,
    Durable,
    Effect,
    Ended,
    GameBegun,
    Input,
    Kind,
    Left,
    Persist,
    ProposeRules,
    Question,
    Refuse,
    RulesProposed,
    SessionTotals,
    Setting,
    Stopped,
    Table,
    TableEvent,
    Tell,
    TellAll,
    Tick,
    Vote,
)

Heard = TableEvent | Ask | Reason | Decline
"""What the client under test is told or asked, or what it is refused for."""

_LONG = 1_000_000.0
"""Seconds after which every clock has run out."""


@dataclass(frozen=True, slots=True)
class Missed:
    """What a client that comes back is told and asked."""

    begun: GameBegun
    """The game in which it begins."""
    standing: SessionTotals
    """Where the players stood then."""
    told: list[TableEvent | Question]
    decided: int
    """How many of the choices asked for are decided already."""


class Host:
    """One table, and everybody at it but the client under test."""

    def __init__(
        self,
        setting: Setting,
        me: int,
        others: Kind,
        names: Sequence[str],
        deals: Sequence[Deal],
        more_games: int,
    ) -> None:
        """``me`` is the seat of the client; after ``deals`` hands are dealt by chance.

        ``more_games`` is how many more games the others wish for, where they are asked.
        """
        self.me = me
        self.over = False
        self._connected = True
        self._now = 0.0
        self._random = random.Random(me)
        self._bot = RandomBot(self._random.random)
        self._deals: Iterator[Deal] = iter(deals)
        self._has_secrets = not deals
        self._more_games = more_games
        self._avoid: tuple[Card, ...] = ()
        kinds = [Kind.CLIENT if player == me else others for player in range(4)]
        self.table = Table(setting, list(zip(names, kinds, strict=True)), self._next_deal)

    def _next_deal(self) -> Deal:
        given = next(self._deals, None)
        if given is not None:
            return given
        dealt = Deal.from_secret(self._random.randbytes(16))
        # A server deals all hands of a session in one way.
        return dealt if self._has_secrets else Deal(dealt.hands)

    # What happens

    def start(self) -> list[Heard]:
        """Begin the first game."""
        return self._carry_out(self.table.start())

    def give(self, given: Input) -> list[Heard]:
        """The client did something."""
        return self._step(given)

    def force(self, avoid: Sequence[Card] = ()) -> list[Heard]:
        """The client's time is up; where it can, the table plays none of the cards to avoid."""
        self._avoid = tuple(avoid)
        self._now += _LONG
        # However often the kit makes it wait, the table never lets a stand-in play at once.
        self.table.seats[self.me].patience = inf
        heard = self._step(Tick())
        self._avoid = ()
        return heard

    def leave(self) -> None:
        """The client's connection is lost."""
        self._connected = False
        self._step(Left(self.me))

    def come_back(self, hands: int) -> Missed:
        """The client is there again; what it is told and asked from those Scores on."""
        past = self.table.past
        missed = Missed(
            GameBegun(past.setting(self.me, hands)),
            past.standing(self.me, hands),
            list(past.replay(self.me, hands)),
            past.decided(self.me, hands),
        )
        self._connected = True
        self._step(CameBack(self.me))
        return missed

    def open_question(self) -> Ask | None:
        """What the client was asked and has not chosen; its clock begins now."""
        self._step(CaughtUp(self.me))
        return self.table.open_question(self.me, self._now)

    def propose(self, rules: Rules, end_score: int) -> list[Heard]:
        """Player 0 proposes rules for the next game, and all others but the client agree."""
        for player, seat in enumerate(self.table.seats):
            if player != self.me and seat.kind is Kind.CLIENT:
                self._step(Able(player, votes=True, wants_to_cut=False))
        return self._step(ProposeRules(0, rules, end_score))

    def drain(self) -> None:
        """Let the session end with this game."""
        self._step(Drain())

    # What is the case

    @property
    def view(self) -> View:
        """The game as the client may see it."""
        return view_of(self.table.game, self.me)

    def why_not(self, choice: Choice) -> Reason | None:
        """Why the client may not choose so; None where it may."""
        if not isinstance(choice, Pass | Play | ChooseMoon):
            return None
        try:
            self.table.game.check(choice)
        except IllegalAction as error:
            return error.reason
        return None

    def reasons(self) -> set[Reason]:
        """Why the client may not play some of the cards that it holds."""
        held = cards_of(self.view.hand)
        found = {self.why_not(Play(self.me, card)) for card in held}
        return {reason for reason in found if reason is not None}

    def would_be_legal(self, hand: int, card: int) -> bool:
        """Whether a card could be played now by a client that held another hand, a mask."""
        play = self.table.game.play
        assert play is not None
        other = play.copy()
        other.hands[self.me] = hand
        return bool(hand >> card & 1 and other.legal() >> card & 1)

    # How it goes on

    def _step(self, given: Input) -> list[Heard]:
        return self._carry_out(self.table.step(given, self._now))

    def _carry_out(self, effects: Sequence[Effect]) -> list[Heard]:
        heard: list[Heard] = []
        waiting = deque(effects)
        while waiting:
            match waiting.popleft():
                case Persist():
                    waiting += self.table.step(Durable(), self._now)
                case Tell(player, event):
                    if player == self.me:
                        heard += [event] if self._connected else []
                    elif isinstance(event, RulesProposed):
                        waiting += self.table.step(Vote(player, True), self._now)
                case TellAll(event):
                    if self._connected:
                        heard.append(event)
                case Ask(player, question) as asked:
                    if player != self.me:
                        chosen = Chosen(player, self._choose(player, question))
                        waiting += self.table.step(chosen, self._now)
                    elif self._connected:
                        heard.append(asked)
                case AskBot(request, question, view, by):
                    answer = Answered(request, self._answer(question, view, by))
                    waiting += self.table.step(answer, self._now)
                case Refuse(_, reason):
                    heard.append(reason)
                case Decline() as declined:
                    heard.append(declined)
                case Ended() | Stopped():
                    self.over = True
                case _:
                    # What is for the chat, for watchers and for other dialects.
                    pass
        return heard

    def _choose(self, player: int, question: Question) -> Choice:
        if question is Question.AGAIN:
            self._more_games -= 1
            return AnswerAgain(player, self._more_games >= 0)
        return self._answer(question, view_of(self.table.game, player), ChosenBy.PLAYER)

    def _answer(self, question: Question, view: View, by: ChosenBy) -> Choice:
        view = self._without_avoided(question, view)
        match question:
            case Question.PASS:
                return Pass(view.player, self._bot.choose_pass(view), by)
            case Question.CARD:
                return Play(view.player, self._bot.choose_card(view), by)
            case Question.MOON:
                return ChooseMoon(view.player, True, by)
            case _:
                raise AssertionError(f"a bot was asked for {question.value!r}")

    def _without_avoided(self, question: Question, view: View) -> View:
        if view.player != self.me or not self._avoid:
            return view
        mask = sum(1 << card for card in set(self._avoid))
        if question is Question.CARD:
            return view._replace(legal=view.legal & ~mask or view.legal)
        return view._replace(hand=view.hand & ~mask or view.hand)


def card_text(cards: int | Sequence[int]) -> str:
    """Cards, or a mask of them, in words."""
    listed = cards_of(cards) if isinstance(cards, int) else (CARDS[card] for card in cards)
    return " ".join(map(str, listed)) or "none"

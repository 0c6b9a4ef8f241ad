"""The guided first hand in several lines of play: ``python -m tests.vectors.lesson_lines`` writes
``lesson.json``, to which the terminal and the page are held.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

import msgspec
from msgspec import Struct

from hearts.bots import SimpleBot
from hearts.bots.player import MoonBot
from hearts.bots.swift.bot import SwiftBot, shipped_network
from hearts.game.cards import Card, cards_of
from hearts.game.deal import deal_hands, parse_deal_code
from hearts.game.events import Deal, Pass, Play
from hearts.game.game import Game
from hearts.game.view import View, view_of
from hearts_client.words.lesson import At, Guide, better, lesson

FILE = Path(__file__).with_name("lesson.json")
NAMES = ("Ann", *lesson().names)


class LessonLine(Struct, frozen=True):
    """One way through the hand. Cards are wire numbers."""

    passes: list[list[int]]
    played: list[int]
    own: list[int]
    """The cards of the learner among them."""
    said: list[tuple[At, list[str]]]
    doubted: list[int]
    """The choices that are doubted: -1 for the pass, else the number of cards played before."""


class RandomLearner(SimpleBot):
    """Somebody who plays anything that they may."""

    def __init__(self, seed: int) -> None:
        super().__init__()
        self._source = random.Random(seed)

    def choose_pass(self, view: View) -> tuple[Card, ...]:
        return tuple(self._source.sample(list(cards_of(view.hand)), 3))

    def choose_card(self, view: View) -> Card:
        return self._source.choice(list(cards_of(view.legal)))


def wise() -> MoonBot:
    return SwiftBot(shipped_network())


LEARNERS: tuple[Callable[[], MoonBot], ...] = (
    wise,
    SimpleBot,
    *(lambda seed=seed: RandomLearner(seed) for seed in range(4)),
)


def line_of(learner: MoonBot) -> LessonLine:
    """Return all that is passed, played, said and doubted if somebody plays the hand."""
    game, guide = Game(), Guide(lambda card: str(card.wire))
    said: list[tuple[At, list[str]]] = []
    secret = parse_deal_code(lesson().deal)
    game.apply(Deal(deal_hands(secret), secret))
    players = [learner, wise(), wise(), wise()]
    doubted = []

    def say(at: At) -> None:
        said.append((at, guide.say(at, view_of(game, 0), NAMES)))

    say("pass")
    passes = [(*player.choose_pass(view_of(game, seat)),) for seat, player in enumerate(players)]
    if better(view_of(game, 0), Pass(0, passes[0])):
        doubted.append(-1)
    for seat, cards in enumerate(passes):
        game.apply(Pass(seat, cards))
    cards_played: list[int] = []
    own: list[int] = []
    while game.play is not None and len(cards_played) < 52:
        seat = game.play.turn
        view = view_of(game, seat)
        card = players[seat].choose_card(view)
        if seat == 0:
            say("card")
            own.append(card.wire)
            if better(view, Play(0, card)):
                doubted.append(len(cards_played))
        cards_played.append(card.wire)
        game.apply(Play(seat, card))
        if len(cards_played) % 4 == 0 and len(cards_played) < 52:
            say("trick")
    say("end")
    return LessonLine(
        [[card.wire for card in cards] for cards in passes], cards_played, own, said, doubted
    )


def lines() -> list[LessonLine]:
    return [line_of(learner()) for learner in LEARNERS]


if __name__ == "__main__":
    FILE.write_bytes(msgspec.json.encode(lines()) + b"\n")

"""Points of the games that swifts play of some hands: ``python -m tests.bots.par_vectors``.

Python and the page are held to the file. Cards have their numbers of the wire.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import msgspec

from hearts.bots import RandomBot
from hearts.bots.swift.par import games_from
from hearts.game.cards import Card, by_wire, mask_of
from hearts.game.events import Deal, Pass, Play
from hearts.game.game import Game, Phase
from hearts.game.rules import Direction, parse_rules
from hearts.game.scoring import Four
from hearts.game.view import view_of
from tests.game.games import deal_by
from training.vectors import RULES

PATH = Path(__file__).parents[1] / "vectors/par.json"
GAMES = 2
_AFTER = (0, 22, 47)
"""Cards after which games go on; 0: from the pass on."""


class ParVector(msgspec.Struct, frozen=True):
    """A position of a hand, and the points of the games from there."""

    rules: str
    number: int
    """That of the hand, from 1 in its game."""
    direction: Direction
    dealt: list[list[int]]
    passed: list[list[int]]
    """Empty if the games begin before the pass."""
    cards: list[int]
    games: list[Four]

    def begin(self) -> Game:
        game = Game(parse_rules(self.rules), hands=self.number - 1)
        game.apply(Deal(tuple(map(_mask, self.dealt))))  # type: ignore[arg-type]
        for player, cards in enumerate(self.passed):
            game.apply(Pass(player, tuple(map(Card.from_wire, cards))))
        for card in self.cards:
            game.apply(Play(game.waiting_for()[0], Card.from_wire(card)))
        return game


def _mask(cards: list[int]) -> int:
    return mask_of(map(Card.from_wire, cards))


def kept_vectors() -> list[ParVector]:
    return msgspec.json.decode(PATH.read_bytes(), type=list[ParVector])


def _vectors() -> Iterator[ParVector]:
    source = random.Random(33)
    chance = RandomBot(source.random)
    for place, rules in enumerate((*RULES, "moon=minus", "moon=choice,pass=never")):
        game = Game(parse_rules(rules), hands=place)
        game.apply(deal_by(source))
        dealt = [[card.wire for card in by_wire(hand)] for hand in game.dealt]
        while game.phase is Phase.PASS:
            player = game.waiting_for()[0]
            game.apply(Pass(player, tuple(chance.choose_pass(view_of(game, player)))))
        passed = [[card.wire for card in cards] for cards in game.passes if cards]
        while len(game.history) < _AFTER[-1]:
            player = game.waiting_for()[0]
            game.apply(Play(player, chance.choose_card(view_of(game, player))))
        for after in _AFTER:
            cards = [card.wire for card in game.history[:after]]
            before = passed if after else []
            vector = ParVector(rules, place + 1, game.direction, dealt, before, cards, [])
            games = list(games_from(vector.begin, GAMES))
            yield msgspec.structs.replace(vector, games=games)


def main() -> None:
    """Write the file."""
    lines = b",\n".join(map(msgspec.json.encode, _vectors()))
    PATH.write_bytes(b"[\n" + lines + b"\n]\n")


if __name__ == "__main__":
    main()

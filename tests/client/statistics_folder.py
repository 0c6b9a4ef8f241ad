"""A folder of records whose statistics are known."""

from __future__ import annotations

from pathlib import Path

from hearts.game.cards import Card, mask_of
from hearts.game.events import Action, ChosenBy, Deal, Play
from hearts.game.game import Game, Phase
from hearts.game.record import Record
from hearts.game.rules import parse_rules

NAMES = ("Ann", "Moe", "Larry", "Curly")


def record(
    rules: str = "standard", end_score: int = 26, names: tuple[str, ...] = NAMES, hands: int = 1
) -> str:
    """Hands that are not passed, in each of which player 0 has all clubs and so takes all."""
    game = Game(parse_rules(f"{rules},pass=never"), end_score)
    actions: list[Action] = []
    for _ in range(hands):
        cards = [mask_of(Card.parse(rank + suit) for rank in "23456789TJQKA") for suit in "CHDS"]
        actions.append(Deal((cards[0], cards[1], cards[2], cards[3])))
        game.apply(actions[-1])
        while game.phase is Phase.PLAY:
            assert game.play is not None
            player = game.play.turn
            card = Card((game.play.legal() & -game.play.legal()).bit_length() - 1)
            actions.append(Play(player, card, ChosenBy.COMPUTER if player else ChosenBy.PLAYER))
            game.apply(actions[-1])
    a, b, c, d = names
    return str(Record(game.rules, end_score, (a, b, c, d), tuple(actions)))


def own_file(folder: Path, number: int, text: str, seat: int = 0) -> Path:
    """A file as the client keeps it."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"2026-11-22-1015{number:02}-game-{number}-1-seat-{seat}.txt"
    path.write_text(text, encoding="utf-8")
    return path

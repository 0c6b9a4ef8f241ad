"""Positions with what the network sees and says of them: ``python -m training.vectors``.

Python and the page are held to the file.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from operator import or_
from pathlib import Path

import msgspec

from hearts.bots import RandomBot
from hearts.bots.search.position import position_of
from hearts.bots.search.worlds import Worlds
from hearts.bots.swift.bot import SwiftBot, shipped_network
from hearts.bots.swift.rows import rows_of
from hearts.game.cards import CARDS, Card, four, mask_of
from hearts.game.events import Deal, Pass, Play
from hearts.game.game import PASS_SIZE, Game, Phase
from hearts.game.rules import PRESETS, parse_rules
from hearts.game.view import View, view_of

PATH = Path(__file__).parents[1] / "tests/vectors/swift.json"
RULES = (*PRESETS, "queen-keeps,notrick", "rotate,bleed")


class KeptView(msgspec.Struct, frozen=True):
    """A view of a player on turn, with what the network makes of it."""

    view: View
    chosen: tuple[Card, ...] | None
    """Of a pass the cards so far."""
    rows: list[int]
    costs: list[int]


def kept_views(path: Path = PATH) -> list[KeptView]:
    return msgspec.json.decode(
        path.read_bytes(), type=list[KeptView], dec_hook=lambda _, number: CARDS[number]
    )


def _views() -> Iterator[tuple[View, tuple[Card, ...] | None]]:
    """Give some views of hands in which half of the choices are by chance."""
    source = random.Random(30)
    swift, chance = SwiftBot(shipped_network()), RandomBot(source.random)
    for number, rules in enumerate(RULES):
        game = Game(parse_rules(rules))
        game.hand_number = number % 3 - 1
        game.apply(Deal.from_secret(source.randbytes(16)))
        while game.phase in (Phase.PASS, Phase.PLAY) and len(game.history) < 51:
            player = game.waiting_for()[0]
            view = view_of(game, player)
            bot = swift if source.random() < 0.5 else chance
            if game.phase is Phase.PASS:
                cards = tuple(bot.choose_pass(view))
                if player == number % 4:
                    yield from ((view, cards[:chosen]) for chosen in range(PASS_SIZE))
                game.apply(Pass(player, cards))
            else:
                if view.legal & view.legal - 1 and source.random() < 0.25:
                    yield view, None
                game.apply(Play(player, bot.choose_card(view)))


def dealt_anew(view: View, game: Game, source: random.Random) -> View:
    """Return the view of the same seat if hidden cards lie elsewhere; nothing was passed."""
    (world,) = Worlds(position_of(view)).deal(1, 1 + source.randrange(2**31))
    played = (mask_of(view.history) & hand for hand in game.dealt)
    other = Game(game.rules)
    other.apply(Deal(four(map(or_, world, played))))
    for card in view.history:
        other.apply(Play(other.waiting_for()[0], card))
    return view_of(other, view.player)


def main() -> None:
    """Write the file."""
    kept = []
    for view, chosen in _views():
        rows = sorted(rows_of(view, chosen))
        kept.append(KeptView(view, chosen, rows, shipped_network().costs(rows)))
    lines = b",\n".join(msgspec.json.encode(one, enc_hook=int) for one in kept)
    PATH.write_bytes(b"[\n" + lines + b"\n]\n")


if __name__ == "__main__":
    main()

"""What a person does at a table on the screen: reads their hand there, and chooses cards."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from pathlib import Path

from hearts.game.cards import CARDS, QUEEN_OF_SPADES, Card, Suit
from hearts_client.words.style import suit_word

from .terminal import NotSeen, Terminal

CODE = "0004-1061-050R-3GG2-8A1C-60T3-GFQG"
"""A deal in which player 0 has the two of clubs, and four suits."""
DEALT = ("2c", "3c", "4c", "qc", "kc", "3d", "6d", "9d", "jd", "6s", "9s", "js", "7h")
"""The hand of player 0, as it is typed."""
PROMPTS = ("Mark three", "Enter passes", "Your turn")
"""How the line above the hand begins where there is something to choose."""


def settle(home: Path, **more: object) -> None:
    """Leave settings in a home, with which nothing waits but for the person."""
    folder = home / "config" / "hearts-client"
    folder.mkdir(parents=True)
    settings = {"trick_stays": 0, "bot_pause": 0, "key_waits": 0, "level": "simple", **more}
    (folder / "settings.json").write_text(json.dumps(settings))


def hand(terminal: Terminal) -> dict[Card, tuple[int, int]]:
    """The cards of a person's hand while they are asked, and column and row of each corner."""
    rows = terminal.lines
    _, top = _prompt(terminal)
    found: dict[Card, tuple[int, int]] = {}
    for card in CARDS:
        rank, signs = card.symbol[:-1], (card.symbol[-1], str(card)[-1])
        for y in range(top + 1, len(rows)):
            for corner in re.finditer(rf"(?<![0-9A-Z]){rank}", rows[y]):
                after = rows[y][corner.end() : corner.end() + 1]
                below = rows[y + 1][corner.start() : corner.start() + 1]
                if after in signs or (after in ("", " ") and below in signs):
                    found.setdefault(card, (corner.start(), y))
    return found


def _prompt(terminal: Terminal) -> tuple[str, int]:
    for prompt in PROMPTS:
        place = terminal.find(prompt)
        if place is not None:
            return terminal.lines[place[1]], place[1]
    raise NotSeen(f"nothing is asked:\n{terminal.text}")


def trick_number(terminal: Terminal) -> int:
    """The trick under way; 0 for none."""
    found = re.search(r"\btrick (\d+)", terminal.text)
    return int(found[1]) if found else 0


async def my_turn(terminal: Terminal, trick: int) -> None:
    """Wait until the person is asked for a card to a trick."""

    def asked() -> bool:
        return terminal.shows("Your turn") and trick_number(terminal) == trick

    asked.__name__ = f"one's turn in trick {trick}"
    await terminal.wait_for(asked)


def legal(terminal: Terminal) -> list[Card]:
    """What can be played by the standard rules, as far as the screen shows it."""
    cards = list(hand(terminal))
    prompt, _ = _prompt(terminal)
    first = trick_number(terminal) == 1
    followed = next((suit for suit in Suit if f"follow {suit_word(suit)}" in prompt), None)
    if followed is not None:
        return [card for card in cards if card.suit is followed]
    harmless = [card for card in cards if card.suit is not Suit.HEARTS]
    if "you lead" in prompt:
        if first:
            return [Card.parse("2C")]
        return cards if terminal.shows("broken") else harmless or cards
    if first:
        return [card for card in harmless if card != QUEEN_OF_SPADES] or cards
    return cards


async def mark(terminal: Terminal, cards: Sequence[str] = ()) -> None:
    """Mark three cards by their names; without names, the first ones."""
    await terminal.wait_for("Mark three")
    for card in cards or list(map(str, hand(terminal)))[:3]:
        terminal.type(card.lower())
    await terminal.wait_for("Enter passes")


async def pass_cards(terminal: Terminal, *cards: str) -> None:
    """Pass three cards by their names; without names, the first ones."""
    await mark(terminal, cards)
    terminal.type("\r")


async def play_on(terminal: Terminal, first: int = 1, last: int = 13) -> None:
    """Play what the cursor offers to some tricks."""
    for trick in range(first, last + 1):
        await my_turn(terminal, trick)
        terminal.type("\r")

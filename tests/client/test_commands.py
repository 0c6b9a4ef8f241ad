"""What typed lines mean."""

from __future__ import annotations

from typing import get_args

import pytest

from hearts.game.cards import Card
from hearts.game.rules import parse_rules
from hearts.table.inputs import Abort
from hearts_client.words.typed import (
    ABORTS,
    MOON,
    YES_OR_NO,
    Command,
    NotUnderstood,
    Typed,
    help_lines,
    read_cards,
    read_game,
    read_line,
    read_word,
)

CHOICES = [Card.parse(name) for name in ("2C", "TH", "QS")]


@pytest.mark.parametrize(
    ("line", "meaning"),
    [
        ("", Typed("", "")),
        ("   ", Typed("", "")),
        (" qs ", Typed("", "qs")),
        ("/say hello  you", Typed("/say", "hello  you")),
        ("/SAY hello", Typed("/say", "hello")),
        ("/say", Typed("/say", "")),
        ("/sayhello", Typed(None, "/sayhello")),
        ("/propose jack,dump 50", Typed("/propose", "jack,dump 50")),
        ("/abort game", Typed("/abort", "game")),
        ("/REPLACE  Bob B", Typed("/replace", "Bob B")),
        ("/open", Typed("/open", "")),
        ("/opens", Typed(None, "/opens")),
        ("/hand", Typed("/hand")),
        ("/Quit now", Typed("/quit", "now")),
        ("help", Typed("/help")),
        ("?", Typed("/help")),
        ("exit", Typed("/quit")),
        ("/", Typed(None, "/")),
    ],
)
def test_line(line: str, meaning: object) -> None:
    assert read_line(line) == meaning


@pytest.mark.parametrize(
    ("text", "rules", "end_score"),
    [
        ("standard", "standard", 100),
        ("jack,dump 50", "jack,dump", 50),
        ("jack, dump", "jack,dump", 100),
        ("mac2000 dump 10000", "mac2000,dump", 10000),
    ],
)
def test_a_game_that_is_proposed(text: str, rules: str, end_score: int) -> None:
    assert read_game(text, 100) == (parse_rules(rules), end_score)


@pytest.mark.parametrize("text", ["", "poker", "jack 0", "jack 10001", "jack 9999999999", "50"])
def test_no_game_to_propose(text: str) -> None:
    with pytest.raises(NotUnderstood):
        read_game(text, 100)


@pytest.mark.parametrize("command", get_args(Command))
def test_help_names_every_command(command: str) -> None:
    assert any(command in line for line in help_lines(solo=True))
    assert (command == "/again") != any(command in line for line in help_lines(solo=False))


@pytest.mark.parametrize(
    ("text", "cards"),
    [
        ("QS 10h 2c", "QS TH 2C"),
        ("qs,th,2C", "QS TH 2C"),
        (" 3, 2 ;1 ", "QS TH 2C"),
        ("3 10H 2♣", "QS TH 2C"),
        ("AS KS 2H", "AS KS 2H"),
    ],
)
def test_three_cards(text: str, cards: str) -> None:
    assert " ".join(map(str, read_cards(text, CHOICES, 3))) == cards


@pytest.mark.parametrize(
    ("text", "count", "why"),
    [
        ("QS TH", 3, "give 3 cards, not 2"),
        ("QS TH 2C 3C", 3, "give 3 cards, not 4"),
        ("QS TH", 1, "give one card, not 2"),
        ("QS 3 2C", 3, "give different cards"),
        ("0", 1, "there is no number 0; give 1 to 3 or a name"),
        ("4", 1, "there is no number 4"),
        ("9999999999999999999999", 1, "there is no number 9+;"),
        ("hello", 1, "'hello' is no card, such as QS, and no number"),
        ("1S", 1, "'1S' is no card"),
        ("²", 1, "'²' is no card"),
    ],
)
def test_cards_that_are_not_understood(text: str, count: int, why: str) -> None:
    with pytest.raises(NotUnderstood, match=why):
        read_cards(text, CHOICES, count)


@pytest.mark.parametrize(
    ("texts", "meanings", "meant"),
    [
        (("yes", "Y", " ye "), YES_OR_NO, True),
        (("no", "N"), YES_OR_NO, False),
        (("others", "o"), MOON, True),
        (("mine", "M"), MOON, False),
        (("hand",), ABORTS, Abort.HAND),
        (("game", "G"), ABORTS, Abort.GAME),
    ],
)
def test_one_word(texts: tuple[str, ...], meanings: dict[str, object], meant: object) -> None:
    assert {read_word(text, meanings) for text in texts} == {meant}


@pytest.mark.parametrize("text", ["", "maybe", "yess"])
def test_another_word(text: str) -> None:
    with pytest.raises(NotUnderstood, match="type yes or no"):
        read_word(text, YES_OR_NO)

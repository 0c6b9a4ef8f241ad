"""What typed lines mean."""

from __future__ import annotations

from typing import get_args

import pytest

from hearts.game.cards import Card
from hearts.game.rules import parse_rules
from hearts.table.inputs import Abort
from hearts_client.words import typed

CHOICES = [Card.parse(name) for name in ("2C", "TH", "QS")]


@pytest.mark.parametrize(
    ("line", "meaning"),
    [
        ("", typed.Typed("", "")),
        ("   ", typed.Typed("", "")),
        (" qs ", typed.Typed("", "qs")),
        ("/say hello  you", typed.Typed("/say", "hello  you")),
        ("/SAY hello", typed.Typed("/say", "hello")),
        ("/say", typed.Typed("/say", "")),
        ("/sayhello", typed.Typed(None, "/sayhello")),
        ("/propose jack,dump 50", typed.Typed("/propose", "jack,dump 50")),
        ("/abort game", typed.Typed("/abort", "game")),
        ("/REPLACE  Bob B", typed.Typed("/replace", "Bob B")),
        ("/open", typed.Typed("/open", "")),
        ("/opens", typed.Typed(None, "/opens")),
        ("/hand", typed.Typed("/hand")),
        ("/Quit now", typed.Typed("/quit", "now")),
        ("help", typed.Typed("/help")),
        ("?", typed.Typed("/help")),
        ("exit", typed.Typed("/quit")),
        ("/", typed.Typed(None, "/")),
    ],
)
def test_line(line: str, meaning: object) -> None:
    assert typed.read_line(line) == meaning


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
    assert typed.read_game(text, 100) == (parse_rules(rules), end_score)


@pytest.mark.parametrize("text", ["", "poker", "jack 0", "jack 10001", "jack 9999999999", "50"])
def test_no_game_to_propose(text: str) -> None:
    with pytest.raises(typed.NotUnderstood):
        typed.read_game(text, 100)


def test_help_names_every_command() -> None:
    alone, beside = ("\n".join(typed.help_lines(solo=solo)) for solo in (True, False))
    for command in get_args(typed.Command):
        assert command in alone
        assert (command == "/again") != (command in beside)


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
    assert " ".join(map(str, typed.read_cards(text, CHOICES, 3))) == cards


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
    with pytest.raises(typed.NotUnderstood, match=why):
        typed.read_cards(text, CHOICES, count)


@pytest.mark.parametrize(
    ("texts", "meanings", "meant"),
    [
        (("yes", "Y", " ye "), typed.YES_OR_NO, True),
        (("no", "N"), typed.YES_OR_NO, False),
        (("others", "o"), typed.MOON, True),
        (("mine", "M"), typed.MOON, False),
        (("hand",), typed.ABORTS, Abort.HAND),
        (("game", "G"), typed.ABORTS, Abort.GAME),
    ],
)
def test_one_word(texts: tuple[str, ...], meanings: dict[str, object], meant: object) -> None:
    assert {typed.read_word(text, meanings) for text in texts} == {meant}


@pytest.mark.parametrize("text", ["", "maybe", "yess"])
def test_another_word(text: str) -> None:
    with pytest.raises(typed.NotUnderstood, match="type yes or no"):
        typed.read_word(text, typed.YES_OR_NO)

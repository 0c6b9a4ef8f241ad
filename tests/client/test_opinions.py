"""The words for what a bot that searches thinks."""

from __future__ import annotations

import pytest

from hearts.bots.search.outlook import CardOutlook, Outlook
from hearts.game.cards import Card
from hearts_client.words.opinions import outlook_line, outlook_lines, verdict_line
from hearts_client.words.style import Style

STYLE = Style(ascii=True)


def expects(
    card: str,
    loss: float,
    points: float,
    *,
    queen: float = 0.0,
    moon: float = 0.0,
    other_moon: float = 0.0,
    shooting: bool = False,
) -> CardOutlook:
    return CardOutlook(Card.parse(card), loss, loss, 0.1, points, queen, moon, other_moon, shooting)


OUTLOOK = Outlook(
    (
        expects("5D", 0.0, 2.25, queen=0.12, other_moon=0.05),
        expects("TD", 0.2, 2.5, queen=0.04),
        expects("KS", 3.84, 6.0, queen=0.4),
    ),
    100,
    False,
)


def test_a_line_has_the_best_card_and_what_others_cost() -> None:
    assert outlook_line("expert", OUTLOOK, STYLE) == (
        "Expert: Play 5D (2.2 points, queen 12%, another's moon 5%); as good: 10D; "
        "worse: KS by 3.8."
    )
    moon = Outlook((expects("AH", 0.0, -9.5, queen=1.0, moon=0.75, shooting=True),), 1, False)
    assert outlook_line("strong", moon, STYLE) == (
        "Strong: Play AH (-9.5 points, moon 75%, to shoot the moon)."
    )


def test_lines_have_every_card_with_its_cost_and_error() -> None:
    assert outlook_lines("strong", OUTLOOK, STYLE) == [
        "Strong looked at 100 deals that fit what you know. In this hand it expects:",
        "  5D: 2.2 points, queen 12%, another's moon 5%",
        "  10D: 2.5 points; costs 0.2 more, +-0.1",
        "  KS: 6.0 points, queen 40%; costs 3.8 more, +-0.1",
    ]


@pytest.mark.parametrize(
    ("card", "line"),
    [
        ("5D", "Expert would have played it too (2.2 points, queen 12%, another's moon 5%)."),
        ("TD", "Expert would have played 5D; 10D is as good."),
        ("KS", "Expert would have played 5D; KS costs 3.8 points more, +-0.1."),
    ],
)
def test_a_verdict_on_a_card_that_was_played(card: str, line: str) -> None:
    assert verdict_line("expert", OUTLOOK, Card.parse(card), STYLE) == line

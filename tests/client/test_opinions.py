"""The words for what a bot that searches thinks."""

from __future__ import annotations

import pytest

from hearts.bots.search.outlook import CardOutlook, Outlook
from hearts.game.cards import Card
from hearts_client.words.opinions import verdict_line
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

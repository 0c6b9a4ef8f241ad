"""The words for what choices cost, and why."""

from __future__ import annotations

import pytest

from hearts.game.cards import Card
from hearts.game.record import parse_record
from hearts.judging.judge import choices_of
from hearts.judging.outlook import ChoiceOutlook, Outlook
from hearts_client.words.opinions import verdict_lines
from hearts_client.words.style import Style

from .test_analyse import record_by_chance

STYLE = Style(ascii=True)
NAMES = ("Ann", "Moe", "Larry", "Curly")


def expects(card: str, loss: float, error: float = 0.1, **chances: float) -> ChoiceOutlook:
    rest = {"queen": 0.0, "moon": 0.0, "other_moon": 0.0, "trick": 0.0, **chances}
    return ChoiceOutlook((Card.parse(card),), loss, error, 2.25, **rest)


def verdict(*choices: ChoiceOutlook, card: str = "6S") -> list[str]:
    """Say it of a card; the ace of spades lies on the table, and the queen is in the hand."""
    made = next(one for one in choices_of(parse_record(record_by_chance(5))) if one.number == 30)
    outlook = Outlook(choices, 100)
    return verdict_lines(made.view, outlook, [Card.parse(card)], STYLE, NAMES.__getitem__)


def test_what_is_best_or_alike() -> None:
    best = expects("6S", 0.0, 0.0, queen=0.12, other_moon=0.05)
    assert verdict(best) == [
        "Nothing costs less than 6S (2.2 points, queen 12%, another's moon 5%)."
    ]
    assert verdict(expects("QS", 0.0), expects("6S", 0.2)) == ["6S and QS are alike."]


@pytest.mark.parametrize(
    ("better", "worse", "why"),
    [
        ({}, {"queen": 1.0}, "With 6S you take QS in 100% of the deals that fit, with QS in 0%."),
        (
            {"moon": 0.5},
            {},
            "With 6S you shoot the moon in 0% of the deals that fit, with QS in 50%.",
        ),
        (
            {},
            {"other_moon": 0.3},
            "With 6S somebody else shoots the moon in 30% of the deals that fit, with QS in 0%.",
        ),
    ],
)
def test_why_another_is_better(better: dict[str, float], worse: dict[str, float], why: str) -> None:
    line, reason = verdict(expects("QS", 0.0, **better), expects("6S", 3.84, **worse))
    assert line == "QS would be better: 6S costs 3.8 points more, +-0.1."
    assert reason.startswith(why)
    assert reason.endswith("Play QS: AS is above her, so somebody else gets her.")


def test_the_trick_and_what_is_out() -> None:
    _, reason = verdict(expects("QS", 0.0), expects("6S", 2.0, trick=0.6))
    assert reason.startswith("6S takes this trick in 60% (")
    assert " left " in reason
    _, reason = verdict(expects("QS", 0.0), expects("6S", 2.0, trick=0.05))
    assert "takes this trick" not in reason

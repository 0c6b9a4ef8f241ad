"""What a person is asked in one line."""

from __future__ import annotations

import pytest

from hearts.game.cards import Card, by_wire
from hearts.game.events import CardPlayed, ChosenBy, TrickBegun, YourHand
from hearts.game.rules import Direction, parse_rules
from hearts.game.view import View
from hearts.session.client_events import Seated
from hearts.session.messages import TableInfo
from hearts.session.picture import Picture
from hearts.table.inputs import Question
from hearts.wire.credentials import SeatCredentials
from hearts_client.screen.table.table_words import question_line
from hearts_client.words.style import Style

NAMES = ("Ann", "Bob", "Cleo", "Dan")
HAND = "3C KC 2D 3D 4D 2S 3S QS AS 2H 3H 4H KH"
NO_CLUBS = "5D KD 2D 3D 4D 2S 3S QS AS 2H 3H 4H KH"
ONLY_HEARTS = "2H 3H 4H 5H 6H 7H 8H 9H TH JH QH KH AH"


def view(lies: str, hand: str = HAND, rules: str = "standard") -> View:
    """What player 1 sees, to whom the first trick has come with these cards."""
    picture = Picture()
    picture.update(Seated(SeatCredentials(1, 1, 1, 1), NAMES))
    picture.update(TableInfo(parse_rules(rules), 100, 60, frozenset()))
    mask = sum(1 << Card.parse(word) for word in hand.split())
    picture.update(YourHand(0, Direction.LEFT, by_wire(mask)))
    played = [Card.parse(word) for word in lies.split()]
    leader = (1 - len(played)) % 4
    if lies:
        picture.update(TrickBegun(leader))
    for place, card in enumerate(played):
        picture.update(CardPlayed((leader + place) % 4, card, ChosenBy.PLAYER))
    return picture.view()


def line(question: Question, seen: View | None) -> str:
    return question_line(question, seen, (), Style(ascii=True), NAMES.__getitem__)


@pytest.mark.parametrize(
    ("seen", "says"),
    [
        (view("2C 5C"), "Your turn: follow clubs."),
        (
            view("2C", NO_CLUBS, "bleed"),
            "Your turn: you have no clubs, so play what you like.",
        ),
        (
            view("2C", NO_CLUBS),
            "Your turn: you have no clubs, but not every card may be played.",
        ),
        (
            view("2C", NO_CLUBS, "bleed,dump"),
            "Your turn: you have no clubs, but not every card may be played.",
        ),
        (
            view("2C", ONLY_HEARTS),
            "Your turn: you have no clubs, so play what you like.",
        ),
    ],
)
def test_a_card(seen: View, says: str) -> None:
    assert line(Question.CARD, seen) == says


def test_questions_before_any_hand() -> None:
    """Who has come back with another program may be asked for another game first of all."""
    assert line(Question.AGAIN, None) == "Another game? y or n"
    assert line(Question.MOON, None).count("26") == 2

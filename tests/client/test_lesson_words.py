"""The guided first hand: its one line, its words, and what it says to those who leave the line."""

from __future__ import annotations

import msgspec

from hearts.game.cards import Card
from hearts.game.deal import deal_hands, parse_deal_code
from hearts.game.events import Deal, Pass
from hearts.game.game import Game
from hearts.game.view import view_of
from hearts_client.words.lesson import Guide, better, lesson
from tests.vectors.lesson_lines import FILE, NAMES, LessonLine, lines

NOT_ON_THE_LINE = {"danger", "holding", "shot"}


def test_terminal_and_page_are_held_to_the_same_lines() -> None:
    assert msgspec.json.decode(FILE.read_bytes(), type=list[LessonLine]) == lines()


def test_who_plays_as_advised_hears_all_of_it_and_is_never_doubted() -> None:
    line, *others = lines()
    texts = [text for _, said in line.said for text in said]
    assert len(texts) == len({step.key for step in lesson().steps} - NOT_ON_THE_LINE) == 20
    assert max(len(said) for _, said in line.said) <= 3
    assert not line.doubted
    assert all(other.doubted for other in others[1:])


def test_the_texts_fit_beside_a_small_table_and_leave_nothing_open() -> None:
    for line in lines():
        for _, said in line.said:
            assert all(0 < len(text) < 230 and "{" not in text for text in said)


def test_each_language_fills_in_the_same_words() -> None:
    for step in lesson().steps:
        words = [
            {part.partition("}")[0] for part in text.split("{")[1:]} for text in (step.en, step.de)
        ]
        assert words[0] == words[1], step.key


def test_the_page_reads_the_same_deal() -> None:
    assert parse_deal_code(lesson().deal).hex() == lesson().secret


def test_nothing_is_said_twice() -> None:
    game, guide = Game(), Guide(str)
    secret = parse_deal_code(lesson().deal)
    game.apply(Deal(deal_hands(secret), secret))
    assert len(guide.say("pass", view_of(game, 0), NAMES)) == 2
    assert guide.say("pass", view_of(game, 0), NAMES) == []


def test_a_pass_is_doubted_if_none_of_it_is_wise() -> None:
    game = Game()
    secret = parse_deal_code(lesson().deal)
    game.apply(Deal(deal_hands(secret), secret))
    view = view_of(game, 0)
    wise = better(view, Pass(0, tuple(map(Card.parse, ("3H", "4H", "7D")))))
    assert len(wise) == 3
    assert better(view, Pass(0, (wise[0], Card.parse("3H"), Card.parse("4H")))) == ()

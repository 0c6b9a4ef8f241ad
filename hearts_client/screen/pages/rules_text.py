"""The rules of a table in whole sentences, for somebody who has never played Hearts."""

from __future__ import annotations

from collections.abc import Iterator
from textwrap import wrap
from typing import assert_never

from hearts.game.rules import ExactEnd, Moon, Passing, Rules
from hearts_client.words.amounts import points_in_words, seconds
from hearts_client.words.rule_words import computers_line, in_words
from hearts_client.words.story import game_in_words

_INDENT = "  "
_COLUMNS = 76


def rules_lines(rules: Rules, end_score: int, turn_limit: int, level: str = "") -> list[str]:
    """Write what is played, how, and what ends it; the headings are not indented.

    ``turn_limit`` is in seconds; 0 for no clock. ``level`` is how well the computers play, if that
    is known.
    """
    lines = []
    for heading, sentences in (
        ("This table", _table(rules, end_score, level)),
        ("The aim", _aim()),
        ("Points", _points(rules)),
        ("The pass", _pass(rules.passing)),
        ("The tricks", _tricks(rules)),
        ("The moon", _moon(rules.moon)),
        ("The end of the game", _end(rules.exact_end, end_score)),
        ("The clock", _clock(turn_limit)),
    ):
        lines += ["", heading]
        for sentence in sentences:
            lines += wrap(sentence, _COLUMNS, initial_indent=_INDENT, subsequent_indent=_INDENT)
    return lines[1:]


def _table(rules: Rules, end_score: int, level: str) -> Iterator[str]:
    game = game_in_words(rules, end_score)
    yield f"{game[0].upper()}{game[1:]}."
    for words in in_words(rules):
        yield f"- {words}"
    if level:
        yield computers_line(level)


def _aim() -> Iterator[str]:
    yield (
        "Four play, each alone, with 52 cards. A hand is 13 cards for each, and so 13 tricks; a "
        "game is as many hands as it takes. Points are bad: who has the fewest at the end wins."
    )


def _points(rules: Rules) -> Iterator[str]:
    yield "Each heart in the tricks that you take is 1 point, the queen of spades is 13."
    if rules.jack:
        yield "The jack of diamonds takes 10 points off the score of who takes it."
    if rules.no_trick_bonus:
        yield "Who takes no trick in a hand gets 5 points off."
    if rules.jack or rules.no_trick_bonus or rules.moon is not Moon.OTHERS:
        yield "A score may go below 0."


def _pass(passing: Passing) -> Iterator[str]:
    each = "Before the first trick each player passes three cards"
    match passing:
        case Passing.CYCLE:
            yield (
                f"{each}: to the left in the first hand of a game, to the right in the second, "
                "across in the third. In the fourth all keep their cards; then it begins again."
            )
        case Passing.CYCLE3:
            yield (
                f"{each}: to the left in the first hand of a game, to the right in the second, "
                "across in the third; then it begins again."
            )
        case Passing.LEFT:
            yield f"{each} to the left."
        case Passing.NEVER:
            yield "No cards are passed."
            return
        case _:
            assert_never(passing)
    yield "You may pass any cards, and see those that you get only when yours are gone."


def _tricks(rules: Rules) -> Iterator[str]:
    if rules.rotating_lead:
        yield (
            "The lead to the first trick goes round: another player has it in each hand of a "
            "game, and leads any card that the other rules allow."
        )
    else:
        yield "Who has the two of clubs leads it to the first trick."
    yield (
        "Then each of the others plays a card, clockwise. You must follow the suit that was led; "
        "if you have none of it, you may play another. The highest card of the suit led takes "
        "the trick, the ace being high, and who takes it leads to the next."
    )
    if rules.points_on_first_trick:
        yield "Hearts and the queen of spades may be played to the first trick already."
    else:
        yield (
            "Nobody plays a heart or the queen of spades to the first trick, unless there is "
            "nothing else to play."
        )
    breaking = "a heart" if rules.queen_keeps_hearts else "a heart or the queen of spades"
    yield (
        f"Hearts are broken when {breaking} has been played in the hand. Before that nobody leads "
        "a heart, unless there is nothing else in the hand. The queen of spades need not wait "
        "for it."
    )
    if rules.must_dump_queen:
        yield (
            "The queen of spades must be played at the first chance: when you have none of the "
            "suit led, and when spades were led and the ace or the king of spades lies in the "
            "trick."
        )


def _moon(moon: Moon) -> Iterator[str]:
    yield "Who takes all 13 hearts and the queen of spades in one hand has shot the moon."
    match moon:
        case Moon.OTHERS:
            yield "Each of the others gets 26 points, and the shooter none."
        case Moon.MINUS:
            yield "That takes 26 points off the score of the shooter; nobody else gets any."
        case Moon.CHOICE:
            yield (
                "The shooter gets none and chooses: 26 points for each of the others, or 26 "
                "points off the own score."
            )
        case _:
            assert_never(moon)


def _end(exact_end: ExactEnd, end_score: int) -> Iterator[str]:
    match exact_end:
        case ExactEnd.NOTHING:
            pass
        case ExactEnd.ZERO:
            yield f"A score of exactly {end_score} after a hand goes back to 0."
        case ExactEnd.WINS:
            yield (
                f"Who has exactly {points_in_words(end_score)} after a hand wins the game at once, "
                "whatever the others have."
            )
        case _:
            assert_never(exact_end)
    yield (
        f"The game is over when somebody has {points_in_words(end_score)} or more after a hand. "
        "The lowest score wins; all who have it win."
    )


def _clock(turn_limit: int) -> Iterator[str]:
    if not turn_limit:
        yield "There is no clock: take your time."
        return
    yield (
        f"You have {seconds(turn_limit)} for each choice. When they are over, the server chooses "
        "for you; after two in a row it waits for only 3 seconds, until you choose again."
    )

"""The rules of a table in whole sentences, for somebody who has never played Hearts."""

from __future__ import annotations

from collections.abc import Iterator
from textwrap import wrap

from hearts.game.rules import Part, Passing, Rules
from hearts.game.scoring import points_by
from hearts_client.words.rule_words import computers_line, in_words, points_in_words, seconds
from hearts_client.words.story import game_in_words

_INDENT = "  "
_COLUMNS = 76
_AIM = (
    "Four play, each alone, with 52 cards. A hand is 13 cards for each, and so 13 tricks; a game "
    "is as many hands as it takes. Points are bad: who has the fewest at the end wins."
)
_BELOW_ZERO = "A score may go below 0."
_ANY_CARDS = "You may pass any cards, and see those that you get only when yours are gone."
_TRICK = (
    "Then each of the others plays a card, clockwise. You must follow the suit that was led; if "
    "you have none of it, you may play another. The highest card of the suit led takes the trick, "
    "the ace being high, and who takes it leads to the next."
)
_SHOT = "Who takes all 13 hearts and the queen of spades in one hand has shot the moon."
_OVER = (
    "The game is over when somebody has {end_points} or more after a hand. The lowest score wins; "
    "all who have it win."
)


def rules_lines(rules: Rules, end_score: int, turn_limit: int, level: str = "") -> list[str]:
    """Write what is played, how, and what ends it; the headings are not indented.

    ``turn_limit`` is in seconds; 0 for no clock. ``level`` is how well the computers play, if that
    is known.
    """
    end_points = points_in_words(end_score)
    numbers = {"moon": points_by(rules).moon, "end": end_score, "end_points": end_points}
    said = {
        part: [value.sentence.format_map(numbers) for value in rules.values(part)] for part in Part
    }
    lead, *tricks = said[Part.TRICKS]
    lowers = any(value.lowers for value in rules.differences)
    lines = []
    for heading, sentences in (
        ("This table", _table(rules, end_score, level)),
        ("The aim", [_AIM]),
        (Part.POINTS.value, [*said[Part.POINTS], _BELOW_ZERO if lowers else ""]),
        (Part.PASS.value, [*said[Part.PASS], _ANY_CARDS if rules.passing != Passing.NEVER else ""]),
        (Part.TRICKS.value, [lead, _TRICK, *tricks]),
        (Part.MOON.value, [_SHOT, *said[Part.MOON]]),
        (Part.END.value, [*said[Part.END], _OVER.format_map(numbers)]),
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


def _clock(turn_limit: int) -> Iterator[str]:
    if not turn_limit:
        yield "There is no clock: take your time."
        return
    yield (
        f"You have {seconds(turn_limit)} for each choice. When they are over, the server chooses "
        "for you; after two in a row it waits for only 3 seconds, until you choose again."
    )

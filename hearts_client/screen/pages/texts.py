"""The help, and the rules of a table for somebody who has never played Hearts, as lines of a page.

Keys are named as urwid names them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from textwrap import wrap

from hearts.game.rules import Part, Passing, Rules
from hearts.game.scoring import points_by
from hearts.wire.text import count_of
from hearts_client.screen.pictures.canvas import Ink, shown_key
from hearts_client.words.rule_words import computers_line, in_words, points_in_words
from hearts_client.words.story import game_in_words
from hearts_client.words.typed import REQUEST_HELP

TOO_SOON: Mapping[str, str] = {
    "(Enter)": "does nothing yet: it may be meant for what was shown before;",
    "": "also Space, y, n, +, - and clicks (the options say how long)",
    "[Enter]": "counts",
    "7 h Enter": "counts at once, because a name and Enter are not ambiguous",
}
AHEAD: Mapping[str, str] = {
    "Enter": "before your turn: choose the card at the cursor, or take it back",
    "Backspace": "take it back",
}
CHAT_KEYS: Mapping[str, str] = {
    "enter": "send the line; on an empty line, go back to the table",
    "esc": "go back to the table; the line waits for you",
    "tab": "go back to the table; the line waits for you",
    "up": "the line that you typed before",
    "down": "the line that you typed after it",
    "page up": "older messages",
    "page down": "newest messages",
    "!": "in an empty line: the list of quick messages",
}
CHAT_COMMANDS: Mapping[str, str] = {
    "/mute NAME": "hide what a player says, by name or number",
    "/unmute NAME": "show what a player says again",
    "/mute": "list the players you have muted",
    **REQUEST_HELP,
}
PAGE_KEYS: Mapping[str, str] = {
    "esc": "go back to the table",
    "up": "one line up",
    "down": "one line down",
    "page up": "one page up",
    "page down": "one page down",
    "home": "the first line",
    "end": "the last line",
}
CARD_NAMES: Mapping[str, str] = {
    "q s": "the cursor goes to the queen of spades; Enter plays her",
    "t h, 1 0 h": "the ten of hearts; two to nine by their digits",
    "j d, k c, a s": "jack of diamonds, king of clubs, ace of spades",
}
MOUSE: Mapping[str, str] = {
    "a card": "choose it, as Enter does at the cursor",
    "a key": "the same as to press it",
    "the chat": "talk to the table",
    "the middle": "go on if the table waits for you",
    "the wheel": "scroll",
}

_SECTIONS: tuple[tuple[str, Mapping[str, str]], ...] = (
    ("Cards by their names", CARD_NAMES),
    ("When a key counts", TOO_SOON),
    ("A card that is chosen ahead, if the options allow it", AHEAD),
    ("In the chat", CHAT_KEYS),
    ("Lines in the chat that begin with a slash", CHAT_COMMANDS),
    ("On a page such as this", PAGE_KEYS),
    ("A click on", MOUSE),
)


def help_lines(at_table: Mapping[str, str], in_pass: Mapping[str, str]) -> list[str]:
    """Write the help; its headings are not indented.

    ``at_table`` are the keys of the table with what they do, ``in_pass`` those of the pass.
    """
    lines = []
    of_keys = (("At the table", at_table), ("When three cards are passed", in_pass))
    for heading, section in (*of_keys, *_SECTIONS):
        width = max(map(len, map(shown_key, section)))
        lines += ["", heading]
        lines += [f"  {shown_key(key):<{width}}  {said}" for key, said in section.items()]
    return lines[1:]


def with_headings(lines: Iterable[str]) -> list[tuple[str, Ink]]:
    return [(line, Ink.TEXT if line.startswith(" ") else Ink.TITLE) for line in lines]


RULES_TITLE = "How Hearts is played"
_INDENT = "  "
_COLUMNS = 76
_AIM = (
    "Four play, each alone, with 52 cards. A hand is 13 cards for each, and so 13 tricks; a game "
    "is as many hands as it takes. Points are bad: the player with the fewest at the end wins."
)
_BELOW_ZERO = "A score may go below 0."
_ANY_CARDS = "You may pass any cards. You see the cards you get only after you have passed yours."
_TRICK = (
    "Then each of the others plays a card, clockwise. You must follow the suit that was led; if "
    "you have none of it, you may play another. The highest card of the suit led takes the trick, "
    "the ace being high, and its winner leads the next trick."
)
_SHOT = "A player who takes all 13 hearts and the queen of spades in one hand has shot the moon."
_OVER = (
    "The game is over when somebody has {end_points} or more after a hand. The lowest score wins; "
    "all who have it win."
)

_FOUR = "It is over after four hands."


def rules_lines(rules: Rules, end_score: int, turn_limit: int, level: str = "") -> list[str]:
    """Write the rules of a game and its end, which is 0 for the deal of the day; the headings are
    not indented.

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
        (Part.END.value, [*said[Part.END], _OVER.format_map(numbers) if end_score else _FOUR]),
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
        f"You have {count_of(turn_limit, 'second')} for each choice. When they are over, the "
        "server chooses for you; after two such choices in a row it waits only 3 seconds, until "
        "you choose again."
    )

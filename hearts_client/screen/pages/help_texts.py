"""The help: what can be typed and clicked at the full screen, as lines of a page.

Keys are named as urwid names them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from hearts_client.screen.pictures.canvas import Ink
from hearts_client.screen.pictures.sights import shown_key
from hearts_client.words.typed import REQUEST_HELP

TOO_SOON: Mapping[str, str] = {
    "(Enter)": "does nothing yet: it may be meant for what was shown before;",
    "": "so with Space, y, n, +, - and clicks (for how long: options)",
    "[Enter]": "counts",
    "7 h Enter": "counts at once: a name and Enter can mean nothing else",
}
AHEAD: Mapping[str, str] = {
    "Enter": "before your turn: choose the card at the cursor, or take it back",
    "Backspace": "take it back",
}
CHAT_KEYS: Mapping[str, str] = {
    "enter": "say the line; on an empty line, go back to the table",
    "esc": "go back to the table; the line waits for you",
    "tab": "go back to the table; the line waits for you",
    "up": "the line that you typed before",
    "down": "the line that you typed after it",
    "page up": "what was said before",
    "page down": "what was said last",
    "!": "in an empty line: the list of what a digit says",
}
CHAT_COMMANDS: Mapping[str, str] = {
    "/mute NAME": "do not hear a player, by name or number, any more",
    "/unmute NAME": "hear a player again",
    "/mute": "tell whom you do not hear",
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
    "the middle": "go on where the table waits for you",
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
    """Lines for a page, those that are not indented as headings."""
    return [(line, Ink.TEXT if line.startswith(" ") else Ink.TITLE) for line in lines]

"""What can be typed and clicked at the full-screen table, as data and as lines of a page.

Keys are named as urwid names them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from hearts_client.words.typed import REQUEST_HELP

from .canvas import Ink

TABLE_KEYS: Mapping[str, str] = {
    "left": "the cursor goes to the next card on the left",
    "right": "the cursor goes to the next card on the right",
    "home": "the cursor goes to the first card",
    "end": "the cursor goes to the last card",
    "enter": "play the card at the cursor; go on where the table waits for you",
    "g": "start with computers a table that forms and that you opened",
    "p": "take the next free seat of a table that forms",
    "i": "a hint, then what a search expects; while your table forms: invite",
    "f": "a computer finishes your hand, at once or slowly (see the options)",
    "e": "claim the rest of the hand, if every trick is certain to be yours",
    "l": "the last trick",
    "b": "the scores, hand by hand",
    "r": "the rules of this table",
    "v": "the last hand again, card by card, with all cards open",
    "/": "talk to the table",
    "tab": "talk to the table",
    "!": "say something with one key: ! and then the digit before it",
    "w": "what has happened, with cards and points",
    "o": "options: what the table looks like, how long things stay, sounds",
    "z": "be quiet; again: let the queen, a moon and your turn be heard",
    "m": "the menu: go on, leave the table",
    "esc": "the menu; clear a trick away that is over",
    "?": "this help, also on the other pages",
    "ctrl c": "quit at once",
}
PASS_KEYS: Mapping[str, str] = {
    " ": "mark the card at the cursor for the pass, or take the mark away",
    "up": "the same",
    "down": "the same",
    "backspace": "take all marks away",
    "enter": "mark the card at the cursor; with three marked, pass them",
}
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

_SHOWN = {"ctrl c": "Ctrl-C", "page up": "PgUp", "page down": "PgDn", " ": "Space"}


def shown_key(key: str) -> str:
    """A key as a person calls it, such as "Space" or "PgUp"."""
    return _SHOWN.get(key) or (key if len(key) == 1 else key.capitalize())


_SECTIONS: tuple[tuple[str, Mapping[str, str], Callable[[str], str]], ...] = (
    ("At the table", TABLE_KEYS, shown_key),
    ("When three cards are passed", PASS_KEYS, shown_key),
    ("Cards by their names", CARD_NAMES, str),
    ("When a key counts", TOO_SOON, str),
    ("A card that is chosen ahead, if the options allow it", AHEAD, str),
    ("In the chat", CHAT_KEYS, shown_key),
    ("Lines in the chat that begin with a slash", CHAT_COMMANDS, str),
    ("On a page such as this", PAGE_KEYS, shown_key),
    ("A click on", MOUSE, str),
)


def help_lines() -> list[str]:
    """All of it; the headings are not indented."""
    lines = []
    for heading, section, what in _SECTIONS:
        rows = [(what(key), meaning) for key, meaning in section.items()]
        width = max(len(left) for left, _ in rows)
        lines += ["", heading, *(f"  {left:<{width}}  {meaning}" for left, meaning in rows)]
    return lines[1:]


def with_headings(lines: Iterable[str]) -> list[tuple[str, Ink]]:
    """Lines for a page, those that are not indented as headings."""
    return [(line, Ink.TEXT if line.startswith(" ") else Ink.TITLE) for line in lines]

"""Words that a person can type: commands with a slash, and answers to questions."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal, TypeVar, get_args

from msgspec import Struct

from hearts.errors import InvalidRules
from hearts.game.cards import Card
from hearts.game.rules import END_SCORES, Rules, named_end, parse_rules
from hearts.table.inputs import Abort

from .style import read_card

MeantT = TypeVar("MeantT")


OwnCommand = Literal[
    "/help", "/hand", "/turn", "/last", "/hint", "/scores", "/rules", "/again", "/quit"
]
"""A command that the client does itself, as it is typed."""
Request = Literal[
    "/agree",
    "/refuse",
    "/yield",
    "/stay",
    "/come",
    "/decline",
    "/start",
    "/seat",
    "/dismiss",
    "/level",
    "/wait",
    "/players",
    "/invite",
    "/claim",
    "/undo",
    "/redo",
    "/leave",
    "/report",
    "/mod",
    "/propose",
    "/abort",
    "/replace",
    "/open",
]
"""A command for the server; other words may follow."""
Command = Literal[OwnCommand, Request, "/say", ""]
"""Anything that is typed: ``/say`` is for everybody at the table, and nothing before an answer."""


class Typed(Struct, frozen=True, gc=False):
    """A line that was typed."""

    what: Command | None
    """None for a command that there is not."""
    text: str = ""
    """The words behind the command, or the answer; empty for a bare Enter."""

    @property
    def wants_to_wait(self) -> bool:
        """True if ``/wait`` lets others invite the person; ``/wait off`` ends that."""
        return self.text.lower() != "off"


_PLAIN_WORDS: dict[str, OwnCommand] = {
    "?": "/help",
    "help": "/help",
    "quit": "/quit",
    "exit": "/quit",
}
_COMMANDS: dict[str, Command] = {word: word for word in get_args(Command)}
REQUESTS: frozenset[Command | None] = frozenset(get_args(Request))
_HELP = {
    "QS, 10h": "play the card of that name; when passing, three: QS KH 2C",
    "1, 2, 3": "the same by the number before the card",
    "Enter": "play the only card that you can play; otherwise show whose turn it is",
    "/say TEXT": "talk to the table, also while it forms",
    "/hand": "your hand",
    "/turn": "whose turn it is, for how long, and the cards on the table",
    "/last": "the last trick",
    "/hint": "what a good player would do; a moment later what a bot expects of each card",
    "/scores": "the scores hand by hand",
    "/rules": "the rules of this table",
}
REQUEST_HELP = {
    "/start": "fill the free seats of your table with computers",
    "/seat [NUMBER]": "take another free seat while the table forms",
    "/dismiss PLAYER": "send a guest away from the private table you opened",
    "/level NUMBER LEVEL": "how well the computer of a seat at your table plays",
    "/wait": "let others invite you to their tables; or /wait off",
    "/come, /decline": "answer an invitation to another table",
    "/players": "the players you may invite, with numbers",
    "/invite NUMBER": "invite one of them to the table that you opened",
    "/claim": "claim the rest of the hand, if it is certainly yours",
    "/undo, /redo": "alone without a clock: take a choice back; do it again",
    "/agree, /refuse": "answer a proposal",
    "/yield, /stay": "answer if you are asked to give up your seat",
    "/propose RULES [END]": "as player 0: other rules, such as jack,dump 50",
    "/abort, /abort game": "as player 0: abandon the hand or the game",
    "/replace PLAYER": "give a seat to a computer: its player left or agrees",
    "/open PLAYER": "open a seat to people: a computer's or as for /replace",
    "/report PLAYER": "report a player, with the last lines of the chat",
    "/mod WORDS": "as a moderator: reports, warn, mute, ban, remove, end",
    "/leave": "leave for good: a computer takes your seat",
}
"""Wishes to the server, also in the chat of the full screen."""


def read_line(line: str) -> Typed:
    text = line.strip()
    if text.lower() in _PLAIN_WORDS:
        return Typed(_PLAIN_WORDS[text.lower()])
    if not text.startswith("/"):
        return Typed("", text)
    word, _, rest = text.partition(" ")
    what = _COMMANDS.get(word.lower())
    return Typed(what, word if what is None else rest.strip())


def help_lines(solo: bool) -> list[str]:
    more = {"/again": "play the last deal again, in a new game"} if solo else {}
    ends = {"/help": "this list", "/quit": "leave; Ctrl-C and Ctrl-D do the same"}
    texts = {**_HELP, **REQUEST_HELP, **more, **ends}
    width = max(map(len, texts))
    return [f"  {typed:<{width}}  {text}" for typed, text in texts.items()]


class NotUnderstood(Exception):
    """An answer that means nothing; the text says what is wrong."""


def read_cards(text: str, choices: Sequence[Card], count: int) -> list[Card]:
    """Return the ``count`` cards of an answer, by name or by number (from 1) in ``choices``.

    A named card need not be among the choices. Raises NotUnderstood.
    """
    words = re.split(r"[\s,;]+", text.strip(" \t,;"))
    cards = [_read_one(word, choices) for word in words if word]
    if len(cards) != count:
        what = "one card" if count == 1 else f"{count} cards"
        raise NotUnderstood(f"give {what}, not {len(cards)}")
    if len(set(cards)) != count:
        raise NotUnderstood("give different cards")
    return cards


def _read_one(word: str, choices: Sequence[Card]) -> Card:
    if word.isdecimal():
        if not 1 <= int(word[:4]) <= len(choices):
            raise NotUnderstood(f"there is no number {word}; give 1 to {len(choices)} or a name")
        return choices[int(word) - 1]
    try:
        return read_card(word)
    except ValueError:
        why = f"'{word}' is no card, such as QS, and no number. /help lists what you can type"
        raise NotUnderstood(why) from None


def read_game(text: str, end_score: int) -> tuple[Rules, int]:
    """Return the rules and the end of a game that are typed; ``end_score`` if neither says one.

    Raises NotUnderstood.
    """
    words = text.split()
    typed = 0
    if len(words) > 1 and words[-1].isdecimal():
        end = words.pop()
        typed = int(end[:6])
        if typed not in END_SCORES:
            raise NotUnderstood(f"a game ends at 1 to {END_SCORES[-1]} points, not at {end}")
    if not words:
        raise NotUnderstood("give rules, such as /propose standard or /propose jack,dump 50")
    try:
        rules = parse_rules(",".join(word.strip(",") for word in words))
    except InvalidRules as error:
        raise NotUnderstood(str(error)) from None
    return rules, typed or named_end(rules) or end_score


ABORTS = {each.value: each for each in Abort}
YES_OR_NO = {"yes": True, "no": False}
MOON = {"others": True, "mine": False}
"""True if the moon is to count on the others."""


def read_word(text: str, meanings: dict[str, MeantT]) -> MeantT:
    """Return the meaning of a word that may be shortened. Raises NotUnderstood."""
    word = text.strip().lower()
    for meant, value in meanings.items():
        if word and meant.startswith(word):
            return value
    raise NotUnderstood(f"type {' or '.join(meanings)}")

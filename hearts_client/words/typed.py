"""Words that a person can type: commands with a slash, and answers to questions."""

from __future__ import annotations

import re
from collections.abc import Sequence
from enum import Enum
from typing import TypeVar

from msgspec import Struct

from hearts.errors import InvalidRules
from hearts.game.cards import Card
from hearts.game.rules import END_SCORES, Rules, named_end, parse_rules
from hearts.table.inputs import Abort

from .style import read_card

MeantT = TypeVar("MeantT")


class Command(Enum):
    """A command that the client does itself; the value is what is typed."""

    HELP = "/help"
    HAND = "/hand"
    TURN = "/turn"
    LAST = "/last"
    HINT = "/hint"
    SCORES = "/scores"
    RULES = "/rules"
    AGAIN = "/again"
    QUIT = "/quit"


class RequestCommand(Enum):
    """A command for the server. Its value is the word to type; other words may follow."""

    AGREE = "/agree"
    REFUSE = "/refuse"
    YIELD = "/yield"
    STAY = "/stay"
    COME = "/come"
    DECLINE = "/decline"
    START = "/start"
    SEAT = "/seat"
    DISMISS = "/dismiss"
    WAIT = "/wait"
    PLAYERS = "/players"
    INVITE = "/invite"
    CLAIM = "/claim"
    LEAVE = "/leave"
    PROPOSE = "/propose"
    ABORT = "/abort"
    REPLACE = "/replace"
    OPEN = "/open"


class Wants(Struct, frozen=True, gc=False):
    """Something that is asked of the server, with the words behind it."""

    what: RequestCommand
    text: str = ""

    @property
    def wants_to_wait(self) -> bool:
        """True if ``/wait`` lets others invite the person; ``/wait off`` ends that."""
        return self.text.lower() != "off"


class Say(Struct, frozen=True, gc=False):
    """Something for everybody at the table."""

    text: str


class TypedAnswer(Struct, frozen=True, gc=False):
    """An answer to a question; empty for a bare Enter."""

    text: str


class Unknown(Struct, frozen=True, gc=False):
    """A command that there is not."""

    text: str


_PLAIN_WORDS = {
    "?": Command.HELP,
    "help": Command.HELP,
    "quit": Command.QUIT,
    "exit": Command.QUIT,
}
_HELP = {
    "QS, 10h": "play the card of that name; when passing, three: QS KH 2C",
    "1, 2, 3": "the same by the number before the card",
    "Enter": "play the only card that you can play; otherwise say whose turn it is",
    "/say TEXT": "talk to the table, also while it forms",
    "/hand": "your hand",
    "/turn": "whose turn it is, for how long, and the cards that lie",
    "/last": "the last trick",
    "/hint": "what a good player would do; a moment later what a bot expects of each card",
    "/scores": "the scores hand by hand",
    "/rules": "the rules of this table",
}
REQUEST_HELP = {
    "/start": "computers take the free seats of your table",
    "/seat [NUMBER]": "have another free seat while the table forms",
    "/dismiss PLAYER": "send a guest away from the private table you opened",
    "/wait": "others may invite you to their tables; /wait off",
    "/come, /decline": "answer where you are invited to another table",
    "/players": "who may be invited, with numbers",
    "/invite NUMBER": "invite one of them to the table that you have opened",
    "/claim": "claim the rest of the hand, if it is surely yours",
    "/agree, /refuse": "answer where something is proposed",
    "/yield, /stay": "answer where you are asked to give up your seat",
    "/propose RULES [END]": "as player 0: other rules, such as jack,dump 50",
    "/abort, /abort game": "as player 0: break the hand or the game off",
    "/replace PLAYER": "a computer for who is long away or agrees, for good",
    "/open PLAYER": "open a seat: a computer's, or as by /replace",
    "/leave": "leave for good: a computer has your seat from then on",
}
"""Wishes to the server, also in the chat of the full screen."""


def read_line(line: str) -> Command | Wants | Say | TypedAnswer | Unknown:
    text = line.strip()
    if text.lower() in _PLAIN_WORDS:
        return _PLAIN_WORDS[text.lower()]
    if not text.startswith("/"):
        return TypedAnswer(text)
    word, _, rest = text.partition(" ")
    if word.lower() == "/say":
        return Say(rest.strip())
    for wanted in RequestCommand:
        if word.lower() == wanted.value:
            return Wants(wanted, rest.strip())
    try:
        return Command(word.lower())
    except ValueError:
        return Unknown(word)


def help_lines(solo: bool) -> list[str]:
    more = {"/again": "play the last deal again, in a new game"} if solo else {}
    ends = {"/help": "this list", "/quit": "leave; Ctrl-C and Ctrl-D do the same"}
    texts = {**_HELP, **REQUEST_HELP, **more, **ends}
    width = max(map(len, texts))
    return [f"  {typed:<{width}}  {text}" for typed, text in texts.items()]


class NotUnderstood(Exception):
    """An answer that means nothing; the text says what is wrong."""


def read_cards(text: str, choices: Sequence[Card], count: int) -> list[Card]:
    """The ``count`` cards of an answer, by name or by number (from 1) in ``choices``.

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
    """The rules and the end of a game that are typed; ``end_score`` if neither says one.

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


def read_abort(text: str) -> Abort:
    """Read what is to be broken off: the hand if nothing is said. Raises NotUnderstood."""
    return _one_of(text or "hand", {each.value: each for each in Abort}, "type hand or game")


def read_yes(text: str) -> bool:
    """Read a yes or no. Raises NotUnderstood."""
    return _one_of(text, {"yes": True, "no": False}, "type yes or no")


def read_moon(text: str) -> bool:
    """Read whether the moon is to count on the others. Raises NotUnderstood."""
    return _one_of(text, {"others": True, "mine": False}, "type others or mine")


def _one_of(text: str, meanings: dict[str, MeantT], wanted: str) -> MeantT:
    word = text.strip().lower()
    for meant, value in meanings.items():
        if word and meant.startswith(word):
            return value
    raise NotUnderstood(wanted)

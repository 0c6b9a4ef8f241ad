"""Errors. The type of an error says who is to blame; its text has the values that were wrong."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from enum import IntEnum
from typing import Self


class HeartsError(Exception):
    """The base of every error that this project raises on purpose."""


class LocalProtocolError(HeartsError):
    """This side tried something that the protocol does not allow: a bug in our own code."""


class RemoteProtocolError(HeartsError):
    """The peer sent something that the protocol does not allow (SocketSpec.md section 10)."""


class _Told(IntEnum):
    """Numbers of the wire, each with one sentence for a person."""

    text: str

    def __new__(cls, number: int, text: str = "") -> Self:
        one = int.__new__(cls, number)
        one._value_ = number
        one.text = text
        return one


class Reason(_Told):
    """The reasons to refuse a choice: the status codes of SocketSpec.md section 6."""

    NOT_HELD = -1, "you do not hold that card"
    FOLLOW_SUIT = -2, "you must follow suit"
    QUEEN_MUST_GO = -4, "the queen of spades must go now"
    NO_POINTS_ON_FIRST_TRICK = -5, "no points on the first trick"
    TWO_OF_CLUBS_LEADS = -6, "the first lead must be the two of clubs"
    HEARTS_NOT_BROKEN = -7, "hearts are not broken yet"


class Fault(_Told):
    """The reasons not to take an answer or a request (DealerSpec.md section 14.5)."""

    TOO_LATE = -20, "too late: it was decided for you"
    NOT_ASKED = -21, "there is no such query"
    WRONG_TYPE = -22, "the query is of another type"
    MEANINGLESS = -23, "the answer is too short or means nothing"
    ANSWERED = -24, "the query is answered already"
    NOT_PLAYER_0 = -25, "only player 0 may do that"
    NOT_NOW = -26, "that is not possible now"
    NOT_PROVEN = -27, "what you can see does not prove that the rest is yours"
    NOT_ALONE = -28, "choices are taken back only in a game alone with computers, without a clock"
    SAME_HANDS = -29, "nothing is taken back where others play the same hands"


class IllegalAction(HeartsError):
    """An action that the rules do not allow; :attr:`reason` says why.

    The text names no card: it may reach a log that others read.
    """

    def __init__(self, reason: Reason) -> None:
        super().__init__(reason.text)
        self.reason = reason


class CorruptRecord(HeartsError):
    """A record of a game that cannot be read, or that breaks the rules; the text names the line."""


class InvalidRules(HeartsError, ValueError):
    """A rules text or a number of rule bits that means no set of rules."""


class InvalidDealCode(HeartsError, ValueError):
    """A deal code with a wrong length, character or check."""


class InvalidName(HeartsError, ValueError):
    """A name that nobody may claim; the text says why."""


class InvalidLink(HeartsError, ValueError):
    """A link to a hand that cannot be read, or whose hand the rules do not allow."""


class MissingExtra(HeartsError):
    """A library is not installed that only a part of the project needs."""

    def __init__(self, extra: str, what: str, library: str) -> None:
        """``what`` needs ``library``, which comes with the extra of that name."""
        super().__init__(f"{what} needs {library}: pip install 'hearts-server[{extra}]'")
        self.extra = extra


def leaves(error: BaseException) -> Iterator[BaseException]:
    """Yield the errors inside a group of errors, at any depth; an error alone yields itself."""
    if isinstance(error, BaseExceptionGroup):
        for part in error.exceptions:
            yield from leaves(part)
    else:
        yield error


def key_hint(key: str, known: Iterable[str]) -> str:
    """Word a hint about an unknown key: the key that was meant, or all that there are."""
    # Only somebody's mistake needs it.
    import difflib

    names = sorted(known)
    near = difflib.get_close_matches(key, names, 1)
    return f"did you mean {near[0]}?" if near else f"known: {', '.join(names)}"

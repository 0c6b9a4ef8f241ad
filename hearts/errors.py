"""Who is to blame, as a type. The text of an error holds the values that were wrong."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from enum import IntEnum


class HeartsError(Exception):
    """The base of every error that this project raises on purpose."""


class LocalProtocolError(HeartsError):
    """This side tried something that the protocol does not allow: a bug in our own code."""


class RemoteProtocolError(HeartsError):
    """The peer sent something that the protocol does not allow (SocketSpec.md section 10)."""


class Reason(IntEnum):
    """Why a choice is refused: the status codes of SocketSpec.md section 6."""

    NOT_HELD = -1
    FOLLOW_SUIT = -2
    QUEEN_MUST_GO = -4
    NO_POINTS_ON_FIRST_TRICK = -5
    TWO_OF_CLUBS_LEADS = -6
    HEARTS_NOT_BROKEN = -7

    @property
    def text(self) -> str:
        """One sentence for a person."""
        return _REASON_TEXTS[self]


_REASON_TEXTS = {
    Reason.NOT_HELD: "you do not hold that card",
    Reason.FOLLOW_SUIT: "you must follow suit",
    Reason.QUEEN_MUST_GO: "the queen of spades must go now",
    Reason.NO_POINTS_ON_FIRST_TRICK: "no points on the first trick",
    Reason.TWO_OF_CLUBS_LEADS: "the first lead must be the two of clubs",
    Reason.HEARTS_NOT_BROKEN: "hearts are not broken yet",
}


class Fault(IntEnum):
    """Why an answer or a request is not taken (DealerSpec.md section 14.5)."""

    TOO_LATE = -20
    NOT_ASKED = -21
    WRONG_TYPE = -22
    MEANINGLESS = -23
    ANSWERED = -24
    NOT_PLAYER_0 = -25
    NOT_NOW = -26
    NOT_PROVEN = -27

    @property
    def text(self) -> str:
        """One sentence for a person."""
        return _FAULT_TEXTS[self]


_FAULT_TEXTS = {
    Fault.TOO_LATE: "too late: it was decided for you",
    Fault.NOT_ASKED: "there is no such query",
    Fault.WRONG_TYPE: "the query is of another type",
    Fault.MEANINGLESS: "the answer is too short or means nothing",
    Fault.ANSWERED: "the query is answered already",
    Fault.NOT_PLAYER_0: "only player 0 may do that",
    Fault.NOT_NOW: "that is not possible now",
    Fault.NOT_PROVEN: "what you can see does not prove that the rest is yours",
}


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


class MissingExtra(HeartsError):
    """A library is not installed that only a part of the project needs."""

    def __init__(self, extra: str, what: str, library: str) -> None:
        """``what`` needs ``library``, which comes with the extra of that name."""
        super().__init__(
            f"{what} needs {library}: pip install '.[{extra}]' in a copy of the repository"
        )
        self.extra = extra


def leaves(error: BaseException) -> Iterator[BaseException]:
    """The errors inside of groups of errors; an error alone is one."""
    if isinstance(error, BaseExceptionGroup):
        for part in error.exceptions:
            yield from leaves(part)
    else:
        yield error


def key_hint(key: str, known: Iterable[str]) -> str:
    """What to say about a key that is none: the one that was meant, or all that there are."""
    # Only somebody's mistake needs it.
    import difflib

    names = sorted(known)
    near = difflib.get_close_matches(key, names, 1)
    return f"did you mean {near[0]}?" if near else f"known: {', '.join(names)}"

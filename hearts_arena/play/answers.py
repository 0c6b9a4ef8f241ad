"""What a player answers: the choice that it stands for, or why it is none."""

from __future__ import annotations

from collections.abc import Callable
from itertools import islice
from typing import Any, Generic, TypeVar

from msgspec import Struct

from hearts.game.cards import CARDS, Card, mask_of
from hearts.game.game import PASS_SIZE
from hearts.game.view import View
from hearts_client.library.bot_faults import why_no_card, why_no_pass


class OutOfTime:
    """What a player gives whose time is up, so that the clock chooses."""

    __slots__ = ()


OUT_OF_TIME = OutOfTime()
_CARD_OF: dict[object, Card] = {int(card): card for card in CARDS}
Choice = TypeVar("Choice")


class Asking(Struct, Generic[Choice], frozen=True):
    """How a player is asked, beside cards that are legal at once."""

    method: str
    read: Callable[[object, View], Choice | None]
    why_not: Callable[[object, View], str | None]


def card_of(answer: object, view: View) -> Card | None:
    """The card of an answer, if it may be played."""
    try:
        card = _CARD_OF[answer]
    except (KeyError, TypeError):
        return None
    return card if view.legal >> card & 1 else None


def _pass_of(answer: Any, view: View) -> tuple[Card, ...] | None:
    try:
        a, b, c = answer
        cards = _CARD_OF[a], _CARD_OF[b], _CARD_OF[c]
    except (KeyError, TypeError, ValueError):
        return None
    mask = mask_of(cards)
    return cards if mask.bit_count() == PASS_SIZE and not mask & ~view.hand else None


def _moon_of(answer: object, view: View) -> bool | None:
    return None if answer is None else bool(answer)


def _listed(answer: Any) -> object:
    try:
        return tuple(islice(answer, 2 * PASS_SIZE))
    except TypeError:
        return answer


CARD = Asking("choose_card", card_of, why_no_card)
PASS = Asking("choose_pass", _pass_of, lambda answer, view: why_no_pass(_listed(answer), view))
MOON = Asking("choose_moon", _moon_of, lambda answer, view: None)

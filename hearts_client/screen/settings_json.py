"""What the settings may be, and their form in a file."""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence

from hearts.taunt import TAUNT_LIMIT
from hearts.wire.text import is_legible, is_visible
from hearts_client.commands.arguments import name_text
from hearts_client.words.style import Sort

from .json_fields import Fields, as_bool, as_member, as_seconds, as_texts, or_none
from .settings import Colors, Design, Highlight, Settings

LONGEST_STAY = 60.0
"""Seconds for which anything may stay on the screen, or a computer may think."""
MOST_TAUNTS = 9
"""There is a digit for each."""
_COMPUTERS = 3


def taunt_text(text: str) -> str:
    """A text that the chat takes. Raises argparse.ArgumentTypeError."""
    size = len(text.encode("utf-8", "replace"))
    if not 1 <= size <= TAUNT_LIMIT or not is_legible(text) or not is_visible(text):
        raise argparse.ArgumentTypeError(
            f"a taunt has 1 to {TAUNT_LIMIT} bytes, something to be seen and no control characters"
        )
    return text


def computer_names(names: Sequence[str]) -> tuple[str, str, str]:
    """Names for the three computers of a game alone. Raises argparse.ArgumentTypeError."""
    left, across, right = (name_text(name.strip()) for name in names)
    if len({left, across, right}) < _COMPUTERS or "," in left + across + right:
        raise argparse.ArgumentTypeError(
            "the three computers need different names, without a comma"
        )
    return left, across, right


def to_dict(settings: Settings) -> dict[str, object]:
    """The form of the settings in a file."""
    return {
        "sort": settings.sort.value,
        "trick_stays": settings.trick_stays,
        "bot_pause": settings.bot_pause,
        "notice_stays": settings.notice_stays,
        "highlight": settings.highlight.value,
        "design": settings.design.value,
        "colors": settings.colors.value,
        "bell": settings.bell,
        "computers": list(settings.computers),
        "taunts": list(settings.taunts),
    }


def from_dict(data: Mapping[str, object]) -> tuple[Settings, list[str]]:
    """The settings of a file, and what is wrong there; a field that is wrong is as by default."""
    fields, usual = Fields(data), Settings()
    stay = as_seconds(LONGEST_STAY)
    settings = Settings(
        sort=fields.take("sort", as_member(Sort), usual.sort),
        trick_stays=fields.take("trick_stays", or_none(stay), usual.trick_stays),
        bot_pause=fields.take("bot_pause", stay, usual.bot_pause),
        notice_stays=fields.take("notice_stays", stay, usual.notice_stays),
        highlight=fields.take("highlight", as_member(Highlight), usual.highlight),
        design=fields.take("design", as_member(Design), usual.design),
        colors=fields.take("colors", as_member(Colors), usual.colors),
        bell=fields.take("bell", as_bool, usual.bell),
        computers=fields.take("computers", _computers, usual.computers),
        taunts=fields.take("taunts", as_texts(taunt_text, MOST_TAUNTS), usual.taunts),
    )
    return settings, fields.problems


def _computers(value: object) -> tuple[str, str, str]:
    names = as_texts(name_text, _COMPUTERS)(value)
    if len(names) != _COMPUTERS:
        raise ValueError(f"give {_COMPUTERS} names")
    return computer_names(names)

"""Values out of JSON that people may have edited: of the right types, or an error that says why."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, TypeVar

import msgspec

from hearts.errors import HeartsError, key_hint

ValueT = TypeVar("ValueT")
Hook = Callable[[type, Any], Any]
"""Makes a value of a type that JSON does not know."""

_PLACE = re.compile(r" - at `(?:key in )?\$\.?(.*)`\Z")
_UNKNOWN = re.compile(r"Object contains unknown field `(.*)`", re.DOTALL)


class InvalidJson(HeartsError, ValueError):
    """A text that is no JSON, or a value that is not as it has to be; the error says where."""


def from_json(text: str | bytes, kind: type[ValueT], hook: Hook | None = None) -> ValueT:
    """Return the value of a text. Raises InvalidJson."""
    try:
        return msgspec.json.decode(text, type=kind, dec_hook=hook)
    except msgspec.ValidationError as error:
        raise InvalidJson(_in_words(error, kind)) from None
    except (ValueError, RecursionError):
        raise InvalidJson("this is no JSON") from None


def from_plain(value: object, kind: Any, hook: Hook | None = None) -> Any:
    """Make a value of the numbers, texts, lists and dicts that JSON gave. Raises InvalidJson."""
    try:
        return msgspec.convert(value, kind, dec_hook=hook)
    except msgspec.ValidationError as error:
        raise InvalidJson(_in_words(error, kind)) from None
    except UnicodeEncodeError:
        raise InvalidJson("a key is no text") from None


def _in_words(error: msgspec.ValidationError, kind: Any) -> str:
    text = str(error)
    place = _PLACE.search(text)
    where = f"{place[1]}: " if place is not None and place[1] else ""
    what = text if place is None else text[: place.start()]
    unknown = _UNKNOWN.fullmatch(what)
    if unknown is not None:
        names = () if where else kind.__struct_encode_fields__
        hint = f"; {key_hint(unknown[1], names)}" if names else ""
        return f"{where}there is no key {unknown[1]!r}{hint}"
    return where + (what[:1].lower() + what[1:]).replace("`", "").replace("enum value", "value")

"""Log lines: one event a line, as ``key=value`` pairs that nobody can forge.

``time=2026-11-21T18:04:05.678Z level=info logger=host event=table-ended game=7 why="all left"``

The four keys of that order come first, then those of the event. A value of plain characters stands
as it is; any other is a JSON string in ASCII. So it holds no line break, no control character and
no quotation mark that is not escaped, even if a stranger chose its text.
"""

from __future__ import annotations

import json
import logging
import re
import traceback
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime

from hearts.errors import leaves

HEAD_KEYS = ("time", "level", "logger", "event")
"""The keys that every line begins with; no event has one of these names of its own."""
TEXT_KEY = "text"
"""The key of the text in a line of another library; the event of that is ``message``."""
TRACE_KEY = "trace"
"""The traceback of an error, the last key of its line."""
LONGEST_VALUE = 2_000
"""Characters of a longer value that are kept, from its beginning."""
LONGEST_TRACE = 12_000
"""Characters of a longer traceback that are kept: its end, where the error is."""

_PLAIN = re.compile(r"[!#-<>-\[\]-~]+")


class EventLog:
    """The log of a module: every call is one event with its values.

    An event is a name in lower case with hyphens; the keys are identifiers. A value may be any
    object: ``str`` makes its text, but that of booleans, None, floats and exceptions is ours.
    """

    def __init__(self, name: str) -> None:
        """``name`` is that of a logger, such as ``__name__``; its last part is shown."""
        self._logger = logging.getLogger(name)

    def debug(self, event: str, /, **values: object) -> None:
        """Log something that only matters in the search for a fault."""
        self._log(logging.DEBUG, event, values)

    def info(self, event: str, /, **values: object) -> None:
        """Log something that happens when all is well, faults of peers included."""
        self._log(logging.INFO, event, values)

    def warning(self, event: str, /, **values: object) -> None:
        """Log something that the host may want to see to."""
        self._log(logging.WARNING, event, values)

    def error(self, event: str, /, **values: object) -> None:
        """Log something that the host must see to."""
        self._log(logging.ERROR, event, values)

    def exception(self, event: str, /, **values: object) -> None:
        """Log an error of ours that is being handled; its traceback is the line's last value.

        It has the places and the classes of errors alone: the text of one may name hidden cards.
        """
        self._log(logging.ERROR, event, values, with_trace=True)

    def _log(
        self, level: int, event: str, values: Mapping[str, object], *, with_trace: bool = False
    ) -> None:
        if self._logger.isEnabledFor(level):
            message = _Message(event, values)
            self._logger.log(level, message, exc_info=with_trace, stacklevel=3)


class _Message:
    """The text of an event without the head of its line; formatted only if it is wanted."""

    def __init__(self, event: str, values: Mapping[str, object]) -> None:
        self.event = event
        self._values = values

    def __str__(self) -> str:
        pairs = (pair(key, value) for key, value in self._values.items())
        return " ".join([quoted(self.event), *pairs])


class LineFormatter(logging.Formatter):
    """Makes a line of a record, of ours or of any other library."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the line, without its end."""
        when = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")
        head = [
            pair("time", when.removesuffix("+00:00") + "Z"),
            pair("level", record.levelname.lower()),
            pair("logger", record.name.rpartition(".")[2]),
        ]
        if isinstance(record.msg, _Message):
            parts = [*head, f"event={record.msg}"]
        else:
            parts = [*head, "event=message", pair(TEXT_KEY, record.getMessage())]
        if record.exc_info and record.exc_info[1] is not None:
            trace = "\n".join(_trace(record.exc_info[1]))
            if len(trace) > LONGEST_TRACE:
                trace = "..." + trace[-LONGEST_TRACE:]
            parts.append(f"{TRACE_KEY}={quoted(trace)}")
        return " ".join(parts)


def kind_of(record: logging.LogRecord) -> tuple[str, str]:
    """Give the kind of line that a record makes: the part of the program, and the event."""
    source = record.name.rpartition(".")[2]
    return source, record.msg.event if isinstance(record.msg, _Message) else "message"


def pair(key: str, value: object) -> str:
    """``key=value`` as it stands in a line."""
    text = _text(value)
    if len(text) > LONGEST_VALUE:
        text = text[:LONGEST_VALUE] + "..."
    return f"{key}={quoted(text)}"


def quoted(text: str) -> str:
    """Return a text as a value: as it is if it is plain, else as a JSON string in ASCII."""
    return text if _PLAIN.fullmatch(text) else json.dumps(text)


def _text(value: object) -> str:
    match value:
        case bool():
            return "yes" if value else "no"
        case None:
            return "none"
        case float():
            return f"{value:g}"
        case BaseException():
            return "; ".join(map(_told, leaves(value)))
        case _:
            return str(value)


def _trace(error: BaseException) -> Iterator[str]:
    """Give the lines with the place and class of an error, after those that led to it."""
    chain: list[BaseException] = []
    last: BaseException | None = error
    while last is not None and last not in chain:
        chain.append(last)
        last = last.__cause__ or (None if last.__suppress_context__ else last.__context__)
    for one in reversed(chain):
        if isinstance(one, BaseExceptionGroup):
            for part in one.exceptions:
                yield from _trace(part)
        yield "Traceback (most recent call last):"
        yield from "".join(traceback.format_tb(one.__traceback__)).splitlines()
        yield type(one).__qualname__


def _told(error: BaseException) -> str:
    return f"{type(error).__name__}: {error}" if str(error) else type(error).__name__

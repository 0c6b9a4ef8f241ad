"""The progress of a long tournament: a line drawn again and again on a terminal, or plain lines."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Callable
from enum import Enum

from msgspec import Struct, field

from hearts_client.words.others import columns

from .figures import duration, grouped, percent

_REDRAW_EVERY = 0.1
_LINE_EVERY = 30.0
_LINE_SHARE = 0.05
"""A plain line is due after this share of the work or after _LINE_EVERY, whichever is first."""
_LINE_GAP = 1.0
"""Seconds between two plain lines, at least, however fast the work goes."""
_NEWS_EVERY = 5.0
"""Seconds between two looks at the standings, because each look reads all results."""
_WINDOW = 300.0
"""Seconds over which the speed is measured, so that the time left slowly follows a change."""
_SAMPLES = 60
_SOONEST = 2.0
"""Before so many seconds have passed nobody can say how long the rest will take."""


class Manner(Enum):
    REDRAWN = "redrawn"
    LINES = "lines"
    SILENT = "silent"


_Sample = tuple[float, int, int]
"""A time, and the matches and hands that were played then."""


class ProgressLine(Struct, kw_only=True):
    """Tells how far a run is.

    With an ``open_end`` it may be over long before all matches are played, so nothing is said of
    how many are left.
    """

    total: int
    """Matches in all."""
    done: int = 0
    """Matches that earlier runs have played: they count as done, but not for the speed."""
    manner: Manner
    write: Callable[[str], None]
    """Takes text to be shown as it is."""
    clock: Callable[[], float]
    width: Callable[[], int]
    """Gives the columns of the terminal."""
    news: Callable[[], str]
    """Gives in words how it stands."""
    open_end: bool = False
    _matches: int = 0
    _hands: int = 0
    _latest_news: str = ""
    _news_time: float = -math.inf
    _samples: deque[_Sample] = field(default_factory=deque)
    _began: float = 0.0
    _shown_time: float = 0.0
    _shown_matches: int = 0
    _drawn: bool = False

    def __post_init__(self) -> None:
        self._began = self._shown_time = self.clock()
        self._matches = self._shown_matches = self.done
        self._samples.append((self._began, self.done, 0))

    def add(self, matches: int, hands: int) -> None:
        """Show that so many more matches were played, with so many hands together.

        Without any it shows the time that goes by, if that is due.
        """
        self._matches += matches
        self._hands += hands
        now = self.clock()
        if now - self._samples[-1][0] >= _WINDOW / _SAMPLES:
            self._samples.append((now, self._matches, self._hands))
        while now - self._samples[0][0] > _WINDOW and len(self._samples) > 1:
            self._samples.popleft()
        if self._is_due(now):
            self._show(now)

    def print(self, line: str) -> None:
        """Show a line that stays, such as a warning, above what is drawn."""
        self._clear()
        self.write(line + "\n")

    def end(self) -> None:
        """Show the last word about a run that is over, finished or not, in a line that stays."""
        if self.manner is Manner.SILENT:
            return
        self._clear()
        seconds = self.clock() - self._began
        speed = f", {_speed(self._hands / seconds)}" if seconds > 0.0 else ""
        whole = self.open_end or self._matches >= self.total
        rest = "" if whole else f"; {self._state()}"
        self.write(
            f"{grouped(self._matches - self.done)} matches, {grouped(self._hands)} hands"
            f" in {duration(seconds)}{speed}{rest}\n"
        )

    def _is_due(self, now: float) -> bool:
        since = now - self._shown_time
        share = (self._matches - self._shown_matches) / max(self.total, 1)
        is_due = {
            Manner.REDRAWN: since >= _REDRAW_EVERY or not self._drawn,
            Manner.LINES: since >= _LINE_EVERY or (share >= _LINE_SHARE and since >= _LINE_GAP),
            Manner.SILENT: False,
        }
        return is_due[self.manner]

    def _show(self, now: float) -> None:
        self._shown_time, self._shown_matches = now, self._matches
        if self._matches and now - self._news_time >= _NEWS_EVERY:
            self._news_time, self._latest_news = now, self.news()
        parts = [self._state(), *self._forecast(now), *filter(None, [self._latest_news])]
        if self.manner is Manner.LINES:
            self.write(", ".join(parts) + "\n")
            return
        # The last column stays free: some terminals go on to the next line when it is filled.
        room = self.width() - 1
        while len(parts) > 1 and columns(", ".join(parts)) > room:
            parts.pop()
        self.write(f"\r{', '.join(parts)[: max(room, 0)]}\x1b[K")
        self._drawn = True

    def _clear(self) -> None:
        if self._drawn:
            self.write("\r\x1b[K")
            self._drawn = False

    def _state(self) -> str:
        if self.open_end:
            return f"{grouped(self._matches)} matches"
        share = self._matches / self.total if self.total else 1.0
        return f"{grouped(self._matches)} of {grouped(self.total)} matches ({percent(share)})"

    def _forecast(self, now: float) -> list[str]:
        time, matches, hands = self._samples[0]
        seconds, played, left = now - time, self._matches - matches, self.total - self._matches
        if seconds < _SOONEST:
            return []
        parts = [_speed((self._hands - hands) / seconds)]
        if played and left and not self.open_end:
            parts.append(f"{duration(left * seconds / played)} left")
        return parts


def _speed(hands: float) -> str:
    return f"{grouped(round(hands)) if hands >= 10.0 else f'{hands:.1f}'} hands/s"

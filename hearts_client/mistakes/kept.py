"""The mistakes that were found, in a file beside the records, and the days on which they come.

They come as the package ``fsrs`` has it, which the extra ``mistakes`` installs. Without it one
comes again a day after a wrong answer, and after 1, 2, 4, 8 ... days after right ones.
"""

from __future__ import annotations

import time
from datetime import UTC, date, datetime
from pathlib import Path

from msgspec import MsgspecError, Struct, field
from msgspec.json import Decoder, Encoder

from hearts.bots.bot_frames import card_from
from hearts.errors import HeartsError
from hearts.game.cards import mask_of
from hearts.game.view import View
from hearts.judging.outlook import Cards, Outlook
from hearts.net.files import write_whole

FILE = "mistakes.json"
MOST = 500
"""Mistakes that are kept; the cheapest go first."""
DAILY = 12
"""Mistakes that are asked on a day."""
_MOST_GAMES = 10_000
_MOST_REVIEWS = 40
_LARGEST = 16_000_000
_MOST_CHOICES = 13


class Review(Struct, frozen=True, array_like=True):
    """One answer of the person."""

    day: int
    """As of :meth:`datetime.date.toordinal`."""
    is_right: bool


class Mistake(Struct, frozen=True):
    """A choice that cost points for sure, with all that the person saw, and their answers since."""

    view: View
    chosen: Cards
    outlook: Outlook
    names: tuple[str, str, str, str]
    played: int
    """The day of the game."""
    reviews: tuple[Review, ...] = ()

    @property
    def loss(self) -> float:
        return self.outlook.of(*self.chosen).loss

    @property
    def due(self) -> int:
        """The day on which it comes; 0 before the first answer."""
        return _due(self.reviews) if self.reviews else 0

    def check(self) -> None:
        """Raise ValueError or KeyError for what no position of a game can be."""
        self.outlook.of(*self.chosen)
        held = self.view.legal or self.view.hand
        fits = all(held >> card & 1 for one in self.outlook.choices for card in one.cards)
        many = len(self.outlook.choices) <= _MOST_CHOICES and len(self.chosen) in (1, 3)
        if not (fits and many and 0 <= self.view.player < 4 and mask_of(self.view.history) >= 0):
            raise ValueError("no position")


class KeptMistakes(Struct):
    """Everything that the file holds."""

    mistakes: list[Mistake] = field(default_factory=list)
    looked: dict[str, int] = field(default_factory=dict)
    """The number of hands that were looked through, by files of records."""

    def add(self, mistake: Mistake) -> None:
        self.mistakes.append(mistake)
        if len(self.mistakes) > MOST:
            self.mistakes.remove(min(self.mistakes, key=lambda one: one.loss))

    def answer(self, mistake: Mistake, today: int, *, is_right: bool) -> Mistake:
        """Note an answer; return the mistake with it."""
        reviews = (*mistake.reviews, Review(today, is_right))[-_MOST_REVIEWS:]
        place = self.mistakes.index(mistake)
        self.mistakes[place] = answered = Mistake(
            mistake.view, mistake.chosen, mistake.outlook, mistake.names, mistake.played, reviews
        )
        return answered

    def due(self, today: int) -> list[Mistake]:
        """Return what is to be looked at today: the costliest first, of those that have come."""
        done = sum(one.reviews[-1:] != () and one.reviews[-1].day == today for one in self.mistakes)
        waiting = sorted(
            (one for one in self.mistakes if one.due <= today), key=lambda one: -one.loss
        )
        return waiting[: max(DAILY - done, 0)]


_decoder = Decoder(KeptMistakes, dec_hook=card_from)
_encoder = Encoder(enc_hook=int)


def today() -> int:
    return date.today().toordinal()


def read_mistakes(folder: Path) -> tuple[KeptMistakes, str]:
    """Read the file of a folder; what cannot be read is set aside, as the line says."""
    path = folder / FILE
    try:
        with path.open("rb") as file:
            kept = _decoder.decode(file.read(_LARGEST))
        for mistake in kept.mistakes:
            mistake.check()
    except FileNotFoundError:
        return KeptMistakes(), ""
    except OSError as error:
        return KeptMistakes(), f"Your mistakes cannot be read: {path}: {error.strerror}."
    except (MsgspecError, HeartsError, ValueError, KeyError):
        aside = path.with_name(f"{FILE}.damaged-{time.strftime('%Y%m%d-%H%M%S')}")
        path.rename(aside)
        return KeptMistakes(), (
            f"{path} is damaged, and was set aside as {aside.name}; your games are looked through "
            "again."
        )
    return kept, ""


def write_mistakes(folder: Path, kept: KeptMistakes) -> None:
    """Keep them. Raises OSError."""
    while len(kept.looked) > _MOST_GAMES:
        del kept.looked[next(iter(kept.looked))]
    write_whole(folder / FILE, _encoder.encode(kept))


def _due(reviews: tuple[Review, ...]) -> int:
    try:
        from fsrs import Card, Rating, Scheduler
    except ImportError:
        rights = 0
        for review in reviews:
            rights = rights + 1 if review.is_right else 0
        return reviews[-1].day + (1 << max(rights - 1, 0))
    scheduler = Scheduler(learning_steps=(), relearning_steps=(), enable_fuzzing=False)
    card = Card(card_id=1)
    for review in reviews:
        rating = Rating.Good if review.is_right else Rating.Again
        when = datetime.combine(date.fromordinal(review.day), datetime.min.time(), UTC)
        card, _ = scheduler.review_card(card, rating, when)
    due: int = card.due.date().toordinal()
    return max(due, reviews[-1].day + 1)

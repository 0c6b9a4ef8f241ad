"""The values that the picture of a table is made of; none of them changes.

Everybody's text in it is fit to be shown: names as :func:`hearts_client.words.others.shown_names`
gives them, lines of chat without marks that would paint over others.
"""

from __future__ import annotations

from enum import Enum, auto

from msgspec import Struct, field

from hearts.game.cards import Card
from hearts.game.rules import Direction
from hearts.game.scoring import Four
from hearts.session.table_words import PlayerKind, Presence

from .canvas import Ink, LabelledKey


class HandCard(Struct, frozen=True, gc=False):
    card: Card
    playable: bool = True
    """True if it may be chosen now; others are dimmed while there is something to choose."""
    cursor: bool = False
    marked: bool = False
    received: bool = False


class SeatSight(Struct, frozen=True, gc=False):
    player: int
    name: str
    """The name as it is shown; "You" for the person."""
    kind: PlayerKind = PlayerKind.NOT_SAID
    presence: Presence = Presence.THERE
    comment: str = ""
    leads: bool = False
    """True if they lead, or led, the trick."""
    on_turn: bool = False
    points: int = 0
    """Taken in this hand so far."""
    tricks: int = 0
    cards: int = 0
    played: Card | None = None
    wins: bool = False
    """True if that card takes the trick, as far as it has come."""


class ChatSight(Struct, frozen=True, gc=False):
    lines: tuple[tuple[str, str, bool], ...] = ()
    """Name (empty for a notice), text, and True if it is unread; the latest last."""
    unread: int = 0
    typing: str | None = None
    """The line that is being typed; None while the chat does not have the keys."""
    cursor: int = 0
    is_there: bool = True
    """True if what is said is heard by anybody."""
    is_news: bool = False
    """True if these are notices alone, for a watcher, who cannot talk."""


class Flash(Enum):
    """A moment that should be felt."""

    QUEEN = auto()
    HEARTS_BROKEN = auto()
    MOON = auto()
    GAME_WON = auto()
    GAME_LOST = auto()


class Stage(Enum):
    """The use of the middle of the table."""

    WAITING = auto()
    PASSING = auto()
    TRICK = auto()
    LAST_TRICK = auto()
    """A trick that is over is shown again."""
    HAND_OVER = auto()
    GAME_OVER = auto()

    @property
    def is_play(self) -> bool:
        return self in (Stage.PASSING, Stage.TRICK, Stage.LAST_TRICK)


class ResultRow(Struct, frozen=True, gc=False):
    gained: int
    total: int
    place: int
    """The place, from 1; players with equal points have the same place."""
    cards: tuple[Card, ...]


class ResultSight(Struct, frozen=True, gc=False):
    """A result, with the players from the bottom of the picture, clockwise."""

    rows: tuple[ResultRow, ...]
    facts: tuple[str, ...]
    """Sentences about the player who took the queen, and the one who shot the moon."""
    scores: tuple[Four, ...]
    """The scores of the game, from its beginning on, after each hand."""


class TableSight(Struct, frozen=True, gc=False):
    """A whole table at one moment, from one seat, or for a watcher."""

    seats: tuple[SeatSight, SeatSight, SeatSight, SeatSight]
    """From the seat at the bottom, clockwise: the person, left, across, right."""
    hand: tuple[HandCard, ...] = ()
    is_watching: bool = False
    stage: Stage = Stage.WAITING
    hand_number: int = 0
    trick_number: int = 0
    """From 1; 0 before the first."""
    direction: Direction = Direction.HOLD
    rules: str = ""
    end_score: int = 100
    """0 for the four hands of a day."""
    hearts_broken: bool = False
    left: int | None = None
    """Whole seconds that the person has to choose; None if nothing is asked or no limit."""
    bank: int | None = None
    """Whole seconds in the bank of the hand, while that time is taken from it."""
    waited: int | None = None
    """Whole seconds for which somebody else has been waited for; None for nobody."""
    prompt: str = ""
    """One line: the task of the person, or the players that the table waits for."""
    prompt_ink: Ink = Ink.TEXT
    notices: tuple[tuple[str, Ink], ...] = ()
    flash: Flash | None = None
    chat: ChatSight = field(default_factory=ChatSight)
    rows: tuple[tuple[str, Four], ...] = ()
    """The scores of the game hand by hand: a title, and the additions in the order of ``seats``."""
    totals: Four = (0, 0, 0, 0)
    winners: frozenset[int] = frozenset()
    """Players (0-3) who have won the game."""
    middle: tuple[str, ...] = ()
    """Lines for the middle of the table, if no trick lies: the seated players, or the winners."""
    forming_words: tuple[tuple[str, Ink], ...] = ()
    """Lines in place of the table while it forms, if the server has told what it is."""
    result: ResultSight | None = None
    """Shown in place of the table when a hand or a game is over."""
    buttons: tuple[LabelledKey, ...] = ()
    """The keys that can be pressed now, the most wanted first."""
    auto: bool = False
    lesson: str = ""
    """A text that is read beside the table, in place of scores and chat; empty for none."""


# What the regions of a picture stand for.


class OnCard(Struct, frozen=True, gc=False):
    """A card of the hand."""

    card: Card


class OnTable(Struct, frozen=True, gc=False):
    """The middle of the table."""


class OnChat(Struct, frozen=True, gc=False):
    """The chat."""

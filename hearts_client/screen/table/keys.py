"""The keys at a table, one row each, with the action, its condition, the label and the help.

The bar below the table, the help, the menu, the table in docs/playing.md and the guard against keys
that come too soon follow from these rows. Keys are named as urwid names them. The first row of a
key whose ``when`` holds says what it does; the order of the rows is that of the bar and of the
help.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from enum import Enum, auto
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from msgspec import Struct

from hearts.table.inputs import Question
from hearts_client.screen.pictures.canvas import LabelledKey
from hearts_client.screen.pictures.sights import Stage

if TYPE_CHECKING:
    from .seat_page import SeatPage
    from .table_page import TablePage

PageT = TypeVar("PageT", contravariant=True)

ANY = ""
"""Stands for any key."""


class WantedPage(Enum):
    """A page above the table, or another act of the part of the screen that opens such pages."""

    HELP = auto()
    SCORES = auto()
    RULES = auto()
    REPLAY = auto()
    OPTIONS = auto()
    NEWS = auto()
    MENU = auto()
    SOUND = auto()
    """No page: sounds are turned on or off."""
    LEAVE = auto()
    INVITE = auto()


def _always(page: object) -> bool:
    return True


def _never(page: object) -> bool:
    return False


class Key(Struct, Generic[PageT], frozen=True):
    key: str
    do: Callable[[PageT], object]
    help: str = ""
    """Its line in the help and in docs/playing.md; one row of a key has it."""
    label: str | Callable[[PageT], str] = ""
    """Its word in the bar; empty if it never stands there."""
    when: Callable[[PageT], object] = _always
    """If the key means this now; else a later row is looked for."""
    shown: Callable[[PageT], object] = _always
    """If it stands in the bar while it means this."""
    guarded: bool = False
    """If it does nothing until what it answers has been seen for a while."""
    in_pass: bool = False
    """If its help is about passing cards."""
    opens: WantedPage | None = None
    menu: str = ""


def meant(rows: Sequence[Key[Any]], page: TablePage, key: str) -> Key[Any] | None:
    return next((row for row in rows if row.key == key and row.when(page)), None)


def pressed(rows: Sequence[Key[Any]], page: TablePage, key: str) -> Key[Any] | None:
    """Find the first row that applies now and has this key, or that takes any key."""
    return next((row for row in rows if row.key in (key, ANY) and row.when(page)), None)


def bar(rows: Sequence[Key[Any]], page: TablePage, counts: bool) -> Iterator[LabelledKey]:
    """Give what can be pressed now; ``counts`` says if guarded keys do something."""
    for row in rows:
        if row.label and row.shown(page) and meant(rows, page, row.key) is row:
            label = row.label if isinstance(row.label, str) else row.label(page)
            yield LabelledKey(row.key, label, counts=counts or not row.guarded)


def helped(*, in_pass: bool = False) -> dict[str, str]:
    return {row.key: row.help for row in SEAT_KEYS if row.help and row.in_pass is in_pass}


# What a row is made of.


_Do = Callable[["SeatPage"], object]
_If = Callable[["TablePage"], object]


def _is_asked(question: Question) -> Callable[[SeatPage], bool]:
    return lambda page: page.choosing.asked is question


def _is_invited(page: SeatPage) -> bool:
    return page.choosing.invitation is not None


def _answers(*questions: Question | None) -> Callable[[SeatPage], bool]:
    """Say if one of these is what the person answers first."""
    return lambda page: (
        page.choosing.asked in questions
        and not (page.is_held or page.choosing.is_claiming or _is_invited(page))
    )


def _can_finish(page: SeatPage) -> bool:
    if page.is_of_day:
        return False
    is_idle = page.is_held or _answers(None, Question.CUT)(page)
    return _answers(Question.CARD)(page) or (page.is_auto and is_idle)


def _can_take_back(page: SeatPage) -> bool:
    may = page.can_take_back and not page.is_of_day
    return may and page.table.stage.is_play and page.has_chosen


def _finish_label(page: SeatPage) -> str:
    if not _answers(Question.CARD)(page):
        return "take the hand back"
    return "take back" if page.is_auto else "finish hand"


def _is_played(page: TablePage) -> bool:
    return not page.table.is_watching


def _is_over(page: TablePage) -> bool:
    return page.table.stage in (Stage.HAND_OVER, Stage.GAME_OVER)


def _answer(key: str, question: Question, do: _Do, label: str) -> Key[SeatPage]:
    is_asked, is_first = _is_asked(question), _answers(question)
    return Key(key, do, label=label, when=is_asked, shown=is_first, guarded=True)


def _opens(
    key: str, wanted: WantedPage, help: str, label: str = "", shown: _If = _always, menu: str = ""
) -> Key[TablePage]:
    def do(page: TablePage) -> None:
        page.want(wanted)

    return Key(key, do, help, label, shown=shown, opens=wanted, menu=menu)


_ANSWERS: tuple[Key[SeatPage], ...] = (
    _answer("+", Question.MOON, lambda p: p.choosing.choose_moon(True), "to each of the others"),
    _answer("-", Question.MOON, lambda p: p.choosing.choose_moon(False), "off my score"),
    Key("y", lambda p: p.choosing.come(True), label="come", when=_is_invited, guarded=True),
    Key("n", lambda p: p.choosing.come(False), label="stay", when=_is_invited, guarded=True),
    Key("y", lambda p: p.choosing.vote(True), when=lambda p: p.choosing.votes, guarded=True),
    Key("n", lambda p: p.choosing.vote(False), when=lambda p: p.choosing.votes, guarded=True),
    _answer("y", Question.AGAIN, lambda p: p.choosing.play_again(True), "another game"),
    _answer("n", Question.AGAIN, lambda p: p.choosing.play_again(False), "no more"),
)
_LOOKING: tuple[Key[TablePage], ...] = (
    Key(ANY, lambda p: p.look_back(False), when=lambda p: p.looks_back),
    Key(
        "enter",
        lambda p: p.dismiss(),
        label="go on",
        when=lambda p: p.is_held,
        shown=_is_played,
        guarded=True,
    ),
    Key(" ", lambda p: p.dismiss(), when=lambda p: p.is_held, guarded=True),
    Key("esc", lambda p: p.dismiss(), when=lambda p: p.is_held, guarded=True),
)
_CARDS: tuple[Key[SeatPage], ...] = (
    Key("left", lambda p: p.choosing.move(-1), "the cursor goes to the next card on the left"),
    Key("right", lambda p: p.choosing.move(1), "the cursor goes to the next card on the right"),
    Key(
        "home",
        lambda p: p.choosing.go_to_place(0),
        "the cursor goes to the first card",
        when=lambda p: p.choosing.cards,
    ),
    Key(
        "end",
        lambda p: p.choosing.go_to_place(-1),
        "the cursor goes to the last card",
        when=lambda p: p.choosing.cards,
    ),
    Key(
        "enter",
        lambda p: p.choosing.enter(),
        label="claim the rest",
        when=lambda p: p.choosing.is_claiming,
        guarded=True,
    ),
    Key(
        "enter",
        lambda p: p.choosing.enter(),
        "mark the card at the cursor; with three marked, pass them",
        "pass",
        when=_is_asked(Question.PASS),
        shown=lambda p: p.choosing.can_pass and _answers(Question.PASS)(p),
        guarded=True,
        in_pass=True,
    ),
    Key(
        "enter",
        lambda p: p.choosing.enter(),
        "play the card at the cursor; go on if the table waits for you",
        "play",
        shown=_answers(Question.CARD),
        guarded=True,
    ),
    Key(
        " ",
        lambda p: p.choosing.mark(),
        "mark or unmark the card at the cursor for the pass",
        lambda p: "unmark" if p.choosing.can_pass else "mark",
        shown=_answers(Question.PASS),
        guarded=True,
        in_pass=True,
    ),
    Key("up", lambda p: p.choosing.mark(), "the same", guarded=True, in_pass=True),
    Key("down", lambda p: p.choosing.mark(), "the same", guarded=True, in_pass=True),
    Key(
        "backspace",
        lambda p: p.choosing.unmark(),
        "remove all marks",
        when=_is_asked(Question.PASS),
        in_pass=True,
    ),
    Key("backspace", lambda p: p.choosing.take_back(), when=lambda p: p.choosing.ahead is not None),
    Key(
        "g",
        lambda p: p.ask_table("/start"),
        "fill the table that you opened with computers, and begin",
        "start with computers",
        shown=lambda p: p.table.may_start,
    ),
    Key(
        "i",
        lambda p: p.invite(),
        label="invite",
        when=lambda p: p.table.is_forming,
        shown=lambda p: p.table.may_start,
    ),
    Key(
        "p",
        lambda p: p.ask_table("/seat"),
        "take the next free seat of a table that forms",
        "another seat",
        shown=lambda p: p.table.may_move,
    ),
    Key(
        "i",
        lambda p: p.hint(),
        "a hint; while your table forms: invite",
        "hint",
        shown=lambda p: not p.is_of_day and _answers(Question.PASS, Question.CARD)(p),
    ),
    Key(
        "f",
        lambda p: p.finish_hand(),
        "a computer finishes your hand, at once or slowly (see the options)",
        _finish_label,
        shown=_can_finish,
    ),
    Key(
        "u",
        lambda p: p.take_back(),
        "alone, without a clock: take your last choice back; U does it again",
        "undo",
        shown=_can_take_back,
    ),
    Key("U", lambda p: p.take_back(again=True)),
    Key(
        "e",
        lambda p: p.choosing.claim(),
        "claim the rest of the hand, if every trick is certainly yours",
        "claim",
        shown=lambda p: p.choosing.can_claim and _answers(Question.CARD)(p),
    ),
)
_PLAYED: tuple[Key[TablePage], ...] = (
    Key(
        "l",
        lambda p: p.look_back(True),
        "the last trick",
        "last trick",
        shown=lambda p: p.table.is_watching,
    ),
    _opens(
        "v",
        WantedPage.REPLAY,
        "the last hand again, card by card, with all cards open",
        "replay",
        lambda p: _is_over(p) and _is_played(p),
        menu="The last hand again",
    ),
    _opens(
        "b",
        WantedPage.SCORES,
        "the scores, hand by hand",
        "scores",
        lambda p: _is_over(p) or p.table.is_watching,
        menu="Scores, hand by hand",
    ),
    _opens(
        "r",
        WantedPage.RULES,
        "how Hearts is played, with the rules of this table",
        menu="How Hearts is played",
    ),
    _opens(
        "w", WantedPage.NEWS, "what has happened, with cards and points", menu="What has happened"
    ),
)
CHAT_KEYS: tuple[Key[SeatPage], ...] = (
    Key("/", lambda p: p.chat.open(), "talk to the table", "chat"),
    Key("tab", lambda p: p.chat.open(), "talk to the table"),
    Key(
        "!",
        lambda p: p.chat.open_taunts(),
        "say a quick message: ! and then its digit",
    ),
)
_PAGES: tuple[Key[TablePage], ...] = (
    _opens(
        "o",
        WantedPage.OPTIONS,
        "options: what the table looks like, how long things stay, sounds",
        menu="Options",
    ),
    _opens("z", WantedPage.SOUND, "sounds off or on: the queen, a moon, your turn"),
    _opens("?", WantedPage.HELP, "this help, also on the other pages", "help", menu="Help"),
    _opens("m", WantedPage.MENU, "the menu: go on, leave the table", "menu"),
    _opens("esc", WantedPage.LEAVE, "the menu; clear a finished trick away"),
    Key("ctrl c", _never, "quit at once", when=_never),
)
WATCH_KEYS: tuple[Key[TablePage], ...] = (*_LOOKING, *_PLAYED, *_PAGES)
"""The keys of a person who watches."""
SEAT_KEYS: tuple[Key[SeatPage], ...] = (
    *_ANSWERS,
    *_LOOKING,
    *_CARDS,
    *_PLAYED,
    *CHAT_KEYS,
    *_PAGES,
)
"""The keys of a player; whatever else is typed is the name of a card."""
TYPING_KEYS: tuple[LabelledKey, ...] = (
    LabelledKey("enter", "say"),
    LabelledKey("esc", "back to the cards"),
)
"""The bar while the chat has the keys, which reads them itself."""

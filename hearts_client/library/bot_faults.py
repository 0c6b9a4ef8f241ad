"""Faults of a bot, in words for its author: the method, the moment, their line of code."""

from __future__ import annotations

import sys
import traceback
from contextlib import suppress
from pathlib import Path
from types import CodeType, FrameType

from hearts.game.cards import CARDS, Card, mask_of
from hearts.game.game import PASS_SIZE
from hearts.game.view import View

_OURS = frozenset({"hearts", "hearts_client", "hearts_arena"})
_LONGEST_SHOWN = 80
"""Characters of what a bot has answered."""
_CARD_OF: dict[object, Card] = {int(card): card for card in CARDS}


def card_of(answer: object) -> Card | None:
    """Return the card that a bot has named; None if it is none. A card's number is one, too."""
    try:
        return _CARD_OF.get(answer)
    except TypeError:
        return None


def why_no_card(answer: object, view: View) -> str | None:
    """Say what is wrong with the answer of ``choose_card``; None if it may be played."""
    card = card_of(answer)
    if card is None:
        return f"gave {_shown(answer)}, which is no card"
    if view.legal >> card & 1:
        return None
    why = "which is not legal" if view.hand >> card & 1 else "which is not in the hand"
    return f"gave {card}, {why}"


def why_no_pass(answer: object, view: View) -> str | None:
    """Say what is wrong with the answer of ``choose_pass``; None if nothing is."""
    if not isinstance(answer, tuple):
        return f"gave {_shown(answer)}, which is no list of cards"
    cards = [card_of(each) for each in answer]
    known = [card for card in cards if card is not None]
    if len(known) < len(cards):
        wrong = answer[cards.index(None)]
        return f"gave {_shown(wrong)} among its cards, which is no card"
    shown = " ".join(map(str, known)) or "no card"
    mask = mask_of(known)
    if len(known) != PASS_SIZE or mask.bit_count() != PASS_SIZE:
        return f"gave {shown}, which is not legal: a pass is three different cards"
    if mask & ~view.hand:
        return f"gave {shown}, which are not all in the hand"
    return None


def raised(error: BaseException) -> str:
    """Return the fault of a method that has raised."""
    told = "".join(traceback.format_exception_only(error)).strip()
    return f"raised {told.splitlines()[0][:200]}"


def line_of(error: BaseException) -> str:
    """Return the author's own line that raised an error, or called the function that raised it."""
    return _own_line(list(traceback.walk_tb(error.__traceback__)))


def line_of_frame(frame: FrameType | None) -> str:
    """Return the author's own line that is executed now, below this frame of a thread."""
    return _own_line(list(traceback.walk_stack(frame))[::-1])


def line_of_method(bot: object, method: str) -> str:
    """Return the place of a method of a bot; empty if that is not known."""
    code = getattr(getattr(bot, method, None), "__code__", None)
    return _place(code, code.co_firstlineno) if isinstance(code, CodeType) else ""


def moment(view: View) -> str:
    """Return the moment at which a bot was asked: the hand and the trick, both from 1."""
    hand = f"hand {view.hand_number + 1}"
    if not view.legal and not view.history:
        return f"{hand}, passing"
    return f"{hand}, trick {min(len(view.history) // 4 + 1, 13)}"


def message(method: str, what: str, when: str, line: str) -> str:
    """Return all of it as one message."""
    return f"{method} {what} ({when}{f'; {line}' if line else ''})"


def _own_line(stack: list[tuple[FrameType, int]]) -> str:
    """Return the innermost frame of a stack, outermost first, that is neither ours nor of a
    library; if there is none, the innermost one of ours.
    """
    own = [(frame, line) for frame, line in stack if _is_own(frame)]
    ours = [(frame, line) for frame, line in stack if _package(frame) in _OURS]
    for frame, line in (own or ours or stack)[-1:]:
        return _place(frame.f_code, line)
    return ""


def _package(frame: FrameType) -> str:
    return str(frame.f_globals.get("__name__", "")).partition(".")[0]


def _is_own(frame: FrameType) -> bool:
    file, name = frame.f_code.co_filename, frame.f_code.co_name
    if _package(frame) in _OURS | sys.stdlib_module_names:
        return False
    # A worker process begins there; of `python -c` it is no method either.
    if (file, name) == ("<string>", "<module>"):
        return False
    return "site-packages" not in file and not file.startswith("<frozen")


def _place(code: CodeType, line: int) -> str:
    path = Path(code.co_filename)
    with suppress(ValueError, OSError):
        path = path.relative_to(Path.cwd())
    return f"{path}:{line}, in {code.co_name}"


def _shown(answer: object) -> str:
    try:
        text = repr(answer)
    except Exception:
        text = f"a {type(answer).__name__}"
    return text if len(text) <= _LONGEST_SHOWN else text[:_LONGEST_SHOWN] + "..."

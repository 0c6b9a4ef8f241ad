"""Connections that are lost, and clients that come back."""

from __future__ import annotations

from hearts.session.messages import Refusal
from hearts_conformance.session.script import Script, SendStyle, Twist

from .kinds import AGAIN, CARD, MOON, PASS, PLAIN, at, dealer, moon

RETURNS = (
    Script("drop", "the connection is lost at a card", 1, twists={(CARD, 4): Twist.DROP_ASKED}),
    Script(
        "drop-pass",
        "lost at the pass, and after it",
        2,
        twists={(PASS, 0): Twist.DROP_ASKED, (CARD, 0): Twist.DROP_CHOSEN},
    ),
    Script(
        "drop-decided",
        "lost, and the clock decides meanwhile",
        3,
        twists=at(Twist.DROP_DECIDED, (PASS, 0), (CARD, 6)),
    ),
    Script(
        "drop-scores",
        "lost after Scores, and in the second hand",
        1,
        dealer_title="lost after P_DONE_HAND, and in the second hand",
        end_score=27,
        twists={(PASS, 1): Twist.DROP_BEFORE, (CARD, 15): Twist.DROP_CHOSEN},
    ),
    moon("drop-moon", "lost at the moon", 0, twists={(MOON, 0): Twist.DROP_ASKED}),
    Script(
        "drop-again", "lost when another game is decided", 0, twists={(AGAIN, 0): Twist.DROP_ASKED}
    ),
    dealer("drop-end", "lost between P_DONE_HAND and P_END_GAME", 0, loses_end=True),
    dealer(
        "drop-joined",
        "lost, and what was missed comes in one piece",
        2,
        SendStyle.JOINED,
        twists={(CARD, 7): Twist.DROP_CHOSEN},
    ),
    Script(
        "drop-refused",
        "lost, and the first try to come back is refused with -4",
        2,
        twists={(CARD, 2): Twist.DROP_ASKED},
        first_return=Refusal.SHUTTING_DOWN,
    ),
    Script(
        "drop-full",
        "lost, and the first try to come back is refused with -1",
        3,
        dialect=PLAIN,
        twists={(CARD, 3): Twist.DROP_CHOSEN},
        first_return=Refusal.SERVER_FULL,
    ),
    Script(
        "drop-unknown",
        "lost in the second hand, and the count of hands is refused with -103",
        2,
        end_score=27,
        twists={(CARD, 15): Twist.DROP_ASKED},
        first_return=Refusal.NO_SUCH_GAME,
    ),
    Script(
        "drop-over",
        "lost, and coming back is refused with -104",
        1,
        twists={(CARD, 3): Twist.DROP_ASKED},
        first_return=Refusal.TABLE_TAKEN,
    ),
    dealer(
        "abort-for-now",
        "the table stops, and goes on later",
        3,
        twists={(CARD, 5): Twist.ABORT_FOR_NOW},
    ),
)

"""The scenarios in which deals are cut, for clients that do."""

from __future__ import annotations

from hearts.table import Question
from hearts_conformance.session.script import Twist

from .script import DealerScript, PromiseTwist

_CUT = Question.CUT

CUTTING = (
    DealerScript(
        "cut-late",
        "the time to cut is up",
        2,
        end_score=27,
        people=True,
        twists={(_CUT, 0): Twist.FORCE_CROSSING},
    ),
    DealerScript(
        "cut-twice",
        "a deal is promised twice, and not the same",
        1,
        end_score=27,
        people=True,
        promises=PromiseTwist.TWICE,
    ),
    DealerScript(
        "drop-cut",
        "lost when deals are cut, and with your value on its way",
        1,
        end_score=27,
        people=True,
        twists={(_CUT, 0): Twist.DROP_ASKED, (_CUT, 1): Twist.DROP_ANSWERED},
    ),
    DealerScript(
        "drop-cut-otherwise",
        "lost with your value on its way, and then the promise is another one",
        3,
        end_score=27,
        people=True,
        twists={(_CUT, 0): Twist.DROP_ANSWERED},
        promises=PromiseTwist.OTHERWISE,
    ),
    DealerScript(
        "abort-cut",
        "the table stops when a deal is cut, and goes on later",
        2,
        people=True,
        twists={(_CUT, 0): Twist.ABORT_FOR_NOW},
    ),
)

"""The rules of section 6 as checks: a client of the plain dialect has to know them itself."""

from __future__ import annotations

from hearts.errors import Reason
from hearts.game.rules import HOUSE_RULES
from hearts_conformance.checks import Check, Level

_BIT = {rule.name: rule.bit for rule in HOUSE_RULES}

FOLLOW = Check(
    "rule.follow",
    "6.3",
    "follow the suit that was led (-2)",
    "With a card of the suit led in hand, play one.",
    Level.SHOULD,
)
TWO_OF_CLUBS = Check(
    "rule.two-of-clubs",
    "6.3",
    f"lead the two of clubs first, unless bit {_BIT['rotate']} is set (-6)",
    "The first lead of a hand is 2C.",
    Level.SHOULD,
)
NO_POINTS = Check(
    "rule.no-points",
    "6.3",
    f"no points on the first trick, unless bit {_BIT['bleed']} is set (-5)",
    "No heart and no queen of spades, while you have another card that fits.",
    Level.SHOULD,
)
NOT_BROKEN = Check(
    "rule.broken",
    "6.3",
    "lead no heart before hearts are broken (-7)",
    "Unless you hold nothing but hearts.",
    Level.SHOULD,
)
QUEEN_GOES = Check(
    "rule.dump",
    "6.3",
    f"with bit {_BIT['dump']} the queen of spades goes at the first chance (-4)",
    "When you cannot follow, or spades were led and the ace or king lies in the trick.",
    Level.SHOULD,
)
QUEEN_KEEPS = Check(
    "rule.queen-keeps",
    "6.3",
    f"with bit {_BIT['queen-keeps']} the queen of spades does not break hearts (-7)",
    f"With bit {_BIT['queen-keeps']} only a heart breaks hearts.",
    Level.SHOULD,
)
ROTATE = Check(
    "rule.rotate",
    "6.3",
    f"with bit {_BIT['rotate']} lead the first trick with any card, no points among them",
    "Look at the leader, not at the two of clubs; no points as on any first trick (6.3).",
    Level.SHOULD,
)

RULES = {
    Reason.FOLLOW_SUIT: FOLLOW,
    Reason.QUEEN_MUST_GO: QUEEN_GOES,
    Reason.NO_POINTS_ON_FIRST_TRICK: NO_POINTS,
    Reason.TWO_OF_CLUBS_LEADS: TWO_OF_CLUBS,
    Reason.HEARTS_NOT_BROKEN: NOT_BROKEN,
}
"""The check of each reason for which a card that is held may be refused."""

"""Findings about a deal, in words (SocketSpec.md section 7.7, DealerSpec.md 14.8)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

from hearts.dealer.deal_verifier import NO_PROMISE, NOT_OURS, NOT_PLAYED, NOT_PROMISED
from hearts.game.deal import NO_CUTS, DealDisclosed, deal_code
from hearts.session.client_events import DealChecked, Fairness
from hearts.wire.text import quoted

NEVER_PROMISED = "WARNING: deal {}: " + NO_PROMISE
PROMISED_TWICE = "WARNING: deal {} was promised twice, and the promises differ"
DISCLOSED_TWICE = "WARNING: deal {} was disclosed twice, and the disclosures differ"
NEVER_SHOWN = "deal {} was promised and never shown, so nobody can check it"
CUT_SHORT = (
    "deal {} was promised and never shown: the table ended before its hand did, and nobody can "
    "check it"
)
NOT_SHOWN_YET = "deal {} was promised and is not shown yet: it is checked if the table goes on"
_SAID = {
    NOT_PROMISED: "is not the one that was promised",
    NOT_OURS: "does not give the cards that you had",
    NOT_PLAYED: "does not give the cards that were played",
}


def finding(
    told: DealDisclosed,
    problem: str | None,
    *,
    is_promised: bool,
    is_broken_off: bool = False,
    checked: DealChecked | None = None,
    names: Sequence[str] = (),
) -> str:
    """Say what was found of a deal; a warning if there is a problem.

    ``checked`` says who can have chosen it, if that is known, and ``names`` who plays.
    """
    is_cut = told.cuts != NO_CUTS and not is_broken_off
    name = f"deal {told.deal} ({deal_code(told.secret)}{', cut' if is_cut else ''})"
    if is_broken_off:
        name += ", which was abandoned,"
    if problem in _SAID:
        return f"WARNING: {name} {_SAID[problem]}"
    if problem is not None:
        return f"WARNING: {name.removesuffix(',')}: {problem}"
    if is_promised:
        fairness = None if checked is None else fairness_in_words(checked, names)
        said = "is the one that was promised" + ("" if fairness is None else f"; {fairness}")
    else:
        cards = "that you had" if is_broken_off else "that were played"
        said = f"gives the cards {cards}, but nobody promised it"
    return f"{name} {said}" if is_broken_off else f"{name} checked: it {said}"


def fairness_in_words(checked: DealChecked, names: Sequence[str]) -> str | None:
    """Return a sentence about a deal, without its first word's capital; None if nobody has cut
    it.
    """
    missing = [
        f"{quoted(names[player])}: {gone} of {of} numbers missing"
        for player in checked.missing
        for gone, of in (checked.counts[player],)
    ]
    match checked.fairness:
        case Fairness.NOBODY:
            said = "nobody chose it"
        case Fairness.WITHHOLDERS:
            who = " and ".join(quoted(names[player]) for player in checked.missing)
            said = f"nobody chose it; only {who} could change it, by not showing a number"
        case Fairness.REDRAWN:
            said = "an earlier deal was taken back, or never proved: this one may have been chosen"
        case Fairness.ANYBODY:
            said = "your number was left out: this deal may have been chosen"
        case Fairness.NOT_CUT:
            if not any(of for _, of in checked.counts):
                return None
            said = "you added no number to it"
        case _:
            assert_never(checked.fairness)
    return "; ".join([said, *missing])

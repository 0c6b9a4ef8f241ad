"""Choices that are refused, forced or broken off, and cuts of the deal."""

from __future__ import annotations

from hearts_conformance.session import deals
from hearts_conformance.session.script import PromiseTwist, Script, SendStyle, Twist

from .kinds import AGAIN, CARD, CUT, MOON, NO_PASS, PASS, at, dealer, moon

STEPS = (
    Script(
        "refused-pass",
        "a legal pass that gets a negative status",
        2,
        dealer_title="a legal pass that is refused",
        twists={(PASS, 0): Twist.REFUSE},
    ),
    Script(
        "refused-card",
        "legal cards that get a negative status",
        3,
        dealer_title="legal cards that are refused",
        twists=at(Twist.REFUSE, (CARD, 1), (CARD, 4), (CARD, 6)),
    ),
    moon("refused-moon", "a moon that has to be chosen twice", 1, twists={(MOON, 0): Twist.REFUSE}),
    Script(
        "forced",
        "statuses that come before the choice",
        3,
        dealer_title="the time is up before you can answer",
        people=False,
        twists=at(Twist.FORCE_FIRST, (PASS, 0), (CARD, 3), (CARD, 7), (AGAIN, 0)),
    ),
    Script(
        "crossing",
        "statuses that cross the choice",
        0,
        dealer_title="the time is up while your answer is on its way",
        twists=at(Twist.FORCE_CROSSING, (PASS, 0), (CARD, 2), (CARD, 4), (CARD, 6), (AGAIN, 0)),
    ),
    moon(
        "forced-moon",
        "a status for the moon before the choice",
        2,
        dealer_title="the moon is decided before you can answer",
        twists=at(Twist.FORCE_FIRST, (CARD, 5), (MOON, 0)),
    ),
    moon(
        "crossing-moon",
        "a status for the moon that crosses the choice",
        1,
        dealer_title="the moon is decided while your answer is on its way",
        twists=at(Twist.FORCE_CROSSING, (CARD, 5), (MOON, 0)),
    ),
    Script(
        "forced-joined",
        "forced choices in as few writes as can be",
        3,
        SendStyle.JOINED,
        twists={
            **at(Twist.FORCE_FIRST, (PASS, 0), (CARD, 0), (CARD, 1)),
            (CARD, 5): Twist.FORCE_CROSSING,
        },
    ),
)
BESIDE = (
    dealer(
        "new-rules",
        "player 0 proposes other rules while you are asked for a card",
        2,
        more_games=1,
        twists={(CARD, 3): Twist.PROPOSE},
        proposed="dump,bleed,rotate,pass=cycle3",
    ),
    dealer("proof", "a proof that does not fit", 3, end_score=27, wrong_proof=True),
    dealer(
        "claimed",
        "another player claims the rest of a hand, and the game goes on",
        3,
        rules=NO_PASS,
        end_score=40,
        deals=(deals.ANOTHERS_CLUBS,),
        own="claim.told",
        claims=True,
    ),
    dealer(
        "take-back",
        "you are alone and have no clock: you may take choices back",
        1,
        people=False,
        end_score=27,
        has_clock=False,
    ),
    dealer(
        "abort-hand",
        "player 0 proposes to break the hand off while you are asked for a card",
        2,
        twists={(CARD, 3): Twist.PROPOSE_ABORT_HAND},
    ),
    dealer(
        "abort-game",
        "the same, the whole game, in its second hand",
        1,
        end_score=27,
        twists={(CARD, 15): Twist.PROPOSE_ABORT_GAME},
    ),
    dealer(
        "give-seat",
        "player 0 asks for your seat while you are asked for a card",
        3,
        own="aside.any-time",
        twists={(CARD, 2): Twist.WANT_SEAT},
    ),
    dealer(
        "abort", "the session ends in the hand", 1, people=False, twists={(CARD, 3): Twist.ABORT}
    ),
)
CUTS = (
    dealer(
        "cut-late",
        "the time to cut is up",
        2,
        end_score=27,
        twists={(CUT, 0): Twist.FORCE_CROSSING},
    ),
    dealer(
        "cut-twice",
        "a deal is promised twice, and the promises differ",
        1,
        end_score=27,
        promises=PromiseTwist.TWICE,
    ),
    dealer(
        "drop-cut",
        "lost when deals are cut, and with your value on its way",
        1,
        end_score=27,
        twists={(CUT, 0): Twist.DROP_ASKED, (CUT, 1): Twist.DROP_ANSWERED},
    ),
    dealer(
        "drop-cut-otherwise",
        "lost with your value on its way, and then the promise is another one",
        3,
        end_score=27,
        twists={(CUT, 0): Twist.DROP_ANSWERED},
        promises=PromiseTwist.OTHERWISE,
    ),
    dealer(
        "abort-cut",
        "the table stops when a deal is cut, and goes on later",
        2,
        twists={(CUT, 0): Twist.ABORT_FOR_NOW},
    ),
)

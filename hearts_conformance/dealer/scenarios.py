"""The scenarios of the dealer dialect, in the order in which they are played."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from itertools import cycle

from hearts.game.rules import PRESETS, parse_rules
from hearts.session.messages import Refusal
from hearts.table import Question
from hearts_conformance.hall import checks as shared
from hearts_conformance.hall import deals
from hearts_conformance.hall.chat_scripts import chat_scripts
from hearts_conformance.hall.refusal_scripts import list_scripts, refusal_scripts
from hearts_conformance.hall.script import FOUR_HANDS, SendStyle, Twist
from hearts_conformance.kit import Scenario

from . import agreement_checks as agreements
from . import checks
from .cut_scenarios import CUTTING
from .scenario_run import DealerScenarioRun
from .script import DealerScript, Extra
from .watching import WatchRefused, WatchRun

_NO_PASS = parse_rules("pass=never")
_CHOICE = parse_rules("moon=choice,pass=never")
_PASS, _CARD, _MOON, _AGAIN = Question.PASS, Question.CARD, Question.MOON, Question.AGAIN
Twists = Mapping[tuple[Question, int], Twist]


def _twisted(id: str, title: str, seat: int, twists: Twists) -> DealerScript:
    """A hand with people on the other seats, in which something happens."""
    return DealerScript(id, title, seat, people=True, twists=twists)


def _moon(id: str, title: str, seat: int, twists: Twists) -> DealerScript:
    """A hand of clubs, whose moon counts as the client chooses."""
    return DealerScript(
        id, title, seat, people=True, rules=_CHOICE, deals=(deals.ALL_CLUBS,), twists=twists
    )


_FIRST = (
    DealerScript(
        "hand",
        "one hand of clubs: every lead is yours, and the moon",
        2,
        rules=_NO_PASS,
        deals=(deals.ALL_CLUBS,),
    ),
    DealerScript(
        "game",
        "a game of several hands, with passes; player 0 decides about another",
        1,
        end_score=27,
        people=True,
    ),
    DealerScript(
        "invited",
        "you are invited to another table while yours forms, if you wait for that",
        2,
        people=True,
        invites=True,
    ),
    DealerScript("alone", "you decide about another game", 0),
    DealerScript("again", "another game, for which player 0 wishes", 3, people=True, more_games=1),
    DealerScript("split", "a hand that comes byte by byte", 0, SendStyle.SPLIT, own=shared.SPLIT),
    DealerScript(
        "joined",
        "two games in as few writes as can be",
        1,
        SendStyle.JOINED,
        people=True,
        more_games=1,
        own=shared.JOINED,
    ),
    DealerScript(
        "unknown",
        "frames of types that a later version may have, behind every frame",
        2,
        people=True,
        own=checks.UNKNOWN,
        extra=Extra.UNKNOWN,
    ),
    DealerScript(
        "longer",
        "payloads that are longer than today",
        3,
        people=True,
        own=checks.LONGER,
        extra=Extra.LONGER,
    ),
    DealerScript(
        "asides",
        "notices, changes and waiting while you are asked",
        1,
        people=True,
        own=checks.ASIDES,
        asides=True,
    ),
    _moon("moon", "a moon that counts as you choose", 3, {}),
    DealerScript(
        "moon-other", "a moon of another player", 2, rules=_CHOICE, deals=(deals.ANOTHERS_CLUBS,)
    ),
)


def _rules(text: str, wish: deals.Wish, seat: int) -> DealerScript:
    """A hand in which cards are legal that are not by the standard rules, or the other way."""
    id = f"rules.{text.replace(',', '+')}"
    return DealerScript(id, f"rules {text}", seat, rules=parse_rules(text), deals=(wish,))


_RULES = (
    _rules("dump,pass=never", deals.DUMPS_ON_CLUBS, seat=3),
    _rules("rotate,pass=never", deals.LEADS_ANYTHING, seat=0),
    _rules("dump,bleed,queen-keeps,pass=never", deals.QUEEN_FALLS, seat=2),
    DealerScript(
        "rules.pass=cycle3",
        "rules pass=cycle3, to the fourth hand",
        2,
        rules=parse_rules("pass=cycle3"),
        end_score=FOUR_HANDS,
        people=True,
        own=shared.DIRECTION,
    ),
    *(
        DealerScript(
            f"rules.{name}", f"rules {name}", seat, rules=PRESETS[name], end_score=40, people=True
        )
        for seat, name in zip(cycle(range(4)), PRESETS, strict=False)
    ),
)
_STEP = (
    _twisted("refused-pass", "a legal pass that is refused", 2, {(_PASS, 0): Twist.REFUSE}),
    _twisted(
        "refused-card",
        "legal cards that are refused",
        3,
        {(_CARD, 1): Twist.REFUSE, (_CARD, 4): Twist.REFUSE, (_CARD, 6): Twist.REFUSE},
    ),
    _moon("refused-moon", "a moon that has to be chosen twice", 1, {(_MOON, 0): Twist.REFUSE}),
    DealerScript(
        "forced",
        "the time is up before you can answer",
        0,
        twists={
            (_PASS, 0): Twist.FORCE_FIRST,
            (_CARD, 3): Twist.FORCE_FIRST,
            (_CARD, 7): Twist.FORCE_FIRST,
            (_AGAIN, 0): Twist.FORCE_FIRST,
        },
    ),
    _twisted(
        "crossing",
        "the time is up while your answer is on its way",
        0,
        {
            (_PASS, 0): Twist.FORCE_CROSSING,
            (_CARD, 2): Twist.FORCE_CROSSING,
            (_CARD, 4): Twist.FORCE_CROSSING,
            (_CARD, 6): Twist.FORCE_CROSSING,
            (_AGAIN, 0): Twist.FORCE_CROSSING,
        },
    ),
    _moon(
        "forced-moon",
        "the moon is decided before you can answer",
        2,
        {(_CARD, 5): Twist.FORCE_FIRST, (_MOON, 0): Twist.FORCE_FIRST},
    ),
    _moon(
        "crossing-moon",
        "the moon is decided while your answer is on its way",
        1,
        {(_CARD, 5): Twist.FORCE_CROSSING, (_MOON, 0): Twist.FORCE_CROSSING},
    ),
    DealerScript(
        "forced-joined",
        "forced choices in as few writes as can be",
        3,
        SendStyle.JOINED,
        people=True,
        twists={
            (_PASS, 0): Twist.FORCE_FIRST,
            (_CARD, 0): Twist.FORCE_FIRST,
            (_CARD, 1): Twist.FORCE_FIRST,
            (_CARD, 5): Twist.FORCE_CROSSING,
        },
    ),
)
_BETWEEN = (
    DealerScript(
        "new-rules",
        "player 0 proposes other rules while you are asked for a card",
        2,
        people=True,
        more_games=1,
        twists={(_CARD, 3): Twist.PROPOSE},
        proposed="dump,bleed,rotate,pass=cycle3",
    ),
    DealerScript(
        "proof", "a proof that does not fit", 3, end_score=27, people=True, wrong_proof=True
    ),
    DealerScript(
        "claimed",
        "another player claims the rest of a hand, and the game goes on",
        3,
        rules=_NO_PASS,
        end_score=40,
        deals=(deals.ANOTHERS_CLUBS,),
        people=True,
        own=agreements.CLAIMED,
        claims=True,
    ),
    DealerScript(
        "abort-hand",
        "player 0 proposes to break the hand off while you are asked for a card",
        2,
        people=True,
        twists={(_CARD, 3): Twist.PROPOSE_ABORT_HAND},
    ),
    DealerScript(
        "abort-game",
        "the same, the whole game, in its second hand",
        1,
        end_score=27,
        people=True,
        twists={(_CARD, 15): Twist.PROPOSE_ABORT_GAME},
    ),
    DealerScript(
        "give-seat",
        "player 0 asks for your seat while you are asked for a card",
        3,
        people=True,
        own=checks.ASIDES,
        twists={(_CARD, 2): Twist.WANT_SEAT},
    ),
    DealerScript("abort", "the session ends in the hand", 1, twists={(_CARD, 3): Twist.ABORT}),
)
_RETURNS = (
    _twisted("drop", "the connection is lost at a card", 1, {(_CARD, 4): Twist.DROP_ASKED}),
    _twisted(
        "drop-pass",
        "lost at the pass, and after it",
        2,
        {(_PASS, 0): Twist.DROP_ASKED, (_CARD, 0): Twist.DROP_CHOSEN},
    ),
    _twisted(
        "drop-decided",
        "lost, and the clock decides meanwhile",
        3,
        {(_PASS, 0): Twist.DROP_DECIDED, (_CARD, 6): Twist.DROP_DECIDED},
    ),
    DealerScript(
        "drop-scores",
        "lost after P_DONE_HAND, and in the second hand",
        1,
        end_score=27,
        people=True,
        twists={(_PASS, 1): Twist.DROP_BEFORE, (_CARD, 15): Twist.DROP_CHOSEN},
    ),
    _moon("drop-moon", "lost at the moon", 0, {(_MOON, 0): Twist.DROP_ASKED}),
    _twisted("drop-again", "lost when another game is decided", 0, {(_AGAIN, 0): Twist.DROP_ASKED}),
    DealerScript(
        "drop-end",
        "lost between P_DONE_HAND and P_END_GAME",
        0,
        people=True,
        loses_end=True,
    ),
    DealerScript(
        "drop-joined",
        "lost, and what was missed comes in one piece",
        2,
        SendStyle.JOINED,
        people=True,
        twists={(_CARD, 7): Twist.DROP_CHOSEN},
    ),
    DealerScript(
        "drop-refused",
        "lost, and the first try to come back is refused with -4",
        2,
        people=True,
        twists={(_CARD, 2): Twist.DROP_ASKED},
        first_return=Refusal.SHUTTING_DOWN,
    ),
    DealerScript(
        "drop-unknown",
        "lost in the second hand, and the count of hands is refused with -103",
        2,
        end_score=27,
        people=True,
        twists={(_CARD, 15): Twist.DROP_ASKED},
        first_return=Refusal.NO_SUCH_GAME,
    ),
    DealerScript(
        "drop-over",
        "lost, and coming back is refused with -104",
        1,
        people=True,
        twists={(_CARD, 3): Twist.DROP_ASKED},
        first_return=Refusal.TABLE_TAKEN,
    ),
    _twisted(
        "abort-for-now", "the table stops, and goes on later", 3, {(_CARD, 5): Twist.ABORT_FOR_NOW}
    ),
)
_SEATS = (
    DealerScript(
        "open-seat",
        "an open seat of a table that plays, behind its first hand",
        2,
        end_score=FOUR_HANDS,
        people=True,
        own=shared.OPEN_SEAT,
        takes_open_seat=True,
    ),
)
_REFUSALS = (
    *refusal_scripts(DealerScript),
    DealerScript(
        "refused-plainly",
        "a refusal of the plain dialect that crosses with the Process ID",
        3,
        refusal=Refusal.TABLE_TAKEN,
        plainly=True,
    ),
)

_ALL: tuple[DealerScript, ...] = (
    *_FIRST,
    *_RULES,
    *_STEP,
    *_BETWEEN,
    *_RETURNS,
    *CUTTING,
    *_SEATS,
    *_REFUSALS,
    *list_scripts(DealerScript),
    *chat_scripts(DealerScript),
)
SCENARIOS = (
    *(Scenario(script.id, script.title, partial(DealerScenarioRun, script)) for script in _ALL),
    Scenario("watch", "a table that plays, for a client that watches it (block -9)", WatchRun),
    Scenario("watch-over", "block -9 is refused with -104", WatchRefused),
)
"""All of them."""

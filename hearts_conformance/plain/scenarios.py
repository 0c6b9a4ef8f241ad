"""The scenarios of the plain dialect, in the order in which they are played."""

from __future__ import annotations

from functools import partial
from itertools import cycle

from msgspec.structs import replace

from hearts.game.rules import PRESETS, Rules, parse_rules
from hearts.session.messages import Refusal
from hearts.table import Question
from hearts_conformance.hall import checks, deals
from hearts_conformance.hall.chat_scripts import chat_scripts
from hearts_conformance.hall.refusal_scripts import list_scripts, refusal_scripts
from hearts_conformance.hall.script import FOUR_HANDS, Script, SendStyle, Twist
from hearts_conformance.kit import Scenario

from .rule_checks import ROTATE
from .scenario_run import PlainScenarioRun

_NO_PASS = parse_rules("pass=never")
_CHOICE = parse_rules("moon=choice,pass=never")


def _rules(text: str, *wishes: deals.Wish, seat: int, title: str = "") -> Script:
    rules: Rules = parse_rules(text)
    what = title or f"rules {text}"
    return Script(f"rules.{text.replace(',', '+')}", what, seat, rules=rules, deals=wishes)


_FIRST = (
    Script(
        "hand",
        "one hand of clubs: every lead is yours, and the moon",
        2,
        rules=_NO_PASS,
        deals=(deals.ALL_CLUBS,),
    ),
    Script(
        "game",
        "a game of several hands, with passes; player 0 decides about another",
        1,
        end_score=27,
        people=True,
    ),
    Script("again", "another game, for which player 0 wishes", 3, people=True, more_games=1),
    Script("split", "a hand that comes byte by byte", 0, SendStyle.SPLIT, own=checks.SPLIT),
    Script(
        "joined",
        "two games in as few writes as can be",
        1,
        SendStyle.JOINED,
        people=True,
        more_games=1,
        own=checks.JOINED,
    ),
    Script("moon", "a moon that counts as you choose", 3, rules=_CHOICE, deals=(deals.ALL_CLUBS,)),
    Script(
        "moon-other", "a moon of another player", 2, rules=_CHOICE, deals=(deals.ANOTHERS_CLUBS,)
    ),
)
_RULES = (
    _rules("pass=never", deals.LEADS_HEARTS, seat=0, title="rules: follow suit; hearts unbroken"),
    _rules(
        "queen-keeps,pass=never", deals.LEADS_TWO, seat=1, title="rules: the two of clubs leads"
    ),
    _rules("notrick,pass=never", deals.NO_CLUBS, seat=2, title="rules: no points at first"),
    _rules("dump,pass=never", deals.DUMPS_ON_CLUBS, seat=3),
    _rules("dump,jack,pass=never", deals.DUMPS_UNDER_ACE, seat=0),
    _rules("dump,bleed,pass=never", deals.DUMPS_AT_ONCE, seat=1),
    _rules("dump,bleed,queen-keeps,pass=never", deals.QUEEN_FALLS, seat=2),
    replace(_rules("rotate,pass=never", deals.LEADS_ANYTHING, seat=0), own=ROTATE),
    Script(
        "rules.pass=cycle3",
        "rules pass=cycle3, to the fourth hand",
        2,
        rules=parse_rules("pass=cycle3"),
        end_score=FOUR_HANDS,
        people=True,
        own=checks.DIRECTION,
    ),
    *(
        Script(
            f"rules.{name}", f"rules {name}", seat, rules=PRESETS[name], end_score=40, people=True
        )
        for seat, name in zip(cycle(range(4)), PRESETS, strict=False)
    ),
)
_STEP = (
    Script(
        "refused-pass",
        "a legal pass that gets a negative status",
        2,
        twists={(Question.PASS, 0): Twist.REFUSE},
    ),
    Script(
        "refused-card",
        "legal cards that get a negative status",
        3,
        twists={(Question.CARD, 1): Twist.REFUSE, (Question.CARD, 4): Twist.REFUSE},
    ),
    Script(
        "refused-moon",
        "a moon that has to be chosen twice",
        1,
        rules=_CHOICE,
        deals=(deals.ALL_CLUBS,),
        twists={(Question.MOON, 0): Twist.REFUSE},
    ),
    Script(
        "forced",
        "statuses that come before the choice",
        3,
        twists={
            (Question.PASS, 0): Twist.FORCE_FIRST,
            (Question.CARD, 3): Twist.FORCE_FIRST,
            (Question.CARD, 7): Twist.FORCE_FIRST,
            (Question.AGAIN, 0): Twist.FORCE_FIRST,
        },
    ),
    Script(
        "crossing",
        "statuses that cross the choice",
        0,
        people=True,
        twists={
            (Question.PASS, 0): Twist.FORCE_CROSSING,
            (Question.CARD, 2): Twist.FORCE_CROSSING,
            (Question.CARD, 6): Twist.FORCE_CROSSING,
            (Question.AGAIN, 0): Twist.FORCE_CROSSING,
        },
    ),
    Script(
        "forced-moon",
        "a status for the moon before the choice",
        2,
        rules=_CHOICE,
        deals=(deals.ALL_CLUBS,),
        twists={(Question.CARD, 5): Twist.FORCE_FIRST, (Question.MOON, 0): Twist.FORCE_FIRST},
    ),
    Script(
        "crossing-moon",
        "a status for the moon that crosses the choice",
        1,
        rules=_CHOICE,
        deals=(deals.ALL_CLUBS,),
        twists={(Question.CARD, 5): Twist.FORCE_CROSSING, (Question.MOON, 0): Twist.FORCE_CROSSING},
    ),
    Script(
        "forced-joined",
        "forced choices in as few writes as can be",
        0,
        SendStyle.JOINED,
        twists={
            (Question.PASS, 0): Twist.FORCE_FIRST,
            (Question.CARD, 0): Twist.FORCE_FIRST,
            (Question.CARD, 1): Twist.FORCE_FIRST,
            (Question.CARD, 5): Twist.FORCE_CROSSING,
        },
    ),
)
_RETURNS = (
    Script(
        "drop",
        "the connection is lost at a card",
        1,
        people=True,
        twists={(Question.CARD, 4): Twist.DROP_ASKED},
    ),
    Script(
        "drop-pass",
        "lost at the pass, and after it",
        2,
        people=True,
        twists={(Question.PASS, 0): Twist.DROP_ASKED, (Question.CARD, 0): Twist.DROP_CHOSEN},
    ),
    Script(
        "drop-decided",
        "lost, and the clock decides meanwhile",
        3,
        people=True,
        twists={(Question.PASS, 0): Twist.DROP_DECIDED, (Question.CARD, 6): Twist.DROP_DECIDED},
    ),
    Script(
        "drop-scores",
        "lost after Scores, and in the second hand",
        1,
        end_score=27,
        people=True,
        twists={(Question.PASS, 1): Twist.DROP_BEFORE, (Question.CARD, 15): Twist.DROP_CHOSEN},
    ),
    Script(
        "drop-moon",
        "lost at the moon",
        0,
        rules=_CHOICE,
        people=True,
        deals=(deals.ALL_CLUBS,),
        twists={(Question.MOON, 0): Twist.DROP_ASKED},
    ),
    Script(
        "drop-again",
        "lost when another game is decided",
        0,
        people=True,
        twists={(Question.AGAIN, 0): Twist.DROP_ASKED},
    ),
    Script(
        "drop-refused",
        "lost, and the first try to come back is refused with -4",
        2,
        people=True,
        twists={(Question.CARD, 2): Twist.DROP_ASKED},
        first_return=Refusal.SHUTTING_DOWN,
    ),
    Script(
        "drop-full",
        "lost, and the first try to come back is refused with -1",
        3,
        people=True,
        twists={(Question.CARD, 3): Twist.DROP_CHOSEN},
        first_return=Refusal.SERVER_FULL,
    ),
    Script(
        "drop-unknown",
        "lost in the second hand, and the count of hands is refused with -103",
        2,
        end_score=27,
        people=True,
        twists={(Question.CARD, 15): Twist.DROP_ASKED},
        first_return=Refusal.NO_SUCH_GAME,
    ),
    Script(
        "drop-over",
        "lost, and coming back is refused with -104",
        1,
        people=True,
        twists={(Question.CARD, 3): Twist.DROP_ASKED},
        first_return=Refusal.TABLE_TAKEN,
    ),
)
_SEATS = (
    Script(
        "open-seat",
        "an open seat of a table that plays, behind its first hand",
        2,
        end_score=FOUR_HANDS,
        people=True,
        own=checks.OPEN_SEAT,
        takes_open_seat=True,
    ),
)
SCENARIOS = tuple(
    Scenario(script.id, script.title, partial(PlainScenarioRun, script))
    for script in (
        *_FIRST,
        *_RULES,
        *_STEP,
        *_RETURNS,
        *_SEATS,
        *refusal_scripts(Script),
        *list_scripts(Script),
        *chat_scripts(Script),
    )
)

"""The table of all scenarios, in the order in which they are played."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from itertools import cycle

from msgspec.structs import replace

from hearts.game.rules import PRESETS, parse_rules
from hearts.session.messages import ListedTable, Refusal
from hearts.table.inputs import Question

from .checks import requirements
from .kit import Room
from .session import deals
from .session.chat import WATCHED_GAME
from .session.deals import Wish
from .session.scenario_run import ScenarioRun
from .session.script import FOUR_HANDS, ChatBehavior, Extra, PromiseTwist, Script, SendStyle, Twist

_PASS, _CARD, _MOON, _AGAIN = Question.PASS, Question.CARD, Question.MOON, Question.AGAIN
_CUT = Question.CUT
_PLAIN, _DEALER = "plain", "dealer"
_NO_PASS = parse_rules("pass=never")
_CHOICE = parse_rules("moon=choice,pass=never")
_CLUBS = (deals.ALL_CLUBS,)
_MANY = tuple(
    ListedTable(f"Table {number}", 0 if number <= 2 else number, number % 3, names)
    for number, names in enumerate(
        [("Zoë", "", "Moe", ""), ("", "", "", ""), ("Kit", "Moe", "Larry", "Curly")] * 33, start=1
    )
)
"""Forming and playing, with and without open seats, and with seats that nobody has."""


_dealer = partial(Script, dialect=_DEALER)
_watch = partial(_dealer, people=False, chat=ChatBehavior.AWAY)
"""A watcher has no chat."""
_moon = partial(Script, rules=_CHOICE, deals=_CLUBS)
"""A moon that counts as the client chooses."""


def _at(twist: Twist, *places: tuple[Question, int]) -> Mapping[tuple[Question, int], Twist]:
    """Return the same twist for several choices."""
    return dict.fromkeys(places, twist)


def _rules(
    text: str, wish: Wish, seat: int, title: str = "", dialect: str = "", own: str = ""
) -> Script:
    """Return a hand in which most cards are not legal, or others than by the standard rules."""
    return Script(
        f"rules.{text.replace(',', '+')}",
        title or f"rules {text}",
        seat,
        dialect=dialect,
        rules=parse_rules(text),
        people=False,
        deals=(wish,),
        own=own,
    )


def _chat(id: str, title: str, seat: int, own: str, chat: ChatBehavior) -> Script:
    return Script(id, title, seat, people=False, own=own, chat=chat)


_HANDS = (
    Script(
        "hand",
        "one hand of clubs: every lead is yours, and the moon",
        2,
        rules=_NO_PASS,
        people=False,
        deals=_CLUBS,
    ),
    Script(
        "game",
        "a game of several hands, with passes; player 0 decides about another",
        1,
        end_score=27,
    ),
    _dealer(
        "invited",
        "you are invited to another table while yours forms, if you wait for that",
        2,
        invites=True,
    ),
    _dealer("alone", "you decide about another game", 0, people=False),
    Script("again", "another game, for which player 0 wishes", 3, more_games=1),
    Script(
        "split",
        "a hand that comes byte by byte",
        0,
        SendStyle.SPLIT,
        people=False,
        own="stream.split",
    ),
    Script(
        "joined",
        "two games in as few writes as can be",
        1,
        SendStyle.JOINED,
        more_games=1,
        own="stream.joined",
    ),
    _dealer(
        "unknown",
        "frames of types that a later version may have, behind every frame",
        2,
        own="frame.unknown",
        extra=Extra.UNKNOWN,
    ),
    _dealer(
        "longer", "payloads that are longer than today", 3, own="frame.longer", extra=Extra.LONGER
    ),
    _dealer(
        "asides",
        "notices, changes and waiting while you are asked",
        1,
        own="aside.any-time",
        asides=True,
    ),
    _moon("moon", "a moon that counts as you choose", 3),
    Script(
        "moon-other",
        "a moon of another player",
        2,
        rules=_CHOICE,
        people=False,
        deals=(deals.ANOTHERS_CLUBS,),
    ),
)
_RULES = (
    _rules(
        "pass=never", deals.LEADS_HEARTS, 0, "rules: follow suit; hearts unbroken", dialect=_PLAIN
    ),
    _rules("queen-keeps,pass=never", deals.LEADS_TWO, 1, "rules: the two of clubs leads", _PLAIN),
    _rules("notrick,pass=never", deals.NO_CLUBS, 2, "rules: no points at first", _PLAIN),
    _rules("dump,pass=never", deals.DUMPS_ON_CLUBS, 3),
    _rules("dump,jack,pass=never", deals.DUMPS_UNDER_ACE, 0, dialect=_PLAIN),
    _rules("dump,bleed,pass=never", deals.DUMPS_AT_ONCE, 1, dialect=_PLAIN),
    _rules("rotate,pass=never", deals.LEADS_ANYTHING, 0, own="rule.rotate"),
    _rules("dump,bleed,queen-keeps,pass=never", deals.QUEEN_FALLS, 2),
    Script(
        "rules.pass=cycle3",
        "rules pass=cycle3, to the fourth hand",
        2,
        rules=parse_rules("pass=cycle3"),
        end_score=FOUR_HANDS,
        own="pass.direction",
    ),
    *(
        Script(f"rules.{name}", f"rules {name}", seat, rules=PRESETS[name], end_score=40)
        for seat, name in zip(cycle(range(4)), PRESETS, strict=False)
    ),
)
_STEPS = (
    Script(
        "refused-pass",
        "a legal pass that gets a negative status",
        2,
        dealer_title="a legal pass that is refused",
        twists={(_PASS, 0): Twist.REFUSE},
    ),
    Script(
        "refused-card",
        "legal cards that get a negative status",
        3,
        dealer_title="legal cards that are refused",
        twists=_at(Twist.REFUSE, (_CARD, 1), (_CARD, 4), (_CARD, 6)),
    ),
    _moon(
        "refused-moon", "a moon that has to be chosen twice", 1, twists={(_MOON, 0): Twist.REFUSE}
    ),
    Script(
        "forced",
        "statuses that come before the choice",
        3,
        dealer_title="the time is up before you can answer",
        people=False,
        twists=_at(Twist.FORCE_FIRST, (_PASS, 0), (_CARD, 3), (_CARD, 7), (_AGAIN, 0)),
    ),
    Script(
        "crossing",
        "statuses that cross the choice",
        0,
        dealer_title="the time is up while your answer is on its way",
        twists=_at(
            Twist.FORCE_CROSSING, (_PASS, 0), (_CARD, 2), (_CARD, 4), (_CARD, 6), (_AGAIN, 0)
        ),
    ),
    _moon(
        "forced-moon",
        "a status for the moon before the choice",
        2,
        dealer_title="the moon is decided before you can answer",
        twists=_at(Twist.FORCE_FIRST, (_CARD, 5), (_MOON, 0)),
    ),
    _moon(
        "crossing-moon",
        "a status for the moon that crosses the choice",
        1,
        dealer_title="the moon is decided while your answer is on its way",
        twists=_at(Twist.FORCE_CROSSING, (_CARD, 5), (_MOON, 0)),
    ),
    Script(
        "forced-joined",
        "forced choices in as few writes as can be",
        3,
        SendStyle.JOINED,
        twists={
            **_at(Twist.FORCE_FIRST, (_PASS, 0), (_CARD, 0), (_CARD, 1)),
            (_CARD, 5): Twist.FORCE_CROSSING,
        },
    ),
)
_BESIDE = (
    _dealer(
        "new-rules",
        "player 0 proposes other rules while you are asked for a card",
        2,
        more_games=1,
        twists={(_CARD, 3): Twist.PROPOSE},
        proposed="dump,bleed,rotate,pass=cycle3",
    ),
    _dealer("proof", "a proof that does not fit", 3, end_score=27, wrong_proof=True),
    _dealer(
        "claimed",
        "another player claims the rest of a hand, and the game goes on",
        3,
        rules=_NO_PASS,
        end_score=40,
        deals=(deals.ANOTHERS_CLUBS,),
        own="claim.told",
        claims=True,
    ),
    _dealer(
        "take-back",
        "you are alone and have no clock: you may take choices back",
        1,
        people=False,
        end_score=27,
        has_clock=False,
    ),
    _dealer(
        "abort-hand",
        "player 0 proposes to break the hand off while you are asked for a card",
        2,
        twists={(_CARD, 3): Twist.PROPOSE_ABORT_HAND},
    ),
    _dealer(
        "abort-game",
        "the same, the whole game, in its second hand",
        1,
        end_score=27,
        twists={(_CARD, 15): Twist.PROPOSE_ABORT_GAME},
    ),
    _dealer(
        "give-seat",
        "player 0 asks for your seat while you are asked for a card",
        3,
        own="aside.any-time",
        twists={(_CARD, 2): Twist.WANT_SEAT},
    ),
    _dealer(
        "abort", "the session ends in the hand", 1, people=False, twists={(_CARD, 3): Twist.ABORT}
    ),
)
_RETURNS = (
    Script("drop", "the connection is lost at a card", 1, twists={(_CARD, 4): Twist.DROP_ASKED}),
    Script(
        "drop-pass",
        "lost at the pass, and after it",
        2,
        twists={(_PASS, 0): Twist.DROP_ASKED, (_CARD, 0): Twist.DROP_CHOSEN},
    ),
    Script(
        "drop-decided",
        "lost, and the clock decides meanwhile",
        3,
        twists=_at(Twist.DROP_DECIDED, (_PASS, 0), (_CARD, 6)),
    ),
    Script(
        "drop-scores",
        "lost after Scores, and in the second hand",
        1,
        dealer_title="lost after P_DONE_HAND, and in the second hand",
        end_score=27,
        twists={(_PASS, 1): Twist.DROP_BEFORE, (_CARD, 15): Twist.DROP_CHOSEN},
    ),
    _moon("drop-moon", "lost at the moon", 0, twists={(_MOON, 0): Twist.DROP_ASKED}),
    Script(
        "drop-again", "lost when another game is decided", 0, twists={(_AGAIN, 0): Twist.DROP_ASKED}
    ),
    _dealer("drop-end", "lost between P_DONE_HAND and P_END_GAME", 0, loses_end=True),
    _dealer(
        "drop-joined",
        "lost, and what was missed comes in one piece",
        2,
        SendStyle.JOINED,
        twists={(_CARD, 7): Twist.DROP_CHOSEN},
    ),
    Script(
        "drop-refused",
        "lost, and the first try to come back is refused with -4",
        2,
        twists={(_CARD, 2): Twist.DROP_ASKED},
        first_return=Refusal.SHUTTING_DOWN,
    ),
    Script(
        "drop-full",
        "lost, and the first try to come back is refused with -1",
        3,
        dialect=_PLAIN,
        twists={(_CARD, 3): Twist.DROP_CHOSEN},
        first_return=Refusal.SERVER_FULL,
    ),
    Script(
        "drop-unknown",
        "lost in the second hand, and the count of hands is refused with -103",
        2,
        end_score=27,
        twists={(_CARD, 15): Twist.DROP_ASKED},
        first_return=Refusal.NO_SUCH_GAME,
    ),
    Script(
        "drop-over",
        "lost, and coming back is refused with -104",
        1,
        twists={(_CARD, 3): Twist.DROP_ASKED},
        first_return=Refusal.TABLE_TAKEN,
    ),
    _dealer(
        "abort-for-now",
        "the table stops, and goes on later",
        3,
        twists={(_CARD, 5): Twist.ABORT_FOR_NOW},
    ),
)
_CUTS = (
    _dealer(
        "cut-late",
        "the time to cut is up",
        2,
        end_score=27,
        twists={(_CUT, 0): Twist.FORCE_CROSSING},
    ),
    _dealer(
        "cut-twice",
        "a deal is promised twice, and the promises differ",
        1,
        end_score=27,
        promises=PromiseTwist.TWICE,
    ),
    _dealer(
        "drop-cut",
        "lost when deals are cut, and with your value on its way",
        1,
        end_score=27,
        twists={(_CUT, 0): Twist.DROP_ASKED, (_CUT, 1): Twist.DROP_ANSWERED},
    ),
    _dealer(
        "drop-cut-otherwise",
        "lost with your value on its way, and then the promise is another one",
        3,
        end_score=27,
        twists={(_CUT, 0): Twist.DROP_ANSWERED},
        promises=PromiseTwist.OTHERWISE,
    ),
    _dealer(
        "abort-cut",
        "the table stops when a deal is cut, and goes on later",
        2,
        twists={(_CUT, 0): Twist.ABORT_FOR_NOW},
    ),
)
_AT_ONCE = {
    "full": Refusal.SERVER_FULL,
    "busy": Refusal.TOO_MANY_FROM_ADDRESS,
    "closing": Refusal.SHUTTING_DOWN,
}
_LATE = {
    **{f"late-{id}": why for id, why in _AT_ONCE.items()},
    "bad-name": Refusal.BAD_NAME,
    "bad-option": Refusal.BAD_OPTION,
    "taken": Refusal.TABLE_TAKEN,
    "no-password": Refusal.BAD_PASSWORD,
    "too-slow": Refusal.TOO_SLOW,
}
_REFUSALS = (
    Script(
        "open-seat",
        "an open seat of a table that plays, behind its first hand",
        2,
        end_score=FOUR_HANDS,
        own="seat.open",
        takes_open_seat=True,
    ),
    *(
        Script(id, f"{int(why)} in place of the Player ID", seat, refusal=why, at_once=True)
        for seat, (id, why) in enumerate(_AT_ONCE.items())
    ),
    *(
        Script(id, f"{int(why)} behind the Process ID", seat % 4, refusal=why)
        for seat, (id, why) in enumerate(_LATE.items())
    ),
    Script(
        "refused-reply",
        "-105 in place of the reply of a block",
        2,
        people=False,
        refused_block=Refusal.BAD_PASSWORD,
    ),
    _dealer(
        "refused-plainly",
        "a refusal of the plain dialect that crosses with the Process ID",
        3,
        refusal=Refusal.TABLE_TAKEN,
        plainly=True,
    ),
    Script("list", "a list of 99 tables", 1, people=False, tables=_MANY, own="list.read"),
    Script("list-empty", "a list of no tables", 2, people=False, tables=(), own="list.read"),
    Script(
        "levels",
        "block -15 allows some levels of computers, and one of a later server",
        3,
        people=False,
        own="levels.allowed",
        levels=frozenset({0, 1, 2, 30}),
    ),
)
_CHATS = (
    _chat("chat", "a taunt server that relays", 1, "chat.hear", ChatBehavior.GOOD),
    _chat("chat-joined", "taunts in one piece", 2, "chat.joined", ChatBehavior.JOINED),
    _chat("chat-split", "taunts byte by byte", 3, "chat.split", ChatBehavior.SPLIT),
    _chat("chat-refused", "a taunt server that refuses", 0, "chat.refused", ChatBehavior.REFUSES),
    _chat(
        "chat-dies", "a taunt server that goes away in the game", 1, "chat.dies", ChatBehavior.DIES
    ),
    _chat("chat-away", "a taunt server that hangs up", 2, "chat.away", ChatBehavior.AWAY),
)
_WATCHERS = (
    _watch(
        "watch",
        "a table that plays, for a client that watches it (block -9)",
        0,
        watched=WATCHED_GAME,
    ),
    _watch("watch-over", "block -9 is refused with -104", 0, watched=0),
)
_ALL = (
    *(*_HANDS, *_RULES, *_STEPS, *_BESIDE),
    *(*_RETURNS, *_CUTS, *_REFUSALS, *_CHATS, *_WATCHERS),
)


def room(dialect: str, run: type[ScenarioRun]) -> Room:
    """Return all that the kit has for a dialect, whose scripts are played by ``run``."""
    scripts = [
        replace(script, title=script.dealer_title)
        if dialect == _DEALER and script.dealer_title
        else script
        for script in _ALL
        if script.dialect in ("", dialect)
    ]
    return Room(dialect, requirements(dialect), scripts, run)

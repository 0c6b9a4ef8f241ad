"""Hands and games as they are played, by all rules."""

from __future__ import annotations

from itertools import cycle

from hearts.game.rules import PRESETS, parse_rules
from hearts_conformance.session import deals
from hearts_conformance.session.deals import Wish
from hearts_conformance.session.script import FOUR_HANDS, Extra, Script, SendStyle

from .kinds import CHOICE, CLUBS, NO_PASS, PLAIN, dealer, moon


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


HANDS = (
    Script(
        "hand",
        "one hand of clubs: every lead is yours, and the moon",
        2,
        rules=NO_PASS,
        people=False,
        deals=CLUBS,
    ),
    Script(
        "game",
        "a game of several hands, with passes; player 0 decides about another",
        1,
        end_score=27,
    ),
    dealer(
        "invited",
        "you are invited to another table while yours forms, if you wait for that",
        2,
        invites=True,
    ),
    dealer("alone", "you decide about another game", 0, people=False),
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
    dealer(
        "unknown",
        "frames of types that a later version may have, behind every frame",
        2,
        own="frame.unknown",
        extra=Extra.UNKNOWN,
    ),
    dealer(
        "longer", "payloads that are longer than today", 3, own="frame.longer", extra=Extra.LONGER
    ),
    dealer(
        "asides",
        "notices, changes and waiting while you are asked",
        1,
        own="aside.any-time",
        asides=True,
    ),
    moon("moon", "a moon that counts as you choose", 3),
    Script(
        "moon-other",
        "a moon of another player",
        2,
        rules=CHOICE,
        people=False,
        deals=(deals.ANOTHERS_CLUBS,),
    ),
)
RULES = (
    _rules(
        "pass=never", deals.LEADS_HEARTS, 0, "rules: follow suit; hearts unbroken", dialect=PLAIN
    ),
    _rules("queen-keeps,pass=never", deals.LEADS_TWO, 1, "rules: the two of clubs leads", PLAIN),
    _rules("notrick,pass=never", deals.NO_CLUBS, 2, "rules: no points at first", PLAIN),
    _rules("dump,pass=never", deals.DUMPS_ON_CLUBS, 3),
    _rules("dump,jack,pass=never", deals.DUMPS_UNDER_ACE, 0, dialect=PLAIN),
    _rules("dump,bleed,pass=never", deals.DUMPS_AT_ONCE, 1, dialect=PLAIN),
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

"""Wishes of player 0 while the client is asked."""

from __future__ import annotations

from hearts.game.rules import parse_rules
from hearts.table import Abort
from hearts_conformance.session.host import Host
from hearts_conformance.session.script import Twist

from .script import DealerScript

_OTHER_END = 13
"""The end of the next game, where other rules are proposed."""


def wish(host: Host, script: DealerScript, twist: Twist | None) -> bool:
    """Let player 0 wish for what a twist stands for; whether it stands for a wish."""
    match twist:
        case Twist.PROPOSE:
            host.propose(parse_rules(script.proposed), _OTHER_END)
        case Twist.PROPOSE_ABORT_HAND:
            host.propose_abort(Abort.HAND)
        case Twist.PROPOSE_ABORT_GAME:
            host.propose_abort(Abort.GAME)
        case Twist.WANT_SEAT:
            host.want_seat()
        case _:
            return False
    return True

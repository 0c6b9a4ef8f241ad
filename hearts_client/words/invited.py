"""Those who wait to be invited, and invitations, in words."""

from __future__ import annotations

from hearts.session.table_words import (
    InvitableCount,
    InvitableMessage,
    InvitationMessage,
    InvitationOver,
    PlayerKind,
)

from .others import shown_name
from .rule_words import clock_in_words
from .story import game_in_words

_KINDS = {PlayerKind.PERSON: ", a person", PlayerKind.PROGRAM: ", a program"}


def invited_to(told: InvitationMessage) -> tuple[str, str]:
    """Who invites the person to what; and who is there."""
    who = shown_name(told.names[told.inviter])
    there = ", ".join(shown_name(name) for name in told.names if name)
    game = game_in_words(told.rules.rules, told.rules.end_score)
    clock = clock_in_words(told.turn_limit)
    return (
        f"{who} invites you to the table {shown_name(told.table)}: {game}, {clock}.",
        f"At that table: {there}.",
    )


def invitation_question(told: InvitationMessage) -> str:
    """An invitation in short, as what is answered with yes or no."""
    who = shown_name(told.names[told.inviter])
    return f"{who} invites you to the table {shown_name(told.table)}. Do you come?"


def invitable_line(told: InvitableMessage) -> str:
    """Somebody who waits to be invited: his name, and what he says of himself."""
    info = told.info
    level = f" of level {info.level}" if info.level else ""
    comment = f": {shown_name(info.comment)}" if info.comment else ""
    return f"{shown_name(info.name)}{_KINDS.get(info.kind, '')}{level}{comment}"


def invitation_lines(
    told: InvitableMessage | InvitableCount | InvitationMessage | InvitationOver,
) -> list[str]:
    """What there is to say about somebody who waits, or about an invitation."""
    match told:
        case InvitableMessage(number):
            return [f"  {number}  {invitable_line(told)}"]
        case InvitableCount(count):
            if not count:
                return ["Nobody waits to be invited."]
            return ["That is who may be invited: /invite and the number."]
        case InvitationMessage():
            game, there = invited_to(told)
            return [game, f"{there} Type /come or /decline; you have half a minute."]
        case InvitationOver(_, agreed, why):
            return [f"The invitation is over: {why}." if not agreed else f"It is settled: {why}."]

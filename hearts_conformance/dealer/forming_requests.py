"""Requests of a client whose table forms: the kit knows somebody to invite, and invites it."""

from __future__ import annotations

from collections.abc import Sequence

from hearts.errors import Fault
from hearts.hosting.people import person
from hearts.hosting.table_requests import (
    AnswerInvitation,
    BeInvitable,
    HostRequest,
    Invite,
    Message,
    TellInvitable,
    invitable_count_told,
    invitable_told,
    invitation_over_told,
    invitation_told,
    taken_told,
)
from hearts.table import Setting

_WAITING = person(0, "Vera")
"""A player who waits to be invited."""
_NUMBER = 7
"""Hers."""
_OWN_NUMBER = 8
"""The client's."""
_LEFT_MS = 30_000


class FormingRequests:
    """Answers what the client asks beside its play, before the game begins."""

    def __init__(self) -> None:
        self.is_invitable = False
        self.has_invited = False
        self.has_answered = False

    def ask(self, request: HostRequest) -> Sequence[Message] | Fault:
        """The answer, or why there is none."""
        match request:
            case BeInvitable(wanted):
                self.is_invitable = wanted
                return [taken_told(BeInvitable)]
            case TellInvitable():
                return [invitable_told(_NUMBER, _WAITING), invitable_count_told(1)]
            case Invite(number) if number == _NUMBER and not self.has_invited:
                self.has_invited = True
                return [taken_told(Invite)]
            case AnswerInvitation():
                self.has_answered = True
                return []
            case _:
                return Fault.NOT_NOW

    def leave(self) -> None:
        """The client leaves for good; the conversation sees that."""

    @staticmethod
    def invitation(setting: Setting) -> Message:
        """The client is asked to come to another table."""
        names = (_WAITING.name, "", "", "")
        return invitation_told(
            "Vera's table", setting, names, private=False, inviter=0, left_ms=_LEFT_MS
        )

    @staticmethod
    def over(*, is_own: bool) -> Message:
        """An invitation has come to nothing: that of the client, or the one to it."""
        why = "the player does not come" if is_own else "no seat is free any more"
        return invitation_over_told(_NUMBER if is_own else _OWN_NUMBER, False, why)

"""Requests of a client whose table forms: the kit knows somebody to invite, and invites it."""

from __future__ import annotations

from collections.abc import Sequence

from hearts.errors import Fault
from hearts.session import table_words
from hearts.session.wishes import (
    AnswerInvitation,
    Asked,
    AskForInvitable,
    AskHost,
    BeInvitable,
    Invite,
    SetLevel,
)
from hearts.table.inputs import Setting

_WAITING = table_words.person(0, "Vera")
_NUMBER = 7
_OWN_NUMBER = 8
_LEFT_MS = 30_000


class FormingRequests:
    def __init__(self) -> None:
        self.is_invitable = False
        self.has_invited = False
        self.has_answered = False

    def ask(self, wish: Asked) -> Sequence[table_words.Beside] | Fault:
        match wish:
            case BeInvitable(_, wanted):
                self.is_invitable = wanted
                return [table_words.Taken(BeInvitable)]
            case AskForInvitable():
                return [
                    table_words.InvitableMessage(_NUMBER, _WAITING),
                    table_words.InvitableCount(1),
                ]
            case Invite(_, number) if number == _NUMBER and not self.has_invited:
                self.has_invited = True
                return [table_words.Taken(Invite)]
            case SetLevel(_, _, 0):
                return [table_words.Taken(SetLevel)]
            case AskHost():
                return [table_words.Taken(AskHost)]
            case AnswerInvitation():
                self.has_answered = True
                return []
            case _:
                return Fault.NOT_NOW

    @staticmethod
    def invitation(setting: Setting) -> table_words.InvitationMessage:
        game = setting.rules, setting.end_score, setting.turn_limit
        names = (_WAITING.name, "", "", "")
        return table_words.InvitationMessage(
            _LEFT_MS, 0, "Vera's table", False, *game, names, _OWN_NUMBER
        )

    @staticmethod
    def over(*, is_own: bool) -> table_words.InvitationOver:
        """End an invitation that has come to nothing: that of the client, or the one to it."""
        why = "the player does not come" if is_own else "no seat is free any more"
        return table_words.InvitationOver(_NUMBER if is_own else _OWN_NUMBER, False, why)

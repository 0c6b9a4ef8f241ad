"""Players who wait to be invited to another forming table; their invitations (DealerSpec 14.8)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from itertools import count

import trio
from msgspec import Struct, field

from hearts.limits.table_limits import in_turn
from hearts.session.table_words import (
    InvitationMessage,
    InvitationOver,
    PlayerInfo,
    ServerNotice,
)

from .forming import FormingTable, SettingOf, Sitter
from .seating import wide_network

INVITATION_LIMIT = 30.0
"""Seconds in which an invited player can say whether they come."""
MOST_INVITABLE = 64
"""Players of a server who wait to be invited at the same time."""
MOST_OF_NETWORK = 4
"""Players of one network who wait to be invited at the same time."""


class Invitable(Struct, eq=False):
    """A player at a forming table who would rather come to another."""

    number: int
    sitter: Sitter
    declined: set[FormingTable] = field(default_factory=set)
    """The tables to which they did not come; they are not asked again."""
    invitation: Invitation | None = None

    @property
    def info(self) -> PlayerInfo:
        return self.sitter.table.info(self.sitter.player)


class Invitation(Struct, eq=False):
    """A player is asked to come to a table."""

    invited: Invitable
    inviter: Sitter | None
    """None for the host of the server."""
    table: FormingTable
    settled: trio.Event = field(default_factory=trio.Event)
    agreed: bool = False
    """True if the player comes; known once it is settled, as is the reason."""
    why: str = ""


class Invitations(Struct, eq=False):
    """The players who can be invited, by number, and the invitations that are open."""

    nursery: trio.Nursery
    """It owns the clocks of invitations."""
    setting_of: SettingOf
    transfer: Callable[[Sitter, FormingTable], None]
    """Gives a player a free seat of another table, in place of their own."""
    numbers: Iterator[int] = field(default_factory=lambda: count(1))
    invitable: dict[Sitter, Invitable] = field(default_factory=dict)

    def listed(self) -> list[Invitable]:
        """Return the players who can be invited: those of many networks before many of one."""
        return in_turn(self.invitable.values(), lambda each: wide_network(each.sitter.client))

    def add(self, sitter: Sitter) -> bool:
        """Let a player be invited from now on, unless too many can."""
        if sitter in self.invitable:
            return True
        counts = Counter(wide_network(each.client) for each in self.invitable)
        of_network = counts[wide_network(sitter.client)]
        if of_network >= MOST_OF_NETWORK:
            full = f"{of_network} players of your network"
        elif len(self.invitable) >= MOST_INVITABLE and not self._makes_room(counts, of_network):
            full = f"{len(self.invitable)} players"
        else:
            self.invitable[sitter] = Invitable(next(self.numbers), sitter)
            return True
        sitter.client.notify(ServerNotice(f"{full} wait to be invited; try again later"))
        return False

    def _makes_room(self, counts: Counter[str], of_network: int) -> bool:
        """Let the last one of the largest network give way, if that has two more than another."""
        largest, most = counts.most_common(1)[0]
        if most < of_network + 2:
            return False
        last = next(
            each for each in reversed(self.invitable) if wide_network(each.client) == largest
        )
        self.remove(last, "the player cannot be invited any more")
        last.client.notify(ServerNotice("Others wait to be invited in your place."))
        return True

    def remove(self, sitter: Sitter, why: str) -> None:
        invitable = self.invitable.pop(sitter, None)
        if invitable is not None and invitable.invitation is not None:
            self._settle(invitable.invitation, why)

    def table_gone(self, table: FormingTable) -> None:
        """Drop the invitations of and to a table that has begun or is gone."""
        for sitter in table.arrived:
            self.remove(sitter, "the table of the player has begun")
        for invitable in self.invitable.values():
            invitation = invitable.invitation
            if invitation is not None and invitation.table is table:
                self._settle(invitation, "the table is not forming any more")

    def invite(self, inviter: Sitter, number: int) -> bool:
        """Ask a player to come to the inviter's table; True if they can be asked."""
        table = inviter.table
        found = (each for each in self.invitable.values() if each.number == number)
        invited = next(found, None)
        if invited is None or _why_not(invited, table):
            return False
        self._ask(invited, table, inviter, inviter.player)
        return True

    def invite_for_host(self, invited: Invitable, table: FormingTable) -> Invitation | str:
        """Ask a player to come to any table; return the reason if they cannot be asked.

        They are asked in the name of the player who may start that table.
        """
        player = table.opener_player
        why = "nobody is there" if player is None else _why_not(invited, table)
        return why if why or player is None else self._ask(invited, table, None, player)

    def _ask(
        self, invited: Invitable, table: FormingTable, inviter: Sitter | None, player: int
    ) -> Invitation:
        invitation = invited.invitation = Invitation(invited, inviter, table)
        self.nursery.start_soon(self._wait, invitation)
        setting = self.setting_of(table)
        invited.sitter.client.notify(
            InvitationMessage(
                round(1000 * INVITATION_LIMIT),
                player,
                table.name,
                table.private,
                setting.rules,
                setting.end_score,
                setting.limit,
                table.player_names(),
                invited.number,
            )
        )
        return invitation

    def answer(self, sitter: Sitter, agreed: bool) -> bool:
        """Take the answer of a player who was invited; True if they were."""
        invitable = self.invitable.get(sitter)
        if invitable is None or invitable.invitation is None:
            return False
        invitation = invitable.invitation
        if not agreed:
            self._decline(invitation, "the player does not come")
        elif not invitation.table.free_seats:
            self._settle(invitation, "no seat is free any more")
        else:
            self._settle(invitation, "the player comes", agreed=True)
            del self.invitable[sitter]
            self.transfer(sitter, invitation.table)
        return True

    async def _wait(self, invitation: Invitation) -> None:
        with trio.move_on_after(INVITATION_LIMIT):
            await invitation.settled.wait()
        if not invitation.settled.is_set():
            self._decline(invitation, "the player has not answered in time")

    def _decline(self, invitation: Invitation, why: str) -> None:
        invitation.invited.declined.add(invitation.table)
        self._settle(invitation, why)

    def _settle(self, invitation: Invitation, why: str, *, agreed: bool = False) -> None:
        invited, inviter = invitation.invited, invitation.inviter
        invited.invitation = None
        invitation.agreed, invitation.why = agreed, why
        invitation.settled.set()
        over = InvitationOver(invited.number, agreed, why)
        invited.sitter.client.notify(over)
        if inviter is not None and inviter in invitation.table.arrived:
            inviter.client.notify(over)


def _why_not(invited: Invitable, table: FormingTable) -> str:
    """Say why a player cannot be asked to come to a table; empty if they can."""
    reasons = (
        (invited.invitation is not None, "the player is asked by somebody else at the moment"),
        (invited.sitter.table is table, "the player is there already"),
        (table in invited.declined, "the player was asked before, and did not come"),
        (not table.free_seats, "no seat is free there"),
    )
    return next((why for is_so, why in reasons if is_so), "")

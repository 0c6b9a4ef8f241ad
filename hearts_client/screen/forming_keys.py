"""The keys at a table that forms: to start it, to invite others, and to have another seat."""

from __future__ import annotations

from hearts_client.words.typed import RequestCommand

from .shown_table import ShownTable
from .view_model import LabelledKey, Stage

FORMING_KEYS = frozenset("gp")


def forming_buttons(table: ShownTable) -> list[LabelledKey]:
    """What the person can do about the table that forms."""
    start = [LabelledKey("g", "start with computers")] if table.may_start else []
    invite = [LabelledKey("i", "invite")] if table.may_start else []
    move = [LabelledKey("p", "another seat")] if table.may_move else []
    return start + invite + move


def forming_command(key: str, table: ShownTable) -> tuple[str, str]:
    """The command that one of FORMING_KEYS stands for; or none, and why it does nothing."""
    is_forming = table.stage is Stage.WAITING
    if key == "g":
        has_players = "The table has its players already."
        why = "Only who has opened the table may start it." if is_forming else has_players
        return (RequestCommand.START.value, "") if table.may_start else ("", why)
    has_begun = "Nobody takes another seat once the table has begun."
    why = "No other seat is for you: none is free, or you are player 0."
    return (
        (RequestCommand.SEAT.value, "")
        if table.may_move
        else ("", why if is_forming else has_begun)
    )

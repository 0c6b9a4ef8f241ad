"""What the table on the screen says in words: in its middle, whom it waits for, what is kept."""

from __future__ import annotations

from hearts.dealer.client_events import DealerEvent
from hearts.game.events import HandBegun, YourHand
from hearts.session.messages import Scores
from hearts.session.table_words import InvitationMessage
from hearts_client.words.invited import invited_to
from hearts_client.words.story import hand_line, pass_words

from .shown_table import ShownTable
from .view_model import Stage


def middle_lines(table: ShownTable, until_it_begins: int | None) -> tuple[str, ...]:
    """Lines for the middle of the table, if no trick lies.

    ``until_it_begins`` are the seconds until computers take the free seats.
    """
    match table.stage:
        case Stage.WAITING:
            lines = ["The table forms:", *table.joined]
            if until_it_begins is not None:
                lines += ["", f"Computers take the free seats in {until_it_begins} s."]
            return tuple(lines) if table.joined else ("Waiting for the table...",)
        case Stage.GAME_OVER if not table.picture.board.winners:
            return ("Another game begins.",)
        case Stage.GAME_OVER:
            names = table.roster.all_names(table.picture.board.winners)
            return ("The game is over.", f"Won by {names}.")
        case Stage.HAND_OVER:
            return (f"Hand {table.picture.hand.number + 1} is over.",)
        case _:
            return ()


def waiting_line(table: ShownTable) -> str:
    """Whom the table waits for."""
    turn = table.picture.turn
    waited_for = table.waited_for if turn is None else (turn,)
    others = [player for player in waited_for if player != table.roster.me]
    if others:
        return f"Waiting for {table.roster.all_names(others)}."
    if table.stage is not Stage.PASSING:
        return ""
    return "Waiting for the players." if table.is_watching else "Waiting for the others."


def to_read(table: ShownTable, event: DealerEvent) -> list[str]:
    """What the picture shows after an event, and is worth reading later."""
    if table.picture.is_past:
        return []
    match event:
        case HandBegun() | YourHand():
            hand = table.picture.hand
            return [hand_line(hand.number, pass_words(hand.direction))]
        case Scores():
            return table.story.scores()
        case InvitationMessage():
            return [*invited_to(event)]
        case _:
            return []

"""A table that forms, as a page: what it is, who is there, and how friends come to it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from hearts.session.table_words import InvitationMessage, TableMessage
from hearts_client.words.forming import title, what_is_played, who_starts
from hearts_client.words.invited import invited_to

from .canvas import Ink

FormingWords = tuple[tuple[str, Ink], ...]
_WAITS = "Others may invite you to their tables; /wait off in the chat ends that."
_NOTHING = ("", Ink.TEXT)


def forming_words(
    table: TableMessage,
    joined: Sequence[str],
    me: int,
    seconds: int | None,
    invite: Callable[[str], str] | None,
    *,
    waits: bool = False,
    invitation: InvitationMessage | None = None,
) -> FormingWords:
    """The lines of the page. ``joined`` is who is there or "(free)", ``me`` the person's seat.

    ``seconds`` is when computers take the free seats, if they do, and ``invite`` gives the line
    for friends. ``waits`` says that others may invite the person, ``invitation`` that somebody
    does.
    """
    lines: list[tuple[str, Ink]] = []
    if invitation is not None:
        lines += [*((text, Ink.STRONG) for text in invited_to(invitation)), _NOTHING]
    lines.append((title(table), Ink.TITLE))
    lines += [(text, Ink.DIM) for text in what_is_played(table)]
    lines += [_NOTHING, *((name, Ink.STRONG) for name in joined), _NOTHING]
    if seconds is not None:
        lines.append((f"Computers take the free seats in {seconds} s.", Ink.TEXT))
    elif table.private:
        lines.append(("It waits for four people.", Ink.TEXT))
    if starts := who_starts(table, me, "g"):
        lines.append((starts, Ink.NOTICE))
    if waits:
        lines.append((_WAITS, Ink.NOTICE))
    if invite is not None:
        line = invite(table.table if table.private else "")
        lines += [_NOTHING, ("Friends come with this line:", Ink.TEXT), (line, Ink.STRONG)]
    return tuple(lines)

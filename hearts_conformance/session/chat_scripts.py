"""The scenarios about the taunt server, which is the same in both dialects."""

from __future__ import annotations

from typing import TypeVar

from . import checks
from .script import ChatBehavior, Script

ScriptT = TypeVar("ScriptT", bound=Script)


def chat_scripts(script: type[ScriptT]) -> tuple[ScriptT, ...]:
    """A hand for each thing that a taunt server can do."""
    return (
        script("chat", "a taunt server that relays", 1, own=checks.CHAT_HEARD),
        script(
            "chat-joined",
            "taunts in one piece",
            2,
            own=checks.CHAT_JOINED,
            chat=ChatBehavior.JOINED,
        ),
        script(
            "chat-split", "taunts byte by byte", 3, own=checks.CHAT_SPLIT, chat=ChatBehavior.SPLIT
        ),
        script(
            "chat-refused",
            "a taunt server that refuses",
            0,
            own=checks.CHAT_REFUSED,
            chat=ChatBehavior.REFUSES,
        ),
        script(
            "chat-dies",
            "a taunt server that goes away in the game",
            1,
            own=checks.CHAT_DIES,
            chat=ChatBehavior.DIES,
        ),
        script(
            "chat-away",
            "a taunt server that hangs up",
            2,
            own=checks.CHAT_AWAY,
            chat=ChatBehavior.AWAY,
        ),
    )

"""Registrations that are refused, lists and levels, names, watchers, and the chat."""

from __future__ import annotations

from functools import partial

from hearts.session.messages import ListedTable, Refusal
from hearts_conformance.session.chat import WATCHED_GAME
from hearts_conformance.session.name_desk import stranger_check
from hearts_conformance.session.script import FOUR_HANDS, ChatBehavior, NameTwist, Script

from .kinds import dealer

_MANY = tuple(
    ListedTable(f"Table {number}", 0 if number <= 2 else number, number % 3, names)
    for number, names in enumerate(
        [("Zoë", "", "Moe", ""), ("", "", "", ""), ("Kit", "Moe", "Larry", "Curly")] * 33, start=1
    )
)
"""Forming and playing, with and without open seats, and with seats that nobody has."""
_DAY = (
    "day 2026-11-28 played f7a5973575fb548a3c8de25942de942ca9fa4addf3a80a3aa75d05f78cd66f98",
    "over 2026-11-26 b4293cc983a8a3ba5235c3b0d0955a5b09bc59f6e9e63652fddcf4f4a51ab29b",
    "result 2026-11-28 0 31 12 0 5 8",
    "result 2026-11-26 2 9 0 0 20 1",
    "hand 2026-11-26 1 AQAAAAAnEAABAAAiSDNixJjnfGb1L7BO2TMCMRcVMjMIGQwLCSYlDRIXFCwqLyspJzEoJC"
    "0hJgoDCAwQJRUPES4ZIxgJDgccHhswHRoyHwsGAAUTBCACFgEiMw",
    "listed 2026-11-26 1 12 Zoë ♠",
    "later 2026-11-26 1",
    "You have played today.",
)
"""The second hand and those behind it are left out, as a damaged store would have it."""
_watch = partial(dealer, people=False, chat=ChatBehavior.AWAY)
"""A watcher has no chat."""


def _chat(id: str, title: str, seat: int, own: str, chat: ChatBehavior) -> Script:
    return Script(id, title, seat, people=False, own=own, chat=chat)


_AT_ONCE = {
    "full": Refusal.SERVER_FULL,
    "busy": Refusal.TOO_MANY_FROM_ADDRESS,
    "closing": Refusal.SHUTTING_DOWN,
}
_LATE = {
    **{f"late-{id}": why for id, why in _AT_ONCE.items()},
    "bad-name": Refusal.BAD_NAME,
    "bad-option": Refusal.BAD_OPTION,
    "taken": Refusal.TABLE_TAKEN,
    "no-password": Refusal.BAD_PASSWORD,
    "too-slow": Refusal.TOO_SLOW,
}
REFUSALS = (
    Script(
        "open-seat",
        "an open seat of a table that plays, behind its first hand",
        2,
        end_score=FOUR_HANDS,
        own="seat.open",
        takes_open_seat=True,
    ),
    *(
        Script(id, f"{int(why)} in place of the Player ID", seat, refusal=why, at_once=True)
        for seat, (id, why) in enumerate(_AT_ONCE.items())
    ),
    *(
        Script(id, f"{int(why)} behind the Process ID", seat % 4, refusal=why)
        for seat, (id, why) in enumerate(_LATE.items())
    ),
    Script(
        "refused-reply",
        "-105 in place of the reply of a block",
        2,
        people=False,
        refused_block=Refusal.BAD_PASSWORD,
    ),
    dealer(
        "refused-plainly",
        "a refusal of the plain dialect that crosses with the Process ID",
        3,
        refusal=Refusal.TABLE_TAKEN,
        plainly=True,
    ),
    Script("list", "a list of 99 tables", 1, people=False, tables=_MANY, own="list.read"),
    Script("list-empty", "a list of no tables", 2, people=False, tables=(), own="list.read"),
    Script(
        "day",
        "block -16 tells a visitor of the days: results, hands, names, a line of a later server",
        0,
        people=False,
        own="day.read",
        day=_DAY,
    ),
    Script(
        "levels",
        "block -15 allows some levels of computers, and one of a later server",
        3,
        people=False,
        own="levels.allowed",
        levels=frozenset({0, 1, 2, 30}),
    ),
)
_REPLIES = {
    NameTwist.OWN: "your name is yours",
    NameTwist.CLAIMED: "your name is yours from now on",
    NameTwist.FREE: "your name is nobody's",
    NameTwist.TAKEN: "your name is somebody else's, as it is for a key that was revoked",
    NameTwist.UNTOLD: "you are not told whose your name is",
}
_STRANGERS = {
    NameTwist.NOT_ASKED: "no challenge any more",
    NameTwist.OTHER_KEY: "another server key",
    NameTwist.UNSIGNED: "a challenge that another key has signed",
    NameTwist.RELAYED: "a challenge that was made for another address",
    NameTwist.REPLAYED: "a challenge that was made for another chance",
}


def _name_id(twist: NameTwist) -> str:
    return f"name-{twist.name.lower().replace('_', '-')}"


NAMES = (
    Script(
        "guest",
        "a server with names, where you are a guest: your name has ~ in front",
        1,
        own="name.guest",
        names=NameTwist.GUEST,
    ),
    *(
        Script(_name_id(twist), title, seat % 4, people=False, own="name.reply", names=twist)
        for seat, (twist, title) in enumerate(_REPLIES.items())
    ),
    Script(
        _name_id(NameTwist.REFUSED),
        "-110 in place of the reply to your proof",
        2,
        people=False,
        names=NameTwist.REFUSED,
    ),
    *(
        Script(
            _name_id(twist), title, seat % 4, people=False, own=stranger_check(twist), names=twist
        )
        for seat, (twist, title) in enumerate(_STRANGERS.items())
    ),
)
CHATS = (
    _chat("chat", "a taunt server that relays", 1, "chat.hear", ChatBehavior.GOOD),
    _chat("chat-joined", "taunts in one piece", 2, "chat.joined", ChatBehavior.JOINED),
    _chat("chat-split", "taunts byte by byte", 3, "chat.split", ChatBehavior.SPLIT),
    _chat("chat-refused", "a taunt server that refuses", 0, "chat.refused", ChatBehavior.REFUSES),
    _chat(
        "chat-dies", "a taunt server that goes away in the game", 1, "chat.dies", ChatBehavior.DIES
    ),
    _chat("chat-away", "a taunt server that hangs up", 2, "chat.away", ChatBehavior.AWAY),
)
WATCHERS = (
    _watch(
        "watch",
        "a table that plays, for a client that watches it (block -9)",
        0,
        watched=WATCHED_GAME,
    ),
    _watch("watch-over", "block -9 is refused with -104", 0, watched=0),
)

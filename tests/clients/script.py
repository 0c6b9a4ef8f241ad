"""One session as a server tells it that decides everything itself and listens to nobody.

The client is player 2. It gets three clubs, leads to every trick and takes them all.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass

ME = 2
PASSED = (0, 1, 2)
RECEIVED = (14, 15, 16)
PLAYED = (1, 0, *range(2, 13))
"""Hand indexes in the order in which the server plays them; the first is the two of clubs."""
_OTHERS = [*range(17, 53), 1, 2, 3]
_MOON_BY_CHOICE = 2 << 9
_OVER = 0b0101 | 1 << 4


def ints(*numbers: int) -> bytes:
    return struct.pack(f">{len(numbers)}i", *numbers)


def str_of(text: str) -> bytes:
    data = text.encode() + b"\0"
    return ints(len(data)) + data


@dataclass(frozen=True, slots=True)
class ScriptedMessage:
    """What the server says, and what a client answers: acks, and how many numbers it chooses."""

    name: str
    said: bytes
    acks: int = 1
    chosen: int = 0


def session() -> list[ScriptedMessage]:
    """All messages from the Player ID to New game 0; answers begin with the Game number."""
    names = b"".join(map(str_of, ("Ann", "Bob", "Cee", "Dan")))
    return [
        ScriptedMessage("player", ints(ME), acks=0),
        ScriptedMessage("reasons", ints(1), acks=0),
        ScriptedMessage("game", ints(7, 99) + names),
        ScriptedMessage("table", ints(1, _MOON_BY_CHOICE, 100, 60, 0)),
        ScriptedMessage("hand", ints(*range(1, 14))),
        ScriptedMessage("pass", ints(1, 1, *PASSED), chosen=3, acks=0),
        ScriptedMessage("received", ints(*RECEIVED)),
        *(message for number in range(13) for message in _trick(number)),
        ScriptedMessage("moon", ints(ME, 1), chosen=1, acks=0),
        ScriptedMessage("moon status", ints(0), acks=0),
        ScriptedMessage("scores", ints(26, 26, 0, 26, _OVER)),
        ScriptedMessage("new game", ints(0)),
    ]


def whole_session() -> bytes:
    return b"".join(message.said for message in session())


def _trick(number: int) -> list[ScriptedMessage]:
    cards = _OTHERS[3 * number : 3 * number + 3]
    return [
        ScriptedMessage("leads", ints(ME)),
        ScriptedMessage("play", ints(1 + PLAYED[number]), chosen=1, acks=0),
        *(ScriptedMessage("card", ints(card)) for card in cards),
        ScriptedMessage("tallies", ints(ME, 0, 0, 2 * number, 0)),
    ]


def before(name: str) -> bytes:
    """All that is said before the first message of this name."""
    messages = session()
    place = [message.name for message in messages].index(name)
    return b"".join(message.said for message in messages[:place])


NONSENSE = {
    "HTTP": b"HTTP/1.1 400 Bad Request\r\n\r\n",
    "TLS alert": bytes.fromhex("15030300020246"),
    "length of a name": before("game") + ints(7, 99, 2**31 - 1) + bytes(100),
    "name without its NUL": before("game") + ints(7, 99, 3) + b"Ann",
    "name in Latin-1": before("game") + ints(7, 99, 4) + b"Zo\xeb\0",
    "name that commands a terminal": before("game") + ints(7, 99) + str_of("\x1b[2J"),
    "version": before("table") + ints(2, 0, 100, 60, 0),
    "card 53": before("hand") + ints(*range(41, 54)),
    "played for us": before("play") + ints(14),
    "another game": before("new game") + ints(2),
}
"""What no server says, by what is wrong with it."""

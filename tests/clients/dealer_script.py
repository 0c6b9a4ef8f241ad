"""A short session as a server of the dealer dialect tells it that listens to nobody.

The client is player 0. The server deals from the secret of SocketSpec.md section 7.5 whose bytes
are all zero, passes three cards and chooses for it when its time is up, and leaves out the tricks.
It promises the deal without the client's hash, which no script can know, and with one of player 2,
who shows no value.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from .script import ints, str_of

Frame = tuple[int, bytes]

REPLIES = ints(0, 1, 1, 0)
"""The Player ID and the replies to blocks -10, -6 and -15: no level can be chosen."""
SECRET = bytes(16)
COMMITMENT = bytes.fromhex("374708fff7719dd5979ec875d56cd2286f6d3cf7ec317a3b25632aab28ec37bb")
HAND = (2, 3, 4, 5, 15, 16, 17, 18, 22, 32, 38, 40, 51)
PASSED = (0, 1, 2)
"""Hand indexes of the cards that the server passes."""
TOO_LATE, NO_QUERY = -20, -21

_TRICK = ints(0, 0, 0, 0, 0, 0, 1, 0, -1, 0, 0)
_SCORES = b"".join(ints(points, 0, 0, 0) for points in (90, 101, 7, 60))
_RULES = ints(0, 100, 0, 0, 0, 1, 0, 0, 0, 1)
_NONE = bytes(32)
_HASHES = _NONE * 2 + bytes(31) + b"2" + _NONE
_PROMISE = (203, ints(1) + COMMITMENT + _HASHES)
_CLOCK = 1


def _opponents() -> bytes:
    infos = (ints(player, 3, 0, 1) + str_of(f"P{player}") + str_of("") for player in range(4))
    return b"".join(infos)


def _error(type_: int, reason: int) -> bytes:
    return ints(3, type_, reason, -1) + str_of("why not")


def _proof(cuts: bytes = _NONE, values: bytes = _NONE * 4, missing: int = 1 << 2) -> Frame:
    return 204, ints(1) + SECRET + cuts + values + ints(missing)


SESSION: Mapping[str, Sequence[Frame]] = {
    "register": [(126, ints(-1, 401, 0))],
    "unknown": [(999, bytes(4096))],
    "seated": [(209, ints(0, 7, 99) + str_of("a table")), (125, _opponents())],
    "game": [(113, _RULES + ints(60_000))],
    "rules": [(124, ints(60_000, 417) + _RULES)],
    "commitment": [_PROMISE],
    "cut": [(202, ints(5000, 404, 1))],
    "late cut": [(208, _error(202, TOO_LATE))],
    "hand": [(114, ints(1, 1)), *((127, ints(card)) for card in HAND)],
    "pass": [(104, ints(5000, 406, 0, 1, 13, *HAND))],
    "passed": [(111, ints(0, 1, *(HAND[index] for index in PASSED), _CLOCK))],
    "late pass": [(117, _error(104, TOO_LATE))],
    "moon": [(122, ints(0, 1)), (200, ints(5000, 415)), (213, ints(0, 1, _CLOCK))],
    "proof": [_proof()],
    "scores": [
        (105, ints(0, -1, 0) + _SCORES + ints(2, 0, 26, 26, 26, 0b100)),
        (106, _SCORES + ints(0b100, 0)),
    ],
    "again": [(201, ints(5000, 416)), (214, ints(0, 1, _CLOCK))],
    "back": [(211, ints(1)), (113, _RULES + ints(0)), (216, _SCORES), (211, ints(0))],
    "end": [(214, ints(-1, 0, _CLOCK))],
}
"""All of it, by what it is about."""


def said(session: Mapping[str, Sequence[Frame]]) -> bytes:
    """All that the server sends, from the Player ID on."""
    frames = [frame for part in session.values() for frame in part]
    return REPLIES + b"".join(
        ints(type_, sequence, len(payload)) + payload
        for sequence, (type_, payload) in enumerate(frames, 1)
    )


def without(part: str) -> bytes:
    return said({**SESSION, part: []})


def instead(part: str, *frames: Frame) -> bytes:
    return said({**SESSION, part: frames})


def _lead(*legal: int) -> Frame:
    cards = b"".join(ints(card, int(card in legal)) for card in HAND)
    return 108, ints(-1, 410) + _TRICK + ints(13) + cards


_OTHER_PROMISE = (203, ints(1) + _NONE + _HASHES)
PROMISED_TWICE = instead("commitment", _PROMISE, _OTHER_PROMISE)
NONSENSE = {
    "a sequence left out": said(SESSION).replace(ints(126, 1), ints(126, 2), 1),
    "the longest payload and one": instead("unknown", (999, bytes(4097))),
    "a payload below 0": REPLIES + ints(126, 1, -1),
    "too short": instead("proof", (204, ints(1) + SECRET + _NONE)),
    "version 2": ints(0, 1, 2),
    "card 53": instead("hand", (114, ints(1, 1)), *((127, ints(card)) for card in range(41, 54))),
    "a hand before its game": without("game"),
    "a card before its hand": instead("hand", (127, ints(1))),
    "a card of no hand lost": instead("passed", (110, ints(52, _CLOCK))),
    "a name that commands a terminal": instead("seated", (205, str_of("\x1b[2J"))),
    "not the secret that was promised": instead("commitment", _OTHER_PROMISE),
    "never promised": without("commitment"),
    "other cards": instead(
        "hand", (114, ints(1, 1)), *((127, ints(card)) for card in range(40, 53))
    ),
    "other cuts": instead("proof", _proof(cuts=bytes(31) + b"\1")),
    "a value that does not fit": instead(
        "proof", _proof(values=_NONE * 2 + b"2" * 32 + _NONE, missing=0)
    ),
    "a value that nobody promised": instead("proof", _proof(values=b"0" * 32 + _NONE * 3)),
    "one who has not cut is named": instead("proof", _proof(missing=1 << 2 | 1)),
    "who has shown nothing is not named": instead("proof", _proof(missing=0)),
    "the answer is refused": instead("late pass", (117, _error(104, NO_QUERY))),
    "hearts are legal": instead("passed", _lead(*HAND)),
}
"""What no server says, by what is wrong with it."""

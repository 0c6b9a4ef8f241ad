"""Sentences of SocketSpec.md and DealerSpec.md that no table holds, tried at a server.

Bytes and frames are written here by hand, as a stranger would write them.
"""

from __future__ import annotations

import hashlib
import re
import struct
from collections.abc import Iterator

import pytest
import trio

from tests.vectors.vector_house import VectorServer

ANN = b"\0\0\0\4Ann\0"
REASONS = struct.pack(">2i", -10, 0)
DEALER = struct.pack(">2i", -6, 1)
ALONE = struct.pack(">2i", -4, 21) + b"qxcvwkpatzmreoblhund\0"
COMPUTERS = struct.pack(">4i", -2, 0b1_1110, 0, 0)
TABLE_LIST = struct.pack(">i", -8)
PROCESS_ID = struct.pack(">i", 1000)
ACCEPTED = struct.pack(">i", 1)

ABORT_HAND, DO_PASS, DONE_HAND, END_GAME, LEAD_CARD, LOSE_CARD = 102, 104, 105, 106, 108, 110
PLAY_CARD, PLAY_ERROR, PROPOSE_ABORT = 118, 119, 242
REGISTER_PLAYER, WAITING, PLAY_AGAIN, CUT, PING = 126, 132, 201, 202, 206
DEAL_COMMITMENT, NEW_HAND, PONG, ANSWER_ERROR = 203, 114, 207, 208

Frame = tuple[int, int, bytes]
"""Type, sequence or "in reply to", payload."""


def frame(type: int, number: int, payload: bytes = b"") -> bytes:
    return struct.pack(">3i", type, number, len(payload)) + payload


def ints(payload: bytes) -> tuple[int, ...]:
    return struct.unpack(f">{len(payload) // 4}i", payload[: len(payload) // 4 * 4])


def who(cuts: int, more: bytes = b"") -> bytes:
    """P_REGISTER_PLAYER: a program that says nothing more about itself."""
    return struct.pack(">4i", 3, 0, cuts, 1) + b"\0" + more


NO_CUTS = frame(REGISTER_PLAYER, 1, who(0))
"""Who has said this is not waited for before the first deal."""


class Visit:
    """One connection to a house, beginning with all of a registration in one write."""

    def __init__(self, house: VectorServer) -> None:
        self.house = house
        self._read = 0

    async def begin(self, *blocks: bytes, rest: bytes = b"") -> None:
        await self.house.do(("connect",))
        assert self.take(4) == bytes(4), "Player ID 0"
        await self.house.send(ANN + b"".join(blocks) + PROCESS_ID + rest)

    def take(self, count: int) -> bytes:
        data = bytes(self.house.wire.output[self._read : self._read + count])
        self._read += len(data)
        return data

    def frames(self) -> list[Frame]:
        """What has come since they were asked for last."""
        found = []
        while header := self.take(12):
            type, number, length = struct.unpack(">3i", header)
            found.append((type, number, self.take(length)))
        return found

    async def answer(self, type: int, number: int, payload: bytes) -> list[Frame]:
        await self.house.send(frame(type, number, payload))
        return self.frames()


async def dealer(
    house: VectorServer, *blocks: bytes, rest: bytes = NO_CUTS
) -> tuple[Visit, list[Frame]]:
    """A client of the dealer dialect, and the frames that it gets first."""
    visit = Visit(house)
    await visit.begin(DEALER, *blocks, rest=rest)
    assert visit.take(4) == ACCEPTED
    if COMPUTERS not in blocks:
        assert ints(visit.take(4))[0] >= 1, "the reply to coming back"
    return visit, visit.frames()


def choice(asked: Frame) -> bytes | None:
    """An answer that is legal, if that is a query for cards."""
    type, _, payload = asked
    if type == DO_PASS:
        return payload[20:32]
    if type in (LEAD_CARD, PLAY_CARD):
        cards = ints(payload)[14:]
        pairs: Iterator[tuple[int, int]] = zip(cards[::2], cards[1::2], strict=True)
        return struct.pack(">i", next(card for card, legal in pairs if legal))
    return None


async def play_until(visit: Visit, came: list[Frame], last: int) -> Frame:
    """Answer each query until a frame of that type has come."""
    while True:
        ask = None
        for each in came:
            if each[0] == last:
                return each
            if choice(each) is not None:
                ask = each
        assert ask is not None
        answer = choice(ask)
        assert answer is not None
        came = await visit.answer(ask[0], ask[1], answer)


def come_back(hands: int) -> bytes:
    return struct.pack(">6i", -5, 7, 1282901695, 0, 1000, hands)


async def test_a_registration_in_one_write(house: VectorServer) -> None:
    """3.3: its replies come in order; here of -10, -8 without a table, and then the seat."""
    visit = Visit(house)
    await visit.begin(REASONS, TABLE_LIST, COMPUTERS)
    assert visit.take(12) == ACCEPTED + struct.pack(">2i", 0, 7)


@pytest.mark.parametrize(("blocks", "computers"), [((), 0b0000), ((ALONE,), 0b1110)])
async def test_alone_for_certain(
    blocks: tuple[bytes, ...], computers: int, house: VectorServer
) -> None:
    """3.6: at a table by a name that nobody else has; else it is the table of who came first."""
    await house.do(("join", "Bob"))
    await house.do(("connect",))
    await house.send(ANN + b"".join(blocks) + COMPUTERS + PROCESS_ID)
    await house.do(("join", "Cleo"))
    await house.do(("join", "Dan"))
    (said,) = re.findall(struct.pack(">4i", 1, 0, 100, 60) + b"(....)", house.wire.output)
    assert ints(said) == (computers,), "the Table message"


async def test_too_many_hands_and_then_none(house: VectorServer) -> None:
    """5.6: -103 to a count that is too high, with both counts in words; -1 is let in."""
    await Visit(house).begin(COMPUTERS)
    await house.do(("join", "Bob"))
    for dialect in ([], [DEALER]):
        visit = Visit(house)
        await house.do(("connect",))
        visit.take(4)
        await house.send(ANN + REASONS + b"".join(dialect) + come_back(3))
        assert visit.take(8 + 4 * len(dialect)).endswith(struct.pack(">i", -103))
        assert b"0 hands are scored, not 3" in visit.take(100)
        assert house.wire.ended
    visit = Visit(house)
    await house.do(("connect",))
    visit.take(4)
    await house.send(ANN + come_back(-1) + PROCESS_ID)
    assert ints(visit.take(8)) == (1, 7)


async def test_who_says_so_at_once_cuts_the_first_deal(house: VectorServer) -> None:
    """14.8: the answer to frame 1 may be in one write with the Process ID; so may a ping."""
    value = bytes(range(32))
    digest = hashlib.sha256(value).digest()
    introduction = who(1, more=digest + b"more")
    said = frame(PING, 0, b"early") + frame(REGISTER_PLAYER, 1, introduction)
    visit, came = await dealer(house, COMPUTERS, rest=said)
    first, second, *_, promise, last = came
    assert first[:2] == (REGISTER_PLAYER, 1)
    assert second == (PONG, 2, b"early")
    assert promise[0] == DEAL_COMMITMENT
    assert promise[2][36:] == digest + bytes(96), "the hashes of players 0-3"
    assert last[0] == CUT
    assert ints(last[2])[2] == 1, "the first deal"
    assert ANSWER_ERROR not in [type for type, _, _ in came]
    for tries, wrong in ((9, bytes(64)), (8, digest + value), (7, value + value[1:])):
        ((type, _, error),) = await visit.answer(CUT, last[1], wrong)
        assert (type, ints(error)[:4]) == (ANSWER_ERROR, (last[1], CUT, -23, tries))
    came = await visit.answer(CUT, last[1], value + bytes(32))
    assert came[0][0] == NEW_HAND
    ((type, _, error),) = await visit.answer(CUT, last[1], value + bytes(32))
    assert (type, ints(error)[2]) == (ANSWER_ERROR, -24)


async def test_without_cuts_1_and_a_hash_nobody_cuts(house: VectorServer) -> None:
    """14.8: a client of yesterday says no more than that it cuts."""
    digest = hashlib.sha256(bytes(32)).digest()
    for cuts, more in ((1, b""), (1, bytes(32)), (0, digest)):
        said = frame(REGISTER_PLAYER, 1, who(cuts, more=more))
        _, came = await dealer(house, COMPUTERS, rest=said)
        (promise,) = [payload for type, _, payload in came if type == DEAL_COMMITMENT]
        assert promise[36:] == bytes(128)
        assert came[-1][0] == DO_PASS


async def test_the_first_promise_waits_for_who_says_nothing(house: VectorServer) -> None:
    """14.8: up to 2 s, for each client that has just come and has not answered frame 1."""
    visit, came = await dealer(house, COMPUTERS, rest=b"")
    await house.now(1.9)
    came += visit.frames()
    assert DEAL_COMMITMENT not in [type for type, _, _ in came]
    await house.now(2)
    assert DEAL_COMMITMENT in [type for type, _, _ in visit.frames()]


async def test_a_tenth_try(house: VectorServer) -> None:
    """14.5: no error, -24 until it is decided, "by" 1, and -20 behind that."""
    visit, came = await dealer(house, COMPUTERS)
    took = choice(came[-1])
    assert took is not None
    *_, asked = await visit.answer(*came[-1][:2], took)
    cards = ints(asked[2])[14:]
    wrong = struct.pack(">i", cards[cards[1::2].index(0) * 2])
    for left in range(9, 0, -1):
        ((type, _, error),) = await visit.answer(*asked[:2], wrong)
        assert (type, ints(error)[2:4]) == (PLAY_ERROR, (-2, left))
    tries = 2 * frame(asked[0], asked[1], wrong)
    await visit.house.send(tries)
    came = visit.frames()
    assert [ints(each[2])[2] for each in came if each[0] == PLAY_ERROR] == [-24]
    assert [ints(each[2])[1] for each in came if each[0] == LOSE_CARD] == [1]
    assert came[0][0] == PLAY_ERROR
    late = await visit.answer(*asked[:2], wrong)
    assert [ints(each[2])[2] for each in late] == [-20]


async def test_tries_are_counted_on_after_a_return(house: VectorServer) -> None:
    """4.4: in either dialect; what is thrown away on the way there is none (5.6)."""
    visit, came = await dealer(house, COMPUTERS)
    asked = await play_until(visit, came, PLAY_CARD)
    cards = ints(asked[2])[14:]
    wrong = struct.pack(">i", cards[cards[1::2].index(0) * 2])
    for left in (9, 8, 7):
        ((_, _, error),) = await visit.answer(*asked[:2], wrong)
        assert ints(error)[3] == left
    await house.send(b"")
    visit, came = await dealer(house, come_back(0))
    (asked,) = (each for each in came if each[0] == PLAY_CARD)
    ((_, _, error),) = await visit.answer(*asked[:2], wrong)
    assert ints(error)[3] == 6
    await house.send(b"")
    visit = Visit(house)
    await house.do(("connect",))
    visit.take(4)
    await house.send(ANN + come_back(0) + PROCESS_ID)
    assert ints(visit.take(4)) == (2,), "the pass is decided"
    no_index, ack = struct.pack(">i", 99), bytes(4)
    await house.send(3 * ack + 3 * no_index)
    # Of the cards received, of who leads, and of the cards that lie.
    await house.send(ack * (2 + 3))
    visit.take(1000)
    for tries in range(5, 11):
        await house.send(no_index)
        (status,) = ints(visit.take(4))
        assert (status < 0) == (tries < 10), tries


async def test_fewer_hands_need_the_flag_of_that_hand(house: VectorServer) -> None:
    """5.6: what comes first follows from the hand that is named, here one that ended a game."""
    await house.do(("set", "end", "1"))
    visit, came = await dealer(house, COMPUTERS)
    asked = await play_until(visit, came, PLAY_AGAIN)
    came = await visit.answer(*asked[:2], struct.pack(">i", 1))
    await play_until(visit, came, PLAY_AGAIN)
    table = struct.pack(">5i", 1, 0, 1, 60, 0b1110)
    for hands, first in ((1, struct.pack(">2i", 2, 1) + table), (-1, b"")):
        await house.send(b"")
        visit = Visit(house)
        await house.do(("connect",))
        await house.send(ANN + come_back(hands) + PROCESS_ID)
        _, _, told = bytes(house.wire.output).partition(table)
        assert told.startswith(first)
        assert all(1 <= card <= 52 for card in ints(told[len(first) : len(first) + 52]))


async def test_a_hand_that_was_broken_off_is_a_deal(house: VectorServer) -> None:
    """5.6: so the number of a deal is the count of hands and of those that were broken off."""
    visit, came = await dealer(house, COMPUTERS)
    came = await visit.answer(PROPOSE_ABORT, 0, bytes(4))
    deals = [ints(payload)[0] for type, _, payload in came if type == DEAL_COMMITMENT]
    assert [ints(payload)[0] for type, _, payload in came if type == ABORT_HAND] == [1]
    assert deals == [2]
    await play_until(visit, came, DONE_HAND)
    for hands, reply in ((2, -103), (1, 1)):
        await house.do(("connect",))
        await house.send(ANN + come_back(hands))
        assert ints(bytes(house.wire.output[4:8])) == (reply,)


async def test_the_end_of_a_game_after_a_return(house: VectorServer) -> None:
    """14.7: who has counted its last hand hears no P_END_GAME again, but whose decision it is."""
    await house.do(("set", "end", "1"))
    visit, came = await dealer(house, COMPUTERS)
    await play_until(visit, came, PLAY_AGAIN)
    for hands in (1, 0, -1):
        await house.send(b"")
        visit, came = await dealer(house, come_back(hands))
        types = [type for type, _, _ in came]
        assert types[-1] == PLAY_AGAIN
        assert types.count(END_GAME) == (hands < 1)
        # Whoever comes back is asked who they are as if the table were forming.
        assert came[0][0] == REGISTER_PLAYER
        assert ints(came[0][2]) == (-1, 401, 0)
        await house.now(trio.current_time() + 5)
        assert [ints(payload)[:2] for type, _, payload in visit.frames() if type == WAITING] == [
            (416, 0b0001)
        ]

"""Checks a hand against its proof (SocketSpec.md 7.7), with a shuffle of its own (7.3).

The values with which a player cuts deals, each for one promise alone, are here too (DealerSpec.md
14.8).
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from .dealer_frames import FrameScore, ServerFrame, expect
from .plain_client import HandMemory, judge

DECK = set(range(1, 53))
NO_VALUE = bytes(32)
"""No value, and no hash."""


class DealPromise(NamedTuple):
    """P_DEAL_COMMITMENT."""

    deal: int
    commitment: bytes
    hashes: tuple[bytes, ...]


class Values:
    """The values of one session, over all its connections."""

    def __init__(self, key: bytes) -> None:
        self._key = key
        self._promises: list[DealPromise] = []
        """Number j has the hash of value j in it."""

    def value(self, number: int) -> bytes:
        return hmac.digest(self._key, number.to_bytes(4, "big"), "sha256")

    def hash(self, number: int) -> bytes:
        return hashlib.sha256(self.value(number)).digest()

    @property
    def next_hash(self) -> bytes:
        return self.hash(len(self._promises))

    def take(self, promise: DealPromise, seat: int) -> bool:
        """Keep a promise; whether our hash in it is one of ours. Raises Nonsense for a second."""
        mine = promise.hashes[seat]
        for number, before in enumerate(self._promises):
            if mine == self.hash(number):
                expect(promise == before, "{} has the hash that was in {}", promise, before)
                return True
        if mine == self.next_hash:
            self._promises.append(promise)
            return True
        return False

    def of(self, promise: DealPromise | None) -> bytes | None:
        """The value to show for a promise; None if it has no hash of ours."""
        for number, taken in enumerate(self._promises):
            if taken == promise:
                return self.value(number)
        return None


@dataclass(slots=True)
class SeatRecord:
    """What one seat knows of one hand. A watcher's seat is 4."""

    deal: int
    seat: int
    promise: DealPromise | None = None
    rules: int = 0
    number: int = 0
    """Counts the hands of the game from 1."""
    direction: int = 0
    dealt: tuple[int, ...] | None = None
    passed: tuple[int, ...] = ()
    value: bytes | None = None
    """Our value as the proof must have it, where we know it."""
    tricks: list[tuple[int, tuple[int, ...]]] = field(default_factory=list)
    """The leader of each trick and its cards in the order of play."""
    scores: tuple[FrameScore, ...] | None = None
    """After the hand, once it is over."""
    over: bool = False
    """Whether it ended its game."""

    def played(self) -> dict[int, list[int]]:
        """The cards of each player in the order of play."""
        found: dict[int, list[int]] = {player: [] for player in range(4)}
        for leader, cards in self.tricks:
            for place, card in enumerate(cards):
                found[(leader + place) % 4].append(card)
        return found


def _words(key: bytes) -> Iterator[int]:
    number = 0
    while True:
        block = hashlib.sha256(key + number.to_bytes(4, "big")).digest()
        for start in range(0, 32, 4):
            yield int.from_bytes(block[start : start + 4], "big")
        number += 1


def dealt(secret: bytes, cuts: bytes) -> list[list[int]]:
    """The four hands (7.2 and 7.3), each sorted."""
    words = _words(hashlib.sha256(b"hearts deal 1" + secret + cuts).digest())
    deck = list(range(1, 53))
    for place in range(51, 0, -1):
        number = place + 1
        limit = 2**32 - 2**32 % number
        word = next(word for word in words if word < limit)
        other = word % number
        deck[place], deck[other] = deck[other], deck[place]
    return [sorted(deck[13 * player : 13 * player + 13]) for player in range(4)]


def receiver(player: int, direction: int) -> int:
    return (player + (0, 1, 3, 2)[direction]) % 4


def check(record: SeatRecord, proof: ServerFrame) -> None:
    """Raises Nonsense where the proof does not fit what was seen of the hand."""
    deal, promise, seat = record.deal, record.promise, record.seat
    assert promise is not None
    expect(proof["deal"] == deal, "{}, but deal {} is over", proof, deal)
    kept = hashlib.sha256(proof["secret"]).digest() == promise.commitment
    expect(kept, "the secret of deal {} is not the one that was committed to", deal)
    _check_values(promise, proof)
    if record.value is not None:
        told = proof["values"][seat]
        expect(
            told == record.value, "deal {}: value {}, not {}", deal, told.hex(), record.value.hex()
        )
    hands = dealt(proof["secret"], proof["cuts"])
    if record.dealt is not None:
        mine = sorted(record.dealt)
        expect(
            hands[seat] == mine, "deal {} gives {}, but we were dealt {}", deal, hands[seat], mine
        )
    if len(record.tricks) == 13:
        _check_passes(record, hands)
        _check_play(record)


def _check_values(promise: DealPromise, proof: ServerFrame) -> None:
    """The values fit their hashes, the cuts are their beginnings, and who is missing is named."""
    missing = 0
    for player, (digest, value) in enumerate(zip(promise.hashes, proof["values"], strict=True)):
        fits = value == NO_VALUE or hashlib.sha256(value).digest() == digest
        expect(fits, "{}: the value of player {} does not fit {}", proof, player, digest.hex())
        missing |= (value == NO_VALUE != digest) << player
    expect(proof["missing"] == missing, "{}: the missing are {:04b}", proof, missing)
    cuts = b"".join(value[:8] for value in proof["values"])
    expect(proof["cuts"] == cuts, "{}: the values begin with {}", proof, cuts.hex())


def _check_passes(record: SeatRecord, hands: list[list[int]]) -> None:
    played = record.played()
    for player, cards in enumerate(hands):
        gone = set(cards) - set(played[player])
        if not record.direction:
            expect(not gone, "deal {}: player {} did not play {}", record.deal, player, gone)
            continue
        giver = next(p for p in range(4) if receiver(p, record.direction) == player)
        come = set(played[player]) - set(cards)
        given = set(hands[giver]) - set(played[giver])
        expect(len(gone) == 3, "deal {}: player {} passed {}", record.deal, player, gone)
        expect(come == given, "deal {}: player {} got {}, not {}", record.deal, player, come, given)
        if player == record.seat:
            expect(gone == set(record.passed), "we passed {}, not {}", record.passed, gone)


def _check_play(record: SeatRecord) -> None:
    """Each card was legal, with all four hands open."""
    left = record.played()
    expect({card for cards in left.values() for card in cards} == DECK, "not the 52 cards")
    broken = False
    for place, (leader, cards) in enumerate(record.tricks):
        for number, card in enumerate(cards):
            hand = left[(leader + number) % 4]
            memory = HandMemory(hand, [True] * len(hand), list(cards[:number]), place == 0, broken)
            status = judge(card, memory, record.rules)
            expect(
                not status,
                "deal {}: card {} in trick {} is {}",
                record.deal,
                card,
                place + 1,
                status,
            )
            hand.remove(card)
            broken |= card <= 13 or (card == 51 and not record.rules >> 19 & 1)

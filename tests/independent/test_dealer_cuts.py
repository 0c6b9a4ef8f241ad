"""The independent client cuts deals, and sees every fault in what a dealer says of that."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from . import dealer_script as d
from .dealer_frames import CUT, DEAL_COMMITMENT, DEAL_PROOF, REGISTER_PLAYER, ServerFrame
from .dealer_proof import NO_VALUE, DealPromise, SeatRecord, Values, check
from .dealer_script import play as play_script
from .plain_client import Nonsense

CUTTING = replace(d.SETTINGS, cuts=True)
OWN = d.Ann(CUTTING).values
QUERY = replace(d.alone(CUT, 60000, 404, 1), right=OWN.value(0) + OWN.hash(1))


def promised(*hashes: bytes) -> d.ScriptFrame:
    four = (*hashes, *[NO_VALUE] * 4)[:4]
    return d.tell(DEAL_COMMITMENT, 1, hashlib.sha256(d.SECRET).digest(), *four)


def steps(promise: d.ScriptFrame, *others: d.ScriptFrame, missing: int = 1) -> list[d.ScriptFrame]:
    """The script, with another promise and what follows it; nobody shows anything."""
    proof = d.tell(DEAL_PROOF, 1, d.SECRET, bytes(32), *[NO_VALUE] * 4, missing)
    changed = {DEAL_COMMITMENT: [promise, *others], DEAL_PROOF: [proof]}
    return [new for step in d.SCRIPT for new in changed.get(step.type, [step])]


def too_late(
    query: d.ScriptFrame, sequence: int, frame: tuple[int, int, bytes]
) -> list[d.ScriptFrame]:
    return [d.alone(208, frame[1], CUT, -20, -1, "too late")] if frame[0] == CUT else []


def play(script: Sequence[d.ScriptFrame], *, late: bool = True) -> tuple[d.Ann, d.ScriptWire]:
    return play_script(script, CUTTING, too_late if late else None)


def test_it_says_its_hashes_and_shows_its_value() -> None:
    session, wire = play(steps(promised(OWN.hash(0)), QUERY))
    assert session.errors == [-20]
    introduction = d.join(3, 0, 1, "I am not here")
    said = [(kind, number, payload) for kind, number, payload in wire.said if kind in (126, CUT)]
    assert said == [
        (REGISTER_PLAYER, 1, introduction + OWN.hash(0)),
        (CUT, 8, OWN.value(0) + OWN.hash(1)),
        # The hash behind a value that came too late was ignored.
        (REGISTER_PLAYER, 0, introduction + OWN.hash(1)),
    ]


def test_without_a_hash_it_is_not_asked() -> None:
    session, wire = play(steps(promised(), missing=0))
    assert not session.errors
    assert CUT not in {kind for kind, _, _ in wire.said}


@pytest.mark.parametrize(
    ("script", "words"),
    [
        (steps(promised(OWN.hash(0))), "no P_CUT came"),
        (steps(promised(OWN.hash(1)), QUERY), "no hash of ours"),
        (steps(promised(), QUERY, missing=0), "no hash of ours is promised"),
        (steps(promised(OWN.hash(0)), replace(QUERY, parts=(60000, 404, 2))), "it is deal 1"),
        (steps(promised(OWN.hash(0)), replace(QUERY, parts=(60001, 404, 1))), "is the limit"),
        (steps(promised(OWN.hash(0)), QUERY, missing=0), "the missing are 0001"),
        (steps(promised(OWN.hash(0)), QUERY, missing=3), "the missing are 0001"),
    ],
)
def test_a_wrong_question_does_not_pass(script: list[d.ScriptFrame], words: str) -> None:
    with pytest.raises(Nonsense, match=words):
        play(script)


def test_a_value_that_came_in_time_is_in_the_proof() -> None:
    with pytest.raises(Nonsense, match=f"value {NO_VALUE.hex()}, not {OWN.value(0).hex()}"):
        play(steps(promised(OWN.hash(0)), QUERY), late=False)


def test_who_does_not_cut_has_no_hash() -> None:
    with pytest.raises(Nonsense, match="we do not cut"):
        play_script(steps(promised(OWN.hash(0)), QUERY), d.SETTINGS, too_late)


# -- the proof --

VALUES = [bytes([1 + seat]) * 32 for seat in range(3)]
HASHES = (*(hashlib.sha256(value).digest() for value in VALUES), NO_VALUE)
SHOWN = (VALUES[0], NO_VALUE, VALUES[2], NO_VALUE)
PROOF: dict[str, Any] = {
    "deal": 1,
    "secret": d.SECRET,
    "cuts": b"".join(value[:8] for value in SHOWN),
    "values": SHOWN,
    "missing": 0b0010,
}


def judge(**changes: Any) -> None:
    """See what is said of player 0's proof, in which player 1 has shown nothing."""
    promise = DealPromise(1, hashlib.sha256(d.SECRET).digest(), HASHES)
    record = SeatRecord(1, 0, promise, value=VALUES[0])
    check(record, ServerFrame(DEAL_PROOF, 1, {**PROOF, **changes}))


def test_a_proof() -> None:
    judge()


@pytest.mark.parametrize(
    "changes",
    [
        {"deal": 2},
        {"secret": bytes(16)},
        {"missing": 0},
        {"missing": 0b1010},
        *({"cuts": b"\7" * at + PROOF["cuts"][at:]} for at in (1, 9, 17, 25)),
        *({"values": (*SHOWN[:at], b"\7" * 32, *SHOWN[at + 1 :])} for at in range(4)),
        {"values": (*SHOWN[:2], NO_VALUE, NO_VALUE), "missing": 0b0010},
        {"values": (SHOWN[0], *VALUES[1:], NO_VALUE)},
        {"values": (NO_VALUE, *SHOWN[1:]), "missing": 0b0011, "cuts": bytes(8) + PROOF["cuts"][8:]},
    ],
)
def test_a_wrong_proof(changes: dict[str, Any]) -> None:
    with pytest.raises(Nonsense):
        judge(**changes)


# -- one promise for one value --


def test_one_value_is_for_one_promise() -> None:
    values = Values(bytes(32))
    first = DealPromise(1, bytes(32), (NO_VALUE, values.hash(0), NO_VALUE, NO_VALUE))
    assert values.take(first, 1)
    assert values.take(first, 1)
    assert values.of(first) == values.value(0)
    for other in (
        first._replace(deal=2),
        first._replace(commitment=b"\1" * 32),
        first._replace(hashes=(b"\1" * 32, *first.hashes[1:])),
    ):
        with pytest.raises(Nonsense, match="has the hash that was in"):
            values.take(other, 1)
    second = first._replace(hashes=(NO_VALUE, values.hash(1), NO_VALUE, NO_VALUE))
    assert not values.take(second._replace(hashes=first.hashes[:1] * 4), 1)
    assert values.take(second, 1)
    assert values.of(second) == values.value(1)


def test_coming_back_it_shows_the_same_value_for_the_same_promise() -> None:
    """And for another one, in the same place, none."""
    promise = promised(OWN.hash(0))
    first, _ = play([*d.forming(), d.HAND[0], promise, QUERY])
    register, _, _, seated, persons = d.forming()
    for changed in (False, True):
        again = promised(OWN.hash(0), OWN.hash(1)) if changed else promise
        back = [register, seated, persons, d.tell(211, 1), d.HAND[0], d.tell(216, *[0] * 16), again]
        second = d.Ann(CUTTING, first.ticket, first)
        second.records = {}
        wire = d.ScriptWire(d.join(0, 1, 1, 1), [*back, d.tell(211, 0), QUERY])
        if changed:
            with pytest.raises(Nonsense, match="has the hash that was in"):
                wire.run(second.talk())
            assert [kind for kind, _, _ in wire.said] == [REGISTER_PLAYER]
        else:
            wire.run(second.talk())
            assert wire.said[-1] == (CUT, 9, QUERY.right)

"""The independent client checks the moon and the rules of the next game."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import pytest

from . import dealer_script as script
from .plain_client import Fact
from .referee import Referee

MOON_RULES = (0, 26, 2, 0, 0, 1, 0, 3, 0, 1)
OTHER_RULES = (1, 50, 0, 1, 1, 0, 1, 0, 1, 0)
LONG = "23456789TJQKA"


def moon() -> Iterator[script.ScriptFrame]:
    """Ann holds the clubs and takes all; then they play by other rules. Not dealt from a secret."""
    yield script.tell(113, *MOON_RULES, 60000, 0)
    yield script.tell(114, 1, 0)
    held = {*range(14, 27)}
    for number in sorted(held):
        yield script.alone(127, number)
    yield script.tell(212, 0)
    rows, points = [], 0
    for r in LONG:
        points += 1 + 13 * (r == "Q")
        rows.append(f"0 {r}C {r}H {r}D {r}S | 0 | {points} 0 0 0")
    yield from script.play_out(held, "\n".join(rows), MOON_BITS)
    yield script.tell(122, 0, 1)
    yield replace(script.alone(200, 60000, 415, *script.NO_BANK), right=script.join(1))
    yield script.tell(213, 0, 1, 0)
    score = (0, 1, 1, 1, 26, 0, 0, 0, 26, 0, 0, 0, 26, 0, 0, 0)
    yield script.tell(105, 0, 0, 0, *score, 0, 0, 26, 26, 26, 0b0001)
    yield script.tell(106, *score, 0b0001, 0)
    yield script.tell(116, *OTHER_RULES, 0)
    yield replace(script.alone(201, 60000, 416, *script.NO_BANK), right=script.join(1))
    yield script.tell(214, 0, 1, 0)
    yield script.tell(113, *OTHER_RULES, 0, 0)


MOON_BITS = 2 << 9 | 3 << 16
MOON = [*script.forming(), *moon()]


def shoot(steps: Sequence[script.ScriptFrame]) -> script.Ann:
    session = script.Ann(replace(script.SETTINGS, plodding=True, committed=False, again=1))
    session.plays = [
        script.join(number) for number in script.cards(" ".join(f"{r}C" for r in LONG))
    ]
    script.ScriptWire(script.join(0, 1, 1), steps).run(session.talk())
    return session


def test_the_moon_and_the_next_game() -> None:
    session = shoot(MOON)
    report = Referee({0: session.facts}).judge()
    assert (report.shooters, report.decisions, report.winners) == ([0], [1], [(0,)])
    # Jack, exact=zero, dump, bleed, rotate, notrick and queen-keeps.
    bits = 1 << 8 | 1 << 11 | 1 << 13 | 1 << 14 | 1 << 15 | 1 << 18 | 1 << 19
    assert session.facts[-2] == Fact("table", (1, bits, 50, 0, 0b1100))


@pytest.mark.parametrize("more", [1, -1])
def test_no_changed_number_of_the_moon_passes(more: int) -> None:
    start = next(n for n, step in enumerate(MOON) if step.type == 122)
    undecided = {(200, 0), (201, 0), (213, 2), (214, 2)}
    for at, step in enumerate(MOON[start:], start):
        for place, part in enumerate(step.parts):
            assert isinstance(part, int)
            turn_limit = step.type == 113 and place == 10
            if (step.type, place) in undecided or turn_limit:
                continue
            lie = script.put(MOON, at, script.changed(step, place, part + more))
            assert script.fails(lie, shoot), (
                f"type {step.type}: {part + more} for {part} at {place}"
            )

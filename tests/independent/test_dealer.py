"""The independent client of the dealer dialect sees every fault in what a dealer says."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import pytest

from .client import Fact, Nonsense
from .dealer_script import (
    PASSED,
    SCRIPT,
    SETTINGS,
    STANDARD,
    Ann,
    Step,
    Wire,
    alone,
    cards,
    fails,
    forming,
    join,
    person,
    play,
    tell,
)
from .referee import Referee


@pytest.fixture(scope="module")
def whole() -> Ann:
    return play()[0]


def test_the_script_is_played_to_its_end(whole: Ann) -> None:
    assert [frame.type for frame in whole.frames] == [step.type for step in SCRIPT]
    assert [frame.sequence for frame in whole.frames] == [*range(1, len(SCRIPT) + 1)]
    assert [fact.kind for fact in whole.facts[-3:]] == ["again", "new game", "end"]


def test_the_answers_are_frames_with_the_sequence_of_their_query() -> None:
    _, wire = play()
    queries = [(s.type, n, s.right) for n, s in enumerate(SCRIPT, 1) if s.query and s.right]
    introduction = (126, 1, join(3, 0, 0, "I am not here"))
    assert wire.said == [introduction, *queries]


def test_the_facts_are_those_of_a_plain_client(whole: Ann) -> None:
    report = Referee({0: whole.facts}).judge()
    assert (report.games, report.hands) == (1, 1)
    assert report.scores == [(8, 2, 16, 0)]
    assert Fact("passing", (5, 4, 9, 0)) in whole.facts
    assert Fact("received", tuple(sorted(cards(PASSED[3])))) in whole.facts
    assert Fact("table", (1, 0, 16, 60, 0b1100)) in whole.facts
    assert Fact("scores", (8, 2, 16, 0, 0b100011)) in whole.facts
    assert Fact("play", (1, 0)) in whole.facts


def free(step: Step, part: int) -> bool:
    """Whether nobody can know what this part has to be."""
    if step.type == 125:
        return step.parts[part - part % 6] != 0 and part % 6 in (1, 2, 3)
    if step.type == 133:
        return step.parts[-3] == 1 and part == len(step.parts) - 1
    # Several rules make no difference to this hand.
    places = {113: {1, 2, 4, 5, 7, 8, 9}, 126: {0}, 209: {1, 2}, 132: {2, 3}, 214: {2}}
    places |= {104: {0}, 108: {0}, 118: {0}, 201: {0}}
    return part in places.get(step.type, set())


@pytest.mark.parametrize("more", [1, pytest.param(-1, marks=pytest.mark.heavy)])
def test_no_changed_number_passes(more: int) -> None:
    done = [n for n, step in enumerate(SCRIPT) if step.type == 130]
    for at, step in enumerate(SCRIPT):
        if done[1] < at < done[11]:
            continue  # these tricks are like the others
        for place, part in enumerate(step.parts):
            if isinstance(part, str) or free(step, place):
                continue
            changed = bytes([part[0] ^ 1]) + part[1:] if isinstance(part, bytes) else part + more
            parts = (*step.parts[:place], changed, *step.parts[place + 1 :])
            lie = [*SCRIPT[:at], replace(step, parts=parts), *SCRIPT[at + 1 :]]
            assert fails(lie), f"step {at}, type {step.type}: {changed!r} for {part!r} at {place}"


def test_more_time_than_the_turn_limit_does_not_pass() -> None:
    for at, step in enumerate(SCRIPT):
        if step.query and step.right:
            for left in (60001, -1):
                parts = (left, *step.parts[1:])
                assert fails([*SCRIPT[:at], replace(step, parts=parts), *SCRIPT[at + 1 :]])


def test_no_missing_frame_passes() -> None:
    for at, step in enumerate(SCRIPT[:-1]):
        may_be_missing = step.type == 132 and at > 2
        assert fails([*SCRIPT[:at], *SCRIPT[at + 1 :]]) != may_be_missing, f"{at}: {step}"


def test_no_doubled_frame_passes() -> None:
    for at, step in enumerate(SCRIPT):
        may_come_twice = step.type == 132 and at == 2
        assert fails([*SCRIPT[: at + 1], *SCRIPT[at:]]) != may_come_twice, f"{at}: {step}"


def test_no_swapped_frames_pass() -> None:
    for at, (first, second) in enumerate(pairwise(SCRIPT)):
        meant = first == second or {first.type, second.type} <= {127, 132, 125}
        meant = meant or 132 in (first.type, second.type)
        if not meant:
            lie = [*SCRIPT[:at], second, first, *SCRIPT[at + 2 :]]
            assert fails(lie), f"{at}: {first}, {second}"


@pytest.mark.parametrize(
    "wrong",
    [
        pytest.param(tell(107, 0), id="too long"),
        pytest.param(tell(112), id="unknown"),
        pytest.param(tell(105), id="too short"),
        pytest.param(tell(205, b"\0\0\0\3a\0\0"), id="two NULs"),
        pytest.param(tell(205, b"\0\0\0\3ab\xff"), id="no NUL"),
        pytest.param(tell(205, b"\0\0\0\2\xff\0"), id="no UTF-8"),
        pytest.param(tell(205, "a\u202eb"), id="hidden character"),
        pytest.param(tell(205, b"\0" * 4100), id="too many bytes"),
        pytest.param(tell(205, "a" * 1024), id="too long a text"),
        pytest.param(tell(207), id="pong without ping"),
        pytest.param(tell(208, 1, 126, -21, -1, ""), id="error for nothing"),
        pytest.param(tell(211, 0), id="past ends"),
        pytest.param(tell(124, 60000, 417, *STANDARD, 0), id="rules for player 0"),
        pytest.param(tell(135, 1, *person(1, 5, "Bob")), id="another name"),
        pytest.param(tell(135, 3, *person(1, 5, "Ben")), id="stand-in that is there"),
        pytest.param(tell(202, 5000, 404, 1), id="cut that nobody wants"),
    ],
)
def test_a_wrong_frame_does_not_pass(wrong: Step) -> None:
    for at in (8, 30, 60):
        assert fails([*SCRIPT[:at], wrong, *SCRIPT[at:]])


def test_what_may_come_at_any_place_does() -> None:
    asides = [
        tell(205, "the disk is full"),
        tell(135, 1, 1, 5, 0, 0, "Ben", ""),
        tell(135, 3, 1, 5, 0, 2, "Ben", ""),
        tell(135, 2, 1, 5, 0, 1, "Ben", ""),
        tell(116, *STANDARD[:-1], 0, 0),
        alone(215, 1, "no"),
    ]
    for at in range(len(forming()), len(SCRIPT), 3):
        session, _ = play([*SCRIPT[:at], *asides, *SCRIPT[at:]])
        assert session.facts[-2].kind == "new game"


def test_a_gap_in_the_sequence_does_not_pass() -> None:
    wire = Wire(join(0, 1, 1), SCRIPT)
    wire._sequence = 1
    with pytest.raises(Nonsense, match="sequence 1 is due"):
        wire.run(Ann(SETTINGS).talk())


def test_nothing_comes_after_the_session_or_its_abort() -> None:
    assert fails([*SCRIPT, tell(113, *STANDARD, 60000, 0)])
    assert fails([*SCRIPT[:40], tell(101, 1, "shutting down"), *SCRIPT[40:]])
    session, _ = play([*SCRIPT[:40], tell(101, 1, "shutting down")])
    assert session.facts[-1].kind == "end"


def test_a_refusal() -> None:
    session, _ = play([SCRIPT[0], tell(210, -106, "too slow")])
    assert session.facts[-2] == Fact("refused", (-106,), ("too slow",))
    assert fails([SCRIPT[0], tell(210, -3, "never")])
    assert fails([SCRIPT[0], tell(210, -106, "too slow"), *SCRIPT[1:]])

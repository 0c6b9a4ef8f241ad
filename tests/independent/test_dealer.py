"""The independent client of the dealer dialect sees every fault in what a dealer says."""

from __future__ import annotations

from itertools import pairwise

import pytest

from . import dealer_script as script
from .plain_client import Fact, Nonsense
from .referee import Referee


def test_the_script_is_played_to_its_end(whole: script.Ann) -> None:
    assert [frame.type for frame in whole.frames] == [step.type for step in script.SCRIPT]
    assert [frame.sequence for frame in whole.frames] == [*range(1, len(script.SCRIPT) + 1)]
    assert [fact.kind for fact in whole.facts[-3:]] == ["again", "new game", "end"]


def test_the_answers_are_frames_with_the_sequence_of_their_query() -> None:
    _, wire = script.play()
    queries = [(s.type, n, s.right) for n, s in enumerate(script.SCRIPT, 1) if s.query and s.right]
    introduction = (126, 1, script.join(3, 0, 0, "I am not here"))
    assert wire.said == [introduction, *queries]


def test_the_facts_are_those_of_a_plain_client(whole: script.Ann) -> None:
    report = Referee({0: whole.facts}).judge()
    assert (report.games, report.hands) == (1, 1)
    assert report.scores == [(8, 2, 16, 0)]
    assert Fact("passing", (5, 4, 9, 0)) in whole.facts
    assert Fact("received", tuple(sorted(script.cards(script.PASSED[3])))) in whole.facts
    assert Fact("table", (1, 0, 16, 60, 0b1100)) in whole.facts
    assert Fact("scores", (8, 2, 16, 0, 0b100011)) in whole.facts
    assert Fact("play", (1, 0)) in whole.facts


def free(step: script.ScriptFrame, part: int) -> bool:
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
    done = [n for n, step in enumerate(script.SCRIPT) if step.type == 130]
    for at, step in enumerate(script.SCRIPT):
        if done[1] < at < done[11]:
            continue  # these tricks are like the others
        for place, part in enumerate(step.parts):
            if isinstance(part, str) or free(step, place):
                continue
            other = bytes([part[0] ^ 1]) + part[1:] if isinstance(part, bytes) else part + more
            lie = script.put(script.SCRIPT, at, script.changed(step, place, other))
            assert script.fails(lie), f"step {at}, type {step.type}: {other!r} at {place}"


def test_more_time_than_the_turn_limit_does_not_pass() -> None:
    for at, step in enumerate(script.SCRIPT):
        if step.query and step.right:
            for left in (60001, -1):
                assert script.fails(script.put(script.SCRIPT, at, script.changed(step, 0, left)))


def test_no_missing_or_doubled_frame_passes() -> None:
    for at, step in enumerate(script.SCRIPT[:-1]):
        is_waiting = step.type == 132
        missing, twice = (script.put(script.SCRIPT, at, *n * [step]) for n in (0, 2))
        assert script.fails(missing) != (is_waiting and at > 2), f"{at}: {step}"
        assert script.fails(twice) != (is_waiting and at == 2), f"{at}: {step}"
    assert script.fails([*script.SCRIPT, script.SCRIPT[-1]])


def test_no_swapped_frames_pass() -> None:
    for at, (first, second) in enumerate(pairwise(script.SCRIPT)):
        meant = first == second or {first.type, second.type} <= {127, 132, 125}
        meant = meant or 132 in (first.type, second.type)
        if not meant:
            lie = script.put(script.SCRIPT, at, second, first, gone=2)
            assert script.fails(lie), f"{at}: {first}, {second}"


@pytest.mark.parametrize(
    "wrong",
    [
        pytest.param(script.tell(107, 0), id="too long"),
        pytest.param(script.tell(112), id="unknown"),
        pytest.param(script.tell(105), id="too short"),
        pytest.param(script.tell(205, b"\0\0\0\3a\0\0"), id="two NULs"),
        pytest.param(script.tell(205, b"\0\0\0\3ab\xff"), id="no NUL"),
        pytest.param(script.tell(205, b"\0\0\0\2\xff\0"), id="no UTF-8"),
        pytest.param(script.tell(205, "a\u202eb"), id="hidden character"),
        pytest.param(script.tell(205, b"\0" * 4100), id="too many bytes"),
        pytest.param(script.tell(205, "a" * 1024), id="too long a text"),
        pytest.param(script.tell(207), id="pong without ping"),
        pytest.param(script.tell(208, 1, 126, -21, -1, ""), id="error for nothing"),
        pytest.param(script.tell(211, 0), id="past ends"),
        pytest.param(script.tell(124, 60000, 417, *script.STANDARD, 0), id="rules for player 0"),
        pytest.param(script.tell(135, 1, *script.person(1, 5, "Bob")), id="another name"),
        pytest.param(script.tell(135, 3, *script.person(1, 5, "Ben")), id="stand-in that is there"),
        pytest.param(script.tell(202, 5000, 404, 1), id="cut that nobody wants"),
    ],
)
def test_a_wrong_frame_does_not_pass(wrong: script.ScriptFrame) -> None:
    for at in (8, 30, 60):
        assert script.fails(script.put(script.SCRIPT, at, wrong, gone=0))


def test_what_may_come_at_any_place_does() -> None:
    asides = [
        script.tell(205, "the disk is full"),
        script.tell(135, 1, 1, 5, 0, 0, "Ben", ""),
        script.tell(135, 3, 1, 5, 0, 2, "Ben", ""),
        script.tell(135, 2, 1, 5, 0, 1, "Ben", ""),
        script.tell(116, *script.STANDARD[:-1], 0, 0),
        script.alone(215, 1, "no"),
    ]
    for at in range(len(script.forming()), len(script.SCRIPT), 3):
        session, _ = script.play(script.put(script.SCRIPT, at, *asides, gone=0))
        assert session.facts[-2].kind == "new game"


def test_a_gap_in_the_sequence_does_not_pass() -> None:
    wire = script.ScriptWire(script.join(0, 1, 1), script.SCRIPT)
    wire._sequence = 1
    with pytest.raises(Nonsense, match="sequence 1 is due"):
        wire.run(script.Ann(script.SETTINGS).talk())


def test_nothing_comes_after_the_session_or_its_abort() -> None:
    assert script.fails([*script.SCRIPT, script.tell(113, *script.STANDARD, 60000, 0)])
    abort = script.tell(101, 1, "shutting down")
    assert script.fails(script.put(script.SCRIPT, 40, abort, gone=0))
    session, _ = script.play([*script.SCRIPT[:40], abort])
    assert session.facts[-1].kind == "end"


def test_a_refusal() -> None:
    session, _ = script.play([script.SCRIPT[0], script.tell(210, -106, "too slow")])
    assert session.facts[-2] == Fact("refused", (-106,), ("too slow",))
    assert script.fails([script.SCRIPT[0], script.tell(210, -3, "never")])
    assert script.fails([script.SCRIPT[0], script.tell(210, -106, "too slow"), *script.SCRIPT[1:]])

"""The independent client knows which error each of its bad answers deserves."""

from __future__ import annotations

import struct
from collections.abc import Callable
from dataclasses import replace

import pytest

from . import dealer_script as d
from .dealer import Wish
from .plain_client import Nonsense
from .referee import Referee


class Strict:
    """Judges answers as 14.5 says."""

    def __init__(
        self, spoil: Callable[[d.ScriptFrame], list[d.ScriptFrame]] = lambda error: [error]
    ) -> None:
        self._spoil = spoil
        self._tries: dict[int, int] = {}
        self._answered: set[int] = set()

    def __call__(
        self, query: d.ScriptFrame, sequence: int, frame: tuple[int, int, bytes]
    ) -> list[d.ScriptFrame]:
        kind, _, payload = frame
        if kind == 206:
            return [d.alone(207, payload)]
        if kind > 215:
            return [] if kind != 221 else self._error(frame, -26, -1)
        reason, left = self._reason(query, sequence, frame), -1
        if reason == 0:
            self._answered.add(sequence)
            return []
        if reason > -20 or reason == -23:
            self._tries[sequence] = self._tries.get(sequence, 0) + 1
            left = 10 - self._tries[sequence]
            if left <= 0:
                raise AssertionError("the script cannot decide for her")
        return self._error(frame, reason, left)

    def _reason(self, query: d.ScriptFrame, sequence: int, frame: tuple[int, int, bytes]) -> int:
        kind, in_reply_to, payload = frame
        if kind == 126:
            return 0
        if in_reply_to != sequence:
            return -21
        if kind != query.type:
            return -22
        if len(payload) < len(query.right):
            return -23
        if sequence in self._answered:
            return -24
        if payload == query.right:
            return 0
        if query.type == 104:
            return -1
        return query.statuses.get(struct.unpack(">i", payload)[0], -23)

    def _error(self, frame: tuple[int, int, bytes], reason: int, left: int) -> list[d.ScriptFrame]:
        kind = {104: 117, 108: 119, 118: 119}.get(frame[0], 208)
        return self._spoil(d.alone(kind, frame[1], frame[0], reason, left, "why"))


BAD = replace(
    d.SETTINGS, wrong=0.3, doubled=0.5, unasked=0.5, mistyped=0.5, short=0.2, unknown=0.3, pings=0.5
)


def test_bad_answers_get_their_errors_and_change_nothing(whole: d.Ann) -> None:
    reasons = set()
    for seed in range(30):
        session, _ = d.play(d.SCRIPT, replace(BAD, seed=seed), Strict())
        reasons.update(session.errors)
        tries = ("play", "passing")
        told = [f for f in session.facts if f.kind not in tries or f.numbers[-1] >= 0]
        assert told == whole.facts
        assert Referee({0: session.facts}).judge().games == 1
    assert reasons == {-1, -2, -6, -7, -21, -22, -23, -24}


@pytest.mark.parametrize(
    ("name", "spoil"),
    [
        ("missing", lambda error: []),
        ("twice", lambda error: [error, error]),
        ("another query", lambda error: [d.changed(error, 0, 5000)]),
        ("another type", lambda error: [d.changed(error, 1, 126)]),
        ("another reason", lambda error: [d.changed(error, 2, -26)]),
        ("more tries", lambda error: [d.changed(error, 3, error.parts[3] + 1)]),
        ("another error", lambda error: [replace(error, type=118 + 208 - error.type)]),
        ("a word too much", lambda error: [d.changed(error, 4, "why\n")]),
    ],
)
def test_a_wrong_error_does_not_pass(
    name: str, spoil: Callable[[d.ScriptFrame], list[d.ScriptFrame]]
) -> None:
    del name
    for seed in range(5):
        with pytest.raises(Nonsense):
            d.play(d.SCRIPT, replace(BAD, seed=seed), Strict(spoil))


def test_a_wish_is_refused() -> None:
    wishes = (Wish(1, 221, d.join(1), -26),)
    session, _ = d.play(d.SCRIPT, replace(d.SETTINGS, wishes=wishes), Strict())
    assert session.errors == [-26]
    with pytest.raises(Nonsense):
        d.play(d.SCRIPT, replace(d.SETTINGS, wishes=(replace(wishes[0], reason=-25),)), Strict())


def forced() -> list[d.ScriptFrame]:
    """The same, where the clock decides each choice of Ann in the hand."""
    steps = []
    for step in d.SCRIPT:
        if step.type in (110, 111) or (step.type == 133 and step.parts[-3] == 0):
            step = d.changed(step, len(step.parts) - 1, 1)
        steps.append(step)
    return steps


def test_late_answers_are_too_late() -> None:
    """The last is not: the game is decided by her."""

    def judge(
        query: d.ScriptFrame, sequence: int, frame: tuple[int, int, bytes]
    ) -> list[d.ScriptFrame]:
        if frame[0] == 126 or query.type == 201:
            return []
        kind = {104: 117, 108: 119, 118: 119}[frame[0]]
        return [d.alone(kind, sequence, frame[0], -20, -1, "too late")]

    class Late(d.Ann):
        def _chance(self, part: float) -> bool:
            return part > 0 and self._open is not None and self._open.type != 201

    session = Late(replace(d.SETTINGS, late=1.0))
    d.ScriptWire(d.join(0, 1, 1), forced(), judge).run(session.talk())
    assert session.errors == [-20] * 14
    report = Referee({0: session.facts}).judge()
    assert report.forced[0] == 14
    silent = Late(replace(d.SETTINGS, late=1.0))
    with pytest.raises(Nonsense, match="no error came"):
        d.ScriptWire(d.join(0, 1, 1), forced()).run(silent.talk())

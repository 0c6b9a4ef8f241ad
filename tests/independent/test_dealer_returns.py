"""The independent client comes back, and looks on, and sees the same story."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from .client import Fact, Nonsense, Settings, Ticket
from .dealer import Watcher
from .dealer_proof import dealt
from .dealer_script import (
    CUTS,
    HAND,
    SCORE,
    SECRET,
    SETTINGS,
    Ann,
    Step,
    Wire,
    alone,
    changed,
    forming,
    join,
    people,
    play,
    tell,
)
from .joined import Joined
from .referee import Referee

# -- coming back --


def back_at(at: int, ticket: Ticket) -> tuple[bytes, list[Step]]:
    """What the server says to who comes back after so many steps of the hand."""
    start = next((n + 1 for n, step in enumerate(HAND) if step.type == 106 and n < at), 1)
    past = [s for s in HAND[start:at] if not s.query and s.type != 132]
    open_query = [HAND[at - 1]] if HAND[at - 1].query else []
    decided = sum(step.type in (110, 111) for step in past) + sum(step.type == 214 for step in past)
    register, _, _, seated, persons = forming()
    begin = [register, seated, persons, tell(211, 1), HAND[0], standing(start > 1), *past]
    begin += [tell(211, 0), *open_query]
    assert ticket.hands == int(start > 1)
    return join(0, 1, 1, 1 + decided), [*begin, *HAND[at:]]


def standing(at_the_end: bool) -> Step:
    return tell(216, *(SCORE if at_the_end else [0] * 16))


def test_coming_back_at_any_place_tells_the_same_story(whole: Ann) -> None:
    for at in range(2, len(HAND), 3):
        first, _ = play([*forming(), *HAND[:at]])
        assert first.ticket is not None
        second = Ann(SETTINGS, first.ticket)
        second.records = first.records
        wire = Wire(*back_at(at, first.ticket))
        wire.run(second.talk())
        joined = Joined()
        joined.add(first.facts)
        joined.add(second.facts)
        told = [f for f in whole.facts if f.kind != "end"]
        assert joined.facts == told
        assert Referee({0: joined.facts}, came_back=True).judge().games == 1


def test_a_past_that_was_another_does_not_pass() -> None:
    first, _ = play([*forming(), *HAND[:40]])
    assert first.ticket is not None
    before, steps = back_at(40, first.ticket)
    lies: list[tuple[bytes, list[Step]]] = [
        (join(0, 1, 1, 9), steps),
        (before, [s for s in steps if s.type != 211 or s.parts == (0,)]),
        (before, [s for s in steps if s.type != 211 or s.parts == (1,)]),
        (before, [*steps[:5], alone(132, 404, 1, 1000, 1000), *steps[5:]]),
        (before, [*steps[:8], HAND[16], *steps[8:]]),
        (before, [changed(s, 0, 8) if s.type == 209 else s for s in steps]),
        (before, [changed(s, 1, bytes(32)) if s.type == 203 else s for s in steps]),
        (before, [s for s in steps if s.type != 216]),
        (before, [changed(s, 0, 1) if s.type == 216 else s for s in steps]),
    ]
    for lie in lies:
        second = Ann(SETTINGS, first.ticket)
        second.records = first.records
        with pytest.raises(Nonsense):
            Wire(*lie).run(second.talk())


# -- watching --

SEEN = [step for step in HAND if step.everybody][1:]
WATCHED = [tell(209, 4, 7, 0, "Table 1"), tell(125, *people()), tell(211, 1), HAND[0]]
WATCHED += [standing(at_the_end=False)]


def watch(steps: Sequence[Step], *, bothers: bool = False) -> Watcher:
    def answer(query: Step, sequence: int, frame: tuple[int, int, bytes]) -> list[Step]:
        return [alone(207, frame[2])] if frame[0] == 206 else []

    watcher = Watcher(Settings(name="Eve"), 7, bothers=bothers)
    Wire(join(2, 1, 1, 1), steps, answer, counted=False).run(watcher.talk())
    return watcher


@pytest.mark.parametrize("bothers", [False, True])
def test_a_watcher_sees_what_is_open(bothers: bool, whole: Ann) -> None:
    seen = {"table", "pass", "leads", "tallies", "moon", "new game", "end"}
    for at in (1, 20, 40):
        watcher = watch([*WATCHED, *SEEN[:at], tell(211, 0), *SEEN[at:]], bothers=bothers)
        told = [fact for fact in watcher.facts if fact.kind in seen]
        assert told == [fact for fact in whole.facts if fact.kind in seen]
        assert sum(fact.kind == "saw" for fact in watcher.facts) == 52
        assert Fact("scores", (8, 2, 16, 0, 0b100001)) in watcher.facts


def test_a_watcher_must_not_see_more() -> None:
    good = [*WATCHED, *SEEN[:20], tell(211, 0), *SEEN[20:]]
    hidden = [s for s in HAND if not s.everybody] + [alone(132, 410, 1, 1000, -1)]
    for secret in hidden:
        for at in (7, 30):
            with pytest.raises(Nonsense):
                watch([*good[:at], secret, *good[at:]])
    with pytest.raises(Nonsense, match="another game"):
        watch([changed(good[0], 2, 5), *good[1:]])
    with pytest.raises(Nonsense):
        watch([changed(good[0], 0, 0), *good[1:]])


def test_the_cards_of_the_test_vectors() -> None:
    """Section 7.5; the last throws a word away."""
    last = dealt(bytes.fromhex("00000000000000000000000000020ba5"), CUTS)
    assert last[0] == [3, 4, 6, 12, 16, 26, 30, 33, 37, 39, 40, 45, 52]
    assert dealt(SECRET, CUTS)[3] == [3, 4, 8, 11, 13, 27, 28, 34, 39, 41, 42, 46, 52]
    assert dealt(SECRET, bytes(31) + b"\1") != dealt(SECRET, CUTS)

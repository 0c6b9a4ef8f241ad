"""The independent client comes back, and looks on, and sees the same story."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from . import dealer_script as d
from .dealer import DealerWatcher
from .dealer_proof import dealt
from .joined import Joined
from .plain_client import ClientHabits, Fact, Nonsense, Ticket
from .referee import Referee

# -- coming back --


def back_at(at: int, ticket: Ticket) -> tuple[bytes, list[d.ScriptFrame]]:
    """What the server says to who comes back after so many steps of the hand."""
    start = next((n + 1 for n, step in enumerate(d.HAND) if step.type == 106 and n < at), 1)
    past = [s for s in d.HAND[start:at] if not s.query and s.type != 132]
    open_query = [d.HAND[at - 1]] if d.HAND[at - 1].query else []
    decided = sum(step.type in (110, 111) for step in past) + sum(step.type == 214 for step in past)
    register, _, _, seated, persons = d.forming()
    begin = [register, seated, persons, d.tell(211, 1), d.HAND[0], standing(start > 1), *past]
    begin += [d.tell(211, 0), *open_query]
    assert ticket.hands == int(start > 1)
    return d.join(0, 1, 1, 1 + decided), [*begin, *d.HAND[at:]]


def standing(at_the_end: bool) -> d.ScriptFrame:
    return d.tell(216, *(d.SCORE if at_the_end else [0] * 16))


def test_coming_back_at_any_place_tells_the_same_story(whole: d.Ann) -> None:
    for at in range(2, len(d.HAND), 3):
        first, _ = d.play([*d.forming(), *d.HAND[:at]])
        assert first.ticket is not None
        second = d.Ann(d.SETTINGS, first.ticket)
        second.records = first.records
        wire = d.ScriptWire(*back_at(at, first.ticket))
        wire.run(second.talk())
        joined = Joined()
        joined.add(first.facts)
        joined.add(second.facts)
        told = [f for f in whole.facts if f.kind != "end"]
        assert joined.facts == told
        assert Referee({0: joined.facts}, came_back=True).judge().games == 1


def test_a_past_that_was_another_does_not_pass() -> None:
    first, _ = d.play([*d.forming(), *d.HAND[:40]])
    assert first.ticket is not None
    before, steps = back_at(40, first.ticket)
    lies: list[tuple[bytes, list[d.ScriptFrame]]] = [
        (d.join(0, 1, 1, 9), steps),
        (before, [s for s in steps if s.type != 211 or s.parts == (0,)]),
        (before, [s for s in steps if s.type != 211 or s.parts == (1,)]),
        (before, [*steps[:5], d.alone(132, 404, 1, 1000, 1000), *steps[5:]]),
        (before, [*steps[:8], d.HAND[16], *steps[8:]]),
        (before, [d.changed(s, 0, 8) if s.type == 209 else s for s in steps]),
        (before, [d.changed(s, 1, bytes(32)) if s.type == 203 else s for s in steps]),
        (before, [s for s in steps if s.type != 216]),
        (before, [d.changed(s, 0, 1) if s.type == 216 else s for s in steps]),
    ]
    for lie in lies:
        second = d.Ann(d.SETTINGS, first.ticket)
        second.records = first.records
        with pytest.raises(Nonsense):
            d.ScriptWire(*lie).run(second.talk())


# -- watching --

SEEN = [step for step in d.HAND if step.everybody][1:]
WATCHED = [d.tell(209, 4, 7, 0, "Table 1"), d.tell(125, *d.people()), d.tell(211, 1), d.HAND[0]]
WATCHED += [standing(at_the_end=False)]


def watch(steps: Sequence[d.ScriptFrame], *, bothers: bool = False) -> DealerWatcher:
    def answer(
        query: d.ScriptFrame, sequence: int, frame: tuple[int, int, bytes]
    ) -> list[d.ScriptFrame]:
        return [d.alone(207, frame[2])] if frame[0] == 206 else []

    watcher = DealerWatcher(ClientHabits(name="Eve"), 7, bothers=bothers)
    d.ScriptWire(d.join(2, 1, 1, 1), steps, answer, counted=False).run(watcher.talk())
    return watcher


@pytest.mark.parametrize("bothers", [False, True])
def test_a_watcher_sees_what_is_open(bothers: bool, whole: d.Ann) -> None:
    seen = {"table", "pass", "leads", "tallies", "moon", "new game", "end"}
    for at in (1, 20, 40):
        watcher = watch([*WATCHED, *SEEN[:at], d.tell(211, 0), *SEEN[at:]], bothers=bothers)
        told = [fact for fact in watcher.facts if fact.kind in seen]
        assert told == [fact for fact in whole.facts if fact.kind in seen]
        assert sum(fact.kind == "saw" for fact in watcher.facts) == 52
        assert Fact("scores", (8, 2, 16, 0, 0b100001)) in watcher.facts


def test_a_watcher_must_not_see_more() -> None:
    good = [*WATCHED, *SEEN[:20], d.tell(211, 0), *SEEN[20:]]
    hidden = [s for s in d.HAND if not s.everybody] + [d.alone(132, 410, 1, 1000, -1)]
    for secret in hidden:
        for at in (7, 30):
            with pytest.raises(Nonsense):
                watch([*good[:at], secret, *good[at:]])
    with pytest.raises(Nonsense, match="another game"):
        watch([d.changed(good[0], 2, 5), *good[1:]])
    with pytest.raises(Nonsense):
        watch([d.changed(good[0], 0, 0), *good[1:]])


def test_the_cards_of_the_test_vectors() -> None:
    """Section 7.5; the last throws a word away."""
    last = dealt(bytes.fromhex("00000000000000000000000000020ba5"), d.CUTS)
    assert last[0] == [3, 4, 6, 12, 16, 26, 30, 33, 37, 39, 40, 45, 52]
    assert dealt(d.SECRET, d.CUTS)[3] == [3, 4, 8, 11, 13, 27, 28, 34, 39, 41, 42, 46, 52]
    assert dealt(d.SECRET, bytes(31) + b"\1") != dealt(d.SECRET, d.CUTS)

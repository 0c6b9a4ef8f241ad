"""What a client remembers to come back, and its text form."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from hearts.game.deal import DealPromised
from hearts.session.messages import Scores
from hearts.session.own_cuts import OwnCuts, OwnPromise
from hearts.session.resume_token import InvalidResumeToken, ResumeToken
from hearts.wire.codec import INT_MAX, INT_MIN, is_printable
from hearts.wire.credentials import SeatCredentials
from tests.plain.script import NEW

ids = st.integers(0, INT_MAX)
names = st.text(max_size=30).filter(lambda text: is_printable(text) and len(text.encode()) <= 30)
four_scores = st.tuples(*4 * [st.integers(INT_MIN, INT_MAX)])


@st.composite
def scores(draw: st.DrawFn) -> Scores:
    winners = tuple(sorted(draw(st.sets(st.integers(0, 3)))))
    return Scores(draw(four_scores), winners, bool(winners) and draw(st.booleans()))


of_32 = st.binary(min_size=32, max_size=32).filter(any)
hashes = st.just(b"") | of_32
promises = st.builds(DealPromised, st.integers(1, INT_MAX), of_32, st.tuples(*4 * [hashes]))
own_promises = st.builds(OwnPromise, promises, ids, st.booleans(), st.booleans())
held = st.lists(own_promises, max_size=2).map(tuple)
own_cuts = st.builds(OwnCuts, of_32, ids, held, ids, st.booleans())


@st.composite
def progress(draw: st.DrawFn) -> ResumeToken:
    numbers = SeatCredentials(
        draw(st.integers(1, INT_MAX)), draw(ids), draw(st.integers(0, 3)), draw(ids)
    )
    made = ResumeToken(numbers, draw(st.tuples(*4 * [names])), cuts=draw(st.none() | own_cuts))
    for each in draw(st.lists(scores(), max_size=4)):
        made = made.after(each)
    return made if draw(st.booleans()) else made.without_count()


anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(st.text(max_size=3), inner),
    max_leaves=8,
)


@given(progress())
def test_there_and_back(made: ResumeToken) -> None:
    assert ResumeToken.from_dict(json.loads(json.dumps(made.to_dict()))) == made


@given(progress(), st.data())
def test_garbage_is_refused_or_means_something(made: ResumeToken, data: st.DataObject) -> None:
    spoiled = made.to_dict()
    inner: Any = spoiled
    while True:
        key = data.draw(st.sampled_from(sorted(inner)))
        if not isinstance(inner[key], dict) or data.draw(st.booleans()):
            break
        inner = inner[key]
    inner[key] = data.draw(anything)
    try:
        read = ResumeToken.from_dict(spoiled)
    except InvalidResumeToken:
        return
    assert ResumeToken.from_dict(read.to_dict()) == read


@pytest.mark.parametrize("data", [None, [], 7, {}, "x"])
def test_what_is_no_progress_at_all(data: object) -> None:
    with pytest.raises(InvalidResumeToken):
        ResumeToken.from_dict(data)


@pytest.mark.parametrize(
    ("key", "value", "why"),
    [
        ("game_number", 0, "game_number: expected int >= 1"),
        ("game_id", True, "game_id"),
        ("player", 4, "player: expected int <= 3"),
        ("process_id", 1 << 31, "process_id"),
        ("names", ["Ann", "Bob", "Cleo"], "names: expected array of length 4, got 3"),
        ("names", ["Ann", "Bob", "Cleo", "x" * 31], "four names"),
        ("names", ["Ann", "Bob", "Cleo", "\x1b[2J"], "four names"),
        ("names", ["Ann", "Bob", "Cleo", "\ud800"], "four names"),
        ("hands", 0, "hands and game_hands"),
        ("game_hands", 3, "hands and game_hands"),
        ("hands", -1, "hands and game_hands"),
        ("hands", -2, "hands: expected int >= -1"),
        ("scores", [1, 2, 3], "scores: expected array of length 4, got 3"),
        ("scores", None, "if, and only if"),
        ("winners", [4], "winners"),
        ("winners", [], "goes on"),
        ("you_decide", 1, "you_decide: expected bool, got int"),
    ],
)
def test_what_is_wrong_is_named(key: str, value: object, why: str) -> None:
    made = NEW.after(Scores((1, 2, 3, 20))).after(Scores((1, 2, 3, 104), (0,), you_decide=True))
    assert ResumeToken.from_dict(made.to_dict()) == made
    with pytest.raises(InvalidResumeToken, match=why) as caught:
        ResumeToken.from_dict({**made.to_dict(), key: value})
    assert str(made.credentials.process_id) not in str(caught.value)


HEX = bytes(range(32)).hex()
PROMISE = {
    "deal": 3,
    "digest": HEX,
    "hashes": [HEX, "-", "-", HEX],
    "value": 2,
    "is_spoiled": True,
    "is_redrawn": False,
}


@pytest.mark.parametrize(
    ("spoiled", "why"),
    [
        ({"key": HEX[1:]}, "cuts.key"),
        ({"key": HEX.upper()}, "cuts.key"),
        ({"key": f"{HEX}\n"}, "cuts.key"),
        ({"next": -1}, "cuts.next"),
        ({"next": 1 << 31}, "cuts.next"),
        ({"latest": -1}, "cuts.latest"),
        ({"is_open": 1}, "cuts.is_open"),
        ({"held": [PROMISE] * 3}, "cuts.held"),
        ({"held": [{**PROMISE, "deal": 0}]}, r"cuts.held\[0\].deal"),
        ({"held": [{**PROMISE, "digest": "-"}]}, r"cuts.held\[0\].digest"),
        ({"held": [{**PROMISE, "hashes": [HEX] * 3}]}, r"cuts.held\[0\].hashes"),
        ({"held": [{**PROMISE, "hashes": [HEX[1:]] * 4}]}, "hashes of a promise"),
        ({"held": [{**PROMISE, "hashes": ["0" * 64] * 4}]}, "hashes of a promise"),
    ],
)
def test_what_is_wrong_of_our_cuts_is_named(spoiled: dict[str, object], why: str) -> None:
    made = NEW.to_dict()
    good = {"key": HEX, "next": 4, "held": [PROMISE], "latest": 2, "is_open": True}
    own = ResumeToken.from_dict({**made, "cuts": good}).cuts
    promise = DealPromised(3, bytes(range(32)), (bytes(range(32)), b"", b"", bytes(range(32))))
    kept = OwnPromise(promise, 2, is_spoiled=True)
    assert own == OwnCuts(bytes(range(32)), 4, (kept,), latest=2, is_open=True)
    with pytest.raises(InvalidResumeToken, match=why) as caught:
        ResumeToken.from_dict({**made, "cuts": {**good, **spoiled}})
    assert HEX not in str(caught.value)
    with pytest.raises(InvalidResumeToken, match="cuts: object missing required field"):
        ResumeToken.from_dict({**made, "cuts": {"key": HEX}})


def test_our_cuts_stay_as_they_are_where_hands_are_counted() -> None:
    kept = replace(NEW, cuts=OwnCuts(bytes(range(32)), 7))
    for each in (kept.after(Scores((1, 2, 3, 20))), kept.without_count()):
        assert each.cuts == kept.cuts


def test_hands_of_a_game_and_of_the_session() -> None:
    one = NEW.after(Scores((1, 2, 3, 20)))
    over = one.after(Scores((1, 2, 3, 104), (0,)))
    next_game = over.after(Scores((26, 0, 0, 0)))
    made = [(each.hands, each.game_hands, each.game_over) for each in (NEW, one, over, next_game)]
    assert made == [(0, 0, False), (1, 1, False), (2, 2, True), (3, 1, False)]
    assert (NEW.scores, over.scores) == ((0, 0, 0, 0), (1, 2, 3, 104))


def test_a_count_that_is_unknown_stays_so() -> None:
    over = NEW.after(Scores((1, 2, 3, 104), (0,)))
    unknown = over.without_count()
    assert (unknown.hands, unknown.game_over, unknown.knows_count) == (-1, False, False)
    assert unknown.after(Scores((9, 9, 4, 4))) == unknown
    assert unknown.credentials == over.credentials

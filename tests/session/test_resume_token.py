"""What a client remembers to come back, and its text form."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hearts.session.messages import Scores
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


@st.composite
def progress(draw: st.DrawFn) -> ResumeToken:
    numbers = SeatCredentials(
        draw(st.integers(1, INT_MAX)), draw(ids), draw(st.integers(0, 3)), draw(ids)
    )
    made = ResumeToken(numbers, draw(st.tuples(*4 * [names])))
    for each in draw(st.lists(scores(), max_size=4)):
        made = made.after(each)
    return made if draw(st.booleans()) else made.without_count()


anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(st.text(max_size=3), inner),
    max_leaves=8,
)


@settings(max_examples=100, deadline=None)
@given(progress())
def test_there_and_back(made: ResumeToken) -> None:
    assert ResumeToken.from_dict(json.loads(json.dumps(made.to_dict()))) == made


@settings(max_examples=100, deadline=None)
@given(progress(), st.data())
def test_garbage_is_refused_or_means_something(made: ResumeToken, data: st.DataObject) -> None:
    spoiled = made.to_dict()
    key = data.draw(st.sampled_from(sorted(spoiled)))
    spoiled[key] = data.draw(anything)
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

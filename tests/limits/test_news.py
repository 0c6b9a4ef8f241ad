"""News of the same thing: the latest in place of many, and the last one in the end."""

from __future__ import annotations

from math import inf

from hypothesis import given
from hypothesis import strategies as st

from hearts.limits.news import NEWS_AT_ONCE, NEWS_EVERY, NewsLimiter

LEFT, BACK = "has left", "is back"


def flap(limiter: NewsLimiter[int, str], seat: int, times: int, now: float) -> list[str]:
    """What is told at once of a seat that leaves and comes back so often."""
    return [
        news
        for number in range(times)
        for news in [(LEFT, BACK)[number % 2]]
        if limiter.offer(seat, news, now)
    ]


def test_a_little_is_told_at_once_and_the_last_state_in_the_end() -> None:
    limiter: NewsLimiter[int, str] = NewsLimiter()
    assert flap(limiter, 0, 3431, 0) == [LEFT, BACK] * (NEWS_AT_ONCE // 2)
    assert limiter.due == NEWS_EVERY
    assert limiter.take(NEWS_EVERY - 0.01) == []
    assert limiter.take(NEWS_EVERY) == [(0, BACK, LEFT)]
    assert limiter.due == inf


def test_what_was_told_last_is_not_told_again() -> None:
    limiter: NewsLimiter[int, str] = NewsLimiter()
    flap(limiter, 0, 1000, 0)
    assert limiter.take(NEWS_EVERY) == []
    assert limiter.offer(0, LEFT, NEWS_EVERY), "it cost nothing"


def test_seats_are_apart() -> None:
    limiter: NewsLimiter[int, str] = NewsLimiter()
    flap(limiter, 0, 1001, 0)
    assert limiter.offer(1, LEFT, 0)
    flap(limiter, 1, 1000, 1)
    assert limiter.take(1 + NEWS_EVERY) == [(0, BACK, LEFT), (1, LEFT, BACK)]


def test_what_is_true_no_more_is_not_told() -> None:
    limiter: NewsLimiter[int, str] = NewsLimiter()
    flap(limiter, 0, 1001, 0)
    limiter.forget(0)
    assert limiter.due == inf
    assert limiter.take(1000) == []


def test_what_was_told_all_the_same_is_the_last() -> None:
    limiter: NewsLimiter[int, str] = NewsLimiter()
    assert limiter.told_before(0) is None
    flap(limiter, 0, 1001, 0)
    assert (limiter.told_before(0), limiter.waiting(0)) == (BACK, LEFT)
    limiter.was_told(0, "somebody else")
    assert limiter.waiting(0) is limiter.told_before(0) is None
    assert not limiter.offer(0, LEFT, 0)
    assert limiter.told_before(0) == "somebody else"


@given(st.lists(st.tuples(st.floats(0, 5), st.sampled_from([LEFT, BACK]))))
def test_the_last_that_is_told_is_the_last_that_was_so(steps: list[tuple[float, str]]) -> None:
    limiter: NewsLimiter[int, str] = NewsLimiter()
    told: list[str] = []
    now = 0.0
    for pause, news in steps:
        now += pause
        told += [late for _, _, late in limiter.take(now)]
        if limiter.offer(0, news, now):
            told.append(news)
        assert len(told) <= NEWS_AT_ONCE + now / NEWS_EVERY + 1e-6
    told += [late for _, _, late in limiter.take(now + NEWS_EVERY)]
    assert told[-1:] == [news for _, news in steps][-1:]
    assert limiter.due == inf

"""A limit on news of the same thing: the latest is told in place of many. Time is handed in."""

from __future__ import annotations

from collections.abc import Hashable
from math import inf
from typing import Generic, TypeVar

from .buckets import Bucket

TopicT = TypeVar("TopicT", bound=Hashable)
NewsT = TypeVar("NewsT")

NEWS_AT_ONCE = 6
"""News of one topic that is told at once: a player's line broke three times, and they are back."""
NEWS_EVERY = 10.0
"""Seconds between two pieces of news of a topic after that."""


class NewsLimiter(Generic[TopicT, NewsT]):
    """Lets news through, or keeps the latest of each topic until it is due.

    What is still true when it is due, and was told already, is not told again. The topics are
    few, for instance the seats of a table; it is the owner who sees to that.
    """

    __slots__ = ("_buckets", "_told", "_waiting", "due")

    def __init__(self) -> None:
        self._buckets: dict[TopicT, Bucket] = {}
        self._told: dict[TopicT, NewsT] = {}
        self._waiting: dict[TopicT, tuple[float, NewsT]] = {}
        self.due = inf
        """The time at which :meth:`take` has something."""

    def offer(self, topic: TopicT, news: NewsT, now: float) -> bool:
        """Return True if news is to be told now; else it waits, in place of older news of its
        topic.
        """
        bucket = self._buckets.get(topic)
        if bucket is None:
            bucket = self._buckets[topic] = Bucket(1 / NEWS_EVERY, NEWS_AT_ONCE, now)
        if topic not in self._waiting and bucket.take(now):
            self._told[topic] = news
            return True
        due, _ = self._waiting.get(topic, (now + (1 - bucket.level(now)) * NEWS_EVERY, news))
        self._waiting[topic] = due, news
        self.due = min(self.due, due)
        return False

    def take(self, now: float) -> list[tuple[TopicT, NewsT, NewsT]]:
        """Take the news that is due: each topic, the news told of it last, and the new one."""
        due = [(topic, news) for topic, (at, news) in self._waiting.items() if at <= now]
        new = [(topic, self._told[topic], news) for topic, news in due if self._told[topic] != news]
        for topic, _ in due:
            del self._waiting[topic]
        for topic, _, news in new:
            self._buckets[topic].charge(now)
            self._told[topic] = news
        self._set_due()
        return new

    def waiting(self, topic: TopicT) -> NewsT | None:
        waiting = self._waiting.get(topic)
        return None if waiting is None else waiting[1]

    def told_before(self, topic: TopicT) -> NewsT | None:
        """Give the news told last of a topic of which something waits; None if nothing waits."""
        return self._told[topic] if topic in self._waiting else None

    def was_told(self, topic: TopicT, news: NewsT) -> None:
        """Note that news was told despite the limit; news that waits of the topic is outdated."""
        self._told[topic] = news
        self.forget(topic)

    def forget(self, topic: TopicT) -> None:
        if self._waiting.pop(topic, None) is not None:
            self._set_due()

    def _set_due(self) -> None:
        self.due = min((at for at, _ in self._waiting.values()), default=inf)

"""What a table is told of its seats is little, makes sense step by step, and is true in the end."""

from __future__ import annotations

from collections.abc import Iterable

from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from hearts.hosting.seated_clients import SeatNews, Told
from hearts.limits.news import NEWS_AT_ONCE, NEWS_EVERY
from hearts.session.table_words import PlayerInfo, PlayerKind, Presence
from hearts.table.effects import Change

ANN = PlayerInfo(0, PlayerKind.NOT_SAID, presence=Presence.THERE, name="Ann")
STEPS = {
    Change.LEFT: ({Presence.THERE}, Presence.AWAY),
    Change.BACK: ({Presence.AWAY, Presence.STAND_IN}, Presence.THERE),
    Change.STAND_IN: ({Presence.AWAY}, Presence.STAND_IN),
    Change.INTRODUCED: ({Presence.THERE}, Presence.THERE),
}
"""What the presence was before a change, and is after it."""


def after(change: Change, before: PlayerInfo, comment: str) -> PlayerInfo | None:
    """What is so after a change; None if it cannot be."""
    befores, presence = STEPS[change]
    if before.presence not in befores:
        return None
    if change is Change.INTRODUCED:
        return replace(before, comment=comment)
    return replace(before, presence=presence)


def believe(known: PlayerInfo, told: Iterable[Told]) -> PlayerInfo:
    """What somebody knows who is told this, and takes each step at its word."""
    for change, info in told:
        if change is Change.INTRODUCED:
            assert info == replace(known, comment=info.comment)
        else:
            assert info == after(change, known, "")
        known = info
    return known


@given(
    st.lists(
        st.tuples(st.floats(0, 4), st.sampled_from(list(STEPS)), st.sampled_from("ab")),
        min_size=1,
        max_size=60,
    )
)
def test_everybody_can_follow_and_is_right_in_the_end(
    steps: list[tuple[float, Change, str]],
) -> None:
    so = ANN
    news = SeatNews()
    knows = [ANN]
    now, count = 0.0, 0
    for pause, change, comment in steps:
        now += pause
        told = news.take(now)
        then = after(change, so, comment)
        if then is not None:
            so = then
            told += news.happened(so, change, now)
        count += len(told)
        knows = [believe(known, told) for known in knows]
        knows.append(news.shown(so))
        assert len(set(map(repr, knows))) == 1, "a newcomer knows what the others know"
        assert count <= 3 * (NEWS_AT_ONCE + now / NEWS_EVERY + 1e-6)
    knows = [believe(known, news.take(now + NEWS_EVERY)) for known in knows[:1]]
    assert knows == [so]


def flap(news: SeatNews, player: list[PlayerInfo], times: int) -> list[Told]:
    told: list[Told] = []
    for number in range(times):
        change = (Change.LEFT, Change.BACK)[number % 2]
        then = after(change, player[0], "")
        assert then is not None
        player[0] = then
        told += news.happened(then, change, 0)
    return told


def test_who_loses_his_seat_is_told_to_be_away_first() -> None:
    so = [ANN]
    news = SeatNews()
    flap(news, so, 101)
    assert news.shown(so[0]) == ANN
    away = replace(ANN, presence=Presence.AWAY)
    assert news.settle(0) == [(Change.LEFT, away)]
    so[0] = PlayerInfo(0, PlayerKind.COMPUTER, name="Moe")
    assert news.happened(so[0], Change.COMPUTER, 0) == [(Change.COMPUTER, so[0])]
    assert news.settle(0) == []
    assert news.take(1000) == []

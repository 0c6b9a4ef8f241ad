"""Who waits for other lines before a commit, and who is not held up."""

from __future__ import annotations

from hearts_server.journal.threaded import EXPECTED, Gathering


def waited(lines: list[tuple[float, int]]) -> list[bool]:
    """Which lines wait, by when they come and of which game they are."""
    gathering = Gathering()
    return [gathering.waits([game], now) for now, game in lines]


def test_many_tables_at_which_people_think_share_commits() -> None:
    lines = [(n / 1000, n % 128) for n in range(1000)]
    assert waited(lines) == [False] + [True] * 999


def test_a_lone_table_is_not_held_up_whatever_its_pace() -> None:
    for pause in (0.0, 0.0005, EXPECTED / 2, EXPECTED, 0.1, 3.0):
        assert not any(waited([(n * pause, 1) for n in range(100)]))


def test_a_few_tables_that_play_as_fast_as_they_can_are_not_held_up() -> None:
    lines = [(n * 0.0005, n % 4) for n in range(100)]
    assert not any(waited(lines)[4:])


def test_a_few_tables_at_which_people_think_are_not_held_up() -> None:
    assert not any(waited([(n * 1.1 * EXPECTED, n % 10) for n in range(100)]))


def test_a_fast_table_among_slow_ones_is_not_held_up() -> None:
    slow = [(n / 1000, 100 + n % 128) for n in range(1000)]
    fast = [(n / 300, 1) for n in range(300)]
    lines = sorted(slow + fast)
    answers = [answer for (_, game), answer in zip(lines, waited(lines), strict=True) if game == 1]
    assert not any(answers[1:])

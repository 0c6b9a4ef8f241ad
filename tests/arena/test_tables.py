"""The tables of the terminal: golden texts, and what they never leave out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pytest
from msgspec.structs import replace

from hearts_arena.numbers.estimates import Estimate
from hearts_arena.plan.results import Conduct
from hearts_arena.report.figures import decimals, duration, percent, rounded, short_time
from hearts_arena.report.tables import standings_lines
from hearts_client.words.others import columns

from .sittings import conduct_of
from .some_standings import CALM, HOSTILE, ROGUE, nothing_yet, standings

WIDE = """\
Hearts tournament: round-robin, 3 players
schedule: round-robin; blocks planned: 400; a match: a single hand, with each direction of the
pass; rules: standard; seed: 7; deals: the same in all matches of a block
7,204 matches, 7,204 hands, 100 whole blocks of 400

   player  points/hand  behind first  hand rating      wins %          place  hands
1  simple  5.07 ±0.04   -                +47 ±8  50.0 ±1.2  2.000 ±0.025  4,800
2  Zoë     5.11 ±0.04  0.04 ±0.06?      +44 ±8  37.5 ±1.2  2.250 ±0.025  4,800
3  random  8.25 ±0.04  3.18 ±0.06       -91 ±8  25.0 ±1.2  2.500 ±0.025  4,800

± is half of the 95% interval, by blocks of the same deals. ? where the difference from the first
may be chance.
Not all is played that was planned: * and ? hold however often one looks, and the intervals for
one look alone.
4 matches of blocks that are not whole yet are left out of all estimates.
The rating is of single hands, not of games: in games the better one comes first more often
(--games).

Head to head: points per hand of the row less those of the column, at the same tables; below 0 the
row is better. * where the 95% interval of all looks leaves out 0.
   player       1       2       3
1  simple          -0.05   -3.20*
2  Zoë     +0.05           -3.30*
3  random  +3.20*  +3.30*

In how many of their hands a player tried a moon (alone they had 18 points or more), made it,
stopped that of another, and took the queen; and their points a hand by the direction of the pass.
All matches count, and chance is not told apart.
   player  moons tried  made  stopped  queens  left  right  across  hold
1  simple         0.7%  0.5%     0.2%   25.0%  5.12   5.17    5.22  5.07
2  Zoë            1.3%  0.5%     0.2%   25.0%  5.16   5.21    5.26  5.11
3  random         2.0%  0.5%     0.2%   25.0%  8.30   8.35    8.40  8.25

The deal that cost each player most: points a hand more than all took there. Its code deals it
again (hearts-client --solo --deal CODE).
   player  more  block  matches  deal
1  simple  8.00      9  168-191  0004-1061-050R-3GG2-8A1C-60T3-GFQG
2  Zoë     8.00      8  168-191  0004-1061-050R-3GG2-8A1C-60T3-GFQG
3  random  8.00      7  168-191  0004-1061-050R-3GG2-8A1C-60T3-GFQG

   player  per choice  per hand  slowest choice
1  simple     12.3 us    172 us         45.6 ms
2  Zoë        12.3 us    172 us         45.6 ms
3  random     12.3 us    172 us         45.6 ms

No illegal tries, no time-outs, no crashes."""

MISCONDUCT = """\

   player  choices  illegal  time-outs  crashes       stood in
1  simple   20,800        0          0        0              0
2  Zoë      20,800        0          0        0              0
3  random   20,800        1          2        3  4,160 (20.0%)

Warning: random: in 20,800 choices 1 illegal try, 2 time-outs, 3 crashes, 4,160 choices by a
stand-in; the points are not all their own."""

NOTHING = """\
0 matches, 0 hands, 0 whole blocks of 400

   player  points/hand  behind first  hand rating  wins %  place  hands
1  random           -            -             -       -      -       0
2  Zoë              -            -             -       -      -       0
3  simple           -            -             -       -      -       0

No block is whole yet, so there is nothing to estimate from.

   player  per choice  per hand  slowest choice
1  random        0 us      0 us            0 us
2  Zoë           0 us      0 us            0 us
3  simple        0 us      0 us            0 us

No illegal tries, no time-outs, no crashes."""


def test_wide_table() -> None:
    assert "\n".join(standings_lines(standings(), width=98, ascii=False)) == WIDE


def test_narrow_table_in_ascii_says_what_it_leaves_out() -> None:
    lines = standings_lines(standings(), width=72, ascii=True)
    assert max(map(columns, lines)) <= 72
    assert "3  random  8.25 +-0.04  3.18 +-0.06       -91 +-8  25.0 +-1.2" in lines
    assert "A wider terminal shows: place, hands." in lines
    assert set("".join(lines)) - set(map(chr, range(128))) == {"ë"}


@pytest.mark.parametrize("width", [20, 60, 100])
def test_misconduct_is_shown_at_any_width(width: int) -> None:
    lines = standings_lines(standings(conducts=(ROGUE, CALM, CALM)), width=width, ascii=True)
    text = " ".join(" ".join(lines).split())
    for fact in (
        "1 illegal try,",
        "2 time-outs,",
        "3 crashes,",
        "4,160 (20.0%)",
        "Warning: random",
    ):
        assert fact in text
    if width == 100:
        assert "\n".join(lines).endswith(MISCONDUCT)


@pytest.mark.parametrize(
    ("conduct", "own"),
    [
        (conduct_of(choices=9, illegal=1), True),
        (conduct_of(choices=9, timeouts=1), False),
        (conduct_of(choices=9, crashes=1), True),
        (conduct_of(choices=9, stood_in=1), False),
    ],
)
def test_one_fault_is_enough_for_a_warning(conduct: Conduct, own: bool) -> None:
    lines = standings_lines(standings(conducts=(CALM, CALM, conduct)), width=200, ascii=True)
    assert lines[-1].startswith("Warning: simple: in 9 choices 1 ")
    assert lines[-1].endswith("the points are not all their own.") is not own


def test_nothing_is_known_before_the_first_block() -> None:
    lines = standings_lines(nothing_yet(), width=100, ascii=True)
    assert "\n".join(lines[3:]) == NOTHING


def test_one_block_gives_no_intervals() -> None:
    full = standings()
    lone = [
        replace(
            standing,
            points_per_hand=Estimate(5.0, None, None, 1),
            behind=Estimate(0.4, None, None, 1),
            rating=Estimate(-12.3, None, None, 1),
            wins_per_game=Estimate(0.123, None, None, 1),
            average_place=None,
        )
        for standing in full.entrants
    ]
    text = "\n".join(
        standings_lines(
            replace(full, entrants=tuple(lone), blocks=1, head_to_head=((None,) * 3,) * 3),
            width=100,
            ascii=False,
        )
    )
    assert "±" not in text
    row = next(line for line in text.splitlines() if line.startswith("2  Zoë"))
    assert row.split() == ["2", "Zoë", "5.00", "0.40", "-12", "12.3", "-", "4,800"]
    assert "With one block nobody can say how far the numbers are from the truth." in text


def test_undecided_ratings_are_explained() -> None:
    lines = standings_lines(replace(standings(), separated=True), width=200, ascii=True)
    assert any("how far apart the ratings are is not known" in line for line in lines)


def test_games_have_their_points() -> None:
    full = standings()
    games = replace(full, plan=replace(full.plan, hands=None))
    text = "\n".join(standings_lines(games, width=120, ascii=True))
    assert "points/game" in text
    assert "a match: a game to 100;" in text
    assert "points/game" not in "\n".join(standings_lines(full, width=120, ascii=True))


@pytest.mark.parametrize("width", [40, 60, 80, 120])
def test_columns_of_names_beyond_ascii_stay_straight(width: int) -> None:
    lines = standings_lines(
        standings(names=("Zoë", "我的机器人", HOSTILE)), width=width, ascii=False
    )
    start = next(place for place, line in enumerate(lines) if line.split()[:1] == ["player"])
    rows = [line for line in lines[start:] if line[:1].isdigit()][:3]
    assert '"<script>alert(1)</script>"' in rows[0]
    ends = {columns(row[: row.index("±")]) for row in rows}
    assert len(ends) == 1


def test_rounded_numbers_have_no_negative_zero() -> None:
    assert rounded(-0.001, 2) == "0.00"
    assert rounded(-0.001, 2, signed=True) == "0.00"
    assert rounded(0.5, 1, signed=True) == "+0.5"
    assert rounded(-10.0, 0, signed=True) == "-10"


@pytest.mark.parametrize(
    ("shown", "numbers", "texts"),
    [
        (decimals, (None, 0.0, 0.047, 0.02, 0.012, 0.3, 0.19, 4.0, 1e-9), "2|2|2|2|3|1|2|0|4"),
        # It is 0 or 100 only where it is.
        (percent, (0.0, 0.00001, 0.5, 0.99999, 1.0), "0.0%|<0.1%|50.0%|99.9%|100.0%"),
        (
            duration,
            (0.9, 59.9, 61, 3_599, 3_661, 86_399, 90_061, 864_000),
            "0 s|59 s|1 min 01 s|59 min 59 s|1 h 01 min|23 h 59 min|1 d 01 h|10 d 00 h",
        ),
        (
            short_time,
            (0.0, 1e-7, 1e-6, 37.2e-6, 0.9996e-3, 0.0123, 0.9999, 1.25, 1234.5),
            "0 us|<1 us|1 us|37.2 us|1 ms|12.3 ms|1 s|1.25 s|1234 s",
        ),
    ],
)
def test_numbers_as_people_read_them(
    shown: Callable[[Any], object], numbers: Sequence[float | None], texts: str
) -> None:
    assert [str(shown(number)) for number in numbers] == texts.split("|")

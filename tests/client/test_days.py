"""The deal of the day in the client: what is said, what is kept, and links that wait."""

from __future__ import annotations

import time
from collections.abc import Sequence
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest
from msgspec.structs import replace

from hearts.bots.swift.par import GAMES, Par
from hearts.errors import InvalidLink
from hearts.game.deal import disclosure_notice
from hearts.game.record import Record
from hearts.game.rules import STANDARD
from hearts.session.table_words import TableMessage
from hearts.wire.day_chain import OVER_AFTER, day_of, over_since
from hearts_client.commands.main import main
from hearts_client.days.told import read_day
from hearts_client.days.visitor import DayVisitor, NoVisitor, days_of
from hearts_client.days.words import day_lines, ordinal, outcome_lines
from hearts_client.screen.pages.texts import rules_lines
from hearts_client.screen.table.shown_table import ShownTable
from hearts_client.session.places import NOWHERE
from hearts_client.session.replay import latest_replay, link_of, read_replay
from hearts_client.session.visit import Guest
from hearts_client.words.style import Style
from hearts_client.words.tables import what_is_played
from tests.game.games import game_by_chance, secret_deal_by

from .played import PLAYED, SEATED, own_record, receive
from .statistics_folder import NAMES, own_file

GUEST = Guest("hearts.example", 7626, "Ann")
PAR = Par(GAMES, (82, 84, 0, 104), (2044, 2044, 0, 2363))
LINK = "A" * 20


def told(*more: str, state: str = "played") -> Sequence[str]:
    return [f"day 2026-11-28 {state} {'0' * 64}", f"over 2026-11-26 {'1' * 64}", *more]


# In words


def test_the_outcome_in_lines_that_tell_no_card() -> None:
    day = read_day(told("result 2026-11-28 7 31 12 0 5 8", "result 2026-11-26 1 9 1 0 0 0"))
    pars = {"2026-11-28": dict.fromkeys(range(1, 5), PAR)}
    assert list(outcome_lines(day, pars)) == [
        "Hand 1: you took 12; it usually costs 10 +-13.",
        "Hand 2: you took 0; it usually costs 10 +-13.",
        "Hand 3: you took 5; it usually costs 10 +-13.",
        "Hand 4: you took 8; it usually costs 10 +-13.",
        "Hearts, the deal of the day 2026-11-28",
        "12 + 0 + 5 + 8 = 25 points, 16 less than usual",
        "7th of 31 so far",
        "Links to its hands come from 2026-11-29 12:00 UTC on.",
        "Hearts, the deal of the day 2026-11-26",
        "1 + 0 + 0 + 0 = 1 points",
        "1st of 9",
    ]


def test_pars_of_some_hands_say_nothing_of_the_day() -> None:
    day = read_day(told("result 2026-11-28 0 31 12 0 5 8"))
    lines = list(outcome_lines(day, {"2026-11-28": {3: PAR}}))
    assert lines[0] == "Hand 3: you took 5; it usually costs 10 +-13."
    assert lines[2:4] == [
        "12 + 0 + 5 + 8 = 25 points",
        "At the host's own machine, so without a place",
    ]


def test_a_try_that_was_left_and_hands_of_the_day_that_is_over() -> None:
    day = read_day(told(f"hand 2026-11-26 1 {LINK}", "Some words.", state="played"))
    assert list(day_lines(day, "2026-11-20")) == [
        "Fixed and published on 2026-11-20; the host could know it.",
        "Some words.",
        "You have left your try of 2026-11-28, so it does not count.",
    ]
    assert list(outcome_lines(day, {})) == [f"Your hand 1 of 2026-11-26: #hand={LINK}"]
    named = read_day(told("listed 2026-11-26 1 12 Ann B", "listed 2026-11-26 11 20 *Moe", "Words."))
    assert list(outcome_lines(named, {})) == [
        "Names that want to be listed, 2026-11-26:",
        "   1. Ann B, 12 points",
        '  11. "*Moe", 20 points',
    ]
    assert named.lines == ["Words."]
    assert next(day_lines(day, "")) == "Fixed beforehand; the host could know it."


@pytest.mark.parametrize(
    ("number", "text"),
    [(1, "1st"), (2, "2nd"), (3, "3rd"), (11, "11th"), (112, "112th"), (23, "23rd")],
)
def test_ordinals(number: int, text: str) -> None:
    assert ordinal(number) == text


def test_a_table_of_a_day_plays_four_hands() -> None:
    today, other = table_of(date(2026, 11, 27)), replace(table_of(date(2026, 11, 27)), table="club")
    assert what_is_played(today)[0] == "Four hands, rules: standard, no clock."
    assert what_is_played(other)[0] == "A game to 100 points, rules: standard, no clock."
    rules = rules_lines(STANDARD, 0, 0)
    assert "  Four hands, rules: standard." in rules
    assert "  It is over after four hands." in rules
    shown = ShownTable(Style(ascii=True))
    assert shown.end_score == 100
    shown.receive(today)
    assert shown.end_score == 0
    assert shown.story.is_of_day


# Links wait until the day is over everywhere


def table_of(day: date) -> TableMessage:
    name = f"day {day} ABCDEFGHIJKLMNO"
    return TableMessage(name, 7, True, None, 0, None, STANDARD, 100, 0, ("Ann", "Moe", "Larry", ""))


@pytest.mark.parametrize("ago", [0, 1, 3])
def test_a_link_to_a_hand_of_a_day_waits_until_the_day_is_over(ago: int) -> None:
    day = datetime.now(UTC).date() - timedelta(ago)
    is_over = time.time() >= over_since(day)
    own = own_record()
    receive(own, table_of(day))
    for event in (SEATED, *PLAYED.hands(0)[0], *PLAYED.hands(0)[1]):
        receive(own, event)
    own.notice(disclosure_notice(1, PLAYED.secrets[0]))
    hand = latest_replay(own)
    assert hand is not None
    assert hand.day == day
    (text,) = [text for text in own.texts().values() if "\ndeal " in text][:1]
    for each in (hand, *read_replay(text, 0).hands[:1]):
        if is_over:
            assert "#hand=" in link_of(each)
        else:
            come = datetime.fromtimestamp(over_since(day), UTC)
            with pytest.raises(InvalidLink, match=f"from {come:%Y-%m-%d %H:%M} UTC on"):
                link_of(each)
    assert ago != 0 or not is_over
    assert ago != 3 or is_over


def test_the_command_gives_no_link_before(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    actions = game_by_chance(STANDARD, 1, 1, 10_000, secret_deal_by)
    lines = str(Record(STANDARD, 10_000, NAMES, tuple(actions))).splitlines(keepends=True)
    head, rest = "".join(lines[:7]), "".join(lines[7:])
    today = datetime.now(UTC).date()
    own_file(tmp_path, 0, f"{head}# day {today}\n{rest}")
    (path,) = tmp_path.iterdir()
    assert main(["replay", str(path)]) == 0
    said = capsys.readouterr()
    assert "#hand=" not in said.out
    assert "Rules: standard, the deal of the day." in said.out
    assert "it is a deal of the day; links come from " in said.err
    path.write_text(f"{head}# day 2026-01-02\n{rest}")
    assert main(["replay", str(path)]) == 0
    assert "#hand=" in capsys.readouterr().out


def test_the_names_of_tables_of_days() -> None:
    assert day_of("day 2026-11-27 ABCDEFGHIJKLMNO") == date(2026, 11, 27)
    assert over_since(date(2026, 11, 27)) == datetime(2026, 11, 28, 12, tzinfo=UTC).timestamp()
    assert OVER_AFTER == 36 * 3600
    for name in ("day 2026-13-27 ABCDEFGHIJKLMNO", "day 2026-11-27 ABC", "day", "Table 7"):
        assert day_of(name) is None


# What is kept


async def test_who_has_no_folder_and_no_key_has_no_try() -> None:
    with pytest.raises(NoVisitor, match="no home folder"):
        await days_of(NOWHERE, None).ask(GUEST)


async def test_pars_are_kept_for_three_days(tmp_path: Path) -> None:
    days = DayVisitor(tmp_path)
    for day in range(1, 6):
        await days.keep_pars(GUEST, date(2026, 11, day), {2: PAR})
    await days.keep_pars(GUEST, date(2026, 11, 5), {1: PAR})
    kept = (tmp_path / "days.json").read_text()
    assert [f"2026-11-0{day}" in kept for day in range(1, 6)] == [False, False, True, True, True]
    assert (tmp_path / "days.json").stat().st_mode & 0o77 == 0


async def test_a_folder_that_cannot_be_written_gives_no_try(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(NoVisitor, match="cannot read"):
        await DayVisitor(tmp_path / "file" / "sub").keep_pars(GUEST, date(2026, 11, 5), {})

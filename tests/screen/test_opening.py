"""Creating a table, and a game alone."""

from __future__ import annotations

from typing import Any

import pytest
import trio

from hearts.game.deal import deal_text
from hearts.game.rules import PRESETS, STANDARD, Rules, parse_rules
from hearts.session.messages import NO_CLOCK_ALONE, Options
from hearts_client.screen.pages.opening import AlonePage, OpeningPage
from hearts_client.screen.wish import Join, Memory, PlayAlone
from hearts_client.session.visit import Guest
from hearts_client.words.rule_words import in_words

from .driving import click, go_to, press, result_of, shown, type_text

GUEST = Guest("hearts.example", 7626, "Ann")


def opening(
    memory: Memory | None = None, levels: frozenset[int] = frozenset(), **more: Any
) -> OpeningPage:
    return OpeningPage(GUEST, memory or Memory(), levels, **{"ascii": False, **more})


def alone(memory: Memory | None = None, **more: Any) -> AlonePage:
    return AlonePage("Ann", memory or Memory(), **{"ascii": False, **more})


def note(page: OpeningPage | AlonePage) -> str:
    return shown(page)[-3]


async def test_a_table_as_the_host_has_it() -> None:
    page = opening()
    assert note(page) == "The rules: the server's own"
    go_to(page, "Open the table")
    press(page, "enter")
    assert await result_of(page) == Join(GUEST, "", Options())


async def test_everything_can_be_said() -> None:
    page = opening()
    type_text(page, "friends")
    click(page, "mac2000")
    assert note(page) == f"The rules: {PRESETS['mac2000']}"
    go_to(page, "Ends at")
    type_text(page, "50")
    press(page, "enter")
    type_text(page, "30")
    click(page, ") 2 ")
    press(page, "o")
    options = Options(frozenset({2, 3}), PRESETS["mac2000"], 50, 30)
    assert await result_of(page) == Join(GUEST, "friends", options)


@pytest.mark.parametrize("limit", [60, NO_CLOCK_ALONE])
async def test_what_was_wished_for_is_there_again(limit: int) -> None:
    options = Options(frozenset({1, 2, 3}), parse_rules("dump,moon=minus"), 70, limit)
    page = opening(Memory().after(Join(GUEST, "friends", options)))
    click(page, "[o] Open the table")
    assert await result_of(page) == Join(GUEST, "friends", options)


@pytest.mark.parametrize(
    ("allowed", "offered", "level"),
    [((), [], 0), ((0,), [], 0), ((0, 1, 3), ["host's", "novice", "strong"], 3), ((0, 1), [], 0)],
)
async def test_levels_are_those_that_the_host_allows(
    allowed: tuple[int, ...], offered: list[str], level: int
) -> None:
    page = opening(Memory(level=3), frozenset(allowed))
    rows = [line for line in shown(page) if line.strip().startswith("Level")]
    assert len(rows) == (len(allowed) > 1)
    for name in offered:
        assert f") {name}" in rows[0]
    assert "expert" not in "".join(rows)
    click(page, "[o] Open the table")
    joined = await result_of(page)
    assert isinstance(joined, Join)
    assert joined.options is not None
    assert joined.options.levels == (level,) * 4


@pytest.mark.parametrize(
    ("words", "rules"),
    [
        (in_words(Rules(jack=True))[0][5:], "jack"),
        ("The queen of spades must be", "dump"),
        ("Points may be played", "bleed"),
        ("The first lead goes round", "rotate"),
        ("A player who takes no trick", "notrick"),
        ("The queen of spades does not", "queen-keeps"),
        ("Hearts count 2 to 14", "spot"),
        ("off the shooter", "moon=minus"),
        ("shooter chooses", "moon=choice"),
        ("goes back to 0", "exact=zero"),
        (") wins", "exact=wins"),
        ("no hold", "pass=cycle3"),
        (") left ", "pass=left"),
        (") never", "pass=never"),
        *((f") {name}", name) for name in PRESETS),
    ],
)
async def test_each_rule_can_be_clicked(words: str, rules: str) -> None:
    page = opening()
    click(page, words)
    assert note(page) == f"The rules: {parse_rules(rules)}"
    press(page, "esc")
    with trio.fail_after(1):
        assert await page.wait() is None


async def test_a_rule_that_is_changed_leaves_the_preset() -> None:
    page = opening()
    click(page, "windows93")
    click(page, "The jack")
    assert note(page) == "The rules: exact=zero,dump"
    assert "(X) windows93" not in "\n".join(shown(page))
    click(page, "The jack")
    assert "(X) windows93" in "\n".join(shown(page))
    click(page, ") host's")
    assert note(page) == "The rules: the server's own"
    assert "[X]" not in "\n".join(shown(page))
    click(page, "The jack")
    click(page, "The jack")
    assert "(X) standard" in "\n".join(shown(page))
    click(page, "[o]")
    assert await result_of(page) == Join(GUEST, "", Options(rules=STANDARD))


def test_rules_can_be_chosen_with_keys() -> None:
    page = opening()
    go_to(page, "Rules")
    press(page, "right", "right", "enter")
    assert note(page) == f"The rules: {PRESETS['mactech98']}"
    go_to(page, "Points may be")
    press(page, " ")
    assert note(page) == "The rules: moon=minus"


@pytest.mark.parametrize(
    ("words", "text", "problem"),
    [
        ("Ends at", "0", "Ends at: give a whole number from 1 to 10000, not '0'"),
        ("Ends at", "x", "Ends at: give a whole number from 1 to 10000, not 'x'"),
        ("Time", "14", "Time: give a whole number from 15 to 3600, not '14'"),
    ],
)
async def test_what_cannot_be_is_told(words: str, text: str, problem: str) -> None:
    page = opening()
    go_to(page, words)
    type_text(page, text)
    click(page, "[o]")
    assert await result_of(page) is None
    assert shown(page)[-2] == problem
    type_text(page, "")
    assert problem not in shown(page)
    click(page, "[o]")
    assert await result_of(page) == Join(GUEST, "", Options())


async def test_a_name_of_blanks_is_none() -> None:
    page = opening()
    type_text(page, "   ")
    click(page, "[o]")
    assert await result_of(page) == Join(GUEST, "", Options())


async def test_a_game_alone() -> None:
    page = alone()
    assert "host" not in "\n".join(shown(page))
    click(page, "mac2000")
    go_to(page, "Ends at")
    type_text(page, "")
    press(page, "tab")
    code = deal_text(bytes(range(16)), bytes(31) + b"\1")
    type_text(page, code.lower())
    go_to(page, "[p]")
    press(page, "enter")
    assert await result_of(page) == PlayAlone("Ann", PRESETS["mac2000"], 100, code)


async def test_a_preset_brings_its_end() -> None:
    page = alone()
    click(page, "spot-hearts")
    assert "500" in "\n".join(shown(page))
    click(page, ") standard")
    assert "500" not in "\n".join(shown(page))
    click(page, "spot-hearts")
    click(page, "[p]")
    assert await result_of(page) == PlayAlone("Ann", PRESETS["spot-hearts"], 500)


async def test_a_game_alone_with_rules_and_deal_in_one_text() -> None:
    page = alone(Memory(alone_rules="jack", alone_end_score=50))
    go_to(page, "Deal")
    code = deal_text(bytes(range(16)))
    type_text(page, f"mac2000#{code}")
    click(page, "[p]")
    assert await result_of(page) == PlayAlone("Ann", PRESETS["mac2000"], 50, code)


async def test_a_game_alone_as_the_last_time() -> None:
    page = alone(Memory(alone_rules="jack", alone_end_score=50))
    press(page, "p")
    assert await result_of(page) == PlayAlone("Ann", parse_rules("jack"), 50)


async def test_a_deal_that_is_none() -> None:
    page = alone()
    go_to(page, "Deal")
    type_text(page, "1234")
    click(page, "[p]")
    assert await result_of(page) is None
    assert shown(page)[-2].startswith("Deal: ")
    press(page, "esc")
    with trio.fail_after(1):
        assert await page.wait() is None


@pytest.mark.parametrize("ascii", [False, True])
def test_everything_is_seen_at_once(ascii: bool) -> None:
    for page in (opening(ascii=ascii), alone(ascii=ascii)):
        text = "\n".join(shown(page))
        words = ["Rules", *PRESETS, "never", "shooter chooses", "wins", "Ends at", "[esc] Back"]
        assert [word for word in words if word not in text] == []
        assert text.isascii() == ascii
    assert "seconds for a choice" in "\n".join(shown(opening()))


def test_each_word_of_help_fits_into_its_line() -> None:
    for page in (opening(), alone()):
        helped = set()
        for _ in range(20):
            press(page, "tab")
            _, rules, help_text, _ = shown(page)[-4:]
            assert rules.startswith("The rules: ")
            helped.add(help_text)
        assert len(helped) >= 6

"""The start screen: what can be wished for before there is a table."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from hearts.game.rules import parse_rules
from hearts.session.messages import Scores
from hearts_client.library.reach import Tls
from hearts_client.screen.pages.start import StartPage
from hearts_client.screen.pictures.canvas import Ink
from hearts_client.screen.wish import (
    ArrangeAlone,
    Join,
    Memory,
    OpenTableWish,
    PlayAlone,
    PlayDay,
    Resume,
    ShowTables,
    StartWish,
    Wish,
)
from hearts_client.session.saved import SavedSession, SessionPlace
from hearts_client.session.visit import Guest
from tests.plain.script import NEW

from .driving import SIZE, click, go_to, press, result_of, shown, type_text

KNOWN = Memory(host="hearts.example", port=7000, name="Ann")
GUEST = Guest("hearts.example", 7000, "Ann")
SAVED = SavedSession(SessionPlace("hearts.example", 7626, 7627, None), NEW)


def start(memory: Memory = KNOWN, **more: Any) -> StartPage:
    return StartPage(memory, name="ann", **{"ascii": False, **more})


async def test_enter_plays_at_once() -> None:
    page = start(replace(KNOWN, alone_rules="jack", alone_end_score=50))
    assert "The rules: jack, to 50." in shown(page)
    press(page, "enter")
    assert await result_of(page) == PlayAlone("Ann", parse_rules("jack"), 50)


async def test_who_has_never_been_here_begins_with_the_first_hand() -> None:
    page = start(Memory())
    assert "Learn Hearts in one hand" in "\n".join(shown(page))
    press(page, "enter")
    assert await result_of(page) is StartWish.LESSON
    assert page.remembered.name == "ann"


@pytest.mark.parametrize(
    ("key", "words", "wish"),
    [
        ("p", "Play now against three computers", PlayAlone("Ann")),
        ("c", "Choose rules", ArrangeAlone("Ann")),
        ("l", "Your first hand, explained", StartWish.LESSON),
        ("h", "How Hearts is played", StartWish.RULES),
        ("j", "Join the next free seat", Join(GUEST)),
        ("t", "Tables", ShowTables(GUEST)),
        ("n", "New table", OpenTableWish(GUEST)),
        ("s", "Statistics", StartWish.STATISTICS),
        ("r", "Replays", StartWish.RECORDS),
        ("d", "The deal of the day", PlayDay(GUEST)),
        ("m", "Mistakes", StartWish.MISTAKES),
        ("o", "Options", StartWish.OPTIONS),
        ("f", "Profile: none", StartWish.PROFILES),
        ("q", "Quit", StartWish.QUIT),
        ("1", "hearts.example:7626 as", Resume(SAVED)),
    ],
)
async def test_each_wish_has_a_key_and_a_place_to_click(key: str, words: str, wish: Wish) -> None:
    pressed, shifted, clicked = start(saved=[SAVED]), start(saved=[SAVED]), start(saved=[SAVED])
    press(pressed, key)
    press(shifted, key.upper())
    click(clicked, words)
    assert [await result_of(page) for page in (pressed, shifted, clicked)] == [wish] * 3
    assert f"[{key}] {words}" in "\n".join(shown(pressed))


async def test_who_waits_has_a_table_that_nobody_else_knows() -> None:
    names = []
    for page in (start(), start()):
        press(page, "w")
        wish = await result_of(page)
        assert wish == Join(GUEST, wish.table, waits=True)
        names.append(wish.table)
    assert names[0] != names[1]
    assert "[w] Wait to be invited" in "\n".join(shown(start()))


async def test_tab_reaches_everything_and_begins_again() -> None:
    page = start(saved=[SAVED])
    for words in ("Your name", "Server", "Password", "[j]", "[1]", "[s]", "[p]"):
        go_to(page, words)
    assert await result_of(page) is None


async def test_arrows_and_space_press_too() -> None:
    page = start()
    press(page, "right", " ")
    assert await result_of(page) == ArrangeAlone("Ann")
    page = start()
    press(page, *["down"] * 3, "up", "up", "up", "left", "enter")
    assert await result_of(page) == PlayAlone("Ann")


async def test_what_is_typed_is_meant() -> None:
    page = start()
    go_to(page, "Your name")
    type_text(page, "Zoë quits")
    press(page, "enter")
    type_text(page, "[::1]:80")
    press(page, "tab", " ", "tab")
    type_text(page, " sesame ")
    assert "sesame" not in "\n".join(shown(page))
    assert await result_of(page) is None
    go_to(page, "Chat port")
    type_text(page, "8001")
    go_to(page, "Table ")
    type_text(page, "club")
    go_to(page, "Join")
    press(page, "enter")
    guest = Guest("::1", 80, "Zoë quits", Tls(), " sesame ", 8001)
    assert await result_of(page) == Join(guest, "club")
    assert page.remembered == Memory(
        host="::1", port=80, tls=Tls(), taunt_port=8001, name="Zoë quits"
    )


async def test_tls_stays_as_it_was_until_it_is_taken_away() -> None:
    tls = Tls(Path("/etc/friends.pem"))
    page = start(replace(KNOWN, tls=tls))
    click(page, "[X] TLS")
    assert page.remembered.tls is None
    click(page, "[ ] TLS")
    press(page, "t")
    assert await result_of(page) == ShowTables(replace(GUEST, tls=tls))


@pytest.mark.parametrize(
    ("words", "text", "problem", "key"),
    [
        ("Your name", "", "Your name: a name has 1 to 30 bytes", "p"),
        ("Your name", "   ", "Your name: a name has 1 to 30 bytes", "j"),
        ("Server", "", "Server: '' names no host", "j"),
        ("Server", "host:99999", "Server: give a whole number from 1 to 65535", "t"),
    ],
)
async def test_what_cannot_be_meant_is_told_and_gets_the_keys(
    words: str, text: str, problem: str, key: str
) -> None:
    page = start()
    go_to(page, words)
    type_text(page, text)
    go_to(page, "[s]")
    press(page, key)
    assert await result_of(page) is None
    assert shown(page)[-3].startswith(problem) or shown(page)[-2].startswith(problem)
    assert page.remembered == KNOWN
    type_text(page, "somewhere")
    assert problem not in "\n".join(shown(page))
    go_to(page, "[s]")
    press(page, key)
    assert await result_of(page) is not None


async def test_a_line_that_is_full_gives_no_letter_away() -> None:
    page = start()
    go_to(page, "Your name")
    type_text(page, "é" * 15 + "q")
    press(page, "q", "\u202e")
    assert await result_of(page) is None
    press(page, "backspace", "a", *["\u0301"] * 6, "q", "\x7f")
    assert await result_of(page) is None
    press(page, "ctrl w", *["é"] * 15)
    press(page, "esc")
    assert await result_of(page) == StartWish.QUIT
    assert page.remembered.name == "é" * 15


def test_what_went_wrong_before_is_said_until_something_is_done() -> None:
    problem = "cannot connect to hearts.example:7000: Connection refused"
    page = start(problem=problem)
    assert shown(page)[-2] == problem
    press(page, "down", "up")
    assert shown(page)[-2] == problem
    go_to(page, "Your name")
    press(page, "x")
    assert problem not in shown(page)


def test_a_long_problem_of_somebody_elses_words_stays_in_its_place() -> None:
    page = start(problem="the server says: " + "no\u0301\u0301\u0301\u0301\u0301\u0301 " * 200)
    lines = shown(page)
    assert len(lines) == SIZE[1]
    assert lines[-1].startswith("[esc] Quit")
    assert "\u0301" * 5 not in "\n".join(lines)


def test_nothing_is_known_the_first_time() -> None:
    page = start(Memory())
    text = "\n".join(shown(page))
    assert "[ann " in text
    assert "[localhost:7626 " in text
    assert "Come back" not in text


def test_whose_profile_it_is() -> None:
    text = "\n".join(shown(start(profile="Zoë Q")))
    assert "[f] Profile: Zoë Q" in text


def test_games_to_come_back_to() -> None:
    hostile = replace(NEW, names=("Ann", 'x" [q] Quit', "日本語" * 3, "C"))
    after = hostile.after(Scores((1, 2, 3, 20)))
    sessions = [
        SavedSession(
            SessionPlace("x" * 90, 1, 0, None), replace(hostile, credentials=NEW.credentials)
        )
        for _ in range(11)
    ]
    sessions[0] = SavedSession(SessionPlace("::1", 7626, 0, None), after)
    page = start(saved=sessions)
    text = "\n".join(shown(page, (80, 40)))
    assert "[1] [::1]:7626 as Ann, 1 hand played" in text
    assert "[9] xxx" in text
    assert "[10]" not in text
    press(page, "up")
    assert len(shown(page)) == SIZE[1]


def test_letters_where_there_are_no_symbols() -> None:
    text = "\n".join(shown(start(ascii=True, saved=[SAVED])))
    assert text.isascii()
    assert "H E A R T S" in text


def test_where_the_keys_are_is_seen_without_colours() -> None:
    page = start()
    marked = [line for line in shown(page) if line.startswith(" > ")]
    assert marked == [" > [p] Play now against three computers    [c] Choose rules"]
    inks = {run[0] for row in page.widget.render(SIZE, focus=True).content() for run in row}
    assert inks <= {None, *Ink}

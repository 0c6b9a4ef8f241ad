"""The list of a folder's games at the full screen, and the way from it to a deal."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from hearts_client.screen.input.drawn_page import WHEEL_DOWN, WHEEL_UP
from hearts_client.screen.input.ui import Page
from hearts_client.screen.pages.own_games import RecordsPage, browse_records
from hearts_client.session.replay import read_replay
from hearts_client.statistics.own_games import OwnGame, read_games

from .replays import SIZE, THEME, Shown, record


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    files = {
        "1-game-7-1-seat-2.txt": record("standard", 1, 3, 60),
        "2-game-7-2-seat-0.txt": record("jack", 2, 30, 40),
        "3-broken.txt": "nothing",
        "4-half-broken.txt": record("standard", 1, 2) + "nonsense\n",
        "5-bytes.txt": "",
        "6-long.txt": "x" * 1_000_001,
        "other.new": record(),
    }
    for number, (name, text) in enumerate(files.items()):
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        if "bytes" in name:
            path.write_bytes(b"\xff\xfe")
        os.utime(path, (1_000_000 + number, 1_000_000 + number))
    return tmp_path


def test_the_games_of_a_folder(folder: Path) -> None:
    games = read_games(folder)
    assert [game.path.name[0] for game in games] == ["6", "5", "4", "3", "2", "1"]
    assert [game.own for game in games] == [None, None, None, None, 0, 2]
    problems = [game.problem for game in games]
    assert problems[:2] == ["it is too long for a record", "it is no text in UTF-8"]
    assert problems[2] is not None
    assert "cannot read 'nonsense'" in problems[2]
    assert problems[3] is not None
    assert problems[4:] == [None, None]
    assert [game.replay is not None for game in games] == [False, False, True, False, True, True]
    assert read_games(folder / "none") == ()


def test_the_list(folder: Path) -> None:
    games = read_games(folder)
    page = RecordsPage(games, THEME)
    shown = Shown(page)
    assert shown.lines[2].startswith("> ")
    assert "6-long.txt" in shown.lines[2]
    assert "cannot be read: it is too long for a record." in shown.lines[3]
    assert "2 hands to 100, rules: standard; then it cannot be read" in shown.lines[7]
    assert "You " in shown.lines[10]
    assert "; won by " in shown.lines[10]
    assert "(not over)" in shown.lines[12]
    assert "3 hands to 60, rules: standard" in shown.lines[13]
    shown.press("up", "end", "down")
    assert shown.lines[12].startswith("> ")
    shown.press("home", "page down", "up", "page up")
    assert shown.lines[2].startswith("> ")
    assert page.widget.keypress(SIZE, "x") == "x"


async def test_only_what_can_be_seen_is_opened(folder: Path) -> None:
    games = read_games(folder)
    page = RecordsPage(games, THEME)
    shown = Shown(page)
    shown.press("enter")
    shown.click("3-broken.txt")
    shown.click("3-broken.txt")
    shown.click("[enter]")
    shown.click("won by", WHEEL_DOWN)
    shown.click("won by", WHEEL_UP)
    shown.click("won by")
    shown.click("won by")
    assert await shown.result() == 4


async def test_the_list_is_left() -> None:
    shown = Shown(RecordsPage((), THEME, problem="The records cannot be read: no."))
    assert "The records cannot be read: no." in shown.text
    shown.press("up", "down", "enter", "esc")
    assert await shown.result() is None
    assert "There are no records yet." in Shown(RecordsPage((), THEME)).text


def test_a_long_list_follows_the_cursor(folder: Path) -> None:
    (game, *_) = read_games(folder)
    games = [OwnGame(folder / f"number {n}", 0.0, None, game.problem, None) for n in range(30)]
    shown = Shown(RecordsPage(games, THEME, place=20))
    assert "number 20" in shown.text
    assert "number 11" not in shown.text
    assert "of 30" in shown.lines[0]
    shown.press("home")
    assert "number 0" in shown.text
    assert "number 9" not in shown.text


class KeyedScreen:
    """Shows pages to somebody whose keys are known beforehand."""

    def __init__(self, *keys: list[str]) -> None:
        self._keys = list(keys)

    async def run(self, page: Page[Any]) -> Any:
        shown = Shown(page)
        assert shown.text
        shown.press(*self._keys.pop(0))
        return await shown.result()


async def test_from_the_list_to_a_deal_and_back(folder: Path) -> None:
    ui: Any = KeyedScreen(["end", "enter"], ["esc"], ["up", "enter"], ["n", "a"])
    again = await browse_records(ui, folder, THEME)
    expected = read_replay((folder / "2-game-7-2-seat-0.txt").read_text("utf-8")).hands[1]
    assert again == expected.deal
    nothing: Any = KeyedScreen(["esc"])
    assert await browse_records(nothing, folder / "1-game-7-1-seat-2.txt", THEME) is None

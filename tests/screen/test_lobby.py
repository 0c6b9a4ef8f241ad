"""The list of public tables."""

from __future__ import annotations

from typing import Any

import pytest

from hearts.session.messages import ListedTable
from hearts_client.screen.lobby import TablesPage
from hearts_client.screen.wish import Back, JoinTableWish, LobbyWish, NewTable, Refresh, WatchTable
from hearts_client.words.others import columns

from .driving import SIZE, click, press, result_of, shown

FORMING = ListedTable("Table 2", 0, 2, ("", "Bob", "Moe", ""))
PLAYING = ListedTable("Table 1", 6, 0, ("Cleo", "Moe", "Larry", "Curly"))
OPEN = ListedTable("Table 3", 7, 1, ("Dan", "Eve", "Moe", "Curly"))
FULL = ListedTable("Table 4", 0, 0, ("Fay", "Gil", "Hal", "Ida"))


def lobby(*tables: ListedTable, **more: Any) -> TablesPage:
    return TablesPage(tables, "hearts.example:7626", **{"ascii": False, **more})


def test_what_is_known_of_each_table() -> None:
    assert shown(lobby(FORMING, PLAYING, OPEN))[:6] == [
        "                      Public tables at hearts.example:7626",
        "─" * SIZE[0],
        "    Table                    State      Free   Players",
        " >  Table 2                  forming    2      Bob, Moe",
        "    Table 1                  game 6     0      Cleo, Moe, Larry, Curly",
        "    Table 3                  game 7     1      Dan, Eve, Moe, Curly",
    ]


@pytest.mark.parametrize(
    ("table", "key", "wish"),
    [
        (FORMING, "enter", JoinTableWish("Table 2")),
        (OPEN, "enter", JoinTableWish("Table 3")),
        (OPEN, "w", WatchTable(7)),
        (PLAYING, "w", WatchTable(6)),
        (PLAYING, "r", Refresh()),
        (PLAYING, "n", NewTable()),
        (PLAYING, "esc", Back()),
    ],
)
async def test_keys(table: ListedTable, key: str, wish: LobbyWish) -> None:
    page = lobby(FULL, table)
    press(page, "down", key)
    assert await result_of(page) == wish


@pytest.mark.parametrize(
    ("table", "key", "why"),
    [
        (PLAYING, "enter", "No seat is free at this table; press w to watch it."),
        (FULL, "enter", "No seat is free at this table."),
        (FORMING, "w", "This table does not play yet; press Enter to take a seat there."),
    ],
)
async def test_what_a_table_has_not(table: ListedTable, key: str, why: str) -> None:
    page = lobby(table)
    press(page, key)
    assert await result_of(page) is None
    assert shown(page)[-2] == why


async def test_the_first_click_looks_and_the_second_joins() -> None:
    page = lobby(FORMING, OPEN)
    click(page, "Table 3")
    assert await result_of(page) is None
    assert shown(page)[-3] == "Table 3: Dan, Eve, Moe, Curly"
    click(page, "Table 3")
    assert await result_of(page) == JoinTableWish("Table 3")


async def test_the_keys_at_the_bottom_can_be_clicked() -> None:
    page = lobby(FORMING)
    click(page, "Refresh", button=3)
    assert await result_of(page) is None
    click(page, "Refresh")
    assert await result_of(page) == Refresh()


async def test_no_table_at_all() -> None:
    page = lobby()
    assert " There is no public table now. Press n to open one." in shown(page)
    press(page, "enter", "w", "down")
    assert await result_of(page) is None
    press(page, "n")
    assert await result_of(page) == NewTable()


async def test_many_tables_scroll() -> None:
    tables = [ListedTable(f"Table {number}", 0, 3, ("A", "", "", "")) for number in range(1, 101)]
    page = lobby(*tables)
    assert not any("Table 100" in line for line in shown(page))
    press(page, "end")
    assert any("Table 100" in line for line in shown(page))
    press(page, "up", "enter")
    assert await result_of(page) == JoinTableWish("Table 99")
    page = lobby(*tables)
    click(page, "Table 1", button=5)
    press(page, "enter")
    assert await result_of(page) == JoinTableWish("Table 2")


@pytest.mark.parametrize("ascii", [False, True])
async def test_hostile_names_stay_in_their_place(ascii: bool) -> None:
    names = ("日本語日本語日本語日", 'You: "x"', "* notice *", "a\u0301\u0301\u0301\u0301b")
    page = lobby(ListedTable("[q] Quit > ", 0, 1, names), OPEN, ascii=ascii)
    lines = shown(page)
    assert len(lines) == SIZE[1]
    assert all(columns(line) <= SIZE[0] for line in lines if "─" not in line)
    assert lines[3].startswith(' >  "[q] Quit > "')
    assert lines[4].startswith("    Table 3")
    press(page, "enter")
    assert await result_of(page) == JoinTableWish("[q] Quit > ")


def test_names_are_in_full_below() -> None:
    names = ("Bartholomew of the Long Name", "Maximilian of the Long Name", "C", "D")
    page = lobby(ListedTable("T", 1, 0, names))
    text = "\n".join(shown(page)[-4:-2])
    assert all(name in text.replace("\n    ", " ") for name in names)


def test_a_problem_is_shown() -> None:
    assert shown(lobby(FORMING, problem="that table is taken"))[-2] == "that table is taken"

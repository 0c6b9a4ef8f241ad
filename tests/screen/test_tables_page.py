"""The list of public tables."""

from __future__ import annotations

from typing import Any

import pytest
import trio

from hearts.game.rules import STANDARD, Rules, parse_rules
from hearts.session.client_events import TablesListed
from hearts.session.messages import ListedTable, LookedTable
from hearts_client.library.reach import CannotConnect
from hearts_client.screen.pages.tables_page import REFRESH_EVERY, TablesPage, keep_fresh, why_not
from hearts_client.screen.wish import Join, OpenTableWish, ShowTables, WatchWish, Wish
from hearts_client.session.visit import Guest
from hearts_client.words.others import columns

from .driving import SIZE, click, press, result_of, shown

FORMING = ListedTable("Table 2", 0, 2, ("", "Bob", "Moe", ""))
PLAYING = ListedTable("Table 1", 6, 0, ("Cleo", "Moe", "Larry", "Curly"))
OPEN = ListedTable("Table 3", 7, 1, ("Dan", "Eve", "Moe", "Curly"))
FULL = ListedTable("Table 4", 0, 0, ("Fay", "Gil", "Hal", "Ida"))


GUEST = Guest("hearts.example", 7626, "Ann")


def join(name: str) -> Join:
    return Join(GUEST, name, is_listed=True)


def lobby(*tables: ListedTable, **more: Any) -> TablesPage:
    return TablesPage(TablesListed(tables), GUEST, **{"ascii": False, **more})


def test_what_is_known_of_each_table() -> None:
    assert shown(lobby(FORMING, PLAYING, OPEN))[:6] == [
        "                      Public tables at hearts.example:7626",
        "─" * SIZE[0],
        "    Table                    State      Free   Players",
        " >  Table 2                  forming    2      Bob, Moe",
        "    Table 1                  game 6     0      Cleo, Moe, Larry, Curly",
        "    Table 3                  game 7     1      Dan, Eve, Moe, Curly",
    ]


def test_the_greeting_of_the_server() -> None:
    listed = TablesListed((FORMING,), (), ("Friday club", "We begin at eight", "Be kind"))
    page = TablesPage(listed, GUEST, ascii=False)
    assert [line.strip() for line in shown(page)[:6] if "─" not in line] == [
        "Public tables at Friday club (hearts.example:7626)",
        "We begin at eight",
        "Be kind",
        "Table                    State      Free   Players",
        ">  Table 2                  forming    2      Bob, Moe",
    ]
    assert page.looked_at == "Table 2"


@pytest.mark.parametrize(
    ("table", "key", "wish"),
    [
        (FORMING, "enter", join("Table 2")),
        (OPEN, "enter", join("Table 3")),
        (OPEN, "w", WatchWish(GUEST, "Table 3", 7)),
        (PLAYING, "w", WatchWish(GUEST, "Table 1", 6)),
        (PLAYING, "r", ShowTables(GUEST, "Table 1")),
        (PLAYING, "n", OpenTableWish(GUEST)),
        (PLAYING, "esc", None),
    ],
)
async def test_keys(table: ListedTable, key: str, wish: Wish | None) -> None:
    page = lobby(FULL, table)
    press(page, "down", key)
    with trio.fail_after(1):
        assert await page.wait() == wish


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
    assert await result_of(page) == join("Table 3")


async def test_the_keys_at_the_bottom_can_be_clicked() -> None:
    page = lobby(FORMING)
    click(page, "Refresh", button=3)
    assert await result_of(page) is None
    click(page, "Refresh")
    assert await result_of(page) == ShowTables(GUEST, "Table 2")


async def test_no_table_at_all() -> None:
    page = lobby()
    assert " There is no public table. Press n to open one." in shown(page)
    press(page, "enter", "w", "down")
    assert await result_of(page) is None
    press(page, "n")
    assert await result_of(page) == OpenTableWish(GUEST)


async def test_many_tables_scroll() -> None:
    tables = [ListedTable(f"Table {number}", 0, 3, ("A", "", "", "")) for number in range(1, 101)]
    page = lobby(*tables)
    assert not any("Table 100" in line for line in shown(page))
    press(page, "end")
    assert any("Table 100" in line for line in shown(page))
    press(page, "up", "enter")
    assert await result_of(page) == join("Table 99")
    page = lobby(*tables)
    click(page, "Table 1", button=5)
    press(page, "enter")
    assert await result_of(page) == join("Table 2")


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
    assert await result_of(page) == join("[q] Quit > ")


def test_names_are_in_full_below() -> None:
    names = ("Bartholomew of the Long Name", "Maximilian of the Long Name", "C", "D")
    page = lobby(ListedTable("T", 1, 0, names))
    text = "\n".join(shown(page)[-4:-2])
    assert all(name in text.replace("\n    ", " ") for name in names)


def test_a_problem_is_shown() -> None:
    assert shown(lobby(FORMING, problem="that table is taken"))[-2] == "that table is taken"


# While it is shown


def known(*, rules: Rules = STANDARD, end: int = 50, limit: int = 60) -> LookedTable:
    return LookedTable(0, False, 2, rules, end, limit, "", FORMING.players)


def test_what_is_played_at_a_table_is_in_words() -> None:
    details = (
        ("Table 2", known(rules=parse_rules("jack,bleed"), end=1, limit=1)),
        ("Table 3", known()),
    )
    page = TablesPage(TablesListed((FORMING, OPEN), details), GUEST, ascii=False)
    told = " ".join(line.strip() for line in shown(page))
    assert (
        "Table 2: Bob, Moe A game to 1 point, 1 second for each choice: the jack of diamonds "
        "counts 10 off your score; points may be played on the first trick."
    ) in told
    press(page, "down")
    assert "A game to 50 points, 60 seconds for each choice: standard rules." in shown(page)


def test_the_person_stays_at_his_table_when_the_list_is_new() -> None:
    page = lobby(FORMING, PLAYING, OPEN)
    press(page, "down", "down")
    assert page.looked_at == "Table 3"
    page.show_tables(TablesListed((OPEN, FORMING, PLAYING)))
    assert page.looked_at == "Table 3"
    page.show_tables(TablesListed((FORMING, PLAYING)))
    assert page.looked_at == "Table 2"
    page.show_tables(TablesListed(()))
    assert page.looked_at == ""
    assert not any("Table 2" in line for line in shown(page))
    page.show_tables(TablesListed((PLAYING,)))
    assert page.looked_at == "Table 1"


@pytest.mark.parametrize(
    ("looked_at", "goes_on"), [("", "Table 2"), ("Table 3", "Table 3"), ("Table 9", "Table 2")]
)
def test_a_list_that_was_asked_for_begins_at_the_same_table(looked_at: str, goes_on: str) -> None:
    page = lobby(FORMING, PLAYING, OPEN, looked_at=looked_at)
    assert page.looked_at == goes_on
    assert [line[:12] for line in shown(page) if line.startswith(" > ")] == [f" >  {goes_on} "]


def test_what_was_told_of_a_table_is_kept_while_it_is_there() -> None:
    page = TablesPage(TablesListed((FORMING,), (("Table 2", known()),)), GUEST, ascii=False)
    line = "A game to 50 points, 60 seconds for each choice: standard rules."
    page.show_tables(TablesListed((FORMING, OPEN)))
    assert line in shown(page)
    page.show_tables(TablesListed((OPEN,)))
    page.show_tables(TablesListed((FORMING,)))
    assert line not in shown(page)


class ListingServer:
    """A server whose list can be set, and that may not answer."""

    def __init__(self, *tables: ListedTable) -> None:
        self.tables = tables
        self.at: list[tuple[float, str]] = []
        self.fails = False
        self.hangs = False

    async def ask(self, first: str) -> TablesListed:
        self.at.append((trio.current_time(), first))
        await trio.lowlevel.checkpoint()
        if self.hangs:
            await trio.sleep_forever()
        if self.fails:
            raise CannotConnect("no")
        return TablesListed(self.tables)


async def test_the_list_is_asked_for_every_few_seconds(autojump_clock: trio.abc.Clock) -> None:
    page, server = lobby(FORMING, OPEN), ListingServer(FORMING, OPEN)
    press(page, "down")
    start = trio.current_time()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(keep_fresh, page, server.ask)
        await trio.sleep(2.5 * REFRESH_EVERY)
        server.tables = (PLAYING,)
        await trio.sleep(REFRESH_EVERY)
        assert any("Table 1" in line for line in shown(page))
        nursery.cancel_scope.cancel()
    assert [at - start for at, _ in server.at] == [REFRESH_EVERY * n for n in (1, 2, 3)]
    assert {first for _, first in server.at} == {"Table 3"}


@pytest.mark.parametrize("fault", ["fails", "hangs"])
async def test_a_server_that_does_not_answer_is_asked_less_and_less_often(
    fault: str, autojump_clock: trio.abc.Clock
) -> None:
    page, server = lobby(FORMING), ListingServer(FORMING)
    setattr(server, fault, True)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(keep_fresh, page, server.ask)
        await trio.sleep(600)
        assert shown(page)[-2] == "The server does not answer; the list may be out of date."
        assert any("Table 2" in line for line in shown(page))
        assert len(server.at) < 15
        setattr(server, fault, False)
        await trio.sleep(80)
        assert "does not answer" not in "\n".join(shown(page))
        nursery.cancel_scope.cancel()


def test_a_row_that_is_stale() -> None:
    listed = TablesListed((FORMING, PLAYING))
    assert why_not(listed, "Table 2") == ""
    assert why_not(listed, "Table 1") == "No seat is free at Table 1 any longer."
    assert why_not(listed, "Table 9") == "Table 9 is gone. These are the tables now."

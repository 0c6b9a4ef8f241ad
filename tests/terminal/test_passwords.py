"""A host asks people for a password, line by line and at the full screen."""

from __future__ import annotations

from pathlib import Path

from tests.clients.tables import house
from tests.integration.house import HOST

from .play import settle
from .terminal import terminal

ENTER = "\r"


async def test_line_by_line_it_is_asked_for_until_it_is_right(tmp_path: Path) -> None:
    async with house(tmp_path / "server", "--password", "sesame") as port:
        where = (f"{HOST}:{port}", "--taunt-port", "0", "--computers", "3", "--plain")
        async with terminal(tmp_path, *where) as screen:
            await screen.wait_for("The host asks for a password")
            screen.type("sessame" + ENTER)
            await screen.wait_for("That is not the password")
            screen.type("sesame" + ENTER)
            await screen.wait_for("Type the three cards")
            screen.type("/quit" + ENTER)
            assert (await screen.ended()).as_before
            assert b"/quit" in screen.said
            assert b"sesame" not in screen.said


async def test_whoever_has_none_gives_up(tmp_path: Path) -> None:
    async with (
        house(tmp_path / "server", "--password", "sesame") as port,
        terminal(tmp_path, f"{HOST}:{port}", "--taunt-port", "0", "--plain") as screen,
    ):
        await screen.wait_for("The host asks for a password")
        screen.type(ENTER)
        assert (await screen.ended()).as_before


async def test_at_the_full_screen_a_page_asks_for_it(tmp_path: Path) -> None:
    """What is wished for is not forgotten: the table, and its computers."""
    settle(tmp_path)
    async with house(tmp_path / "server", "--password", "sesame") as port:
        where = (f"{HOST}:{port}", "--taunt-port", "0", "--computers", "3", "--table", "den")
        async with terminal(tmp_path, *where) as screen:
            await screen.wait_for("The host asks for a password")
            # These are no keys of the page.
            screen.type("raq" + ENTER)
            await screen.wait_for("That is not the password")
            screen.type("sesame" + ENTER)
            await screen.wait_for("Mark three")
            assert b"sesame" not in screen.said

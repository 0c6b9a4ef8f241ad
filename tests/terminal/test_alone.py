"""A person alone with three computers, from the start screen to the statistics, in a terminal."""

from __future__ import annotations

import json
from pathlib import Path

from hearts.game.cards import Card

from .play import CODE, DEALT, hand, legal, my_turn, pass_cards, play_on, settle
from .terminal import NotSeen, Terminal, terminal

RIGHT, ENTER, ESCAPE, PASTE = "\x1b[C", "\r", "\x1b", "\x1b[200~{}\x1b[201~"
START = "Play now against three computers"


async def test_an_evening_by_keyboard(tmp_path: Path) -> None:
    settle(tmp_path)
    async with terminal(tmp_path, "--name", "Ann") as screen:
        # A deal that one knows is arranged from the start screen.
        await screen.wait_for(START)
        screen.type("c")
        await screen.wait_for("A game against three computers")
        deal = screen.find("Deal ")
        assert deal is not None
        screen.click(deal[0] + 20, deal[1])
        screen.type(CODE.lower())
        await screen.wait_for(CODE.lower())
        screen.click_text("[p] Play")
        await screen.wait_for("Mark three")
        assert {Card.parse(name) for name in DEALT} == set(hand(screen))

        # Three cards are marked, one of them is taken back, and another passed.
        screen.type(ENTER + RIGHT + " " + RIGHT + " ")
        await screen.wait_for("Enter passes 2♣ 3♣ 4♣")
        screen.type(" ")
        await screen.wait_for("Mark three")
        screen.type("7h")
        await screen.wait_for("Enter passes 2♣ 3♣ 7♥ to Moe")
        screen.type(ENTER)
        await my_turn(screen, 1)
        assert Card.parse("7H") not in hand(screen)

        # What cannot be played is not, and why is said.
        screen.type("9s" + ENTER)
        await screen.wait_for("You cannot play 9♠ now")
        screen.type("kc2h" + ENTER)
        await screen.wait_for("You do not hold 2♥")
        screen.type("i")
        await screen.wait_for("Play ")
        assert len(hand(screen)) == 13

        for trick in range(1, 8):
            await my_turn(screen, trick)
            screen.type(str(legal(screen)[0]).lower() + ENTER)
        await play_on(screen, 8)
        await screen.wait_for("Hand 1 is over")
        assert screen.shows("hand 1 ")

        # The hand again, with all cards open; the table below has not moved on.
        screen.type("v")
        await screen.wait_for("Replay of hand 1")
        await screen.wait_for(CODE)
        assert all(screen.shows(name) for name in ("Moe", "Larry", "Curly", "K J 8 4 3"))
        screen.type(RIGHT)
        await screen.wait_for("After the pass")
        screen.type(ESCAPE)
        await screen.wait_until_gone("After the pass")
        screen.type(ENTER)
        await screen.wait_for("Hand 2")
        screen.type("m")
        await screen.wait_for("Leave the table")
        screen.type("x")

        await screen.wait_for(START)
        screen.type("s")
        await screen.wait_for("Your statistics")
        assert ["hands", "1"] in [line.split() for line in screen.lines]
        screen.type(ESCAPE)
        await screen.wait_for(START)
        screen.type("q")
        ended = await screen.ended()
        assert (ended.status, ended.as_before) == (0, True)
        assert screen.left_clean()
        assert not screen.text.strip()


async def test_a_hand_by_mouse(tmp_path: Path) -> None:
    settle(tmp_path)
    async with terminal(tmp_path, "--solo", "--deal", CODE) as screen:
        await screen.wait_for("Mark three")
        for name in ("KC", "QC", "JD"):
            screen.click(*hand(screen)[Card.parse(name)])
        await screen.wait_for("Enter passes")
        screen.click_text("[Enter]")
        for trick in range(1, 14):
            await my_turn(screen, trick)
            screen.click(*hand(screen)[legal(screen)[-1]])
        await screen.wait_for("Hand 1 is over")
        screen.click_text("scores")
        await screen.wait_for("Scores ")
        screen.click_text("Esc")
        await screen.wait_for("go on")
        screen.click_text("go on")
        await screen.wait_for("Hand 2")


async def test_help_at_hand(tmp_path: Path) -> None:
    # Each trick stays until somebody goes on.
    settle(tmp_path, trick_stays=None, finishes_slowly=True, level="novice")
    async with terminal(tmp_path, "--solo", "--deal", CODE) as screen:
        await screen.wait_for("Mark three")
        screen.type("r")
        await screen.wait_for("The computers play at the level novice.")
        screen.type(ESCAPE)
        await screen.wait_until_gone("The computers play at the level novice.")
        screen.type("i")
        await screen.wait_for("Pass ")
        assert b"\a" not in screen.said
        screen.type("z")
        await screen.wait_for("You hear the queen")
        await pass_cards(screen, "2c", "3c", "4c")
        await my_turn(screen, 1)
        assert b"\a" in screen.said
        screen.type(PASTE.format("kc\r") + "i")
        await screen.wait_for("Play ")
        assert len(hand(screen)) == 13
        screen.type("f")
        await screen.wait_for("f does it")
        screen.type("f")
        await screen.wait_for("[Enter] go on")
        assert screen.shows("computer plays")
        screen.type("f")
        await screen.wait_for("You play yourself again")
        screen.type(ENTER)
        await my_turn(screen, 2)
        assert len(hand(screen)) == 12
        screen.type("ff")
        await go_on_until(screen, "Hand 1 is over")
    kept = tmp_path / "config" / "hearts-client" / "settings.json"
    assert json.loads(kept.read_text())["bell"]


async def test_a_game_to_its_end_and_its_deal_again(tmp_path: Path) -> None:
    settle(tmp_path)
    short = ("--solo", "--deal", CODE, "--end-score", "1")
    async with terminal(tmp_path, *short) as screen:
        await let_computer_play(screen)
        screen.type("n")
        await screen.wait_for("Esc leaves")
        screen.type("v")
        await screen.wait_for(CODE)
        screen.type("a")
        await screen.wait_for("Mark three")
        assert {Card.parse(name) for name in DEALT} == set(hand(screen))


async def let_computer_play(screen: Terminal) -> None:
    """Pass, and let a computer play the only hand of a game."""
    await pass_cards(screen)
    await my_turn(screen, 1)
    screen.type("ff")
    await screen.wait_for("Another game?")


async def go_on_until(screen: Terminal, words: str) -> None:
    """Clear away each trick that is held, until words are shown."""
    # Enter is pressed only at a trick that is held: pressed a moment later it would clear away
    # the page with the words, and the computer would play hand after hand.
    for _ in range(13 + 1):
        await screen.wait_for(lambda: screen.shows(words) or screen.shows("[Enter] go on"))
        if screen.shows(words):
            return
        await go_on(screen)
    raise NotSeen(f"{words!r} is not shown after 13 tricks")


async def go_on(screen: Terminal) -> None:
    """Clear away the trick that is held, and wait until something else is shown."""
    before = screen.text
    screen.type(ENTER)
    await screen.wait_for(lambda: screen.text != before)


async def pass_by_names(screen: Terminal) -> None:
    """Pass three cards by their names; Enter behind the last of them is meant."""
    await screen.wait_for("Mark three")
    screen.type("qckcjd" + ENTER)
    await my_turn(screen, 1)


async def test_a_game_alone_is_kept(tmp_path: Path) -> None:
    """It is left and taken up again from the start screen, by another program, and ended."""
    settle(tmp_path)
    state = tmp_path / "state" / "hearts-client"
    async with terminal(tmp_path, "--solo", "--name", "Ann", "--deal", CODE) as screen:
        await pass_by_names(screen)
        await play_on(screen, 1, 1)
        await my_turn(screen, 2)
        held = set(hand(screen))
        screen.type("m")
        await screen.wait_for("End this game for good")
        screen.type("x")
        await screen.wait_for("[1] Alone as Ann, 0 hands played")
        screen.type("1")
        await my_turn(screen, 2)
        assert set(hand(screen)) == held
        await play_on(screen, 2, 2)
        await my_turn(screen, 3)
        screen.type("\x03")
        await screen.ended()
        assert screen.shows("To come back to a game that you have left: hearts-client")
    async with terminal(tmp_path, "--resume") as screen:
        await my_turn(screen, 3)
        assert len(hand(screen)) == 11
        screen.type("m")
        await screen.wait_for("End this game for good")
        screen.type("e")
        await screen.wait_for(START)
        assert not screen.shows("Alone as Ann")
    assert [list((state / kind).iterdir()) for kind in ("sessions", "solo")] == [[], []]


async def test_help_on_every_page(tmp_path: Path) -> None:
    settle(tmp_path)
    async with terminal(tmp_path, "--name", "Ann") as screen:
        for key, words in (
            ("", START),
            ("c", "A game against three"),
            ("o", "What the cards look"),
        ):
            await screen.wait_for(START)
            screen.type(key)
            await screen.wait_for(words)
            screen.type("?")
            await screen.wait_for("At the table")
            screen.type("?")
            await screen.wait_until_gone("At the table")
            assert screen.shows(words)
            if key:
                screen.type(ESCAPE)
        await screen.wait_for(START)
        screen.type("p")
        await screen.wait_for("Mark three")
        screen.type("w")
        await screen.wait_for("What has happened")
        screen.type("?")
        await screen.wait_for("At the table")

"""A person at the screen of a real server: the chat, every key of the help, and any keys at all."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest

from hearts.game.cards import Card
from hearts.game.events import CardPlayed, PassMade, TrickTaken
from hearts.game.rules import parse_rules
from hearts.session.client_events import ChoiceRefused
from hearts.session.messages import Options
from hearts_client.screen.input.drawn_page import LEFT_BUTTON, WHEEL_DOWN, WHEEL_UP
from hearts_client.screen.pictures.sights import OnCard, OnChat, Stage
from hearts_client.screen.pictures.table_picture import draw_table
from hearts_client.screen.settings.settings import Settings
from hearts_client.screen.table.keys import SEAT_KEYS, WantedPage, helped
from hearts_client.words.style import Sort

from .seats import ALONE, CODE, PASS, SIZE, At, cursor, drawn, marked, names, seated, wanted

A_CARD = re.compile(r"\b(10|[2-9JQKA])([CDHS])\b")


# The chat


@pytest.mark.seat("--deal", CODE)
async def test_who_writes_does_not_play(at: At) -> None:
    at.receive_chat(1, "hello")
    assert at.sight.chat.unread == 1
    sight = at.press("/")
    assert (sight.chat.typing, sight.chat.unread) == ("", 0)
    at.press(*"kc qc jd?!lbrvonmif", "left", "right", " ", "up", "home")
    assert marked(at.sight) == ""
    assert wanted(at) == []
    assert [button.key for button in at.sight.buttons] == ["enter", "esc"]
    at.press("enter")
    assert at.said == ["kc qc jd?!lbrvonmif"]
    at.press(*"/agree", "enter")
    assert at.commanded == ["/agree"]
    at.press(*"draft", "esc")
    assert at.sight.chat.typing is None
    at.press("k", "c")
    assert marked(at.sight) == "KC"
    assert at.press("tab").chat.typing == "draft"
    at.click(OnCard(Card.parse("QC")))
    assert marked(at.sight) == "QC KC"
    assert at.sight.chat.typing is None
    at.click(OnChat())
    assert at.sight.chat.typing == "draft"
    assert not any(isinstance(event, PassMade) for event in at.events)


async def test_what_was_said_before_is_scrolled_to(at: At) -> None:
    for number in range(90):
        at.receive_chat(1, f"line {number}")
    assert at.sight.chat.lines[-1][1] == "line 89"
    at.click(OnChat(), WHEEL_UP)
    assert at.sight.chat.lines[-2][1] == "line 86"
    at.click(OnChat(), WHEEL_DOWN)
    assert at.sight.chat.lines[-1][1] == "line 89"
    at.click(OnCard(at.sight.hand[0].card), WHEEL_UP)
    assert marked(at.sight) == ""


@pytest.mark.seat("--deal", CODE)
async def test_what_is_pasted_plays_nothing(at: At) -> None:
    at.press("begin paste", *"kcqcjd", "enter", "/", "y", "n", "m", "f", "esc", "end paste")
    sight = await at.after()
    assert (marked(sight), sight.chat.typing, sight.auto) == ("", None, False)
    assert wanted(at) == []
    at.press("k", "c", "q", "c", "j", "d", "begin paste", "enter", "end paste")
    await at.after()
    assert not any(isinstance(event, PassMade) for event in at.events)
    at.press("/", "begin paste", *"one", "enter", *"two", "end paste")
    assert at.sight.chat.typing == "one two"
    assert at.said == []
    at.press("enter", "esc")
    at.press("enter")
    await at.after()
    assert at.said == ["one two"]
    assert any(isinstance(event, PassMade) for event in at.events)


# Help and settings


async def test_every_key_of_the_help_does_something(tmp_path: Path, autojump_clock: object) -> None:
    async with seated(tmp_path, "--deal", CODE, "--bot-pause", "1") as at:
        for key in sorted(helped(in_pass=True), key=lambda key: key == "enter"):
            before = at.sight
            assert at.page.press(key)
            assert at.sight != before, key
        at.page.choosing.unmark()
        at.press(*PASS)
        await at.asked("you lead")
        at.press("enter")
        await at.asked("follow spades")
        for key in helped():
            if key not in ("ctrl c", "enter"):
                await told_apart(at, key)
        await told_apart(at, "enter")
        await at.after()
        assert sum(isinstance(e, CardPlayed) and e.player == 0 for e in at.events) == 2
    assert {row.opens for row in SEAT_KEYS} - {None} == set(WantedPage) - {WantedPage.INVITE}


async def test_the_bar_has_the_keys_that_answer(tmp_path: Path, autojump_clock: object) -> None:
    def shown() -> list[str]:
        return [button.key for button in at.sight.buttons]

    async with seated(tmp_path, "--deal", CODE, "--bot-pause", "1") as at:
        others = ["/", "?", "m"]
        assert shown() == [" ", "i", *others]
        at.press("k", "c", "q", "c", "j", "d")
        assert shown() == ["enter", " ", "i", *others]
        at.press("/")
        assert shown() == ["enter", "esc"]
        at.press("esc")
        at.press("enter")
        assert shown() == others
        await at.asked("you lead")
        assert shown() == ["enter", "i", "f", *others]
        at.press("f")
        assert shown() == ["f", *others]
        nobody = next(button for button in at.sight.buttons if button.key == "f")
        assert nobody.label == "take the hand back"


async def told_apart(at: At, key: str) -> None:
    """Press a key that changes the picture or wants a page, and then undo it."""
    before = at.sight
    assert at.page.press(key), key
    pages = wanted(at)
    assert at.sight != before or pages, key
    if at.sight.chat.typing is not None:
        at.press("ctrl u", "esc")
    elif at.sight.stage is Stage.LAST_TRICK:
        at.press("l")


@pytest.mark.seat("--deal", CODE)
async def test_settings_that_change_at_the_table(at: At) -> None:
    at.press("j", "d")
    at.theme.settings = Settings(sort=Sort.SUIT, taunts=("Hm.",))
    at.page.restyle()
    sight = at.sight
    assert names(sight.hand) == "2C 3C 4C QC KC 3D 6D 9D JD 7H 6S 9S JS"
    assert (cursor(sight), marked(sight)) == ("JD", "JD")
    at.press("!", "1")
    assert at.said == ["Hm."]


async def test_keys_that_stand_for_nothing(at: At) -> None:
    for key in ("f5", "ctrl x", "meta a", "x", "insert", "\u00e9", "page up", "delete"):
        before = at.sight
        assert not at.page.press(key)
        assert at.sight == before


KEYS = [
    *(
        *helped(),
        *helped(in_pass=True),
        "home",
        "end",
        "up",
        "down",
        "backspace",
        "esc",
        "page up",
        "f5",
    ),
    *("begin paste", "end paste", "end paste", "y", "n", "x", "enter", "enter", "enter", "esc"),
    *("2", "9", "1", "0", "t", "q", "k", "a", "c", "d", "h", "s", "left", "right", "\u2660"),
]


@pytest.mark.parametrize("seed", [0, pytest.param(1, marks=pytest.mark.heavy)])
async def test_any_keys_and_clicks(seed: int, tmp_path: Path, autojump_clock: object) -> None:
    """Nothing falls over, nothing is sent that the server refuses, and the games go on."""
    draw = random.Random(seed)
    options = Options(ALONE.computers, parse_rules("moon=choice,jack"), end_score=30)
    arguments = ("--turn-limit", "10", "--bot-pause", "0.5")
    async with seated(tmp_path, *arguments, options=options, settings=Settings()) as at:
        for _ in range(400):
            if draw.random() < 0.2:
                at.page.widget.render(SIZE, True)
                canvas = draw_table(at.page.sight(), at.theme, SIZE)
                box, _ = draw.choice(canvas.regions)
                button = draw.choice([LEFT_BUTTON, WHEEL_UP, WHEEL_DOWN])
                where = (box.column + draw.randrange(box.width), box.row)
                at.page.widget.mouse_event(SIZE, "mouse press", button, *where, True)
            else:
                at.press(draw.choice(KEYS))
            wanted(at)
            if draw.random() < 0.1:
                await at.after(draw.choice([0.1, 1.0, 12.0]))
        assert at.problem is None
        assert not any(isinstance(event, ChoiceRefused) for event in at.events)
        at.press("end paste", "esc", "esc")
        played = sum(isinstance(event, CardPlayed) for event in at.events)
        await at.after(60)
        more = sum(isinstance(event, CardPlayed) for event in at.events)
        assert more > played or at.page.is_over


@pytest.mark.seat("--deal", CODE, "--bot-pause", "1")
async def test_nothing_that_is_hidden_is_told(at: At) -> None:
    """Notices name no card of others before it lies on the table."""
    own = {held.card for held in at.sight.hand}
    at.press(*PASS)
    await at.asked("you lead")
    own |= {held.card for held in at.sight.hand}
    at.press("f")
    named = set()
    while at.sight.stage is Stage.TRICK and at.sight.trick_number < 12:
        seen = own | {event.card for event in at.events if isinstance(event, CardPlayed)}
        words = "\n".join([*at.notices, drawn(at.page)])
        named |= {Card.parse(rank + suit) for rank, suit in A_CARD.findall(words)}
        assert named <= seen
        await at.after(1.5)
    assert len(named) > 20
    assert sum(isinstance(event, TrickTaken) for event in at.events) >= 11

"""The page of the settings."""

from __future__ import annotations

import re

import pytest
from msgspec.structs import replace

from hearts_client.screen.pages.options_page import OptionsPage
from hearts_client.screen.settings.settings import Colors, Design, Highlight, Settings
from hearts_client.words.style import Sort

from .driving import click, go_to, press, result_of, shown, type_text

USUAL = Settings()


class OptionsTold:
    """A page, and what it has told of changes."""

    def __init__(self, settings: Settings = USUAL, ascii: bool = False) -> None:
        self.heard: list[Settings] = []
        self.page = OptionsPage(settings, self.heard.append, ascii=ascii)


async def test_esc_gives_what_was_given() -> None:
    options = OptionsTold(replace(USUAL, trick_stays=None, taunts=()))
    press(options.page, "esc")
    assert await result_of(options.page) == replace(USUAL, trick_stays=None, taunts=())
    assert options.heard == []


async def test_cards_from_files_stand_beside_ours() -> None:
    names = [f"cards {number}" for number in range(9)]
    known = replace(USUAL, design=Design.PLAIN, own_cards="cards 0")
    heard: list[Settings] = []
    page = OptionsPage(known, heard.append, own_cards=names, ascii=False)

    def chosen() -> list[str]:
        of_cards = "\n".join(shown(page)[2:5])
        return [name.strip() for name in re.findall(r"\(X\) ((?:\S+ ?)+)", of_cards)]

    assert chosen() == ["cards 0"]
    click(page, "cards 8")
    assert chosen() == ["cards 8"]
    click(page, "four colours")
    assert chosen() == ["four colours"]
    click(page, "cards 1")
    assert heard == [
        replace(known, own_cards="cards 8"),
        replace(known, design=Design.FOUR_COLORS, own_cards=""),
        replace(known, design=Design.FOUR_COLORS, own_cards="cards 1"),
    ]


async def test_who_hears_nothing_for_a_while_has_the_same_sounds_afterwards() -> None:
    sounds = replace(USUAL, bell=True, sounds=True)
    options = OptionsTold(sounds)
    click(options.page, "nothing")
    assert options.heard == [replace(sounds, bell=False)]
    quiet = OptionsTold(replace(sounds, bell=False))
    assert "(X) nothing" in "\n".join(shown(quiet.page))


async def test_cards_that_are_gone_are_ours_again() -> None:
    options = OptionsTold(replace(USUAL, design=Design.PLAIN, own_cards="gone"))
    assert "(X) plain" in "\n".join(shown(options.page))
    click(options.page, "the bell")
    assert options.heard == [replace(USUAL, design=Design.PLAIN, bell=True)]


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("always the same", replace(USUAL, sort=Sort.SUIT)),
        ("heavy lines", replace(USUAL, highlight=Highlight.OUTLINE)),
        ("inverted", replace(USUAL, highlight=Highlight.INVERTED)),
        ("plain", replace(USUAL, design=Design.PLAIN)),
        ("four colours", replace(USUAL, design=Design.FOUR_COLORS)),
        ("dark", replace(USUAL, colors=Colors.DARK)),
        ("light", replace(USUAL, colors=Colors.LIGHT)),
        ("colour-blind", replace(USUAL, colors=Colors.SAFE)),
        ("none", replace(USUAL, colors=Colors.NONE)),
        ("the bell", replace(USUAL, bell=True)),
        ("( ) sounds", replace(USUAL, bell=True, sounds=True)),
        ("Ask before a queen", replace(USUAL, asks_twice=True)),
        ("Show each card of a hand", replace(USUAL, finishes_slowly=True)),
        ("Choose a card before", replace(USUAL, chooses_ahead=True)),
    ],
)
async def test_a_click_is_heard_at_once(words: str, expected: Settings) -> None:
    options = OptionsTold()
    click(options.page, words)
    assert options.heard == [expected]
    press(options.page, "esc")
    assert await result_of(options.page) == expected


async def test_how_well_the_computers_play_is_chosen() -> None:
    options = OptionsTold()
    go_to(options.page, "They play")
    click(options.page, "expert")
    click(options.page, "novice")
    assert options.heard == [replace(USUAL, level="expert"), replace(USUAL, level="novice")]


@pytest.mark.parametrize(
    ("words", "text", "expected"),
    [
        ("A trick", "3", replace(USUAL, trick_stays=3.0)),
        ("A trick", "", replace(USUAL, trick_stays=None)),
        ("A notice", "60", replace(USUAL, notice_stays=60.0)),
        ("A computer", "0", replace(USUAL, bot_pause=0.0)),
        ("Keys", "0.2", replace(USUAL, key_waits=0.2)),
        ("Sounds by", "play -q ", replace(USUAL, sound_command="play -q")),
        ("Left", "Ann", replace(USUAL, computers=("Ann", "Larry", "Curly"))),
        ("Right", "Zoë ", replace(USUAL, computers=("Moe", "Larry", "Zoë"))),
        ("! 2", "Qs!", replace(USUAL, taunts=(USUAL.taunts[0], "Qs!", *USUAL.taunts[2:]))),
        ("! 2", "", replace(USUAL, taunts=(USUAL.taunts[0], *USUAL.taunts[2:]))),
        ("! 9", "The last.", replace(USUAL, taunts=(*USUAL.taunts, "The last."))),
    ],
)
async def test_what_is_typed_is_heard(words: str, text: str, expected: Settings) -> None:
    options = OptionsTold()
    go_to(options.page, words)
    type_text(options.page, text)
    assert options.heard[-1] == expected
    press(options.page, "esc")
    assert await result_of(options.page) == expected


@pytest.mark.parametrize(
    ("words", "text", "problem"),
    [
        ("A notice", "61", "A notice: give seconds from 0 to 60, not '61'"),
        ("A computer", "nan", "A computer: give seconds from 0 to 60, not 'nan'"),
        ("A trick", "soon", "A trick: give seconds from 0 to 60, not 'soon'"),
        ("Sounds by", "play 'it", "Sounds by: this is no command: No closing quotation"),
        ("Right", "Moe", "the three computers need different names, without a comma"),
        ("Right", "a,b", "the three computers need different names, without a comma"),
        ("Right", "", "Right: a name has 1 to 30 bytes"),
    ],
)
async def test_what_cannot_be_is_told_and_the_rest_counts(
    words: str, text: str, problem: str
) -> None:
    options = OptionsTold()
    go_to(options.page, words)
    type_text(options.page, text)
    assert any(line.startswith(problem) for line in shown(options.page))
    press(options.page, "home")
    go_to(options.page, "! 1")
    type_text(options.page, "Hello.")
    assert any(line.startswith(problem) for line in shown(options.page))
    press(options.page, "esc")
    given = await result_of(options.page)
    assert given.taunts == ("Hello.", *USUAL.taunts[1:])
    assert given.computers[:2] == USUAL.computers[:2]


@pytest.mark.parametrize("ascii", [False, True])
def test_all_settings_are_there_and_explained(ascii: bool) -> None:
    options = OptionsTold(ascii=ascii)
    helped = set()
    for words in ("Chosen", "Suits", "Colours", "A trick", "A notice", "A computer", "Across"):
        go_to(options.page, words)
        helped.add(shown(options.page)[-2])
    assert len(helped) == 7
    for number in range(1, 10):
        go_to(options.page, f"! {number}")
    text = "\n".join(shown(options.page))
    assert text.isascii() == ascii
    assert text.endswith("Enter: choose")

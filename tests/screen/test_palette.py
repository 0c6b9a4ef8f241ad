"""Every ink has its look, in every choice of colours."""

from __future__ import annotations

import pytest
import urwid

from hearts_client.screen.input.ui import PaletteEntry, palette
from hearts_client.screen.pictures.canvas import Ink
from hearts_client.screen.settings.settings import Colors

CHOICES = [colors for colors in Colors if colors is not Colors.AUTO]


def by_ink(entries: list[PaletteEntry]) -> dict[str, PaletteEntry]:
    return {entry[0]: entry for entry in entries}


@pytest.mark.parametrize("colors", CHOICES)
def test_every_ink_is_there_once(colors: Colors) -> None:
    names = [entry[0] for entry in palette(colors, environ={})]
    assert sorted(names) == sorted(Ink)


@pytest.mark.parametrize("colors", CHOICES)
def test_urwid_reads_every_entry(colors: Colors) -> None:
    for _, few, few_ground, mono, many, many_ground in palette(colors, environ={}):
        assert urwid.AttrSpec(few, few_ground, 16).colors <= 16
        assert urwid.AttrSpec(many, many_ground, 256).colors <= 256
        assert urwid.AttrSpec(mono, "default", 1).colors == 1


@pytest.mark.parametrize("colors", CHOICES)
def test_a_background_has_a_text_that_is_chosen_with_it(colors: Colors) -> None:
    # Whichever background the terminal has, this text is seen.
    for name, few, few_ground, _, many, many_ground in palette(colors, environ={}):
        for text, ground in ((few, few_ground), (many, many_ground)):
            color = text.split(",")[0]
            assert color != ground or ground == "default", name
            assert (color == "default") <= (ground == "default"), name


def test_no_colour_occurs_without_colours() -> None:
    words = {"default", "bold", "underline", "standout"}
    for _, few, few_ground, mono, many, many_ground in palette(Colors.NONE, environ={}):
        for text in (few, mono, many):
            assert set(text.split(",")) <= words
        assert (few_ground, many_ground) == ("default", "default")


@pytest.mark.parametrize(
    "ink", [Ink.CARD_CURSOR, Ink.CARD_RED_CURSOR, Ink.TURN, Ink.HURRY, Ink.FLASH, Ink.BUTTON_FOCUS]
)
@pytest.mark.parametrize("colors", CHOICES)
def test_what_matters_is_seen_without_colour(ink: Ink, colors: Colors) -> None:
    assert by_ink(palette(colors, environ={}))[ink][3] != "default"


@pytest.mark.parametrize("colors", [Colors.DARK, Colors.LIGHT, Colors.SAFE])
def test_the_suits_differ(colors: Colors) -> None:
    entries = by_ink(palette(colors, environ={}))
    suits = [Ink.CARD, Ink.CARD_RED, Ink.CARD_GREEN, Ink.CARD_BLUE]
    for column in (1, 4):
        assert len({entries[ink][column] for ink in suits}) == 4


@pytest.mark.parametrize(
    ("environ", "expected"),
    [
        ({}, Colors.DARK),
        ({"TERM": "xterm-256color"}, Colors.DARK),
        ({"COLORFGBG": "15;0"}, Colors.DARK),
        ({"COLORFGBG": "0;15"}, Colors.LIGHT),
        ({"COLORFGBG": "0;default;15"}, Colors.LIGHT),
        ({"COLORFGBG": "nonsense"}, Colors.DARK),
        ({"NO_COLOR": "1", "COLORFGBG": "0;15"}, Colors.NONE),
        ({"NO_COLOR": ""}, Colors.DARK),
        ({"TERM": "vt100"}, Colors.NONE),
    ],
)
def test_auto_follows_the_terminal(environ: dict[str, str], expected: Colors) -> None:
    assert palette(Colors.AUTO, environ=environ) == palette(expected, environ={})

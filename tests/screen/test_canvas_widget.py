"""A drawing as a widget: what reaches the terminal, and what a click hits."""

from __future__ import annotations

from collections.abc import Hashable, Iterator

import pytest
import urwid
from hypothesis import given
from hypothesis import strategies as st

from hearts_client.screen.input.drawn_page import LEFT_BUTTON, WHEEL_DOWN, CanvasWidget, encoded
from hearts_client.screen.pictures.canvas import Box, Canvas, Ink


@pytest.fixture(autouse=True)
def _encoding() -> Iterator[None]:
    before = urwid.util.get_encoding()
    urwid.set_encoding("utf-8")
    yield
    urwid.set_encoding(before)


def drawing(*pieces: tuple[str, Ink], width: int = 12) -> Canvas:
    canvas = Canvas(width, 2)
    column = 0
    for text, ink in pieces:
        column = canvas.put(column, 0, text, ink)
    return canvas


def first_row(canvas: Canvas) -> list[tuple[Hashable, str | None, bytes]]:
    return list(next(encoded(canvas).content()))


def shown(canvas: Canvas) -> str:
    return "".join(data.decode() for _, _, data in first_row(canvas)).rstrip()


def widget(canvas: Canvas, keys: str = "") -> tuple[CanvasWidget, list[object]]:
    clicks: list[object] = []
    made = CanvasWidget(
        lambda size: canvas, keys.__contains__, lambda target, button: clicks.append(target)
    )
    return made, clicks


def test_each_ink_is_an_attribute_of_its_text() -> None:
    canvas = drawing(("Ann", Ink.CHAT_NAME), ("日本", Ink.CHAT), ("!", Ink.ALARM))
    assert first_row(canvas) == [
        (Ink.CHAT_NAME, None, b"Ann"),
        (Ink.CHAT, None, "日本".encode()),
        (Ink.ALARM, None, b"!"),
        (Ink.TEXT, None, b"    "),
    ]


@pytest.mark.parametrize("hostile", ["\x1b", "\n", "\x0e", "\ud800", "\u202e", "\x9b"])
def test_what_a_terminal_would_obey_becomes_a_question_mark(hostile: str) -> None:
    assert shown(drawing((f"a{hostile}b", Ink.TEXT))) == "a?b"


def test_a_joiner_does_not_draw_two_characters_into_one() -> None:
    canvas = drawing(("👩\u200d👩.", Ink.TEXT))
    assert shown(canvas) == "👩👩."
    assert urwid.calc_width(encoded(canvas).text[0], 0, len(encoded(canvas).text[0])) == 12


def test_a_terminal_without_a_character_gets_a_question_mark() -> None:
    urwid.set_encoding("ascii")
    assert shown(drawing(("Bj\u00f6rk \u2603", Ink.TEXT))).split() == ["Bj?rk", "?"]


@given(
    st.lists(st.tuples(st.text(max_size=6), st.sampled_from(Ink)), max_size=4),
    st.sampled_from(["utf-8", "ascii", "latin-1", "euc-jp"]),
)
def test_a_row_is_as_wide_as_the_drawing_whatever_is_in_it(
    pieces: list[tuple[str, Ink]], encoding: str
) -> None:
    urwid.set_encoding(encoding)
    canvas = drawing(*pieces)
    texts = encoded(canvas).text
    assert len(texts) == 2
    for text in texts:
        assert not any(byte < 32 for byte in text)
    row = first_row(canvas)
    assert sum(len(data) for _, _, data in row) == len(texts[0])


def test_a_click_tells_what_it_hits() -> None:
    canvas = drawing(("[ok]", Ink.BUTTON))
    canvas.region(Box(0, 0, 4, 1), "ok")
    made, clicks = widget(canvas)
    made.render((12, 2))
    made.mouse_event((12, 2), "mouse press", LEFT_BUTTON, 3, 0, True)
    made.mouse_event((12, 2), "mouse press", WHEEL_DOWN, 4, 0, True)
    assert clicks == ["ok", None]


@pytest.mark.parametrize(("event", "button"), [("mouse release", 0), ("mouse press", 3)])
def test_other_buttons_and_their_release_mean_nothing(event: str, button: int) -> None:
    made, clicks = widget(drawing())
    made.render((12, 2))
    assert made.mouse_event((12, 2), event, button, 0, 0, True) is False
    assert clicks == []


def test_a_click_means_what_was_on_the_screen() -> None:
    drawn = iter(["old", "new"])

    def draw(size: tuple[int, int]) -> Canvas:
        canvas = Canvas(*size)
        canvas.region(Box(0, 0, 5, 1), next(drawn))
        return canvas

    clicks: list[object] = []
    made = CanvasWidget(draw, lambda key: False, lambda target, button: clicks.append(target))
    for _ in range(2):
        made.render((5, 1))
        made.changed()
        made.mouse_event((5, 1), "mouse press", LEFT_BUTTON, 0, 0, True)
    assert clicks == ["old", "new"]


def test_it_is_drawn_again_only_when_something_has_changed() -> None:
    sizes: list[tuple[int, int]] = []

    def draw(size: tuple[int, int]) -> Canvas:
        sizes.append(size)
        return Canvas(*size)

    made = CanvasWidget(draw, lambda key: False, lambda target, button: None)
    # urwid remembers a picture for as long as something holds it.
    pictures = [made.render((5, 1)), made.render((5, 1))]
    made.changed()
    pictures.append(made.render((5, 1)))
    assert sizes == [(5, 1), (5, 1)]
    assert len(pictures) == 3


def test_a_click_before_anything_is_drawn_hits_nothing() -> None:
    made, clicks = widget(drawing())
    assert made.mouse_event((12, 2), "mouse press", LEFT_BUTTON, 0, 0, True) is True
    assert clicks == [None]


def test_keys_that_are_not_used_go_on() -> None:
    made, _ = widget(drawing(), keys="a")
    assert made.selectable()
    assert made.keypress((12, 2), "a") is None
    assert made.keypress((12, 2), "b") == "b"

"""A line that is typed: what the keys do to it, and what it never holds."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hearts.wire.text import has_no_width, is_legible
from hearts_client.screen.input.line_editor import FULL, REFUSED, LineEditor

ACUTE = "\u0301"


def typed(text: str, *keys: str, limit: int = 127) -> LineEditor:
    editor = LineEditor(limit)
    for key in (*text, *keys):
        editor.key(key)
    return editor


def shown(editor: LineEditor) -> str:
    return editor.text[: editor.cursor] + "|" + editor.text[editor.cursor :]


@pytest.mark.parametrize(
    ("text", "keys", "expected"),
    [
        ("hello", [], "hello|"),
        ("hello", ["left", "left", "X"], "helX|lo"),
        ("hello", ["home", "X"], "X|hello"),
        ("hello", ["ctrl a", "right", "delete"], "h|llo"),
        ("hello", ["ctrl a", "end", "backspace"], "hell|"),
        ("hello", ["home", "left", "backspace"], "|hello"),
        ("hello", ["ctrl e", "right", "delete"], "hello|"),
        ("take your time", ["ctrl w"], "take your |"),
        ("take your  ", ["ctrl w"], "take |"),
        ("take your time", ["ctrl left", "ctrl left"], "take |your time"),
        ("take your time", ["home", "meta f", "meta f"], "take your| time"),
        ("take your time", ["meta b", "meta b", "ctrl k"], "take |"),
        ("take your time", ["meta b", "ctrl u"], "|time"),
        ("take your time", ["home", "meta d"], "| your time"),
        ("", ["backspace", "delete", "ctrl u", "ctrl k", "ctrl w", "meta d", "left"], "|"),
    ],
)
def test_keys_of_an_editor(text: str, keys: list[str], expected: str) -> None:
    assert shown(typed(text, *keys)) == expected


@pytest.mark.parametrize(
    ("text", "keys", "expected"),
    [
        (f"e{ACUTE}a", ["left", "left"], f"|e{ACUTE}a"),
        (f"e{ACUTE}a", ["left", "backspace"], "|a"),
        (f"ae{ACUTE}", ["home", "right", "delete"], "a|"),
        ("日本", ["left"], "日|本"),
    ],
)
def test_a_character_is_one_step_with_its_marks(text: str, keys: list[str], expected: str) -> None:
    assert shown(typed(text, *keys)) == expected


@pytest.mark.parametrize("key", ["\x1b", "\n", "\x7f", "\u202e", "\u200b", "\ud800"])
def test_hidden_characters_are_refused(key: str) -> None:
    editor = typed("ab", "left")
    assert editor.key(key) == REFUSED
    assert shown(editor) == "a|b"


def test_a_mark_needs_a_character_and_does_not_pile_up() -> None:
    editor = LineEditor()
    assert editor.key(ACUTE) == REFUSED
    editor.key("e")
    results = [editor.key(ACUTE) for _ in range(5)]
    assert results == [""] * 4 + [REFUSED]


def test_the_limit_is_in_bytes() -> None:
    editor = typed("日本", limit=8)
    assert editor.key("語") == FULL
    assert editor.key("é") == ""
    assert editor.key("x") == FULL
    assert editor.text == "日本é"


@pytest.mark.parametrize("key", ["f1", "page up", "enter", "esc", "tab", "ctrl c", "<200>"])
def test_other_keys_are_not_used(key: str) -> None:
    editor = typed("ab")
    assert editor.key(key) == ""
    assert shown(editor) == "ab|"


def test_lines_that_were_typed_come_back() -> None:
    editor = LineEditor()
    for line in ("one", "two", "two", ""):
        editor.put(line)
        assert editor.take() == line
    for key in "new":
        editor.key(key)
    seen = []
    for key in ("up", "up", "up", "down", "down", "down"):
        editor.key(key)
        seen.append(shown(editor))
    assert seen == ["two|", "one|", "one|", "two|", "new|", "new|"]


def test_the_history_is_bounded() -> None:
    editor = LineEditor()
    for number in range(1000):
        editor.put(str(number))
        editor.take()
    for _ in range(1000):
        editor.key("up")
    assert editor.text == "950"


keys = st.one_of(
    st.characters(),
    st.sampled_from(["a", " ", "日", "é", ACUTE, "\u200d"]),
    st.sampled_from(
        [
            "left",
            "right",
            "home",
            "end",
            "backspace",
            "delete",
            "up",
            "down",
            "ctrl w",
            "ctrl k",
            "ctrl u",
            "meta d",
            "ctrl left",
            "ctrl right",
            "enter",
            "begin paste",
        ]
    ),
)


@given(st.lists(keys, max_size=60), st.integers(0, 20))
def test_the_line_can_always_be_sent(pressed: list[str], limit: int) -> None:
    editor = LineEditor(limit)
    for key in pressed:
        if key == "enter":
            editor.take()
        editor.key(key)
        assert is_legible(editor.text)
        assert len(editor.text.encode()) <= limit
        assert 0 <= editor.cursor <= len(editor.text)
        assert not has_no_width((editor.text[editor.cursor :] or "x")[0])

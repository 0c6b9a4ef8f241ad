"""The chat: what is shown, what counts as unread, what the keys do, who is not heard."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hearts.taunt.messages import TAUNT_LIMIT
from hearts.wire.text import is_legible
from hearts_client.screen.input.chat_box import ChatBox
from hearts_client.words.roster import Roster

TAUNTS = ("Well played!", "Ouch.")


class NamedChat:
    """A chat and the names at its table, for player 2."""

    def __init__(self) -> None:
        self.roster = Roster()
        self.roster.me = 2
        self.call("Ann", "Bob", "Me", "Cleo")
        self.given: list[str] = []
        say, command = self.given.append, lambda line: self.given.append(f"command {line}")
        self.chat = ChatBox(self.roster.title, self.roster.find, say, command, TAUNTS)
        self.chat.me = 2

    def call(self, *names: str) -> None:
        self.roster.call(names)

    def type(self, *keys: str) -> list[str]:
        """What the keys gave."""
        self.given.clear()
        for key in keys:
            self.chat.key(key)
        return self.given.copy()

    def write(self, text: str) -> list[str]:
        return self.type(*text, "enter")

    @property
    def lines(self) -> list[str]:
        lines = self.chat.sight().lines
        return [f"{who}: {text}" if who else text for who, text, _ in lines]


@pytest.fixture
def table() -> NamedChat:
    return NamedChat()


# What is said


def test_lines_have_the_names_of_their_time(table: NamedChat) -> None:
    table.chat.receive(0, "hi")
    table.call("Zoe", "Bob", "Me", "Cleo")
    table.chat.receive(0, "hello")
    table.chat.receive(2, "hi Zoe")
    table.chat.receive(-1, "Cleo has left")
    table.chat.note("East plays 5C")
    assert table.lines == ["Ann: hi", "Zoe: hello", "You: hi Zoe", "Cleo has left", "East plays 5C"]


def test_a_name_cannot_be_taken_for_the_person_or_a_notice(table: NamedChat) -> None:
    table.call("You", "", "Me", "Cleo")
    table.chat.receive(0, "I resign")
    table.chat.receive(1, "the game is over")
    assert [who for who, _, _ in table.chat.sight().lines] == ['"You"', '""']


def test_marks_that_would_paint_over_other_lines_are_left_out(table: NamedChat) -> None:
    table.chat.receive(0, "a" + "\u0301" * 50 + " b")
    [line] = table.lines
    assert line == "Ann: a" + "\u0301" * 4 + " b"


def test_a_flood_is_bounded(table: NamedChat) -> None:
    for number in range(5000):
        table.chat.receive(0, f"{number} " + "x" * 1000)
    sight = table.chat.sight()
    assert sight.unread == 500
    assert len(sight.lines) == 60
    assert sight.lines[-1][1].startswith("4999 ")
    assert max(len(text) for _, text, _ in sight.lines) <= TAUNT_LIMIT


# Unread


def test_lines_of_others_are_unread_until_the_chat_is_opened(table: NamedChat) -> None:
    for player in (0, 2, -1, 3):
        table.chat.receive(player, "hi")
    sight = table.chat.sight()
    assert sight.unread == 2
    assert [unread for _, _, unread in sight.lines] == [True, False, False, True]
    table.chat.open()
    assert table.chat.sight().unread == 0
    assert not any(unread for _, _, unread in table.chat.sight().lines)


def test_what_comes_while_the_chat_is_open_is_read(table: NamedChat) -> None:
    table.chat.open()
    table.chat.receive(0, "hi")
    table.chat.close()
    assert table.chat.sight().unread == 0
    table.chat.receive(0, "hi")
    assert table.chat.sight().unread == 1


def test_what_comes_below_the_lines_that_are_read_is_unread(table: NamedChat) -> None:
    for number in range(20):
        table.chat.receive(0, str(number))
    table.chat.open()
    table.type("page up")
    table.chat.receive(0, "news")
    assert table.lines[-2:] == ["Ann: 16", "... 4 more: page down"]
    assert table.chat.sight().unread == 1
    table.type("page down", "page down")
    assert table.lines[-1] == "Ann: news"
    assert table.chat.sight().unread == 0


def test_scrolling_ends_at_the_first_and_at_the_last_line(table: NamedChat) -> None:
    table.chat.receive(0, "first")
    table.chat.receive(0, "last")
    for _ in range(3):
        table.chat.scroll(up=True)
    assert table.lines == ["Ann: first", "... 1 more: page down"]
    for _ in range(3):
        table.chat.scroll(up=False)
    assert table.lines == ["Ann: first", "Ann: last"]


# Typing


def test_a_line_that_is_typed(table: NamedChat) -> None:
    table.chat.open()
    assert table.type(*"hi al", "left", "left") == []
    sight = table.chat.sight()
    assert (sight.typing, sight.cursor) == ("hi al", 3)
    assert table.type("enter") == ["hi al"]
    assert table.chat.sight().typing == ""
    assert table.chat.is_open
    table.type("up")
    assert table.chat.sight().typing == "hi al"


def test_it_takes_no_key_while_it_is_not_open(table: NamedChat) -> None:
    before = table.chat.sight()
    assert table.type("a", "enter", "esc", "page up", "!", "1", "begin paste") == []
    assert table.chat.sight() == before
    assert before.typing is None


@pytest.mark.parametrize("key", ["esc", "tab"])
def test_what_is_typed_waits_while_the_chat_is_closed(table: NamedChat, key: str) -> None:
    table.chat.open()
    assert table.type(*"hel", key) == []
    assert table.chat.sight().typing is None
    table.chat.open()
    assert table.chat.sight().typing == "hel"


@pytest.mark.parametrize("text", ["", "   "])
def test_enter_on_an_empty_line_leaves_the_chat(table: NamedChat, text: str) -> None:
    table.chat.open()
    assert table.write(text) == []
    assert not table.chat.is_open


def test_pasted_lines_are_one_line_that_is_not_said_yet(table: NamedChat) -> None:
    table.chat.open()
    assert table.type("begin paste", *"one", "enter", *"two", "tab", "end paste") == []
    assert table.write("") == ["one two"]


def test_pasted_text_that_is_too_long_is_cut_and_that_is_told(table: NamedChat) -> None:
    table.chat.open()
    table.type("begin paste", *"x" * 200, "left", "end paste")
    assert table.chat.sight().typing == "x" * TAUNT_LIMIT
    assert table.lines == ["The line is full."]


def test_a_digit_in_pasted_text_says_no_taunt(table: NamedChat) -> None:
    table.chat.open()
    assert table.type("begin paste", *"!1", "end paste") == []
    assert table.chat.sight().typing == "!1"


def test_problems_are_shown_until_the_next_key(table: NamedChat) -> None:
    table.chat.open()
    for key, problem in (("\u202e", "That character cannot be sent."), ("a", None)):
        table.type(key)
        assert table.lines == ([problem] if problem else [])
    table.type(*"a" * TAUNT_LIMIT)
    assert table.lines == ["The line is full."]
    table.chat.not_said("there is no chat at this table")
    assert table.lines == ["Not said: there is no chat at this table."]
    table.type("left")
    assert table.lines == []


@given(st.lists(st.one_of(st.characters(), st.sampled_from(["enter", "esc", "tab", "up"]))))
def test_whatever_is_typed_can_be_sent(keys: list[str]) -> None:
    table = NamedChat()
    for key in keys:
        table.chat.open()
        for text in table.type(key):
            if text.startswith("command "):
                assert table.chat.is_open
                continue
            assert text == text.strip() != ""
            assert is_legible(text)
            assert len(text.encode()) <= TAUNT_LIMIT


# Commands


@pytest.mark.parametrize(
    ("line", "result"),
    [
        ("/say hi", ["hi"]),
        ("/say", []),
        ("/agree", ["command /agree"]),
        ("/propose jack 50", ["command /propose jack 50"]),
        ("// hi", ["command // hi"]),
    ],
)
def test_lines_with_a_slash(table: NamedChat, line: str, result: list[object]) -> None:
    table.chat.open()
    assert table.write(line) == result


def test_a_muted_player_is_not_heard_and_not_unread(table: NamedChat) -> None:
    table.chat.receive(0, "before")
    table.chat.receive(1, "hi")
    table.chat.open()
    assert table.write("/mute ann") == []
    table.chat.close()
    table.chat.receive(0, "during")
    assert table.lines == ["Bob: hi", "You have muted Ann; /unmute undoes that."]
    assert table.chat.sight().unread == 0
    assert table.chat.muted == {0}


def test_another_name_does_not_help_a_muted_player(table: NamedChat) -> None:
    table.chat.mute(0)
    table.call("Zoe", "Bob", "Me", "Cleo")
    table.chat.receive(0, "hi")
    assert table.lines == []


def test_who_is_unmuted_is_heard_again(table: NamedChat) -> None:
    table.chat.mute(0)
    table.chat.receive(0, "during")
    table.chat.open()
    table.write("/unmute 0")
    table.chat.receive(0, "after")
    assert table.lines == ["You hear Ann again.", "Ann: after"]
    table.write("/mute")
    assert table.lines[-1] == "You have muted nobody."
    table.chat.is_there = False
    assert table.chat.sight().is_there is False


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("/mute me", "You cannot mute yourself."),
        ("/mute", "You have muted Bob and Cleo."),
        ("/mute Dan", "There is no player 'Dan'; give a name or a number: 0 Ann, 1 Bob, 2 you, 3 "),
    ],
)
def test_other_answers_about_muting(table: NamedChat, line: str, told: str) -> None:
    table.chat.mute(3)
    table.chat.mute(1)
    table.chat.open()
    assert table.write(line) == []
    assert table.lines[-1].startswith(told)
    assert table.chat.muted == {1, 3}


# Taunts


def test_a_taunt_is_two_keys_from_the_table(table: NamedChat) -> None:
    table.chat.receive(0, "hi")
    table.chat.open_taunts()
    assert table.lines == ["Ann: hi", "1 Well played!", "2 Ouch."]
    assert table.type("2") == ["Ouch."]
    assert not table.chat.is_open
    assert table.lines == ["Ann: hi"]


def test_a_taunt_in_the_chat_leaves_it_open(table: NamedChat) -> None:
    table.chat.open()
    assert table.type("!", "1") == ["Well played!"]
    assert table.chat.sight().typing == ""


def test_the_list_of_taunts_can_be_left(table: NamedChat) -> None:
    table.chat.open_taunts()
    assert table.type("esc") == []
    assert not table.chat.is_open
    table.chat.open()
    assert table.chat.sight().typing == ""
    assert table.lines == []


def test_a_line_may_begin_with_an_exclamation_mark(table: NamedChat) -> None:
    table.chat.open()
    assert table.write("!3 cheers") == ["!3 cheers"]
    assert table.write("!") == ["!"]


def test_the_list_does_not_take_the_place_of_a_line_that_was_begun(table: NamedChat) -> None:
    table.chat.open()
    table.type(*"hel", "esc")
    table.chat.open_taunts()
    table.type("1")
    table.chat.open()
    assert table.chat.sight().typing == "hel"


def test_there_may_be_no_taunts(table: NamedChat) -> None:
    table.chat.taunts = ()
    table.chat.open_taunts()
    assert table.lines == ["There are no taunts in your options."]
    assert table.type("1") == []

"""A person's own mistakes: found in their records, kept, asked, and asked again after days."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from datetime import date
from functools import cache, partial
from itertools import pairwise
from pathlib import Path

import pytest
import trio
from msgspec.structs import replace

from hearts.game.cards import Card, cards_of
from hearts.game.record import parse_record
from hearts.game.view import View
from hearts.judging.judge import choices_of
from hearts.judging.outlook import Cards, ChoiceOutlook, Outlook
from hearts_client.mistakes.asking import answer_lines, is_right, question_lines, read_answer
from hearts_client.mistakes.finding import look_through
from hearts_client.mistakes.kept import (
    DAILY,
    FILE,
    MOST,
    KeptMistakes,
    Mistake,
    Review,
    read_mistakes,
    today,
    write_mistakes,
)
from hearts_client.words.style import Style
from hearts_client.words.typed import NotUnderstood

from .test_analyse import record_by_chance

STYLE = Style(ascii=True)
NAMES = ("Ann", "Moe", "Larry", "Curly")


MADE = cache(
    lambda: next(one for one in choices_of(parse_record(record_by_chance(5))) if one.number == 30)
)


def mistake(loss: float = 11.4, reviews: tuple[Review, ...] = ()) -> Mistake:
    """The six of spades under an ace, where the queen could have gone."""
    made = MADE()
    choices = [
        ChoiceOutlook((card,), 0.0 if card == Card.parse("QS") else loss, 0.1, 2.0, 0, 0, 0, 0)
        for card in made.view.legal_cards
    ]
    choices.sort(key=lambda one: one.loss)
    return Mistake(made.view, made.cards, Outlook(tuple(choices), 9), NAMES, 739_000, reviews)


def test_what_is_kept_is_read_again(tmp_path: Path) -> None:
    kept = KeptMistakes([mistake(reviews=(Review(5, True),))], {"a.txt": 3})
    write_mistakes(tmp_path, kept)
    assert read_mistakes(tmp_path) == (kept, "")
    assert read_mistakes(tmp_path / "none") == (KeptMistakes(), "")


@pytest.mark.parametrize("damage", ["cut", "words", "another position"])
def test_a_damaged_file_is_set_aside(damage: str, tmp_path: Path) -> None:
    write_mistakes(tmp_path, KeptMistakes([mistake()]))
    path = tmp_path / FILE
    data = path.read_bytes()
    wrong = {
        "cut": data[:-9],
        "words": b"some words",
        "another position": data.replace(b'"legal":', b'"legal":1,"was":'),
    }[damage]
    path.write_bytes(wrong)
    kept, line = read_mistakes(tmp_path)
    assert kept == KeptMistakes()
    assert "is damaged, and was set aside as mistakes.json.damaged-" in line
    (aside,) = tmp_path.iterdir()
    assert aside.read_bytes() == wrong


def test_the_costliest_are_kept_and_few_come_on_a_day() -> None:
    kept = KeptMistakes()
    one = mistake()
    for number in range(MOST + 5):
        kept.add(replace(one, played=number, outlook=mistake(2.0 + number).outlook))
    assert len(kept.mistakes) == MOST
    assert min(each.loss for each in kept.mistakes) == 7.0
    due = kept.due(1)
    assert [each.loss for each in due] == [2.0 + MOST + 4 - place for place in range(DAILY)]
    kept.answer(due[0], 1, is_right=True)
    assert kept.due(1) == due[1:]
    assert len(kept.due(2)) == DAILY


@pytest.mark.parametrize("has_fsrs", [True, False])
def test_it_comes_again_after_days(has_fsrs: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    if has_fsrs:
        pytest.importorskip("fsrs")
    else:
        monkeypatch.setitem(sys.modules, "fsrs", None)
    day = date(2026, 1, 1).toordinal()
    assert mistake().due == 0
    assert mistake(reviews=(Review(day, False),)).due == day + 1
    reviews: tuple[Review, ...] = ()
    waits = []
    for _ in range(4):
        reviews = (*reviews, Review(day, True))
        waits.append(mistake(reviews=reviews).due - day)
        day += waits[-1]
    assert waits[0] in (1, 2)
    assert all(later >= 2 * sooner for sooner, later in pairwise(waits))
    assert mistake(reviews=(*reviews, Review(day, False))).due - day < waits[-1]


# Found


class LowestIsRight:
    """Judges by one rule: the lowest card is right."""

    def __init__(self) -> None:
        self.asked: list[tuple[View, Cards]] = []

    async def judge(self, view: View, chosen: Cards) -> Outlook | None:
        await trio.lowlevel.checkpoint()
        self.asked.append((view, chosen))
        lowest = (min(view.legal_cards),)
        if chosen == lowest:
            return None
        best = ChoiceOutlook(lowest, 0.0, 0.0, 1.0, 0, 0, 0, 0)
        return Outlook((best, replace(best, cards=chosen, loss=5.0, error=0.5)), 9)


async def test_games_are_looked_through_and_it_goes_on_after_a_stop(tmp_path: Path) -> None:
    for seed in range(3):
        path = tmp_path / f"2026-11-22-10150{seed}-game-7-1-seat-{seed}.txt"
        path.write_text(record_by_chance(seed), encoding="utf-8")
    (tmp_path / "of-nobody.txt").write_text(record_by_chance(7), encoding="utf-8")
    looker, told = LowestIsRight(), list[tuple[int, int]]()
    kept, stop = KeptMistakes(), trio.CancelScope()

    def tell(done: int, many: int) -> None:
        told.append((done, many))
        if told == [(0, 3), (1, 3)]:
            stop.cancel()

    with stop:
        await look_through(kept, tmp_path, looker.judge, tell)
    assert told == [(0, 3), (1, 3)]
    kept.looked = dict(list(kept.looked.items())[:1])
    write_mistakes(tmp_path, kept)
    kept, _ = read_mistakes(tmp_path)
    before = len(looker.asked)
    assert before <= 13
    await look_through(kept, tmp_path, looker.judge, tell)
    assert told[2:] == [(1, 3), (2, 3), (3, 3)]
    assert len(looker.asked) > before
    assert all(view.legal_cards != () for view, _ in looker.asked)
    # Each choice was looked at once, and it is kept which hands are done.
    assert len({(view.hand, view.history) for view, _ in looker.asked}) == len(looker.asked)
    again, _ = read_mistakes(tmp_path)
    assert set(again.looked.values()) == {1}
    assert again.mistakes == kept.mistakes
    assert len(kept.mistakes) > 0
    await look_through(again, tmp_path, looker.judge, tell)
    assert told[-1] == (3, 3)


# Asked


def test_a_question_has_the_table_as_it_was() -> None:
    one = mistake()
    lines = question_lines(one, STYLE)
    assert lines[0].startswith("Hand 1 of a game of 2024-")
    assert lines[-1].endswith("What do you play?")
    shown = " ".join(lines)
    view = one.view
    assert all(STYLE.card(card) in shown for card in (*view.history, *view.cards))
    # No hidden card is there.
    assert not any(f" {STYLE.card(card)}" in shown for card in cards_of(view.unseen))


def test_answers_are_read_and_told_of() -> None:
    one = mistake()
    queen, six = (Card.parse("QS"),), one.chosen
    assert read_answer(one, "qs", STYLE) == queen
    for text in ("", "AC AD", "QX", "2C" if one.view.legal >> Card.parse("2C") & 1 == 0 else "AC"):
        with pytest.raises(NotUnderstood):
            read_answer(one, text, STYLE)
    assert is_right(one.outlook, queen)
    assert not is_right(one.outlook, six)
    right = answer_lines(one, one.outlook, queen, STYLE)
    assert right[0] == "Right."
    assert "In the game you chose 6S:" in right
    assert "QS would be better: 6S costs 11.4 points more, +-0.1." in right
    assert answer_lines(one, one.outlook, six, STYLE)[0] == "That is what you chose in the game."


def test_the_command(tmp_path: Path) -> None:
    write_mistakes(tmp_path, KeptMistakes([mistake()]))
    words = ["mistakes", "--record", str(tmp_path), "--ascii"]
    done = subprocess.run(
        [sys.executable, "-m", "hearts_client", *words],
        input="1 2\nQS\n", capture_output=True, text=True, check=False, timeout=60,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")
    lines = done.stdout.splitlines()
    assert "1 to look at today." in lines
    assert "Give one card, not 2." in lines
    assert "Right." in lines
    assert lines[-1] == "0 to look at today; 1 mistake in all."
    kept, _ = read_mistakes(tmp_path)
    assert kept.mistakes[0].reviews == (Review(today(), True),)


def test_ctrl_c_leaves_the_command(tmp_path: Path) -> None:
    write_mistakes(tmp_path, KeptMistakes([mistake()]))
    words = ["mistakes", "--record", str(tmp_path), "--ascii"]
    with subprocess.Popen(
        [sys.executable, "-m", "hearts_client", *words],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        env={**os.environ, "PYTHONUNBUFFERED": "1"},
        preexec_fn=partial(signal.signal, signal.SIGINT, signal.SIG_DFL),
    ) as process:  # fmt: skip
        assert process.stdout is not None
        assert any("What do you play?" in line for line in process.stdout)
        process.send_signal(signal.SIGINT)
        # Its input stays open: the end of that would end it too.
        assert process.wait(60) == 130
        assert process.stderr is not None
        assert process.stderr.read() == ""

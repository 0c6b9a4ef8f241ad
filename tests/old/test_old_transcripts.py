"""The old transcripts and vectors: today's tests play them still, or they are played here."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path

from .archive import ROOT, OldProgram
from .exceptions import check, exceptions
from .transcripts import VECTORS, chats, stories, tell, tell_chat


def test_old_transcripts_go_as_they_went_but_for_what_is_listed(
    old: OldProgram, tmp_path: Path
) -> None:
    # What stands in today's vectors word for word is played by the tests of those.
    today = [story.lines for story in stories(ROOT)]
    for story in stories(old.root):
        if story.lines not in today:
            check(old, story.name, partial(tell, story))
    chats_of_today = chats(ROOT).values()
    for name, text in chats(old.root).items():
        if text not in chats_of_today:
            check(old, name, partial(tell_chat, text, tmp_path))


def test_every_exception_is_about_an_old_transcript(old: OldProgram) -> None:
    names = {story.name for story in stories(old.root)} | chats(old.root).keys()
    assert exceptions(old) <= names


# Today's tests go through today's files, which may only grow.


def test_old_deals_are_today_s(old: OldProgram) -> None:
    was, is_ = (
        (root / VECTORS / "deals.txt").read_text("utf-8").splitlines() for root in (old.root, ROOT)
    )
    assert {line for line in was if not line.startswith("#")} <= set(is_)


def test_old_messages_are_today_s_or_their_payloads_have_become_longer(old: OldProgram) -> None:
    was, is_ = (
        [
            (each["from"], each["type"], each["payload"])
            for each in json.loads((root / VECTORS / "dealer.json").read_text("utf-8"))
        ]
        for root in (old.root, ROOT)
    )
    for sender, number, payload in was:
        today = [data for who, type, data in is_ if (who, type) == (sender, number)]
        assert any(data.startswith(payload) for data in today), number

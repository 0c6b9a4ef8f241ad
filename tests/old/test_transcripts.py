"""The old transcripts and vectors against the servers of today; and what is old is as it was."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from .archive import ARCHIVES, HERE, ROOT, OldProgram
from .transcripts import VECTORS, Differs, chats, stories, tell, tell_chat

DIGESTS = (
    "7fb26811bb189d95474e7489fad8180baaf9931c872ff06c2f7ee2ae3d72a513",
    "59fc6f3cd59aeaf6a030c9c5fa836d2240e8ce10c815f4178fc28e3e0fcdaf0a",
)


README = HERE / "README.md"


@pytest.mark.parametrize(("archive", "digest"), list(zip(ARCHIVES, DIGESTS, strict=True)))
def test_an_archive_is_as_it_was(archive: str, digest: str) -> None:
    assert hashlib.sha256((HERE / archive).read_bytes()).hexdigest() == digest


def test_the_old_program_finds_its_own_modules(old: OldProgram) -> None:
    code = "import hearts, hearts_server, tests.independent.client as c; print(*map(str, (%s)))"
    status, out, errors = old.run(
        "-c", code % "hearts.__file__, hearts_server.__file__, c.__file__"
    )
    assert status == 0, errors
    assert all(file.startswith(str(old.root)) for file in out.split())


def exceptions(old: OldProgram) -> set[str]:
    """The names of the transcripts of a version that are listed."""
    if not old.is_first:
        return set()
    return set(re.findall(r"^\| `(\w+: [^`]+)` \|", README.read_text("utf-8"), re.M))


def check(old: OldProgram, name: str, play: Callable[[], None]) -> None:
    """Play a transcript; it goes as it was written, or else it is listed, but not both."""
    if name not in exceptions(old):
        play()
        return
    try:
        play()
    except Differs:
        return
    raise AssertionError(f"{name} is as it was: take it out of {README}")


def test_old_transcripts_go_as_they_went_but_for_what_is_listed(
    old: OldProgram, tmp_path: Path
) -> None:
    # What stands in today's vectors word for word is played by the tests of those.
    today = [story.lines for story in stories(ROOT)]
    for story in stories(old.root):
        if story.lines not in today:
            check(old, str(story), partial(tell, story))
    chats_of_today = chats(ROOT).values()
    for name, text in chats(old.root).items():
        if text not in chats_of_today:
            check(old, name, partial(tell_chat, text, tmp_path))


def test_every_exception_is_about_an_old_transcript(old: OldProgram) -> None:
    names = {str(story) for story in stories(old.root)} | chats(old.root).keys()
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


@pytest.mark.heavy
def test_the_game_server(old: OldProgram) -> None:
    found = stories(old.root)
    assert len(found) == (178 if old.is_first else 185)
    for story in found:
        check(old, str(story), partial(tell, story))


@pytest.mark.heavy
def test_the_taunt_server(old: OldProgram, tmp_path: Path) -> None:
    found = chats(old.root)
    assert len(found) == 11
    for name, text in found.items():
        check(old, name, partial(tell_chat, text, tmp_path))

"""Every old transcript against the servers of today."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest

from .archive import OldProgram
from .exceptions import check
from .transcripts import chats, stories, tell, tell_chat

pytestmark = pytest.mark.heavy


def test_the_game_server(old: OldProgram) -> None:
    found = stories(old.root)
    assert len(found) == (178 if old.is_first else 185)
    for story in found:
        check(old, story.name, partial(tell, story))


def test_the_taunt_server(old: OldProgram, tmp_path: Path) -> None:
    found = chats(old.root)
    assert len(found) == 11
    for name, text in found.items():
        check(old, name, partial(tell_chat, text, tmp_path))

"""The files with the settings and the memory, which people may edit and disks may lose."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
import trio
from hypothesis import given
from hypothesis import settings as examples
from hypothesis import strategies as st
from msgspec.structs import replace

from hearts.game.rules import PRESETS, parse_rules
from hearts.session.messages import Options
from hearts_client.library.reach import Tls
from hearts_client.screen.settings import memory as memory_json
from hearts_client.screen.settings import settings as settings_json
from hearts_client.screen.settings.kept_files import MEMORY_FILE, SETTINGS_FILE, KeptFiles
from hearts_client.screen.settings.memory import Memory, wishes_of
from hearts_client.screen.settings.settings import Colors, Design, Highlight, Settings
from hearts_client.screen.wish import (
    ArrangeAlone,
    Join,
    OpenTableWish,
    PlayAlone,
    ShowTables,
    StartWish,
)
from hearts_client.session.visit import Guest
from hearts_client.words.style import Sort

OTHERS = Settings(
    sort=Sort.SUIT,
    trick_stays=None,
    bot_pause=0.0,
    notice_stays=60.0,
    highlight=Highlight.OUTLINE,
    design=Design.FOUR_COLORS,
    own_cards="bare",
    colors=Colors.SAFE,
    bell=True,
    sounds=True,
    sound_command="aplay -D 'my card'",
    computers=("Ann", "Bo", "Çelik"),
    level="expert",
    taunts=("日本!",),
)
REMEMBERED = Memory(
    host="hearts.example",
    port=7000,
    tls=Tls(Path("/etc/friends.pem")),
    name="Zoë",
    table="friends",
    options=Options(frozenset({2, 3}), parse_rules("jack,dump"), 50, 30),
    alone_rules=PRESETS["mac2000"],
    alone_end_score=70,
)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda values: st.lists(values) | st.dictionaries(st.text(), values),
    max_leaves=5,
)
GUEST = Guest("h", 1, "Ann", Tls(), "sesame")


async def test_there_and_back(tmp_path: Path) -> None:
    folder = tmp_path / "new" / "folder"
    kept = KeptFiles(folder)
    assert (kept.settings, kept.memory, kept.problems) == (Settings(), Memory(), [])
    assert await kept.keep_settings(OTHERS) == ""
    assert await kept.keep_memory(REMEMBERED) == ""
    again = KeptFiles(folder)
    assert (again.settings, again.memory, again.problems) == (OTHERS, REMEMBERED, [])
    assert {path.name for path in folder.iterdir()} == {SETTINGS_FILE, MEMORY_FILE}
    assert (folder / MEMORY_FILE).stat().st_mode & 0o777 == 0o600


async def test_what_has_not_changed_is_not_written(tmp_path: Path) -> None:
    kept = KeptFiles(tmp_path)
    assert await kept.keep_settings(Settings()) == ""
    assert await kept.keep_memory(Memory()) == ""
    assert not await trio.to_thread.run_sync(os.listdir, tmp_path)


async def test_what_a_later_version_wrote_stays(tmp_path: Path) -> None:
    file = trio.Path(tmp_path / SETTINGS_FILE)
    await file.write_text('{"table_cloth": "green", "bell": true}')
    kept = KeptFiles(tmp_path)
    assert kept.settings == replace(Settings(), bell=True)
    await kept.keep_settings(OTHERS)
    data = json.loads(await file.read_text())
    assert data["table_cloth"] == "green"
    assert data["design"] == "four colors"


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"\xff", "this is no JSON"),
        (b"{", "this is no JSON"),
        (b"[" * 5000, "this is no JSON"),
        (b"9" * 5000, "this is no JSON"),
        (b"[]", "this is no JSON object"),
        (b" " * 70000, "it is too long"),
    ],
)
async def test_a_broken_file_is_told_and_replaced(tmp_path: Path, data: bytes, why: str) -> None:
    path = tmp_path / SETTINGS_FILE
    await trio.Path(path).write_bytes(data)
    kept = KeptFiles(tmp_path)
    assert kept.settings == Settings()
    assert kept.problems == [f"{path} is not usable: {why}"]
    assert await kept.keep_settings(OTHERS) == ""
    assert KeptFiles(tmp_path).settings == OTHERS


def test_a_file_that_cannot_be_read_is_told(tmp_path: Path) -> None:
    (tmp_path / SETTINGS_FILE).mkdir()
    assert KeptFiles(tmp_path).problems == [
        f"{tmp_path / SETTINGS_FILE} is not usable: Is a directory"
    ]


async def test_where_nothing_can_be_kept_it_is_said(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.touch()
    kept = KeptFiles(blocked / "folder")
    assert kept.settings == Settings()
    problem = await kept.keep_settings(OTHERS)
    assert problem == f"{blocked}/folder/settings.json cannot be written: Not a directory."
    assert kept.settings == OTHERS
    homeless = KeptFiles(None)
    assert await homeless.keep_memory(REMEMBERED) == "There is no home folder to keep this in."
    assert homeless.memory == REMEMBERED


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("sort", "by rank"),
        ("sort", ["suit"]),
        ("trick_stays", -1),
        ("trick_stays", True),
        ("bot_pause", 60.5),
        ("bot_pause", None),
        ("notice_stays", float("nan")),
        ("notice_stays", "5"),
        ("bell", 1),
        ("colors", None),
        ("sounds", 1),
        ("sound_command", 1),
        ("sound_command", " "),
        ("sound_command", "play '"),
        ("sound_command", "play\0"),
        ("sound_command", "x" * 201),
        ("own_cards", "x" * 101),
        ("computers", ["Moe", "Larry"]),
        ("computers", ["Moe", "Larry", "Moe"]),
        ("computers", ["Moe", "Larry", " Moe"]),
        ("computers", ["Moe", "Larry", ""]),
        ("computers", ["Moe", "Larry", "a,b"]),
        ("computers", ["Moe", "Larry", "x" * 31]),
        ("computers", "Moe"),
        ("level", "best"),
        ("level", 3),
        ("taunts", ["a"] * 10),
        ("taunts", [" "]),
        ("taunts", ["x" * 128]),
        ("taunts", ["bell \a"]),
        ("taunts", ["a\u0301\u0301\u0301\u0301\u0301"]),
        ("taunts", [7]),
    ],
)
def test_a_setting_that_cannot_be_is_as_by_default(field: str, value: object) -> None:
    data = {**settings_json.to_dict(OTHERS), field: value}
    settings, problems = settings_json.from_dict(data)
    assert settings == replace(OTHERS, **{field: getattr(Settings(), field)})
    assert len(problems) == 1
    assert problems[0].startswith(f"{field}: ")


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("host", ""),
        ("host", "x" * 254),
        ("host", "a\x1bb"),
        ("port", 0),
        ("port", "7626"),
        ("name", " "),
        ("name", "x" * 31),
        ("table", 5),
        ("alone_rules", "poker"),
        ("alone_rules", None),
        ("alone_end_score", 0),
        ("tls", True),
        ("tls", {"ca": 5}),
    ],
)
def test_a_memory_that_cannot_be_is_as_by_default(field: str, value: object) -> None:
    data = {**memory_json.to_dict(REMEMBERED), field: value}
    memory, problems = memory_json.from_dict(data)
    assert memory == replace(REMEMBERED, **{field: getattr(Memory(), field)})
    assert len(problems) == 1


@pytest.mark.parametrize(
    ("field", "value", "options"),
    [
        ("rules", "poker", wishes_of(2, None, 50, 30)),
        ("end_score", 10001, wishes_of(2, parse_rules("jack,dump"), None, 30)),
        ("computers", 4, wishes_of(0, parse_rules("jack,dump"), 50, 30)),
        ("turn_limit", 14, wishes_of(2, parse_rules("jack,dump"), 50, None)),
    ],
)
def test_a_wish_that_cannot_be_is_none(field: str, value: object, options: Options) -> None:
    data = {**memory_json.to_dict(REMEMBERED), field: value}
    memory, problems = memory_json.from_dict(data)
    assert memory == replace(REMEMBERED, options=options)
    assert len(problems) == 1


@examples(max_examples=40)
@given(st.dictionaries(st.sampled_from([*settings_json.to_dict(OTHERS)]), JSON))
def test_whatever_a_file_holds_the_settings_are_some(data: dict[str, object]) -> None:
    settings, _ = settings_json.from_dict(data)
    assert settings_json.from_dict(settings_json.to_dict(settings)) == (settings, [])


@examples(max_examples=40)
@given(st.dictionaries(st.sampled_from([*memory_json.to_dict(REMEMBERED)]), JSON))
def test_whatever_a_file_holds_the_memory_is_some(data: dict[str, object]) -> None:
    memory, _ = memory_json.from_dict(data)
    assert memory_json.from_dict(memory_json.to_dict(memory)) == (memory, [])


def test_nobody_is_trusted_blindly_again() -> None:
    risky = replace(REMEMBERED, tls=Tls(insecure=True))
    memory, _ = memory_json.from_dict(memory_json.to_dict(risky))
    assert memory.tls == Tls()


def test_what_is_wished_for_is_remembered_without_the_password() -> None:
    options = Options(rules=parse_rules("jack"))
    visited = Memory(host="h", port=1, tls=Tls(), name="Ann")
    assert Memory().after(ShowTables(GUEST)) == visited
    assert Memory().after(OpenTableWish(GUEST)) == visited
    assert Memory().after(Join(GUEST)) == visited
    opened = replace(visited, table="friends", options=options)
    assert Memory().after(Join(GUEST, "friends", options)) == opened
    # Who joins another's table wishes for nothing.
    assert opened.after(Join(GUEST, "Table 2")) == opened
    alone = PlayAlone("Ann", PRESETS["windows93"], 50, "deal")
    assert Memory().after(alone) == Memory(
        name="Ann", alone_rules=PRESETS["windows93"], alone_end_score=50
    )
    assert Memory().after(ArrangeAlone("Ann")) == Memory(name="Ann")
    assert opened.after(StartWish.QUIT) == opened
    assert "sesame" not in json.dumps(memory_json.to_dict(visited))
    assert "sesame" not in repr(GUEST)

"""Files that are written whole or not at all."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from hearts.net.files import remove_unfinished, write_whole


def test_a_file_is_replaced_and_private(tmp_path: Path) -> None:
    path = tmp_path / "kept"
    path.write_text("old")
    path.chmod(0o644)
    write_whole(path, "Zoë\n")
    assert path.read_bytes() == "Zoë\n".encode()
    assert path.stat().st_mode & 0o777 == 0o600
    write_whole(path, b"\x00\xff", mode=0o400)
    assert path.read_bytes() == b"\x00\xff"
    assert path.stat().st_mode & 0o777 == 0o400
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("step", ["fsync", "replace"])
def test_what_fails_leaves_the_old_file(
    step: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "kept"
    write_whole(path, "old")

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, step, full)
    with pytest.raises(OSError, match="No space") as caught:
        write_whole(path, "new")
    assert caught.value.filename == str(path)
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_a_folder_that_is_not_there(tmp_path: Path) -> None:
    path = tmp_path / "gone" / "kept"
    with pytest.raises(FileNotFoundError) as caught:
        write_whole(path, "new")
    assert caught.value.filename == str(path)


@pytest.mark.parametrize("left", ["kept.new", "kept.1a2b3c4d.new"])
def test_what_was_left_unfinished_is_removed(left: str, tmp_path: Path) -> None:
    path = tmp_path / "kept"
    write_whole(path, "whole")
    (tmp_path / left).write_text("half")
    other = tmp_path / "keptother.new"
    other.touch()
    remove_unfinished(path)
    assert set(tmp_path.iterdir()) == {path, other}
    assert path.read_text() == "whole"


def test_it_is_durable_before_it_takes_the_place_of_the_old_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    done: list[str] = []

    def noted(name: str) -> Callable[..., None]:
        real = getattr(os, name)

        def step(*given: object) -> None:
            done.append(name)
            real(*given)

        return step

    for name in ("fsync", "replace"):
        monkeypatch.setattr(os, name, noted(name))
    write_whole(tmp_path / "kept", "new")
    assert done == ["fsync", "replace", "fsync"]


def test_what_a_link_leads_to_is_written_and_the_link_stays(tmp_path: Path) -> None:
    path, link = tmp_path / "kept", tmp_path / "link"
    path.write_text("old")
    link.symlink_to(path)
    write_whole(link, "new")
    assert link.is_symlink()
    assert path.read_text() == "new"


def test_a_pipe_is_written_to_and_stays_one(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with subprocess.Popen(["cat", pipe], stdout=subprocess.PIPE) as reader:
        # It waits for the reader; what replaced the pipe would leave that waiting for ever.
        write_whole(pipe, "new")
        assert pipe.is_fifo()
        assert reader.communicate(timeout=10)[0] == b"new"

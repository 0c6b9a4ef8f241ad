"""Files that are written whole or not at all, and that a power cut leaves whole."""

from __future__ import annotations

import contextlib
import errno
import glob
import os
import secrets
from pathlib import Path

from .system import sync_folder

FULL_DISK = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO)
"""The error numbers of a disk that takes nothing more for now."""


def write_whole(path: Path, data: bytes | str, *, mode: int = 0o600) -> None:
    """Write a file, in place of its old content. Text is written as UTF-8.

    It is durable at the end. Until then the old file stays as it is, also if this fails or the
    process is killed; then :func:`remove_unfinished` has work. A link stays a link. A target that
    is no file, such as a pipe or /dev/stdout, is just written to. Raises OSError with this path.
    """
    content = data.encode() if isinstance(data, str) else data
    if path.exists() and not path.is_file():
        path.write_bytes(content)
        return
    _replace(path, path.resolve(), content, mode)


def _replace(named: Path, path: Path, content: bytes, mode: int) -> None:
    fresh = path.with_name(f"{path.name}.{secrets.token_hex(4)}.new")
    try:
        try:
            handle = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
            with open(handle, "wb") as file:
                file.write(content)
                file.flush()
                os.fsync(handle)
            os.replace(fresh, path)
        except BaseException:
            with contextlib.suppress(OSError):
                os.unlink(fresh)
            raise
        sync_folder(path.parent)
    except OSError as error:
        error.filename = str(named)
        raise


def remove_unfinished(path: Path) -> None:
    """Remove what writers of this file left when they were killed. Raises OSError.

    Nobody else may be writing it.
    """
    for left in path.parent.glob(f"{glob.escape(path.name)}.*new"):
        left.unlink()

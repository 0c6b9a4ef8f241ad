"""The files of the page: all of them are read once, and only what is known by name is served."""

from __future__ import annotations

import gzip
import hashlib
from collections.abc import Mapping
from pathlib import Path

from msgspec import Struct

PAGE = Path(__file__).parent / "page"
"""The folder of the page."""
_TYPES = {
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".ico": "image/x-icon",
    ".json": "application/json",
    ".webmanifest": "application/manifest+json",
    ".txt": "text/plain; charset=utf-8",
    ".woff2": "font/woff2",
    ".wav": "audio/wav",
    ".mp3": "audio/mpeg",
    ".ogg": "audio/ogg",
}
_WORTH_PACKING = 256
"""Bytes below which a packed body gains nothing."""
_TAG_DIGITS = 24


class Body(Struct, frozen=True, gc=False):
    """The bytes of an answer, and the tag by which a browser knows them again."""

    data: bytes
    tag: str


class File(Struct, frozen=True, gc=False):
    """One file as it is served."""

    kind: str
    """Its media type."""
    plain: Body
    packed: Body | None
    """The same with gzip, if that is smaller."""


def file_of(data: bytes, kind: str) -> File:
    tag = hashlib.sha256(data).hexdigest()[:_TAG_DIGITS]
    packed = gzip.compress(data, mtime=0) if len(data) >= _WORTH_PACKING else data
    # What is smaller with gzip by less than a tenth is packed already, such as a picture.
    is_smaller = len(packed) < 0.9 * len(data)
    return File(kind, Body(data, f'"{tag}"'), Body(packed, f'"{tag}-gz"') if is_smaller else None)


def read_files(folder: Path) -> Mapping[str, File]:
    """Return the files below a folder by the path of their address, such as ``/game/table.js``.

    ``/`` is ``index.html``. A file whose name has no known ending, or begins with a dot, is left
    out. Raises OSError.
    """
    files = {}
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder)
        kind = _TYPES.get(path.suffix)
        if kind and path.is_file() and not any(part.startswith(".") for part in name.parts):
            files[f"/{name.as_posix()}"] = file_of(path.read_bytes(), kind)
    if "/index.html" in files:
        files["/"] = files["/index.html"]
    return files


def tag_of_all(files: Mapping[str, File]) -> str:
    """Return a tag that differs if any of the files does."""
    whole = hashlib.sha256()
    for path in sorted(files):
        whole.update(f"{path} {files[path].plain.tag}\n".encode())
    return whole.hexdigest()[:_TAG_DIGITS]

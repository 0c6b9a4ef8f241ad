"""The files of the page: all of them are read once, and only what is known by name is served.

The modules and the style sheets are joined into one file each, whose names follow from what is in
them, so that a browser asks for few files, and for these once. The modules are served as well.
"""

from __future__ import annotations

import gzip
import hashlib
import posixpath
import re
from collections.abc import Callable, Mapping
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
LATER = "later"
"""The first word of the name of a module of others that is loaded when it is needed."""
_WORTH_PACKING = 256
"""Bytes below which a packed body gains nothing."""
_TAG_DIGITS = 24
_NAME_DIGITS = 16
_STYLES = re.compile(r'(?:<link rel="stylesheet" href="[^"]+">\n)+')
_ICON = re.compile(r'(?<=<link rel="icon" href=")[^"]+')
_SCRIPT = re.compile(r'<script type="module" src="([^"]+)"></script>')
_IMPORT = re.compile(r"^import \{([^}]*)\} from '([^']+)';\n", re.M)
_LATER = re.compile(r"await import\('([^']+)'\)")
_PASSED_ON = re.compile(r"^export \{([^}]*)\} from '([^']+)';\n", re.M)
_EXPORT = re.compile(
    r"^export ((?:const|(?:async )?function\*?|class) (?:\{ ([^}]*) \}|(\w+)))", re.M
)
_LEFT = re.compile(r"^(?:import|export)\b.*", re.M)


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
    lasts: bool = False
    """True if nothing else will ever have its name."""


def file_of(data: bytes, kind: str, *, lasts: bool = False) -> File:
    tag = hashlib.sha256(data).hexdigest()[:_TAG_DIGITS]
    packed = gzip.compress(data, mtime=0) if len(data) >= _WORTH_PACKING else data
    # What is smaller with gzip by less than a tenth is packed already, such as a picture.
    is_smaller = len(packed) < 0.9 * len(data)
    return File(
        kind, Body(data, f'"{tag}"'), Body(packed, f'"{tag}-gz"') if is_smaller else None, lasts
    )


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


def join_files(files: Mapping[str, File]) -> Mapping[str, File]:
    """Return ``/``, and the few files that it loads in place of modules and style sheets.

    Raises ValueError for a module that is written as no other is.
    """
    index = files["/index.html"].plain.data.decode()
    found: dict[str, File] = {}

    def named(text: str, ending: str, kind: str = "page") -> str:
        name = f"{kind}-{hashlib.sha256(text.encode()).hexdigest()[:_NAME_DIGITS]}{ending}"
        found[f"/{name}"] = file_of(text.encode(), _TYPES[ending], lasts=True)
        return name

    def styles(links: re.Match[str]) -> str:
        sheets = re.findall(r'href="([^"]+)"', links[0])
        text = "".join(files[f"/{sheet}"].plain.data.decode() for sheet in sheets)
        return f'<link rel="stylesheet" href="{named(text, ".css")}">\n'

    def scripts(tag: re.Match[str]) -> str:
        joint = _Joint(files, named)
        joint.add(f"/{tag[1]}")
        ahead = "".join(f'<link rel="modulepreload" href="{each}">\n' for each in joint.foreign)
        name = named("".join([*joint.imports, *joint.modules]), ".js")
        return f'{ahead}<script type="module" src="{name}"></script>'

    def icon(found: re.Match[str]) -> str:
        return named(files[f"/{found[0]}"].plain.data.decode(), ".svg")

    index = _SCRIPT.sub(scripts, _STYLES.sub(styles, _ICON.sub(icon, index)))
    found["/"] = file_of(index.encode(), _TYPES[".html"])
    return found


class _Joint:
    """Modules in one: each is a function that runs once, behind those that it imports."""

    def __init__(self, files: Mapping[str, File], named: Callable[..., str]) -> None:
        self._files = files
        self._named = named
        self._names: dict[str, str] = {}
        """The name of a module in the joint one, by its path; empty while it is read."""
        self.foreign: list[str] = []
        """The modules of others, which stay as they are."""
        self.imports: list[str] = []
        self.modules: list[str] = []

    def add(self, path: str) -> str:
        """Add a module and all that it imports; return what it is called. Raises ValueError."""
        name = self._names.get(path)
        if name == "":
            raise ValueError(f"{path} imports itself, by way of others")
        if name is not None:
            return name
        self._names[path] = ""
        name = f"m{len(self._names)}"
        text = self._files[path].plain.data.decode()
        if path.startswith("/vendor/"):
            self.foreign.append(self._named(text, ".js"))
            self.imports.append(f"import * as {name} from './{self.foreign[-1]}';\n")
        else:
            self.modules.append(f"const {name} = await (async () => {{\n{self._body(path, text)}")
        self._names[path] = name
        return name

    def _body(self, path: str, text: str) -> str:
        """Return a module as the body of a function that gives what it exports."""
        shown: list[str] = []

        def path_of(named: str) -> str:
            return posixpath.normpath(posixpath.join(posixpath.dirname(path), named))

        def other(named: str) -> str:
            return self.add(path_of(named))

        def later(found: re.Match[str]) -> str:
            wanted = path_of(found[1])
            if not wanted.startswith("/vendor/"):
                return self.add(wanted)
            text = self._files[wanted].plain.data.decode()
            return f"await import('./{self._named(text, '.js', LATER)}')"

        def imported(found: re.Match[str]) -> str:
            return f"const {{{found[1].replace(' as ', ': ')}}} = {other(found[2])};\n"

        def passed_on(found: re.Match[str]) -> str:
            name = other(found[2])
            shown.extend(f"{each.strip()}: {name}.{each.strip()}" for each in found[1].split(","))
            return ""

        def exported(found: re.Match[str]) -> str:
            shown.append(found[2] or found[3])
            return found[1]

        text = _PASSED_ON.sub(passed_on, _IMPORT.sub(imported, text))
        text = _LATER.sub(later, _EXPORT.sub(exported, text))
        if left := _LEFT.search(text):
            raise ValueError(f"{path} has a line that cannot be joined: {left[0]}")
        return f"{text}return {{ {', '.join(shown)} }};\n}})();\n"

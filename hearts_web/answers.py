"""The answer to a request: a file, a refusal, or nothing new."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from http import HTTPStatus

from msgspec import Struct

from .asked import HttpRequest
from .files import File

POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self'",
        "font-src 'self'",
        "media-src 'self'",
        "connect-src 'self'",
        "manifest-src 'self'",
        "worker-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
        "require-trusted-types-for 'script'",
        "trusted-types hearts-page",
    )
)
"""The rights of the page: it may use its own files and its own host.

No script stands in the page itself, and no text becomes one. ``hearts-page`` is the policy that
names the service worker.
"""
SAFETY = (
    ("content-security-policy", POLICY),
    ("x-content-type-options", "nosniff"),
    ("referrer-policy", "no-referrer"),
    ("cross-origin-resource-policy", "same-origin"),
    ("permissions-policy", "camera=(), geolocation=(), microphone=()"),
)
OVER_TLS = (("cross-origin-opener-policy", "same-origin"),)
"""Heeded over https alone; elsewhere browsers complain of it."""
FOR_EVER = "public, max-age=31536000, immutable"
METHODS = ("GET", "HEAD")
NAME_IT = "A host allows this name by hearts-server --web-name NAME or hearts-web --name NAME.\n"


class HttpAnswer(Struct, frozen=True):
    """An answer to a request."""

    status: int
    headers: Sequence[tuple[str, str]]
    """Those of SAFETY, and over TLS of OVER_TLS, are sent besides."""
    body: bytes = b""


def refusal(status: HTTPStatus, *more: tuple[str, str], hint: str = "") -> HttpAnswer:
    """Return an answer in a line of text, and a second one for a ``hint``; ``more`` are headers."""
    body = f"{status.value} {status.phrase}\n{hint}".encode()
    kind = ("content-type", "text/plain; charset=utf-8")
    length = ("content-length", str(len(body)))
    return HttpAnswer(status, [kind, length, ("cache-control", "no-store"), *more], body)


def answer_to(asked: HttpRequest, files: Mapping[str, File]) -> HttpAnswer:
    file = files.get(asked.path)
    if file is None:
        return refusal(HTTPStatus.NOT_FOUND)
    if asked.method not in METHODS:
        return refusal(HTTPStatus.METHOD_NOT_ALLOWED, ("allow", ", ".join(METHODS)))
    body = file.plain
    if file.packed is not None and _takes_gzip(asked):
        body = file.packed
    headers = [
        ("etag", body.tag),
        ("cache-control", FOR_EVER if file.lasts else "no-cache"),
        ("vary", "accept-encoding"),
    ]
    known = asked.lists("if-none-match")
    if body.tag in (tag.removeprefix("w/") for tag in known) or known == ["*"]:
        return HttpAnswer(HTTPStatus.NOT_MODIFIED, headers)
    if body is file.packed:
        headers.append(("content-encoding", "gzip"))
    headers += [("content-type", file.kind), ("content-length", str(len(body.data)))]
    return HttpAnswer(HTTPStatus.OK, headers, b"" if asked.method == "HEAD" else body.data)


def _takes_gzip(asked: HttpRequest) -> bool:
    for part in asked.lists("accept-encoding"):
        name, _, rest = part.partition(";")
        if name.strip() == "gzip":
            return rest.replace(" ", "") not in ("q=0", "q=0.0", "q=0.00", "q=0.000")
    return False

"""Targets: a browser's bytes at the gateway, HTTP until a WebSocket begins, and its frames.

What is answered, and what is carried, does not depend on how the bytes were cut. Nothing is kept
beyond what a request may have; a body that was announced costs nothing.
"""

from __future__ import annotations

import ipaddress
from collections.abc import Iterable

from hearts_web.answers import answer_to, refusal
from hearts_web.asked import Hosts, Proxies, is_own_page
from hearts_web.files import file_of
from hearts_web.http_side import HEAD_LIMIT, BadRequest, HttpSide, handshake_fault
from hearts_web.websocket_frames import MESSAGE_LIMIT, Frames

from .source import Source, same

PEERS = ipaddress.ip_network("192.0.2.0/24")
FILES = {"/": file_of(b"<p>Hearts", "text/html"), "/app.js": file_of(b"x();" * 99, "text/plain")}


def web(data: bytes) -> None:
    """A connection from its first byte to its last."""
    source = Source(data)
    cuts = source.cuts()
    same(source.rest(), cuts, _visit)


def web_frames(data: bytes) -> None:
    """A WebSocket from its first frame on."""
    source = Source(data)
    cuts = source.cuts()
    same(source.rest(), cuts, _carry)


def _visit(parts: Iterable[bytes]) -> tuple[bytes, bytes, bytes]:
    http, said = HttpSide(), b""
    waiting = list(parts)
    while waiting:
        part = waiting.pop(0)
        try:
            http.feed(part)
            while (asked := http.next_request()) is not None:
                assert len(asked.headers) <= HEAD_LIMIT
                _ = asked.all("host") in Hosts()
                if asked.path == "/game" and handshake_fault(asked) is None:
                    is_own_page(asked, ())
                    for header in ("forwarded", "x-forwarded-for"):
                        Proxies((PEERS,), header).address_of(asked, "192.0.2.1")
                    head, left = http.switch(asked)
                    carried, heard = _carry([left, *waiting])
                    return said + head, carried, heard
                answer = answer_to(asked, FILES)
                said += http.answer(answer) + answer.body
                http.answered(answer)
                if http.is_over:
                    return said, b"", b""
        except BadRequest as error:
            answer = refusal(error.status)
            said += http.answer(answer) + answer.body
            http.answered(answer)
            assert http.is_over
            break
    return said, b"", b""


def _carry(parts: Iterable[bytes]) -> tuple[bytes, bytes]:
    frames = Frames()
    carried = heard = b""
    for part in parts:
        for inward, outward in frames.receive(part):
            assert len(inward) <= min(len(part), MESSAGE_LIMIT)
            carried += inward
            heard += outward
    if frames.is_closing:
        assert frames.carry(b"x") == frames.ping() == b""
    return carried, heard

"""The HTTP of one connection, until it ends or becomes a WebSocket. No input or output."""

from __future__ import annotations

from http import HTTPStatus

import h11
from wsproto.utilities import generate_accept_token

from hearts.errors import RemoteProtocolError

from .answers import OVER_TLS, SAFETY, HttpAnswer, refusal
from .asked import HttpRequest

HEAD_LIMIT = 16 * 1024
"""Bytes of a request before its body, in which it must be complete."""
_KEY_BYTES = 24
"""Base64 of the 16 bytes that a browser shows when it asks for a WebSocket."""
_WS_VERSION = "13"


class BadRequest(RemoteProtocolError):
    """A request that cannot be read."""

    def __init__(self, status: HTTPStatus, why: str) -> None:
        """``status`` is what the peer is told."""
        super().__init__(why)
        self.status = status


class HttpSide:
    """Requests out of bytes, and bytes out of answers; one request at a time."""

    __slots__ = ("_http", "_safety")

    def __init__(self, *, is_secure: bool = False) -> None:
        """``is_secure`` tells that the browser asks over https."""
        self._safety = SAFETY + OVER_TLS * is_secure
        self._http = h11.Connection(h11.SERVER, max_incomplete_event_size=HEAD_LIMIT)

    def feed(self, data: bytes) -> None:
        """More bytes of the peer; none means that it has sent all. Raises BadRequest."""
        try:
            self._http.receive_data(data)
        except h11.RemoteProtocolError as error:
            raise BadRequest(HTTPStatus.BAD_REQUEST, str(error)) from None

    def next_request(self) -> HttpRequest | None:
        """Return the next request, when its head is complete. Raises BadRequest."""
        try:
            event = self._http.next_event()
        except h11.RemoteProtocolError as error:
            raise BadRequest(HTTPStatus(error.error_status_hint), str(error)) from None
        if not isinstance(event, h11.Request):
            return None
        asked = HttpRequest.of(event)
        if not asked.has_body:
            self._http.next_event()  # The end of the request.
        return asked

    @property
    def is_over(self) -> bool:
        """True if no further request is read, once what was asked is answered."""
        return self._http.our_state in (h11.MUST_CLOSE, h11.CLOSED, h11.ERROR)

    def answer(self, answer: HttpAnswer) -> bytes:
        """Return an answer to the request that was read last, or to one that could not be read.

        Its body is not among these bytes: it follows them. When it is written, call
        :meth:`answered`.
        """
        headers = [*answer.headers, *self._safety]
        if self._http.their_state is not h11.DONE:
            # What follows is no request.
            headers.append(("connection", "close"))
        head = h11.Response(
            status_code=answer.status, headers=headers, reason=HTTPStatus(answer.status).phrase
        )
        return self._http.send(head) or b""

    def answered(self, answer: HttpAnswer) -> None:
        if answer.body:
            self._http.send(h11.Data(data=answer.body))
        self._http.send(h11.EndOfMessage())
        if self._http.states == {h11.CLIENT: h11.DONE, h11.SERVER: h11.DONE}:
            self._http.start_next_cycle()

    def switch(self, asked: HttpRequest) -> tuple[bytes, bytes]:
        """Agree to a WebSocket: return the answer, and the bytes that have already come for it."""
        token = generate_accept_token(asked.all("sec-websocket-key").encode())
        headers = [
            ("upgrade", "websocket"),
            ("connection", "upgrade"),
            ("sec-websocket-accept", token.decode()),
        ]
        head = h11.InformationalResponse(
            status_code=HTTPStatus.SWITCHING_PROTOCOLS,
            headers=headers,
            reason=HTTPStatus.SWITCHING_PROTOCOLS.phrase,
        )
        return self._http.send(head) or b"", self._http.trailing_data[0]


def handshake_fault(asked: HttpRequest) -> HttpAnswer | None:
    """Refuse a request for a WebSocket; None if it is a good one."""
    if asked.method != "GET" or asked.has_body:
        return refusal(HTTPStatus.METHOD_NOT_ALLOWED, ("allow", "GET"))
    is_upgrade = "upgrade" in asked.lists("connection") and asked.lists("upgrade") == ["websocket"]
    if not is_upgrade or asked.all("sec-websocket-version") != _WS_VERSION:
        version = ("sec-websocket-version", _WS_VERSION)
        return refusal(HTTPStatus.UPGRADE_REQUIRED, ("upgrade", "websocket"), version)
    key = asked.all("sec-websocket-key")
    if len(key) != _KEY_BYTES or not key.isascii():
        return refusal(HTTPStatus.BAD_REQUEST)
    return None

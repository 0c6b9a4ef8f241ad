"""Requests and their answers, without a network."""

from __future__ import annotations

import gzip
from http import HTTPStatus
from pathlib import Path

import pytest

from hearts_web.answers import POLICY, answer_to, refusal
from hearts_web.asked import HttpRequest
from hearts_web.files import PAGE, file_of, read_files
from hearts_web.http_side import HEAD_LIMIT, BadRequest, HttpSide, handshake_fault

SCRIPT = b"'use strict';\n" * 50
FILES = {"/": file_of(b"<p>Hearts", "text/html"), "/app.js": file_of(SCRIPT, "text/javascript")}
KEY = "dGhlIHNhbXBsZSBub25jZQ=="
GOOD = {
    "host": "a",
    "connection": "keep-alive, Upgrade",
    "upgrade": "WebSocket",
    "sec-websocket-version": "13",
    "sec-websocket-key": KEY,
}


def asked(path: str, method: str = "GET", **headers: str) -> HttpRequest:
    pairs = [(name.replace("_", "-").encode(), text.encode()) for name, text in headers.items()]
    return HttpRequest(method, path, pairs)


def request(**headers: str) -> HttpRequest:
    pairs = [(name.encode(), text.encode()) for name, text in headers.items() if text]
    return HttpRequest("GET", "/game", pairs)


class TestPageFiles:
    def test_only_what_has_a_known_ending_is_served(self, tmp_path: Path) -> None:
        (tmp_path / "game").mkdir()
        (tmp_path / ".git").mkdir()
        for name in ("index.html", "game/table.js", ".git/config.js", ".a.js", "notes", "b.py"):
            (tmp_path / name).write_text(name)
        files = read_files(tmp_path)
        assert sorted(files) == ["/", "/game/table.js", "/index.html"]
        assert files["/"].plain.data == b"index.html"

    def test_the_page_has_a_start_and_nothing_within_it_that_runs(self) -> None:
        text = read_files(PAGE)["/"].plain.data.decode()
        assert "<script>" not in text
        assert "<style" not in text
        assert " onclick=" not in text

    @pytest.mark.parametrize("path", ["/../secret", "/app.js/", "//app.js", "/%61pp.js", "", "*"])
    def test_any_other_path_is_not_found(self, path: str) -> None:
        assert answer_to(asked(path), FILES).status == 404

    def test_an_answer_is_whole_packed_or_nothing_new(self) -> None:
        plain = answer_to(asked("/app.js"), FILES)
        assert (plain.status, plain.body) == (200, SCRIPT)
        packed = answer_to(asked("/app.js", accept_encoding="br, GZIP"), FILES)
        assert ("content-encoding", "gzip") in packed.headers
        assert gzip.decompress(packed.body) == SCRIPT
        assert len(packed.body) < len(SCRIPT)
        for answer, more in ((plain, {}), (packed, {"accept_encoding": "gzip"})):
            tag = dict(answer.headers)["etag"]
            for known in (tag, f'"x", W/{tag}', "*"):
                again = answer_to(asked("/app.js", if_none_match=known, **more), FILES)
                assert (again.status, again.body) == (304, b"")
            assert answer_to(asked("/app.js", if_none_match='"x"', **more), FILES).status == 200
        assert answer_to(asked("/app.js", accept_encoding="gzip;q=0"), FILES).body == SCRIPT
        assert answer_to(asked("/", accept_encoding="gzip"), FILES).body == b"<p>Hearts"
        head = answer_to(asked("/app.js", "HEAD"), FILES)
        assert (head.headers, head.body) == (plain.headers, b"")
        posted = answer_to(asked("/app.js", "POST"), FILES)
        assert posted.status == 405
        assert ("allow", "GET, HEAD") in posted.headers

    def test_no_answer_lets_a_page_run_what_is_not_ours(self) -> None:
        for answer in (answer_to(asked("/"), FILES), refusal(HTTPStatus.NOT_FOUND)):
            head = HttpSide().answer(answer).decode().lower()
            assert f"\r\ncontent-security-policy: {POLICY}\r\n" in head
            assert "\r\nx-content-type-options: nosniff\r\n" in head
            assert "set-cookie" not in head
        assert "unsafe" not in POLICY
        assert POLICY.startswith("default-src 'none'")


def feed_all(http: HttpSide, data: bytes) -> None:
    for at in range(0, len(data), 4096):
        http.feed(data[at : at + 4096])
        assert http.next_request() is None


class TestRequests:
    def test_requests_come_one_after_the_other(self) -> None:
        http = HttpSide()
        http.feed(b"GET / HTTP/1.1\r\nHost: a\r\n\r\nGET /app.js?x HTTP/1.1\r\nHost: a\r\n\r\nGE")
        for path in ("/", "/app.js"):
            found = http.next_request()
            assert found is not None
            assert found.path == path
            assert http.next_request() is None
            answer = answer_to(found, FILES)
            assert http.answer(answer).startswith(b"HTTP/1.1 200 OK\r\n")
            http.answered(answer)
        assert not http.is_over

    def test_a_request_with_a_body_ends_the_connection(self) -> None:
        http = HttpSide()
        http.feed(b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 99999999999\r\n\r\n")
        found = http.next_request()
        assert found is not None
        assert found.has_body
        answer = answer_to(found, FILES)
        assert b"\r\nConnection: close\r\n" in http.answer(answer).title().replace(
            b"Close", b"close"
        )
        http.answered(answer)
        assert http.is_over

    @pytest.mark.parametrize(
        ("data", "status"),
        [
            (b"\x16\x03\x01\x02\x00\x01\x00", 400),
            (b"GET / HTTP/1.1\r\n\r\n", 400),
            (b"GET /\xff HTTP/1.1\r\nHost: a\r\n\r\n", 400),
            (b"GET / HTTP/1.1\r\nHost: a\r\nContent-Length: x\r\n\r\n", 400),
            (b"GET / HTTP/1.1\r\nX: " + b"x" * HEAD_LIMIT, 431),
            (b"x" * (HEAD_LIMIT + 1), 431),
        ],
    )
    def test_what_is_no_request_is_refused(self, data: bytes, status: int) -> None:
        http = HttpSide()
        with pytest.raises(BadRequest) as caught:
            feed_all(http, data)
        assert caught.value.status == status
        answer = refusal(caught.value.status)
        assert http.answer(answer).startswith(b"HTTP/1.1 %d " % status)
        http.answered(answer)
        assert http.is_over


class TestWebSocketHandshake:
    def test_the_example_of_the_standard(self) -> None:
        http = HttpSide()
        lines = "".join(f"{name}: {text}\r\n" for name, text in GOOD.items())
        http.feed(f"GET /game HTTP/1.1\r\n{lines}\r\n".encode() + b"\x82\x80")
        found = http.next_request()
        assert found is not None
        assert handshake_fault(found) is None
        head, data = http.switch(found)
        assert b"s3pPLMBiTxaQ9kYGzzhZRbK+xOo=" in head
        assert head.startswith(b"HTTP/1.1 101 ")
        assert data == b"\x82\x80"

    @pytest.mark.parametrize(
        ("name", "text", "status"),
        [
            ("connection", "close", 426),
            ("upgrade", "", 426),
            ("upgrade", "h2c", 426),
            ("sec-websocket-version", "8", 426),
            ("sec-websocket-key", "", 400),
            ("sec-websocket-key", "short", 400),
            ("sec-websocket-key", "é" * 12, 400),
        ],
    )
    def test_what_is_missing(self, name: str, text: str, status: int) -> None:
        assert handshake_fault(request(**GOOD)) is None
        fault = handshake_fault(request(**{**GOOD, name: text}))
        assert fault is not None
        assert fault.status == status

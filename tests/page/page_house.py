"""A server, its chat, the gateway and a browser, for the tests of the page."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import NoReturn

import pytest
from playwright.sync_api import (
    Browser,
    BrowserContext,
    Page,
    ViewportSize,
    expect,
    sync_playwright,
)

from tests.soak.soak_server import ROOT, ServerProcess, server

from .overheard import Overheard

HOST = "127.0.0.1"
ELSEWHERE = "hearts.example"
"""The same to the browser, which does not take it for a machine of its own."""
DEAL = "1R54-8C4A-CE3W-7CZQ-EVNE-RKJ0-7XZG"
"""With the number that a page adds whose every random byte is 7, player 0 shoots the moon by
playing high, and claims the end."""
SEVENS = "crypto.getRandomValues = (all) => (new Uint8Array(all.buffer).fill(7), all);"
PATIENCE = 60_000
"""Milliseconds for anything to be seen, on a machine that is busy."""
QUIET = (
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
    "--host-resolver-rules=MAP hearts.example 127.0.0.1",
)  # fmt: skip
PHONE = ViewportSize(width=360, height=740)
DESKTOP = ViewportSize(width=1366, height=768)


class Web:
    """A gateway and the server behind it; either can be ended and begun again at its address."""

    def __init__(self, game: ServerProcess, most_websockets: int, *, chats: bool) -> None:
        self.game = game
        self.most_websockets = most_websockets
        self.chat = f"{HOST}:{game.taunt_port}" if chats else "none"
        self.names = ["--has-names"] if "--names" in game.settings else []
        self.gateway = self._begin(0)

    def _begin(self, port: int) -> subprocess.Popen[str]:
        command = (
            *(sys.executable, "-m", "hearts_web", "--host", HOST, "--port", str(port)),
            *("--game", f"{HOST}:{self.game.port}", "--chat", self.chat),
            *("--accept-rate", "0", "--log-level", "error", "--name", ELSEWHERE),
            *("--max-websockets", str(self.most_websockets), *self.names),
        )
        gateway = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)
        assert gateway.stdout is not None
        said = re.search(r":(\d+)$", gateway.stdout.readline().strip())
        assert said is not None
        self.port = int(said[1])
        return gateway

    @property
    def address(self) -> str:
        return f"http://{HOST}:{self.port}/"

    def restart_gateway(self, meanwhile: Callable[[], None]) -> None:
        """Kill the gateway, and begin another one when ``meanwhile`` is done."""
        self.gateway.kill()
        self.close()
        meanwhile()
        self.gateway = self._begin(self.port)

    def close(self) -> None:
        with self.gateway:
            self.gateway.terminate()


@contextmanager
def web(
    data_dir: Path, *settings: str, most_websockets: int = 1000, chats: bool = True
) -> Iterator[Web]:
    """A house in which computers take no pause and people have all the time they need."""
    with server(data_dir, "--turn-limit", "0", *settings, chats=chats) as game:
        game.begin()
        game.wait_ready()
        with closing(Web(game, most_websockets, chats=chats)) as made:
            yield made


def missing(what: str) -> NoReturn:
    """Skip the test, or fail where the whole house must be tested."""
    if os.environ.get("HEARTS_NEEDS_BROWSER"):
        pytest.fail(what)
    pytest.skip(what)


@contextmanager
def chromium() -> Iterator[Browser]:
    """The system's Chromium. Without one the test is skipped, or fails if it has to be there."""
    program = shutil.which("chromium") or shutil.which("chromium-browser")
    if program is None:
        missing("there is no chromium")
    expect.set_options(timeout=PATIENCE)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=QUIET)
        yield browser
        browser.close()


class PageGuest:
    """One person at one page, with a browser of their own; what the page complains of is kept."""

    def __init__(
        self,
        browser: Browser,
        web: Web,
        name: str,
        *,
        phone: bool = False,
        at: str = HOST,
        language: str = "en-GB",
    ) -> None:
        """``at`` is the name of the host in the addresses that are opened."""
        self.context: BrowserContext = browser.new_context(
            viewport=PHONE if phone else DESKTOP,
            has_touch=phone,
            reduced_motion="reduce",
            locale=language,
        )
        self.address = web.address.replace(HOST, at)
        self.complaints: list[str] = []
        self.foreign: list[str] = []
        self.overheard: list[Overheard] = []
        options = f'{{"name": "{name}", "trickStays": "short"}}'
        self.context.add_init_script(
            f"localStorage.getItem('hearts.options') ?? "
            f"localStorage.setItem('hearts.options', '{options}')"
        )
        self.page = self.open_page()

    def open_page(self) -> Page:
        page = self.context.new_page()
        page.set_default_timeout(PATIENCE)
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("console", lambda said: self._receive(said.type, said.text))
        page.on("request", lambda request: self._look(request.url))
        page.on("websocket", lambda socket: self.overheard.append(Overheard(socket)))
        return page

    def _receive(self, kind: str, text: str) -> None:
        # A connection that is lost on purpose is an error to the browser.
        known = ("WebSocket", "/favicon")
        if kind == "error" and not any(words in text for words in known):
            self.complaints.append(text)

    def _look(self, url: str) -> None:
        if not url.startswith(self.address):
            self.foreign.append(url)

    def go(self, where: str = "") -> None:
        self.page.goto(self.address + where)

    def is_content(self) -> None:
        """Nothing was complained of, and nobody else was asked."""
        assert self.complaints == [], self.complaints
        assert self.foreign == [], self.foreign

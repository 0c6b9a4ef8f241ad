"""A server, its chat, the gateway and a browser, for the tests of the page."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NoReturn

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, ViewportSize, expect, sync_playwright

from tests.soak.server import ROOT, ServerProcess, server

QUIET = (
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
)  # fmt: skip
PHONE = ViewportSize(width=360, height=740)
DESKTOP = ViewportSize(width=1366, height=768)
PATIENCE = 20_000
"""Milliseconds after which nobody waits on: the machine may be busy with other tests."""


class Web:
    """The address of a gateway, and the server behind it."""

    def __init__(self, game: ServerProcess, gateway: subprocess.Popen[str], port: int) -> None:
        self.game = game
        self.gateway = gateway
        self.address = f"http://127.0.0.1:{port}/"


@contextmanager
def web(data_dir: Path, *settings: str, most_websockets: int = 1000) -> Iterator[Web]:
    """A house in which computers take no pause and people have all the time they need."""
    with server(data_dir, "--turn-limit", "0", *settings, chats=True) as game:
        game.begin()
        game.wait_ready()
        command = (
            *(sys.executable, "-m", "hearts_web", "--host", "127.0.0.1", "--port", "0"),
            *("--game", f"127.0.0.1:{game.port}", "--chat", f"127.0.0.1:{game.taunt_port}"),
            *("--accept-rate", "0", "--log-level", "error"),
            *("--max-websockets", str(most_websockets)),
        )
        with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as gateway:
            try:
                assert gateway.stdout is not None
                said = re.search(r":(\d+)$", gateway.stdout.readline().strip())
                assert said is not None
                yield Web(game, gateway, int(said[1]))
            finally:
                gateway.terminate()


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


class Guest:
    """One person at one page, with a browser of his own; what the page complains of is kept."""

    def __init__(self, browser: Browser, web: Web, name: str, *, phone: bool = False) -> None:
        self.context: BrowserContext = browser.new_context(
            viewport=PHONE if phone else DESKTOP, has_touch=phone, reduced_motion="reduce"
        )
        self.web = web
        self.complaints: list[str] = []
        self.foreign: list[str] = []
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
        page.on("console", lambda said: self._hear(said.type, said.text))
        page.on("request", lambda request: self._look(request.url))
        return page

    def _hear(self, kind: str, text: str) -> None:
        # A connection that is lost on purpose is an error to the browser.
        if kind == "error" and "WebSocket" not in text and "/favicon" not in text:
            self.complaints.append(text)

    def _look(self, url: str) -> None:
        if not url.startswith(self.web.address):
            self.foreign.append(url)

    def go(self, where: str = "") -> None:
        self.page.goto(self.web.address + where)

    def is_content(self) -> None:
        """Nothing was complained of, and nobody else was asked."""
        assert self.complaints == []
        assert self.foreign == []


# Chooses for a page as somebody would who clicks at once; says how many cards are left.
PLAY = """() => {
  const go = document.querySelector('.go-on:not(.claim), .over-panel:not(.result) button.main');
  const asked = [...document.querySelectorAll('.hand.asked .card:not(.illegal)')];
  const pass = document.querySelector('.prompt button.main');
  if (go) go.click();
  else if (pass && !pass.disabled) pass.click();
  else if (pass) asked.find((card) => !card.classList.contains('raised'))?.click();
  else if (!document.querySelector('.sent')) asked[0]?.click();
  return document.querySelectorAll('.hand .card').length;
}"""

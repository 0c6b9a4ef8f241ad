"""A moderator's evening at a page, with another moderator at a terminal, and the host's console."""

from __future__ import annotations

import json
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from hearts_server.datadir import MODERATION_FILE
from tests.soak.soak_server import ROOT, free_port
from tests.terminal.terminal import CLIENT, environment

from .acting import open_table, sit_down
from .page_house import HOST, PageGuest, web
from .terminal_guest import TerminalGuest
from .test_evening import BOT
from .test_own_names import claim

pytestmark = [pytest.mark.heavy, pytest.mark.timeout(600)]

ELSEWHERE = "203.0.113.9"
ABOVE = "nothing is done against the host and moderators"
USAGE = "a moderator can say"


@contextmanager
def elsewhere(port: int) -> Iterator[int]:
    """A port that leads to the server's port for proxies, from another address."""
    header = f"PROXY TCP4 {ELSEWHERE} {HOST} 1 2\r\n".encode()

    def pass_on(source: socket.socket, to: socket.socket) -> None:
        with suppress(OSError):
            while data := source.recv(4096):
                to.sendall(data)
            to.shutdown(socket.SHUT_WR)

    def relay(line: socket.socket) -> None:
        with line, socket.create_connection((HOST, port)) as server:
            server.sendall(header)
            back = threading.Thread(target=pass_on, args=(server, line))
            back.start()
            pass_on(line, server)
            back.join()

    def serve() -> None:
        with suppress(OSError):
            while True:
                threading.Thread(target=relay, args=(listener.accept()[0],)).start()

    with socket.create_server((HOST, 0)) as listener:
        threading.Thread(target=serve, daemon=True).start()
        yield listener.getsockname()[1]
        listener.shutdown(socket.SHUT_RDWR)


def until(is_so: Callable[[], object], page: Page, guest: TerminalGuest) -> None:
    end = time.monotonic() + 60
    while not is_so():
        assert time.monotonic() < end, guest.text
        page.wait_for_timeout(50)


def say(page: Page, text: str, answer: str = "") -> None:
    """Say something in the chat, or ask it of the host, and read the answer."""
    page.get_by_label("Say something").fill(text)
    page.keyboard.press("Enter")
    if answer:
        expect(page.get_by_role("log").get_by_text(answer).last).to_be_visible()


def test_an_evening(browser: Browser, tmp_path: Path) -> None:
    data_dir, proxied = tmp_path / "data", free_port()
    settings = (
        *("--names", "--open", "--fill-after", "never", "--grace", "600"),
        *("--proxy-listen", f"{HOST}:{proxied}"),
    )

    def host(*words: str) -> str:
        command = [sys.executable, "-m", "hearts_server", *words, "--data-dir", str(data_dir)]
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
        return done.stdout

    with web(data_dir, *settings) as house, elsewhere(proxied) as port:
        mia, bob = PageGuest(browser, house, "Mia"), PageGuest(browser, house, "Bob")
        for guest in (mia, bob):
            guest.go()
            name = "Mia" if guest is mia else "Bob"
            claim(guest.page, name)
        where = f"{HOST}:{house.game.port}"
        home = tmp_path / "kim"
        chat = ("--taunt-port", str(house.game.taunt_port))
        kim = TerminalGuest(home, where, *chat, "--name", "Kim", "--table", "club")
        claiming = [*CLIENT, "names", "--claim", where, "--name", "Kim"]
        subprocess.run(claiming, input=b"\n\n\n", env=environment(home), capture_output=True)
        for name in ("Mia", "Kim"):
            assert host("moderator", name) == f"{name} is a moderator\n"

        def come_from_elsewhere() -> subprocess.Popen[str]:
            options = ("--quiet", "--name", "Eve", "--table", "club", "--dialect", "dealer")
            command = (*BOT, *options, "--port", str(port), "simple")
            return subprocess.Popen(command, cwd=ROOT, stderr=subprocess.PIPE, text=True)

        def reason_of(process: subprocess.Popen[str]) -> str:
            return process.communicate(timeout=60)[1]

        open_table(mia, "club")
        sit_down(bob, "club")
        with kim.seated():
            expect(mia.page.get_by_text("Waiting for 1 player.")).to_be_visible()
            eve = come_from_elsewhere()
            for page in (mia.page, bob.page):
                expect(page.locator(".hand .card")).to_have_count(13)
            expect(mia.page.get_by_role("region", name="~Eve: ")).to_have_attribute(
                "aria-label", "~Eve: 0 points in the game, 0 in this hand, 13 cards, guest, program"
            )

            say(bob.page, "you all cheat")
            expect(mia.page.get_by_role("log")).to_contain_text("you all cheat")
            mia.page.locator(".chat summary").click()
            mia.page.get_by_role("button", name="Report Bob to the host").click()
            mia.page.get_by_role("button", name="Report to the host, with the last lines").click()
            expect(mia.page.get_by_role("log")).to_contain_text("Bob is reported to the host")
            assert host("reports").splitlines()[1:] == ["  Bob: you all cheat"]

            say(mia.page, "/mod warn Bob be kind", "done: warn")
            expect(bob.page.get_by_role("log")).to_contain_text("the host warns you: be kind")
            say(mia.page, "/mod mute Bob --hours 2 --why too loud", "done: mute")
            say(bob.page, "hello?", "too loud")
            say(mia.page, "/mod ban ~Eve --why spam", "done: ban ~Eve --hours 24 --why spam")
            eve.communicate(timeout=60)
            assert "spam" in reason_of(come_from_elsewhere())
            say(mia.page, "/mod ban Bob --hours 2 --why cards thrown", "done: ban")
            expect(bob.page.get_by_text("cards thrown").first).to_be_visible()

            host("ban", "198.51.100.7")
            until(lambda: "/ to talk" in kim.text, mia.page, kim)
            kim.type("/")
            until(lambda: "back to the cards" in kim.text, mia.page, kim)

            def is_told(answer: str) -> bool:
                return answer in kim.text

            # It is told in a narrow column.
            for asked, said in (("/mod unban 198.51.100.7", USAGE), ("/mod ban Mia", "nothing is")):
                kim.type(asked + "\r")
                until(partial(is_told, said), mia.page, kim)

            house.game.kill()
            expect(mia.page.locator(".lost")).to_be_visible()
            kept = data_dir / MODERATION_FILE
            pages = json.loads(kept.read_bytes())
            done = [act for act in pages["acts"] if act["by"] == "Mia"]
            assert [act["asked"].split()[0] for act in done] == ["warn", "mute", "ban", "ban"]
            pages["acts"] += [done[0]] * (19 - len(done))
            kept.write_text(json.dumps(pages))
            house.game.begin()
            house.game.wait_ready()
            expect(mia.page.locator(".lost")).to_have_count(0)
            assert "spam" in reason_of(come_from_elsewhere())
            bob.page = bob.open_page()
            bob.go()
            bob.page.get_by_role("button", name="Play with others").click()
            expect(bob.page.get_by_text("cards thrown").first).to_be_visible()
            say(mia.page, "/mod warn Kim be kind", ABOVE)
            say(mia.page, "/mod ban 198.51.100.8", "done: ban 198.51.100.8 --hours 24")
            say(mia.page, "/mod ban 198.51.100.9", "a moderator acts 20 times an hour at most")
        assert "198.51.100.7" in host("bans")
        host("unban", "Bob")
        assert "Bob" not in host("bans").replace("Bob is muted", "")
        bob.go()
        bob.page.get_by_role("button", name="Play with others").click()
        expect(bob.page.get_by_text("Bob (you)")).to_be_visible()
        assert "/mod" not in mia.page.content()
        acts = host("acts")
        assert "the host: unban Bob" in acts
        for guest in (mia, bob):
            guest.is_content()

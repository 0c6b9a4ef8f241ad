"""The zoo of the gateway: good pages go on, and nothing is left."""

from __future__ import annotations

import gc

import trio
import trio.testing

from hearts_web.http_side import HttpSide
from hearts_web.relay import Relay
from hearts_web.websocket_frames import Frames
from tests.web.browser import HOST, Browser
from tests.web.test_gateway import gateway
from tests.zoo.cage import CageTally, Grounds
from tests.zoo.keeper import ANIMALS, let_loose

CARDS = 50
BROWSERS = [animal for animal in ANIMALS.values() if animal.browses]


def possessions() -> int:
    gc.collect()
    return sum(isinstance(thing, Relay | Frames | HttpSide) for thing in gc.get_objects())


async def test_a_good_page_plays_on_beside_the_zoo_and_nothing_is_left_of_it() -> None:
    tallies: dict[str, CageTally] = {}
    before = possessions()
    with trio.fail_after(60):
        # Without a limit of work, which would have the test wait for what is still unread.
        async with gateway() as running:
            grounds = Grounds(HOST, 0, web_port=running.port, flood_rate=1e5)
            async with Browser(running.port) as browser, trio.open_nursery() as nursery:
                await browser.open("/game")
                nursery.start_soon(let_loose, grounds, BROWSERS, 1, tallies)
                for _ in range(CARDS):
                    await browser.say(b"a card")
                    assert await browser.receive(6) == b"a card"
                    await trio.sleep(0.01)
                while len(all_that_came(tallies)) < len(BROWSERS):  # noqa: ASYNC110
                    await trio.sleep(0.02)
                nursery.cancel_scope.cancel()
            while possessions() > before:  # noqa: ASYNC110
                await trio.sleep(0.1)
    seen = sum((tally.saw for tally in tallies.values()), start=CageTally().saw)
    assert seen["WebSockets"] > 0
    assert not [sign for sign in seen if sign.isupper()]


def all_that_came(tallies: dict[str, CageTally]) -> set[str]:
    return {name for name, tally in tallies.items() if tally.connections}

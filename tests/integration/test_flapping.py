"""A seat whose client leaves and comes back all the time: its table hears a little of that."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import trio
import trio.testing
from trio.testing import MockClock

from hearts.limits.news import NEWS_AT_ONCE, NEWS_EVERY
from tests.independent.client import Ticket
from tests.independent.dealer import DealerSession, Watcher
from tests.independent.dealer_frames import PLAYER_CHANGE

from .dealers import converse, settings, watcher
from .house import HEARTS, Caller, House, four, house
from .ports import ListeningChat

FLAPS = 150
INTRODUCED, LEFT = 0, 1


def about_bob(chat: ListeningChat) -> list[str]:
    return [text for text in chat.texts if text.startswith("Bob ")]


def changes(client: DealerSession | Watcher) -> list[int]:
    """What a client is told of Bob's seat."""
    frames = [frame for frame in client.frames if frame.type == PLAYER_CHANGE]
    return [frame["change"] for frame in frames if frame["info"].player == 1]


async def come_back(made: House, ticket: Sequence[int]) -> Caller:
    caller = await made.greet("Bob", -5, *ticket, -1, ticket[-1])
    assert await caller.number() >= 1
    await caller.seated()
    return caller


async def test_the_table_hears_a_little_and_the_last_in_the_end(
    tmp_path: Path, autojump_clock: MockClock
) -> None:
    chat = ListeningChat()
    async with (
        house(tmp_path, "--turn-limit", "3600", chat=chat) as made,
        trio.open_nursery() as nursery,
    ):
        callers = await four(made, -2, HEARTS, 0, 0)
        game, game_id = await callers[1].numbers(2)
        onlooker = watcher(game)
        nursery.start_soon(converse, await made.call(), onlooker.talk())
        await trio.testing.wait_all_tasks_blocked()
        await callers[1].stream.aclose()
        for _ in range(FLAPS):
            caller = await come_back(made, (game, game_id, 1, 1000))
            await caller.stream.aclose()
            await trio.testing.wait_all_tasks_blocked()
        assert len(about_bob(chat)) == len(changes(onlooker)) == NEWS_AT_ONCE
        bob = DealerSession(settings(1, process_id=1000), Ticket(game, game_id, 1, 1000, -1, 0))
        nursery.start_soon(converse, await made.call(), bob.talk())
        await trio.testing.wait_all_tasks_blocked()
        assert len(changes(onlooker)) == NEWS_AT_ONCE
        await trio.sleep(NEWS_EVERY + 0.1)
        assert changes(bob) == [INTRODUCED]
        assert len(about_bob(chat)) == NEWS_AT_ONCE, "it was told before that he is back"
        caller = await come_back(made, (game, game_id, 1, 1000))
        await caller.stream.aclose()
        await trio.sleep(NEWS_EVERY + 0.1)
        nursery.cancel_scope.cancel()
    assert len(about_bob(chat)) == NEWS_AT_ONCE + 1
    assert "has left" in about_bob(chat)[-1]
    assert changes(onlooker)[NEWS_AT_ONCE:] == [INTRODUCED, LEFT]

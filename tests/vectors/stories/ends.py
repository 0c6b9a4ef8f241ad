"""Ends of games, and another game or none."""

from __future__ import annotations

from functools import partial

from tests.vectors.scribe import Scribe, Story, Turn

from .common import EXAMPLE, PEOPLE, among_people, at_table, others, settings


async def with_computers(s: Scribe, answer: Turn) -> None:
    await at_table(s, EXAMPLE, end=1)
    assert await s.play_hand(1) & 3 == 3
    await answer(s)
    await after(s)


async def as_host(s: Scribe, answer: Turn) -> None:
    """We are player 0, and the others are people."""
    await s.do("deal", EXAMPLE)
    await s.connect()
    await s.reasons()
    await s.options(PEOPLE, 1, 0, "end of game 1")
    await s.process_id()
    await others(s, "Bob", "Cleo", "Dan")
    await s.seated()
    assert await s.play_hand(1) & 3 == 3
    await answer(s)
    await after(s)


async def after(s: Scribe) -> None:
    """What follows New game."""
    if await s.new_game():
        await s.table()
        await s.dealt(1)
        await s.leave()
    else:
        s.end()


async def say(s: Scribe, value: int) -> None:
    await s.yes_or_no(value, f"play again: {'yes' if value else 'no'}")


async def late(s: Scribe, value: int) -> None:
    await s.wait(60)
    await say(s, value)


async def missed(s: Scribe) -> None:
    await s.wait(60)
    status = await s.settled()
    await s.owed(status - 1)


async def another_decides(s: Scribe) -> None:
    await among_people(s, EXAMPLE, end=1)
    assert await s.play_hand(1) & 3 == 1
    await after(s)


async def the_others_have_left(s: Scribe) -> None:
    """Stand-ins play for the others, so it is for us to decide, and the clock says no."""
    await settings(s, grace=0)
    await among_people(s, EXAMPLE, end=1)
    for name in ("Bob", "Cleo", "Dan"):
        await s.do("leave", name)
    assert await s.play_hand(1) & 3 == 3
    await missed(s)
    await after(s)


async def several_games(s: Scribe) -> None:
    await at_table(s, rules="pass=left", end=1)
    for _ in range(3):
        assert await s.play_hand(1) & 3 == 3
        await say(s, 1)
        assert await s.new_game() == 1
        await s.table()
    assert await s.play_hand(1) & 3 == 3
    await say(s, 0)
    assert await s.new_game() == 0
    s.end()


async def shut_down_in_a_hand(s: Scribe) -> None:
    await at_table(s, EXAMPLE)
    s.turns[1, 13] = shut_down
    assert await s.play_hand(1) == 0
    s.end()


async def shut_down_in_the_last_hand(s: Scribe) -> None:
    await at_table(s, EXAMPLE, end=1)
    s.turns[1, 13] = shut_down
    assert await s.play_hand(1) & 3 == 1
    assert await s.new_game() == 0
    s.end()


async def shut_down(s: Scribe) -> None:
    await s.do("shutdown")
    await s.turn(13)


def ends() -> dict[str, Story]:
    """The cases of the file of this name."""
    yes, no = partial(say, value=1), partial(say, value=0)
    return {
        "another game": partial(with_computers, answer=yes),
        "no other game": partial(with_computers, answer=no),
        "several games": several_games,
        "another decides": another_decides,
        "yes among people": partial(as_host, answer=yes),
        "decided for us: yes, and our no comes late": partial(
            as_host, answer=partial(late, value=0)
        ),
        "decided for us: yes, before an answer is sent": partial(as_host, answer=missed),
        "decided for us: no, and our yes comes late": partial(
            with_computers, answer=partial(late, value=1)
        ),
        "decided for us: no, before an answer is sent": partial(with_computers, answer=missed),
        "the others have left": the_others_have_left,
        "the server shuts down in a hand": shut_down_in_a_hand,
        "the server shuts down in the last hand of a game": shut_down_in_the_last_hand,
    }

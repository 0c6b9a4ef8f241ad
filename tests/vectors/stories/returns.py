"""Coming back to a seat, in every phase, and who may not."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from hearts.wire.credentials import issue
from tests.vectors.notebook import ints
from tests.vectors.scribe import Scribe, Story, high
from tests.vectors.vector_house import FIRST_GAME_NUMBER, SECRET

from .common import COMPUTERS, EXAMPLE, MOON, among_people, at_table, raw_table, settings

PROCESS_ID = 1000


def proof(player: int = 0) -> tuple[int, int, int, int]:
    """Game number, Game ID, Player ID, Process ID."""
    seat = issue(SECRET, FIRST_GAME_NUMBER, player, PROCESS_ID)
    return seat.game_number, seat.game_id, seat.player, seat.process_id


async def back(s: Scribe, hands: int, decided: int, *, player: int = 0, raw: bool = False) -> None:
    """Come back, up to the ack of Table."""
    await s.connect(raw=raw)
    await s.reasons()
    await s.block(
        -5, ints(*proof(player), hands), f"back to seat {player}, {hands} hands", 1 + decided
    )
    s.me = player
    await s.process_id(PROCESS_ID)
    await s.seated()


async def refused(s: Scribe, numbers: Sequence[int], what: str, code: int) -> None:
    await s.connect(raw=True)
    await s.reasons()
    await s.say(ints(-5, *numbers), f"block -5: {what}")
    await s.refused(code, reason=True)


async def decided_pass(s: Scribe) -> None:
    assert await s.pass_status([]) == 1
    await s.owed(*s.passed)


async def decided_play(s: Scribe) -> None:
    status = await s.play_status()
    await s.owed(status - 1)


async def decided_yes_or_no(s: Scribe) -> None:
    status = await s.settled()
    await s.owed(status - 1)


async def away(s: Scribe) -> None:
    """Our connection breaks in the middle of a turn."""
    await s.leave()
    raise Away


class Away(Exception):
    """The story goes on with another connection."""


def past(s: Scribe, hand: int, tricks: int, *, passed: bool = True) -> None:
    if passed:
        s.turns[hand, "pass"] = decided_pass
    for trick in range(1, tricks + 1):
        s.turns[hand, trick] = decided_play


async def until(s: Scribe, hand: int, what: object) -> None:
    """Play a hand up to our choice, and lose the connection before it."""
    s.turns[hand, what] = away
    try:
        await s.play_hand(hand)
    except Away:
        del s.turns[hand, what]
        return
    raise AssertionError("the choice did not come")


async def to_scores(s: Scribe) -> None:
    await s.play_hand(1)
    await s.leave()


async def at_a_play(s: Scribe, hands: int) -> None:
    await at_table(s, EXAMPLE)
    await until(s, 1, 4)
    past(s, 1, 3)
    await back(s, hands, 4)
    await to_scores(s)


async def at_the_pass(s: Scribe) -> None:
    await at_table(s, EXAMPLE)
    await until(s, 1, "pass")
    await back(s, 0, 0)
    await to_scores(s)


async def after_the_pass_was_sent(s: Scribe) -> None:
    """The connection breaks before the status has come."""
    await among_people(s, EXAMPLE)

    async def sends_and_leaves(s: Scribe) -> None:
        await s.choose(ints(5, 4, 9), "indexes 5, 4 and 9")
        await away(s)

    s.turns[1, "pass"] = sends_and_leaves
    try:
        await s.play_hand(1)
    except Away:
        s.turns[1, "pass"] = decided_pass
    past(s, 1, 0)
    await back(s, 0, 1, player=3)
    await to_scores(s)


async def after_scores(s: Scribe) -> None:
    await at_table(s, EXAMPLE, EXAMPLE)
    await s.play_hand(1)
    await s.leave()
    await back(s, 1, 0)
    await s.dealt(2)
    await s.leave()


async def knows_nothing(s: Scribe) -> None:
    """In the second hand, whose number is forgotten as well."""
    await at_table(s, EXAMPLE, EXAMPLE)
    await s.play_hand(1)
    await until(s, 2, 2)
    past(s, 2, 1)
    await back(s, -1, 2)
    await s.play_hand(2)
    await s.leave()


async def knows_an_older_hand(s: Scribe) -> None:
    """Both hands are told again from the first deal on."""
    await at_table(s, EXAMPLE, EXAMPLE)
    await s.play_hand(1)
    await until(s, 2, "pass")
    past(s, 1, 13)
    await back(s, 0, 14)
    await s.play_hand(1)
    await s.dealt(2)
    await s.leave()


async def at_the_moon(s: Scribe) -> None:
    await settings(s, rules="moon=choice,pass=never")
    await at_table(s, MOON)
    s.pick = high
    await until(s, 1, "moon")
    past(s, 1, 13, passed=False)

    async def decides(s: Scribe) -> None:
        await s.yes_or_no(1, "26 on the others")

    s.turns[1, "moon"] = decides
    await back(s, 0, 13)
    await to_scores(s)


async def at_play_again(s: Scribe, answered: bool) -> None:
    """With the Scores of the game that is over, as many as it has had."""
    await at_table(s, EXAMPLE, EXAMPLE, end=1)
    assert await s.play_hand(1) & 3 == 3
    if answered:
        await s.choose(ints(1), "play again: yes")
        s.house.wire.output.clear()
        s.lines.append("> end")
        await s.house.send(b"")
        s.finish()
    else:
        await s.leave()
    await back(s, 1, int(answered), raw=True)
    if answered:
        await decided_yes_or_no(s)
    else:
        await s.yes_or_no(1, "play again: yes")
    assert await s.new_game()
    await s.table()
    await s.dealt(1)
    await s.leave()


async def after_the_end(s: Scribe) -> None:
    """Who has missed New game 0 is told it."""
    await at_table(s, EXAMPLE, end=1)
    assert await s.play_hand(1) & 3 == 3
    await s.yes_or_no(0, "play again: no")
    assert not await s.new_game()
    s.end()
    await back(s, 1, 1, raw=True)
    await decided_yes_or_no(s)
    assert not await s.new_game()
    s.end()


async def after_the_clock_chose(s: Scribe) -> None:
    """The server has passed for us, and the first of our plays is open."""
    await settings(s, grace=200)
    await among_people(s, EXAMPLE)
    await until(s, 1, "pass")
    await s.wait(60)
    past(s, 1, 0)
    await back(s, 0, 1, player=3)
    await to_scores(s)


async def the_old_connection_is_closed(s: Scribe) -> None:
    """Coming back while the old connection seems open: it is ended, and read no more."""
    await s.do("deal", EXAMPLE)
    await raw_table(s)
    old = s.house.wire
    await s.dealt(1)
    s.skip("what follows: who leads, and cards")
    past(s, 1, 0)
    await back(s, 0, 1)
    await s.dealt(1)
    assert old.ended
    s.skip("what follows: who leads, and cards")
    await s.leave()


def wrong() -> dict[str, Story]:
    """Block -5 from those who may not."""
    game, game_id, player, process_id = proof()
    numbers = {
        "another Game ID": ((game, game_id ^ 1, player, process_id, 0), -103),
        "another Process ID": ((game, game_id, player, process_id + 1, 0), -103),
        "another player": ((game, game_id, 1, process_id, 0), -103),
        "a computer's seat": ((*proof(1), 0), -103),
        "a game that never was": ((game + 1, game_id, player, process_id, 0), -103),
        "more hands than were scored": ((game, game_id, player, process_id, 1), -103),
        "hands of -2": ((game, game_id, player, process_id, -2), -103),
    }

    async def story(s: Scribe, shown: Sequence[int], what: str, code: int) -> None:
        await at_table(s, EXAMPLE)
        await until(s, 1, "pass")
        await refused(s, shown, what, code)

    return {
        f"not back: {what}": partial(story, shown=shown, what=what, code=code)
        for what, (shown, code) in numbers.items()
    }


async def ended_in_mid_hand(s: Scribe) -> None:
    await settings(s, pause_limit=100)
    await at_table(s, EXAMPLE)
    await until(s, 1, 2)
    await s.wait(101)
    await refused(s, (*proof(), 0), "a table that ended without us", -104)


async def another_process_id(s: Scribe) -> None:
    """The Process ID behind block -5 must be that of the block."""
    await at_table(s, EXAMPLE)
    await until(s, 1, 2)
    await s.connect(raw=True)
    await s.reasons()
    await s.block(-5, ints(*proof(), 0), "back to seat 0, 0 hands", 3)
    await s.process_id(PROCESS_ID + 1)
    await s.refused(-103, reason=True)


async def options_are_ignored(s: Scribe) -> None:
    await at_table(s, EXAMPLE)
    await until(s, 1, "pass")
    await s.connect(raw=True)
    await s.block(-5, ints(*proof(), 0), "back to seat 0, 0 hands", 1)
    await s.options(COMPUTERS | 1, -1, 9999, "not valid, and ignored")
    await s.process_id()
    await s.seated()
    await s.dealt(1)
    await s.leave()


async def beyond_the_limit(s: Scribe) -> None:
    """A server that lets nobody else in lets us come back."""
    await settings(s, max_connections=1)
    await s.do("deal", EXAMPLE)
    await raw_table(s)
    old = s.house.wire
    await s.dealt(1)
    s.skip("what follows: who leads, and cards")
    past(s, 1, 0)
    await back(s, 0, 1)
    assert old.ended
    await to_scores(s)


def returns() -> dict[str, Story]:
    """The cases of the file of this name."""
    return {
        "back at the pass": at_the_pass,
        "back after the pass was sent, before its status": after_the_pass_was_sent,
        "back at a play": partial(at_a_play, hands=0),
        "back at a play, no hands remembered": partial(at_a_play, hands=-1),
        "back after Scores": after_scores,
        "back in the second hand, no hands remembered": knows_nothing,
        "back in the second hand, none counted": knows_an_older_hand,
        "back at the moon": at_the_moon,
        "back at play again": partial(at_play_again, answered=False),
        "back after yes was sent": partial(at_play_again, answered=True),
        "back after the end": after_the_end,
        "back after the clock chose": after_the_clock_chose,
        "back while the old connection is open": the_old_connection_is_closed,
        "back beyond the limit of connections": beyond_the_limit,
        "back with options": options_are_ignored,
        "not back: another Process ID behind the block": another_process_id,
        "not back: a table that ended in mid-hand": ended_in_mid_hand,
        **wrong(),
    }

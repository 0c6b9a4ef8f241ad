"""Every refusal, with and without the reason in words."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from tests.vectors.notebook import ints, text
from tests.vectors.scribe import Scribe, Story

from .common import COMPUTERS, PEOPLE, others, settings


async def refused_in_the_reserve(s: Scribe, code: int, reason: bool, words: Sequence[str]) -> None:
    """Beyond a limit who does not come back to a seat is refused a little later."""
    for word in words:
        await s.do(*word.split(" "))
    await s.connect(raw=True)
    if reason:
        await s.reasons()
    else:
        await s.options(PEOPLE, 0, 0, "how the table shall play")
    await s.process_id()
    await s.refused(code, reason=reason)


async def bad_name(s: Scribe, name: bytes, at_once: bool, reason: bool) -> None:
    await s.do("connect", "raw")
    await s.player_id()
    await s.say(name, "a bad name")
    if at_once:
        await s.refused(-101)
        return
    if reason:
        await s.reasons()
    else:
        await s.options(COMPUTERS, 0, 0, "no reply comes, so the refusal waits")
    await s.process_id()
    await s.refused(-101, reason=reason)


async def bad_block(s: Scribe, blocks: bytes, what: str, code: int, reason: bool) -> None:
    await s.connect(raw=True)
    if reason:
        await s.reasons()
    await s.say(blocks, what)
    if blocks[:4] == ints(-2):
        await s.process_id()
    await s.refused(code, reason=reason)


async def too_many_blocks(s: Scribe, reason: bool) -> None:
    await s.connect(raw=True)
    if reason:
        await s.reasons()
    for number in range(1 + reason, 17):
        await s.block(-11, ints(1) + b"x", f"number {number}", 0)
    await s.say(ints(-11), "block -11: the 17th")
    await s.refused(-102, reason=reason)


async def out_of_order(s: Scribe, reason: bool) -> None:
    await s.connect(raw=True)
    if reason:
        await s.reasons()
    await s.block(-4, text("friends"), 'table "friends"', 0)
    await s.say(ints(-7), "block -7 behind -4")
    await s.refused(-102, reason=reason)


async def repeated(s: Scribe) -> None:
    await s.connect(raw=True)
    await s.reasons()
    await s.say(ints(-10), "block -10, again")
    await s.refused(-102, reason=True)


async def wrong_password(s: Scribe, reason: bool) -> None:
    await settings(s, password="fish")
    await s.connect(raw=not reason)
    if reason:
        await s.reasons()
    await s.say(ints(-7) + text("cat"), 'block -7: password "cat"')
    await s.refused(-105, reason=reason)


async def no_password(s: Scribe, block: bytes, what: str, reason: bool, raw: bool) -> None:
    await settings(s, password="fish")
    await s.connect(raw=raw)
    if reason:
        await s.reasons()
    await s.say(block, what)
    await s.refused(-105, reason=reason)


async def table_has_begun(s: Scribe, reason: bool) -> None:
    await others(s, *(f"{name} friends" for name in ("Bob", "Cleo", "Dan", "Eve")))
    await s.connect(raw=not reason)
    if reason:
        await s.reasons()
    await s.say(ints(-4) + text("friends"), 'block -4: table "friends", which plays')
    await s.refused(-104, reason=reason)


async def too_late_for_the_table(s: Scribe) -> None:
    await settings(s, fill_after=20)
    await others(s, "Bob")
    await s.connect()
    await s.reasons()
    await s.do("now", "20")
    await s.process_id()
    await s.refused(-104, reason=True)


async def too_slow(s: Scribe, reason: bool) -> None:
    await s.connect(raw=True)
    if reason:
        await s.reasons()
    await s.do("now", "60")
    await s.refused(-106, reason=reason)


async def shut_down_while_waiting(s: Scribe) -> None:
    await s.connect()
    await s.reasons()
    await s.process_id()
    await s.do("shutdown")
    await s.refused(-4, reason=True)


async def shut_down_while_registering(s: Scribe) -> None:
    await s.connect()
    await s.reasons()
    await s.do("shutdown")
    await s.process_id()
    await s.refused(-4, reason=True)


async def full_at_block_4(s: Scribe) -> None:
    await settings(s, max_tables=2)
    await others(s, "Bob", "Cleo private")
    await s.connect()
    await s.reasons()
    await s.say(ints(-4) + text("friends"), 'block -4: table "friends", one too many')
    await s.refused(-1, reason=True)


def long_text(size: int) -> bytes:
    return text("x" * size)


def refusals() -> dict[str, Story]:
    stories: dict[str, Story] = {}
    four = ("join Bob", "join Cleo", "join Dan", "join Eve")

    beyond: dict[str, tuple[int, tuple[str, ...]]] = {
        "server full: too many tables": (-1, ("set max-tables 1", *four)),
        "server full: too many connections": (-1, ("set max-connections 1", "join Bob")),
        "too many from one address": (-2, ("set max-per-address 1", "join Bob")),
        "shutting down": (-4, ("shutdown",)),
    }
    for title, (code, words) in beyond.items():
        for reason in (False, True):
            stories[f"{title}{_with(reason)}"] = partial(
                refused_in_the_reserve, code=code, reason=reason, words=words
            )
    stories["server full: another table by block -4"] = full_at_block_4
    stories["shutting down while a player waits"] = shut_down_while_waiting
    stories["shutting down while a player registers"] = shut_down_while_registering
    names = {
        "empty": text(""),
        "31 bytes": long_text(31),
        "1023 bytes": long_text(1023),
        "only spaces": text("   "),
        "with a control character": text("A\x1bB"),
        "with a bidirectional control": text("A\u202eB"),
        "not UTF-8": ints(3) + b"\xff\xfe\0",
        "without its NUL": ints(3) + b"Ann",
    }
    for what, name in names.items():
        for reason in (False, True):
            stories[f"bad name, {what}{_with(reason)}"] = partial(
                bad_name, name=name, at_once=False, reason=reason
            )
    for size in (0, -1, 1025):
        stories[f"bad name, length {size}"] = partial(
            bad_name, name=ints(size), at_once=True, reason=False
        )
    blocks = {
        "unknown tag -1": (ints(-1), -102),
        "unknown tag -3": (ints(-3), -102),
        "block -6": (ints(-6, 0), -102),
        "block -9": (ints(-9, 7), -102),
        "block -5": (ints(-5, 7, 1282901695, 0, 1000, 3), -103),
        "block -11 with length 1024": (ints(-11, 1024), -102),
        "block -11 with length -1": (ints(-11, -1), -102),
        "block -7 without its NUL": (ints(-7, 2) + b"ab", -102),
        "block -7 with length 1025": (ints(-7, 1025), -102),
        "block -4 with an empty name": (ints(-4) + text(""), -102),
        "block -4 with length 32": (ints(-4, 32), -102),
        "block -4 with spaces": (ints(-4) + text(" "), -102),
        "block -2 with bit 0": (ints(-2, PEOPLE | 1, 0, 0), -102),
        "block -2 with bit 21": (ints(-2, PEOPLE | 1 << 21, 0, 0), -102),
        "block -2 with bits 20 and 22": (ints(-2, PEOPLE | 5 << 20, 0, 0), -102),
        "block -2 with bits 8 and 21, which do not go together": (
            ints(-2, PEOPLE | 1 << 8 | 1 << 20 | 1 << 21, 0, 0),
            -102,
        ),
        "block -2 with bit 31": (ints(-2, PEOPLE - (1 << 31), 0, 0), -102),
        "block -2 with game 0": (ints(-2, 0, 0, 0), -102),
        "block -2 with game 2": (ints(-2, 2 << 4, 0, 0), -102),
        "block -2 with game 3": (ints(-2, 3 << 4, 0, 0), -102),
        "block -2 with moon 3": (ints(-2, PEOPLE | 1 << 20 | 3 << 9, 0, 0), -102),
        "block -2 with exact 3": (ints(-2, PEOPLE | 1 << 20 | 3 << 11, 0, 0), -102),
        "block -2 with end -1": (ints(-2, PEOPLE, -1, 0), -102),
        "block -2 with end 10001": (ints(-2, PEOPLE, 10001, 0), -102),
        "block -2 with turn limit 3601": (ints(-2, PEOPLE, 0, 3601), -102),
    }
    for what, (data, code) in blocks.items():
        for reason in (False, True):
            stories[f"{what}{_with(reason)}"] = partial(
                bad_block, blocks=data, what=what, code=code, reason=reason
            )
    for reason in (False, True):
        mark = _with(reason)
        stories[f"more than 16 blocks{mark}"] = partial(too_many_blocks, reason=reason)
        stories[f"a block out of order{mark}"] = partial(out_of_order, reason=reason)
        stories[f"a table that plays{mark}"] = partial(table_has_begun, reason=reason)
        stories[f"a wrong password{mark}"] = partial(wrong_password, reason=reason)
        stories[f"too slow{mark}"] = partial(too_slow, reason=reason)
        wanted = {
            "block -8": (ints(-8), True),
            "block -4": (ints(-4) + text("friends"), False),
            "Process ID": (ints(1000), False),
        }
        for what, (data, raw) in wanted.items():
            stories[f"no password before {what}{mark}"] = partial(
                no_password, block=data, what=what, reason=reason, raw=raw or not reason
            )
    stories["a block twice"] = repeated
    stories["too late for a table that was filled"] = too_late_for_the_table
    return stories


def _with(reason: bool) -> str:
    return ", with reason" if reason else ""

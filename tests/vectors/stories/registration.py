"""Registration with every option block."""

from __future__ import annotations

from tests.vectors.notebook import ints, text
from tests.vectors.scribe import Scribe, Story

from .common import COMPUTERS, MAC2000, others, settings


async def no_blocks(s: Scribe) -> None:
    await others(s, "Bob", "Cleo", "Dan")
    await s.connect(raw=True)
    await s.process_id()
    await s.seated()
    await s.leave()


async def usual(s: Scribe) -> None:
    await s.register()
    await s.leave()


async def every_block(s: Scribe) -> None:
    await settings(s, password="fish")
    await others(s, "Bob")
    await s.connect("Zoë", raw=True)
    await s.block(-2_000_000_000, ints(3) + b"abc", "reserved for later; 3 bytes", 0)
    await s.reasons()
    await s.block(-7, text("fish"), 'password "fish"')
    await s.say(ints(-8), "block -8: which tables are there?")
    await s.list_of_tables()
    await s.block(-11, ints(0), "reserved for later; no bytes", 0)
    await s.block(-4, text("friends"), 'table "friends"', 0)
    s.me = 0
    await s.options(MAC2000 | COMPUTERS, 60, 30, "rules mac2000, end 60, 30 s, computers")
    await s.block(-11, ints(0), "reserved for later, again", 0)
    await s.process_id()
    await s.seated()
    await s.leave()


async def password_and_table(s: Scribe) -> None:
    await settings(s, password="Größe")
    await s.connect()
    await s.reasons()
    await s.block(-7, text("Größe"), 'password "Größe"')
    await s.block(-4, text("our table"), 'table "our table"', 0)
    await s.options(MAC2000 | COMPUTERS, 60, -1, "rules mac2000, end 60, computers; no clock")
    await s.process_id()
    await s.seated()
    await s.leave()


async def private_table(s: Scribe) -> None:
    await others(s, "Bob", "Cleo friends", "Dan friends")
    await s.connect()
    await s.reasons()
    await s.block(-4, text("friends"), 'table "friends"', 2)
    s.me = 2
    await s.process_id()
    await others(s, "Eve friends")
    await s.seated()
    await s.leave()


async def public_table_by_name(s: Scribe) -> None:
    await others(s, "Bob", "Cleo")
    await s.connect()
    await s.reasons()
    await s.block(-4, text("Table 1"), 'table "Table 1"', 2)
    await s.process_id()
    await others(s, "Dan")
    await s.seated()
    await s.leave()


async def list_only(s: Scribe) -> None:
    await others(s, "Bob", "Cleo", "Dan", "Eve", "Finn", "Gus secret")
    await s.connect()
    await s.reasons()
    await s.say(ints(-8), "block -8: which tables are there?")
    await s.list_of_tables()
    await s.leave()


async def list_and_play(s: Scribe) -> None:
    await s.connect(raw=True)
    await s.say(ints(-8), "block -8: which tables are there?")
    await s.list_of_tables()
    await s.options(COMPUTERS, 0, 0, "three computers")
    await s.process_id()
    await s.seated()
    await s.leave()


async def netspades(s: Scribe) -> None:
    await s.connect(raw=True)
    await s.options(0xCE, 100, 3, "as NetSpades sends it, for Spades")
    await s.process_id()
    await s.refused(-102)


async def options_of_another(s: Scribe) -> None:
    await others(s, "Bob", "Cleo", "Dan")
    await s.connect(raw=True)
    await s.reasons()
    await s.options(-1, -1, -1, "not from the player 0 who opens the table: ignored")
    await s.process_id()
    await s.seated()
    await s.leave()


async def filled(s: Scribe) -> None:
    await settings(s, fill_after=20)
    await others(s, "Bob")
    await s.connect()
    await s.reasons()
    await s.process_id()
    await s.do("now", "20")
    await s.seated()
    await s.leave()


async def free_seat(s: Scribe) -> None:
    await others(s, "Bob", "Cleo", "Dan")
    await s.do("leave", "Bob")
    await s.connect()
    await s.reasons()
    await s.process_id()
    await others(s, "Eve")
    await s.seated()
    await s.leave()


def registration() -> dict[str, Story]:
    return {
        "no option blocks": no_blocks,
        "reasons and options": usual,
        "every option block": every_block,
        "password, table and options": password_and_table,
        "a private table of friends": private_table,
        "a public table by its name": public_table_by_name,
        "the list and nothing else": list_only,
        "the list, and on to the table": list_and_play,
        "the options of a NetSpades client": netspades,
        "options of somebody who has not opened the table": options_of_another,
        "a table that is filled with computers": filled,
        "the lowest free seat": free_seat,
    }

"""A program that mutes one after the other until it is killed, and says each that is stored."""

from __future__ import annotations

import sys
from pathlib import Path

import trio

from hearts_server.datadir import MODERATION_FILE, DataDir
from hearts_server.moderation.book import HOST, ActDone, Book, Measure, MeasureKind


async def main(data_dir: Path, life: str) -> None:
    book = Book(DataDir(data_dir).kept_networks().others(MODERATION_FILE))
    for number in range(10_000):
        name = f"{life}-{number}"
        mute = Measure(MeasureKind.MUTE, "192.0.2.1", name)
        await book.put(ActDone(0.0, HOST, f"mute {name}", "done"), mute)
        print(name, flush=True)


if __name__ == "__main__":
    trio.run(main, Path(sys.argv[1]), sys.argv[2])

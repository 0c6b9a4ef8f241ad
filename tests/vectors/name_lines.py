"""Writes names.json, keys, challenges and proofs: ``python -m tests.vectors.name_lines``."""

from __future__ import annotations

import json
from hashlib import sha256
from pathlib import Path
from typing import Any

from hearts.names.codes import code_of
from hearts.names.guests import as_guest
from hearts.names.keys import KeyPair, derived
from hearts.names.looks import looks
from hearts.names.proof import AskedChallenge, Meeting, NameKind, NameProof, NameWish, Said

FILE = Path(__file__).with_name("names.json")
GUESTS = (
    *("Ann", "~Ann", "~~", "Zoë", "a" * 30, "é" * 15, "e\u0301" * 10, "\u0301x"),
    *("a" * 26 + "👨‍👩‍👧", "a" * 28 + " b"),
)
LOOKS = ("Ann", "ann", "Аnn", "AI", "Al", "Tom", "Torn", "ﬁn", "Ｊｉｌｌ", "Jill", "JiII")
CASES = (
    ("hearts.example:7626", "Ann", 0, NameWish.PROVE, NameKind.PERSON, b""),
    ("[2001:db8::1]:7626", "Zoë", 1, NameWish.CLAIM, NameKind.PERSON, b""),
    ("hearts.example:7626", "Ann", 1, NameWish.ASK_IN, NameKind.PERSON, b""),
    ("hearts.example:7626", "Ann", 0, NameWish.LET_IN, NameKind.PERSON, b"4T9K2MXQ" + bytes(32)),
    ("hearts.example:7626", "Ann", 0, NameWish.CLAIM, NameKind.PERSON, b"4T9K2MXQ"),
    ("hearts.example:7626", "Ann", 1, NameWish.GIVE_UP, NameKind.PERSON, b""),
    ("localhost:7680", "Deep Hearts", 1, NameWish.PROVE, NameKind.PROGRAM, b"\x00more"),
)


def chance(text: str) -> bytes:
    """32 bytes for a vector."""
    return sha256(text.encode()).digest()


def vector(number: int) -> dict[str, Any]:
    """Everything that two sides say and keep for one case."""
    address, name, dialect, wish, kind, details = CASES[number]
    secret, master = chance(f"server {number}"), chance(f"person {number}")[:16]
    server = KeyPair.of_server(secret)
    person = KeyPair.at_server(master, server.public)
    asked = AskedChallenge(chance(f"client's chance {number}"), address)
    meeting = Meeting(asked, server.public, chance(f"server's chance {number}"))
    said = Said(name, dialect, wish, kind, details)
    return {
        "server secret": secret.hex(),
        "server seed": derived(secret, b"hearts server key 1").hex(),
        "server key": server.public.hex(),
        "own secret": master.hex(),
        "name seed": derived(master, b"hearts name key 1" + server.public).hex(),
        "name key": person.public.hex(),
        "name": name,
        "address": address,
        "dialect": dialect,
        "bytes of block -17": asked.encode().hex(),
        "signed by the server": meeting.server_words.hex(),
        "challenge": meeting.challenge(server).hex(),
        "signed by the client": said.words(meeting).hex(),
        "bytes of block -18": NameProof.of(said, meeting, person).encode().hex(),
    }


def vectors() -> dict[str, Any]:
    return {
        "proofs": [vector(number) for number in range(len(CASES))],
        "guests": {name: as_guest(name) for name in GUESTS},
        "codes": {chance(text)[:5].hex(): code_of(chance(text)[:5]) for text in "abc"},
        "looks": {name: sorted(looks(name)) for name in LOOKS},
    }


if __name__ == "__main__":
    text = json.dumps(vectors(), indent=1, ensure_ascii=True)
    FILE.write_text(text + "\n", encoding="ascii")

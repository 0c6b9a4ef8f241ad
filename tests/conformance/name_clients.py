"""Clients that prove a name of their own (SocketSpec.md, annex E), and some that do it wrongly.

Each is the part of a session that both dialects share; :func:`proving` makes a client of it.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
import struct
from collections.abc import Generator
from typing import ClassVar

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from tests.independent.plain_client import Nonsense, OwnSession, Read, Request, Talk, Write

from .clients import ClientProgram

ADDRESS = "127.0.0.1:7626"
_Part = Generator[Request, bytes, int]


def sized(data: bytes) -> bytes:
    return struct.pack(">i", len(data)) + data


class ProvesItsName(OwnSession):
    """It remembers the server's key, and claims its name."""

    known: ClassVar[dict[str, bytes]] = {}
    dialect = 0
    secret = bytes(16)
    address = ADDRESS

    def _send(self, *numbers: int) -> Talk:
        if numbers == (self.settings.process_id,) and self._came_with is None:
            yield from self._prove()
        yield from super()._send(*numbers)

    def _prove(self) -> Talk:
        chance = self._draw()
        yield Write(struct.pack(">i", -17) + sized(chance + self.address.encode()))
        reply = yield from self._reply()
        challenge = (yield Read(128)) if reply else b""
        self._asked(reply)
        if not challenge:
            return
        server, theirs, signature = challenge[:32], challenge[32:64], challenge[64:]
        both = server + chance + theirs + sized(self.address.encode())
        if self._is_known(server) and self._has_signed(server, signature, both):
            yield from self._sign(server, both)

    def _reply(self) -> _Part:
        reply = yield from self._int()
        if reply < 0:
            yield from self._refused(reply)
        return reply

    def _sign(self, server: bytes, both: bytes) -> Talk:
        info = b"hearts name key 1" + server
        extracted = hmac.digest(bytes(32), self.secret, hashlib.sha256)
        key = Ed25519PrivateKey.from_private_bytes(
            hmac.digest(extracted, info + b"\x01", hashlib.sha256)
        )
        about = bytes((1, 1, self.dialect)) + sized(self._signed_name()) + sized(b"")
        signature = key.sign(b"hearts name 1" + both + about)
        proof = bytes((1, 1)) + key.public_key().public_bytes_raw() + signature
        yield Write(struct.pack(">i", -18) + sized(proof))
        yield from self._lines((yield from self._reply()))

    # What somebody may do wrongly

    def _draw(self) -> bytes:
        return secrets.token_bytes(32)

    def _asked(self, reply: int) -> None:
        """The server has given a challenge, or 0."""

    def _is_known(self, server: bytes) -> bool:
        return self.known.setdefault(self.address, server) == server

    def _has_signed(self, server: bytes, signature: bytes, both: bytes) -> bool:
        try:
            key = Ed25519PublicKey.from_public_bytes(server)
            key.verify(signature, b"hearts server 1" + both)
        except InvalidSignature:
            return False
        return True

    def _signed_name(self) -> bytes:
        return self.settings.name.encode()

    def _lines(self, reply: int) -> Talk:
        count = (yield from self._int()) if reply else 0
        for _ in range(count):
            yield from self._str()


class LeavesAStranger(ProvesItsName):
    def _asked(self, reply: int) -> None:
        if not reply and self.known:
            raise Nonsense("it asks no more")

    def _is_known(self, server: bytes) -> bool:
        if not super()._is_known(server):
            raise Nonsense("another server")
        return True


class DrawsOnce(ProvesItsName):
    def _draw(self) -> bytes:
        return bytes(range(32))


class DrawsTooLittle(ProvesItsName):
    address = ""

    def _draw(self) -> bytes:
        return secrets.token_bytes(31)


class ShoutsItsAddress(ProvesItsName):
    address = "HEARTS.example:7626"


class SignsTheNul(ProvesItsName):
    def _signed_name(self) -> bytes:
        return super()._signed_name() + b"\0"


class SignsAnotherDialect(ProvesItsName):
    def _sign(self, server: bytes, both: bytes) -> Talk:
        self.dialect = 1 - self.dialect
        yield from super()._sign(server, both)


class HasANewKeyEachTime(ProvesItsName):
    def _sign(self, server: bytes, both: bytes) -> Talk:
        self.secret = secrets.token_bytes(16)
        yield from super()._sign(server, both)


class ProvesTwice(ProvesItsName):
    def _sign(self, server: bytes, both: bytes) -> Talk:
        yield from super()._sign(server, both)
        yield from super()._sign(server, both)


class ProvesWithoutAChallenge(ProvesItsName):
    def _prove(self) -> Talk:
        yield from super()._prove()
        if self._was_not_asked:
            yield from self._sign(bytes(32), bytes(100))

    _was_not_asked = False

    def _asked(self, reply: int) -> None:
        self._was_not_asked = not reply


class TrustsEveryServer(ProvesItsName):
    def _is_known(self, server: bytes) -> bool:
        return True


class ChecksNoSignature(ProvesItsName):
    def _has_signed(self, server: bytes, signature: bytes, both: bytes) -> bool:
        return True


class ReadsNoLines(ProvesItsName):
    def _lines(self, reply: int) -> Talk:
        yield from self._ints(1)


class ReadsACountBehind0(ProvesItsName):
    def _lines(self, reply: int) -> Talk:
        yield from super()._lines(1)


class PlaysOnAsAGuest(ProvesItsName):
    """It takes a refusal for a reply of 0."""

    def _reply(self) -> _Part:
        return max(0, (yield from self._int()))


class LooksForItsName(OwnSession):
    """It takes its seat for the one that has the name that it has sent."""

    def _note(self, kind: str, *numbers: int, texts: tuple[str, ...] = ()) -> None:
        super()._note(kind, *numbers, texts=texts)
        if kind == "seated" and self.settings.name not in texts:
            raise Nonsense("my name is at no seat")


NAMES = ["name-own", "name-free"]
STRANGERS = ["name-unsigned", "name-relayed", "name-replayed"]
WRONG: dict[type[OwnSession], tuple[list[str], str]] = {
    DrawsOnce: (NAMES, "name.challenge"),
    DrawsTooLittle: (["hand"], "name.challenge"),
    ShoutsItsAddress: (["hand"], "name.challenge"),
    SignsTheNul: (["name-own"], "name.proof"),
    SignsAnotherDialect: (["name-own"], "name.proof"),
    HasANewKeyEachTime: (NAMES, "name.proof"),
    ProvesTwice: (["name-own"], "name.proof"),
    ProvesWithoutAChallenge: (["name-own", "name-not-asked"], "name.unasked"),
    TrustsEveryServer: (["name-own", "name-other-key"], "name.stranger"),
    **{
        type(f"ChecksNoSignature_{each}", (ChecksNoSignature,), {}): ([each], "name.stranger")
        for each in STRANGERS
    },
    ReadsNoLines: (["game", "name-taken"], "name.reply"),
    ReadsACountBehind0: (["hand", "name-untold"], "name.reply"),
    PlaysOnAsAGuest: (["name-refused"], "refused.reply"),
    LooksForItsName: (["game", "guest"], "name.guest"),
}
"""Each broken client, the scenarios that find it out, and what fails of it."""


def proving(
    part: type[OwnSession], session: type[OwnSession], program: type[ClientProgram], dialect: int
) -> type[ClientProgram]:
    """A program whose session in a dialect has this part; it knows no server yet."""
    own = {"known": {}, "dialect": dialect}
    bases = (part,) if session is OwnSession else (part, session)
    return type(part.__name__, (program,), {"session": type(part.__name__, bases, own)})

"""The challenge and the proof of a name: their bytes, and what both sides sign.

SocketSpec.md, annex E. Decoding is total: a value, or None for bytes that are none.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum
from typing import Protocol

from msgspec import Struct

from hearts.wire.codec import encode_int, encode_str
from hearts.wire.text import is_printable

from .codes import CODE_CHARACTERS
from .keys import KEY_BYTES, SIGNATURE_BYTES, KeyPair, has_signed

CHANCE_BYTES = 32
"""Bytes that each side draws by chance, for one challenge."""
ADDRESS_LIMIT = 255
"""Bytes of an address in a challenge."""
CHALLENGE_BYTES = KEY_BYTES + CHANCE_BYTES + SIGNATURE_BYTES
MOST_NOTES = 20
"""Lines that follow the answer to a proof."""
_SERVER_WORD = b"hearts server 1"
_NAME_WORD = b"hearts name 1"
_PROOF_BYTES = 2 + KEY_BYTES + SIGNATURE_BYTES


class NameWish(IntEnum):
    """The wish that a proof comes with."""

    PROVE = 0
    CLAIM = 1
    SEATS = 2
    """As PROVE, with the seats that the owner has."""
    ASK_IN = 3
    """The key of another device asks to be let in."""
    LET_IN = 4
    """The key that waits with the code in the details is shown, or let in if they have it too."""
    KEYS = 5
    """As PROVE, with the keys of the name."""
    REVOKE = 6
    """The key in the details is one of the name's no more."""
    GIVE_UP = 7
    """The name is nobody's any more, and a number takes its place in what is stored."""
    LIST = 8
    """The name may stand in the standings of the server."""
    UNLIST = 9
    EXPORT = 10
    """The owner wants to know what is stored about the name."""


class NameKind(IntEnum):
    """The kind of player who has a name."""

    PERSON = 0
    PROGRAM = 1


DETAILS: dict[int, tuple[int, ...]] = {
    NameWish.CLAIM: (0, CODE_CHARACTERS),
    NameWish.LET_IN: (CODE_CHARACTERS, CODE_CHARACTERS + KEY_BYTES),
    NameWish.REVOKE: (KEY_BYTES,),
}
"""Bytes that the details of a wish may have; those of others have none."""


class NameState(IntEnum):
    """The state of the name that a proof is about, as the server answers."""

    UNTOLD = 0
    """The server has no names, or does not tell; the player is a guest."""
    OWN = 1
    CLAIMED = 2
    """It is the player's since this proof."""
    FREE = 3
    """Nobody's; the player is a guest."""
    TAKEN = 4
    """Somebody else's; the player is a guest."""

    @property
    def is_own(self) -> bool:
        return self in (NameState.OWN, NameState.CLAIMED)


class NameAnswer(Struct, frozen=True):
    """The answer to a proof."""

    state: NameState
    notes: Sequence[str] = ()
    """Lines for the player."""

    def encode(self) -> bytes:
        if self.state is NameState.UNTOLD:
            return encode_int(self.state)
        notes = self.notes[:MOST_NOTES]
        return b"".join((encode_int(self.state), encode_int(len(notes)), *map(encode_str, notes)))


class AskedChallenge(Struct, frozen=True, gc=False):
    """The question for a challenge, with the client's chance."""

    chance: bytes
    address: str
    """The address that the client was given: host, ``:`` and port."""

    def encode(self) -> bytes:
        return self.chance + self.address.encode()

    @classmethod
    def decode(cls, data: bytes) -> AskedChallenge | None:
        if not CHANCE_BYTES < len(data) <= CHANCE_BYTES + ADDRESS_LIMIT:
            return None
        try:
            address = data[CHANCE_BYTES:].decode()
        except UnicodeDecodeError:
            return None
        return cls(data[:CHANCE_BYTES], address) if is_printable(address) else None


class Meeting(Struct, frozen=True, gc=False):
    """A client and a server that have shown each other their chances: a proof is for this alone."""

    asked: AskedChallenge
    server_key: bytes
    chance: bytes
    """The server's."""

    @property
    def server_words(self) -> bytes:
        """The bytes that the server signs."""
        return _SERVER_WORD + self._both

    @property
    def _both(self) -> bytes:
        both = self.server_key + self.asked.chance + self.chance
        return both + _sized(self.asked.address.encode())

    def challenge(self, key: KeyPair) -> bytes:
        """Return the server's challenge, signed by its key, without the int in front."""
        return self.server_key + self.chance + key.sign(self.server_words)

    @classmethod
    def of_challenge(cls, asked: AskedChallenge, data: bytes) -> Meeting | None:
        """Return the meeting of a challenge, for the client that asked; None if the key in it has
        not signed it. Raises MissingExtra.
        """
        if len(data) != CHALLENGE_BYTES:
            return None
        chance_end = KEY_BYTES + CHANCE_BYTES
        meeting = cls(asked, data[:KEY_BYTES], data[KEY_BYTES:chance_end])
        is_signed = has_signed(meeting.server_key, data[chance_end:], meeting.server_words)
        return meeting if is_signed else None


class Said(Struct, frozen=True, gc=False):
    """The words of a client about its name, all of which it signs."""

    name: str
    """As it was sent, without marks of a guest."""
    dialect: int
    """0 for the plain one, or the version of the dealer dialect."""
    wish: int = NameWish.PROVE
    kind: int = NameKind.PERSON
    details: bytes = b""
    """More about the wish (DETAILS)."""

    def words(self, meeting: Meeting) -> bytes:
        """Return the bytes that the client signs."""
        numbers = bytes((self.wish, self.kind, self.dialect))
        about = numbers + _sized(self.name.encode()) + _sized(self.details)
        return _NAME_WORD + meeting._both + about


class NameProof(Struct, frozen=True, gc=False):
    """The proof of a name as it comes."""

    wish: int
    kind: int
    key: bytes
    signature: bytes
    details: bytes = b""

    @classmethod
    def of(cls, said: Said, meeting: Meeting, key: KeyPair) -> NameProof:
        return cls(said.wish, said.kind, key.public, key.sign(said.words(meeting)), said.details)

    def holds(self, name: str, dialect: int, meeting: Meeting) -> bool:
        """Return True if the key in it has signed for this name and meeting. Raises
        MissingExtra."""
        said = Said(name, dialect, self.wish, self.kind, self.details)
        return has_signed(self.key, self.signature, said.words(meeting))

    def encode(self) -> bytes:
        return bytes((self.wish, self.kind)) + self.key + self.signature + self.details

    @classmethod
    def decode(cls, data: bytes) -> NameProof | None:
        if len(data) < _PROOF_BYTES:
            return None
        key_end = 2 + KEY_BYTES
        key, signature = data[2:key_end], data[key_end:_PROOF_BYTES]
        return cls(data[0], data[1], key, signature, data[_PROOF_BYTES:])


class NameDesk(Protocol):
    """The part of a server that knows whose a name is, for one connection.

    Each method returns the reply to its block. It may raise what ends a registration.
    """

    def challenge(self, asked: AskedChallenge) -> bytes:
        """Challenge the owner of the name (block -17)."""

    async def prove(self, proof: NameProof) -> bytes:
        """Check the proof of the name, and do what is wished with it (block -18)."""


def _sized(data: bytes) -> bytes:
    return encode_int(len(data)) + data

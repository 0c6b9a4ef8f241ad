"""The server's side of a registration: bytes in, one item after the other out.

SocketSpec.md section 3. The lobby decides about each item. This module has only the order of the
items, and the form of replies and refusals.
"""

from __future__ import annotations

from msgspec import Struct

from hearts.errors import RemoteProtocolError
from hearts.names.proof import AskedChallenge, NameProof
from hearts.wire.codec import NAME_LIMIT, TEXT_LIMIT, Buffer, decode_text, encode_int, encode_str
from hearts.wire.credentials import SeatCredentials
from hearts.wire.text import is_of_notices

from .messages import (
    CHALLENGE_TAG,
    FIRST_RESERVED_TAG,
    GREETING_TAG,
    HOSTS_LEVELS,
    LEVELS_TAG,
    LOOK_TAG,
    MAX_OPTION_BLOCKS,
    PROOF_TAG,
    STANDINGS_BYTES,
    VISITOR_BYTES,
    Refusal,
    Tag,
    decode_name,
)


class RegistrationEnded(RemoteProtocolError):
    """The end of a registration; the client is told :attr:`refusal`."""

    def __init__(self, refusal: Refusal, why: str | None = None) -> None:
        super().__init__(why or refusal.text)
        self.refusal = refusal


class GivenName(Struct, frozen=True, gc=False):
    """The player's name. A bad one was taken note of, and is refused at the next reply."""

    name: str


class ReasonsWanted(Struct, frozen=True, gc=False):
    """The wish that a reason follows each refusal from here on; replied to with 1."""


class Skipped(Struct, frozen=True, gc=False):
    """An option that is not known yet, or not as it should be; replied to with 0."""

    tag: int


class LookAt(Struct, frozen=True, gc=False):
    """A question about a table by its name; replied to with a LookReply, and perhaps the table."""

    name: str


class GivenLevels(Struct, frozen=True, gc=False):
    """Levels for the computers of seats 0-3; replied to with 1 or 0.

    None are a question: the reply has bit n set if level n may be wanted.
    """

    levels: tuple[int, ...]


class AskGreeting(Struct, frozen=True, gc=False):
    """A question for the server's greeting, with the token of a visitor for what they are told
    of the deal of the day, or with a byte for standings; replied to with encode_greeting."""

    visitor: bytes = b""


class AskChallenge(Struct, frozen=True, gc=False):
    """A question for a challenge; replied to with 1 and the challenge, or with 0."""

    asked: AskedChallenge


class GivenProof(Struct, frozen=True, gc=False):
    """The proof of the name; replied to with a NameAnswer."""

    proof: NameProof


class GivenPassword(Struct, frozen=True, gc=False):
    """The host's password; replied to with 1."""

    password: bytes


class SpeakDealer(Struct, frozen=True, gc=False):
    """The wish for the dealer dialect from the Process ID on; replied to with the version
    spoken.
    """

    version: int
    """The highest that the client speaks; at least 1."""


class Watch(Struct, frozen=True, gc=False):
    """The wish to watch a table, in the dealer dialect; replied to with 1."""

    game_number: int


class ListTables(Struct, frozen=True, gc=False):
    """The wish for the list of public tables; replied to with encode_list."""


class JoinTable(Struct, frozen=True, gc=False):
    """The wish to join or open a table; replied to with the Player ID there."""

    name: str


class ComeBack(Struct, frozen=True, gc=False):
    """The return of a player to their seat; the reply is 1 + the choices decided meanwhile."""

    shown: SeatCredentials
    """The numbers of the seat, which are not checked here."""
    hands: int
    """The hands of the session whose Scores the player has had; -1 if they do not know."""


class GivenOptions(Struct, frozen=True, gc=False):
    """Option -2 as it came, without a reply; it counts only from a player 0 who opens a table."""

    ints: tuple[int, ...]


class GivenProcessId(Struct, frozen=True, gc=False):
    """The last item of a registration."""

    process_id: int


Item = (
    GivenName
    | ReasonsWanted
    | Skipped
    | LookAt
    | GivenLevels
    | AskGreeting
    | AskChallenge
    | GivenProof
    | GivenPassword
    | SpeakDealer
    | Watch
    | ListTables
    | JoinTable
    | ComeBack
    | GivenOptions
    | GivenProcessId
)

# Each option block comes at most once and in this order; of those with one rank, at most one.
RANKS: dict[int, int] = {
    Tag.REASONS: 0,
    Tag.PASSWORD: 1,
    Tag.DEALER: 2,
    Tag.LIST: 3,
    Tag.TABLE: 4,
    Tag.COME_BACK: 4,
    Tag.WATCH: 4,
    Tag.OPTIONS: 5,
}
PAYLOADS: dict[int, tuple[str, ...]] = {
    Tag.REASONS: ("0",),
    Tag.DEALER: ("version",),
    Tag.LIST: (),
    Tag.COME_BACK: ("game number", "game id", "player id", "process id", "hands"),
    Tag.WATCH: ("game number",),
    Tag.OPTIONS: ("options", "end of game", "turn limit"),
}
"""The ints of an option block; all others are a str."""


class Registration:
    """One registration. Feed it bytes, then take items until :meth:`take` gives None."""

    def __init__(self) -> None:
        self._buffer = Buffer()
        self._named = False
        self._bad_name: str | None = None
        self._rank = -1
        self._blocks = 0
        self._tag: int | None = None
        self._skip: int | None = None
        self._reasons = False
        self._dealer = False

    def feed(self, data: bytes) -> None:
        self._buffer.feed(data)

    def take_rest(self) -> bytes:
        """Return the bytes behind the Process ID, which belong to the seated client."""
        return self._buffer.take_bytes(len(self._buffer)) or b""

    def refuse(self, refused: RegistrationEnded) -> bytes:
        """Return a refusal, with its reason in words if the client asked for reasons."""
        reply = encode_int(refused.refusal)
        return reply + encode_str(str(refused)) if self._reasons else reply

    def take(self) -> Item | None:
        """Return the next item, or None while it is not there as a whole. Raises
        RegistrationEnded.
        """
        if not self._named:
            return self._take_name()
        if self._tag is None:
            self._tag = self._take_tag()
        tag = self._tag
        if tag is None:
            return None
        if tag >= 0:
            item: Item | None = GivenProcessId(tag)
        elif tag <= FIRST_RESERVED_TAG:
            item = self._take_reserved(tag)
        elif tag in PAYLOADS:
            item = self._take_int_block(Tag(tag))
        else:
            item = self._take_str_block(Tag(tag))
        if item is None:
            return None
        self._tag = None
        if self._bad_name is not None and not isinstance(item, ReasonsWanted | GivenOptions):
            raise RegistrationEnded(Refusal.BAD_NAME, self._bad_name)
        return item

    def _take_name(self) -> Item | None:
        try:
            data = self._buffer.take_str_bytes(TEXT_LIMIT)
        except RemoteProtocolError as error:
            raise RegistrationEnded(Refusal.BAD_NAME, str(error)) from None
        if data is None:
            return None
        self._named = True
        try:
            name = decode_name(data)
        except RemoteProtocolError as error:
            self._bad_name = str(error)
            return GivenName("")
        if is_of_notices(name):
            self._bad_name = f"notices are shown under the name {name!r}"
        return GivenName(name)

    def _take_tag(self) -> int | None:
        tag = self._buffer.take_int()
        if tag is None or tag >= 0:
            return tag
        self._blocks += 1
        if self._blocks > MAX_OPTION_BLOCKS:
            raise RegistrationEnded(
                Refusal.BAD_OPTION, f"more than {MAX_OPTION_BLOCKS} option blocks"
            )
        if tag > FIRST_RESERVED_TAG:
            rank = RANKS.get(tag)
            if rank is None:
                raise RegistrationEnded(Refusal.BAD_OPTION, f"there is no option {tag}")
            if rank <= self._rank:
                raise RegistrationEnded(
                    Refusal.BAD_OPTION, f"option {tag} is doubled or out of order"
                )
            self._rank = rank
        return tag

    def _take_reserved(self, tag: int) -> Item | None:
        if self._skip is None:
            self._skip = self._buffer.take_int()
            if self._skip is None:
                return None
            if not 0 <= self._skip <= TEXT_LIMIT:
                raise RegistrationEnded(Refusal.BAD_OPTION, f"an option length of {self._skip}")
        data = self._buffer.take_bytes(self._skip)
        if data is None:
            return None
        self._skip = None
        if tag == LEVELS_TAG and len(data) in (0, len(HOSTS_LEVELS)):
            return GivenLevels(tuple(data))
        if tag == GREETING_TAG and len(data) in (0, STANDINGS_BYTES, VISITOR_BYTES):
            return AskGreeting(data)
        if tag == CHALLENGE_TAG and (asked := AskedChallenge.decode(data)) is not None:
            return AskChallenge(asked)
        if tag == PROOF_TAG and (proof := NameProof.decode(data)) is not None:
            return GivenProof(proof)
        if tag != LOOK_TAG:
            return Skipped(tag)
        try:
            return LookAt(decode_name(data + b"\0"))
        except RemoteProtocolError:
            return Skipped(tag)

    def _take_int_block(self, tag: Tag) -> Item | None:
        ints = self._buffer.take_ints(len(PAYLOADS[tag]))
        if ints is None:
            return None
        match tag:
            case Tag.REASONS:
                self._reasons = True
                return ReasonsWanted()
            case Tag.OPTIONS:
                return GivenOptions(tuple(ints))
            case Tag.LIST:
                return ListTables()
            case Tag.COME_BACK:
                game_number, game_id, player, process_id, hands = ints
                return ComeBack(SeatCredentials(game_number, game_id, player, process_id), hands)
            case Tag.DEALER:
                return self._speak_dealer(ints[0])
            case Tag.WATCH:
                if not self._dealer:
                    raise self._refused("watching needs the dealer dialect: block -6")
                return Watch(ints[0])
            case _:
                raise AssertionError(f"block {tag} is not one of ints")

    def _speak_dealer(self, version: int) -> Item:
        if version < 1:
            raise self._refused(f"a version of {version}")
        self._dealer = True
        return SpeakDealer(version)

    def _refused(self, why: str) -> RegistrationEnded:
        """Make the refusal of a block; that of a bad name before it comes first."""
        if self._bad_name is not None:
            return RegistrationEnded(Refusal.BAD_NAME, self._bad_name)
        return RegistrationEnded(Refusal.BAD_OPTION, why)

    def _take_str_block(self, tag: Tag) -> Item | None:
        try:
            data = self._buffer.take_str_bytes(NAME_LIMIT if tag is Tag.TABLE else TEXT_LIMIT)
            if data is None:
                return None
            if tag is Tag.TABLE:
                return JoinTable(decode_name(data))
            return GivenPassword(decode_text(data).encode())
        except RemoteProtocolError as error:
            raise RegistrationEnded(Refusal.BAD_OPTION, str(error)) from None

"""Leads a client through its registration, whatever it is offered: a lobby's tables, or one seat.

SocketSpec.md section 3. What the items mean is the offer's business. It may wait for it, for
whatever its owner waits with.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import Protocol, assert_never

from msgspec import Struct

from hearts.names.proof import NameDesk
from hearts.session.messages import (
    DEALER_VERSION,
    ListedTable,
    LookedTable,
    LookReply,
    encode_greeting,
    encode_list,
)
from hearts.session.registration import (
    AskChallenge,
    AskGreeting,
    ComeBack,
    GivenLevels,
    GivenName,
    GivenOptions,
    GivenPassword,
    GivenProcessId,
    GivenProof,
    Item,
    JoinTable,
    ListTables,
    LookAt,
    ReasonsWanted,
    Registration,
    Skipped,
    SpeakDealer,
    Watch,
)
from hearts.wire.codec import encode_int


class Offer(Protocol):
    """The server's side of a registration. Every method may raise RegistrationEnded."""

    @property
    def names(self) -> NameDesk | None:
        """None if the server has no names (blocks -17 and -18)."""

    def receive(self, item: Item) -> None:
        """Check that the client may send this now."""

    def set_options(self, ints: tuple[int, ...]) -> None:
        """Take the rules and computers that the client wants at a table it opens (block -2)."""

    def set_levels(self, levels: tuple[int, ...]) -> int:
        """Take the levels of computers at a table that it opens; the reply to block -15."""

    async def greeting(self, visitor: bytes) -> Sequence[str]:
        """Return the server's greeting, what a visitor is told of the day, or the standings that a
        byte asks for (block -16).
        """

    async def check_password(self, password: bytes) -> None:
        """Check the host's password (block -7)."""

    def list_tables(self) -> Sequence[ListedTable]:
        """Return the public tables (block -8)."""

    def look(self, name: str) -> LookedTable | LookReply:
        """Return the table of a name, or what there is to say in its place (block -12)."""

    async def join(self, name: str) -> int:
        """Offer a seat of the table of this name; the Player ID there (block -4)."""

    async def come_back(self, asked: ComeBack) -> int:
        """Offer the seat of these numbers; the choices that were decided meanwhile (block -5)."""

    async def watch(self, game_number: int) -> None:
        """Offer to watch a game (block -9)."""


class RegisteredClient(Struct, frozen=True, gc=False):
    """A client that has registered, with what it said of itself."""

    name: str
    process_id: int
    dealer: bool
    """True if it speaks the dealer dialect from here on."""
    rest: bytes
    """The bytes that it sent behind its Process ID."""


async def register(
    registration: Registration,
    offer: Offer,
    read: Callable[[], Awaitable[bytes]],
    send: Callable[[bytes], None],
) -> RegisteredClient | None:
    """Lead a client to its Process ID; None if it has left. Raises RegistrationEnded.

    ``read`` waits for its next bytes, none at its end; ``send`` sends bytes.
    """
    name, dealer = "", False
    while True:
        item = registration.take()
        match item:
            case None:
                data = await read()
                if not data:
                    return None
                registration.feed(data)
                continue
            case GivenProcessId(process_id):
                return RegisteredClient(name, process_id, dealer, registration.take_rest())
            case GivenName():
                name = item.name
            case SpeakDealer():
                dealer = True
            case _:
                pass
        offer.receive(item)
        reply = await _answer(item, offer)
        if reply:
            send(reply)


async def _answer(item: Item, offer: Offer) -> bytes:
    # A block without a reply says nothing, and after that of -10 a reason may follow.
    match item:
        case GivenName():
            return b""
        case GivenOptions(ints):
            offer.set_options(ints)
            return b""
        case ReasonsWanted():
            return encode_int(1)
        case Skipped():
            return encode_int(0)
        case GivenPassword(password):
            await offer.check_password(password)
            return encode_int(1)
        case SpeakDealer(version):
            return encode_int(min(version, DEALER_VERSION))
        case ListTables():
            return encode_list(offer.list_tables())
        case LookAt(name):
            looked = offer.look(name)
            if isinstance(looked, LookedTable):
                return encode_int(LookReply.TABLE) + looked.encode()
            return encode_int(looked)
        case GivenLevels(levels):
            return encode_int(offer.set_levels(levels))
        case AskGreeting(visitor):
            return encode_greeting(await offer.greeting(visitor))
        case AskChallenge(asked):
            return encode_int(0) if offer.names is None else offer.names.challenge(asked)
        case GivenProof(proof):
            return encode_int(0) if offer.names is None else await offer.names.prove(proof)
        case JoinTable(name):
            return encode_int(await offer.join(name))
        case ComeBack():
            return encode_int(1 + await offer.come_back(item))
        case Watch(game_number):
            await offer.watch(game_number)
            return encode_int(1)
        case GivenProcessId():
            raise AssertionError("the last item has no reply")
        case _:
            assert_never(item)

"""The registration of a program for a seat that waits for it and nobody else.

SocketSpec.md section 3. Its plan has the names, the rules and the seat already, so most of what a
program can say here is taken note of and changes nothing.
"""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct

from hearts.net import Link
from hearts.session.messages import DEALER_VERSION, Refusal
from hearts.session.registration import (
    ComeBack,
    GivenPassword,
    GivenProcessId,
    JoinTable,
    ListTables,
    ReasonsWanted,
    Refused,
    Registration,
    Skipped,
    SpeakDealer,
    Watch,
)


class Registered(Struct, frozen=True, gc=False):
    """What came of a registration."""

    process_id: int
    dealer: bool
    """Whether the program speaks the dealer dialect from here on."""
    rest: bytes
    """What it sent behind its registration."""
    hands: int | None
    """The hands whose scores it had had, where it comes back; -1 for not known."""


async def register(
    link: Link, player: int, decided: Callable[[ComeBack], int]
) -> Registered | None:
    """Lead a program to its Process ID; None where it left or was refused.

    ``decided`` says how many choices are decided of what who comes back is to be told, and may
    raise Refused.
    """
    registration = Registration()
    link.write(registration.accept(player))
    try:
        return await _register(link, registration, player, decided)
    except Refused as refused:
        link.write(registration.refuse(refused))
        return None


async def _register(
    link: Link, registration: Registration, player: int, decided: Callable[[ComeBack], int]
) -> Registered | None:
    dealer, back = False, None
    while True:
        link.flush()
        item = registration.take()
        match item:
            case None:
                data = await link.read()
                if not data:
                    return None
                registration.feed(data)
            case ReasonsWanted() | GivenPassword():
                link.write(registration.accept())
            case Skipped():
                link.write(registration.accept(0))
            case SpeakDealer(version):
                dealer = True
                link.write(registration.accept(min(version, DEALER_VERSION)))
            case ListTables():
                link.write(registration.listing(()))
            case JoinTable():
                link.write(registration.accept(player))
            case Watch():
                raise Refused(Refusal.TABLE_TAKEN)
            case ComeBack():
                back = item
                link.write(registration.accept(1 + decided(back)))
            case GivenProcessId(process_id):
                hands = None if back is None else back.hands
                return Registered(process_id, dealer, registration.take_rest(), hands)
            case _:
                # The name and the wishes for a table: here the plan has both.
                pass

"""The registration of a program for a seat that waits for it and nobody else.

SocketSpec.md section 3. Its plan has the names, the rules and the seat already, so most of what a
program can say here is taken note of and changes nothing.
"""

from __future__ import annotations

from collections.abc import Callable

from hearts.hosting.registrar import RegisteredClient, register
from hearts.net import Link
from hearts.session.messages import ListedTable, LookReply, Refusal
from hearts.session.registration import ComeBack, Item, Registration, RegistrationEnded


class SeatOffer:
    """One seat of a match, as it is offered to a program that registers."""

    def __init__(self, player: int, decided: Callable[[ComeBack], int]) -> None:
        """``decided`` says how many choices are decided of what a program that comes back is to be
        told, and may raise RegistrationEnded."""
        self._player = player
        self._decided = decided

    def hear(self, item: Item) -> None:
        pass

    def set_options(self, ints: tuple[int, ...]) -> None:
        pass

    async def check_password(self, password: bytes) -> None:
        pass

    def look(self, name: str) -> LookReply:
        return LookReply.UNKNOWN

    def list_tables(self) -> tuple[ListedTable, ...]:
        return ()

    async def join(self, name: str) -> int:
        return self._player

    async def come_back(self, asked: ComeBack) -> int:
        return self._decided(asked)

    async def watch(self, game_number: int) -> None:
        raise RegistrationEnded(Refusal.TABLE_TAKEN)


async def register_program(
    link: Link, player: int, decided: Callable[[ComeBack], int]
) -> RegisteredClient | None:
    """Lead a program to its Process ID; None if it left or was refused."""
    registration = Registration()

    def say(data: bytes) -> None:
        link.write(data)
        link.flush()

    say(registration.accept(player))
    try:
        return await register(registration, SeatOffer(player, decided), link.read, say)
    except RegistrationEnded as refused:
        say(registration.refuse(refused))
        return None

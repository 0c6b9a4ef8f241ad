"""The desk of a server at which a client proves that its name is its own.

SocketSpec.md, annex E. A client that does not is a guest.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Awaitable, Callable, Sequence
from fnmatch import fnmatchcase

import trio

from hearts.errors import InvalidName
from hearts.limits.networks import network_of, networks_of
from hearts.limits.tries import LOOK_INTERVAL, Pace
from hearts.names.codes import CODE_CHARACTERS
from hearts.names.guests import as_guest, without_mark
from hearts.names.keys import KeyPair
from hearts.names.proof import (
    CHANCE_BYTES,
    DETAILS,
    MOST_NOTES,
    AskedChallenge,
    Meeting,
    NameAnswer,
    NameKind,
    NameProof,
    NameState,
    NameWish,
)
from hearts.net.logline import EventLog
from hearts.session.messages import Refusal
from hearts.session.registration import RegistrationEnded
from hearts.wire.codec import encode_int
from hearts.wire.credentials import SeatCredentials
from hearts.wire.text import quoted

from .claims import ClaimedNames
from .stored import Claim, GivenUp, NewsKind
from .waiting import WaitingKeys

log = EventLog(__name__)

MOST_SEATS = 8
"""Seats that are told to the owner of a name, the latest first."""
_NEWS: dict[int, str] = {
    NewsKind.FREED: "The host has given the name {} free, which was yours.",
    NewsKind.LET_IN: "Another device was let in to the name {} in the last seven days. If it is "
    "not yours, revoke its key.",
    NewsKind.REVOKED: "The key of this device for the name {} was revoked.",
}
_WISHES = frozenset(NameWish)
RESULTS_LIMIT = 5.0
"""Seconds in which the results of a name are to be read."""
_HERE = ("localhost", "127.0.0.1", "[::1]")


async def no_results(claim: Claim) -> list[str]:  # noqa: ASYNC124
    return []


class NameOffice:
    """The names of a server, with the key by which it shows who it is."""

    def __init__(self, secret: bytes, claims: ClaimedNames) -> None:
        """Raises MissingExtra."""
        self.key = KeyPair.of_server(secret)
        self.claims = claims
        self.waiting = WaitingKeys()
        self.pace = Pace(LOOK_INTERVAL)
        """Limits on asking for names that are not one's own."""
        self.hosts: Callable[[], frozenset[str]] = frozenset
        """Gives the names under which clients reach the server; none if it does not know them."""
        self.seats: Callable[[str, int], Sequence[SeatCredentials]] = lambda name, since: ()
        """Gives the seats of a name at tables that began after a Unix time and go on."""
        self.left: Callable[[str], object] = lambda name: None
        """Gets a name that was given up just now."""
        self.results: Callable[[Claim], Awaitable[Sequence[str]]] = no_results
        """Gives lines about the results of a name."""
        self.measures: Callable[[str], Sequence[str]] = lambda name: ()
        """Gives lines about the bans and mutes of a name."""

    def check_address(self, address: str) -> None:
        """Raise RegistrationEnded if clients do not reach this server at an address: somebody in
        between may have asked for it.
        """
        host = address.rpartition(":")[0]
        known = self.hosts()
        if known and host not in _HERE and not any(fnmatchcase(host, each) for each in known):
            why = f"this server is not {quoted(host)}"
            raise RegistrationEnded(Refusal.BAD_PROOF, why)

    async def free(self, name: str) -> None:
        """Give a name free; see :meth:`.claims.ClaimedNames.free`."""
        if await self.claims.free(name):
            self.left(name)

    async def give_up(self, name: str, by: bytes | None = None) -> GivenUp | None:
        """Give a name up; see :meth:`.claims.ClaimedNames.give_up`."""
        given_up = await self.claims.give_up(name, by)
        if given_up is not None:
            log.info("name-given-up", number=given_up.number)
            self.left(name)
        return given_up

    async def export(self, claim: Claim) -> list[str]:
        """Return all that is stored about a name but its games, in at most MOST_NOTES lines."""
        lines = [
            f"name: {claim.name}",
            f"claimed: {_day(claim.claimed)}",
            f"used: {_day(claim.used)}, or in the week after it",
            f"free from: {_day(claim.ends)}{', if it is not used' if claim.is_kept else ''}",
            f"in the standings: {'yes' if claim.is_listed else 'no'}",
        ]
        for own in claim.keys:
            kind = NameKind(own.kind).name.lower()
            lines.append(f"key of a {kind}, since {_day(own.since)}: {own.key}")
        lines += self.measures(claim.name)
        with trio.move_on_after(RESULTS_LIMIT) as scope:
            lines += await self.results(claim)
        if scope.cancelled_caught:
            lines.append("results: they cannot be read now")
        return lines[:MOST_NOTES]

    async def game_over(self, people: Sequence[str]) -> None:
        """Keep the names of those who have played a game with each other."""
        if len(people) > 1:
            try:
                await self.claims.keep_after_game(people)
            except OSError as error:
                log.error("names-not-stored", why=error)


class GuestDesk:
    """One client at the office: a guest until it has proved its name."""

    def __init__(self, office: NameOffice, address: str) -> None:
        self.name = ""
        """The name that the client has given."""
        self.dialect = 0
        """The version of the dealer dialect that it speaks; 0 for the plain one."""
        self._office = office
        self._address = address
        self._meeting: Meeting | None = None
        self._is_own = False
        self.is_program = False
        """True if the name is claimed for a program, and proved."""

    @property
    def shown(self) -> str:
        """The name under which others see the client."""
        return self.name if self._is_own else as_guest(self.name)

    @property
    def proved(self) -> str:
        """The name that the client has proved; empty for a guest."""
        return self.name if self._is_own else ""

    def challenge(self, asked: AskedChallenge) -> bytes:
        """Challenge the owner of the name. Raises RegistrationEnded."""
        office = self._office
        office.check_address(asked.address)
        meeting = Meeting(asked, office.key.public, secrets.token_bytes(CHANCE_BYTES))
        self._meeting = meeting
        return encode_int(1) + meeting.challenge(office.key)

    async def prove(self, proof: NameProof) -> bytes:
        """Check a proof, and do what is wished with it. Raises RegistrationEnded."""
        meeting, self._meeting = self._meeting, None
        if meeting is None or not _is_understood(proof):
            return NameAnswer(NameState.UNTOLD).encode()
        name = without_mark(self.name)
        if not proof.holds(name, self.dialect, meeting):
            log.info("name-not-proved", address=self._address, name=name)
            raise RegistrationEnded(Refusal.BAD_PROOF)
        try:
            return (await self._answer(name, proof)).encode()
        except InvalidName as error:
            raise RegistrationEnded(Refusal.NO_CLAIM, str(error)) from None
        except OSError as error:
            log.error("names-not-stored", why=error)
            why = "the server cannot save anything now; try again later"
            raise RegistrationEnded(Refusal.SERVER_FULL, why) from None

    async def _answer(self, name: str, proof: NameProof) -> NameAnswer:
        claims = self._office.claims
        claim = claims.of(name)
        if claim is not None and claim.own(proof.key) is not None:
            if proof.wish == NameWish.GIVE_UP:
                given_up = await self._office.give_up(name, proof.key)
                return NameAnswer(NameState.FREE, [] if given_up is None else [given_up.told])
            await claims.was_proved(claim, proof.key)
            notes = await self._do(claim, proof)
            return self._owns(claims.of(name), proof.key, NameState.OWN, notes)
        match proof.wish:
            case NameWish.CLAIM:
                return await self._claim(name, proof)
            case NameWish.ASK_IN:
                return self._ask_in(name, proof)
            case NameWish.PROVE | NameWish.SEATS | NameWish.KEYS:
                return self._look(name, proof.key)
            case _:
                return NameAnswer(NameState.UNTOLD)

    async def _do(self, claim: Claim, proof: NameProof) -> list[str]:
        """Do what the owner of a name wishes, and return lines. Raises InvalidName and OSError."""
        claims = self._office.claims
        match proof.wish:
            case NameWish.LIST | NameWish.UNLIST:
                await claims.set_listed(claim, is_listed=proof.wish == NameWish.LIST)
            case NameWish.SEATS:
                return self._seats(claim)
            case NameWish.EXPORT:
                return await self._office.export(claim)
            case NameWish.LET_IN:
                return await self._let_in(claim, proof)
            case NameWish.REVOKE:
                await claims.revoke(claim.name, proof.key, proof.details)
                log.info("key-revoked", address=self._address, name=claim.name)
            case NameWish.KEYS:
                return [
                    f"key {it.key} {it.since} {it.used} {NameKind(it.kind).name.lower()}"
                    for it in claim.keys
                ]
        return []

    async def _let_in(self, claim: Claim, proof: NameProof) -> list[str]:
        code, key = proof.details[:CODE_CHARACTERS], proof.details[CODE_CHARACTERS:]
        waiting, now = self._office.waiting, trio.current_time()
        found = waiting.find(claim.name, code, now)
        if key and key != found.key:
            raise InvalidName("another key waits with this code")
        if key:
            await self._office.claims.let_in(claim.name, proof.key, key, found.kind)
            waiting.done(found)
            log.info("key-let-in", address=self._address, name=claim.name)
            return []
        is_near = network_of(found.address) == network_of(self._address)
        kind, place = NameKind(found.kind).name.lower(), "near" if is_near else "far"
        return [f"waits {found.key.hex()} {int(now - found.since)} {kind} {place}"]

    def _ask_in(self, name: str, proof: NameProof) -> NameAnswer:
        office = self._office
        if office.claims.of(name) is None:
            return self._look(name, proof.key)
        self._check_pace()
        if (own := office.claims.of_key(proof.key)) is not None:
            raise InvalidName(f"you have a name here: {quoted(own.name)}")
        now = trio.current_time()
        code = office.waiting.ask(name, proof.key, proof.kind, self._address, now)
        return NameAnswer(NameState.TAKEN, [f"code {code}", *self._notes(proof.key)])

    async def _claim(self, name: str, proof: NameProof) -> NameAnswer:
        self._check_pace()
        claims = self._office.claims
        await claims.claim(name, proof.key, proof.kind, self._address, proof.details)
        log.info("name-claimed", address=self._address, name=name)
        return self._owns(claims.of(name), proof.key, NameState.CLAIMED)

    def _check_pace(self) -> None:
        if not self._may_ask():
            why = "too many questions about names, try again later"
            raise RegistrationEnded(Refusal.TOO_MANY_FROM_ADDRESS, why)

    def _seats(self, claim: Claim) -> list[str]:
        # Before the claim somebody else may have had the name.
        seats = self._office.seats(claim.name, claim.claimed)[:MOST_SEATS]
        return [
            f"seat {seat.game_number} {seat.game_id} {seat.player} {seat.process_id}"
            for seat in seats
        ]

    def _owns(
        self, claim: Claim | None, key: bytes, state: NameState, notes: Sequence[str] = ()
    ) -> NameAnswer:
        own = None if claim is None else claim.own(key)
        if claim is None or own is None:
            # It has given itself up.
            return NameAnswer(NameState.TAKEN, self._notes(key))
        self._is_own = True
        self.name = claim.name
        self.is_program = own.kind == NameKind.PROGRAM
        notes = [*notes, *self._notes(key)]
        if not claim.is_kept:
            notes.append(
                f"The name {quoted(claim.name)} is kept for you for a week, and longer once you "
                "have played a game to its end with somebody."
            )
        return NameAnswer(state, notes)

    def _look(self, name: str, key: bytes) -> NameAnswer:
        claims = self._office.claims
        if not self._may_ask():
            return NameAnswer(NameState.UNTOLD)
        notes = self._notes(key)
        if (own := claims.of_key(key)) is not None:
            notes.append(f"Your name here is {quoted(own.name)}.")
        is_taken = claims.like(name) is not None
        return NameAnswer(NameState.TAKEN if is_taken else NameState.FREE, notes)

    def _notes(self, key: bytes) -> list[str]:
        return [_NEWS[it.kind].format(quoted(it.name)) for it in self._office.claims.news(key)]

    def _may_ask(self) -> bool:
        networks, now, pace = networks_of(self._address), trio.current_time(), self._office.pace
        if pace.wait(networks, now):
            return False
        pace.charge(networks, now)
        return True


def _is_understood(proof: NameProof) -> bool:
    is_known = proof.wish in _WISHES and proof.kind < len(NameKind)
    return is_known and len(proof.details) in DETAILS.get(proof.wish, (0,))


def _day(when: int) -> str:
    return time.strftime("%Y-%m-%d", time.gmtime(when))

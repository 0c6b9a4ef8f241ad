"""A name of one's own at a server: it is claimed once, and proved from then on.

SocketSpec.md, annex E. What goes wrong is said, and never ends in a guest without a word.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from typing import assert_never

from hearts.errors import HeartsError
from hearts.names.guests import without_mark
from hearts.names.keys import KeyPair
from hearts.names.proof import (
    CHANCE_BYTES,
    AskedChallenge,
    Meeting,
    NameAnswer,
    NameKind,
    NameProof,
    NameState,
    NameWish,
    Said,
)
from hearts.session.resume_token import UNKNOWN_HANDS, ResumeToken
from hearts.session.table_words import ServerNotice
from hearts.wire.credentials import SeatCredentials
from hearts_client.library.client import Client
from hearts_client.library.connecting import connect
from hearts_client.library.dialects import Dialect
from hearts_client.library.reach import where
from hearts_client.session.saved import SavedSession
from hearts_client.session.visit import Guest
from hearts_client.words.style import sentence

from .kept import CannotKeepNames, KeptNames

GUEST = "You are a guest here"
NOT_ASKED = (
    "This server does not ask for your name's key any more. Its host has turned names off, or it "
    f"is another server. {GUEST}."
)
CHANGED = (
    "The key of this server is not the one that you know: it is another server, or somebody is "
    "between it and you. Ask the host. Your name is not proved; you are a guest. "
    "hearts-client names --forget ADDRESS takes the new key."
)
NOT_SIGNED = f"The server did not sign with its own key. Your name is not proved. {GUEST}."
UNSAFE = (
    "The line has no TLS, so the name is worth as much as the line: somebody on it can have your "
    "seat after the proof."
)


NO_NAMES = "this server has no names of one's own"
_KEY = r"([0-9a-f]{64})"
_FORMS = {
    NameWish.SEATS: re.compile(r"seat (\d{1,10}) (\d{1,10}) ([0-3]) (\d{1,10})"),
    NameWish.ASK_IN: re.compile(r"code ([0-9A-Z]{8})"),
    NameWish.LET_IN: re.compile(rf"waits {_KEY} (\d{{1,10}}) (person|program) (near|far)"),
    NameWish.KEYS: re.compile(rf"key {_KEY} (\d{{1,11}}) (\d{{1,11}}) (person|program)"),
}
"""The lines of a reply that are for programs."""
_DONE = {
    NameWish.LIST: "The name may stand in the standings and in the list of a day from now on.",
    NameWish.UNLIST: "The name stands in no standings and in no list of a day any more.",
}


class CannotClaim(HeartsError):
    """A name is not claimed; the text says why."""


class OwnName:
    """Proves the name of a person at one server, in one registration.

    A :class:`hearts.session.client_registration.NameProver`.
    """

    def __init__(
        self,
        kept: KeptNames,
        host: str,
        port: int,
        *,
        wish: NameWish = NameWish.PROVE,
        kind: NameKind = NameKind.PERSON,
        details: bytes = b"",
    ) -> None:
        """``host`` may be several with commas: the first one is the name of all of them."""
        # A door is at the server itself, whatever its visitors call it.
        host = "localhost" if kept.is_visitor else host
        first, *others = [each.strip().lower() for each in host.split(",")]
        self.address = where(first, port)
        self.asked = AskedChallenge(secrets.token_bytes(CHANCE_BYTES), self.address)
        self.state = NameState.UNTOLD
        """The state of the name, once the server has answered."""
        self.server_key = b""
        """The key of the server, once it has shown that it has it."""
        self.told_more: list[tuple[str, ...]] = []
        """The values of the lines that are for programs, if it was the wish to know some."""
        self.warning = ""
        """A line about why the name was not proved; empty if it was."""
        self._kept = kept
        self._addresses = {where(each, port) for each in (first, *others)}
        self._wish, self._kind, self._details = wish, kind, details

    def answer(
        self, challenge: bytes, name: str, dialect: int
    ) -> tuple[NameProof | None, list[str]]:
        """Prove the name, if the server is the one that it was. Raises MissingExtra."""
        self.warning, meeting = self._look_at(challenge)
        if meeting is None:
            return None, [self.warning] if self.warning else []
        self.server_key = meeting.server_key
        said = Said(without_mark(name), dialect, self._wish, self._kind, self._details)
        key = KeyPair.at_server(self._kept.secret, meeting.server_key)
        return NameProof.of(said, meeting, key), []

    def _look_at(self, challenge: bytes) -> tuple[str, Meeting | None]:
        known = self._kept.at(self.address)
        if not challenge:
            return NOT_ASKED if known is not None else "", None
        meeting = Meeting.of_challenge(self.asked, challenge)
        if meeting is None:
            return NOT_SIGNED, None
        if known is not None and known.key != meeting.server_key.hex():
            return CHANGED.replace("ADDRESS", self.address), None
        other = self._kept.other_address(meeting.server_key, self.address)
        if known is None and other and other not in self._addresses:
            return _moved(other), None
        return "", meeting

    def told(self, answer: NameAnswer) -> list[str]:
        self.state = answer.state
        notes = list(answer.notes)
        if form := _FORMS.get(self._wish):
            self.told_more = [found.groups() for found in map(form.fullmatch, notes) if found]
            notes = [note for note in notes if not form.fullmatch(note)]
        lines: list[str] = []
        match answer.state:
            case NameState.OWN:
                pass
            case NameState.FREE if self._wish is NameWish.GIVE_UP:
                pass
            case NameState.CLAIMED:
                lines = ["This name is yours from now on."]
            case NameState.FREE | NameState.UNTOLD if self._kept.is_visitor:
                lines = []  # It was only tried.
            case NameState.FREE:
                lines = [f"The name is nobody's at this server. {GUEST}."]
            case NameState.TAKEN:
                lines = [f"The name is somebody else's at this server. {GUEST}."]
            case NameState.UNTOLD:
                lines = [f"The server does not say whose the name is. {GUEST}."]
            case _:
                assert_never(answer.state)
        return [*lines, *notes]


def _moved(other: str) -> str:
    return (
        f"This server has the key that you know from {other}: it has moved, or somebody is between "
        f"it and you. Ask the host. Your name is not proved; {GUEST.lower()}. "
        f"hearts-client names --forget {other} takes it as moved."
    )


def own_name(
    names: Callable[[], KeptNames], guest: Guest, wish: NameWish = NameWish.PROVE
) -> tuple[OwnName | None, str]:
    """Return what proves a name at a server, with the names that ``names`` reads.

    None if it is not known as the person's there; with a line if that cannot be known.
    """
    try:
        kept = names()
    except CannotKeepNames as error:
        return None, f"{sentence(str(error))} You are a guest wherever you play."
    proves = OwnName(kept, guest.host, guest.port, wish=wish)
    known = kept.at(proves.address)
    is_own = kept.is_visitor or (known is not None and known.name == guest.name)
    return proves if kept.secret and is_own else None, ""


def _asking(guest: Guest, prover: OwnName) -> AbstractAsyncContextManager[Client]:
    """Connect to a server for a proof alone."""
    return connect(
        guest.host,
        guest.port,
        name=guest.name,
        password=guest.password,
        list_only=True,
        tls=guest.tls,
        prover=prover,
    )


async def seats_elsewhere(
    names: Callable[[], KeptNames], guest: Guest, dialect: Dialect
) -> list[SavedSession]:
    """Return the seats that a person has at a server, also those of another device; none if the
    name is not proved there. Raises CannotConnect and RegistrationRefused.
    """
    prover, _ = own_name(names, guest, NameWish.SEATS)
    if prover is None:
        return []
    async with _asking(guest, prover) as client:
        async for _ in client:
            pass
    seats = [SeatCredentials(*map(int, values)) for values in prover.told_more]
    return [
        SavedSession(guest.place(dialect), ResumeToken(seat, (guest.name,) * 4, UNKNOWN_HANDS))
        for seat in seats
    ]


async def claim(
    kept: KeptNames,
    guest: Guest,
    wish: NameWish = NameWish.CLAIM,
    details: bytes = b"",
    kind: NameKind = NameKind.PERSON,
) -> list[str]:
    """Claim the name of a guest at their server, or show that it is theirs already; give lines.

    ``wish`` may be another one about a name that is theirs. ``details`` may be the code of an
    invitation to claim it, and ``kind`` is whose it is then. The secret is made if there is none.
    Raises CannotClaim, CannotKeepNames, CannotConnect, MissingExtra, and RegistrationRefused with
    the server's reason.
    """
    proves, lines = await wished(kept, guest, wish, details, kind)
    gives_up = wish is NameWish.GIVE_UP
    if not (proves.state is NameState.FREE if gives_up else proves.state.is_own):
        raise CannotClaim(" ".join(lines) or NO_NAMES)
    await kept.know(proves.address, proves.server_key, "" if gives_up else guest.name)
    return [*lines, _DONE[wish]] if wish in _DONE else lines


async def wished(
    kept: KeptNames,
    guest: Guest,
    wish: NameWish,
    details: bytes = b"",
    kind: NameKind = NameKind.PERSON,
) -> tuple[OwnName, list[str]]:
    """Wish something about a name; give what the server answered, and lines. Raises as claim does,
    but for CannotClaim."""
    await kept.made_secret()
    proves = OwnName(kept, guest.host, guest.port, wish=wish, kind=kind, details=details)
    async with _asking(guest, proves) as client:
        lines = [event.text async for event in client if isinstance(event, ServerNotice)]
    return proves, lines

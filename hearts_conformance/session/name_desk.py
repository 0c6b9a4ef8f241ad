"""The kit's part in the proof of a name: SocketSpec.md, annex E."""

from __future__ import annotations

import secrets

from hearts.errors import MissingExtra
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
    Said,
)
from hearts.session.messages import Refusal
from hearts.session.registration import RegistrationEnded
from hearts.wire.codec import encode_int
from hearts_conformance.checks import ClientFault, Marks, NotShown

from .script import NameTwist

_SECRET, _OTHERS_SECRET = b"conformance kit", b"somebody else"
"""The kit has one key for ever, which clients may keep from run to run."""
_STRANGE = {
    NameTwist.NOT_ASKED: "no challenge was given",
    NameTwist.OTHER_KEY: "the challenge has another server key than the ones before",
    NameTwist.UNSIGNED: "another key than the one in the challenge has signed it",
    NameTwist.RELAYED: "the challenge is signed for another address",
    NameTwist.REPLAYED: "the challenge is signed for another chance",
}
"""Reasons not to prove anything."""
_ANSWERS = {
    NameTwist.OWN: NameAnswer(NameState.OWN),
    NameTwist.CLAIMED: NameAnswer(NameState.CLAIMED, ["It is kept for you for a week.", "Zoë"]),
    NameTwist.FREE: NameAnswer(NameState.FREE, ["The host has given your name free."]),
    NameTwist.TAKEN: NameAnswer(NameState.TAKEN, ["Your name here is another one.", ""]),
    NameTwist.GUEST: NameAnswer(NameState.TAKEN),
    NameTwist.UNTOLD: NameAnswer(NameState.UNTOLD),
}


def stranger_check(twist: NameTwist) -> str:
    """Return the check that a proof for a stranger fails."""
    return "name.unasked" if twist is NameTwist.NOT_ASKED else "name.stranger"


class KitNameDesk:
    """Challenges the client in one registration, and checks its proof."""

    def __init__(self, twist: NameTwist | None, marks: Marks) -> None:
        self._twist = twist
        self._marks = marks
        self._meeting: Meeting | None = None
        self._has_asked = self._has_proved = False
        self.is_own = twist is None
        """The name is the client's; always, if the script is not about names."""

    @property
    def is_strange(self) -> bool:
        """The client has a reason to leave."""
        return self._has_asked and self._twist in _STRANGE

    @property
    def is_idle(self) -> bool:
        """The client has done nothing of what a script about proofs is about."""
        return not (self._has_asked if self._twist in _STRANGE else self._has_proved)

    def challenge(self, asked: AskedChallenge) -> bytes:
        """Return the reply to block -17. Raises ClientFault."""
        self._has_asked = True
        if asked.chance in self._marks.chances:
            raise ClientFault("name.challenge", f"the chance {asked.chance.hex()} came twice")
        self._marks.chances.add(asked.chance)
        host, _, port = asked.address.rpartition(":")
        is_sound = host == host.lower() and (":" not in host or host[0] + host[-1] == "[]")
        if not (host and port.isdecimal() and is_sound):
            raise ClientFault("name.challenge", f"the address {asked.address!r} came")
        self._marks.show("name.challenge")
        try:
            kit, other = KeyPair.of_server(_SECRET), KeyPair.of_server(_OTHERS_SECRET)
        except MissingExtra as missing:
            if self._twist in (None, NameTwist.GUEST):
                return encode_int(0)
            raise NotShown(f"left out: {missing}") from None
        key = other if self._twist is NameTwist.OTHER_KEY else kit
        meeting = Meeting(asked, key.public, secrets.token_bytes(CHANCE_BYTES))
        self._meeting = signed = meeting
        match self._twist:
            case NameTwist.NOT_ASKED:
                return encode_int(0)
            case NameTwist.UNSIGNED:
                key = other
            case NameTwist.RELAYED:
                elsewhere = AskedChallenge(asked.chance, "elsewhere.example:7626")
                signed = Meeting(elsewhere, meeting.server_key, meeting.chance)
            case NameTwist.REPLAYED:
                before = AskedChallenge(bytes(CHANCE_BYTES), asked.address)
                signed = Meeting(before, meeting.server_key, meeting.chance)
            case _:
                pass
        return encode_int(1) + signed.challenge(key)

    def prove(self, proof: NameProof, name: str, dialect: int) -> bytes:
        """Return the reply to block -18. Raises ClientFault, and RegistrationEnded."""
        meeting, self._meeting = self._meeting, None
        if self._twist in _STRANGE:
            check = stranger_check(self._twist)
            raise ClientFault(check, f"a proof came, though {_STRANGE[self._twist]}")
        if meeting is None:
            raise ClientFault("name.proof", "a proof came without a challenge of its own")
        if not proof.holds(without_mark(name), dialect, meeting):
            said = Said(without_mark(name), dialect, proof.wish, proof.kind, proof.details)
            due = said.words(meeting).hex()
            raise ClientFault(
                "name.proof", f"the key {proof.key.hex()} has not signed what is due: {due}"
            )
        if proof.kind not in [*NameKind]:
            raise ClientFault("name.proof", f"kind {proof.kind} came; 0 is a person, 1 a program")
        if proof.key != (self._marks.name_key or proof.key):
            raise ClientFault("name.proof", f"another key came than before: {proof.key.hex()}")
        self._marks.name_key = proof.key
        self._marks.show("name.proof")
        self._has_proved = True
        if self._twist is NameTwist.REFUSED:
            raise RegistrationEnded(Refusal.NO_CLAIM)
        answer = _ANSWERS[self._twist or NameTwist.OWN]
        self.is_own = answer.state.is_own
        return answer.encode()

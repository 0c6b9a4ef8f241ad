"""People with keys, who prove at a server that a name is theirs."""

from __future__ import annotations

import os
from collections.abc import Sequence

from hearts.names.keys import KeyPair
from hearts.names.proof import (
    CHALLENGE_BYTES,
    AskedChallenge,
    Meeting,
    NameProof,
    NameState,
    NameWish,
    Said,
)

from .house import Caller, text

ADDRESS = "localhost:7626"


async def challenged(caller: Caller, address: str = ADDRESS) -> Meeting:
    """Ask for a challenge, and check it."""
    asked = AskedChallenge(os.urandom(32), address)
    await caller.send(-17, len(asked.encode()), asked.encode())
    assert await caller.number() == 1
    meeting = Meeting.of_challenge(asked, await caller.take(CHALLENGE_BYTES))
    assert meeting is not None
    return meeting


async def shown(caller: Caller, proof: NameProof) -> int:
    """Send a proof; the answer, whose notes are still to be read unless it is 0 or a refusal."""
    await caller.send(-18, len(proof.encode()), proof.encode())
    return await caller.number()


class Keyholder:
    """Somebody with a master secret."""

    def __init__(self, name: str, master: bytes | None = None) -> None:
        self.name = name
        self.master = master or name.encode()
        self.notes: Sequence[str] = ()

    def key(self, meeting: Meeting) -> KeyPair:
        return KeyPair.at_server(self.master, meeting.server_key)

    async def proves(
        self, caller: Caller, wish: NameWish = NameWish.PROVE, details: bytes = b"", kind: int = 0
    ) -> int:
        """Prove the name, whatever was said before."""
        meeting = await challenged(caller)
        said = Said(self.name, 0, wish, kind, details)
        proof = NameProof.of(said, meeting, self.key(meeting))
        state = await shown(caller, proof)
        if state > 0:
            self.notes = [await caller.string() for _ in range(await caller.number())]
        return state

    async def claims(self, caller: Caller) -> int:
        return await self.proves(caller, NameWish.CLAIM)

    async def comes(self, caller: Caller, wish: NameWish = NameWish.PROVE) -> NameState:
        """Say the name, and prove it."""
        await caller.number()
        await caller.send(text(self.name))
        return NameState(await self.proves(caller, wish))

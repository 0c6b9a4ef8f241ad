"""The keys of a name, one for each device of its owner: let in, told and revoked.

SocketSpec.md, annex E.
"""

from __future__ import annotations

import time

from msgspec import Struct

from hearts.names.codes import code_typed
from hearts.names.keys import KeyPair
from hearts.names.proof import NameState, NameWish
from hearts_client.session.visit import Guest

from .kept import KeptNames
from .own_name import NO_NAMES, CannotClaim, OwnName, wished

TYPE_THERE = "Type this code at a device that has the name already. It is good for ten minutes."
IS_YOURS = (
    "Go on only if the device is in front of you and shows this code: it will have your name and "
    "your seats. Nobody has a reason to send you a code."
)


class OwnKey(Struct, frozen=True, gc=False):
    """A key of a name; it stands for a device."""

    key: bytes
    since: int
    used: int
    kind: str
    is_this: bool

    @property
    def line(self) -> str:
        who = "this device" if self.is_this else f"a device of a {self.kind}"
        return f"{who}, since {_day(self.since)}, used in the week from {_day(self.used)}"


class WaitingDevice(Struct, frozen=True, gc=False):
    """A device that waits to be let in."""

    code: bytes
    key: bytes
    line: str


def _day(at: int) -> str:
    return time.strftime("%Y-%m-%d", time.localtime(at))


async def ask_in(kept: KeptNames, guest: Guest) -> str:
    """Ask to be let in to the name of a guest; give the code to show, or nothing if the name is
    theirs by now. Raises as claim does."""
    proves, lines = await wished(kept, guest, NameWish.ASK_IN)
    if proves.state is NameState.OWN:
        await kept.know(proves.address, proves.server_key, guest.name)
        return ""
    if not proves.told_more:
        raise CannotClaim(" ".join(lines) or NO_NAMES)
    return proves.told_more[0][0]


async def is_let_in(kept: KeptNames, guest: Guest) -> bool:
    """Look if the owner has let this device in. Raises as claim does, but for CannotClaim."""
    proves, _ = await wished(kept, guest, NameWish.PROVE)
    if proves.state.is_own:
        await kept.know(proves.address, proves.server_key, guest.name)
    return proves.state.is_own


async def find_waiting(kept: KeptNames, guest: Guest, typed: str) -> WaitingDevice:
    """Return the device that shows a code. Raises as claim does."""
    code = code_typed(typed).encode()
    if not code:
        raise CannotClaim("a code has eight letters and digits")
    told = (await _owned(kept, guest, NameWish.LET_IN, code)).told_more
    if not told:
        raise CannotClaim(NO_NAMES)
    key, seconds, kind, place = told[0]
    where = "your own network" if place == "near" else "another network"
    line = f"A {kind} asked {seconds} seconds ago, from {where}, to have the name too."
    return WaitingDevice(code, bytes.fromhex(key), line)


async def let_in(kept: KeptNames, guest: Guest, device: WaitingDevice) -> None:
    """Give a device the name too. Raises as claim does."""
    await _owned(kept, guest, NameWish.LET_IN, device.code + device.key)


async def keys_of(kept: KeptNames, guest: Guest) -> list[OwnKey]:
    """Return the keys of a name that is the person's, the oldest first. Raises as claim does."""
    proves = await _owned(kept, guest, NameWish.KEYS)
    own = KeyPair.at_server(kept.secret, proves.server_key).public.hex()
    return [
        OwnKey(bytes.fromhex(key), int(since), int(used), kind, key == own)
        for key, since, used, kind in proves.told_more
    ]


async def revoke(kept: KeptNames, guest: Guest, key: OwnKey) -> None:
    """Take a key from the name; with its own one a device loses it. Raises as claim does."""
    proves, lines = await wished(kept, guest, NameWish.REVOKE, key.key)
    if not proves.state.is_own and not (key.is_this and proves.state is NameState.TAKEN):
        raise CannotClaim(" ".join(lines))
    if key.is_this:
        await kept.know(proves.address, proves.server_key, "")


async def _owned(kept: KeptNames, guest: Guest, wish: NameWish, details: bytes = b"") -> OwnName:
    proves, lines = await wished(kept, guest, wish, details)
    if not proves.state.is_own:
        raise CannotClaim(" ".join(lines) or NO_NAMES)
    return proves

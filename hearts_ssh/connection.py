"""A visitor's connection: who they are, and what they may ask for."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import asyncssh

from .keys import is_accepted, is_signature
from .limits import LOGIN_SECONDS, REKEY_SECONDS
from .session import TerminalSession

if TYPE_CHECKING:
    from .door import OpenDoor

USER = "play"
_CURVES = ("mlkem768x25519", "sntrup761x25519", "curve25519")
_KEXINIT = 20
"""The number of the message that begins an exchange of keys."""
_MOST_UNSENT = 1 << 18
"""Bytes that wait for a visitor's network, from which on their terminal is not read."""
_REFUSED = ("env", "x11_req", "auth_agent_req_at_openssh_dot_com", "subsystem")
_WRONG_USER = f"Play as: ssh {USER}@HOST\r\n"
_NO_PROMPTS: tuple[str, str, str, list[tuple[str, bool]]] = ("", "", "", [])


class DoorConnection(asyncssh.SSHServerConnection):
    """A connection that knows by which key its visitor was let in, if it was by a key.

    AsyncSSH asks an application about keys that are merely offered, and before it has looked at a
    signature. What counts here is what the method proves that lets the visitor in: each other one
    that is tried forgets it.
    """

    def __init__(self, options: asyncssh.SSHServerConnectionOptions, address: str) -> None:
        super().__init__(asyncio.get_running_loop(), options)
        self.address = address
        self.identity = b""
        """The fingerprint of the key; empty for a guest."""
        self.is_waiting = True
        """True until the visitor plays, or is gone."""
        self.sends: TerminalSession | None = None
        self._began_keys = -REKEY_SECONDS

    async def validate_public_key(
        self, username: str, key_data: bytes, msg: bytes, signature: bytes
    ) -> bool:
        self.identity = b""
        if username != USER or not is_accepted(key_data):
            return False
        if msg and not is_signature(key_data, signature):
            return False
        if not await super().validate_public_key(username, key_data, msg, signature):
            return False
        if msg:
            self.identity = hashlib.sha256(key_data).digest()
        return True

    def process_packet(self, pkttype: int, pktid: int, packet: Any) -> Any:
        if pkttype == _KEXINIT:
            now = asyncio.get_running_loop().time()
            if now - self._began_keys < REKEY_SECONDS:
                raise asyncssh.ProtocolError("Keys are exchanged too often")
            self._began_keys = now
        return super().process_packet(pkttype, pktid, packet)

    def connection_made(self, transport: Any) -> None:
        transport.set_write_buffer_limits(high=_MOST_UNSENT)
        super().connection_made(transport)

    def pause_writing(self) -> None:
        if self.sends is not None:
            self.sends.hold(self)

    def resume_writing(self) -> None:
        if self.sends is not None:
            self.sends.go_on(self)


class Visitor(asyncssh.SSHServer):
    """The side of the application of a connection: it lets in those who prove a key, and guests."""

    connection: DoorConnection

    def __init__(self, door: OpenDoor) -> None:
        self._door = door
        self._has_session = False

    def connection_made(self, conn: asyncssh.SSHServerConnection) -> None:
        assert isinstance(conn, DoorConnection)
        self.connection = conn

    def connection_lost(self, exc: Exception | None) -> None:
        self._door.is_through(self.connection)

    def begin_auth(self, username: str) -> bool:
        # A visitor who is let in at once is never asked for a key.
        if username != USER:
            self.connection.send_auth_banner(_WRONG_USER)
        return True

    def public_key_auth_supported(self) -> bool:
        return True

    def validate_public_key(self, username: str, key: asyncssh.SSHKey) -> bool:
        return True  # The connection has looked at it, and looks at the signature.

    def kbdint_auth_supported(self) -> bool:
        return True

    def get_kbdint_challenge(self, username: str, lang: str, submethods: str) -> Any:
        self.connection.identity = b""
        return _NO_PROMPTS if username == USER else False

    def validate_kbdint_response(self, username: str, responses: Any) -> bool:
        self.connection.identity = b""
        return username == USER

    def auth_completed(self) -> None:
        asyncio.get_running_loop().call_later(LOGIN_SECONDS, self._end_if_idle)

    def _end_if_idle(self) -> None:
        if self.connection.is_waiting:
            self.connection.abort()

    def session_requested(self) -> Any:
        """Give the one session of a connection. What is refused never gets to it."""
        if self._has_session:
            return False
        self._has_session = True
        channel = self.connection.create_server_channel(encoding=None)
        for name in _REFUSED:
            setattr(channel, f"_process_{name}_request", _refuse)
        return channel, TerminalSession(self.connection, self._door.begin)


def _refuse(packet: object) -> bool:
    return False


def options(
    key: asyncssh.SSHKey, visitor: Callable[[], Visitor]
) -> asyncssh.SSHServerConnectionOptions:
    """Return what a connection may agree on, and its limits."""
    known = [name.decode() for name in asyncssh.kex.get_kex_algs()]
    return asyncssh.SSHServerConnectionOptions(
        server_factory=visitor,
        server_host_keys=[key],
        kex_algs=[name for name in known if name.partition("-")[0] in _CURVES],
        # Neither is open to an attack on the numbers of packets (Terrapin), strict or not.
        encryption_algs=["aes256-gcm@openssh.com", "aes128-gcm@openssh.com", "aes256-ctr"],
        mac_algs=["hmac-sha2-256", "hmac-sha2-512"],
        compression_algs=["none"],
        login_timeout=LOGIN_SECONDS,
        keepalive_interval=15,
        keepalive_count_max=4,
        password_auth=False,
        host_based_auth=False,
        gss_host=None,
        agent_forwarding=False,
        x11_forwarding=False,
        allow_scp=False,
        line_editor=False,
        encoding=None,
        window=1 << 16,
        server_version="hearts",
    )

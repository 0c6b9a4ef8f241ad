"""The keys of servers and of people: how they are derived, how they sign, and who has signed.

SocketSpec.md, annex E. Each key is Ed25519 (RFC 8032), made of 32 bytes that HKDF (RFC 5869, with
SHA-256 and without salt) gives. Only signing and checking need the extra ``names``.
"""

from __future__ import annotations

import hashlib
import hmac

from hearts.errors import MissingExtra

KEY_BYTES = 32
"""Bytes of a public key, and of the secret that it is made of."""
SIGNATURE_BYTES = 64
_OF_SERVER = b"hearts server key 1"
_OF_NAME = b"hearts name key 1"


def derived(secret: bytes, purpose: bytes) -> bytes:
    """Return 32 bytes for a purpose: HKDF-SHA256 without salt, of which one block is enough."""
    extracted = hmac.digest(bytes(hashlib.sha256().digest_size), secret, hashlib.sha256)
    return hmac.digest(extracted, purpose + b"\x01", hashlib.sha256)


class KeyPair:
    """A key that signs."""

    def __init__(self, seed: bytes) -> None:
        """``seed`` are the 32 secret bytes of RFC 8032. Raises MissingExtra without the library."""
        try:
            from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
        except ImportError:
            raise _missing() from None
        self._key = Ed25519PrivateKey.from_private_bytes(seed)
        self.public = self._key.public_key().public_bytes_raw()

    @classmethod
    def of_server(cls, secret: bytes) -> KeyPair:
        """Return the key of the server with this secret. Raises MissingExtra."""
        return cls(derived(secret, _OF_SERVER))

    @classmethod
    def at_server(cls, master: bytes, server_key: bytes) -> KeyPair:
        """Return the key of a person at the server of a public key. Raises MissingExtra.

        It tells nothing of ``master``, nor of the person's keys at other servers.
        """
        return cls(derived(master, _OF_NAME + server_key))

    def sign(self, message: bytes) -> bytes:
        return self._key.sign(message)


def has_signed(public_key: bytes, signature: bytes, message: bytes) -> bool:
    """Return True if the signature is of this key. Raises MissingExtra without the library."""
    try:
        from cryptography.exceptions import InvalidSignature
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
    except ImportError:
        raise _missing() from None
    try:
        Ed25519PublicKey.from_public_bytes(public_key).verify(signature, message)
    except (InvalidSignature, ValueError):
        return False
    return True


def _missing() -> MissingExtra:
    return MissingExtra("names", "a name of one's own", "cryptography")

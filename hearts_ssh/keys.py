"""The key of the door, and those of visitors. Nothing of ssh is spoken here."""

from __future__ import annotations

import hmac
from collections.abc import Iterator

import asyncssh
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

from hearts.names.keys import derived
from hearts.names.words import SECRET_BYTES
from hearts.session.messages import VISITOR_BYTES

LONGEST_KEY = 1100
"""Bytes of a public key: RSA with 4096 bits has 535."""
_SIGNATURES = {
    b"ssh-ed25519": {b"ssh-ed25519"},
    b"ecdsa-sha2-nistp256": {b"ecdsa-sha2-nistp256"},
    b"ecdsa-sha2-nistp384": {b"ecdsa-sha2-nistp384"},
    b"ecdsa-sha2-nistp521": {b"ecdsa-sha2-nistp521"},
    b"ssh-rsa": {b"rsa-sha2-256", b"rsa-sha2-512"},
}
"""The keys that visitors may have, and how these may sign. There are no certificates."""
_RSA = b"ssh-rsa"
_RSA_BITS = range(2048, 4096 + 1)
_EXPONENT_BITS = 33
"""A longer one costs time."""


def host_key(secret: bytes) -> asyncssh.SSHKey:
    """Make the key of the door. A standby that shares the secret has the same."""
    seed = hmac.digest(secret, b"host key", "sha256")
    private = Ed25519PrivateKey.from_private_bytes(seed)
    form = Encoding.PEM, PrivateFormat.OpenSSH, NoEncryption()
    return asyncssh.import_private_key(private.private_bytes(*form))


def visitor_mark(secret: bytes, identity: bytes) -> str:
    """Return what stands for a visitor's key: nobody can tell from it whose key it is."""
    return hmac.digest(secret, b"visitor " + identity, "sha256").hex()


def day_token(secret: bytes, identity: bytes) -> str:
    """Return the token (SocketSpec.md 3.5) by which the server knows a key on its days."""
    return hmac.digest(secret, b"day " + identity, "sha256")[:VISITOR_BYTES].hex()


def name_secret(secret: bytes, identity: bytes) -> str:
    """Return the secret of the names of a visitor's key (annex E); the secret of the door is
    enough to prove them."""
    return derived(secret, b"hearts ssh names 1" + identity)[:SECRET_BYTES].hex()


def is_accepted(key: bytes) -> bool:
    """Tell whether a visitor may have this public key, before anything is computed with it."""
    if len(key) > LONGEST_KEY:
        return False
    kind, *numbers = _strings(key)
    if kind == _RSA and len(numbers) == 2:
        exponent, modulus = (int.from_bytes(each).bit_length() for each in numbers)
        return modulus in _RSA_BITS and exponent <= _EXPONENT_BITS
    return kind in _SIGNATURES and kind != _RSA


def is_signature(key: bytes, signature: bytes) -> bool:
    """Tell whether a signature is of a sort that this public key may give."""
    return next(_strings(signature)) in _SIGNATURES.get(next(_strings(key)), ())


def _strings(data: bytes) -> Iterator[bytes]:
    """Yield the strings of which some bytes are made; the last one may be cut short."""
    at = 0
    while True:
        size = int.from_bytes(data[at : at + 4])
        yield data[at + 4 : at + 4 + size]
        at += 4 + size
        if at >= len(data):
            return

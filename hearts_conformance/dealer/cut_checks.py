"""Checks of what DealerSpec.md asks of a client that cuts deals (14.8)."""

from __future__ import annotations

from hearts_conformance.checks import Check, Level

MAY = Level.MAY

HASH = Check(
    "cut.hash",
    "14.8",
    "with cuts 1 say the hash of your next value in P_REGISTER_PLAYER",
    "32 bytes behind the comment. Without them you do not cut.",
    MAY,
)
ANSWER = Check(
    "cut.answer",
    "14.8",
    "answer P_CUT with a value and the hash of the next one",
    "32 bytes each. P_CUT comes to each player whose hash is in P_DEAL_COMMITMENT.",
    MAY,
)
FITS = Check(
    "cut.fits",
    "14.8",
    "show the value whose hash is promised",
    "SHA-256 of its 32 bytes is the hash in your place of P_DEAL_COMMITMENT; else it is -23.",
    MAY,
)
ANOTHER = Check(
    "cut.another",
    "14.8",
    "say another hash for each deal",
    "A hash holds for one promise. Value j is HMAC-SHA-256 of the int j, with 32 random bytes of"
    " this session as the key.",
    MAY,
)
AGAIN = Check(
    "cut.again",
    "14.8",
    "show the same value when the same promise asks for it again",
    "After a lost connection, and when the server was started again: a promise stays as it is. Keep"
    " what your values follow from with what you need to come back.",
    MAY,
)
ONCE = Check(
    "cut.once",
    "14.8",
    "show no value for two promises",
    "If a second P_DEAL_COMMITMENT has the same hash of yours, and differs from the first one in"
    " any byte, answer no P_CUT about either, and tell your player.",
    MAY,
)
NEXT = Check(
    "cut.next",
    "14.8",
    "go on with the next hash behind a promise that was made twice, or a value that was too late",
    "Say it with P_REGISTER_PLAYER, as a request or as the answer to frame 1.",
    MAY,
)

CUTS = (HASH, ANSWER, FITS, ANOTHER, AGAIN, ONCE, NEXT)

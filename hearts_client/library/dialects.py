"""The two dialects of the game port behind one face: what a connection takes and gives."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Sequence
from enum import Enum
from functools import partial
from typing import Protocol, assert_never

from hearts.dealer.client import DealerSession
from hearts.dealer.client_events import DealerEvent
from hearts.dealer.deal_verifier import DealVerifier
from hearts.game.cards import Card
from hearts.game.deal import NO_CUTS
from hearts.plain.client import PlainSession
from hearts.session.client_registration import RegistrationRequest
from hearts.session.own_cuts import KEY_BYTES, OwnCuts
from hearts.session.picture import Picture
from hearts.session.resume_token import ResumeToken
from hearts.session.table_words import Introduction
from hearts.session.wishes import AnswerInvitation, Wish
from hearts.table import GiveSeat, Question, Vote


class Dialect(Enum):
    """How a client speaks; the value is the word of the command line."""

    PLAIN = "plain"
    """The bytes of 1999 (SocketSpec.md sections 3 to 5)."""
    DEALER = "dealer"
    """Frames that say more: clocks, legal cards, who the others are, proofs (section 14)."""


class Listening(Protocol):
    """One connection without input or output: bytes in, events out."""

    @property
    def closed(self) -> bool:
        """Whether nothing more is expected from the server."""

    def feed(self, data: bytes) -> None:
        """Add bytes that arrived; empty bytes mean the end of the stream."""

    def bytes_to_send(self) -> bytes:
        """What is to be sent now, in one write; it is given out once."""

    def next_event(self) -> DealerEvent | None:
        """The next event, or None while more bytes are needed or when all is over.

        Raises RemoteProtocolError.
        """

    def close(self) -> None:
        """Expect nothing more from the server."""


class DialectSession(Listening, Protocol):
    """The same for a player, who chooses; each choice may raise LocalProtocolError."""

    picture: Picture
    """What is known of the table after the event that was taken last."""
    has_words: bool
    """Whether the dialect has words for more than the game."""
    owes_cut: bool
    """True if our value for a deal is asked for, and is shown by :meth:`show_cut`."""

    def show_cut(self) -> None:
        """Show our value; :attr:`progress` must be stored, if it is kept."""

    @property
    def player(self) -> int:
        """Our seat as far as it is known, 0-3; -1 before the Player ID."""

    @property
    def progress(self) -> ResumeToken | None:
        """What is needed to come back to our seat; None before we have it and after the end."""

    @property
    def asked(self) -> Question | None:
        """What we have to choose now; None also when the choice is sent."""

    def pass_cards(self, cards: Sequence[Card]) -> None: ...
    def play(self, card: Card) -> None: ...
    def choose_moon(self, on_others: bool) -> None: ...
    def play_again(self, yes: bool) -> None: ...
    def answer_beside(self, answer: Vote | GiveSeat | AnswerInvitation, /) -> None: ...
    def wish(self, wish: Wish, /) -> None: ...
    def introduce(self, introduction: Introduction, /) -> None: ...
    def ping(self) -> None: ...


OpenSession = Callable[[RegistrationRequest], DialectSession]
"""Begins the session of a connection. Raises LocalProtocolError for what cannot be sent."""


def sessions(
    dialect: Dialect,
    introduction: Introduction | None = None,
    first_cuts: bytes = NO_CUTS,
    own_cuts: OwnCuts | None = None,
) -> OpenSession:
    """What begins the sessions of one player's connections, each going on where the last ended.

    ``introduction`` is who the player is, and whether each deal is to be cut; the plain dialect
    has no words for that. ``first_cuts`` are those of a first deal that he has chosen himself.
    ``own_cuts`` are those of a session that the player comes back to.
    """
    picture = Picture()
    match dialect:
        case Dialect.PLAIN:
            return partial(PlainSession, picture=picture)
        case Dialect.DEALER:
            who = introduction if introduction is not None else Introduction()
            deals = DealVerifier((own_cuts or new_cuts()) if who.cuts else None, first_cuts)
            return partial(DealerSession, introduction=who, deals=deals, picture=picture)
        case _:
            assert_never(dialect)


def new_cuts() -> OwnCuts:
    """The cuts of a new session."""
    return OwnCuts(secrets.token_bytes(KEY_BYTES))

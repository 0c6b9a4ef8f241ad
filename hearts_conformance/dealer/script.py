"""What a scenario of the dealer dialect has beside what every scenario has."""

from __future__ import annotations

from enum import Enum, auto

from hearts_conformance.session.script import Script


class Extra(Enum):
    """What a later version of the server may say."""

    NOTHING = auto()
    UNKNOWN = auto()
    """Frames of types that are not known yet, behind every frame."""
    LONGER = auto()
    """Bytes behind the known fields, in every payload."""


class PromiseTwist(Enum):
    """How often the deal that the client cuts first is promised."""

    ONCE = auto()
    TWICE = auto()
    """At once, with another commitment."""
    OTHERWISE = auto()
    """After the client has come back, with another hash of another player."""


class DealerScript(Script, frozen=True):
    """One session of a client of the dealer dialect."""

    @property
    def drops(self) -> bool:
        """Whether connections are lost."""
        return self.loses_end or super().drops

    extra: Extra = Extra.NOTHING
    invites: bool = False
    """Whether the client can invite somebody while its table forms, and is invited if it waits."""
    asides: bool = False
    """Whether there are notices, changes and waiting at every query."""
    proposed: str = ""
    """The rules that player 0 proposes for the next game, if a twist says when."""
    loses_end: bool = False
    """Whether the connection is lost between P_DONE_HAND and P_END_GAME."""
    plainly: bool = False
    """Whether a refusal behind the Process ID is no frame, as before it."""
    promises: PromiseTwist = PromiseTwist.ONCE
    wrong_proof: bool = False
    """Whether the proofs of the deals are wrong."""

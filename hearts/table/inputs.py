"""The setting of a table, the choices made there, and its inputs.

An input is a value; the host that gives it may be a server, a tournament or a test.
"""

from __future__ import annotations

from enum import Enum
from typing import Final, final

from msgspec import Struct

from hearts.game.events import ChooseMoon, ChosenBy, Pass, Play
from hearts.game.game import Phase
from hearts.game.rules import Rules


class Setting(Struct, frozen=True, gc=False):
    """The rules, the end and the clocks of a table."""

    rules: Rules
    end_score: int
    turn_limit: int
    """Seconds for a choice; 0 for no limit; negative for none until a second person sits here."""
    grace: float
    """Seconds until a stand-in plays for somebody whose connection is gone."""
    pause_limit: float = 0.0
    """Seconds until a table ends at which no client is connected; 0 ends it at once."""
    is_public: bool = False
    """True if strangers play at it, so that one alone cannot hold up or replace the others."""
    is_fixed: bool = False
    """True if others play the same hands: nobody cuts them, or changes rules and seats."""
    is_closed: bool = False
    """True if its player plays alone: no seat is opened to others."""

    @property
    def limit(self) -> int:
        """The seconds for a choice as it is now; 0 for no limit."""
        return max(self.turn_limit, 0)


class Question(Enum):
    """The questions to a player."""

    __hash__ = object.__hash__  # Enum's own is a call of Python, for each card that is played.

    PASS = "pass"
    CARD = "card"
    MOON = "moon"
    AGAIN = "again"
    CUT = "cut"


CARD: Final = Question.CARD  # To ask the Enum takes a call; see hearts/README.md.
QUESTIONS = {
    Phase.PASS: Question.PASS,
    Phase.PLAY: Question.CARD,
    Phase.MOON: Question.MOON,
}
"""The question of a phase in which somebody has to choose."""


class Abort(Enum):
    """The things that the players of a table can break off together."""

    HAND = "hand"
    """The hand under way: it counts for nothing, and is dealt again."""
    GAME = "game"
    """The game under way: nobody wins it, and another one begins."""


class AnswerAgain(Struct, frozen=True, gc=False):
    """True if another game is played; ``player`` is -1 if nobody was asked."""

    player: int
    yes: bool
    by: ChosenBy = ChosenBy.PLAYER


class Cut(Struct, frozen=True, gc=False):
    """The value that a player adds to a deal, shown (DealerSpec.md section 14.8)."""

    player: int
    value: bytes
    """32 bytes."""
    next_hash: bytes
    """The hash of the player's next value, 32 bytes."""


Choice = Pass | Play | ChooseMoon | AnswerAgain | Cut


# Inputs


@final
class Chosen(Struct, frozen=True, gc=False):
    """A player made a choice; None for one that means nothing (a try all the same)."""

    player: int
    choice: Choice | None


@final
class Durable(Struct, frozen=True, gc=False):
    """The oldest line that the store was given is durable."""


class Resign(Struct, frozen=True, gc=False):
    """A player leaves for good: a computer has the seat from the next hand on."""

    player: int


class Tick(Struct, frozen=True, gc=False):
    """Time has passed; some deadline may be over."""


class GiveTime(Struct, frozen=True, gc=False):
    """The host gives a player time for the open choice, whatever the client still owes."""

    player: int
    seconds: float
    """The seconds from now on."""


class StoodStill(Struct, frozen=True, gc=False):
    """The host did nothing for some seconds, and they count for nobody."""

    seconds: float


@final
class Answered(Struct, frozen=True, gc=False):
    """A bot's answer to :class:`AskBot`; ``request`` is that of the question."""

    request: int
    choice: Choice


@final
class ClientCaughtUp(Struct, frozen=True, gc=False):
    """A client owes nothing earlier any more than the choice that it was asked for."""

    player: int


class CameLate(Struct, frozen=True, gc=False):
    """A choice arrived that was decided already; a program may have sent it by itself."""

    player: int


class ClientLeft(Struct, frozen=True, gc=False):
    """A client's connection is gone."""

    player: int


class ClientCameBack(Struct, frozen=True, gc=False):
    """A client is there again and was told all that it missed, the open question included."""

    player: int


class Drain(Struct, frozen=True, gc=False):
    """The server shuts down: the table stops after this hand."""


class Able(Struct, frozen=True, gc=False):
    """The abilities of a client that is there; until then it can only play."""

    player: int
    votes: bool
    """It can be asked about what others propose."""
    next_hash: bytes | None
    """The hash of the value for the next promised deal; empty if the client does not cut, None if
    it may still say so."""


class ProposeRules(Struct, frozen=True, gc=False):
    """A player proposes rules for the next game."""

    player: int
    rules: Rules
    end_score: int


class ProposeAbort(Struct, frozen=True, gc=False):
    """A player proposes to break the hand or the game off."""

    player: int
    what: Abort


class Vote(Struct, frozen=True, gc=False):
    """A player's answer to a proposal."""

    player: int
    agreed: bool


class GiveSeat(Struct, frozen=True, gc=False):
    """A player's answer when they are asked to give up their seat."""

    player: int
    agreed: bool


class ReplacePlayer(Struct, frozen=True, gc=False):
    """A player wants a computer in place of another, for good; one who is there is asked."""

    player: int
    seat: int


class OpenSeat(Struct, frozen=True, gc=False):
    """A player wants a seat to be open for a person: that of a computer, or of one who is asked."""

    player: int
    seat: int


class ClaimRest(Struct, frozen=True, gc=False):
    """A player says that all tricks that are left of the hand are theirs."""

    player: int


class TakeSeat(Struct, frozen=True, gc=False):
    """A person has registered for a seat that is open; it is theirs from the next hand on."""

    seat: int
    name: str
    process_id: int


class LeaveSeat(Struct, frozen=True, gc=False):
    """The person who was to have a seat from the next hand on is gone: it is open again."""

    seat: int


class TakeBack(Struct, frozen=True, gc=False):
    """A player takes back their latest choice and what followed it; as a step, that is done."""

    player: int
    again: bool = False
    """True to do again the choice that was taken back last; that is stored as the choice it is."""


class RemovePlayer(Struct, frozen=True, gc=False):
    """The host takes a player from the table, for good."""

    seat: int


Wish = ProposeRules | ProposeAbort | ReplacePlayer | OpenSeat | Resign | ClaimRest | TakeBack
"""The wishes of players besides choosing; the first four are those of player 0 only."""
Input = (
    Chosen
    | Durable
    | Tick
    | GiveTime
    | StoodStill
    | Answered
    | ClientCaughtUp
    | CameLate
    | ClientLeft
    | ClientCameBack
    | Drain
    | Able
    | Vote
    | GiveSeat
    | TakeSeat
    | LeaveSeat
    | RemovePlayer
    | Wish
)

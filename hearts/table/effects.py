"""The effects of a table, each a value that the host carries out; and the events that players and
watchers are told besides those of a game."""

from __future__ import annotations

from enum import Enum
from math import inf
from typing import final

from msgspec import Struct

from hearts.errors import Fault, Reason
from hearts.game.cards import Card
from hearts.game.deal import DealDisclosed as DealDisclosed
from hearts.game.deal import DealPromised as DealPromised
from hearts.game.events import ChosenBy, SeenEvent
from hearts.game.rules import Rules
from hearts.game.scoring import Four
from hearts.game.view import View

from .inputs import Abort, Question, Setting, Wish


class SessionTotals(Struct, frozen=True, gc=False):
    """The totals of a session after a number of its hands."""

    scores: Four = (0, 0, 0, 0)
    queens: Four = (0, 0, 0, 0)
    """The number of times that each took the queen of spades in this game."""
    jacks: Four = (0, 0, 0, 0)
    """The same for the jack of diamonds."""
    games: Four = (0, 0, 0, 0)
    """Games of the session that each has won, ties included."""


class GameBegun(Struct, frozen=True, gc=False):
    """A game begins, with this setting."""

    setting: Setting


class GameScored(Struct, frozen=True, gc=False):
    """The last hand of a game is scored. A player may be asked about another game."""

    points: Four
    """The points of the hand."""
    scores: Four
    winners: tuple[int, ...]
    decider: int | None


class AgainSettled(Struct, frozen=True, gc=False):
    """It is settled if another game follows, with the player who decided that; -1 for nobody."""

    player: int
    yes: bool
    by: ChosenBy


class CutSettled(Struct, frozen=True, gc=False):
    """A player's cut of the next deal is settled; told to that player alone."""

    player: int
    by: ChosenBy


class RestClaimed(Struct, frozen=True, gc=False):
    """A player takes all tricks that are left of the hand, whatever the others play."""

    player: int
    cards: tuple[Card, ...]
    """All that they hold, in the order of the wire."""


class RulesProposed(Struct, frozen=True, gc=False):
    """A player is asked whether they agree to rules for the next game."""

    rules: Rules
    end_score: int
    left: float
    """Seconds to answer in."""


class RulesAgreed(Struct, frozen=True, gc=False):
    """The next game has these rules."""

    rules: Rules
    end_score: int


class RulesRefused(Struct, frozen=True, gc=False):
    """The rules stay as they are; ``player`` did not agree, -1 if no player was against it."""

    player: int
    why: str


class SeatWanted(Struct, frozen=True, gc=False):
    """A player is asked whether they give up their seat."""

    asker: int
    opens: bool
    """True if it is open for a person then; else a computer has it."""
    left: float
    """Seconds to answer in."""


class AbortProposed(Struct, frozen=True, gc=False):
    """A player is asked whether they agree to break the hand or the game off."""

    what: Abort
    left: float
    """Seconds to answer in."""


class SeatKept(Struct, frozen=True, gc=False):
    """A player who was asked for their seat keeps it; they and the asker are told."""

    player: int
    why: str


class AbortRefused(Struct, frozen=True, gc=False):
    """The play goes on; ``player`` did not agree, -1 if no player was against it."""

    player: int
    why: str


class HandAborted(Struct, frozen=True, gc=False):
    """The players have broken a hand off: it counts for nothing, and is dealt again."""

    deal: int


class GameAborted(Struct, frozen=True, gc=False):
    """The players have broken the game off, and another one begins."""


class TakenBack(Struct, frozen=True, gc=False):
    """A player who is alone has taken back their latest choice; the game counts for nothing."""

    hands: int
    """The scored hands that are to be played again; -1 where it is told as something of the past.
    Else the game as it stands now is told next, as to somebody who comes back."""


TableEvent = (
    SeenEvent
    | GameBegun
    | GameScored
    | AgainSettled
    | DealPromised
    | CutSettled
    | DealDisclosed
    | RestClaimed
    | RulesProposed
    | RulesAgreed
    | RulesRefused
    | SeatWanted
    | SeatKept
    | AbortProposed
    | AbortRefused
    | HandAborted
    | GameAborted
    | TakenBack
)


@final
class Persist(Struct, frozen=True, gc=False):
    """Store a line; then give :class:`Durable`."""

    line: str


@final
class SendTo(Struct, frozen=True, gc=False):
    """Tell one player what they may see."""

    player: int
    event: TableEvent


@final
class SendToAll(Struct, frozen=True, gc=False):
    """Tell every player something that all may see."""

    event: TableEvent


@final
class Ask(Struct, frozen=True, gc=False):
    """Ask a client for a choice; it has been told all that it needs."""

    player: int
    question: Question
    left: float
    """Seconds to choose in, once the client owes nothing earlier; inf if there is no limit."""
    legal: int
    """The cards that may be played, as a mask; 0 if no card is asked for."""
    tries: int = 0
    """The illegal tries that were made already."""
    free: float = inf
    """Seconds of those that are taken from no bank; inf if there is none."""
    bank: float = inf
    """Seconds in the bank, from which the rest is taken; inf if there is none."""


class TellAgain(Struct, frozen=True, gc=False):
    """Tell a player the game as it stands, as when they come back."""

    player: int


class Refuse(Struct, frozen=True, gc=False):
    """A choice is not legal; its player may choose again."""

    player: int
    reason: Reason


@final
class AskBot(Struct, frozen=True):
    """Let a bot choose in place of a player, and give :class:`Answered`."""

    request: int
    question: Question
    view: View
    by: ChosenBy


class Announce(Struct, frozen=True, gc=False):
    """Tell everybody at the table in words, over the taunt server."""

    text: str
    about: int | None = None
    """The player who comes or goes, if it is about that."""


class Notify(Struct, frozen=True, gc=False):
    """Tell everybody at the table in words, over every way that there is."""

    text: str


class Show(Struct, frozen=True, gc=False):
    """Tell watchers something that players see in a way of their own."""

    event: TableEvent


class Restarted(Struct, frozen=True, gc=False):
    """The hand under way is no more: disconnect clients that are being told of it, to rejoin."""

    why: str


class Decline(Struct, frozen=True, gc=False):
    """A player's request cannot be met."""

    player: int
    wish: Wish
    fault: Fault


class Granted(Struct, frozen=True, gc=False):
    """A player's request is taken, and is met when its time has come."""

    player: int
    wish: Wish


class Dismiss(Struct, frozen=True, gc=False):
    """A player has left for good: end their connection."""

    player: int


class Removed(Struct, frozen=True, gc=False):
    """The host has removed a player, which is durable: they hear nothing more."""

    player: int


class Change(Enum):
    """The changes of a seat; the value is that of DealerSpec.md section 14.3."""

    INTRODUCED = 0
    LEFT = 1
    BACK = 2
    STAND_IN = 3
    COMPUTER = 4
    OPENED = 5
    TAKEN = 6


class Changed(Struct, frozen=True, gc=False):
    """Something has happened to a seat."""

    player: int
    change: Change


class GamePlayed(Struct, frozen=True, gc=False):
    """A game is over; until the next one begins, :meth:`Table.record` is its record."""

    actions: int
    """The number of its deals and choices."""


class Ended(Struct, frozen=True, gc=False):
    """The session is over; the table takes no more input."""

    why: str


class Stopped(Struct, frozen=True, gc=False):
    """The table takes no more input; if its lines are kept it can be taken up again."""

    why: str


Effect = (
    Persist
    | SendTo
    | SendToAll
    | Show
    | Restarted
    | TellAgain
    | Ask
    | Refuse
    | Decline
    | Granted
    | Dismiss
    | Removed
    | AskBot
    | Announce
    | Notify
    | Changed
    | GamePlayed
    | Ended
    | Stopped
)

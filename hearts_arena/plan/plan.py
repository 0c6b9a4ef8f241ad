"""The plan of a tournament: all that its results follow from."""

from __future__ import annotations

import math
from enum import Enum

from msgspec import Struct

from hearts.errors import HeartsError, InvalidDealCode
from hearts.game.deal import parse_deal_code
from hearts.game.rules import DEFAULT_END_SCORE, END_SCORES, STANDARD, Rules
from hearts.game.scoring import points_by
from hearts.wire.codec import NAME_LIMIT
from hearts.wire.text import MARKS_LIMIT, is_legible, is_printable, is_visible

MOST_ENTRANTS = 64
MOST_DEALS = 10_000_000
MOST_CODES = 20_000
"""Deals from a file."""
MOST_HANDS = 300
"""Hands of a match that is no game to its end; a moon in each does not reach the largest end."""
SEEDS = range(1 << 64)
LONGEST_LIMIT = 86_400.0
"""Seconds."""


class InvalidPlan(HeartsError, ValueError):
    """A tournament that cannot be played; the text says why, and what would be possible."""


class Schedule(Enum):
    """The groups that meet; the value is the word of the command line."""

    CHALLENGE = "challenge"
    """Every combination of four players, in all 24 seatings: the rules of October 1998."""
    ROUND_ROBIN = "round-robin"
    """Every pair of players, two against two, in all six seatings."""
    ONE_VS_THREE = "one-vs-three"
    """Every player against three of each other player, in all four seats."""
    TWO_VS_TWO = "two-vs-two"
    """The first player against the second, two against two, in all six seatings."""
    GAUNTLET = "gauntlet"
    """The first player against each other one, two against two, in all six seatings."""

    @property
    def entrants(self) -> range:
        """The numbers of players that it can have."""
        least = 4 if self is Schedule.CHALLENGE else 2
        return range(least, 3 if self is Schedule.TWO_VS_TWO else MOST_ENTRANTS + 1)


class Entrant(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """One player of a tournament. Raises InvalidPlan for texts that do not fit."""

    name: str
    """Unique, and fit for a player's name on the wire."""
    spec: str
    """The player, as the command line has it, such as "simple" or "cmd:./bot --port {port}"."""

    def __post_init__(self) -> None:
        size = len(self.name.encode("utf-8", "replace"))
        if not 1 <= size <= NAME_LIMIT or not is_legible(self.name) or not is_visible(self.name):
            raise InvalidPlan(
                f"{self.name[:80]!a} is no player's name: it has 1 to {NAME_LIMIT} bytes, "
                f"something to be seen, no control characters and at most {MARKS_LIMIT} combining "
                "marks in a row"
            )
        if not is_visible(self.spec) or not is_printable(self.spec):
            raise InvalidPlan(f"{self.spec[:80]!a} does not say what {self.name} is")


class PlayerLimits(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """The limits of one player, in place of the common ones. Raises InvalidPlan."""

    name: str
    move: float
    """Seconds for a choice; 0 for none."""
    hand: float
    """Seconds for all choices of a hand; 0 for none."""

    def __post_init__(self) -> None:
        _check_limits(self.move, self.hand)


class Bounds(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """The two differences of a sequential test. Raises InvalidPlan for what cannot be tested.

    The differences are those of the first player from the second in points a hand, so below 0 the
    first is better.
    """

    low: float
    high: float
    alpha: float = 0.05
    """The share of tests that may say ``low`` although the difference is ``high``."""
    beta: float = 0.05
    """The share of tests that may say ``high`` although the difference is ``low``."""

    def __post_init__(self) -> None:
        if not (math.isfinite(self.low) and math.isfinite(self.high) and self.low < self.high):
            raise InvalidPlan("the lower bound of a test is below the upper one")
        if not (0 < self.alpha < 0.5 and 0 < self.beta < 0.5):
            raise InvalidPlan("an error of a test is above 0 and below 0.5")


class Plan(Struct, frozen=True, gc=False):
    """A tournament before it is played.

    Raises InvalidPlan, naming the first value that is not possible.
    """

    entrants: tuple[Entrant, ...]
    schedule: Schedule = Schedule.ROUND_ROBIN
    deals: int = 100
    """The number of blocks: each plays the whole schedule, with deals of its own."""
    seed: int = 1
    rules: Rules = STANDARD
    hands: int | None = 1
    """Hands of a match, each deal by itself if it is 1; None for games to their end."""
    end_score: int = DEFAULT_END_SCORE
    """Only for games that are played to their end."""
    directions: bool = True
    """Single hands are played once for each direction of the pass; otherwise the direction
    goes on from block to block."""
    duplicate: bool = True
    """The matches of a block play the same deals; otherwise each has deals of its own."""
    move_limit: float = 10.0
    """Seconds for a choice of a program on the wire; 0 for none."""
    hand_limit: float = 60.0
    """Seconds for all choices of a hand of one player; 0 for none."""
    records: bool = True
    bounds: Bounds | None = None
    """With them the tournament is a test of its two players, and ends when that has decided."""
    codes: tuple[str, ...] = ()
    """Codes of the deals: those of the hands of block 0, then those of block 1, and so on. Without
    them the deals follow from the seed."""
    limits: tuple[PlayerLimits, ...] = ()
    """The limits of players who have their own."""
    keeps_players: bool = False
    """Players live on from match to match, and the matches are played in their order."""

    def __post_init__(self) -> None:
        self._check_entrants()
        most_hands = min(MOST_HANDS, (END_SCORES[-1] - 1) // points_by(self.rules).moon)
        for what, value, possible in (
            ("deals", self.deals, range(1, MOST_DEALS + 1)),
            ("the seed", self.seed, SEEDS),
            ("hands", 1 if self.hands is None else self.hands, range(1, most_hands + 1)),
            ("the end score", self.end_score, END_SCORES),
        ):
            if value not in possible:
                raise InvalidPlan(
                    f"{what}: {possible[0]} to {possible[-1]} is possible, not {value}"
                )
        _check_limits(self.move_limit, self.hand_limit)
        self._check_own_limits()
        if self.codes:
            self._check_codes()
        if self.bounds is not None and self.schedule is not Schedule.TWO_VS_TWO:
            raise InvalidPlan(f"a test is of {Schedule.TWO_VS_TWO.value}")

    def _check_own_limits(self) -> None:
        names = [entrant.name for entrant in self.entrants]
        limited = [limits.name for limits in self.limits]
        for name in limited:
            if name not in names:
                raise InvalidPlan(f"there are limits for {name!r}, and no such player")
            if limited.count(name) > 1:
                raise InvalidPlan(f"there are limits for {name!r} twice")

    def _check_codes(self) -> None:
        if self.hands is None:
            raise InvalidPlan("deals from a file are for a number of hands, not for games")
        if not self.duplicate:
            raise InvalidPlan("deals from a file are the same in all matches of a block")
        if len(self.codes) > MOST_CODES:
            raise InvalidPlan(f"there are at most {MOST_CODES} deals in a file")
        if len(self.codes) < self.deals * self.hands:
            raise InvalidPlan(
                f"{self.deals} blocks of {self.hands} hands take {self.deals * self.hands} deals,"
                f" and the file has {len(self.codes)}"
            )
        for code in self.codes:
            try:
                parse_deal_code(code)
            except InvalidDealCode as error:
                raise InvalidPlan(f"{code[:60]!a} is no deal: {error}") from None

    def limits_of(self, entrant: int) -> tuple[float, float]:
        """Return the seconds that an entrant has for a choice, and for all of a hand; 0 for no
        limit.
        """
        name = self.entrants[entrant].name
        for limits in self.limits:
            if limits.name == name:
                return limits.move, limits.hand
        return self.move_limit, self.hand_limit

    def _check_entrants(self) -> None:
        possible = self.schedule.entrants
        if len(self.entrants) not in possible:
            least, most = possible[0], possible[-1]
            wanted = f"{least} players" if least == most else f"{least} to {most} players"
            raise InvalidPlan(f"{self.schedule.value} takes {wanted}, not {len(self.entrants)}")
        names: dict[str, str] = {}
        for entrant in self.entrants:
            read = entrant.name.strip().casefold()
            if read in names:
                raise InvalidPlan(
                    f"two players have names that are read the same: {names[read]!r} and "
                    f"{entrant.name!r}"
                )
            names[read] = entrant.name

    @property
    def game_end(self) -> int:
        """The score at which a game ends: out of reach if a number of hands is played."""
        return self.end_score if self.hands is None else END_SCORES[-1]


def _check_limits(move: float, hand: float) -> None:
    for what, limit in (("a move", move), ("a hand", hand)):
        if not (math.isfinite(limit) and 0 <= limit <= LONGEST_LIMIT):
            raise InvalidPlan(f"the limit of {what} is 0 to {LONGEST_LIMIT:g} seconds, not {limit}")

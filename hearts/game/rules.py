"""The variants of Hearts as one value, with its three forms: fields, text and bits.

SocketSpec.md section 6. The text is what people type and records hold; the bits travel in the
options of player 0 and in the Table message.
"""

from __future__ import annotations

from enum import IntEnum

from msgspec import Struct

from hearts.errors import InvalidRules

DEFAULT_END_SCORE = 100
END_SCORES = range(1, 10_001)
"""The scores at which a game may be set to end."""


class Moon(IntEnum):
    """What happens to the 26 points of a player who took them all."""

    OTHERS = 0
    MINUS = 1
    CHOICE = 2


class ExactEnd(IntEnum):
    """What a score of exactly the end does."""

    NOTHING = 0
    ZERO = 1
    WINS = 2


class Passing(IntEnum):
    """Which way three cards are passed, hand by hand."""

    CYCLE = 0
    CYCLE3 = 1
    LEFT = 2
    NEVER = 3


class Direction(IntEnum):
    """Where a pass goes, as on the wire."""

    HOLD = 0
    LEFT = 1
    RIGHT = 2
    ACROSS = 3

    def target(self, player: int) -> int:
        """The player who receives what ``player`` passes."""
        return (player + (0, 1, 3, 2)[self]) % 4


_DIRECTIONS = {
    Passing.CYCLE: (Direction.LEFT, Direction.RIGHT, Direction.ACROSS, Direction.HOLD),
    Passing.CYCLE3: (Direction.LEFT, Direction.RIGHT, Direction.ACROSS),
    Passing.LEFT: (Direction.LEFT,),
    Passing.NEVER: (Direction.HOLD,),
}


class Rules(Struct, frozen=True, gc=False):
    """One set of rules; the defaults are the standard game."""

    jack: bool = False
    """The jack of diamonds counts -10."""
    moon: Moon = Moon.OTHERS
    exact_end: ExactEnd = ExactEnd.NOTHING
    must_dump_queen: bool = False
    """The queen of spades must go at the first chance."""
    points_on_first_trick: bool = False
    rotating_lead: bool = False
    """The lead of the first trick goes round, with any card, instead of the two of clubs."""
    passing: Passing = Passing.CYCLE
    no_trick_bonus: bool = False
    """A player who took no trick gets -5."""
    queen_keeps_hearts: bool = False
    """The queen of spades does not break hearts."""

    def direction(self, hand_number: int) -> Direction:
        """Where the pass of a hand goes; the first hand of a game is number 0."""
        cycle = _DIRECTIONS[self.passing]
        return cycle[hand_number % len(cycle)]

    def __str__(self) -> str:
        """The printable form, which :func:`parse_rules` reads back."""
        tokens = [token for token, field, value in _TOKENS if getattr(self, field) == value]
        return ",".join(tokens) or "standard"

    @property
    def bits(self) -> int:
        """Bits 8-19 of the options of player 0 and of the Table message."""
        return sum(int(getattr(self, field)) << bit for field, bit, _ in _BITS)


_TOKENS: tuple[tuple[str, str, object], ...] = (
    ("jack", "jack", True),
    ("moon=minus", "moon", Moon.MINUS),
    ("moon=choice", "moon", Moon.CHOICE),
    ("exact=zero", "exact_end", ExactEnd.ZERO),
    ("exact=wins", "exact_end", ExactEnd.WINS),
    ("dump", "must_dump_queen", True),
    ("bleed", "points_on_first_trick", True),
    ("rotate", "rotating_lead", True),
    ("pass=cycle3", "passing", Passing.CYCLE3),
    ("pass=left", "passing", Passing.LEFT),
    ("pass=never", "passing", Passing.NEVER),
    ("notrick", "no_trick_bonus", True),
    ("queen-keeps", "queen_keeps_hearts", True),
)
_DEFAULT_TOKENS: tuple[tuple[str, str, object], ...] = (
    ("moon=others", "moon", Moon.OTHERS),
    ("exact=nothing", "exact_end", ExactEnd.NOTHING),
    ("pass=cycle", "passing", Passing.CYCLE),
)
_BITS: tuple[tuple[str, int, type[bool] | type[IntEnum]], ...] = (
    ("jack", 8, bool),
    ("moon", 9, Moon),
    ("exact_end", 11, ExactEnd),
    ("must_dump_queen", 13, bool),
    ("points_on_first_trick", 14, bool),
    ("rotating_lead", 15, bool),
    ("passing", 16, Passing),
    ("no_trick_bonus", 18, bool),
    ("queen_keeps_hearts", 19, bool),
)
RULE_BITS_MASK = sum((1 if kind is bool else 3) << bit for _, bit, kind in _BITS)
"""The bits of the options that hold rules."""

STANDARD = Rules()
PRESETS: dict[str, Rules] = {
    "standard": STANDARD,
    "mactech98": Rules(moon=Moon.MINUS, points_on_first_trick=True),
    "mac2000": Rules(jack=True, moon=Moon.CHOICE, exact_end=ExactEnd.WINS, passing=Passing.LEFT),
    "windows93": Rules(jack=True, exact_end=ExactEnd.ZERO, must_dump_queen=True),
}
_PRESET_NAMES = {rules: name for name, rules in PRESETS.items()}


def rules_name(rules: Rules) -> str:
    """The name of a preset; the rules text for others."""
    return _PRESET_NAMES.get(rules, str(rules))


def parse_rules(text: str) -> Rules:
    """The rules of a text: tokens with commas between them, a preset first if wanted.

    Raises InvalidRules, naming the token and what is possible.
    """
    settings = {token: (field, value) for token, field, value in (*_TOKENS, *_DEFAULT_TOKENS)}
    chosen: dict[str, object] = {}
    given: dict[str, str] = {}
    for place, raw in enumerate(text.split(",")):
        token = raw.strip().lower()
        if token in PRESETS and place == 0:
            preset = PRESETS[token]
            chosen = {field: getattr(preset, field) for field, _, _ in _BITS}
        elif token in PRESETS:
            raise InvalidRules(f"the preset {token!r} must come first in {text!r}")
        elif token in settings:
            field, value = settings[token]
            if field in given:
                raise InvalidRules(f"{given[field]!r} and {token!r} do not go together")
            given[field] = token
            chosen[field] = value
        else:
            raise InvalidRules(
                f"{token!r} is no rule; presets: {', '.join(PRESETS)}; "
                f"rules: {', '.join(sorted(settings))}"
            )
    return Rules(**chosen)  # type: ignore[arg-type]  # the tables above pair fields and values


def rules_from_bits(options: int) -> Rules:
    """The rules in bits 8-19 of an int; the other bits do not matter.

    Raises InvalidRules if a two-bit field holds a value without a meaning.
    """
    chosen: dict[str, object] = {}
    for field, bit, kind in _BITS:
        value = options >> bit & (1 if kind is bool else 3)
        try:
            chosen[field] = kind(value)
        except ValueError:
            raise InvalidRules(f"bits {bit}-{bit + 1} hold {value}, which has no meaning") from None
    return Rules(**chosen)  # type: ignore[arg-type]  # as in parse_rules

"""The variants of Hearts: one table of house rules, and a set of rules in its three forms.

A rule stands in :data:`HOUSE_RULES` with its bits, its tokens, its words and its points; fields,
text, bits, forms and pages are made or checked by that. SocketSpec.md section 6.
"""

from __future__ import annotations

from enum import Enum, IntEnum
from itertools import combinations

from msgspec import Struct
from msgspec.structs import replace

from hearts.errors import InvalidRules

from .cards import JACK_OF_DIAMONDS, QUEEN_OF_SPADES

DEFAULT_END_SCORE = 100
END_SCORES = range(1, 10_001)
"""The scores at which a game may be set to end."""


class Moon(IntEnum):
    """Ways to count the points of a player who took them all."""

    OTHERS = 0
    MINUS = 1
    CHOICE = 2


class ExactEnd(IntEnum):
    """The effects of a score of exactly the end."""

    NOTHING = 0
    ZERO = 1
    WINS = 2


class Passing(IntEnum):
    """The orders of the directions of the pass, hand by hand."""

    CYCLE = 0
    CYCLE3 = 1
    LEFT = 2
    NEVER = 3


class Direction(IntEnum):
    """The directions of a pass, as on the wire."""

    HOLD = 0
    LEFT = 1
    RIGHT = 2
    ACROSS = 3

    def target(self, player: int) -> int:
        """Return the player who receives what ``player`` passes."""
        return (player + (0, 1, 3, 2)[self]) % 4


_DIRECTIONS = {
    Passing.CYCLE: (Direction.LEFT, Direction.RIGHT, Direction.ACROSS, Direction.HOLD),
    Passing.CYCLE3: (Direction.LEFT, Direction.RIGHT, Direction.ACROSS),
    Passing.LEFT: (Direction.LEFT,),
    Passing.NEVER: (Direction.HOLD,),
}


class Part(Enum):
    """The parts of the rules as a text, by their headings."""

    POINTS = "Points"
    PASS = "The pass"
    TRICKS = "The tricks"
    MOON = "The moon"
    END = "The end of the game"


class RuleValue(Struct, frozen=True, gc=False):
    """One value of a house rule."""

    token: str = ""
    """Its word in a text of rules; empty if it has none."""
    words: str = ""
    """The difference from the standard game; ``{moon}`` are the points of a moon."""
    choice: str = ""
    """As one of several choices."""
    sentence: str = ""
    """In the whole text; ``{end}`` is the end of the game, ``{end_points}`` the same in words."""
    points: tuple[tuple[int, int], ...] = ()
    """Cards that count something else than a heart 1, the queen of spades 13, others 0."""
    lowers: bool = False
    """True if a score may fall below 0 by it."""


class HouseRule(Struct, frozen=True):
    """A field of :class:`Rules` with what everybody has to know of it."""

    field: str
    bit: int
    """Its lowest bit; from 21 on only points may change (SocketSpec.md 12)."""
    part: Part
    values: tuple[RuleValue, ...]
    """By their numbers on the wire."""
    kind: type[bool] | type[IntEnum] = bool
    label: str = ""
    """At a choice in a form; a rule of yes and no is a tick with its words."""
    help: str = ""
    dealer_field: str = ""
    """Its int in the structure of the rules (DealerSpec.md 14.4), if it has one."""
    reversed_there: bool = False
    """True if that int is 1 in the standard game."""
    against: tuple[str, ...] = ()
    """Fields with which it does not go together."""

    @property
    def mask(self) -> int:
        """Its bits, beginning with bit 0."""
        return 1 if self.kind is bool else 3

    @property
    def name(self) -> str:
        """The word that its tokens have in common."""
        return self.values[-1].token.partition("=")[0]


_PASSES = "Before the first trick each player passes three cards"
_BROKEN = (
    "Hearts are broken when {} has been played in the hand. Before that nobody leads a heart, "
    "unless there is nothing else in the hand. The queen of spades may be led before that."
)

HOUSE_RULES = (
    HouseRule(
        "spot",
        21,
        Part.POINTS,
        (
            RuleValue(
                sentence="Each heart in the tricks that you take is 1 point, the queen of spades "
                "is 13."
            ),
            RuleValue(
                "spot",
                "hearts count 2 to 14, the queen of spades 25",
                sentence="Each heart in the tricks that you take counts by its rank, from 2 for "
                "the two of hearts to 14 for the ace; the queen of spades is 25.",
                points=(*((card, card + 2) for card in range(13)), (QUEEN_OF_SPADES, 25)),
            ),
        ),
        against=("jack", "no_trick_bonus"),
    ),
    HouseRule(
        "jack",
        8,
        Part.POINTS,
        (
            RuleValue(),
            RuleValue(
                "jack",
                "the jack of diamonds counts 10 off your score",
                sentence="The player who takes the jack of diamonds gets 10 points off.",
                points=((JACK_OF_DIAMONDS, -10),),
                lowers=True,
            ),
        ),
        dealer_field="jack",
    ),
    HouseRule(
        "moon",
        9,
        Part.MOON,
        (
            RuleValue(
                "moon=others",
                choice="to the others",
                sentence="Each of the others gets {moon} points, and the shooter none.",
            ),
            RuleValue(
                "moon=minus",
                "shooting the moon takes {moon} points off",
                "off the shooter",
                "That takes {moon} points off the score of the shooter; nobody else gets any.",
                lowers=True,
            ),
            RuleValue(
                "moon=choice",
                "a moon: the shooter chooses {moon} points off, or {moon} for each of the others",
                "shooter chooses",
                "The shooter gets none and chooses: {moon} points for each of the others, or "
                "{moon} points off the own score.",
                lowers=True,
            ),
        ),
        kind=Moon,
        label="A moon",
        help="How the points of a player who took them all count.",
        dealer_field="shoot",
    ),
    HouseRule(
        "exact_end",
        11,
        Part.END,
        (
            RuleValue("exact=nothing", choice="is like any score"),
            RuleValue(
                "exact=zero",
                "a score of exactly the end goes back to 0",
                "goes back to 0",
                "A score of exactly {end} after a hand goes back to 0.",
            ),
            RuleValue(
                "exact=wins",
                "a score of exactly the end wins",
                "wins",
                "Who has exactly {end_points} after a hand wins the game at once, whatever the "
                "others have.",
            ),
        ),
        kind=ExactEnd,
        label="Exact end",
        help="What a score of exactly the end of the game does.",
        dealer_field="max erase",
    ),
    HouseRule(
        "rotating_lead",
        15,
        Part.TRICKS,
        (
            RuleValue(sentence="The player with the two of clubs leads it to the first trick."),
            RuleValue(
                "rotate",
                "the first lead goes round, with any card, instead of the two of clubs",
                sentence="The lead to the first trick goes round: another player has it in each "
                "hand of a game, and leads any card that the other rules allow.",
            ),
        ),
        dealer_field="rotating lead",
    ),
    HouseRule(
        "points_on_first_trick",
        14,
        Part.TRICKS,
        (
            RuleValue(
                sentence="Nobody plays a heart or the queen of spades to the first trick, unless "
                "there is nothing else to play."
            ),
            RuleValue(
                "bleed",
                "points may be played on the first trick",
                sentence="Hearts and the queen of spades may be played to the first trick already.",
            ),
        ),
        dealer_field="points first round",
        reversed_there=True,
    ),
    HouseRule(
        "queen_keeps_hearts",
        19,
        Part.TRICKS,
        (
            RuleValue(sentence=_BROKEN.format("a heart or the queen of spades")),
            RuleValue(
                "queen-keeps",
                "the queen of spades does not break hearts",
                sentence=_BROKEN.format("a heart"),
            ),
        ),
        dealer_field="queen breaks",
        reversed_there=True,
    ),
    HouseRule(
        "must_dump_queen",
        13,
        Part.TRICKS,
        (
            RuleValue(),
            RuleValue(
                "dump",
                "the queen of spades must be played at the first chance",
                sentence="The queen of spades must be played at the first chance: when you have "
                "none of the suit led, and when spades were led and the ace or the king of spades "
                "lies in the trick.",
            ),
        ),
        dealer_field="queen dump",
    ),
    HouseRule(
        "passing",
        16,
        Part.PASS,
        (
            RuleValue(
                "pass=cycle",
                choice="left, right, across, hold",
                sentence=f"{_PASSES}: to the left in the first hand of a game, to the right in "
                "the second, across in the third. In the fourth all keep their cards; then it "
                "begins again.",
            ),
            RuleValue(
                "pass=cycle3",
                "cards are passed left, right and across, never kept",
                "no hold",
                f"{_PASSES}: to the left in the first hand of a game, to the right in the second, "
                "across in the third; then it begins again.",
            ),
            RuleValue(
                "pass=left",
                "cards are always passed to the left",
                "left",
                f"{_PASSES} to the left.",
            ),
            RuleValue("pass=never", "no cards are passed", "never", "No cards are passed."),
        ),
        kind=Passing,
        label="The pass",
        help="Where three cards go, hand by hand; hold: nobody passes.",
        dealer_field="passing",
    ),
    HouseRule(
        "no_trick_bonus",
        18,
        Part.POINTS,
        (
            RuleValue(),
            RuleValue(
                "notrick",
                "a player who takes no trick gets 5 points off",
                sentence="A player who takes no trick in a hand gets 5 points off.",
                lowers=True,
            ),
        ),
        dealer_field="no trick",
    ),
)
"""All house rules, in the order in which the text of the rules has them."""


class Rules(Struct, frozen=True, gc=False):
    """One set of rules (:data:`HOUSE_RULES`); the defaults are the standard game."""

    jack: bool = False
    moon: Moon = Moon.OTHERS
    exact_end: ExactEnd = ExactEnd.NOTHING
    must_dump_queen: bool = False
    points_on_first_trick: bool = False
    rotating_lead: bool = False
    passing: Passing = Passing.CYCLE
    no_trick_bonus: bool = False
    queen_keeps_hearts: bool = False
    spot: bool = False

    def direction(self, hand_number: int) -> Direction:
        """Give the direction of the pass of a hand; the first hand of a game is number 0."""
        cycle = _DIRECTIONS[self.passing]
        return cycle[hand_number % len(cycle)]

    def __str__(self) -> str:
        """Return the printable form, which :func:`parse_rules` reads back."""
        return ",".join(value.token for value in self.differences) or "standard"

    @property
    def bits(self) -> int:
        """Its bits in the options of player 0 and in the Table message."""
        return sum(int(getattr(self, rule.field)) << rule.bit for rule in HOUSE_RULES)

    @property
    def differences(self) -> tuple[RuleValue, ...]:
        """The values that are not those of the standard game, in the order of the bits."""
        return tuple(
            rule.values[number] for rule in RULES_BY_BITS if (number := getattr(self, rule.field))
        )

    def values(self, part: Part) -> list[RuleValue]:
        """Return the values of all rules of a part."""
        return [rule.values[getattr(self, rule.field)] for rule in HOUSE_RULES if rule.part is part]

    def having(self, field: str, value: object) -> Rules:
        """Return these rules with another value of a field, without what does not go together
        with it.
        """
        rule = next(rule for rule in HOUSE_RULES if rule.field == field)
        others = (other.field for other in HOUSE_RULES if _clash(rule, other))
        undone = {other: getattr(STANDARD, other) for other in others if value}
        return replace(self, **undone, **{field: value})


RULES_BY_BITS = sorted(HOUSE_RULES, key=lambda rule: rule.bit)
"""The same in the order of their bits."""
_TOKENS = {
    value.token: (rule, number)
    for rule in HOUSE_RULES
    for number, value in enumerate(rule.values)
    if value.token
}
RULE_BITS_MASK = sum(rule.mask << rule.bit for rule in HOUSE_RULES)
"""The bits of the options that hold rules."""
FIRST_OPEN_BIT = 21
"""From here on a client ignores bits that it does not know (SocketSpec.md 12)."""

STANDARD = Rules()
PRESETS: dict[str, Rules] = {
    "standard": STANDARD,
    "mactech98": Rules(moon=Moon.MINUS, points_on_first_trick=True),
    "mac2000": Rules(jack=True, moon=Moon.CHOICE, exact_end=ExactEnd.WINS, passing=Passing.LEFT),
    "windows93": Rules(jack=True, exact_end=ExactEnd.ZERO, must_dump_queen=True),
    "spot-hearts": Rules(spot=True),
}
PRESET_ENDS = {"spot-hearts": 500}
"""The end of a game that a preset names, if it names one."""
_PRESET_NAMES = {rules: name for name, rules in PRESETS.items()}


def rules_name(rules: Rules) -> str:
    """Return the name of a preset; the rules text for others."""
    return _PRESET_NAMES.get(rules, str(rules))


def named_end(rules: Rules) -> int | None:
    """Return the end of a game that a preset names all of whose rules are among these, if one
    does.
    """
    for name, end in PRESET_ENDS.items():
        if all(value in rules.differences for value in PRESETS[name].differences):
            return end
    return None


def parse_rules(text: str) -> Rules:
    """Return the rules of a text: tokens with commas between them, a preset first if wanted.

    Raises InvalidRules, naming the token and what is possible.
    """
    rules = STANDARD
    given: dict[str, str] = {}
    for place, raw in enumerate(text.split(",")):
        token = raw.strip().lower()
        if token in PRESETS and place == 0:
            rules = PRESETS[token]
        elif token in PRESETS:
            raise InvalidRules(f"the preset {token!r} must come first in {text!r}")
        elif token in _TOKENS:
            rule, number = _TOKENS[token]
            if rule.field in given:
                raise InvalidRules(f"{given[rule.field]!r} and {token!r} do not go together")
            given[rule.field] = token
            rules = replace(rules, **{rule.field: rule.kind(number)})
        else:
            raise InvalidRules(
                f"{token!r} is no rule; presets: {', '.join(PRESETS)}; "
                f"rules: {', '.join(sorted(_TOKENS))}"
            )
    return _together(rules)


def rules_from_bits(options: int) -> Rules:
    """Return the rules in the bits of an int; bits that are no rule's do not matter.

    Raises InvalidRules if a two-bit field holds a value without a meaning, or if two rules do not
    go together.
    """
    chosen: dict[str, object] = {}
    for rule in HOUSE_RULES:
        number = options >> rule.bit & rule.mask
        if number >= len(rule.values):
            raise InvalidRules(
                f"bits {rule.bit}-{rule.bit + 1} hold {number}, which has no meaning"
            )
        chosen[rule.field] = rule.kind(number)
    return _together(Rules(**chosen))  # type: ignore[arg-type]  # the table has the fields


def known_rules(bits: int) -> Rules:
    """Return the rules that a server tells of; higher bits that nobody knows here are ignored.

    Raises InvalidRules for other bits that are no rule's, and as :func:`rules_from_bits` does.
    """
    if bits & (1 << FIRST_OPEN_BIT) - 1 & ~RULE_BITS_MASK:
        raise InvalidRules(f"{bits:#x} has bits without a meaning")
    return rules_from_bits(bits)


def _clash(one: HouseRule, other: HouseRule) -> bool:
    return other.field in one.against or one.field in other.against


def _together(rules: Rules) -> Rules:
    """Return the rules as they are. Raises InvalidRules if two of them do not go together."""
    chosen = [rule for rule in RULES_BY_BITS if getattr(rules, rule.field)]
    for one, other in combinations(chosen, 2):
        if _clash(one, other):
            raise InvalidRules(f"{one.name!r} and {other.name!r} do not go together")
    return rules

"""Rules and levels as the page reads them: ``python -m tests.docs.page_rules`` writes them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from pathlib import Path

from hearts.game import rules as r
from hearts.game.cards import CARDS
from hearts.game.scoring import points_by
from hearts.settings.readers import LEVELS

PATH = Path(__file__).parents[2] / "hearts_web/page/client/rule_table.js"
_HEAD = """// Made from hearts/game/rules.py by `python -m tests.docs.page_rules`, and held to that.

/**
 * The rules of a table; 0 and false are the standard game.
 * @typedef {object} Rules
"""
_RULE = """ */

/**
 * @typedef {object} Rule
 * @property {keyof Rules} field
 * @property {number} bit its lowest bit
 * @property {string[]} tokens by its values; '' for none
 * @property {string} there its int in the structure of the rules (14.4); '' if it has none
 * @property {boolean} isReversed whether that int is 1 in the standard game
 * @property {Record<number, number>} points of cards that count something else by it
 * @property {(keyof Rules)[]} against what it does not go together with
 */

/** By their bits. @type {Rule[]} */
export const RULES = [
"""
_POINTS = """];

/** What cards count in the standard game. @type {Record<number, number>} */
export const POINTS = {points};
"""
_PRESETS = """
/** How well computers can play, by the numbers of block -15. @type {Record<number, string>} */
export const LEVELS = {levels};

/** Their bits, and the end of a game that they name; 0 for none. */
export const PRESETS = {
"""


def field_of(rule: r.HouseRule) -> str:
    return re.sub("-(.)", lambda found: found[1].upper(), rule.name)


def page_rules() -> str:
    """The text of the module."""
    fields = {rule.field: field_of(rule) for rule in r.RULES_BY_BITS}
    against = {
        rule.field: {*rule.against, *(o.field for o in r.RULES_BY_BITS if rule.field in o.against)}
        for rule in r.RULES_BY_BITS
    }
    told, rows = [], []
    for rule in r.RULES_BY_BITS:
        kind = "boolean" if rule.kind is bool else "number"
        words = rule.values[1].words if rule.kind is bool else rule.help.rstrip(".")
        told.append(f" * @property {{{kind}}} {fields[rule.field]} {words}\n")
        row = {
            "field": fields[rule.field],
            "bit": rule.bit,
            "tokens": [value.token if number else "" for number, value in enumerate(rule.values)],
            "there": rule.dealer_field,
            "isReversed": rule.reversed_there,
            "points": _points(rule.values[1].points),
            "against": sorted(fields[other] for other in against[rule.field]),
        }
        rows.append(f"  {_object(row)},\n")
    presets = [
        f"  {_key(name)}: {_object({'bits': rules.bits, 'end': r.PRESET_ENDS.get(name, 0)})},\n"
        for name, rules in r.PRESETS.items()
    ]
    standard = points_by(r.STANDARD).of_card
    points = _POINTS.replace("{points}", _value(_points(enumerate(standard))))
    levels = _PRESETS.replace("{levels}", _object({str(n): name for name, n in LEVELS.items()}))
    return "".join([_HEAD, *told, _RULE, *rows, points, levels, *presets, "};\n"])


def _points(points: Iterable[tuple[int, int]]) -> dict[int, int]:
    numbers = {CARDS[card].wire: number for card, number in points if number}
    return dict(sorted(numbers.items()))


def _key(name: str) -> str:
    return name if name.isidentifier() else f"'{name}'"


def _object(values: dict[str, object]) -> str:
    return f"{{ {', '.join(f'{name}: {_value(value)}' for name, value in values.items())} }}"


def _value(value: object) -> str:
    return json.dumps(value).replace('"', "'")


if __name__ == "__main__":
    PATH.write_text(page_rules(), encoding="utf-8")

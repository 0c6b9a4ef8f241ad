"""The plan that the options of ``hearts-arena`` describe."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from hearts.errors import InvalidLink
from hearts.game.deal import NO_CUTS, deal_code
from hearts.game.rules import DEFAULT_END_SCORE, named_end
from hearts.session.hand_link import parse_link
from hearts.wire.codec import NAME_LIMIT

from .plan.plan import Bounds, Entrant, InvalidPlan, Plan, PlayerLimits, Schedule

_DEALS = 100
_DEALS_OF_A_TEST = 20_000
_NO_NAME = ",:/"
"""With one of these signs, text before an equals sign is no name but a setting or a command."""


def plan_of(given: argparse.Namespace, deals: int | None) -> Plan:
    """Return the plan that a command line describes. Raises InvalidPlan.

    Without ``deals`` it has as many blocks as there are deals for, or a number that fits.
    """
    bounds = None
    if given.command == "test":
        low, high = given.bounds
        bounds = Bounds(low, high, given.alpha, given.beta)
    codes = _codes(given.deals_from) if given.deals_from else ()
    if deals is None and codes:
        deals = max(len(codes) // given.hands, 1)
    elif deals is None:
        deals = _DEALS if bounds is None else _DEALS_OF_A_TEST
    return Plan(
        _entrants(given.players),
        Schedule.TWO_VS_TWO if bounds else Schedule(given.schedule),
        deals,
        given.seed,
        given.rules,
        None if given.games else given.hands,
        given.end_score or named_end(given.rules) or DEFAULT_END_SCORE,
        not given.one_direction,
        not given.independent,
        given.move_limit,
        given.hand_limit,
        not given.no_records,
        bounds,
        codes,
        tuple(_limits(*words) for words in given.limits),
        given.keep_players,
    )


def _codes(path: Path) -> tuple[str, ...]:
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise InvalidPlan(f"cannot read the deals of {path}: {error}") from None
    found = tuple(
        line.strip() for line in lines if line.strip() and not line.lstrip().startswith("#")
    )
    if not found:
        raise InvalidPlan(f"{path} has no deals")
    return tuple(_code_of_link(line) if "hand=" in line else line for line in found)


def _code_of_link(text: str) -> str:
    try:
        deal = parse_link(text).deal
    except InvalidLink as error:
        raise InvalidPlan(f"{text[:60]!a} is no link to a hand: {error}") from None
    if deal.secret is None or deal.cuts != NO_CUTS:
        raise InvalidPlan(f"the deal of {text[:60]!a} was cut, and here nobody cuts")
    return deal_code(deal.secret)


def _limits(name: str, move: str, hand: str) -> PlayerLimits:
    try:
        return PlayerLimits(name, float(move), float(hand))
    except ValueError as error:
        raise InvalidPlan(f"the limits of {name}: {error}") from None


def _entrants(players: Sequence[str]) -> tuple[Entrant, ...]:
    """Read the players. Unnamed ones take their spec as name; duplicates get a number."""
    entrants: list[Entrant] = []
    for text in players:
        name, equals, spec = text.partition("=")
        if not equals or any(sign in name for sign in _NO_NAME):
            spec = text
            taken = sum(_short(other) == _short(text) for other in players[: len(entrants)])
            name = _short(text, f" {taken + 1}" if taken else "")
        entrants.append(Entrant(name.strip(), spec))
    return tuple(entrants)


def _short(spec: str, number: str = "") -> str:
    """Return the name of an unnamed player, with a number behind it."""
    kept = spec.encode("utf-8", "replace")[: NAME_LIMIT - len(number)]
    return kept.decode(errors="ignore").strip() + number

"""A host tries all that they can reach, and chooses no deal that the victim is not warned of."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import pytest

from hearts.session.client_events import Fairness

from . import schemes
from .evening import PlayedDeal, play, ranks
from .fair_table import LIMIT, CheatedTable, Scheme
from .ranks import by_chance, no_worse_than_worst_of

DEALS = 70
OF_EACH = 4
"""Deals of a scheme of which each second one is marked; so many that all have DEALS."""
PUPPET = 0


@pytest.mark.heavy
def test_with_all_values_hands_are_those_of_chance() -> None:
    played = [
        deal
        for scheme in schemes.BY_CHANCE
        for deal in play(scheme, DEALS // len(schemes.BY_CHANCE))
    ]
    assert {deal.checked.fairness for deal in played} == {Fairness.NOBODY}
    assert not any(deal.is_marked or deal.waited for deal in played)
    assert by_chance(ranks(played))


@pytest.mark.heavy
def test_a_puppet_that_withholds_makes_them_the_worse_of_two_and_is_named() -> None:
    played = play(schemes.Withholds, DEALS)
    assert no_worse_than_worst_of(2, ranks(played))
    assert not by_chance(ranks(played)), "the host did have a choice"
    for deal in played:
        is_missing = deal.checked.fairness is Fairness.WITHHOLDERS
        assert is_missing or deal.checked.fairness is Fairness.NOBODY
        assert deal.checked.problem is None
        assert deal.checked.missing == (PUPPET,) * is_missing
        assert deal.waited == LIMIT * is_missing


@cache
def played_by(scheme: Callable[[], Scheme]) -> list[PlayedDeal]:
    # Tables of one seed have the same cards, whatever their hosts try.
    return play(scheme, OF_EACH, seed=1 + OF_EACH * schemes.MARKED.index(scheme))


def test_what_is_not_marked_are_hands_of_chance() -> None:
    played = [deal for scheme in schemes.MARKED for deal in played_by(scheme)]
    assert len(played) >= DEALS
    assert by_chance([deal.rank for deal in played if not deal.is_marked])
    assert not by_chance([deal.rank for deal in played if deal.is_marked]), "there was a choice"


@pytest.mark.parametrize("scheme", schemes.MARKED, ids=schemes.name_of)
def test_a_deal_without_the_victims_value_is_marked_and_they_cut_the_next(
    scheme: Callable[[], Scheme],
) -> None:
    played = played_by(scheme)
    if schemes.name_of(scheme) == "PowerCut and lies":
        # The next hash went into the promise that they were not told of.
        assert [deal.is_marked for deal in played] == [False] + [True] * (OF_EACH - 1)
        return
    assert [deal.is_marked for deal in played] == [False, True] * (OF_EACH // 2)
    assert {deal.checked.fairness for deal in played[::2]} == {Fairness.NOBODY}


def test_who_is_dropped_at_the_showing_is_waited_for_by_the_clock() -> None:
    played = play(schemes.DropsAtTheShowing, 30)[1::2]
    assert {deal.checked.fairness for deal in played} == {Fairness.ANYBODY}
    assert {deal.checked.problem for deal in played} == {None}
    assert {deal.waited for deal in played} == {LIMIT}
    assert not no_worse_than_worst_of(2, ranks(played)), "it is worth a warning"


def test_a_host_who_says_nothing_of_deals_is_told_of() -> None:
    table = CheatedTable(schemes.HidesAll(), seed=1)
    table.play(2)
    for number, checked in table.victim.checked.items():
        told = (checked.deal, checked.problem, checked.fairness)
        assert told == (number, "nobody promised it over the game", Fairness.ANYBODY)


def test_the_rank_test_finds_a_host_who_knows_the_value() -> None:
    played = play(schemes.KnowsTheValue, 30)
    assert not any(deal.is_marked for deal in played)
    assert not no_worse_than_worst_of(2, ranks(played))
    assert not by_chance(ranks(played))

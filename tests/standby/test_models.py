"""Everything that can happen to two nodes and a game happens in a model, in every order; and each
part of the protocol is needed, for without it something goes wrong."""

from __future__ import annotations

from functools import partial

import pytest

from tests.standby import choices_model, lease_model
from tests.standby.explore import explore


@pytest.mark.parametrize("lines", [1, pytest.param(2, marks=pytest.mark.heavy)])
def test_no_choice_that_was_told_is_lost_doubled_or_undone(lines: int) -> None:
    protocol = choices_model.Choices(lines=lines)
    found = explore(choices_model.World(), protocol.steps, choices_model.wrong)
    assert found.why is None, found.road
    assert found.worlds > 10_000


@pytest.mark.heavy
@pytest.mark.parametrize("part", choices_model.ModelPart)
def test_each_part_is_needed_for_choices(part: choices_model.ModelPart) -> None:
    protocol = choices_model.Choices(without=part)
    found = explore(choices_model.World(), protocol.steps, choices_model.wrong)
    assert found.why is not None


def test_the_lock_is_what_a_late_commit_needs() -> None:
    protocol = choices_model.Choices(without=choices_model.ModelPart.LOCK)
    found = explore(choices_model.World(), protocol.steps, choices_model.wrong)
    checks, fences, commits = map(found.road.index, ("checks 10", "2 fences 1", "commits 10"))
    assert checks < fences < found.road.index("2 reads") < commits


@pytest.mark.parametrize("last", [2, pytest.param(4, marks=pytest.mark.heavy)])
def test_what_is_not_stored_is_told_by_the_owner_alone(last: int) -> None:
    protocol = lease_model.Leases(last=last)
    wrong = partial(lease_model.wrong, protocol=protocol)
    found = explore(lease_model.LeaseWorld(), protocol.steps, wrong)
    assert found.why is None, found.road
    assert found.worlds > 5_000


@pytest.mark.parametrize("part", lease_model.LeasePart)
def test_each_part_is_needed_for_leases(part: lease_model.LeasePart) -> None:
    protocol = lease_model.Leases(without=part)
    wrong = partial(lease_model.wrong, protocol=protocol)
    assert explore(lease_model.LeaseWorld(), protocol.steps, wrong).why is not None

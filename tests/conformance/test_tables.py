"""The tables of requirements and scenarios fit the documents and the code."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import hearts_conformance
from hearts_conformance import dealer, plain
from hearts_conformance.kit import Room
from tests.docs.spec import sections

CODE = Path(hearts_conformance.__file__).parent


@pytest.mark.parametrize("room", [plain.ROOM, dealer.ROOM], ids=lambda room: str(room.name))
def test_every_check_is_in_the_spec(room: Room) -> None:
    for check in room.checks:
        assert check.section in sections(), check.id
    assert len({check.id for check in room.checks}) == len(room.checks)
    assert len({scenario.id for scenario in room.scenarios}) == len(room.scenarios)


def test_the_code_names_each_requirement_and_no_other() -> None:
    named = {
        id
        for path in CODE.rglob("*.py")
        for id in re.findall(r'"([a-z]+\.[a-z-]+)"', path.read_text())
    }
    assert named - {"requirements.toml"} == {
        check.id for room in (plain.ROOM, dealer.ROOM) for check in room.checks
    }

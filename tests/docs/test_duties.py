"""The duties of a client that the two files name are those that the kit checks."""

from __future__ import annotations

import re

import hearts_conformance.dealer
import hearts_conformance.plain
from hearts_conformance.checks import Level

from .spec import sections

CHECKS = {
    (check.id, check.section): check
    for room in (hearts_conformance.plain.ROOM, hearts_conformance.dealer.ROOM)
    for check in room.checks
}
FLOW = re.compile(r"2\.1|3\.[89]|4\.\d")
"""Sections whose messages are rows of 2.2, which has one sentence for all of them."""
SAID_ELSEWHERE = {"1.2", "2.2", "Quick start", "13.1", "15"}
"""Sections that only repeat duties, or speak of the words."""
NOT_BEFORE_THE_KIT = {"1.8": "the kit speaks TCP"}


def has(section: str, level: Level) -> bool:
    return re.search(rf"\b{level.value}\b", sections()[section]) is not None


def test_a_section_names_the_duty_that_the_kit_checks() -> None:
    for check in CHECKS.values():
        if check.level is not Level.MAY:
            in_flow = check.level is Level.MUST and FLOW.fullmatch(check.section)
            assert has("2.2" if in_flow else check.section, check.level)


def test_the_kit_checks_something_of_each_section_with_a_duty() -> None:
    checked = {check.section for check in CHECKS.values() if check.level is not Level.SHOULD}
    duties = {section for section in sections() if has(section, Level.MUST)}
    assert duties - checked == SAID_ELSEWHERE | set(NOT_BEFORE_THE_KIT)

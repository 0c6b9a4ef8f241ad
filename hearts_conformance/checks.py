"""The requirements of a client, and what became of each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from enum import Enum
from importlib.resources import files

import msgspec
from msgspec import Struct, field

_CAREFUL_LOOKS = 2
"""Silences of one kind that are waited out; a client that passes two is taken to pass all."""
_KEPT_FAILURES = 5
"""Failures of one check that are kept with their values; more would not help anybody."""


class Level(Enum):
    MUST = "MUST"
    SHOULD = "SHOULD"
    """A client conforms without it, but the client or its player loses something."""
    MAY = "MAY"
    """A client need not do it; but if it does it wrong, that counts as a fault."""


class CheckOutcome(Enum):
    PASSED = "passed"
    FAILED = "failed"
    NOT_SHOWN = "not shown"


class Check(Struct, frozen=True, gc=False):
    id: str
    section: str
    """The section of SocketSpec.md that asks for it; 14 is in DealerSpec.md."""
    asks: str
    advice: str
    level: Level = Level.MUST
    dialect: str = ""
    """The one in which it is asked; empty for both."""

    @property
    def place(self) -> str:
        file = "DealerSpec.md" if self.section.startswith("14.") else "SocketSpec.md"
        return f"{file} section {self.section}"


def requirements(dialect: str) -> list[Check]:
    """Return the checks of a dialect, in the order of the report."""
    table = files(__package__).joinpath("requirements.toml").read_bytes()
    rows = msgspec.toml.decode(table, type=dict[str, list[Check]])["requirement"]
    return [row for row in rows if row.dialect in ("", dialect)]


class ClientFault(Exception):
    """The client did something wrong, and the scenario cannot go on."""

    def __init__(self, check: str, came: str) -> None:
        """``check`` is an id; ``came`` says what came, with its values, and what was due."""
        super().__init__(came)
        self.check = check
        self.came = came


class NotShown(Exception):
    """The scenario cannot go on, and the client is not to blame; the text says why."""


class NobodyCame(NotShown):
    """No client connected for a scenario."""


class Failure(Struct, frozen=True, gc=False):
    scenario: str
    came: str


class Mark(Struct):
    check: Check
    shown: int = 0
    failed: int = 0
    failures: list[Failure] = field(default_factory=list)

    @property
    def outcome(self) -> CheckOutcome:
        if self.failed:
            return CheckOutcome.FAILED
        return CheckOutcome.PASSED if self.shown else CheckOutcome.NOT_SHOWN


class Played(Struct):
    """One scenario, and how it went as a whole."""

    id: str
    title: str
    ending: str = "played to its end"
    faults: int = 0


class Marks(dict[str, Mark]):
    """The marks of all checks by their ids, and the scenarios that were played."""

    def __init__(self, checks: Iterable[Check]) -> None:
        super().__init__((check.id, Mark(check)) for check in checks)
        self.played: list[Played] = []
        self.gaps: list[str] = []
        """Reasons for which the run is not complete."""
        self.is_partial = False
        """Only some scenarios are played, so that much cannot be shown."""
        self.habits: set[str] = set()
        """Things left to the client that it was seen to do, or not to do."""
        self.process_ids: list[int] = []
        """Those of the sessions so far."""
        self.chances: set[bytes] = set()
        """Those that the client has drawn for the proof of its name."""
        self.name_key = b""
        """The public key of its name, once it has proved it."""
        self.first_tries: Counter[bool] = Counter()
        """Illegal cards, the first of a choice each, by whether they would fit another hand."""
        self._looks: Counter[str] = Counter()

    def show(self, check: str) -> None:
        self[check].shown += 1

    def fail(self, check: str, came: str) -> None:
        mark = self[check]
        mark.failed += 1
        played = self.played[-1]
        played.faults += 1
        if len(mark.failures) < _KEPT_FAILURES:
            mark.failures.append(Failure(played.id, came))

    def decide(self, check: str, fault: str) -> None:
        """Let a check fail because of a fault; show it if the text is empty."""
        if fault:
            self.fail(check, fault)
        else:
            self.show(check)

    def looks_closer(self, check: str, kind: str = "") -> bool:
        """Tell if the check should still wait for something that must not come."""
        place = f"{check} {kind}"
        self._looks[place] += 1
        return self._looks[place] <= _CAREFUL_LOOKS or bool(self[check].failed)

    def first_failed(self, checks: Iterable[str]) -> str | None:
        return next((check for check in checks if self[check].failed), None)

    @property
    def good(self) -> bool:
        """Nothing failed but a SHOULD, and all that has to be shown was shown."""
        return not self.gaps and all(map(self._is_fine, self.values()))

    def _is_fine(self, mark: Mark) -> bool:
        level = mark.check.level
        fine = {
            CheckOutcome.PASSED: True,
            CheckOutcome.FAILED: level is Level.SHOULD,
            CheckOutcome.NOT_SHOWN: self.is_partial or level is not Level.MUST,
        }
        return fine[mark.outcome]

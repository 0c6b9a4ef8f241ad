"""The transcript of a client that came back, joined out of those of its connections.

A client that comes back is told again what followed the last Scores that it has had (SocketSpec.md
section 5.6). Whatever it had heard of that before has to come again just as it was.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from .plain_client import Fact
from .rules import Foul

Told = tuple[object, ...]

_REGISTRATION = frozenset({"player", "listed", "seated", "back", "end"})
_DECISIONS = frozenset({"play", "deciding", "again"})


def told(facts: Iterable[Fact]) -> list[Told]:
    """What a client was told and what was decided for it, however it came to be decided.

    Its registration and its illegal tries are left out, and so is the first Table message of the
    connection.
    """
    after: list[Told] = []
    tables = 0
    for kind, numbers, _ in facts:
        tables += kind == "table"
        if kind in _REGISTRATION or (kind == "table" and tables == 1):
            continue
        if kind in _DECISIONS:
            choice, status = numbers
            if status < 0:
                continue
            if status == 0 and kind == "again":
                choice = int(choice != 0)
            after.append((kind, status - 1 if status > 0 else choice))
        elif kind == "passing":
            if numbers[-1] == 0:
                after.append(("passed", *numbers[:-1]))
        elif kind == "passed for me":
            after.append(("passed", *numbers))
        else:
            after.append((kind, *numbers))
    return after


def up_to_scores(facts: Sequence[Told]) -> list[Told]:
    last = max((n for n, fact in enumerate(facts) if fact[0] == "scores"), default=-1)
    return list(facts[: last + 1])


def answers(facts: Iterable[Fact]) -> int:
    return sum(fact[0] == "again" for fact in up_to_scores(told(facts)))


class Joined:
    """A client's transcript over all its connections so far."""

    def __init__(self) -> None:
        self.facts: list[Fact] = []
        """As those of one connection, for the referee."""

    def add(self, facts: Sequence[Fact]) -> None:
        """The transcript of the next connection. Raises Foul where it contradicts the others."""
        facts = [fact for fact in facts if fact.kind != "end"]
        table = next((n for n, fact in enumerate(facts) if fact.kind == "table"), None)
        if not any(fact.kind == "table" for fact in self.facts):
            if any(fact.kind == "seated" for fact in facts):
                self.facts = [fact for fact in facts if fact.kind != "back"]
            return
        if table is None:
            return
        scores = [n for n, fact in enumerate(self.facts) if fact.kind == "scores"]
        tables = [n for n, fact in enumerate(self.facts) if fact.kind == "table"]
        cut = 1 + (scores[-1] if scores else tables[0])
        # Both begin with a Table message, which does not count.
        before = told([facts[table], *self.facts[cut:]])
        again = told(facts[table:])
        for first, second in zip(before, again, strict=False):
            if first != second:
                raise Foul(f"{first} came before and {second} after coming back")
        if len(again) >= len(before):
            self.facts[cut:] = facts[table + 1 :]

    @property
    def answers(self) -> int:
        return answers(self.facts)

"""The figures of a soak, and whether it was as it should be."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from hearts_server.journal.lines import games_and_hands
from hearts_server.journal.opening import open_existing
from hearts_server.journal.sqlite import file_archive
from hearts_server.lobby.sessions import FINISHED_KEPT

from .course import ServerLife, Soak
from .figures import Trend, trend
from .samples import MIB, Sample
from .siege import wrong

FIGURES = {
    "memory MiB": (0.05, 8.0),
    "other files": (0.05, 16.0),
    "threads": (0.0, 2.0),
    "other tasks": (0.05, 16.0),
}
"""What has to be flat, and by which part of the mean or by how much it may grow all the same."""
ATTACKED = {"memory MiB": 32.0, "other files": 64.0, "other tasks": 400.0}
"""By how much more a figure may grow while attackers take turns and leave tables behind."""
MOST_DISK = 2.0
"""MiB a minute by which attackers may make the journal grow."""
KEPT = 1000
"""Sessions that a server keeps after their end, so that it tells who comes back how they ended."""
KEPT_MIB = 0.03
"""Memory for one of them."""
SHOWN = (*FIGURES, "files", "tables", "connections", "playing", "log MiB")


@dataclass(frozen=True, slots=True)
class JournalContents:
    """What the journal holds in the end."""

    sessions: int
    unfinished: int
    """Sessions that were not played to their end."""
    hands: int
    bytes: int

    @classmethod
    def read(cls, path: Path) -> JournalContents:
        """Read it, while nothing is written."""

        def number(sql: str) -> int:
            return int(connection.execute(sql).fetchone()[0])

        with (
            contextlib.closing(open_existing(path)) as connection,
            contextlib.closing(file_archive(path)) as archive,
        ):
            going_on = connection.execute("SELECT game_number FROM sessions WHERE ended IS NULL")
            played = [archive.session(game).lines for (game,) in going_on.fetchall()]
            return cls(
                number("SELECT count(*) FROM sessions"),
                number(
                    "SELECT count(*) FROM sessions WHERE ended IS NULL OR why != "
                    "'the players are done'"
                ),
                number("SELECT total(hands) FROM sessions")
                + sum(games_and_hands(list(lines))[1] for lines in played),
                path.stat().st_size,
            )


def trends(
    rows: Sequence[Mapping[str, float]], at: str, more: Mapping[str, float] | None = None
) -> dict[str, Trend]:
    """The trends of the figures that these rows have, ``at`` being the time.

    ``more`` is by how much more than usual a figure may grow.
    """
    found = {}
    for name in SHOWN:
        points = [(row[at], row[name]) for row in rows if name in row]
        if points:
            part, least = FIGURES.get(name, (float("inf"), float("inf")))
            least += (more or {}).get(name, 0.0)
            if name == "memory MiB":
                least += KEPT_MIB * (_kept(rows[-1]) - _kept(rows[0]))
            found[name] = trend([x for x, _ in points], [y for _, y in points], part, least)
    return found


def _kept(row: Mapping[str, float]) -> float:
    return min(KEPT, row["sessions"])


def settled(samples: Sequence[Sample], warm_up: float) -> list[Sample]:
    """The samples after the time in which the server comes to its size.

    The sessions that have ended can be come back to for a while, so they are kept: up to so many,
    or for so long. A run that is too short for that is judged as a whole.
    """
    late = [sample for sample in samples if sample["seconds"] >= warm_up]
    full = [s for s in late if s["sessions"] >= KEPT or s["seconds"] >= FINISHED_KEPT]
    return full if len(full) >= 10 else late


def lives(all_lives: Sequence[ServerLife]) -> list[Sample]:
    """The lives of a server as rows, those left out that ended before they were seen."""
    return [
        {"life": life.number, "ready s": life.ready, **life.figures}
        for life in all_lives
        if life.figures
    ]


def table(found: Mapping[str, Trend]) -> Iterator[str]:
    head = ("", "first tenth", "last tenth", "growth", "allowed", "")
    yield "{:14}{:>13}{:>13}{:>10}{:>10}  {}".format(*head).rstrip()
    for name, one in found.items():
        judged = name in FIGURES
        verdict = ("flat" if one.is_flat else "GROWS") if judged else ""
        allowed = f"{one.allowed:.1f}" if judged else ""
        yield (
            f"{name:14}{one.first:13.1f}{one.last:13.1f}{one.growth:+10.1f}{allowed:>10}  {verdict}"
        ).rstrip()


def growing(found: Mapping[str, Trend]) -> list[str]:
    return [name for name in FIGURES if name in found and not found[name].is_flat]


def figures(soak: Soak, journal: JournalContents | None) -> Iterator[str]:
    """What was done, in lines."""
    counts = soak.counts
    seconds = soak.seconds or 1.0
    yield (
        f"{counts['sessions']:.0f} sessions, {counts['games']:.0f} games and "
        f"{counts['hands']:.0f} hands in {seconds / 60:.1f} min, "
        f"{counts['hands'] / seconds:.1f} hands a second"
    )
    cpu = [sample["CPU seconds"] for sample in soak.samples if "CPU seconds" in sample]
    hands = [sample["hands"] for sample in soak.samples if "CPU seconds" in sample]
    if not soak.lives and len(cpu) > 1 and hands[-1] > hands[0]:
        each = (cpu[-1] - cpu[0]) / (hands[-1] - hands[0])
        yield f"{1000 * each:.1f} ms of CPU a hand in the server"
    if soak.lives:
        ready = sorted(life.ready for life in soak.lives)
        yield (
            f"{len(soak.lives)} kills; a server listened again after "
            f"{ready[len(ready) // 2]:.2f} s (median), {ready[-1]:.2f} s at most"
        )
    back = counts["come-backs"]
    if back:
        yield (
            f"{counts['connections lost']:.0f} connections lost ({counts['drops']:.0f} by the "
            f"clients themselves), {counts['silences']:.0f} silences, {back:.0f} come-backs after "
            f"{counts['seconds away'] / back:.2f} s on average"
        )
    refusals = {what: n for what, n in counts.items() if what.startswith("refused ")}
    told = ", ".join(f"{n:.0f} with {what.split()[1]}" for what, n in sorted(refusals.items()))
    yield f"refusals: {told or 'none'}"
    yield (
        f"tables not begun before a kill: {counts['tables not begun']:.0f}; seats lost before "
        f"their client had heard of them: {counts['seats lost at birth']:.0f}"
    )
    yield (
        f"choices in place of clients: {counts['by clock']:.0f} by the clock, "
        f"{counts['by stand-in']:.0f} by stand-ins"
    )
    if journal is not None:
        each = journal.bytes / journal.hands if journal.hands else 0.0
        yield (
            f"journal: {journal.sessions} sessions, {journal.unfinished} of them not played to "
            f"their end, {journal.hands} hands, {journal.bytes / MIB:.1f} MiB, {each:.0f} bytes a "
            "hand"
        )
    yield f"sessions out of step: {counts['sessions out of step']:.0f}"


def attacked(soak: Soak, stored: JournalContents | None) -> list[str]:
    """What is wrong after attacks, besides what is always wrong."""
    assert soak.siege is not None
    counts = soak.counts
    found = [*wrong(soak.siege.notes)]
    forced = counts["by clock"] + counts["by stand-in"]
    if forced:
        found.append(f"{forced:.0f} choices of good clients were made by others")
    if stored is not None:
        others = stored.hands - counts["hands"]
        grown = others * stored.bytes / stored.hands / MIB if stored.hands else 0.0
        if grown > MOST_DISK * max(1.0, soak.seconds / 60):
            found.append(f"attackers and strangers made the journal {grown:.0f} MiB larger")
    return found


def lost_sessions(soak: Soak, journal: JournalContents | None) -> str:
    """What to say where the journal lacks the end of a session that clients had heard of."""
    if journal is None:
        return ""
    unheard = soak.counts["tables not begun"]
    faulty = soak.counts["sessions out of step"]
    if journal.unfinished > unheard + faulty:
        return (
            f"{journal.unfinished} sessions of the journal have no proper end, and only "
            f"{unheard:.0f} were never heard of"
        )
    return ""

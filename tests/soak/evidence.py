"""What clients saw against what the server's journal says of the same session."""

from __future__ import annotations

import contextlib
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path

from hearts.errors import HeartsError
from hearts.game.record import parse_record
from hearts.settings.table import ConfigError
from hearts_server.journal.archive import Archive
from hearts_server.journal.lines import UnreadableSession
from hearts_server.journal.replay import games_of
from hearts_server.journal.sqlite import file_archive
from hearts_server.journal.store import StoredSession
from hearts_server.postgres.journal import database_archive
from tests.independent.rules import Foul, need, strength, suit_of

from .plan import ConnectionPart

Key = tuple[int, int, str]
"""Hand of the session from 0 (for "again": hands before it), player, and what was chosen."""
MARKS = ("clock", "stand-in")
"""Who may have chosen in place of a client."""


class UnreadableJournal(Exception):
    """The journal cannot be read now; another try may help."""


def load(journal: Path | str, game: int) -> StoredSession:
    """A session of the journal, in a file or a database.

    Raises UnreadableJournal, and Foul where it is not there.
    """
    try:
        with contextlib.closing(opened(journal)) as archive:
            return archive.session(game)
    except UnreadableSession as error:
        raise Foul(f"the journal's session {game}: {error}") from None
    except ConfigError as error:
        raise UnreadableJournal(str(error)) from None


def opened(journal: Path | str) -> Archive:
    """What a journal holds. Raises ConfigError."""
    return file_archive(journal) if isinstance(journal, Path) else database_archive(journal)


def check(stored: StoredSession, players: Mapping[int, Sequence[ConnectionPart]]) -> Counter[str]:
    """Who chose for the clients, by the marks of the journal; "own" without one.

    Every choice that a client knew to be decided has to be in the journal as it was, those that it
    made itself without a mark, and every card that it saw. Raises Foul where one is not.
    """
    try:
        for record in games_of(stored):
            again = parse_record(str(record))
            need(stored.ended is None or again == record, "a record is read back as another one")
    except HeartsError as error:
        raise Foul(f"the journal's session is no record: {error}") from None
    lines = written(stored.lines)
    for player, parts in players.items():
        for part in parts:
            for key, choices in seen(player, part).items():
                stored_choices = lines.get(key, [])
                for n, (text, own) in enumerate(choices):
                    need(n < len(stored_choices), "{}: {} is not in the journal", key, text)
                    line, mark = stored_choices[n]
                    need(
                        line == text,
                        "{}: player {} had {}, the journal {}",
                        key,
                        player,
                        text,
                        line,
                    )
                    need(
                        not own or not mark, "{}: {} was the player's own, not {}", key, text, mark
                    )
    marks: Counter[str] = Counter()
    for (_, player, _), entries in lines.items():
        if player in players:
            marks.update(mark or "own" for _, mark in entries)
    return marks


def written(lines: Sequence[str]) -> dict[Key, list[tuple[str, str]]]:
    """The choices of a journal's lines with their marks, in order."""
    found: dict[Key, list[tuple[str, str]]] = defaultdict(list)
    deals = 0
    for line in lines:
        kind, *words = line.split(" ")
        if kind in ("deal", "hands"):
            deals += 1
        elif kind == "ask-again":
            continue
        else:
            size = 4 if kind == "pass" else 2
            text = " ".join([*sorted(words[1:size])])
            hand = deals if kind == "again" else deals - 1
            found[hand, int(words[0]), kind].append((text, " ".join(words[size:])))
    return found


def seen(me: int, part: ConnectionPart) -> dict[Key, list[tuple[str, bool]]]:
    """What a client knew to be decided, and whether it had chosen that itself."""
    found: dict[Key, list[tuple[str, bool]]] = defaultdict(list)
    hand = part.hands
    cards: list[int] = []
    passed: Sequence[int] = ()
    for kind, numbers, _ in part.facts:
        match kind, numbers:
            case "scores", _:
                hand += 1
            case "hand", _:
                cards = list(numbers)
            case "passing", (*indexes, status):
                if status == 0:
                    passed = indexes
                    found[hand, me, "pass"].append((names(cards, indexes), True))
            case "passed for me", indexes:
                passed = indexes
                found[hand, me, "pass"].append((names(cards, indexes), False))
            case "received", _:
                for index, card in zip(passed, numbers, strict=True):
                    cards[index] = card
            case "saw", (player, card):
                found[hand, player, "play"].append((name(card), False))
            case "play", (index, status) if status >= 0:
                card = cards[status - 1 if status > 0 else index]
                found[hand, me, "play"].append((name(card), status == 0))
            case "deciding", (choice, status) if status >= 0:
                others = status - 1 if status > 0 else choice
                found[hand, me, "moon"].append((("minus", "others")[others], status == 0))
            case "again", (choice, status):
                yes = status - 1 if status > 0 else choice != 0
                found[hand, me, "again"].append(("yes" if yes else "no", status == 0))
    return found


def name(card: int) -> str:
    return "23456789TJQKA"[strength(card)] + "HCDS"[suit_of(card)]


def names(cards: Sequence[int], indexes: Sequence[int]) -> str:
    return " ".join(sorted(name(cards[index]) for index in indexes))


def hands_of(stored: StoredSession) -> int:
    return sum(line.startswith("deal ") for line in stored.lines)


def is_complete(stored: StoredSession) -> bool:
    last = stored.lines[-1].split(" ") if stored.lines else [""]
    return last[0] == "again" and last[2] == "no"

"""The states of SocketSpec.md 2.2, walked through by the clients of the golden transcripts."""

from __future__ import annotations

import re
from collections import Counter

from hearts.session.client_states import NEXT, State
from tests.vectors.test_plain_client import VISITS, PoliteVisit
from tests.vectors.transcript import TranscriptKind, TranscriptLine

from .spec import Row, sections, table

ROWS = table("2.2")
ANY = "any state"
PATTERNS = {
    "`<` Player ID 0-3": r"< Player ID [0-3]",
    "`<` Player ID negative (refused)": r"< refused",
    "`>` Name": r"> Name",
    "`>` option block with a reply": r"> block (?!-2:)",
    "`>` option block -2": r"> block -2:",
    "`>` Process ID": r"> Process ID",
    "`<` reply": r"< reply",
    "`<` refusal": r"< refused",
    "`<` Game number, Game ID, names; ack": r"< Game number",
    "`<` Table; ack": r"< Table:",
    "`<` Your hand; ack": r"< Your hand",
    "`<` Pass 0; ack": r"< Pass: direction 0",
    "`<` Pass 1-3": r"< Pass: direction [123]",
    "`>` three hand indexes": r">> indexes",
    "`<` status -1": r"< status -1",
    "`<` status 0, or 1 with three hand indexes": r"< status [01]",
    "`<` three cards; ack": r"< received",
    "`<` Who leads; ack": r"< Who leads",
    "your turn: `>` hand index": r">> index ",
    "another's turn: `<` card; ack": r"< player \d plays",
    "four cards lie, tricks 1-12: `<` Tallies; ack": r"< Tallies",
    "four cards lie, trick 13: `<` Tallies; ack": r"< Tallies",
    "`<` status negative": r"< status -",
    "`<` status 0 or more": r"< status \d",
    "`<` Moon, decide 0; ack": r"< Moon: .*decide 0",
    "`<` Moon, decide 1": r"< Moon: .*decide 1",
    "`>` 0 or 1": r">> (26|play again)",
    "`<` Scores, bit 0 clear; ack": r"< Scores 0",
    "`<` Scores, bit 0 set, bit 1 clear; ack": r"< Scores 1",
    "`<` Scores, bits 0 and 1 set; ack": r"< Scores 3",
    "`<` status 0, 1 or 2": r"< status [012]",
    "`<` New game 1; ack": r"< New game 1",
    "`<` New game 0; ack": r"< New game 0",
    "`<` end of the stream": r"< end",
}
"""What a row looks like in a transcript: its mark and its comment; bits 0 and 1 of Scores."""


class Walker:
    """A client that knows the table of states and nothing else."""

    def __init__(self) -> None:
        self.state = "start"
        self.used: Counter[tuple[str, str]] = Counter()
        self._acks_owed = 0
        self._tricks = 0

    def walk(self, line: TranscriptLine) -> None:
        text = f"{line.kind.value} {line.comment if line.data else 'end'}"
        if line.comment.startswith("Scores"):
            text = f"< Scores {line.data[-1] & 3}"
        if text == "> ack":
            assert self._acks_owed, f"an ack in state {self.state}"
            self._acks_owed -= 1
            return
        row = self._row(text)
        self.used[row["state"], row["comes or goes"]] += 1
        self._acks_owed += row["comes or goes"].endswith("; ack")
        self.state = row["next state"]

    def _row(self, text: str) -> Row:
        if text.startswith("< status"):
            self.state = _CHOICES.get(self.state, self.state)
        if text.startswith("< Tallies"):
            self._tricks += 1
        found = self._rows_of(self.state, text) or self._rows_of(ANY, text)
        assert len(found) == 1, f"{text!r} in state {self.state}: {found}"
        return found[0]

    def _rows_of(self, state: str, text: str) -> list[Row]:
        return [
            row
            for row in ROWS
            if row["state"] == state
            and re.match(PATTERNS[row["comes or goes"]], text)
            and self._trick_fits(row["comes or goes"])
        ]

    def _trick_fits(self, what: str) -> bool:
        if "Tallies" not in what:
            return True
        return ("trick 13" in what) == (self._tricks % 13 == 0)


_CHOICES = {
    "choose-pass": "pass-status",
    "turn": "play-status",
    "choose-moon": "moon-status",
    "again": "again-status",
}
"""Where a status leads from that comes before the choice was sent (the last words of 2.2)."""


def walked(visit: PoliteVisit) -> Walker:
    walker = Walker()
    for line in visit.lines:
        if "thrown away" in line.comment or line.comment.startswith("what follows"):
            continue
        if not line.data and (line.kind is TranscriptKind.SENT or walker.state == "closed"):
            break
        walker.walk(line)
    return walker


def test_a_transcript_follows_the_table() -> None:
    for visit in VISITS:
        walker = walked(visit)
        ends = [line for line in visit.lines if not line.data]
        assert ends[0].kind is TranscriptKind.SENT or walker.state == "closed"


def test_every_row_is_walked() -> None:
    used: Counter[tuple[str, str]] = Counter()
    for visit in VISITS:
        used += walked(visit).used
    unused = {(row["state"], row["comes or goes"]) for row in ROWS} - set(used)
    assert unused == {
        # A client of good manners does not choose what it knows to be without a meaning.
        ("pass-status", "`<` status -1"),
        ("moon-status", "`<` status -1"),
        # Before that a server lets 256 connections in for those who come back.
        ("start", "`<` Player ID negative (refused)"),
    }


def test_every_state_is_reached_and_left() -> None:
    states = {row["state"] for row in ROWS} - {ANY}
    assert {row["next state"] for row in ROWS} == states - {"start"} | {"closed"}


def test_the_picture_has_the_states_of_the_table() -> None:
    (picture,) = re.findall(r"^```\n(.*?)^```", sections()["2.3"], flags=re.M | re.S)
    words = set(re.findall(r"[a-z]+(?:-[a-z]+)*(?<!-)", picture))
    for row in ROWS:
        if row["state"] != ANY:
            assert row["state"] in words, row["state"]


def test_our_client_has_a_state_for_each() -> None:
    ours = {
        "start": State.PLAYER_ID,
        "reply": State.REASONS_REPLY,
        "wait": State.GAME_NUMBER,
        "table": State.TABLE,
        "hand": State.HAND,
        "pass": State.PASS,
        "pass-status": State.PASS_STATUS,
        "received": State.RECEIVED,
        "lead": State.LEAD,
        "turn": State.CARD,
        "play-status": State.PLAY_STATUS,
        "moon": State.MOON,
        "moon-status": State.MOON_STATUS,
        "scores": State.SCORES,
        "again-status": State.AGAIN_STATUS,
        "new-game": State.NEW_GAME,
        "end": State.END,
        "closed": State.CLOSED,
    }
    sending = {"name", "options", *_CHOICES} - {"turn"}
    assert {row["state"] for row in ROWS} - {ANY} | {"closed"} == set(ours) | sending
    for row in ROWS:
        if row["state"] in ours and row["next state"] in ours and row["next state"] != "closed":
            here, there = ours[row["state"]], ours[row["next state"]]
            assert here is there or there in NEXT[here] or leads(here, there), row


def leads(here: State, there: State) -> bool:
    return any(there in NEXT[between] for between in NEXT[here])

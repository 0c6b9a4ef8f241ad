"""The hands of the transcripts stand up to a referee that shares no code with the project."""

from __future__ import annotations

import struct
from collections import Counter

from tests.independent.plain_client import ClientHabits, Closed, OwnSession, Read, Talk
from tests.independent.referee import Referee

from .test_plain_client import VISITS
from .transcript import TranscriptKind, TranscriptLine


class ScriptReader(OwnSession):
    """An independent client that hears what a transcript has from Table on, and chooses so."""

    def __init__(self, lines: list[TranscriptLine]) -> None:
        super().__init__(ClientHabits())
        self._lines = lines
        self._unread = b""

    def read(self) -> None:
        """Be seated, and hear the rest."""
        while not (line := self._lines.pop(0)).comment.startswith("Game number"):
            pass
        # The ack of the names is the Player ID.
        (self.me,) = struct.unpack(">i", self._lines[0].data or b"\xff" * 4)
        game, game_id = struct.unpack(">2i", line.data[:8])
        self._note("seated", self.me, game, game_id, texts=("", "", "", ""))
        talk = self._games()
        request = next(talk)
        try:
            while True:
                answer = self._receive(request.count) if isinstance(request, Read) else b""
                request = talk.send(answer)
        except (Closed, StopIteration):
            self._note("end")

    def _receive(self, count: int) -> bytes:
        while len(self._unread) < count:
            if not self._lines or not self._lines[0].data:
                raise Closed
            line = self._lines.pop(0)
            if line.kind is TranscriptKind.RECEIVED:
                self._unread += line.data
        data, self._unread = self._unread[:count], self._unread[count:]
        return data

    def _chosen(self, count: int) -> list[int]:
        """The ints that are chosen here; any, if the server chooses."""
        while self._lines and self._lines[0].kind is TranscriptKind.SENT and self._lines[0].data:
            self._lines.pop(0)
        if self._lines and self._lines[0].kind is TranscriptKind.CHOSEN:
            return list(struct.unpack(f">{count}i", self._lines.pop(0).data))
        return list(range(count))

    def _three(self) -> list[int]:
        return self._chosen(3)

    def _card_index(self) -> int:
        return self._chosen(1)[0]

    def _decide(self) -> Talk:
        status = -1
        while status < 0:
            (choice,) = self._chosen(1)
            status = yield from self._int()
            self._note("deciding", choice, status)

    def _play_again(self) -> Talk:
        (choice,) = self._chosen(1)
        self._note("again", choice, (yield from self._int()))


def test_the_referee_agrees() -> None:
    hands = games = forced = 0
    refusals: Counter[int] = Counter()
    shooters: Counter[int] = Counter()
    decisions: Counter[int] = Counter()
    for visit in VISITS:
        comments = [line.comment for line in visit.lines]
        is_seated = any(comment.startswith("Game number") for comment in comments)
        # The referee wants to see a session from its beginning.
        if not is_seated or any(comment.startswith("block -5") for comment in comments):
            continue
        reader = ScriptReader(list(visit.lines))
        reader.read()
        report = Referee({reader.me: reader.facts}).judge()
        hands += report.hands
        games += report.games
        forced += sum(report.forced.values())
        refusals += report.refusals
        shooters.update(report.shooters)
        decisions.update(report.decisions)
    assert hands >= 35
    assert games >= 14
    assert forced >= 9
    assert set(refusals) == {-2, -4, -5, -6, -7}
    assert set(shooters) == {0, 3}
    assert set(decisions) == {0, 1}

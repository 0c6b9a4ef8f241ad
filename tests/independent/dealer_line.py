"""A connection in the dealer dialect: its beginning, its frames one by one (DealerSpec.md 14.1).

What may come at any place in a session is checked here: other players' changes, new rules, the end
of what is past. What has its place in the story of a hand is for `dealer_story.py`.
"""

from __future__ import annotations

from collections.abc import Generator

from . import dealer_frames as p
from . import plain_client as client
from .dealer_frames import Info, ServerFrame, ToldRules, decode, expect
from .plain_client import Closed, Request, Talk, Ticket

Heard = Generator[Request, bytes, ServerFrame]
Answered = Generator[Request, bytes, int]
_PRESENCE = {1: p.AWAY, 2: p.THERE, 3: p.STAND_IN, 4: p.THERE, 6: p.THERE}
"""What the presence is after a change."""
_BEFORE = {1: {p.THERE}, 2: {p.AWAY, p.STAND_IN}, 3: {p.AWAY, p.THERE}, 4: {p.AWAY, p.STAND_IN}}
"""What it was before."""


class DealerLine(client.OwnSession):
    """One connection; `facts` and `frames` grow while it runs."""

    audience = "W"
    """Whose frames it may hear: those for watchers, or those for players too."""
    version = 1

    def __init__(self, settings: client.ClientHabits, ticket: Ticket | None = None) -> None:
        super().__init__(settings, ticket)
        self.frames: list[ServerFrame] = []
        self.people: dict[int, Info] = {}
        self.table_name = ""
        self._agreed: ToldRules | None = None
        """The rules that the next game will have, where players have agreed to others."""
        self._next: ServerFrame | None = None
        self._waits: tuple[int, ...] = ()
        self._taken = 0
        """Frames that had their place in the story."""
        self._past = False
        self._ended = False
        self._played_out = False
        """Whether a computer plays the rest of the hand for everybody."""

    def talk(self) -> Talk:
        """The whole conversation; it ends when the server or the session does."""
        try:
            if (yield from self._enter()) and (yield from self._sit()):
                yield from self._games()
        except Closed:
            self._note("end")

    # -- registration (section 3, 14.2) --

    def _enter(self) -> Generator[Request, bytes, bool]:
        """All up to the Process ID."""
        settings = self.settings
        self.me = yield from self._int()
        if self.me < 0:
            return (yield from self._refused(self.me))
        expect(self.me <= 3, "Player ID {}", self.me)
        self._note("player", self.me)
        yield client.Write(client.string(settings.name))
        blocks = [(-10, bytes(4))] if settings.reasons else []
        if settings.password is not None:
            blocks.append((-7, client.string(settings.password)))
        for tag, payload in [*blocks, (-6, self.version.to_bytes(4, "big", signed=True))]:
            reply = yield from self._block(tag, payload)
            if reply < 0:
                return (yield from self._refused(reply))
            expect(reply == 1, "block {} is answered with {}", tag, reply)
            self._reasons = self._reasons or tag == -10
        if settings.listing:
            if (count := (yield from self._block(-8, b""))) < 0:
                return (yield from self._refused(count))
            expect(count <= 100, "a list of {} tables", count)
            for _ in range(count):
                yield from self._listed_table()
        if (reply := (yield from self._place())) < 0:
            return (yield from self._refused(reply))
        if settings.options is not None:
            yield from self._send(-2, *settings.options)
        yield from self._send(settings.process_id)
        return True

    def _block(self, tag: int, payload: bytes) -> Answered:
        yield client.Write(tag.to_bytes(4, "big", signed=True) + payload)
        return (yield from self._int())

    def _place(self) -> Answered:
        """Blocks -4, -5 and -9; the last reply, or 0."""
        raise NotImplementedError

    def _sit(self) -> Generator[Request, bytes, bool]:
        """All between the Process ID and the first P_NEW_GAME; whether there is a seat."""
        raise NotImplementedError

    def _seated(self, seated: ServerFrame) -> Talk:
        """P_REGISTER_OPPONENTS after P_SEATED."""
        player, game, game_id = seated["player"], seated["game"], seated["game id"]
        expect(player == self.me, "{}, but we are {}", seated, self.me)
        self.table_name = seated["table"]
        self._meet((yield from self._take(p.REGISTER_OPPONENTS)), full=True)
        names = tuple(self.people[player].name for player in range(4))
        self._note("seated", self.me, game, game_id, texts=names)

    def _meet(self, frame: ServerFrame, *, full: bool) -> None:
        infos: tuple[Info, ...] = frame["players"]
        for player, info in enumerate(infos):
            expect(info.player == player, "{}: {} in place {}", frame, info, player)
            expect(bool(info.kind) or not full, "{}: seat {} is free", frame, player)
            self.people[player] = info

    def _turned_away(self, frame: ServerFrame) -> Generator[Request, bytes, bool]:
        self._note("refused", frame["code"], texts=(frame["why"],))
        self._ended = True
        yield from self._peek()
        return False

    def _replay_begins(self) -> Talk:
        frame = yield from self._take(p.REPLAY)
        expect(frame["begins"] == 1, "{}, but the past has not begun", frame)
        self._past = True

    # -- frames --

    def _frame(self) -> Heard:
        kind, sequence, length = yield from self._ints(3)
        expect(0 <= length <= p.MOST_BYTES, "a frame with {} bytes", length)
        data = (yield client.Read(length)) if length else b""
        frame = decode(kind, sequence, data, self._past)
        due = len(self.frames) + 1 if "Y" in self.audience else 0
        expect(sequence == due, "{}, but sequence {} is due", frame, due)
        self.frames.append(frame)
        expect(p.LAYOUTS[kind][1] in self.audience, "{} is not for us", frame)
        expect(not self._ended, "{} after the end", frame)
        present = kind in p.QUERIES or kind in p.NOT_REPEATED
        expect(not (frame.past and present), "{} is told again", frame)
        return frame

    def _peek(self, waits: tuple[int, ...] = ()) -> Heard:
        """The next frame that has its place in the story; `waits` are the states up to then."""
        self._waits = waits
        while self._next is None:
            frame = yield from self._frame()
            if not self._aside(frame) and not (yield from self._react(frame)):
                self._next = frame
        return self._next

    def _take(self, *kinds: int, waits: tuple[int, ...] = ()) -> Heard:
        frame = yield from self._peek(waits)
        due = " or ".join(p.LAYOUTS[kind][0] for kind in kinds)
        expect(frame.type in kinds, "{} came where {} is due", frame, due)
        self._next = None
        self._taken += 1
        return frame

    def _react(self, frame: ServerFrame) -> Generator[Request, bytes, bool]:
        """Do what a frame for us alone, at any place, asks for; whether it is one."""
        yield from ()
        return False

    def _aside(self, frame: ServerFrame) -> bool:
        """Take a frame that may come at any place; whether it is one."""
        if frame.type == p.PLAYER_CHANGE:
            self._change(frame["change"], frame["info"], str(frame))
        elif frame.type == p.NEW_RULES:
            self._agreed = frame["rules"]
        elif frame.type == p.ABORT_GAME:
            self._ended = True
        elif frame.type == p.CLAIM_REST:
            self._played_out = True
        elif frame.type == p.REPLAY and not frame["begins"]:
            expect(self._past, "{}, but no past had begun", frame)
            self._past = False
        else:
            return frame.type == p.SERVER_NOTICE
        return True

    def _change(self, change: int, info: Info, words: str) -> None:
        expect(info.player in self.people, "{} before P_REGISTER_OPPONENTS", words)
        old = self.people[info.player]
        presence = _PRESENCE.get(change, info.presence)
        expect(info.presence == presence, "{}: the presence is not {}", words, presence)
        expect(old.presence in _BEFORE.get(change, range(3)), "{}, but it was {}", words, old)
        if change <= 3 or change == 5:
            # A comment with change 0, the presence with 1 to 3, and nothing else.
            same = old._replace(presence=presence)
            if change == 0:
                expect(old.kind != p.CPU, "{}: a computer", words)
                same = info._replace(name=old.name, presence=old.presence)
            expect(info == same, "{}, but it was {}", words, old)
        expect((change in (4, 5)) == (info.kind == p.CPU), "{}: who plays there?", words)
        self.people[info.player] = info

"""The choices that a client is asked for: one choice, one status (SocketSpec.md section 5.2)."""

from __future__ import annotations

from hearts.errors import LocalProtocolError, Reason, RemoteProtocolError
from hearts.game.events import ChosenBy
from hearts.session.client_events import CaughtUp, ChoiceRefused, YourChoice
from hearts.session.client_states import Conversation, State
from hearts.table.inputs import Question
from hearts.wire.codec import encode_ints


class Choices:
    """The choice that is open, if one is, and whether it belongs to the past."""

    __slots__ = ("_behind", "_open", "_sent", "_talk", "made")

    def __init__(self, talk: Conversation) -> None:
        self._talk = talk
        self._open: Question | None = None
        self._sent = False
        self._behind: int | None = None
        self.made: tuple[int, ...] = ()
        """The latest choice: ours, or the one decided in its place."""

    @property
    def asked(self) -> Question | None:
        """The choice that we have to make now; ``None`` also when it is sent."""
        return None if self._sent or self._behind is not None else self._open

    def ask(self, question: Question, state: State) -> None:
        """A choice is ours; its status is awaited in ``state``."""
        self._open = question
        self._sent = False
        if self._behind is None:
            self._talk.tell(YourChoice(question))
        self._talk.go(state)

    def expect(self, question: Question) -> None:
        if self.asked is not question:
            raise LocalProtocolError(f"a choice of {question.value} is not asked for now")

    def send(self, values: tuple[int, ...]) -> None:
        """Our choice, as it goes over the wire."""
        self.made = values
        self._sent = True
        self._talk.send(encode_ints(*values))

    def is_refused(self, status: int, reasons: frozenset[int]) -> bool:
        """Take a negative status: the choice is open again. Raises RemoteProtocolError."""
        if status >= 0:
            return False
        if status not in reasons or not self._sent:
            raise RemoteProtocolError(f"a status of {status} means nothing here")
        assert self._open is not None
        self._sent = False
        self._talk.tell(ChoiceRefused(self._open, Reason(status)))
        return True

    def settle(self, *decided: int) -> None:
        """The choice is settled; with ``decided`` the server chose. Raises RemoteProtocolError."""
        if not self._sent:
            if not decided:
                raise RemoteProtocolError("a choice was accepted before it was sent")
            # One choice is owed for each status, before any later acknowledgement.
            self._talk.send(encode_ints(*decided))
        if decided:
            self.made = decided
        if self._behind:
            self._behind -= 1
        self._open = None
        self._sent = False

    def settle_yes_or_no(self, status: int) -> tuple[bool, ChosenBy]:
        """The same for a status that is 1 + the decision: return the choice, and who made it."""
        self.settle(*[status - 1] if status else [])
        return self.made == (1,), ChosenBy.CLOCK if status else ChosenBy.PLAYER

    def begin_past(self, decided: int) -> None:
        """A replay begins: ``decided`` of our choices in it, and perhaps more, are decided."""
        self._behind = decided

    def end_past(self) -> bool:
        """End the replay if it is over; True if so. Call it when all that has arrived is read."""
        if self._behind is None or self._behind > 0:
            return False
        self._behind = None
        self._talk.tell(CaughtUp())
        if self._open is not None:
            self._talk.tell(YourChoice(self._open))
        return True

    def close(self) -> None:
        self._open = None

"""The client's side of the plain dialect: bytes in, events out, and the bytes to send.

SocketSpec.md sections 3 to 5. The caller feeds what arrives, takes events until there is ``None``,
and then sends what :meth:`PlainSession.bytes_to_send` gives. Acknowledgements wait there for a
choice that is made meanwhile, so that both leave in one write.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from hearts.errors import LocalProtocolError, Reason, RemoteProtocolError
from hearts.game import events
from hearts.game.cards import Card
from hearts.game.rules import Direction
from hearts.session.client_events import (
    AgainAnswered,
    AnotherGame,
    CaughtUp,
    ChoiceRefused,
    YourChoice,
)
from hearts.session.client_registration import RegistrationRequest, SeatConnection
from hearts.session.client_states import State
from hearts.session.hand import TRICK_SIZE
from hearts.session.messages import HAND_SIZE, Scores, TableInfo
from hearts.session.picture import Picture
from hearts.session.resume_token import ResumeToken
from hearts.table.inputs import Choice, Question
from hearts.wire.codec import encode_int, encode_ints

_PLAY_REASONS: frozenset[int] = frozenset(Reason)
_MEANINGLESS: frozenset[int] = frozenset({-1})


class PlainSession(SeatConnection):
    """One connection to a game server, from the Player ID to the end of the session."""

    speaks_dealer = False
    """The dialect has no words for more than the game."""
    owes_cut = False
    """The dialect has no words for cuts."""

    def __init__(self, request: RegistrationRequest, picture: Picture | None = None) -> None:
        """``picture`` is the one that earlier connections have filled, if there were any.

        Raises LocalProtocolError for a name, table or password that cannot be sent.
        """
        super().__init__(request, picture if picture is not None else Picture())
        self._comes_back = request.come_back is not None
        self._open: Question | None = None
        """The choice that is ours, until it is settled."""
        self._sent = False
        self._behind: int | None = None
        """Our choices of a replay that are decided and not read yet; None after it."""
        self._made: tuple[int, ...] = ()
        """The latest choice: ours, or the one decided in its place."""
        self._hand_number = -1
        self._cards: list[Card] = []
        """The cards of the hand by hand index, with the ones that are played already."""

    def beside(self, said: object = None) -> None:
        """Raise LocalProtocolError: the dialect has no words for anything beside the game."""
        raise LocalProtocolError("the plain dialect has no words for that; use the dealer dialect")

    wish = introduce = answer_beside = show_cut = ping = beside

    @property
    def progress(self) -> ResumeToken | None:
        """The token to come back to our seat; None before we have one and after New game 0."""
        return self._registration.progress

    @property
    def asked(self) -> Question | None:
        return None if self._sent or self._behind is not None else self._open

    @property
    def _is_complete(self) -> bool:
        return self._talk.state is State.END

    def _read(self) -> bool:
        message = self._talk.next_message()
        if message is None:
            return self._end_past()
        handle = _HANDLERS.get(self._talk.state)
        if handle is None:
            self._registration.receive(*message)
        else:
            handle(self, message[0])
        return True

    def close(self) -> None:
        super().close()
        self._open = None

    # Our choices

    def _send_choice(self, choice: Choice, cards: Sequence[Card], *values: int) -> None:
        self._made = (*map(self._cards.index, cards), *values)
        self._sent = True
        self._talk.send(encode_ints(*self._made))

    def _ask(self, question: Question, state: State) -> None:
        """Open a choice of ours; its status is awaited in ``state``."""
        self._open = question
        self._sent = False
        if self._behind is None:
            self._talk.emit(YourChoice(question))
        self._talk.go(state)

    def _is_refused(self, status: int, reasons: frozenset[int]) -> bool:
        """Take a negative status: the choice is open again. Raises RemoteProtocolError."""
        if status >= 0:
            return False
        if status not in reasons or not self._sent:
            raise RemoteProtocolError(f"a status of {status} means nothing here")
        assert self._open is not None
        self._sent = False
        self._talk.emit(ChoiceRefused(self._open, Reason(status)))
        return True

    def _settle(self, *decided: int) -> None:
        """Settle the choice; with ``decided`` the server chose. Raises RemoteProtocolError."""
        if not self._sent:
            if not decided:
                raise RemoteProtocolError("a choice was accepted before it was sent")
            # One choice is owed for each status, before any later acknowledgement.
            self._talk.send(encode_ints(*decided))
        if decided:
            self._made = decided
        if self._behind:
            self._behind -= 1
        self._open = None
        self._sent = False

    def _settle_yes_or_no(self, status: int) -> tuple[bool, events.ChosenBy]:
        """Settle a choice whose status is 1 + the decision; return the choice, and who made it."""
        self._settle(*[status - 1] if status else [])
        by = events.ChosenBy.CLOCK if status else events.ChosenBy.PLAYER
        return self._made == (1,), by

    # A hand

    def _on_table(self, ints: list[int]) -> None:
        table = TableInfo.decode(ints)
        self._acknowledge()
        self._talk.emit(table)
        if self._comes_back:
            self._take_up()
        else:
            self._hand_number = -1
            self._talk.go(State.HAND)

    def _on_hand(self, ints: list[int]) -> None:
        self._cards = [Card.from_wire(number) for number in ints]
        self._hand_number += 1
        self._acknowledge()
        self._talk.go(State.PASS)

    def _acknowledge(self) -> None:
        self._talk.send(encode_int(self.player))

    def _on_pass(self, ints: list[int]) -> None:
        direction = Direction(ints[0])
        self._talk.emit(events.YourHand(self._hand_number, direction, tuple(self._cards)))
        if direction is Direction.HOLD:
            self._acknowledge()
            self._talk.go(State.LEAD)
        else:
            self._ask(Question.PASS, State.PASS_STATUS)

    def _on_pass_status(self, ints: list[int]) -> None:
        (status,) = ints
        if self._is_refused(status, _MEANINGLESS):
            return
        if status == 0:
            self._settle()
            self._passed(events.ChosenBy.PLAYER)
        else:
            self._talk.go(State.PASS_FORCED)

    def _on_pass_forced(self, ints: list[int]) -> None:
        if len(set(ints)) != 3:
            raise RemoteProtocolError("a forced pass is not three different hand indexes")
        self._settle(*ints)
        self._passed(events.ChosenBy.CLOCK)

    def _passed(self, by: events.ChosenBy) -> None:
        passed = tuple(self._cards[index] for index in self._made)
        self._talk.emit(events.PassMade(self.player, passed, by))
        self._talk.go(State.RECEIVED)

    def _on_received(self, ints: list[int]) -> None:
        received = tuple(Card.from_wire(number) for number in ints)
        for index, card in zip(self._made, received, strict=True):
            self._cards[index] = card
        self._acknowledge()
        self._talk.emit(events.CardsReceived(received))
        self._talk.go(State.LEAD)

    def _on_lead(self, ints: list[int]) -> None:
        leader = ints[0]
        self._acknowledge()
        self._talk.emit(events.TrickBegun(leader))
        self._await_card(leader)

    def _await_card(self, player: int) -> None:
        if player == self.player:
            self._ask(Question.CARD, State.PLAY_STATUS)
        else:
            self._talk.go(State.CARD)

    def _played(self, card: Card, by: events.ChosenBy) -> None:
        play = self.picture.hand.play
        assert play is not None
        self._talk.emit(events.CardPlayed(play.turn, card, by))
        if len(play.trick) == TRICK_SIZE - 1:
            self._talk.go(State.TALLIES)
        else:
            self._await_card((play.turn + 1) % TRICK_SIZE)

    def _on_card(self, ints: list[int]) -> None:
        card = Card.from_wire(ints[0])
        self._acknowledge()
        self._played(card, events.ChosenBy.PLAYER)

    def _on_play_status(self, ints: list[int]) -> None:
        (status,) = ints
        if self._is_refused(status, _PLAY_REASONS):
            return
        self._settle(*[status - 1] if status else [])
        self._played(
            self._cards[self._made[0]],
            events.ChosenBy.CLOCK if status else events.ChosenBy.PLAYER,
        )

    def _on_tallies(self, ints: list[int]) -> None:
        winner, a, b, c, d = ints
        self._acknowledge()
        self._talk.emit(events.TrickTaken(winner, (a, b, c, d)))
        self._talk.go(State.MOON if self.picture.hand.begun == HAND_SIZE else State.LEAD)

    def _on_moon(self, ints: list[int]) -> None:
        shooter, decide = ints[0], bool(ints[1])
        if decide and shooter != self.player:
            raise RemoteProtocolError(f"player {shooter} shot the moon, and we are to decide")
        self._talk.emit(events.TricksDone(None if shooter < 0 else shooter, decide))
        if decide:
            self._ask(Question.MOON, State.MOON_STATUS)
        else:
            self._acknowledge()
            self._talk.go(State.SCORES)

    def _on_moon_status(self, ints: list[int]) -> None:
        (status,) = ints
        if self._is_refused(status, _MEANINGLESS):
            return
        on_others, by = self._settle_yes_or_no(status)
        self._talk.emit(events.MoonChosen(self.player, on_others, by))
        self._talk.go(State.SCORES)

    def _on_scores(self, ints: list[int]) -> None:
        scores = Scores.decode(ints)
        self._acknowledge()
        self._talk.emit(scores)
        assert self._registration.progress is not None
        self._registration.progress = self._registration.progress.after(scores)
        self._go_on_after(scores)

    def _go_on_after(self, scores: Scores | None) -> None:
        if scores is None or not scores.winners:
            self._talk.go(State.HAND)
        elif scores.you_decide:
            self._ask(Question.AGAIN, State.AGAIN_STATUS)
        else:
            self._talk.go(State.NEW_GAME)

    def _on_again_status(self, ints: list[int]) -> None:
        self._talk.emit(AgainAnswered(*self._settle_yes_or_no(ints[0])))
        self._talk.go(State.NEW_GAME)

    def _on_new_game(self, ints: list[int]) -> None:
        follows = bool(ints[0])
        self._acknowledge()
        if not follows:
            self._registration.progress = None
        self._talk.emit(AnotherGame(follows))
        self._talk.go(State.TABLE if follows else State.END)

    # Coming back

    def _take_up(self) -> None:
        """Go on if the Scores that we had have left us."""
        progress = self._registration.progress
        assert progress is not None
        self._comes_back = False
        self._behind = self._registration.decided
        self._hand_number = progress.game_hands - 1
        self._go_on_after(progress.latest)

    def _end_past(self) -> bool:
        """End the replay if everything that arrived is read and it is over; return True if so."""
        if self._behind is None or self._behind > 0:
            return False
        self._behind = None
        self._talk.emit(CaughtUp())
        if self._open is not None:
            self._talk.emit(YourChoice(self._open))
        return True


_HANDLERS: dict[State, Callable[[PlainSession, list[int]], None]] = {
    State.TABLE: PlainSession._on_table,
    State.HAND: PlainSession._on_hand,
    State.PASS: PlainSession._on_pass,
    State.PASS_STATUS: PlainSession._on_pass_status,
    State.PASS_FORCED: PlainSession._on_pass_forced,
    State.RECEIVED: PlainSession._on_received,
    State.LEAD: PlainSession._on_lead,
    State.CARD: PlainSession._on_card,
    State.PLAY_STATUS: PlainSession._on_play_status,
    State.TALLIES: PlainSession._on_tallies,
    State.MOON: PlainSession._on_moon,
    State.MOON_STATUS: PlainSession._on_moon_status,
    State.SCORES: PlainSession._on_scores,
    State.AGAIN_STATUS: PlainSession._on_again_status,
    State.NEW_GAME: PlainSession._on_new_game,
}

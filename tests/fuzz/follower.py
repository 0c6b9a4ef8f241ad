"""A client that follows what a server says, remembers how to come back, and chooses."""

from __future__ import annotations

from collections.abc import Callable

from hearts.dealer.client import DealerSession
from hearts.dealer.client_connection import WatcherSession
from hearts.dealer.deal_verifier import DealVerifier
from hearts.errors import RemoteProtocolError
from hearts.game.cards import Card
from hearts.game.events import CardPlayed, CardsReceived, PassMade, TrickTaken, YourHand
from hearts.game.view import View
from hearts.plain.client import PlainSession
from hearts.session import client_events as e
from hearts.session.client_registration import RegistrationRequest
from hearts.session.messages import Scores
from hearts.session.own_cuts import KEY_BYTES, OwnCuts
from hearts.session.resume_token import ResumeToken
from hearts.table.effects import AbortProposed, DealPromised, RulesProposed
from hearts.table.inputs import Question, Vote
from tests.table.desk import lowest

PlayerSession = PlainSession | DealerSession
"""The session of who plays, in either dialect."""


def session_for(request: RegistrationRequest, deals: DealVerifier | None = None) -> PlayerSession:
    return DealerSession(request, deals=deals) if request.dealer else PlainSession(request)


def own_cuts(number: int) -> OwnCuts:
    return OwnCuts(bytes([number + 1]) * KEY_BYTES)


def choose(
    session: PlayerSession, question: Question, pick: Callable[[View], Card], yes: bool
) -> None:
    """Pass the first cards, play what is picked, and say yes or no to the rest."""
    match question:
        case Question.PASS:
            session.pass_cards(session.picture.view().cards[:3])
        case Question.CARD:
            session.play(pick(session.picture.view()))
        case Question.MOON:
            session.choose_moon(yes)
        case Question.AGAIN:
            session.play_again(yes)


class Follower:
    """One client on one connection; as long as it behaves, the server may not confuse it."""

    def __init__(self, session: PlayerSession) -> None:
        self.behaves = True
        """Whether the server was told nothing but what this client says."""
        self.progress: list[ResumeToken] = []
        """What is needed to come back, as it was when seated and after each Scores."""
        self.number = 0
        """That of the deal that was promised last; 0 in the plain dialect."""
        self.deal: tuple[int, YourHand] | None = None
        self.hand: list[object] = []
        """What was heard of the hand under way, whoever decided it."""
        self.complete = False
        """Whether the session came to its end."""
        self.session = session

    def receive(self, data: bytes, *, at_end: bool = False, card: int = 0) -> bytes:
        """Read what came, and choose, with ``card`` perhaps illegally; what is to be sent."""
        session = self.session
        if data:
            session.feed(data)
        if at_end:
            session.feed(b"")
        try:
            while (event := session.next_event()) is not None:
                self._take(event, card)
            if session.owes_cut:
                session.owes_cut = False
                session.show_cut()
        except RemoteProtocolError:
            assert not self.behaves
            session.close()
        cuts = None if session.progress is None else session.progress.cuts
        spoiled = cuts is not None and any(own.is_spoiled for own in cuts.held)
        assert not spoiled or not self.behaves
        return session.bytes_to_send()

    def _take(self, event: e.DealerEvent, card: int) -> None:
        match event:
            case e.Seated():
                self._remember()
            case YourHand():
                self.deal, self.hand = (self.number, event), []
            case DealPromised(number):
                self.number = number
            case PassMade(_, cards):
                self.hand.append(("pass", frozenset(cards)))
            case CardsReceived() | TrickTaken():
                self.hand.append(event)
            case CardPlayed(player, played):
                self.hand.append((player, played))
            case Scores():
                self.hand.append(event.scores)
                self._remember()
            case e.AnotherGame(follows):
                self.complete = not follows
            case e.YourChoice(question):
                self._choose(question, card)
            case e.ChoiceRefused(question):
                self._choose(question, 0)
            case e.SessionEnded(complete):
                assert complete == self.complete
            case e.DealChecked(_, problem):
                assert problem is None
            case RulesProposed() | AbortProposed() if isinstance(self.session, DealerSession):
                self.session.answer_beside(Vote(0, not card & 1))
            case _:
                pass

    def _remember(self) -> None:
        assert self.session.progress is not None
        self.progress.append(self.session.progress)

    def _choose(self, question: Question, card: int) -> None:
        def pick(view: View) -> Card:
            return view.cards[card % len(view.cards)] if card else lowest(view)

        yes = not card & 1
        choose(self.session, question, pick, yes if question is Question.MOON else not yes)

    def check_same_hand(self, before: Follower) -> None:
        if before.behaves and self.deal is not None and self.deal == before.deal:
            assert self.hand[: len(before.hand)] == before.hand


class FollowingWatcher:
    """A watcher, who may not be confused either."""

    def __init__(self, session: WatcherSession) -> None:
        self.behaves = True
        self.session = session
        self.progress: list[ResumeToken] = []
        """A watcher has no seat to come back to."""
        self.complete = False
        self.heard: list[e.DealerEvent | str] = []
        self.data = b""
        """All that came."""

    def receive(self, data: bytes, *, at_end: bool = False, card: int = 0) -> bytes:
        """Read what came; what is to be sent."""
        session = self.session
        self.data += data
        if data:
            session.feed(data)
        if at_end:
            session.feed(b"")
        while (event := session.next_event()) is not None:
            self.heard.append(event)
        return session.bytes_to_send()

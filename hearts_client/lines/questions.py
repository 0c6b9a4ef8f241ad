"""The questions to a person: their words, and the effect of an answer."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, assert_never

from hearts.errors import IllegalAction, Reason
from hearts.game.cards import Card
from hearts.game.game import PASS_SIZE
from hearts.game.scoring import points_by
from hearts.session.picture import Picture
from hearts.table.inputs import Question
from hearts_client.words.narrator import Narrator
from hearts_client.words.style import Style, suit_word
from hearts_client.words.typed import MOON, YES_OR_NO, NotUnderstood, read_cards, read_word

if TYPE_CHECKING:
    from hearts_client.library.client import Client

    from .linked_game import LinkedGame


class Questions:
    """The choices of one person, asked in words and answered in text."""

    def __init__(
        self,
        client: Client | LinkedGame,
        style: Style,
        narrator: Narrator,
        doubt: Callable[[Sequence[Card]], str] = lambda cards: "",
    ) -> None:
        """``doubt`` says why cards should not be chosen yet; empty if they may be."""
        self._client = client
        self._doubt = doubt
        self._style = style
        self._narrator = narrator
        self._choices: list[Card] = []

    def put(self, question: Question, time: str) -> list[str]:
        """Return the lines that ask; ``time`` is a sentence about the time that there is, or
        empty.
        """
        match question:
            case Question.PASS:
                return self._put_pass(time)
            case Question.CARD:
                return self._put_card(time)
            case Question.MOON:
                moon = points_by(self._client.picture.rules).moon
                return [
                    f"{moon} points to each of the others, or {moon} off your own score?",
                    f"Type others or mine.{time}",
                ]
            case Question.AGAIN:
                return [f"Another game? Type yes or no.{time}"]
            case Question.CUT:
                raise AssertionError("the library cuts by itself")
            case _:
                assert_never(question)

    def _put_pass(self, time: str) -> list[str]:
        view = self._client.view
        self._choices = self._style.sorted(view.cards)
        target = self._narrator.name(view.direction.target(view.player))
        return [
            *self._style.numbered(view.cards),
            f"Type the three cards for {target}, by name or by number.{time}",
        ]

    def _put_card(self, time: str) -> list[str]:
        view = self._client.view
        self._choices = self._style.sorted(view.legal_cards)
        led = f", {suit_word(view.trick[0].suit)} were led" if view.trick else ""
        lines = [f"Your turn{led}.{time}"]
        if view.legal != view.hand:
            lines += self._narrator.hand()
        if self._client.can_claim_rest:
            lines.append("All remaining tricks are yours: /claim plays them at once.")
        if len(self._choices) == 1:
            return [*lines, f"You can only play {self._style.card(self._choices[0])}: press Enter."]
        return [*lines, "You can play:", *self._style.numbered(self._choices)]

    async def answer(self, question: Question, text: str) -> bool:
        """Choose what a text says; False for a bare Enter that chooses nothing.

        Raises NotUnderstood, with a text for the person, if that cannot be chosen.
        """
        if not text and (question is not Question.CARD or len(self._choices) != 1):
            return False
        match question:
            case Question.PASS:
                cards = self._three_cards(text)
                self._check(cards)
                await self._client.pass_cards(cards)
            case Question.CARD:
                card = read_cards(text, self._choices, 1)[0] if text else self._choices[0]
                why = why_not(self._client.picture, card, self._style)
                if why is not None:
                    raise NotUnderstood(why)
                self._check([card])
                await self._client.play(card)
            case Question.MOON:
                await self._client.choose_moon(read_word(text, MOON))
            case Question.AGAIN:
                await self._client.play_again(read_word(text, YES_OR_NO))
            case Question.CUT:
                raise AssertionError("the library cuts by itself")
            case _:
                assert_never(question)
        return True

    def _check(self, cards: Sequence[Card]) -> None:
        if why := self._doubt(cards):
            raise NotUnderstood(f"{why} Say it once more to do it all the same")

    def _three_cards(self, text: str) -> list[Card]:
        cards = read_cards(text, self._choices, PASS_SIZE)
        for card in cards:
            if card not in self._choices:
                raise NotUnderstood(f"you do not hold {self._style.card(card)}")
        return cards


def why_not(picture: Picture, card: Card, style: Style) -> str | None:
    """Say why the person on turn cannot play a card; None if they can."""
    try:
        picture.check(card)
    except IllegalAction as error:
        name = style.card(card)
        if error.reason is Reason.NOT_HELD:
            return f"you do not hold {name}"
        why = error.reason.text
        if error.reason is Reason.FOLLOW_SUIT:
            led = suit_word(picture.view().trick[0].suit)
            why = f"{led} were led, and you must follow suit"
        return f"you cannot play {name} now: {why}"
    return None

"""Lets a bot play a whole session over the wire."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from msgspec import Struct
from msgspec.structs import replace

from hearts.bots import Bot, choose_moon
from hearts.dealer.answers import Introduction
from hearts.dealer.client_events import DealerEvent
from hearts.dealer.numbers import PlayerKind
from hearts.errors import HeartsError, IllegalAction, LocalProtocolError
from hearts.game.cards import Card, mask_of
from hearts.game.scoring import Four
from hearts.session.client_events import (
    ChoiceRefused,
    SessionEnded,
    YourChoice,
)
from hearts.session.messages import Options, Scores
from hearts.table import Question, RulesProposed

from .client import DEFAULT_PORT, Client
from .connecting import connect
from .dialects import Dialect
from .reach import Tls
from .retries import RETRY_LIMIT

_BOT = Introduction(PlayerKind.EXTERNAL_CPU)


class BotError(HeartsError):
    """A bot chose something that the rules do not allow; the text says what and why."""


class GameResult(Struct, frozen=True, gc=False):
    """A game that was played to its end."""

    scores: Four
    winners: tuple[int, ...]


class SessionResult(Struct, frozen=True, gc=False):
    """What came of a session."""

    player: int
    """The seat that the bot had, 0-3."""
    names: tuple[str, str, str, str]
    """Empty if the table never had its players."""
    games: tuple[GameResult, ...]
    hands: int
    """Hands that were played to their end."""
    complete: bool
    """Whether the players were done; if not, the connection ended before."""


async def play_session(
    bot: Bot,
    host: str,
    port: int = DEFAULT_PORT,
    *,
    name: str,
    table: str = "",
    options: Options | None = None,
    password: str = "",
    tls: Tls | None = None,
    retry_limit: float = RETRY_LIMIT,
    games: int = 1,
    on_event: Callable[[DealerEvent], None] | None = None,
    dialect: Dialect = Dialect.PLAIN,
    introduction: Introduction = _BOT,
) -> SessionResult:
    """Let a bot play a session; if it is asked, it wants to play ``games`` games.

    ``on_event`` hears every event before the bot chooses. A connection that is lost is made anew,
    until that has failed for ``retry_limit`` seconds; the bot is asked for nothing that is decided
    meanwhile. It agrees to whatever rules are proposed.

    Raises CannotConnect, RegistrationRefused, RemoteProtocolError, and BotError for a choice that
    is not legal.
    """
    async with connect(
        host,
        port,
        name=name,
        table=table,
        options=options,
        password=password,
        tls=tls,
        retry_limit=retry_limit,
        dialect=dialect,
        introduction=introduction,
    ) as client:
        return await play_out(bot, client, games=games, on_event=on_event)


async def play_out(
    bot: Bot,
    client: Client,
    *,
    games: int = 1,
    on_event: Callable[[DealerEvent], None] | None = None,
) -> SessionResult:
    """The same over a connection that is there already."""
    results: list[GameResult] = []
    hands = 0
    complete = False
    refused: set[Card] = set()
    async for event in client:
        if on_event is not None:
            on_event(event)
        match event:
            case YourChoice(Question.AGAIN):
                await client.play_again(len(results) < games)
            case YourChoice(question):
                refused.clear()
                await _choose(bot, client, question, refused)
            case ChoiceRefused(question):
                await _choose(bot, client, question, refused)
            case RulesProposed():
                await client.vote(agreed=True)
            case Scores(scores, winners):
                hands += 1
                if winners:
                    results.append(GameResult(scores, winners))
            case SessionEnded():
                complete = event.complete
            case _:
                pass
    names = ("", "", "", "") if client.seated is None else client.names
    return SessionResult(client.player, names, tuple(results), hands, complete)


async def _choose(bot: Bot, client: Client, question: Question, refused: set[Card]) -> None:
    """Let the bot choose, but for cards that were refused at this choice (section 4.4)."""
    view = client.view
    match question:
        case Question.CARD:
            tried = mask_of(refused)
            if not view.legal & ~tried:
                # The server sees it otherwise than we, and it has the last word.
                await client.play(_another(view.cards, refused))
                return
            card = bot.choose_card(replace(view, legal=view.legal & ~tried))
            try:
                client.picture.check(card)
            except IllegalAction as error:
                raise BotError(
                    f"choose_card gave {card}, which is not legal: {error}. "
                    f"Hand: {_text(view.cards)}; legal: {_text(view.legal_cards)}"
                ) from None
            refused.add(card)
            await client.play(card)
        case Question.PASS:
            cards = tuple(bot.choose_pass(view))
            try:
                await client.pass_cards(cards)
            except LocalProtocolError as error:
                raise BotError(
                    f"choose_pass gave {_text(cards)}, which is not legal: {error}. "
                    f"Hand: {_text(view.cards)}"
                ) from None
        case Question.MOON:
            await client.choose_moon(choose_moon(bot, view))
        case Question.AGAIN:
            raise AssertionError("the caller answers about another game")


def _another(held: Iterable[Card], refused: set[Card]) -> Card:
    """A card that was not refused; any, if all were."""
    held = list(held)
    card = next((card for card in held if card not in refused), held[0])
    refused.add(card)
    return card


def _text(cards: tuple[object, ...]) -> str:
    return " ".join(map(str, cards))

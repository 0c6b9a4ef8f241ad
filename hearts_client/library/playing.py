"""Lets a bot play a whole session over the wire."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import nullcontext

from msgspec import Struct
from msgspec.structs import replace

from hearts.bots import Bot, choose_moon
from hearts.errors import HeartsError, IllegalAction
from hearts.game.cards import Card, mask_of
from hearts.game.scoring import Four
from hearts.game.view import View
from hearts.session.client_events import ChoiceRefused, DealerEvent, SessionEnded, YourChoice
from hearts.session.client_registration import NameProver
from hearts.session.messages import Options, Scores
from hearts.session.table_words import Introduction, PlayerKind
from hearts.table.effects import AbortProposed, RulesProposed, SeatWanted
from hearts.table.inputs import Question

from . import bot_faults as faults
from .call_watch import CallWatch
from .client import DEFAULT_PORT, Client
from .connecting import connect
from .dialects import Dialect
from .reach import Tls
from .retries import RETRY_LIMIT

_BOT = Introduction(PlayerKind.PROGRAM, cuts=True)


class BotError(HeartsError):
    """A bot has raised, or chosen what the rules do not allow; the text is for its author."""


class GameResult(Struct, frozen=True, gc=False):
    """A game that was played to its end."""

    scores: Four
    winners: tuple[int, ...]


class SessionResult(Struct, frozen=True, gc=False):
    """The outcome of a session."""

    player: int
    """The seat that the bot had, 0-3."""
    names: tuple[str, str, str, str]
    """Empty if the table never had its players."""
    games: tuple[GameResult, ...]
    hands: int
    """Hands that were played to their end."""
    complete: bool
    """True if the session ended as it should; False if the connection ended before."""


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
    watch: CallWatch | None = None,
    prover: NameProver | None = None,
) -> SessionResult:
    """Let a bot play a session; if it is asked, it wants to play ``games`` games.

    ``on_event`` hears every event before the bot chooses. A connection that is lost is made anew,
    until that has failed for ``retry_limit`` seconds; the bot is asked for nothing that is decided
    meanwhile. It agrees to whatever rules are proposed. ``watch`` tells of calls of the bot that
    take long; it has to watch this thread. ``prover`` proves that the name is its own.

    Raises CannotConnect, RegistrationRefused, RemoteProtocolError, and BotError for a bot that
    raises, or chooses what is not legal.
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
        prover=prover,
    ) as client:
        return await play_out(bot, client, games=games, on_event=on_event, watch=watch)


async def play_out(
    bot: Bot,
    client: Client,
    *,
    games: int = 1,
    on_event: Callable[[DealerEvent], None] | None = None,
    watch: CallWatch | None = None,
) -> SessionResult:
    """Let a bot play a session over a connection that is there already."""
    results: list[GameResult] = []
    hands = 0
    complete = False
    tried: set[Card] = set()
    async for event in client:
        if on_event is not None:
            on_event(event)
        match event:
            case YourChoice(Question.AGAIN):
                await client.play_again(len(results) < games)
            case YourChoice(question):
                tried.clear()
                await _choose(bot, client, question, tried, watch)
            case ChoiceRefused(question):
                await _choose(bot, client, question, tried, watch)
            case RulesProposed() | AbortProposed():
                await client.vote(agreed=True)
            case SeatWanted():
                await client.give_seat(agreed=False)
            case Scores(scores, winners):
                hands += 1
                if winners:
                    results.append(GameResult(scores, winners))
            case SessionEnded():
                complete = event.complete
    names = ("", "", "", "") if client.seated is None else client.names
    return SessionResult(client.player, names, tuple(results), hands, complete)


async def _choose(
    bot: Bot, client: Client, question: Question, tried: set[Card], watch: CallWatch | None
) -> None:
    """Let the bot choose, but for cards that were refused at this choice (section 4.4)."""
    view = client.view
    match question:
        case Question.CARD:
            view = replace(view, legal=view.legal & ~mask_of(tried))
            if not view.legal:
                # The server sees it otherwise than we, and it has the last word.
                other = next((card for card in view.cards if card not in tried), view.cards[0])
                tried.add(other)
                await client.play(other)
                return
            answer = _answer(bot, client, "choose_card", lambda: bot.choose_card(view), watch)
            wrong = faults.why_no_card(answer, view)
            card = faults.card_of(answer)
            if wrong is not None or card is None:
                held = f"Hand: {_text(view.cards)}; legal: {_text(view.legal_cards)}"
                why = "" if card is None else _reason(client, card)
                raise _error(bot, client, "choose_card", f"{wrong}{why}. {held}")
            tried.add(card)
            await client.play(card)
        case Question.PASS:
            answer = _answer(bot, client, "choose_pass", lambda: _listed(bot, view), watch)
            wrong = faults.why_no_pass(answer, view)
            if wrong is not None or not isinstance(answer, tuple):
                raise _error(bot, client, "choose_pass", f"{wrong}. Hand: {_text(view.cards)}")
            await client.pass_cards(
                [card for each in answer if (card := faults.card_of(each)) is not None]
            )
        case Question.MOON:
            on_others = _answer(bot, client, "choose_moon", lambda: choose_moon(bot, view), watch)
            await client.choose_moon(bool(on_others))
        case Question.AGAIN:
            raise AssertionError("the caller answers about another game")


def _listed(bot: Bot, view: View) -> object:
    cards: object = bot.choose_pass(view)
    return tuple(cards) if isinstance(cards, Iterable) else cards


def _answer(
    bot: Bot,
    client: Client,
    method: str,
    ask: Callable[[], object],
    watch: CallWatch | None,
) -> object:
    try:
        with nullcontext() if watch is None else watch.call(method, _when(client)):
            return ask()
    except Exception as error:
        text = faults.message(method, faults.raised(error), _when(client), faults.line_of(error))
        raise BotError(text) from error


def _error(bot: Bot, client: Client, method: str, what: str) -> BotError:
    return BotError(faults.message(method, what, _when(client), faults.line_of_method(bot, method)))


def _reason(client: Client, card: Card) -> str:
    try:
        client.picture.check(card)
    except IllegalAction as error:
        return f": {error}"
    return ""


def _when(client: Client) -> str:
    # The deal's code is told when its hand is over, so a program does not know it here.
    game = client.credentials.game_number
    deal = f"`hearts-server records show {game}` has the deal"
    return f"{faults.moment(client.view)} of game {game}; {deal}"


def _text(cards: tuple[object, ...]) -> str:
    return " ".join(map(str, cards))

"""Games as a page of HTML to print: score sheets, and hands card by card."""

from __future__ import annotations

from collections.abc import Sequence

from jinja2 import Environment, StrictUndefined
from msgspec import Struct

from hearts.game.cards import Suit, cards_of
from hearts.game.rules import rules_name
from hearts_client.session.replay import GameReplay, HandReplay
from hearts_client.words.others import shown_names
from hearts_client.words.rule_words import points_in_words

_PAGE = """\
<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>Hearts: score sheet</title>
<style>
body { font: 11pt/1.35 serif; margin: 2em auto; max-width: 46em; color: black; }
table { border-collapse: collapse; margin: 0.6em 0; }
th, td { border-bottom: 1px solid gray; padding: 0.15em 0.7em; text-align: right; }
th:first-child, td:first-child { text-align: left; }
.won { font-weight: bold; }
section, tr { break-inside: avoid; }
article + article { break-before: page; }
</style>
</head>
<body>
{% for game in games -%}
<article>
<h1>Hearts: {{ game.names | join(", ") }}</h1>
<p>Rules: {{ game.rules }}. The game ends at {{ game.end }}.</p>
<table>
<tr><th>hand</th><th>pass</th>{% for name in game.names %}<th>{{ name }}</th>{% endfor %}</tr>
{% for hand in game.hands if hand.scores -%}
<tr><td>{{ hand.number }}</td><td>{{ hand.direction }}</td>
{%- for cell in hand.scores %}<td>{{ cell }}</td>{% endfor %}</tr>
{% endfor -%}
<tr><td>end</td><td></td>{% for player in game.standing %}
<td{% if player.won %} class="won"{% endif %}>{{ player.score }}</td>
{%- endfor %}</tr>
</table>
<p>{{ game.outcome }}</p>
{% for hand in game.hands if cards -%}
<section>
<h2>Hand {{ hand.number }}</h2>
{% if hand.deal %}<p>Deal {{ hand.deal }}</p>
{% endif -%}
<table>
{% for name, suits in hand.dealt -%}
<tr><th>{{ name }}</th><td>{{ suits }}</td></tr>
{% endfor -%}
</table>
<table>
<tr><th>trick</th>{% for name in game.names %}<th>{{ name }}</th>{% endfor %}<th>led by</th></tr>
{% for trick in hand.tricks -%}
<tr><td>{{ loop.index }}</td>{% for card in trick.cards %}<td>{{ card }}</td>{% endfor -%}
<td>{{ trick.leader }}</td></tr>
{% endfor -%}
</table>
</section>
{% endfor -%}
</article>
{% endfor -%}
</body>
</html>
"""
_TRICK = 4


class _TrickOnPage(Struct, frozen=True):
    leader: str
    cards: tuple[str, ...]
    """Of players 0-3; empty texts for who has not played."""


class _HandOnPage(Struct, frozen=True):
    number: int
    direction: str
    scores: tuple[str, ...]
    """What the hand added and the score after it; empty if it was not finished."""
    deal: str
    dealt: tuple[tuple[str, str], ...]
    """Each player with his cards before the pass."""
    tricks: tuple[_TrickOnPage, ...]


class _StandingOnPage(Struct, frozen=True):
    score: int
    won: bool


class _GameOnPage(Struct, frozen=True):
    names: tuple[str, ...]
    rules: str
    end: str
    hands: tuple[_HandOnPage, ...]
    standing: tuple[_StandingOnPage, ...]
    outcome: str


def sheet_page(games: Sequence[GameReplay], *, cards: bool) -> str:
    """The page; ``cards`` says whether each hand is on it card by card. Names are escaped."""
    environment = Environment(autoescape=True, undefined=StrictUndefined)
    template = environment.from_string(_PAGE)
    return template.render(games=[_game(game) for game in games], cards=cards) + "\n"


def _game(game: GameReplay) -> _GameOnPage:
    names = shown_names(game.names)
    winners = " and ".join(names[player] for player in game.winners)
    return _GameOnPage(
        names,
        rules_name(game.rules),
        points_in_words(game.end_score),
        tuple(_hand(hand, names) for hand in game.hands),
        tuple(
            _StandingOnPage(score, player in game.winners)
            for player, score in enumerate(game.scores)
        ),
        f"Won by {winners}." if winners else "The game was not finished.",
    )


def _hand(hand: HandReplay, names: Sequence[str]) -> _HandOnPage:
    scores: tuple[str, ...] = ()
    if hand.points is not None and hand.scores is not None:
        scores = tuple(
            f"{points:+} = {score}" for points, score in zip(hand.points, hand.scores, strict=True)
        )
    return _HandOnPage(
        hand.number,
        hand.direction.name.lower(),
        scores,
        hand.deal,
        tuple((name, _by_suit(mask)) for name, mask in zip(names, hand.dealt, strict=True)),
        tuple(_tricks(hand, names)),
    )


def _by_suit(mask: int) -> str:
    held = list(cards_of(mask))
    suits = ([card for card in held if card.suit is suit] for suit in Suit)
    return " \N{MIDDLE DOT} ".join(
        " ".join(card.symbol for card in cards) for cards in suits if cards
    )


def _tricks(hand: HandReplay, names: Sequence[str]) -> list[_TrickOnPage]:
    found = []
    for start in range(0, len(hand.plays), _TRICK):
        plays = hand.plays[start : start + _TRICK]
        cards = {play.player: play.card.symbol for play in plays}
        row = tuple(cards.get(player, "") for player in range(4))
        found.append(_TrickOnPage(names[plays[0].player], row))
    return found

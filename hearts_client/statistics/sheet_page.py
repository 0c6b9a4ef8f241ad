"""Games as a page of HTML to print: score sheets, and hands card by card."""

from __future__ import annotations

from collections.abc import Sequence

from jinja2 import Environment, StrictUndefined

from hearts.game.cards import Suit, cards_of
from hearts.game.rules import rules_name
from hearts_client.par.pars import usual_costs
from hearts_client.session.replay import GameReplay
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
{% for game, names in games -%}
<article>
<h1>Hearts: {{ names | join(", ") }}</h1>
<p>Rules: {{ rules_name(game.rules) }}. The game ends at {{ points(game.end_score) }}.</p>
<table>
<tr><th>hand</th><th>pass</th>{% for name in names %}<th>{{ name }}</th>{% endfor %}</tr>
{% for hand in game.hands if hand.points and hand.scores -%}
<tr><td>{{ hand.number }}</td><td>{{ hand.direction.name | lower }}</td>
{%- for player in range(4) %}
{%- set score = "%+d = %d" | format(hand.points[player], hand.scores[player]) -%}
<td>{{ score }}</td>{% endfor %}</tr>
{% if pars %}<tr><td></td><td>usually</td>
{%- for cost in usual_costs(hand) %}<td>{{ cost }}</td>{% else %}<td>no par</td>{% endfor %}</tr>
{% endif -%}
{% endfor -%}
<tr><td>end</td><td></td>{% for score in game.scores %}
<td{% if loop.index0 in game.winners %} class="won"{% endif %}>{{ score }}</td>
{%- endfor %}</tr>
</table>
<p>{% if game.winners %}Won by {% for player in game.winners -%}
{{ names[player] }}{{ "." if loop.last else " and " }}{% endfor -%}
{% else %}The game was not finished.{% endif %}
{%- if game.is_taken_back %} Choices were taken back.{% endif %}</p>
{% for hand in game.hands if cards -%}
<section>
<h2>Hand {{ hand.number }}</h2>
{% if hand.deal %}<p>Deal {{ hand.deal }}</p>
{% endif -%}
<table>
{% for cards in hand.dealt -%}
<tr><th>{{ names[loop.index0] }}</th><td>{{ by_suit(cards) }}</td></tr>
{% endfor -%}
</table>
<table>
<tr><th>trick</th>{% for name in names %}<th>{{ name }}</th>{% endfor %}<th>led by</th></tr>
{% for trick in hand.plays | batch(4) -%}
<tr><td>{{ loop.index }}</td>{% for player in range(4) %}<td>
{%- for play in trick if play.player == player %}{{ play.card.symbol }}{% endfor -%}
</td>{% endfor -%}
<td>{{ names[trick[0].player] }}</td></tr>
{% endfor -%}
</table>
</section>
{% endfor -%}
</article>
{% endfor -%}
</body>
</html>
"""


def sheet_page(games: Sequence[GameReplay], *, cards: bool, pars: bool = False) -> str:
    """Make the page; with ``cards`` it shows each hand card by card, with ``pars`` what a hand
    usually costs. Names are escaped.
    """
    environment = Environment(autoescape=True, undefined=StrictUndefined)
    environment.globals |= {
        "rules_name": rules_name,
        "points": points_in_words,
        "by_suit": _by_suit,
        "usual_costs": usual_costs,
    }
    template = environment.from_string(_PAGE)
    named = [(game, shown_names(game.names)) for game in games]
    return template.render(games=named, cards=cards, pars=pars) + "\n"


def _by_suit(mask: int) -> str:
    held = list(cards_of(mask))
    suits = ([card for card in held if card.suit is suit] for suit in Suit)
    return " \N{MIDDLE DOT} ".join(
        " ".join(card.symbol for card in cards) for cards in suits if cards
    )

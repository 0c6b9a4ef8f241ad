"""A hand that is over, told in words with all cards open."""

from __future__ import annotations

from hearts.game.cards import cards_of
from hearts.game.rules import rules_name
from hearts_client.session.replay import TRICK_SIZE, HandReplay
from hearts_client.words.others import shown_names
from hearts_client.words.rule_words import points_in_words
from hearts_client.words.story import PASS_WORDS, hand_line
from hearts_client.words.style import Style, table


def replayed_lines(replay: HandReplay, style: Style) -> list[str]:
    """Return the lines of a hand: what was dealt, passed and played, and the points."""
    names = [*shown_names(replay.names)]
    lines = [hand_line(replay.number - 1, PASS_WORDS[replay.direction])]
    end = f"to {points_in_words(replay.end_score)}" if replay.day is None else "the deal of the day"
    lines.append(f"Rules: {rules_name(replay.rules)}, {end}.")
    for player, mask in enumerate(replay.dealt):
        lines.append(f"{names[player]} is dealt {style.hand(cards_of(mask))}")
    for choice in replay.passes:
        target = names[replay.direction.target(choice.player)]
        lines.append(f"{names[choice.player]} passes {style.cards(choice.cards)} to {target}")
    for begin in range(0, len(replay.plays), TRICK_SIZE):
        trick = replay.plays[begin : begin + TRICK_SIZE]
        cards = ", ".join(f"{names[play.player]} {style.card(play.card)}" for play in trick)
        winner = replay.at(replay.before_play + begin + len(trick)).winner
        takes = "" if winner is None else f"; {names[winner]} takes it"
        lines.append(f"Trick {begin // TRICK_SIZE + 1:2}: {cards}{takes}")
    if replay.points is not None:
        lines += table(names, [("points", replay.points)])
    return lines

"""A mistake as a question: the table as it was, and what is said of the answer."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date

from hearts.game.cards import Card
from hearts.game.game import PASS_SIZE
from hearts.game.kernel import HandPlay
from hearts.game.rules import rules_name
from hearts.judging.outlook import Cards, Outlook
from hearts_client.words.opinions import is_worse, verdict_lines
from hearts_client.words.others import shown_names
from hearts_client.words.style import Style
from hearts_client.words.typed import NotUnderstood, read_cards

from .kept import Mistake


def named(mistake: Mistake) -> Callable[[int], str]:
    names = [*shown_names(mistake.names)]
    names[mistake.view.player] = "You"
    return names.__getitem__


def question_lines(mistake: Mistake, style: Style) -> list[str]:
    """Say what the table was like, and ask."""
    view, name = mistake.view, named(mistake)
    when = date.fromordinal(mistake.played).isoformat()
    lines = [f"Hand {view.hand_number + 1} of a game of {when}. Rules: {rules_name(view.rules)}."]
    if view.passed:
        target = name(view.direction.target(view.player))
        line = f"You passed {style.cards(view.passed)} to {target}"
        lines.append(f"{line} and received {style.cards(view.received)}.")
    play = HandPlay([0, 0, 0, 0], view.rules, view.first_leader)
    for number in range(0, len(view.history), 4):
        leader, cards = play.leader, view.history[number : number + 4]
        for card in cards:
            play.play(card)
        shown = ", ".join(
            f"{name((leader + place) % 4)} {style.card(card)}" for place, card in enumerate(cards)
        )
        taken = f"; {name(play.leader)} took it" if len(cards) == 4 else ""
        lines.append(f"Trick {number // 4 + 1}: {shown}{taken}.")
    if any(view.points):
        points = (f"{name(player)} {view.points[player]}" for player in range(4))
        lines.append(f"Points so far: {', '.join(points)}.")
    lines.append(f"Your hand: {style.hand(view.cards)}")
    if view.legal:
        return [*lines, "What do you play?" if view.trick else "You lead. What do you play?"]
    return [*lines, f"Which three cards do you pass to {name(view.direction.target(view.player))}?"]


def read_answer(mistake: Mistake, text: str, style: Style) -> Cards:
    """Return the choice that a text says, in the order of the cards. Raises NotUnderstood."""
    view = mistake.view
    choices = style.sorted(view.legal_cards or view.cards)
    cards = read_cards(text, choices, 1 if view.legal else PASS_SIZE)
    for card in cards:
        if card not in choices:
            raise NotUnderstood(f"you cannot choose {style.card(card)}")
    return tuple(sorted(cards))


def is_right(outlook: Outlook, answer: tuple[Card, ...]) -> bool:
    """Return True if no choice is surely better than an answer."""
    return not is_worse(outlook.of(*answer))


def answer_lines(mistake: Mistake, outlook: Outlook, answer: Cards, style: Style) -> list[str]:
    """Say what an answer costs, and why; ``outlook`` is the mistake's, or has the answer too."""
    lines = ["Right." if is_right(outlook, answer) else "Not the best."]
    if answer == mistake.chosen:
        lines = ["That is what you chose in the game."]
    lines += verdict_lines(mistake.view, outlook, answer, style, named(mistake))
    if answer != mistake.chosen:
        lines.append(f"In the game you chose {style.cards(mistake.chosen)}:")
        chosen = mistake.chosen
        lines += verdict_lines(mistake.view, mistake.outlook, chosen, style, named(mistake))
    return lines


def next_line(mistake: Mistake) -> str:
    return f"It comes again on {date.fromordinal(mistake.due).isoformat()}."

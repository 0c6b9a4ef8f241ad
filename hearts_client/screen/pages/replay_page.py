"""The page on which hands that are over are looked at card by card, around the trick that lies.

What a player does not hold any more stands in round brackets behind what they hold.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from textwrap import wrap

from hearts.bots.swift.par import Par
from hearts.errors import InvalidLink
from hearts.game.cards import SUIT_TEXT, Card, Suit, cards_of
from hearts.game.events import ChosenBy
from hearts.game.rules import Direction, rules_name
from hearts.game.scoring import Four
from hearts.game.view import View
from hearts.judging.outlook import Outlook
from hearts.session.hand_link import SHOWN_BY_LINK
from hearts.wire.text import count_of
from hearts.wire.widths import text_width
from hearts_client.par.par_words import about
from hearts_client.par.pars import Reckon
from hearts_client.screen.input.drawn_page import DrawnPage
from hearts_client.screen.pictures.canvas import Canvas, Ink, LabelledKey, Pen, Theme
from hearts_client.session.analyst import AskCost
from hearts_client.session.replay import PAGE, TRICKS, HandReplay, Moment, choice_at, link_of
from hearts_client.words.opinions import verdict_lines
from hearts_client.words.others import shown_names

WIDTH, HEIGHT = 80, 23
"""Columns and rows of the picture; a larger terminal has it in its middle."""

_SUITS = (Suit.SPADES, Suit.HEARTS, Suit.CLUBS, Suit.DIAMONDS)
_RED = frozenset({Suit.HEARTS, Suit.DIAMONDS})
_HAND_WIDTH = 31
"""Columns of a hand; 13 cards of one suit take them all."""
_NAME_WIDTH = 9
"""Columns of a name where four stand in one line."""
_PLACES = ((25, 12), (1, 7), (25, 2), (49, 7))
"""The places of the hands: at the bottom, left, across, right."""
_CARD_PLACES = ((38, 10), (34, 9), (38, 8), (43, 9))
_REPORT_ROW = 17
_REMARK_ROW = _REPORT_ROW + 1
_DEAL_ROW = 20
_KEYS_ROW = 22
_BY = {
    ChosenBy.PLAYER: "",
    ChosenBy.CLOCK: " (time was up)",
    ChosenBy.STAND_IN: " (a stand-in)",
    ChosenBy.COMPUTER: " (a computer)",
}
_WHERE_TO = {
    Direction.HOLD: "No cards are passed.",
    Direction.LEFT: "Three cards go to the left.",
    Direction.RIGHT: "Three cards go to the right.",
    Direction.ACROSS: "Three cards go across.",
}


class _Picture:
    """The picture of a page in a terminal of at least 80 columns and 23 rows."""

    def __init__(self, page: ReplayPage, theme: Theme, size: tuple[int, int]) -> None:
        self._pen = Pen(size, theme)
        self._left = max(0, (size[0] - WIDTH) // 2)
        self._top = max(0, (size[1] - HEIGHT) // 2)
        self._page = page
        self._replay = replay = page.hand
        self._moment = replay.at(page.position)
        self._style = theme.style
        self._names = list(shown_names(replay.names))
        if replay.own is not None:
            self._names[replay.own] = "You"
        self._bottom = replay.own or 0

    def draw(self) -> Canvas:
        self._draw_head()
        for place in range(4):
            self._draw_hand(place)
        self._draw_trick()
        if self._page.link:
            link = wrap(self._page.link, WIDTH, break_on_hyphens=False)
            for row, line in enumerate([*wrap(SHOWN_BY_LINK, WIDTH), *link], _REPORT_ROW):
                self._put(0, row, line)
        else:
            for row, line in enumerate(self._report(), _REPORT_ROW):
                self._put(1, row, self._pen.cut(line, WIDTH - 2))
            self._draw_deal()
        self._draw_keys()
        return self._pen

    def _put(self, column: int, row: int, text: str, ink: Ink = Ink.TEXT) -> int:
        """Columns and rows are those of the picture."""
        end = self._pen.put(self._left + column, self._top + row, text, ink)
        return end - self._left

    def _player(self, place: int) -> int:
        return (self._bottom + place) % 4

    def _draw_head(self) -> None:
        replay, moment, count = self._replay, self._moment, len(self._page.hands)
        title = f"Replay of hand {replay.number}"
        if count > 1:
            title += f" ({self._page.place + 1} of {count})"
        self._put(1, 0, title, Ink.TITLE)
        where = f"Trick {moment.trick} of {TRICKS}" if moment.trick else "The deal"
        if not moment.trick and moment.is_passed:
            where = "After the pass"
        self._put(WIDTH - 1 - len(where), 0, where, Ink.TITLE)
        rules = f"{_WHERE_TO[replay.direction]} Rules: {rules_name(replay.rules)}"
        self._put(1, 1, self._pen.cut(rules, WIDTH - 2), Ink.DIM)

    # Hands

    def _draw_hand(self, place: int) -> None:
        column, row = _PLACES[place]
        player = self._player(place)
        moment = self._moment
        taken = ""
        if moment.tricks[player]:
            points = count_of(moment.points[player], "point")
            taken = f"  {points}, {count_of(moment.tricks[player], 'trick')}"
        if (par := self._page.par) is not None and self._is_scored and self._replay.points:
            taken = f"  {self._replay.points[player]}, usually {about(par, player)}"
        name = self._pen.cut(self._names[player], _HAND_WIDTH - 1 - len(taken))
        end = self._put(column, row, name, Ink.STRONG)
        self._put(end, row, taken)
        for line, suit in enumerate(_SUITS, row + 1):
            self._draw_suit(column, line, suit, moment.held[player], moment.gone[player])

    def _draw_suit(self, column: int, row: int, suit: Suit, held: int, gone: int) -> None:
        ink = Ink.RED if suit in _RED else Ink.TEXT
        there = _ranks(suit, held & ~gone)
        away = _ranks(suit, gone)
        sign = SUIT_TEXT[suit] if self._style.ascii else suit.symbol
        column = self._put(column, row, sign + " ", ink)
        column = self._put(column, row, there or "-", ink)
        if away:
            self._put(column, row, f" ({away})", Ink.DIM)

    # The trick

    def _draw_trick(self) -> None:
        moment = self._moment
        for play in moment.cards:
            column, row = _CARD_PLACES[(play.player - self._bottom) % 4]
            if play is moment.cards[0]:
                self._put(column - 2, row, self._pen.signs.turn, Ink.TURN)
            ink = Ink.RED if play.card.suit in _RED else Ink.STRONG
            end = self._put(column, row, self._style.card(play.card), ink)
            if play.player == moment.winner:
                self._put(end, row, self._pen.signs.winner, Ink.FLASH)

    # In words

    def _does(self, player: int, verb: str) -> str:
        name = self._pen.cut(self._names[player], 2 * _NAME_WIDTH)
        return f"{name} {verb}" if player == self._replay.own else f"{name} {verb}s"

    def _report(self) -> list[str]:
        replay, position = self._replay, self._page.position
        if not self._moment.cards:
            leads = f"{self._does(replay.leader, 'lead')} the first trick."
            begin = leads if position == replay.before_play else "In brackets: what is passed."
            return [begin, *self._passes()]
        lines = [self._play_line(self._moment)]
        if not self._is_scored:
            lines += self._page.remark
        elif replay.scores is not None:
            if replay.points is not None:
                what = "The hand" if replay.shooter is None else "A moon"
                lines.append(f"{what} adds: {self._each(replay.points)}")
            lines.append(f"Scores: {self._each(replay.scores, replay.winners)}")
        return lines

    @property
    def _is_scored(self) -> bool:
        is_last = self._page.position == self._replay.last
        return is_last and self._replay.scores is not None

    def _passes(self) -> list[str]:
        pieces = []
        for choice in self._replay.passes:
            target = self._replay.direction.target(choice.player)
            names = f"{self._short(choice.player)} to {self._short(target)}"
            pieces.append(f"{names}: {self._style.cards(choice.cards)}{_BY[choice.by]}")
        half = WIDTH // 2
        return [
            one + " " * max(half - text_width(one), 2) + other
            for one, other in zip(pieces[::2], pieces[1::2], strict=True)
        ]

    def _play_line(self, moment: Moment) -> str:
        play = moment.cards[-1]
        line = f"{self._does(play.player, 'play')} {self._style.card(play.card)}{_BY[play.by]}."
        if moment.winner is not None:
            before = self._replay.at(self._page.position - 1)
            gained = moment.points[moment.winner] - before.points[moment.winner]
            line += f" {self._does(moment.winner, 'take')} the trick"
            line += f" with {count_of(gained, 'point')}." if gained else "."
        return line

    def _short(self, player: int) -> str:
        return self._pen.cut(self._names[player], _NAME_WIDTH)

    def _each(self, numbers: Four, winners: Sequence[int] = ()) -> str:
        """Write what each has, from the seat at the bottom on; winners have a sign."""
        return ", ".join(
            f"{self._short(player)} {numbers[player]}"
            + (f" {self._pen.signs.winner}" if player in winners else "")
            for player in map(self._player, range(4))
        )

    # Below

    def _draw_deal(self) -> None:
        if not self._replay.deal:
            self._put(1, _DEAL_ROW, "The deal has no code.", Ink.DIM)
            return
        code, plus, cuts = self._replay.deal.partition("+")
        self._put(1, _DEAL_ROW, f"Deal {code}{plus}", Ink.DIM)
        self._put(6, _DEAL_ROW + 1, cuts, Ink.DIM)

    def _draw_keys(self) -> None:
        page = self._page
        keys = [("left", ""), ("right", "card"), ("up", ""), ("down", "trick")]
        if len(page.hands) > 1:
            keys += [("p", ""), ("n", "hand")]
        if page.can_repeat and self._replay.deal:
            keys.append(("a", "again"))
        keys.append(("k", "link"))
        column = 1
        for key, label in [*keys, ("esc", "back")]:
            column = self._draw_key(column, _KEYS_ROW, LabelledKey(key, label)) + 1 + bool(label)
        has_room = bool(self._moment.cards) and not self._is_scored
        if page.can_explain and not page.remark and not page.link and has_room:
            self._draw_key(1, _REMARK_ROW, LabelledKey("x", "what a bot would have played"))
        if page.can_explain and not page.remark and has_room:
            self._draw_key(1, _REMARK_ROW, LabelledKey("x", "what the card costs"))

    def _draw_key(self, column: int, row: int, key: LabelledKey) -> int:
        return self._pen.key(self._left + column, self._top + row, key) - self._left


def _ranks(suit: Suit, cards: int) -> str:
    """Return the cards of a suit, the ace first."""
    return " ".join(card.symbol[:-1] for card in sorted(cards_of(cards & suit.mask), reverse=True))


_LOOKING = ["It is being looked at..."]
_FORCED = ["No other card could be played."]
_NOBODY = ["There is no answer."]


class ReplayPage(DrawnPage[str | None]):
    """Shows hands from their deals on; gives the text of a deal that is wanted again, or None."""

    def __init__(
        self,
        hands: Sequence[HandReplay],
        theme: Theme,
        *,
        first: int | None = None,
        can_repeat: bool = True,
        ask: AskCost | None = None,
        reckon: Reckon | None = None,
        page: str = PAGE,
    ) -> None:
        """``hands`` are one or more, and ``first`` is the place (from 0) of the one to begin with;
        the last one if nothing is said.

        ``can_repeat`` says whether a deal can be played again from here. ``ask`` asks a bot that
        searches what it thinks of a position, ``reckon`` for the par of a hand; ``page`` is where
        links lead.
        """
        self._page = page
        go, turn = self._go, self._step
        keys: dict[str, Callable[[], object]] = {
            "left": partial(turn, -1),
            "right": partial(turn, 1),
            " ": partial(turn, 1),
            "enter": partial(turn, 1),
            "up": lambda: go(self.hand.previous_trick(self.position)),
            "page up": lambda: go(self.hand.previous_trick(self.position)),
            "down": lambda: go(self.hand.next_trick(self.position)),
            "page down": lambda: go(self.hand.next_trick(self.position)),
            "home": partial(go, 0),
            "end": lambda: go(self.hand.last),
            "n": lambda: self._look_at(self.place + 1),
            "p": lambda: self._look_at(self.place - 1),
            "k": self._turn_link,
            "esc": partial(self.finish, None),
        }
        if ask is not None:
            keys["x"] = self._turn_explaining
        if can_repeat:
            keys["a"] = self._repeat
        super().__init__(keys)
        self.hands = hands
        self.place = len(hands) - 1 if first is None else first
        self.position = 0
        self.can_repeat = can_repeat
        self.can_explain = ask is not None
        self._theme = theme
        self._ask = ask
        self.link = ""  # To the hand, while it is shown.
        self._explains = False
        self._remarks: dict[tuple[int, int], list[str]] = {}
        """The findings about plays, by place and position."""
        self._reckon = reckon
        self._pars: dict[int, Par | None] = {}
        self._look_at(self.place)

    @property
    def hand(self) -> HandReplay:
        return self.hands[self.place]

    @property
    def remark(self) -> list[str]:
        """The findings about the card that was played last, if they were asked for."""
        return self._remarks.get((self.place, self.position), []) if self._explains else []

    @property
    def par(self) -> Par | None:
        """The par of the hand; None while it is not known, or if it has none."""
        return self._pars.get(self.place)

    def draw(self, size: tuple[int, int]) -> Canvas:
        return _Picture(self, self._theme, size).draw()

    def turn_wheel(self, step: int, target: object | None) -> None:
        self._step(step)

    def _step(self, step: int) -> None:
        self._go(self.position + step)

    def _turn_explaining(self) -> None:
        self._explains = not self._explains
        self._explain()

    def _repeat(self) -> None:
        if self.hand.deal:
            self.finish(self.hand.deal)

    def _turn_link(self) -> None:
        try:
            self.link = "" if self.link else link_of(self.hand, self._page)
        except InvalidLink as error:
            self.link = f"There is no link: {error}."

    def _go(self, position: int) -> None:
        self.link = ""
        self.position = max(0, min(position, self.hand.last))
        self._explain()

    def _explain(self) -> None:
        """Find out what a bot would have played, if that is wanted and not known."""
        at = (self.place, self.position)
        if self._explains and self._remarks.get(at, _LOOKING) == _LOOKING:
            choice = choice_at(self.hand, self.position)
            self._remarks[at] = _FORCED if choice is None else _LOOKING
            if choice is not None and self._ask is not None:
                view, card = choice
                self._ask(view, partial(self._receive, at, view, card))

    def _receive(
        self, at: tuple[int, int], view: View, card: Card, outlook: Outlook | None
    ) -> None:
        self._remarks[at] = _NOBODY
        if outlook is not None:
            style, names = self._theme.style, shown_names(self.hand.names)
            self._remarks[at] = verdict_lines(view, outlook, (card,), style, names.__getitem__)
        self.changed()

    def _look_at(self, place: int) -> None:
        if 0 <= place < len(self.hands):
            self.place = place
            self._go(0)
            if self._reckon is not None and place not in self._pars:
                self._reckon(self.hand, partial(self._receive_par, place))

    def _receive_par(self, place: int, par: Par | None) -> None:
        self._pars[place] = par
        self.changed()

"""A game as text: its deals and choices, line by line, which replay into the same game.

A table stores each choice as such a line, and applies it only then. The tests of tables read back
every line that is stored.

A record::

    hearts-record 1
    rules moon=minus
    end 100
    player 0 Ann
    player 1 Moe
    player 2 Larry
    player 3 Curly
    commitment be45cb2605bf36bebde684841a28f0fd43c69850a3dce5fedba69928ee3a8991
    deal 0004-1061-050R-3GG2-8A1C-60T3-GFQG
    pass 0 QS AS KS
    pass 1 2H 3H 4H computer
    ...
    play 2 2C computer
    ...
    moon 0 others
    scores 0 26 26 26

A deal that was cut has ``shown`` behind its code, and a word for each player (:mod:`.cuts`); a
line ``deal CODE cuts HEX`` has the cuts alone.

A hand that the players have broken off ends with the line ``abort``; the next deal has its number.
A mark after a choice says that not the player made it, but clock, stand-in or computer. A
``scores`` line follows each finished hand and is checked when the record is replayed.

A ``commitment`` line stands before a deal and is checked against it (SocketSpec.md section 7.6).
A server's record has one for every deal that follows from a secret; it is no action, so the lines
by which a table moves have none. A record of announcements has no such line before a deal for which
there was none. A record without such lines is complete.

A line below the header that begins with ``# `` is a remark, and is ignored; but with
:data:`TAKEN_BACK` no statistics count the game.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import assert_never

from msgspec import Struct, field

from hearts.errors import CorruptRecord, HeartsError, InvalidRules

from .cards import CARDS, cards_of, four, mask_of
from .cuts import parse_shown
from .deal import NO_CUTS, commitment, deal_code, parse_cuts, parse_deal_code
from .events import AbortHand, Action, ChooseMoon, ChosenBy, Deal, Event, HandScored, Pass, Play
from .game import Game, Phase
from .rules import END_SCORES, Rules, parse_rules
from .scoring import Four

FORMAT_LINE = "hearts-record 1"

REMARK = "# "
"""The beginning of a line that is a remark for people."""
MATCH_REMARK = f"{REMARK}match "
"""The beginning of a remark in which a tournament says which match the next deal is of. Each name
in such a record is that of one program, in whatever seats it sits."""
INFO_REMARK = f"{REMARK}info "
"""The beginning of a remark with what a program has said of the choice in the next line."""

TAKEN_BACK = f"{REMARK}choices were taken back"
"""The remark, below the header, that somebody who played alone has taken choices back. Such a game
is counted in no statistics."""

_HEADER_LINES = 7
COMMITMENT = "commitment "
"""The beginning of the line before a deal."""
_ABORT = "abort"
_DIGEST = re.compile("[0-9a-f]{64}")

_MARKS = {by: f" {by.value}" if by.value else "" for by in ChosenBy}
_BY_MARK = {by.value: by for by in ChosenBy}
_CARD_OF = {str(card): card for card in CARDS}
PLAY_LINES = {
    by: tuple(tuple(f"play {player} {card}{mark}" for card in CARDS) for player in range(4))
    for by, mark in _MARKS.items()
}
"""The line of a play, by its maker, player and card."""
PLAYS = {
    lines[player][card]: Play(player, card, by)
    for by, lines in PLAY_LINES.items()
    for player in range(4)
    for card in CARDS
}
"""Every play by the line that says it."""


class WrongLine(CorruptRecord):
    """A line of a record that cannot be read or is not true."""

    def __init__(self, line: int, what: str) -> None:
        """``line`` counts from 1."""
        super().__init__(f"line {line}: {what}")
        self.line = line
        self.what = what


def format_action(action: Action) -> str:
    """Return an action as one line without a line break."""
    match action:
        case Play(player, card, by):
            return PLAY_LINES[by][player][card]
        case Pass(player, cards, by):
            return f"pass {player} {' '.join(map(str, cards))}{_MARKS[by]}"
        case ChooseMoon(player, on_others, by):
            return f"moon {player} {'others' if on_others else 'minus'}{_MARKS[by]}"
        case Deal(hands, secret, cuts, shown):
            if secret is not None:
                line = f"deal {deal_code(secret)}"
                if shown is not None:
                    return " ".join((line, "shown", *shown.format()))
                return line if cuts == NO_CUTS else f"{line} cuts {cuts.hex()}"
            return "hands " + " ".join("".join(map(str, cards_of(hand))) for hand in hands)
        case AbortHand():
            return _ABORT
        case _:
            assert_never(action)


def parse_action(line: str) -> Action:
    """Return the action of a line. Raises CorruptRecord for any other text."""
    play = PLAYS.get(line)
    if play is not None:
        return play
    words = line.split(" ")
    try:
        match words:
            case ["pass", player, a, b, c, *mark]:
                cards = (_CARD_OF[a], _CARD_OF[b], _CARD_OF[c])
                return Pass(_player(player), cards, _by(mark))
            case ["moon", player, "others" | "minus" as choice, *mark]:
                return ChooseMoon(_player(player), choice == "others", _by(mark))
            case ["deal", code]:
                return Deal.from_secret(parse_deal_code(code))
            case ["deal", code, "cuts", cuts]:
                return Deal.from_secret(parse_deal_code(code), parse_cuts(cuts))
            case ["deal", code, "shown", *words]:
                return Deal.from_shown(parse_deal_code(code), parse_shown(words))
            case ["hands", a, b, c, d]:
                return Deal((_hand(a), _hand(b), _hand(c), _hand(d)))
            case [word] if word == _ABORT:
                return AbortHand()
            case _:
                raise ValueError("not an action")
    except (KeyError, ValueError) as error:
        raise CorruptRecord(f"cannot read {line[:80]!a}: {error}") from None


def _player(text: str) -> int:
    if text not in ("0", "1", "2", "3"):
        raise ValueError("a player is 0 to 3")
    return int(text)


def _by(mark: list[str]) -> ChosenBy:
    if not mark:
        return ChosenBy.PLAYER
    if len(mark) > 1 or not mark[0]:
        raise ValueError("more than one mark")
    return _BY_MARK[mark[0]]


def _hand(text: str) -> int:
    if len(text) != 26:
        raise ValueError("a hand has 13 cards")
    return mask_of(_CARD_OF[text[i : i + 2]] for i in range(0, 26, 2))


class PlayedHand(Struct):
    """One hand of a game, as far as it went: its actions, and their events."""

    before: Four
    """The scores before it."""
    actions: list[Action] = field(default_factory=list)
    events: list[Event] = field(default_factory=list)

    def do(self, game: Game, action: Action) -> None:
        """Do an action in the game of the hand. Raises what Game.check raises."""
        game.check(action)
        self.events += game.apply(action)
        self.actions.append(action)

    @property
    def deal(self) -> Deal:
        deal = self.actions[0]
        assert isinstance(deal, Deal)
        return deal

    @property
    def choices(self) -> list[Pass | Play | ChooseMoon]:
        return [one for one in self.actions if isinstance(one, Pass | Play | ChooseMoon)]

    @property
    def passes(self) -> list[Pass]:
        return [one for one in self.actions if isinstance(one, Pass)]

    @property
    def plays(self) -> list[Play]:
        return [one for one in self.actions if isinstance(one, Play)]

    @property
    def scored(self) -> HandScored | None:
        """The end of it; None if it was not played to its end."""
        last = self.events[-1]
        return last if isinstance(last, HandScored) else None

    @property
    def is_aborted(self) -> bool:
        return isinstance(self.actions[-1], AbortHand)


def hands_of(game: Game, actions: Iterable[Action]) -> Iterator[PlayedHand]:
    """Do actions in a game; give each hand when it is over; the last one may be unfinished.

    If an action may not be done, its hand is given first, and then the error of Game.check is
    raised.
    """
    hand = PlayedHand(game.scores)
    try:
        for action in actions:
            hand.do(game, action)
            if game.phase in (Phase.DEAL, Phase.OVER):
                yield hand
                hand = PlayedHand(game.scores)
    except HeartsError:
        if hand.actions:
            yield hand
        raise
    if hand.actions:
        yield hand


class Record(Struct, frozen=True, gc=False):
    """One game as it was, or as far as it went."""

    rules: Rules
    end_score: int
    names: tuple[str, str, str, str]
    actions: tuple[Action, ...]
    is_taken_back: bool = False
    """True if choices were taken back; they are not among the actions."""

    def __str__(self) -> str:
        """Return the text: with a commitment before each deal, and the scores after each hand."""
        return "".join(f"{line}\n" for line in self._lines())

    def _lines(self) -> Iterator[str]:
        yield from header_lines(self.rules, self.end_score, self.names)
        if self.is_taken_back:
            yield TAKEN_BACK
        for hand in hands_of(self.new_game(), self.actions):
            if hand.deal.secret is not None:
                yield commitment_line(commitment(hand.deal.secret))
            yield from map(format_action, hand.actions)
            if hand.scored is not None:
                yield scores_line(hand.scored.scores)

    def new_game(self) -> Game:
        """Return the game before its first deal."""
        return Game(self.rules, self.end_score)

    def replay(self) -> Game:
        """Return the game after all actions. Raises CorruptRecord if one breaks the rules."""
        game = self.new_game()
        done = 0
        try:
            for hand in hands_of(game, self.actions):
                done += len(hand.actions)
        except HeartsError as error:
            raise CorruptRecord(f"action {done + 1}: {error}") from None
        return game


def header_lines(rules: Rules, end_score: int, names: Sequence[str]) -> list[str]:
    """Return the lines of a record that come before its first deal."""
    return [
        FORMAT_LINE,
        f"rules {rules}",
        f"end {end_score}",
        *(f"player {player} {name}" for player, name in enumerate(names)),
    ]


def scores_line(scores: Four) -> str:
    """Return the line that follows a finished hand."""
    return "scores " + " ".join(map(str, scores))


def commitment_line(digest: bytes) -> str:
    """Return the line that precedes a deal; ``digest`` has 32 bytes."""
    return f"{COMMITMENT}{digest.hex()}"


class Reader:
    """Reads a record line by line and plays its game on the way."""

    def __init__(self, text: str) -> None:
        """Reads the header. Raises CorruptRecord, naming the line, if it is none."""
        lines = text.splitlines()
        if len(lines) < _HEADER_LINES or lines[0] != FORMAT_LINE:
            raise WrongLine(1, f"a record begins with {FORMAT_LINE!r} and has a header")
        rules = _rules(_field(lines, 1, "rules "))
        end_score = _end_score(_field(lines, 2, "end "))
        self.names = four(_field(lines, 3 + n, f"player {n} ") for n in range(4))
        self.game = Game(rules, end_score)
        self.line = _HEADER_LINES
        """The number of the line that was read last, from 1."""
        self.deal_line = 0
        """The line of the deal that was done last."""
        self.is_promised = False
        """True if that deal had a commitment."""
        self.lacks_scores = False
        """True if a hand was finished whose scores have not been read."""
        self._lines = lines[_HEADER_LINES:]
        self._digest: bytes | None = None
        self.is_taken_back = TAKEN_BACK in self._lines
        """True if choices of the game were taken back."""

    def hands(self) -> Iterator[PlayedHand]:
        """Yield each hand, with :attr:`game` at its end; the last hand may be unfinished.

        Raises WrongLine for a line that cannot be read, for an action that the rules do not allow,
        and for scores and commitments that are not those of the game.
        """
        try:
            yield from hands_of(self.game, self._actions())
        except WrongLine:
            raise
        except HeartsError as error:
            raise WrongLine(self.line, str(error)) from None

    def _actions(self) -> Iterator[Action]:
        for line in self._lines:
            self.line += 1
            if line.startswith("scores "):
                if not self.lacks_scores or line != scores_line(self.game.scores):
                    raise CorruptRecord("the scores are not those of the game")
                self.lacks_scores = False
            elif line.startswith(COMMITMENT):
                self._take_commitment(line.removeprefix(COMMITMENT))
            elif not line.startswith(REMARK):
                action = parse_action(line)
                if self.lacks_scores:
                    raise CorruptRecord("the scores of the hand before are missing")
                is_promised = self._check_commitment(action)
                yield action
                if isinstance(action, Deal):
                    self.deal_line, self.is_promised = self.line, is_promised
                is_over = self.game.phase in (Phase.DEAL, Phase.OVER)
                self.lacks_scores = is_over and not isinstance(action, AbortHand)
        if self._digest is not None:
            raise CorruptRecord("no deal follows the commitment")

    def _take_commitment(self, digest: str) -> None:
        if not _DIGEST.fullmatch(digest):
            raise CorruptRecord("a commitment has 64 hexadecimal digits, in lower case")
        if self.lacks_scores:
            raise CorruptRecord("the scores of the hand before are missing")
        if self._digest is not None:
            raise CorruptRecord("a deal has one commitment")
        self._digest = bytes.fromhex(digest)

    def _check_commitment(self, action: Action) -> bool:
        """Return True if there was a commitment. Raises CorruptRecord if it is not that of the
        action.
        """
        digest, self._digest = self._digest, None
        if digest is None:
            return False
        if not isinstance(action, Deal):
            raise CorruptRecord("no deal follows the commitment")
        if action.secret is None:
            raise CorruptRecord("hands that were given directly have no commitment")
        if commitment(action.secret) != digest:
            raise WrongLine(self.line - 1, "the commitment is not that of the deal")
        return True


def parse_record(text: str) -> Record:
    """Read a record and replay it on the way.

    Raises CorruptRecord, naming the line, for text that is no record, for an action that the rules
    do not allow, and for scores and commitments that the game does not give.
    """
    reader = Reader(text)
    actions = tuple(action for hand in reader.hands() for action in hand.actions)
    game = reader.game
    return Record(game.rules, game.end_score, reader.names, actions, reader.is_taken_back)


def records_in(text: str) -> list[tuple[int, str]]:
    """Return each record of a text, with the line where it begins, from 1; blank lines may follow
    each.

    Empty if the text does not begin with a record.
    """
    lines = text.splitlines()
    begins = [index for index, line in enumerate(lines) if line == FORMAT_LINE]
    if not begins or any(line.strip() for line in lines[: begins[0]]):
        return []
    found = []
    for begin, end in zip(begins, [*begins[1:], len(lines)], strict=True):
        while not lines[end - 1].strip():
            end -= 1
        found.append((begin + 1, "\n".join(lines[begin:end])))
    return found


def _field(lines: list[str], index: int, prefix: str) -> str:
    if not lines[index].startswith(prefix):
        raise WrongLine(index + 1, f"it must begin with {prefix!r}")
    return lines[index][len(prefix) :]


def _rules(text: str) -> Rules:
    try:
        return parse_rules(text)
    except InvalidRules as error:
        raise WrongLine(2, str(error)) from None


def _end_score(text: str) -> int:
    if text.isdecimal() and len(text) <= 5 and str(int(text)) == text and int(text) in END_SCORES:
        return int(text)
    raise WrongLine(3, f"a game does not end at {text[:80]!a}")

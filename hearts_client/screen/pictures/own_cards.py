"""Cards that a person has designed, read from a file of TOML. CARDS.md says how one is written.

What is wrong in a file is told with its place, and then there are no such cards: a hand is never
drawn with cards that are not told apart.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Literal

from msgspec import Struct

from hearts.errors import HeartsError
from hearts.game.cards import CARDS, RANK_TEXT, SUIT_TEXT, Card, Suit
from hearts.wire.json_values import InvalidJson, from_plain
from hearts.wire.text import is_legible, is_visible
from hearts.wire.widths import text_width

from .card_art import FaceSize, OwnCards

KIND = ".toml"
_LARGEST = 65536
_MOST = 50
"""Files of a folder that are read, and bytes of one."""
_LONGEST_NAME = 20
_PLACEHOLDER = re.compile(r"\{([^{}]*)\}")
_PLACEHOLDERS = ("rank", "rank>", "suit")


class WrongCards(HeartsError):
    """A file has no cards that can be used; the text gives the place in it, and the reason."""


_Color = Literal["black", "red", "green", "blue"]
_Rows = tuple[str, ...]


class _Colors(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    hearts: _Color = "red"
    clubs: _Color = "black"
    diamonds: _Color = "red"
    spades: _Color = "black"


class _Suits(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    hearts: str = Suit.HEARTS.symbol
    clubs: str = Suit.CLUBS.symbol
    diamonds: str = Suit.DIAMONDS.symbol
    spades: str = Suit.SPADES.symbol


class _Face(Struct, frozen=True, forbid_unknown_fields=True):
    small: _Rows | None = None
    trick: _Rows | None = None
    large: _Rows | None = None


class _CardsFile(Struct, frozen=True, forbid_unknown_fields=True):
    face: _Face
    special: Mapping[str, _Face] = {}
    colors: _Colors = _Colors()
    suits: _Suits = _Suits()
    back: str | None = None


def read_folder(folder: Path | None) -> tuple[dict[str, OwnCards], list[str]]:
    """Return the cards of a folder by their names, and a line for each file that holds no cards."""
    found: dict[str, OwnCards] = {}
    problems = []
    paths = sorted(folder.glob(f"*{KIND}")) if folder is not None else []
    for path in paths[:_MOST]:
        try:
            cards = read_cards(path)
        except WrongCards as error:
            problems.append(f"The cards {path.name} cannot be used: {error}.")
        else:
            found[cards.name] = cards
    return found, problems


def read_cards(path: Path) -> OwnCards:
    """Return the cards of a file, which have its name without the end. Raises WrongCards."""
    name = path.name.removesuffix(KIND)
    try:
        if not is_legible(name) or not is_visible(name) or text_width(name) > _LONGEST_NAME:
            raise WrongCards(f"its name is not legible in {_LONGEST_NAME} columns")
        with path.open("rb") as file:
            data = file.read(_LARGEST + 1)
        if len(data) > _LARGEST:
            raise WrongCards("it is too long")
        return parse_cards(name, data.decode())
    except OSError as error:
        why = error.strerror or str(error)
    except UnicodeDecodeError:
        why = "it is no text in UTF-8"
    except InvalidJson as error:
        why = str(error)
    raise WrongCards(why) from None


def parse_cards(name: str, text: str) -> OwnCards:
    """Return the cards of the text of a file. Raises InvalidJson or WrongCards."""
    # Few people have such a file.
    import tomllib

    try:
        data = tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        raise WrongCards(f"this is no TOML: {error}") from None
    file: _CardsFile = from_plain(data, _CardsFile)
    if file.back is not None:
        _check_sign("back", file.back)
    signs = tuple(getattr(file.suits, suit.name.lower()) for suit in Suit)
    for suit, sign in zip(Suit, signs, strict=True):
        _check_sign(f"suits.{suit.name.lower()}", sign)
    pictures = _pictures(file)
    drawn = _draw_all(pictures, signs)
    in_ascii = _draw_all(pictures, SUIT_TEXT)
    _check_that_they_differ(drawn)
    return OwnCards(
        name,
        drawn,
        in_ascii if all("".join(rows).isascii() for rows in in_ascii.values()) else None,
        {suit: getattr(file.colors, suit.name.lower()) for suit in Suit},
        file.back,
    )


def _check_sign(place: str, sign: str) -> None:
    if not is_legible(sign) or not is_visible(sign) or text_width(sign) != 1:
        raise WrongCards(f"{place}: give one sign of one column")


_Pictures = dict[str, dict[FaceSize, _Rows]]
"""The rows of each size: of all cards under "", and of a rank or card under its name."""


def _pictures(file: _CardsFile) -> _Pictures:
    face = file.face
    if face.small is None:
        raise WrongCards("face: there is no small, which has 5 rows of 5 columns")
    usual = {
        FaceSize.SMALL: face.small,
        FaceSize.TRICK: face.trick or face.small[::2],
        FaceSize.LARGE: face.large or tuple(f" {row} " for row in face.small),
    }
    for size, rows in usual.items():
        _check_rows(f"face.{size.name.lower()}", rows, size)
    pictures = {"": usual}
    for key, special in file.special.items():
        name = _special_name(key)
        if name in pictures:
            raise WrongCards(f"special.{key}: this card has a face already")
        own = {
            size: rows
            for size in FaceSize
            if (rows := getattr(special, size.name.lower())) is not None
        }
        for size, rows in own.items():
            _check_rows(f"special.{key}.{size.name.lower()}", rows, size)
        pictures[name] = own
    return pictures


def _special_name(key: str) -> str:
    rank = key.upper().replace("10", "T", 1)
    if len(rank) == 1 and rank in RANK_TEXT:
        return rank
    try:
        return str(Card.parse(key))
    except ValueError:
        raise WrongCards(f"special.{key}: give a rank, such as Q, or a card, such as QS") from None


def _check_rows(place: str, rows: Sequence[str], size: FaceSize) -> None:
    width, height = size.width - 2, size.height - 2
    if len(rows) != height:
        raise WrongCards(f"{place}: there are {len(rows)} rows, and {height} are needed")
    for number, row in enumerate(rows, 1):
        where = f"{place}, row {number}"
        for wanted in _PLACEHOLDER.findall(row):
            if wanted not in _PLACEHOLDERS:
                known = ", ".join(f"{{{each}}}" for each in _PLACEHOLDERS)
                raise WrongCards(f"{where}: there is no {{{wanted}}}; there are {known}")
        drawn = _draw([row], CARDS[0], SUIT_TEXT[0])[0]
        if not is_legible(drawn):
            raise WrongCards(f"{where}: this row is not legible")
        if (columns := text_width(drawn)) != width:
            raise WrongCards(f"{where}: it has {columns} columns, and {width} are needed")


def _draw(rows: Sequence[str], card: Card, sign: str) -> _Rows:
    rank = RANK_TEXT[card.rank].replace("T", "10")
    texts = {"rank": rank.ljust(2), "rank>": rank.rjust(2), "suit": sign}
    return tuple(_PLACEHOLDER.sub(lambda found: texts[found[1]], row) for row in rows)


def _draw_all(pictures: _Pictures, signs: Sequence[str]) -> dict[tuple[Card, FaceSize], _Rows]:
    return {
        (card, size): _draw(rows, card, signs[card.suit])
        for card in CARDS
        for name in ("", RANK_TEXT[card.rank], str(card))
        for size, rows in pictures.get(name, {}).items()
    }


def _check_that_they_differ(drawn: Mapping[tuple[Card, FaceSize], _Rows]) -> None:
    for size in (FaceSize.SMALL, FaceSize.TRICK, FaceSize.LARGE):
        seen: dict[_Rows, Card] = {}
        for card in CARDS:
            other = seen.setdefault(drawn[card, size], card)
            if other is not card:
                raise WrongCards(
                    f"{size.name.lower()}: {other} and {card} look the same; a face needs "
                    "{rank} and {suit}"
                )

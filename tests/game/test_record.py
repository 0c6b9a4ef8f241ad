"""A game as text: every game reads back and replays, and no other text passes for one."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hearts.errors import CorruptRecord
from hearts.game.cards import CARDS, Card
from hearts.game.cuts import hash_of, shown_cuts
from hearts.game.events import AbortHand, Action, ChooseMoon, ChosenBy, Deal, Pass, Play
from hearts.game.game import Game
from hearts.game.record import (
    Reader,
    Record,
    format_action,
    header_lines,
    parse_action,
    parse_record,
)
from hearts.game.rules import Rules, parse_rules
from hearts.game.stats import statistics_of
from hearts.game.verify import verify_record
from hearts.game.view import view_of
from hearts_client.session.replay import read_replay
from tests.game.games import (
    ALL_RULES,
    SEEDS,
    SHOWN,
    cut_deal_by,
    deal_by,
    faults_of,
    game_by_chance,
    secret_deal_by,
)

NAMES = ("Ann", "Zoë  with spaces ", "player 1 x", "Curly")
CODE = "0004-1061-050R-3GG2-8A1C-60T3-GFQG"
HANDS = (
    "7H2C3C4CQCKC3D6D9DJD6S9SJS 5H6H9HTH7C8C9CJC5D7D5S8SQS "
    "AH2HQHAC5C6CTC4DTDQDAS4STS 3H4H8HJHKHAD2D8DKD2S3S7SKS"
)

VALUE = bytes(range(32))
DIGEST = hash_of(VALUE)
WORD = VALUE.hex()

players = st.integers(0, 3)
marks = st.sampled_from(ChosenBy)
cards = st.sampled_from(CARDS)
actions = st.one_of(
    st.builds(Play, players, cards, marks),
    st.builds(Pass, players, st.tuples(cards, cards, cards), marks),
    st.builds(ChooseMoon, players, st.booleans(), marks),
    st.just(AbortHand()),
    st.binary(min_size=16, max_size=16).map(Deal.from_secret),
    st.builds(Deal.from_shown, st.binary(min_size=16, max_size=16), SHOWN),
    SEEDS.map(lambda seed: game_by_chance(Rules(), seed, 1)[0]),
)


def _lines(rules: str = "pass=never", hands: int = 2) -> list[str]:
    """The lines of a record of some hands."""
    parsed = parse_rules(rules)
    played = game_by_chance(parsed, 7, hands)
    return str(Record(parsed, 100, NAMES, tuple(played))).splitlines()


def _text(lines: list[str]) -> str:
    return "".join(f"{line}\n" for line in lines)


@given(actions)
def test_an_action_reads_back(action: Action) -> None:
    line = format_action(action)
    assert parse_action(line) == action
    assert "\n" not in line
    assert line.isascii()


@pytest.mark.parametrize(
    ("action", "line"),
    [
        (Play(2, Card.parse("2C"), ChosenBy.COMPUTER), "play 2 2C computer"),
        (Play(0, Card.parse("TH")), "play 0 TH"),
        (Play(3, Card.parse("AS"), ChosenBy.CLOCK), "play 3 AS clock"),
        (
            Pass(0, (Card.parse("QS"), Card.parse("AS"), Card.parse("KS")), ChosenBy.STAND_IN),
            "pass 0 QS AS KS stand-in",
        ),
        (ChooseMoon(1, True), "moon 1 others"),
        (ChooseMoon(1, False, ChosenBy.CLOCK), "moon 1 minus clock"),
        (Deal.from_secret(bytes(range(16))), f"deal {CODE}"),
        (
            Deal.from_shown(
                bytes(range(16)), shown_cuts((DIGEST, b"", DIGEST, b""), (b"", b"", VALUE, b""))
            ),
            f"deal {CODE} shown !{DIGEST.hex()} - {WORD} -",
        ),
    ],
)
def test_lines(action: Action, line: str) -> None:
    assert format_action(action) == line
    assert parse_action(line) == action


def test_given_hands_are_the_hands_of_the_code() -> None:
    given_hands, by_code = parse_action(f"hands {HANDS}"), parse_action(f"deal {CODE}")
    assert isinstance(given_hands, Deal)
    assert isinstance(by_code, Deal)
    assert given_hands.hands == by_code.hands


@pytest.mark.parametrize(
    "line",
    [
        "",
        "play",
        "play 0",
        "play 4 2C",
        "play -1 2C",
        "play 0 2c",
        "play 0 10C",
        "play 0  2C",
        "play 0 2C ",
        " play 0 2C",
        "play 0 2C robot",
        "play 0 2C clock clock",
        "play ٠ 2C",
        "pass 0 2C 3C",
        "pass 0 2C 3C 4C 5C",
        "pass 5 2C 3C 4C",
        "pass 0 2C 3C XX",
        "pass 0 2C 3C 4C ",
        "moon 0",
        "moon 0 us",
        "moon x others",
        f"deal {CODE[:-1]}",
        f"deal {CODE[:-1]}H",
        f"hands {HANDS[:-2]}",
        f"hands {HANDS[:-1]}X",
        f"hands {HANDS}2C",
        f"hands {HANDS} {HANDS[:26]}",
        f"deal {CODE} shown",
        f"deal {CODE} shown - - -",
        f"deal {CODE} shown - - - - -",
        f"deal {CODE} shown - !- - -",
        f"deal {CODE} shown - ! - -",
        f"deal {CODE} shown - - - {WORD[:-2]}",
        f"deal {CODE} shown - - - {WORD}00",
        f"deal {CODE} shown - - - {WORD.upper()}",
        f"deal {CODE} shown - - - {WORD}\n",
        f"deal {CODE} shown - - - -{WORD}",
        f"deal {CODE} shown - - - !!{WORD[1:]}",
        f"deal {CODE} shown - - - {64 * '0'}",
        f"deal {CODE} shown - - - !{64 * '0'}",
        f"deal {CODE} shown - - - - clock",
        "scores 0 0 0 0",
        "x" * 100_000,
    ],
)
def test_any_other_line_is_refused(line: str) -> None:
    with pytest.raises(CorruptRecord, match="cannot read") as refused:
        parse_action(line)
    assert len(str(refused.value)) < 300


@given(ALL_RULES, SEEDS, st.integers(1, 10_000), st.integers(0, 200), st.booleans())
def test_a_game_reads_back_and_replays(
    rules: Rules, seed: int, end: int, length: int, is_cut: bool
) -> None:
    deal = cut_deal_by if is_cut else deal_by
    played = tuple(game_by_chance(rules, seed, 3, end, deal)[:length])
    record = Record(rules, end, NAMES, played)
    text = str(record)
    assert parse_record(text) == record
    assert str(parse_record(text)) == text
    game, again = Game(rules, end), record.replay()
    for action in played:
        game.apply(action)
    assert faults_of(again) == []
    assert (again.phase, again.scores, again.winners) == (game.phase, game.scores, game.winners)
    if played:
        assert [view_of(again, p) for p in range(4)] == [view_of(game, p) for p in range(4)]


def test_header() -> None:
    assert _lines()[:7] == [
        "hearts-record 1",
        "rules pass=never",
        "end 100",
        "player 0 Ann",
        "player 1 Zoë  with spaces ",
        "player 2 player 1 x",
        "player 3 Curly",
    ]
    assert header_lines(parse_rules("jack"), 50, NAMES)[1:3] == ["rules jack", "end 50"]


@pytest.mark.parametrize(
    ("index", "line", "message"),
    [
        (0, "hearts-record 2", "line 1: a record begins with 'hearts-record 1'"),
        (1, "rules moon=blue", "'moon=blue' is no rule"),
        (1, "rule jack", "line 2: it must begin with 'rules '"),
        (2, "end 0", "line 3: a game does not end at '0'"),
        (2, "end 10001", "line 3: a game does not end at '10001'"),
        (2, "end -5", "line 3: a game does not end at '-5'"),
        (2, "end 1_00", "line 3: a game does not end at '1_00'"),
        (2, "end 0100", "line 3: a game does not end at '0100'"),
        (2, "end " + "9" * 5000, "line 3: a game does not end at '999"),
        (3, "player 1 Ann", "line 4: it must begin with 'player 0 '"),
        (6, "player 3", "line 7: it must begin with 'player 3 '"),
        (7, "play 0 2C", "line 8: player 0 is not on turn"),
        (7, "scores 0 0 0 0", "line 8: the scores are not those of the game"),
        (8, "", "line 9: cannot read ''"),
        (8, "pass 0 2C 3C 4C", "line 9: nobody was asked for a Pass in phase play"),
        (8, f"deal {CODE}", "line 9: nobody was asked for a Deal in phase play"),
        (60, "scores 1 2 3 4", "line 61: the scores are not those of the game"),
    ],
)
def test_a_wrong_line_is_named(index: int, line: str, message: str) -> None:
    lines = _lines()
    lines[index] = line
    with pytest.raises(CorruptRecord, match=message):
        parse_record(_text(lines))


PROMISE = "be45cb2605bf36bebde684841a28f0fd43c69850a3dce5fedba69928ee3a8991"


def test_a_commitment_stands_before_each_deal_that_has_a_secret() -> None:
    deal = Deal.from_secret(bytes(range(16)))
    record = Record(parse_rules("pass=never"), 100, NAMES, (deal,))
    lines = str(record).splitlines()
    assert lines[7:] == [f"commitment {PROMISE}", f"deal {CODE}"]
    assert parse_record(_text(lines)) == record
    without = [*lines[:7], lines[8]]
    assert parse_record(_text(without)) == record
    given_hands = Record(record.rules, 100, NAMES, (Deal(deal.hands),))
    (line,) = str(given_hands).splitlines()[7:]
    assert line.startswith("hands ")


@given(SEEDS, st.integers(1, 3))
def test_a_record_with_secrets_reads_back(seed: int, hands: int) -> None:
    rules = parse_rules("moon=choice")
    played = game_by_chance(rules, seed, hands, 100, secret_deal_by)
    record = Record(rules, 100, NAMES, tuple(played))
    text = str(record)
    assert text.count("\ncommitment ") == text.count("\ndeal ") > 0
    assert parse_record(text) == record
    bare = "".join(line for line in text.splitlines(True) if not line.startswith("commitment"))
    assert parse_record(bare) == record


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ([f"commitment {'0' * 64}", f"deal {CODE}"], "line 8: the commitment is not that of"),
        ([f"commitment {PROMISE.upper()}", f"deal {CODE}"], "line 8: a commitment has 64 hex"),
        ([f"commitment {PROMISE}0", f"deal {CODE}"], "line 8: a commitment has 64 hex"),
        ([f"commitment {PROMISE} ", f"deal {CODE}"], "line 8: a commitment has 64 hex"),
        (["commitment", f"deal {CODE}"], "line 8: cannot read 'commitment'"),
        ([f"commitment {PROMISE}"], "line 8: no deal follows the commitment"),
        ([f"commitment {PROMISE}"] * 2, "line 9: a deal has one commitment"),
        ([f"commitment {PROMISE}", "play 0 2C"], "line 9: no deal follows the commitment"),
        ([f"commitment {PROMISE}", "scores 0 0 0 0"], "line 9: the scores are not those"),
        ([f"commitment {PROMISE}", f"hands {HANDS}"], "line 9: hands that were given directly"),
        ([f"deal {CODE}", f"commitment {PROMISE}"], "line 9: no deal follows the commitment"),
        ([f"deal {CODE}", f"commitment {PROMISE}", "play 0 2C"], "line 10: no deal follows"),
    ],
)
def test_a_wrong_commitment_is_named(lines: list[str], message: str) -> None:
    with pytest.raises(CorruptRecord, match=message):
        parse_record(_text([*_lines()[:7], *lines]))


def test_a_commitment_comes_after_the_scores() -> None:
    lines = _lines()
    assert lines[60].startswith("scores ")
    lines.insert(60, f"commitment {PROMISE}")
    with pytest.raises(CorruptRecord, match="line 61: the scores of the hand before are missing"):
        parse_record(_text(lines))


def test_scores_between_hands_must_be_there() -> None:
    lines = _lines()
    assert lines[60].startswith("scores ")
    del lines[60]
    with pytest.raises(CorruptRecord, match="line 61: the scores of the hand before are missing"):
        parse_record(_text(lines))


def test_scores_come_once() -> None:
    lines = _lines()
    lines.insert(60, lines[60])
    with pytest.raises(CorruptRecord, match="line 62: the scores are not those of the game"):
        parse_record(_text(lines))


def test_a_record_may_stop_before_the_last_scores() -> None:
    lines = _lines(hands=1)
    assert lines[-1].startswith("scores ")
    assert (
        parse_record(_text(lines[:-1])).replay().scores
        == parse_record(_text(lines)).replay().scores
    )


@pytest.mark.parametrize("count", range(7))
def test_a_record_has_a_whole_header(count: int) -> None:
    with pytest.raises(CorruptRecord, match="line 1: a record begins"):
        parse_record(_text(_lines()[:count]))


def test_an_illegal_card_is_refused() -> None:
    lines = _lines()
    owner = lines[9].split(" ")[1]
    hand = lines[7].split(" ")[1 + int(owner)]
    lead = lines[8].split(" ")[2]
    wrong = next(hand[i : i + 2] for i in range(0, 26, 2) if hand[i + 1] != lead[1])
    follows = any(hand[i + 1] == lead[1] for i in range(0, 26, 2))
    assert follows
    lines[9] = f"play {owner} {wrong}"
    with pytest.raises(CorruptRecord, match="line 10: you must follow suit"):
        parse_record(_text(lines))


def test_replay_refuses_what_the_rules_refuse() -> None:
    rules = parse_rules("pass=never")
    played = game_by_chance(rules, 7, 1)
    played[5], played[6] = played[6], played[5]
    with pytest.raises(CorruptRecord, match="action 6: "):
        Record(rules, 100, NAMES, tuple(played)).replay()


RECORD = str(Record(Rules(), 100, NAMES, tuple(game_by_chance(Rules(), 3, 2))))


@given(st.data())
def test_a_damaged_record_is_refused_or_still_a_game(data: st.DataObject) -> None:
    """Bytes exchanged, lines lost or doubled: never another error, never an impossible state."""
    source = random.Random(data.draw(SEEDS))
    text = RECORD
    for _ in range(data.draw(st.integers(1, 3))):
        place = source.randrange(len(text))
        kind = data.draw(st.sampled_from(["character", "line", "cut", "double"]))
        if kind == "character":
            text = text[:place] + source.choice("0123456789ACDHJKQST pdx\n") + text[place + 1 :]
        elif kind == "cut":
            text = text[:place]
        else:
            lines = text.splitlines(keepends=True)
            index = source.randrange(len(lines))
            lines[index : index + 1] = [lines[index]] * (2 if kind == "double" else 0)
            text = "".join(lines)
        if not text:
            break
    try:
        record = parse_record(text)
    except CorruptRecord:
        return
    assert faults_of(record.replay()) == []
    assert parse_record(str(record)) == record


@given(ALL_RULES, SEEDS, st.integers(1, 57))
def test_a_hand_that_was_broken_off_counts_for_nothing(
    rules: Rules, seed: int, length: int
) -> None:
    hand = game_by_chance(rules, seed, 1, deal=secret_deal_by)
    broken_off = hand[: min(length, len(hand) - 1)]
    whole = Record(rules, 100, NAMES, tuple(hand))
    record = Record(rules, 100, NAMES, (*broken_off, AbortHand(), *hand))
    text = str(record)
    assert parse_record(text) == record
    assert record.replay().scores == whole.replay().scores
    assert statistics_of(Reader(text), 1) == statistics_of(Reader(str(whole)), 1)
    report = verify_record(text)
    assert report.problem is None
    assert [(deal.aborted, deal.scored) for deal in report.deals] == [(True, False), (False, True)]
    replayed, again = read_replay(text), read_replay(str(whole))
    assert replayed == again


@pytest.mark.parametrize("before", [0, None])
def test_only_a_hand_under_way_is_broken_off(before: int | None) -> None:
    lines = _lines(hands=1)[:before]
    text = _text([*(lines or _lines(hands=1)[:7]), "abort"])
    with pytest.raises(CorruptRecord, match="nobody was asked for a AbortHand"):
        parse_record(text)


def test_a_remark_is_read_over_below_the_header() -> None:
    record = Record(Rules(), 100, NAMES, (Deal.from_secret(bytes(16)),))
    lines = str(record).splitlines()
    lines.insert(7, "# match 7 block 1")
    assert parse_record("\n".join(lines)) == record
    with pytest.raises(CorruptRecord, match="line 2"):
        parse_record("\n".join([lines[0], "# too early", *lines[1:]]))

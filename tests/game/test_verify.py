"""Records that are checked: what the report counts, and that nothing changed passes for right."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hearts.errors import CorruptRecord
from hearts.game.cards import CARDS
from hearts.game.deal import commitment, deal_code
from hearts.game.events import Action, ChooseMoon, ChosenBy, Deal, Pass, Play
from hearts.game.record import Record
from hearts.game.rules import Rules, parse_rules
from hearts.game.verify import DealReport, Problem, Proof, Report, verify_record, verify_records
from tests.game.games import ALL_RULES, SEEDS, cut_deal_by, game_by_chance, secret_deal_by

NAMES = ("Ann", "Zoë", "", "Curly")
OTHER = bytes(range(16))


def _record(
    rules: Rules, seed: int, hands: int, end_score: int = 100, *, is_cut: bool = False
) -> Record:
    deal = cut_deal_by if is_cut else secret_deal_by
    played = game_by_chance(rules, seed, hands, end_score, deal)
    return Record(rules, end_score, NAMES, tuple(played))


def _problem(lines: list[str]) -> Problem | None:
    return verify_record("".join(f"{line}\n" for line in lines)).problem


LINES = str(_record(Rules(), 3, 2)).splitlines()
HEADER = 7
PLACES = {
    kind: [i for i, line in enumerate(LINES) if line.startswith(f"{kind} ")]
    for kind in ("commitment", "deal", "pass", "play", "scores")
}


@given(ALL_RULES, SEEDS, st.booleans())
def test_a_whole_game_is_right(rules: Rules, seed: int, is_cut: bool) -> None:
    record = _record(rules, seed, 100, 60, is_cut=is_cut)
    game = record.replay()
    report = verify_record(str(record))
    assert report.problem is None
    assert (report.names, report.rules, report.end_score) == (NAMES, rules, 60)
    assert (report.scores, report.winners) == (game.scores, game.winners)
    assert len(report.deals) == game.hand_number + 1
    for number, deal in enumerate(report.deals, 1):
        cards = 0 if rules.direction(number - 1).value == 0 else 12
        assert deal.number == number
        assert deal.points is not None
        assert deal.passed == cards
        assert (deal.plays, deal.scored) == (52, True)
        assert deal.proof is Proof.COMMITMENT
    expected = [0] * 4
    for action in record.actions:
        if isinstance(action, Pass | Play | ChooseMoon):
            expected[action.player] += 1
    assert [choices.total() for choices in report.choices] == expected


def _marked(actions: tuple[Action, ...]) -> Iterator[Action]:
    marks = [ChosenBy.PLAYER, ChosenBy.CLOCK, ChosenBy.STAND_IN, ChosenBy.COMPUTER]
    for action in actions:
        match action:
            case Pass(player, cards):
                yield Pass(player, cards, marks[player])
            case Play(player, card):
                yield Play(player, card, marks[player] if card % 2 else ChosenBy.PLAYER)
            case ChooseMoon(player, on_others):
                yield ChooseMoon(player, on_others)
            case _:
                yield action


def test_who_chose_is_counted() -> None:
    record = _record(Rules(), 3, 1)
    marked = Record(record.rules, 100, NAMES, tuple(_marked(record.actions)))
    report = verify_record(str(marked))
    assert report.choices[0] == Counter({ChosenBy.PLAYER: 14})
    for player, by in ((1, ChosenBy.CLOCK), (2, ChosenBy.STAND_IN), (3, ChosenBy.COMPUTER)):
        odd = sum(
            action.player == player and action.card % 2
            for action in record.actions
            if isinstance(action, Play)
        )
        assert report.choices[player] == Counter({by: 1 + odd, ChosenBy.PLAYER: 13 - odd})


def test_what_there_is_for_the_cards() -> None:
    secret = Deal.from_secret(bytes(16))
    promised = str(Record(Rules(), 100, NAMES, (secret,)))
    given_hands = str(Record(Rules(), 100, NAMES, (Deal(secret.hands),)))
    bare = "".join(line for line in promised.splitlines(True) if "commitment" not in line)
    proofs = [verify_record(text).deals[0].proof for text in (promised, bare, given_hands)]
    assert proofs == [Proof.COMMITMENT, Proof.CODE, Proof.NONE]


def test_a_record_that_stops_is_right_as_far_as_it_goes() -> None:
    stop = PLACES["play"][20]
    assert verify_record("\n".join(LINES[:stop])).deals == (
        DealReport(1, 9, Proof.COMMITMENT, 12, 20, None, scored=False),
    )
    first = PLACES["pass"][0]
    report = verify_record("\n".join(LINES[: first + 2]))
    assert report.problem is None
    assert report.deals == (DealReport(1, 9, Proof.COMMITMENT, 6, 0, None, scored=False),)
    assert report.winners == ()


def test_a_header_alone_has_nothing_wrong() -> None:
    report = verify_record("\n".join(LINES[:HEADER]))
    assert (report.problem, report.deals, report.rules) == (None, (), Rules())


def test_a_deal_that_cannot_come_now_is_not_reported_as_the_one_under_way() -> None:
    first, second = PLACES["deal"]
    report = verify_record(
        "\n".join([*LINES[:HEADER], LINES[first], *LINES[second - 1 : second + 1]])
    )
    assert report.deals == (DealReport(1, HEADER + 1, Proof.CODE, 0, 0, None, scored=False),)
    assert report.problem is not None
    assert report.problem.line == HEADER + 3


# What was changed is found


def test_a_line_that_is_lost_or_doubled() -> None:
    for place in range(HEADER, len(LINES)):
        lost = [*LINES[:place], *LINES[place + 1 :]]
        if place in PLACES["commitment"]:
            report = verify_record("\n".join(lost))
            missing = [deal.proof is Proof.CODE for deal in report.deals]
            assert missing == [other == place for other in PLACES["commitment"]]
        else:
            assert _problem(lost) is not None
        assert _problem([*LINES[: place + 1], *LINES[place:]]) is not None


def _may_be_exchanged(one: str, other: str) -> bool:
    # Passes have no order among each other; who takes a trick leads the next one.
    passes = one.startswith("pass ") and other.startswith("pass ")
    return passes or one.split(" ")[:2] == other.split(" ")[:2]


def test_lines_that_are_exchanged() -> None:
    for place in range(HEADER, len(LINES) - 1):
        one, other = LINES[place : place + 2]
        if not _may_be_exchanged(one, other):
            assert _problem([*LINES[:place], other, one, *LINES[place + 2 :]]) is not None


@given(st.sampled_from(PLACES["play"] + PLACES["pass"]), SEEDS)
def test_another_card(place: int, seed: int) -> None:
    source = random.Random(seed)
    words = LINES[place].split(" ")
    which = source.randrange(2, len(words))
    words[which] = str(source.choice([card for card in CARDS if str(card) not in words[2:]]))
    assert _problem([*LINES[:place], " ".join(words), *LINES[place + 1 :]]) is not None


@given(st.sampled_from(PLACES["play"] + PLACES["pass"]), st.integers(1, 3))
def test_another_player(place: int, steps: int) -> None:
    words = LINES[place].split(" ")
    words[1] = str((int(words[1]) + steps) % 4)
    assert _problem([*LINES[:place], " ".join(words), *LINES[place + 1 :]]) is not None


@pytest.mark.parametrize("place", PLACES["scores"])
@pytest.mark.parametrize("player", range(4))
def test_another_score(place: int, player: int) -> None:
    words = LINES[place].split(" ")
    words[1 + player] = str(int(words[1 + player]) + 1)
    problem = _problem([*LINES[:place], " ".join(words), *LINES[place + 1 :]])
    assert problem == Problem(place + 1, "the scores are not those of the game")


@pytest.mark.parametrize("place", PLACES["deal"])
def test_another_deal(place: int) -> None:
    code, promise = f"deal {deal_code(OTHER)}", f"commitment {commitment(OTHER).hex()}"
    assert LINES[place - 1].startswith("commitment ")
    wrong = Problem(place, "the commitment is not that of the deal")
    assert _problem([*LINES[:place], code, *LINES[place + 1 :]]) == wrong
    assert _problem([*LINES[: place - 1], promise, *LINES[place:]]) == wrong
    both = _problem([*LINES[: place - 1], promise, code, *LINES[place + 1 :]])
    assert both is not None
    assert both.line > place + 1


@given(st.sampled_from(PLACES["deal"] + PLACES["commitment"]), SEEDS)
def test_a_typing_error_in_a_deal_or_a_commitment(place: int, seed: int) -> None:
    source = random.Random(seed)
    line = LINES[place]
    at = source.randrange(line.index(" ") + 1, len(line))
    other = source.choice([c for c in "0123456789abcdefGHJK" if c.upper() != line[at].upper()])
    assert _problem([*LINES[:place], line[:at] + other + line[at + 1 :], *LINES[place + 1 :]])


@given(SEEDS)
def test_another_value_of_a_cut(seed: int) -> None:
    """Its first 8 bytes are in the deal; of the rest a record alone shows nothing."""
    lines = str(_record(Rules(), seed, 1, is_cut=True)).splitlines()
    place = next(n for n, line in enumerate(lines) if line.startswith("deal "))
    assert _problem(lines) is None
    words = lines[place].split(" ")
    values = [n for n, word in enumerate(words) if n > 2 and word[0] not in "-!"]
    for at in values:
        first = "0" if words[at][0] != "0" else "1"
        others = [*words[:at], first + words[at][1:], *words[at + 1 :]]
        assert _problem([*lines[:place], " ".join(others), *lines[place + 1 :]]) is not None
    exchanged = [*words[:3], words[6], *words[3:6]]
    if values and exchanged != words:
        assert _problem([*lines[:place], " ".join(exchanged), *lines[place + 1 :]]) is not None


@pytest.mark.parametrize("rules", ["jack", "rotate", "pass=left"])
def test_other_rules(rules: str) -> None:
    lines = str(_record(Rules(), 1, 3)).splitlines()
    lines[1] = f"rules {parse_rules(rules)}"
    assert _problem(lines) is not None


# Several records


def test_several_records_in_one_text() -> None:
    one, two = (str(_record(Rules(), seed, 1)) for seed in (1, 2))
    reports = verify_records(f"{one}\n\n{two}")
    assert [report.line for report in reports] == [1, one.count("\n") + 3]
    assert [report.problem for report in reports] == [None, None]
    damaged = two.replace("scores", "score")
    wrong = verify_records(f"\n{one}{damaged}")[1]
    lines = f"\n{one}{damaged}".splitlines()
    assert wrong.problem is not None
    assert lines[wrong.problem.line - 1].startswith("score ")
    assert lines[wrong.deals[0].line - 1].startswith("deal ")


def test_a_header_that_cannot_be_read() -> None:
    text = "\n".join(LINES).replace("rules standard", "rules moon=blue")
    (report,) = verify_records(f"\n{text}")
    assert report == Report(2, problem=report.problem)
    assert report.problem is not None
    assert report.problem.line == 3


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "there is nothing in it"),
        ("\n \n", "there is nothing in it"),
        ("hearts-record 2\n", "it begins with 'hearts-record 2', not 'hearts-record 1'"),
        ("x\nhearts-record 1\n", "it begins with 'x', not"),
    ],
)
def test_a_text_without_a_record(text: str, why: str) -> None:
    with pytest.raises(CorruptRecord, match=f"no record: {why}"):
        verify_records(text)

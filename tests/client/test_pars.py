"""Pars in the client: only of hands that are over, the newest first, kept in a file that may be
damaged.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
import trio
from msgspec.structs import replace

from hearts.bots.swift.par import GAMES, Par
from hearts.game.deal import disclosure_notice
from hearts.game.rules import STANDARD, parse_rules
from hearts.session.messages import Scores
from hearts_client.commands.main import main
from hearts_client.par.own_pars import OwnPars
from hearts_client.par.par_words import against_line, against_par, par_line
from hearts_client.par.pars import (
    FILE,
    MOST,
    DealtHand,
    GivePar,
    ParFile,
    Reckoner,
    dealt_hand,
)
from hearts_client.session.replay import HandReplay, read_replay
from hearts_client.statistics.counting import count_records

from .played import PLAYED, own_record, receive
from .statistics_folder import own_file, record

PAR = Par(GAMES, (82, 84, 0, 104), (2044, 2044, 0, 2363))
HAND = DealtHand((0x1FFF << 13, 0x1FFF, 0x1FFF << 26, 0x1FFF << 39), parse_rules("pass=never"), 0)


def hands_in(rules: str = "standard", hands: int = 2) -> tuple[HandReplay, ...]:
    return read_replay(record(rules, 100, hands=hands), own=0).hands


async def test_no_par_is_reckoned_of_a_hand_that_is_not_over(
    autojump_clock: object, nursery: trio.Nursery
) -> None:
    (hand,) = hands_in(hands=1)
    begun = read_replay(record(hands=1).partition("\nscores")[0].rpartition("\n")[0]).hands
    assert begun[0].scores is None
    assert dealt_hand(begun[0]) is None
    assert dealt_hand(hand) == HAND
    reckoner, given = Reckoner(), list[Par | None]()
    reckoner.ask(ParFile(None), begun[0], given.append)
    reckoner.ask(ParFile(None), replace(hand, rules=parse_rules("exact=wins")), given.append)
    nursery.start_soon(reckoner.run)
    await trio.testing.wait_all_tasks_blocked()
    assert given == []
    near = replace(hand, rules=parse_rules("exact=wins"), before=(74, 0, 0, 0))
    reckoner.ask(ParFile(None), near, given.append)
    assert given == [None]


def test_a_person_is_told_of_each_hand_once_it_is_over_and_disclosed() -> None:
    own, asked, told = own_record(), list[tuple[HandReplay, GivePar]](), list[Sequence[str]]()
    pars = OwnPars(own, lambda *all: asked.append(all), lambda _, lines: told.append(lines))
    over = 0
    for event in PLAYED.events[0]:
        receive(own, event)
        pars.look(over == 2)
        assert len(asked) == min(over, 2) + max(over - 3, 0)
        if isinstance(event, Scores):
            notice = disclosure_notice(over + 1, PLAYED.secrets[over])
            own.notice(notice)
            over += 1
            pars.look(over == 3)
    assert over == len(PLAYED.secrets) == len(asked) + 1
    for hand, give in asked[:2]:
        assert hand.scores is not None
        give(PAR)
    first, second = (hand.points[0] for hand, _ in asked[:2] if hand.points is not None)
    assert told[0] == [f"Hand 1: you took {first}; it usually costs 10 +-13."]
    assert told[1][0].startswith(f"Hand 2: you took {second};")
    assert told[1][1].startswith("In 2 hands: ")
    asked[2][1](None)
    assert told[2] == [
        "This hand has no par: a score of exactly the end was near, and par knows no scores."
    ]


def test_par_in_words() -> None:
    assert par_line(PAR, 3, 7, 0) == "Hand 7: you took 0; it usually costs 13 +-12."
    assert par_line(Par(2, (1, 3, 0, 0), (1, 9, 0, 0)), 0, 1, 0).endswith("costs 1 +-1.")
    less = against_par([-1.0, -2.0, -3.0])
    assert (less.hands, less.mean) == (3, -2)
    assert less.error == pytest.approx(0.577, abs=1e-3)
    assert against_line(less) == "In 3 hands: 2.0 +-0.6 a hand less than usual."


async def test_the_newest_hand_comes_first_and_what_is_kept_is_not_reckoned(
    tmp_path: Path, nursery: trio.Nursery
) -> None:
    old, new = hands_in()
    kept = dealt_hand(old)
    assert kept is not None
    pars = ParFile(tmp_path)
    pars.keep(kept, PAR)
    reckoner, given = Reckoner(), list[tuple[int, Par | None]]()
    done = trio.Event()

    def give(par: Par | None) -> None:
        given.append((1, par))
        done.set()

    reckoner.ask(pars, old, give)
    reckoner.ask(pars, new, lambda par: given.append((2, par)))
    nursery.start_soon(reckoner.run)
    with trio.fail_after(60):
        await done.wait()
    assert [number for number, _ in given] == [2, 1]
    assert given[1][1] == PAR
    hand = dealt_hand(new)
    assert hand is not None
    assert ParFile(tmp_path).find(hand) == given[0][1] == hand.reckon() != PAR
    assert (tmp_path / FILE).stat().st_mode & 0o77 == 0


def test_a_damaged_file_loses_what_is_damaged(tmp_path: Path) -> None:
    hands = [replace(HAND, number=number) for number in range(3)]
    pars = ParFile(tmp_path)
    for hand in hands:
        pars.keep(hand, PAR)
    file = tmp_path / FILE
    lines = file.read_bytes().splitlines()
    file.write_bytes(b"\n".join([lines[0], lines[1][:-9] + b"\xff 1", *lines[2:]])[:-6])
    damaged = ParFile(tmp_path)
    assert [damaged.find(hand) for hand in hands] == [None, PAR, None]
    damaged.keep(hands[2], PAR)
    assert ParFile(tmp_path).find(hands[2]) == PAR
    assert ParFile(tmp_path / FILE).find(HAND) is None
    assert ParFile(None).find(HAND) is None


def test_a_par_of_other_rules_or_another_number_is_another_one(tmp_path: Path) -> None:
    keys = {HAND.key, replace(HAND, number=1).key, replace(HAND, rules=STANDARD).key}
    assert len(keys) == 3


def test_the_file_stays_bounded(tmp_path: Path) -> None:
    line = "\n{:024x} 1 2 3 4 5 6 7 8"
    (tmp_path / FILE).write_text("".join(map(line.format, range(2 * MOST))), encoding="utf-8")
    pars = ParFile(tmp_path)
    pars.keep(HAND, PAR)
    lines = (tmp_path / FILE).read_text("utf-8").split("\n")[1:]
    assert len(lines) == MOST
    assert lines[0] == line.format(MOST + 1)[1:]
    assert ParFile(tmp_path).find(HAND) == PAR


def test_points_less_par_in_statistics(tmp_path: Path) -> None:
    own_file(tmp_path, 1, record(end_score=100, hands=2))
    own_file(tmp_path, 2, record(end_score=100, hands=3), seat=1)
    pars = ParFile(None)
    counted = count_records([tmp_path], pars=pars)
    assert [hand.number for hand in counted.missing] == [0, 1, 0, 1, 2]
    assert counted.columns[0][1].against_par_mean is None
    for hand in counted.missing[:2]:
        pars.keep(hand, PAR)
    counted = count_records([tmp_path], pars=pars)
    assert [hand.number for hand in counted.missing] == [2]
    whole = counted.columns[0][1]
    # Each hand is a moon of player 0: twice as player 0 without points, twice with 26 as player 1.
    differences = [0 - 82 / 8] * 2 + [26 - 84 / 8] * 2
    assert (whole.hands, whole.par_hands) == (5, 4)
    assert whole.against_par_mean == sum(differences) / 4
    assert whole.against_par_error == pytest.approx(against_par(differences).error)


def test_the_command_reckons_the_newest_pars(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    for name in ("XDG_STATE_HOME", "XDG_CONFIG_HOME"):
        monkeypatch.delenv(name, raising=False)
    own_file(tmp_path / "mine", 1, record(end_score=100, hands=1))
    words = ["statistics", str(tmp_path / "mine"), "--format", "csv"]
    for more, known in ([], "0"), (["--par", "60"], "1"), ([], "1"):
        assert main([*words, *more]) == 0
        head, row = capsys.readouterr().out.splitlines()[:2]
        assert dict(zip(head.split(","), row.split(","), strict=True))["par_hands"] == known

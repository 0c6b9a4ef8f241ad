"""The parts of the soak that judge: each of them can say no."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from tests.independent.joined import Joined
from tests.independent.plain_client import Fact
from tests.independent.rules import Foul
from tests.soak.__main__ import main
from tests.soak.figures import bucket, percentile, slope, trend
from tests.soak.hall import Hall
from tests.soak.plan import TablePlan
from tests.soak.report import growing, trends
from tests.soak.samples import without_clients
from tests.soak.siege import AT_THE_PASSWORD, QUIET, Notes, Siege, told, wrong

SEATED = [Fact("player", (0,)), Fact("seated", (0, 1, 5)), Fact("table", (1, 0, 100, 60, 0))]
BACK = [Fact("player", (0,)), Fact("back", (1,)), *SEATED[1:]]
HAND = [Fact("hand", tuple(range(1, 14))), Fact("pass", (0,)), Fact("leads", (2,))]
SCORES = Fact("scores", (26, 0, 0, 0, 0))
END = Fact("end")


class TestFlat:
    def test_the_line_through_all_samples(self) -> None:
        assert slope([0, 1, 2, 3], [5, 7, 9, 11]) == pytest.approx(2)
        assert slope([0, 1, 2, 3], [1, 3, 1, 3]) == pytest.approx(0.4)
        assert slope([4], [1]) == 0

    @pytest.mark.parametrize(
        ("step", "flat"), [(-1.0, True), (0.0, True), (0.05, True), (0.2, False)]
    )
    def test_what_rises_by_more_than_is_allowed_is_not_flat(self, step: float, flat: bool) -> None:
        found = trend(range(101), [100 + step * n for n in range(101)], part=0.1, least=1)
        assert found.is_flat is flat
        assert found.growth == pytest.approx(100 * step)
        assert found.last - found.first == pytest.approx(91 * step)

    def test_a_small_figure_may_grow_a_little(self) -> None:
        assert trend([0, 1], [2, 4], part=0.1, least=2).is_flat
        assert not trend([0, 1], [2, 5], part=0.1, least=2).is_flat


class TestFigures:
    def test_a_file_that_is_left_open_each_time_is_seen(self) -> None:
        rows = [
            without_clients({"life": n, "sessions": 0, "files": 700 + n, "connections": 700})
            for n in range(40)
        ]
        assert growing(trends(rows, "life")) == ["other files"]

    def test_clients_that_come_are_no_leak(self) -> None:
        rows = [
            without_clients({"life": n, "sessions": 0, "files": 20 + n, "connections": n})
            for n in range(40)
        ]
        assert growing(trends(rows, "life")) == []


class TestAnswers:
    def test_a_percentile_is_within_five_per_cent(self) -> None:
        answers = Counter(bucket(n / 1000) for n in range(1, 1001))
        assert percentile(answers, 50) == pytest.approx(0.5, rel=0.05)
        assert percentile(answers, 99) == pytest.approx(0.99, rel=0.05)
        assert percentile(answers, 100) == pytest.approx(1, rel=0.05)
        assert percentile(Counter(), 99) == 0

    def test_a_time_of_nothing_is_a_time(self) -> None:
        assert percentile(Counter([bucket(0)]), 99) < 0.001


class TestSiege:
    def siege(self) -> Siege:
        siege = Siege([AT_THE_PASSWORD], 60, (1, 2), 3)
        siege.step(100, refusals=0)
        return siege

    def hall(self, *waits: tuple[str, float]) -> Hall:
        """A hall in which somebody has waited."""
        hall = Hall(("127.0.0.1", 1), TablePlan(), range(0))
        hall.answers, hall.waits = Counter({bucket(0.1): 1}), [*waits]
        hall.selector.close()
        return hall

    def test_what_is_noticed_belongs_to_the_turn(self) -> None:
        siege = self.siege()
        siege.receive(self.hall(("come-back", 2.0)), is_locked=False)
        siege.close(160, refusals=7)
        notes = siege.notes[QUIET]
        assert (notes.turns, notes.seconds, notes.refusals) == (1, 60, 7)
        assert notes.longest == {"refused": 0, "come-back": 2, "stranger": 0}
        assert not siege.notes[AT_THE_PASSWORD].turns
        assert any(line.startswith("quiet ") for line in told(siege.notes))

    def test_answers_are_those_of_the_server_that_is_attacked(self) -> None:
        siege = self.siege()
        for is_locked in (True, False, False):
            siege.receive(self.hall(), is_locked=is_locked)
        assert siege.notes[QUIET].answers.total() == 2

    @pytest.mark.parametrize(("seconds", "faults"), [(60.0, 0), (61.0, 1)])
    def test_nobody_is_refused_for_more_than_a_minute(self, seconds: float, faults: int) -> None:
        siege = self.siege()
        siege.receive(self.hall(("refused", seconds)), is_locked=False)
        assert len([*wrong(siege.notes)]) == faults

    def test_who_waits_for_a_table_is_not_refused(self) -> None:
        siege = self.siege()
        siege.receive(self.hall(("stranger", 70.0)), is_locked=False)
        assert not [*wrong(siege.notes)]

    @pytest.mark.parametrize(("slowed", "faults"), [(1.9, 0), (2.2, 1)])
    def test_an_attack_may_double_the_waits_of_good_tables(
        self, slowed: float, faults: int
    ) -> None:
        beside, attacked = (Counter({bucket(n): 1000}) for n in (0.1, 0.1 * slowed))
        notes = {"ghost, beside": Notes(answers=beside), "ghost": Notes(answers=attacked)}
        assert len([*wrong(notes)]) == faults


class TestJoined:
    def joined(self, *connections: list[Fact]) -> list[Fact]:
        joined = Joined()
        for facts in connections:
            joined.add([*facts, END])
        return joined.facts

    def test_what_came_before_the_last_scores_comes_once(self) -> None:
        first = [*SEATED, *HAND, SCORES, *HAND, Fact("saw", (2, 15))]
        again = [*BACK, *HAND, Fact("saw", (2, 15)), Fact("saw", (3, 16))]
        assert self.joined(first, again) == [*SEATED, *HAND, SCORES, *again[4:]]

    def test_nothing_is_forgotten_where_a_connection_was_short(self) -> None:
        first = [*SEATED, *HAND, SCORES, *HAND, Fact("saw", (2, 15))]
        assert self.joined(first, [*BACK, *HAND[:2]], BACK[:2], BACK[:3]) == first

    def test_a_choice_may_come_back_as_one_of_the_server(self) -> None:
        first = [*SEATED, *HAND, Fact("play", (3, -2)), Fact("play", (4, 0))]
        again = [*BACK, *HAND, Fact("play", (1, 5)), Fact("saw", (1, 16))]
        assert self.joined(first, again) == [*SEATED, *again[4:]]

    @pytest.mark.parametrize(
        "other", [Fact("saw", (2, 16)), Fact("play", (7, 9)), Fact("scores", (0, 26, 0, 0, 0))]
    )
    def test_what_comes_again_must_be_the_same(self, other: Fact) -> None:
        with pytest.raises(Foul):
            self.joined([*SEATED, *HAND, Fact("saw", (2, 15))], [*BACK, *HAND, other])


class TestCommand:
    @pytest.mark.heavy
    def test_a_short_one(
        self,
        tmp_path: Path,
        capfd: pytest.CaptureFixture[str],
    ) -> None:
        few = ("--tables", "2", "--minutes", "1", "--grace", "0.5")
        kills = ("--kills", "2", "--life", "0.3", "--reconnects-per-minute", "600")
        assert main([*few, *kills, "--data-dir", str(tmp_path / "data")]) == 0
        said = capfd.readouterr().out
        assert "2 kills" in said
        assert "sessions out of step: 0" in said
        assert said.splitlines()[-2] == "all was as it should be"

    @pytest.mark.heavy
    def test_one_with_attacks(
        self,
        tmp_path: Path,
        capfd: pytest.CaptureFixture[str],
    ) -> None:
        few = ("--tables", "1", "--minutes", "0.03", "--think", "0.01")
        assert main(["--attacks", "connector", "--beside", *few, "--data-dir", str(tmp_path)]) == 0
        said = capfd.readouterr().out
        assert "connector: " in said
        assert "somebody honest" not in said
        assert said.splitlines()[-1] == "all was as it should be"

    @pytest.mark.parametrize(
        "arguments",
        [
            ["--kills", "2", "--journal", "off"],
            ["--kills", "2", "--kills-per-minute", "3"],
            ["--attacks", "--kills", "2"],
            ["--attacks", "dragon"],
            ["--tables", "0"],
            ["--minutes", "0"],
        ],
    )
    def test_what_makes_no_sense(
        self, arguments: list[str], capfd: pytest.CaptureFixture[str]
    ) -> None:
        with pytest.raises(SystemExit) as ended:
            main(arguments)
        assert ended.value.code == 2
        assert "error: " in capfd.readouterr().err

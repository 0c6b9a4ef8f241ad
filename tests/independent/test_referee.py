"""The referee and the client know the rules as SocketSpec.md tells them, and the referee sees."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import trio

from tests.integration.house import house, options

from .client import Fact, Memory, Session, Settings, judge
from .referee import Foul, Referee
from .rules import JACK_D, QUEEN_S, Rules, finish, points_of, verdicts

SPEC = (Path(__file__).parents[2] / "SocketSpec.md").read_text(encoding="utf-8")
Transcripts = dict[int, list[Fact]]


def rows(header: str) -> list[list[str]]:
    """The cells of a table of SocketSpec.md, found by its first line."""
    lines = SPEC[SPEC.index(header) :].splitlines()[2:]
    found = []
    for line in lines:
        if not line.startswith("|"):
            break
        found.append([cell.strip() for cell in line.strip("|").split("|")])
    return found


TOKENS = {
    token: int(value) << int(bits.split("-")[0])
    for bits, value, token, _ in rows("| bits | value | token | rule |")
}


def bits_of(text: str) -> int:
    return sum(TOKENS[token] for token in text.split(",") if token != "standard")


def card(text: str) -> int:
    return "HCDS".index(text[1]) * 13 + "A23456789TJQK".index(text[0]) + 1


def cards(text: str) -> list[int]:
    return [] if text == "-" else [card(word) for word in text.split()]


def numbers(text: str) -> list[int]:
    return [int(word) for word in text.split()]


@pytest.mark.parametrize(
    "row", rows("| rules | first trick | broken | trick | hand | card |"), ids=" ".join
)
def test_the_cases_of_section_6_3(row: list[str]) -> None:
    rules, first, broken, trick, hand, played, status = row
    held, lying = cards(hand), cards(trick)
    found = verdicts(Rules.read(bits_of(rules)), set(held), lying, first == "yes", broken == "yes")
    assert found[card(played)] == int(status)
    memory = Memory(held, [True] * len(held), lying, first == "yes", broken == "yes")
    for other in range(1, 53):
        assert judge(other, memory, bits_of(rules)) == found[other]


@pytest.mark.parametrize("row", rows("| rules | end | before | hearts | queen |"), ids=" ".join)
def test_the_cases_of_section_6_7(row: list[str]) -> None:
    text, end, before, hearts, queen, jack, _, choice, points, after, over, winners = row
    rules = Rules.read(bits_of(text))
    left = [1, *range(13, 1, -1)]
    taken: dict[int, set[int]] = {}
    for player, (count, tricks) in enumerate(zip(numbers(hearts), numbers(row[6]), strict=True)):
        taken[player] = {left.pop() for _ in range(count)} | ({15} if tricks else set())
    taken[int(queen)].add(QUEEN_S)
    taken[int(jack)].add(JACK_D)
    shooter = int(queen) if "13" in hearts.split() else -1
    to_others = int(choice) if choice != "-" else int(rules.moon == 0)
    got = points_of(rules, taken, shooter, to_others)
    assert got == numbers(points)
    scores = [a + b for a, b in zip(numbers(before), got, strict=True)]
    expected = numbers(after), over == "yes", [] if winners == "-" else numbers(winners)
    assert finish(rules, int(end), scores) == expected


@pytest.fixture(scope="module")
def transcripts(tmp_path_factory: pytest.TempPathFactory) -> Transcripts:
    """A short session of four clients that err now and then."""

    async def session() -> Transcripts:
        sessions = [
            Session(
                Settings(options=options("moon=choice,notrick", 15), wrong=0.2, again=1, seed=seed)
            )
            for seed in range(4)
        ]
        async with house(tmp_path_factory.mktemp("data")) as made:
            with trio.fail_after(30):
                await made.play(sessions)
        return {session.me: session.facts for session in sessions}

    return trio.run(session)


def test_an_honest_session_passes(transcripts: Transcripts) -> None:
    report = Referee(transcripts).judge()
    assert report.games == 2
    assert report.hands >= 2
    assert report.refusals
    assert report.bad_passes


def test_players_without_a_transcript_are_judged_by_what_others_saw(
    transcripts: Transcripts,
) -> None:
    alone = Referee({2: transcripts[2]}).judge()
    assert alone.scores == Referee(transcripts).judge().scores


def changes(facts: list[Fact]) -> Iterator[tuple[int, Fact]]:
    """Each fact with one number changed, where the change must not pass."""
    meaningless = {("seated", 2), ("again", 0), ("again", 1)}
    for at, fact in enumerate(facts):
        for place in range(len(fact.numbers)):
            refused = fact.kind in ("play", "passing", "deciding") and fact.numbers[-1] < 0
            if (fact.kind, place) in meaningless or fact.kind == "player":
                continue
            if refused and place < len(fact.numbers) - 1:
                continue  # another wrong try may deserve the same status
            changed = list(fact.numbers)
            changed[place] += 1
            if (fact.kind, place) == ("play", 1):
                # A status of n says of index n - 1 what a status of 0 does.
                changed[place] = fact.numbers[0] + 2
            yield at, fact._replace(numbers=tuple(changed))


def test_no_changed_number_passes(transcripts: Transcripts) -> None:
    kinds = set()
    for seat, facts in transcripts.items():
        # A few places of each client, for time.
        for at, changed in list(changes(facts))[seat::5]:
            forged = {**transcripts, seat: [*facts[:at], changed, *facts[at + 1 :]]}
            with pytest.raises(Foul):
                Referee(forged).judge()
            kinds.add(changed.kind)
    assert kinds >= {"table", "hand", "pass", "passing", "received", "leads", "play", "saw"}
    assert kinds >= {"tallies", "moon", "scores"}


def everywhere(transcripts: Transcripts, change: Callable[[Fact], Fact]) -> Transcripts:
    return {seat: [change(fact) for fact in facts] for seat, facts in transcripts.items()}


@pytest.mark.parametrize(
    "kind", ["scores", "tallies", "moon", "pass", "leads", "table", "new game"]
)
def test_no_lie_that_all_clients_saw_passes(kind: str, transcripts: Transcripts) -> None:
    def lie(fact: Fact) -> Fact:
        if fact.kind != kind:
            return fact
        first = fact.numbers[0] + 1 if kind != "leads" else (fact.numbers[0] + 1) % 4
        return fact._replace(numbers=(first, *fact.numbers[1:]))

    with pytest.raises(Foul):
        Referee(everywhere(transcripts, lie)).judge()


def test_a_missing_message_does_not_pass(transcripts: Transcripts) -> None:
    facts = transcripts[1]
    for at in range(2, len(facts) - 2, 3):
        if facts[at].kind in ("play", "passing") and facts[at].numbers[-1] < 0:
            continue
        forged = {**transcripts, 1: [*facts[:at], *facts[at + 1 :]]}
        with pytest.raises((Foul, KeyError)):
            Referee(forged).judge()

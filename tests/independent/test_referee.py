"""The referee and the client know the rules as SocketSpec.md tells them, and the referee sees."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
import trio

from tests.docs.spec import Row, numbers, table, tables
from tests.integration.house import house, options

from .dealer_script import cards
from .plain_client import ClientHabits, Fact, HandMemory, OwnSession, judge
from .referee import Foul, Referee
from .rules import JACK_D, QUEEN_S, SpecRules, finish, points_of, verdicts

Transcripts = dict[int, list[Fact]]
TOKENS = {
    row["token"]: int(row["value"]) << int(row["bits"].split("-")[0]) for row in tables("6.1")[0]
}


def bits_of(text: str) -> int:
    return sum(TOKENS[token] for token in text.split(",") if token != "standard")


@pytest.mark.parametrize("row", table("6.3"), ids=lambda row: " ".join(row.values()))
def test_the_cases_of_section_6_3(row: Row) -> None:
    rules, first, broken, trick, hand, played, status = row.values()
    held, lying = cards(hand), cards(trick.strip("-"))
    found = verdicts(
        SpecRules.read(bits_of(rules)), set(held), lying, first == "yes", broken == "yes"
    )
    assert found[cards(played)[0]] == int(status)
    memory = HandMemory(held, [True] * len(held), lying, first == "yes", broken == "yes")
    for other in range(1, 53):
        assert judge(other, memory, bits_of(rules)) == found[other]


@pytest.mark.parametrize("row", table("6.7"), ids=lambda row: " ".join(row.values()))
def test_the_cases_of_section_6_7(row: Row) -> None:
    text, end, before, hearts, queen, jack, _, choice, points, after, over, winners = row.values()
    rules = SpecRules.read(bits_of(text))
    left = [1, *range(13, 1, -1)]
    taken: dict[int, set[int]] = {}
    took = zip(numbers(hearts), numbers(row["tricks"]), strict=True)
    for player, (count, tricks) in enumerate(took):
        taken[player] = {left.pop() for _ in range(count)} | ({15} if tricks else set())
    taken[int(queen)].add(QUEEN_S)
    taken[int(jack)].add(JACK_D)
    shooter = int(queen) if "13" in hearts.split() else -1
    to_others = int(choice) if choice != "-" else int(rules.moon == 0)
    got = points_of(rules, taken, shooter, to_others)
    assert got == numbers(points)
    scores = [a + b for a, b in zip(numbers(before), got, strict=True)]
    expected = numbers(after), over == "yes", numbers(winners)
    assert finish(rules, int(end), scores) == expected


@pytest.fixture(scope="module")
def transcripts(tmp_path_factory: pytest.TempPathFactory) -> Transcripts:
    """A short session of four clients that err now and then."""

    async def session() -> Transcripts:
        sessions = [
            OwnSession(
                ClientHabits(
                    options=options("moon=choice,notrick", 15), wrong=0.2, again=1, seed=seed
                )
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
        for at, changed in list(changes(facts))[seat::9]:
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

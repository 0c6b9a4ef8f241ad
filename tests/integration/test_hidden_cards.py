"""A hand at a whole server twice, with cards exchanged that a player may not know.

The other seats are a computer, a player whose clock runs out, and one who leaves, so that stand-ins
come in. Until the rules show the difference, the player gets the same bytes at the same moments,
and the log and the announcements say the same. What is shown and when, the journal knows.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from math import inf
from pathlib import Path

import pytest
import trio
import trio.testing

from hearts.game.cards import Card
from hearts.game.deal import Hands
from hearts.game.events import ChosenBy
from tests.independent import client

from . import hidden
from .hidden import AWAY, GOES_AT, LEAVES_AT, SECOND, Difference, Roles, Tape, Wiretap
from .house import NAMES, House, options


@dataclass
class Heard(Tape):
    """A run, with what the player got."""

    heard: list[tuple[float, int]] = field(default_factory=list)
    """Every byte."""
    facts: list[tuple[int, client.Fact]] = field(default_factory=list)
    """What he made of it, each with the number of bytes that he had read then."""


def noted(session: client.Session, tape: Heard) -> client.Talk:
    """A conversation whose facts are noted with the bytes that led to them."""
    talk = session.talk()
    request = next(talk)
    while True:
        known = len(session.facts)
        try:
            answer = yield request
            request = talk.send(answer)
        except StopIteration:
            return
        finally:
            tape.facts += [(len(tape.heard), fact) for fact in session.facts[known:]]


async def follow(made: House, talk: client.Talk, tape: Heard) -> None:
    """A connection of the player, to the end of what he has to say."""
    caller = Wiretap(await made.call(), tape.heard, tape)
    async with caller.stream:
        await caller.converse(talk)


async def run(data_dir: Path, roles: Roles, second: Hands) -> Heard:
    """One session with this deal as its second."""
    tape = Heard()
    settings = client.Settings(process_id=77, plodding=True, think_chance=1.0, think_seconds=0.3)
    settings = replace(settings, options=options(roles.rules, 1000, 1 << roles.computer))
    wants = {
        roles.player: replace(settings, wrong=0.2),
        roles.slow: replace(settings, think_seconds=4.0),
        roles.leaver: settings,
    }
    sessions = {
        player: client.Session(
            replace(
                want,
                name=NAMES[player],
                options=settings.options if player == 0 else None,
                seed=player,
            )
        )
        for player, want in sorted(wants.items())
    }

    async def play(player: int) -> None:
        session = sessions[player]
        if player == roles.player:
            await play_and_come_back(session)
            return
        caller = await made.call()
        async with caller.stream:
            talk = session.talk()
            await caller.converse(
                hidden.until_choice(talk, session, LEAVES_AT) if player == roles.leaver else talk
            )

    async def play_and_come_back(session: client.Session) -> None:
        talk = noted(session, tape)
        if roles.back is None:
            await follow(made, talk, tape)
            return
        await follow(made, hidden.until_choice(talk, session, GOES_AT), tape)
        await trio.sleep(AWAY)
        ticket = session.ticket
        assert ticket is not None
        assert roles.back in (-1, ticket.hands)
        settings = replace(session.settings, options=None, seed=9)
        again = client.Session(settings, replace(ticket, hands=roles.back))
        await follow(made, noted(again, tape), tape)

    async with hidden.playing(tape, data_dir, second) as (made, clients):
        for player in sessions:
            clients.start_soon(play, player)
            await trio.testing.wait_all_tasks_blocked()
    return tape


def check_same(one: Heard, other: Heard, roles: Roles) -> Difference:
    """Assert that two runs are the same until a difference is shown, which is given."""
    shown = hidden.difference(one, other, roles.player, roles.rules)
    if shown.moment < inf:
        read, facts = first_difference(one, other)
        assert facts == tuple(fact_of(shown.who, cards) for cards in shown.cards)
        size = 4 * len(shown.cards[0])
        assert one.heard[: read - size] == other.heard[: read - size]
        assert [at for at, _ in one.heard[:read]] == [at for at, _ in other.heard[:read]]
    else:
        assert one.heard == other.heard
    hidden.check_said(one, other, shown.moment)
    return shown


def fact_of(who: int, cards: frozenset[Card]) -> client.Fact:
    """What a player makes of cards that he sees."""
    wires = sorted(card.wire for card in cards)
    return client.Fact("received", tuple(wires)) if who < 0 else client.Fact("saw", (who, *wires))


def first_difference(one: Heard, other: Heard) -> tuple[int, tuple[client.Fact, ...]]:
    """The first facts that differ, and how many bytes the player had read then."""
    for (read, fact), (also, instead) in zip(one.facts, other.facts, strict=False):
        assert read == also
        if fact != instead:
            return read, (fact, instead)
    raise AssertionError("the player was told the same")


@pytest.mark.parametrize(
    "roles",
    [
        Roles(0, 1, 2, 3),
        Roles(1, 2, 3, 0, back=-1),
        Roles(2, 3, 0, 1, back=1),
        Roles(3, 1, 0, 2, back=-1, rules="standard"),
        Roles(0, 2, 3, 1, back=1, rules="pass=left,bleed"),
    ],
    ids=str,
)
def test_nothing_tells_a_player_what_he_may_not_know(roles: Roles, tmp_path: Path) -> None:
    before = hidden.run_alike(run, tmp_path / "before", roles, SECOND)
    plays = []
    for number, hands in enumerate(hidden.hard_to_tell(before, roles.player)):
        assert hands != SECOND
        after = hidden.run_alike(run, tmp_path / f"after-{number}", roles, hands)
        plays.append(check_same(before, after, roles).plays)
    assert max(plays) >= 26
    by = {play.by for _, play in before.plays[:26]}
    assert by == set(ChosenBy)
    kinds = [fact.kind for _, fact in before.facts]
    assert kinds.count("back") == (roles.back is not None)
    assert any(line.startswith("level=info") for _, line in before.log)
    assert any("has left" in text for _, text in before.said)


def test_a_run_is_the_same_again(tmp_path: Path) -> None:
    roles = Roles(0, 1, 2, 3, back=1)
    one, other = (
        hidden.run_alike(run, tmp_path / name, roles, SECOND) for name in ("one", "other")
    )
    assert check_same(one, other, roles) == Difference(inf, 52)
    assert one == other

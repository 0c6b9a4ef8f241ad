"""What is left of a saved session after its server has said something."""

from __future__ import annotations

from pathlib import Path

import pytest
import trio

from hearts.errors import HeartsError, leaves
from hearts.session.client_events import DealerEvent, RegistrationRefused
from hearts_client.session.player_session import PlayerSession
from hearts_client.session.saved import Keeper, SavedSession, SessionPlace, read_all
from hearts_client.session.visit import TakenSeat, complaint
from tests.plain.script import NEW, back, back_said, ints, text

from .test_reconnecting import ScriptedConnection, ScriptedServer

PLACE = SessionPlace("127.0.0.1", 7626, 0, None)
SAVED = SavedSession(PLACE, NEW)


class Nobody:
    """Somebody who does not look."""

    def receive(self, event: DealerEvent) -> None:
        pass

    def receive_chat(self, player: int, text: str) -> None:
        pass

    def receive_notice(self, text: str) -> None:
        pass


async def come_back(folder: Path, line: ScriptedConnection) -> BaseException | None:
    """Come back to a saved session, of a server that says this."""
    problem: BaseException | None = None
    keeper = Keeper(folder)
    await keeper.keep(SAVED)
    async with trio.open_nursery() as nursery:
        # It gives up after the first try, for files need the real clock.
        client = ScriptedServer(nursery, line, request=back(NEW), limit=0.01).client
        try:
            seat = TakenSeat(client, PLACE, keeper)
            assert not await PlayerSession(seat, Nobody(), print).play()
        except* HeartsError as errors:
            problem = next(leaves(errors))
        nursery.cancel_scope.cancel()
    return problem


@pytest.mark.parametrize("code", [-103, -104])
async def test_it_is_gone_if_it_is_over_or_not_ours(code: int, tmp_path: Path) -> None:
    problem = await come_back(tmp_path, ScriptedConnection(ints(0, 1, code) + text("no")))
    assert isinstance(problem, RegistrationRefused)
    assert read_all(tmp_path) == ([], [])
    assert "no longer saved" in complaint(problem, came_back=True, password="")


@pytest.mark.parametrize("code", [-101, -102, -105, -3, -107, -108, -109, -110])
async def test_it_stays_after_any_other_refusal(code: int, tmp_path: Path) -> None:
    problem = await come_back(tmp_path, ScriptedConnection(ints(0, 1, code) + text("no")))
    assert isinstance(problem, RegistrationRefused)
    assert read_all(tmp_path) == ([SAVED], [])
    assert "try again later" in complaint(problem, came_back=True, password="")


@pytest.mark.parametrize(
    "said",
    [*(ints(0, 1, code) + text("later") for code in (-1, -2, -4, -106)), b"", back_said(0)[:-1]],
)
async def test_it_stays_where_there_is_no_answer_or_it_comes_later(
    said: bytes, tmp_path: Path
) -> None:
    assert await come_back(tmp_path, ScriptedConnection(said)) is None
    assert read_all(tmp_path) == ([SAVED], [])

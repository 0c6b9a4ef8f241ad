"""The client's own name at a real server: claimed, proved, and a seat from another device."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest
import trio

from hearts.errors import leaves
from hearts.session.client_events import RegistrationRefused, Seated
from hearts.session.messages import Options, Refusal
from hearts.session.table_words import ServerNotice
from hearts_client.library.connecting import connect
from hearts_client.library.dialects import Dialect
from hearts_client.names.kept import KeptNames
from hearts_client.names.own_name import claim, own_name, seats_elsewhere
from hearts_client.session.visit import Guest
from hearts_server.running.composition import Running

from .house import HOST, listening

ALONE = Options(frozenset({1, 2, 3}))


def guest(server: Running, name: str = "Ann") -> Guest:
    return Guest(HOST, server.port, name, taunt_port=0)


async def seated(server: Running, folder: Path, name: str = "Ann") -> tuple[str, list[str]]:
    """Sit down alone; the own name as the server has it, and what it said."""
    prover, problem = own_name(partial(KeptNames, folder), guest(server, name))
    assert not problem
    said = list[str]()
    async with connect(HOST, server.port, name=name, options=ALONE, prover=prover) as client:
        async for event in client:
            if isinstance(event, ServerNotice):
                said.append(event.text)
            if isinstance(event, Seated):
                return event.names[event.credentials.player], said
    raise AssertionError("not seated")


@pytest.mark.parametrize("dialect", list(Dialect))
async def test_a_name_is_claimed_proved_and_has_its_seat_elsewhere(
    dialect: Dialect, tmp_path: Path
) -> None:
    home, abroad = tmp_path / "home", tmp_path / "abroad"
    async with listening(tmp_path / "server", "--names") as server:
        assert await seated(server, home) == ("~Ann", [])
        kept = KeptNames(home)
        lines = await claim(kept, guest(server))
        assert lines[0] == "This name is yours from now on."
        name, said = await seated(server, home)
        assert name == "Ann"
        assert "kept for you for a week" in said[0]
        # Somebody else of that name.
        assert await seated(server, tmp_path / "other") == ("~Ann", [])
        # A table begins a second after the claim at the earliest.
        await trio.sleep(1)
        prover, _ = own_name(partial(KeptNames, home), guest(server))
        first = connect(
            HOST, server.port, name="Ann", options=ALONE, prover=prover, dialect=dialect
        )
        async with first as client:
            async for event in client:
                if isinstance(event, Seated):
                    break
            assert isinstance(event, Seated)
            # Another device has the words, and takes the name back.
            there = KeptNames(abroad)
            assert await seats_elsewhere(partial(KeptNames, abroad), guest(server), dialect) == []
            await there.use_secret(kept.secret)
            await claim(there, guest(server))
            seats = await seats_elsewhere(partial(KeptNames, abroad), guest(server), dialect)
            token = seats[0].progress
            assert token.credentials == event.credentials
            back = connect(HOST, server.port, come_back=token, dialect=dialect)
            async with back as second:
                async for again in second:
                    if isinstance(again, Seated):
                        break
                assert isinstance(again, Seated)
                assert again.names == event.names


async def test_a_claim_that_is_refused_is_said(tmp_path: Path) -> None:
    async with listening(tmp_path / "server", "--names") as server:
        await claim(KeptNames(tmp_path / "home"), guest(server))
        with pytest.raises((RegistrationRefused, BaseExceptionGroup)) as raised:
            await claim(KeptNames(tmp_path / "other"), guest(server, "ann"))
        (error,) = leaves(raised.value)
        assert isinstance(error, RegistrationRefused)
        assert error.code == Refusal.NO_CLAIM
        assert "could be taken for Ann" in str(error)

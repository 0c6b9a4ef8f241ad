"""A person's own name at servers: what is kept, what is proved, and what is warned of."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest

from hearts.names.keys import KeyPair
from hearts.names.proof import (
    AskedChallenge,
    Meeting,
    NameAnswer,
    NameProof,
    NameState,
    NameWish,
)
from hearts_client.names.kept import FILE, CannotKeepNames, KeptNames
from hearts_client.names.own_name import CHANGED, NOT_ASKED, NOT_SIGNED, OwnName, own_name
from hearts_client.session.visit import Guest

HOST, PORT = "hearts.example", 7626
SERVER, OTHER = KeyPair(bytes([1]) * 32), KeyPair(bytes([2]) * 32)
CHANCE = bytes(32)


def challenge(asked: AskedChallenge, key: KeyPair = SERVER) -> bytes:
    return Meeting(asked, key.public, CHANCE).challenge(key)


async def kept_with(folder: Path, *hosts: str) -> KeptNames:
    """Ann's names, known at these hosts, which have one key."""
    kept = KeptNames(folder)
    await kept.made_secret()
    for host in hosts:
        await kept.know(f"{host}:{PORT}", SERVER.public, "Ann")
    return kept


async def test_a_name_is_proved_to_the_server_that_is_known(tmp_path: Path) -> None:
    proves = OwnName(await kept_with(tmp_path, HOST), HOST.upper(), PORT)
    proof, lines = proves.answer(challenge(proves.asked), "~Ann", 1)
    assert isinstance(proof, NameProof)
    assert lines == []
    assert proof.holds("Ann", 1, Meeting(proves.asked, SERVER.public, CHANCE))
    assert proof.wish == NameWish.PROVE


async def test_a_changed_key_is_never_passed_over(tmp_path: Path) -> None:
    proves = OwnName(await kept_with(tmp_path, HOST), HOST, PORT)
    proof, lines = proves.answer(challenge(proves.asked, OTHER), "Ann", 1)
    assert proof is None
    assert lines == [CHANGED.replace("ADDRESS", f"{HOST}:{PORT}")]


async def test_a_known_key_at_another_host_is_told(tmp_path: Path) -> None:
    proves = OwnName(await kept_with(tmp_path, HOST), "evil.example", PORT)
    proof, (line,) = proves.answer(challenge(proves.asked), "Ann", 1)
    assert proof is None
    assert f"{HOST}:{PORT}" in line


async def test_a_server_at_several_ports_and_one_that_stands_by_are_one(tmp_path: Path) -> None:
    kept = await kept_with(tmp_path, HOST)
    for hosts, port in ((HOST, 7777), (f"second.example,{HOST}", PORT)):
        proves = OwnName(kept, hosts, port)
        proof, lines = proves.answer(challenge(proves.asked), "Ann", 1)
        assert proof is not None
        assert lines == []


async def test_a_server_that_asks_no_more_makes_no_silent_guest(tmp_path: Path) -> None:
    assert OwnName(await kept_with(tmp_path, HOST), HOST, PORT).answer(b"", "Ann", 1) == (
        None,
        [NOT_ASKED],
    )
    stranger = OwnName(await kept_with(tmp_path), "other.example", PORT)
    assert stranger.answer(b"", "Ann", 1) == (None, [])


async def test_a_signature_for_another_address_is_none(tmp_path: Path) -> None:
    proves = OwnName(await kept_with(tmp_path), "evil.example", PORT)
    relayed = challenge(AskedChallenge(proves.asked.chance, f"{HOST}:{PORT}"))
    assert proves.answer(relayed, "Ann", 1) == (None, [NOT_SIGNED])


@pytest.mark.parametrize("state", [*NameState])
def test_a_guest_is_told_so(state: NameState) -> None:
    proves = OwnName(KeptNames(None), HOST, PORT)
    lines = proves.told(NameAnswer(state, ["The host has given Ann free."]))
    assert lines[-1] == "The host has given Ann free."
    assert any("guest" in line for line in lines) is not state.is_own


async def test_a_name_is_proved_where_it_is_ones_own_alone(tmp_path: Path) -> None:
    await kept_with(tmp_path, HOST)
    proves, problem = own_name(partial(KeptNames, tmp_path), Guest(HOST, PORT, "Ann"))
    assert proves is not None
    assert problem == ""
    for other in (Guest(HOST, PORT, "Bob"), Guest("other.example", PORT, "Ann")):
        assert own_name(partial(KeptNames, tmp_path), other) == (None, "")


async def test_the_secret_is_made_once_and_is_for_its_owner_alone(tmp_path: Path) -> None:
    folder = tmp_path / "new"
    assert KeptNames(folder).secret == b""
    assert not folder.exists()
    kept = KeptNames(folder)
    secret = await kept.made_secret()
    assert len(secret) == 16
    assert await kept.made_secret() == secret == KeptNames(folder).secret
    assert (folder / FILE).stat().st_mode & 0o777 == 0o600
    assert folder.stat().st_mode & 0o777 == 0o700


async def test_what_is_kept_comes_back(tmp_path: Path) -> None:
    kept = await kept_with(tmp_path, HOST)
    assert kept.owes_words
    await kept.wrote_down()
    again = KeptNames(tmp_path)
    assert not again.owes_words
    assert again.at(f"{HOST}:{PORT}") == kept.at(f"{HOST}:{PORT}")
    await again.forget(f"{HOST}:{PORT}")
    assert KeptNames(tmp_path).at(f"{HOST}:{PORT}") is None


async def test_another_secret_has_no_names_yet_but_knows_the_servers(tmp_path: Path) -> None:
    kept = await kept_with(tmp_path, HOST)
    await kept.wrote_down()
    await kept.use_secret(bytes(16))
    assert own_name(partial(KeptNames, tmp_path), Guest(HOST, PORT, "Ann")) == (None, "")
    known = KeptNames(tmp_path).at(f"{HOST}:{PORT}")
    assert known is not None
    assert known.key == SERVER.public.hex()


@pytest.mark.parametrize("text", ["", "{", '{"secret": "xyz"}', '{"servers": {"a": {"key": 1}}}'])
def test_a_file_that_is_none_of_ours_is_never_written_over(tmp_path: Path, text: str) -> None:
    (tmp_path / FILE).write_text(text)
    with pytest.raises(CannotKeepNames, match="is no file of names"):
        KeptNames(tmp_path)
    proves, problem = own_name(partial(KeptNames, tmp_path), Guest(HOST, PORT, "Ann"))
    assert proves is None
    assert "You are a guest" in problem
    assert (tmp_path / FILE).read_text() == text


async def test_a_name_cannot_be_kept_nowhere(tmp_path: Path) -> None:
    with pytest.raises(CannotKeepNames, match="no home folder"):
        await KeptNames(None).made_secret()
    (tmp_path / "file").touch()
    with pytest.raises(CannotKeepNames, match=r"cannot be (read|written)"):
        await KeptNames(tmp_path / "file").made_secret()

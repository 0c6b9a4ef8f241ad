"""Names at a real server, by the library and by the command: claimed, proved, taken back."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from io import StringIO
from pathlib import Path
from queue import Queue
from unittest.mock import ANY

import pytest
import trio

from hearts.names.codes import shown_code
from hearts.names.proof import NameKind, NameWish
from hearts.names.words import words_of
from hearts.session.client_events import RegistrationRefused, Seated
from hearts.session.messages import Options, Refusal
from hearts.session.table_words import ServerNotice
from hearts.settings.option_rows import DONE, FAILED
from hearts_client.commands import bot as bot_command
from hearts_client.commands import names as names_command
from hearts_client.library.connecting import connect
from hearts_client.library.dialects import Dialect
from hearts_client.names import own_keys
from hearts_client.names.kept import CannotKeepNames, KeptNames
from hearts_client.names.own_name import CannotClaim, claim, own_name
from hearts_client.session.visit import Guest
from hearts_server.running.composition import Running
from tests.client.programs import CLIENT, start
from tests.integration.house import listening

ALONE = Options(computers=frozenset({1, 2, 3}))


async def seated(server: Running, folder: Path, name: str, dialect: Dialect) -> tuple[str, str]:
    """What a person with names in a folder is called at a table of theirs, and what was said."""
    prover, _ = own_name(partial(KeptNames, folder), Guest("localhost", server.port, name))
    at = connect("localhost", server.port, name=name, options=ALONE, dialect=dialect, prover=prover)
    said = ""
    async with at as client:
        async for event in client:
            match event:
                case ServerNotice(text):
                    said = text
                case Seated():
                    return client.names[0], said
    raise AssertionError("nobody was seated")


@pytest.mark.parametrize("dialect", [*Dialect])
async def test_a_name_is_claimed_proved_and_taken_back(tmp_path: Path, dialect: Dialect) -> None:
    first, second, other = (tmp_path / each for each in ("first", "second", "other"))
    async with listening(tmp_path / "server", "--names") as server:
        ann = Guest("localhost", server.port, "Ann")
        lines = await claim(KeptNames(first), ann)
        assert lines[0] == "This name is yours from now on."
        assert (await seated(server, first, "Ann", dialect))[0] == "Ann"
        assert (await seated(server, first, "Bob", dialect))[0] == "~Bob"
        assert (await seated(server, other, "Ann", dialect))[0] == "~Ann"
        with pytest.raises(RegistrationRefused) as refused:
            await claim(KeptNames(other), ann)
        assert refused.value.code == Refusal.NO_CLAIM
        with pytest.raises(CannotKeepNames, match="write down"):
            await KeptNames(first).use_secret(bytes(16))

        again = KeptNames(second)
        await again.use_secret(KeptNames(first).secret)
        await claim(again, ann)
        assert (await seated(server, second, "Ann", dialect))[0] == "Ann"
        assert (await claim(again, ann, NameWish.EXPORT))[0] == "name: Ann"
        await claim(again, ann, NameWish.GIVE_UP)
        assert (await seated(server, second, "Ann", dialect))[0] == "~Ann"


async def test_a_server_without_names_claims_none(tmp_path: Path) -> None:
    async with listening(tmp_path / "server") as server:
        with pytest.raises(CannotClaim, match="no names of one's own"):
            await claim(KeptNames(tmp_path), Guest("localhost", server.port, "Ann"))


@pytest.mark.parametrize(
    ("settings", "said"),
    [(["--names"], "The key of this server is not the one"), ([], "does not ask for your name's")],
    ids=["another key", "no names"],
)
async def test_another_server_makes_no_silent_guest(
    tmp_path: Path, settings: list[str], said: str
) -> None:
    folder = tmp_path / "own"
    async with listening(tmp_path / "good", "--names") as good:
        kept = KeptNames(folder)
        await claim(kept, Guest("localhost", good.port, "Ann"))
        known = kept.at(f"localhost:{good.port}")
        assert known is not None
    async with listening(tmp_path / "evil", *settings) as evil:
        # As if it had the address of the first one.
        await kept.know(f"localhost:{evil.port}", bytes.fromhex(known.key), "Ann")
        name, notice = await seated(evil, folder, "Ann", Dialect.DEALER)
        assert said in notice
        assert name == ("~Ann" if settings else "Ann")


async def test_a_name_is_claimed_by_invitation(tmp_path: Path) -> None:
    async with listening(tmp_path / "server", "--names", "--by-invitation") as server:
        assert server.server.names is not None
        code = await server.server.names.claims.invite("Ann")
        kept, ann = KeptNames(tmp_path), Guest("localhost", server.port, "Ann")
        for wrong in (b"", b"00000000"):
            with pytest.raises(RegistrationRefused) as refused:
                await claim(kept, ann, details=wrong)
            assert refused.value.code == Refusal.NO_CLAIM
        assert await claim(kept, ann, details=code.encode())


async def test_a_bot_has_the_name_of_its_profile(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    monkeypatch.setattr("sys.stdin", StringIO())
    settings = ("--names", "--fill-after", "0", "--bot-pause", "0", "--end-score", "1")

    async def of(command: Callable[[Sequence[str]], int], *words: str) -> int:
        given = [*words, "--profile", "deep", "--name", "Deep"]
        return await trio.to_thread.run_sync(command, given)

    async with listening(tmp_path / "server", *settings) as server:
        port = str(server.port)
        at = ("simple", "--host", "localhost", "--port", port)
        assert await of(bot_command.main, *at) == FAILED
        assert f"has no name Deep at localhost:{port}" in capsys.readouterr().err
        await of(names_command.main, "--program", "--claim", f"localhost:{port}")
        assert await of(bot_command.main, *at) == DONE
        assert "Deep: playing with Deep," in capsys.readouterr().out
        assert server.server.names is not None
        (claimed,) = server.server.names.claims.all()
        assert claimed.kind == NameKind.PROGRAM


@pytest.mark.heavy
async def test_what_is_stored_is_shown_and_the_name_given_up_by_who_is_sure(tmp_path: Path) -> None:
    folder = tmp_path / "hearts-client"
    async with listening(tmp_path / "server", "--names") as server:
        at = f"localhost:{server.port}"
        await claim(KeptNames(folder), Guest("localhost", server.port, "Ann"))
        for word, typed, status, said in (
            ("--export", "", 0, "\nclaimed: 2"),
            ("--give-up", "no", FAILED, "yours as before"),
            ("--give-up", "yes", 0, "The name Ann is given up."),
            ("--export", "", FAILED, "does not say whose the name is"),
        ):
            command = partial(run, tmp_path, "--name", "Ann", word, at, typed=typed)
            found = await trio.to_thread.run_sync(command)
            assert found[0] == status
            assert said in found[1]
        known = KeptNames(folder).at(at)
        assert known is not None
        assert known.name == ""


def run(folder: Path, *words: str, typed: str = "") -> tuple[int, str]:
    """Exit status and output of ``hearts-client names`` for somebody whose folder this is."""
    with start([*CLIENT, "names", *words], XDG_CONFIG_HOME=str(folder)) as process:
        out, errors = process.communicate(typed, timeout=60)
    return process.returncode, out + errors


def test_words_are_shown_until_they_are_written_down(tmp_path: Path) -> None:
    folder = tmp_path / "hearts-client"
    folder.mkdir()
    (folder / "names.json").write_text(
        '{"secret": "9e885d952ad362caeb4efe34a8e91bd2", "servers": {"hearts.example:7626": {"key": '
        f'"{bytes(32).hex()}", "name": "Ann"}}}}}}'
    )
    words = words_of(bytes.fromhex("9e885d952ad362caeb4efe34a8e91bd2"))
    status, said = run(tmp_path, "--words", typed=f"{words[2]}\nzoo\n")
    assert status == FAILED
    assert [line.split()[1] for line in said.splitlines() if line[:4].strip().isdigit()] == [*words]
    assert "That is another word." in said
    status, said = run(tmp_path, "--words", typed=f"{words[2]}\n{words[8][:4].upper()}\n")
    assert status == 0
    assert said.endswith("Good. They are not shown again.\n")
    assert run(tmp_path, "--words") == (0, "")


def test_words_give_the_secret_back(tmp_path: Path) -> None:
    words = "ozone drill grab fiber curtain grace pudding thank cruise elder eight "
    status, said = run(tmp_path, "--restore", typed=f"{words} picknick\n")
    assert status == FAILED
    assert "Word 12, 'picknick', is not in the list; perhaps picnic" in said
    status, said = run(tmp_path, "--restore", typed=f"{words} picnic\n")
    assert status == 0
    assert "--claim HOST" in said
    assert KeptNames(tmp_path / "hearts-client").secret.hex() == "9e885d952ad362caeb4efe34a8e91bd2"


async def test_a_second_device_is_let_in_and_revoked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """By the command, at both devices; what is typed there is what the other one shows."""
    typed = Queue[str]()
    monkeypatch.setattr("builtins.input", lambda asked: typed.get(timeout=5))

    async def run_names(at: str, *words: str, says: Sequence[str] = ()) -> tuple[int, str]:
        monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / at))
        for each in says:
            typed.put(each)
        status = await names_command._run(names_command._parse([*words, *who]))
        return status, capsys.readouterr().out

    async with listening(tmp_path / "server", "--names") as server:
        host, who = f"localhost:{server.port}", ["--name", "Ann"]
        first, second = (tmp_path / each / "hearts-client" for each in ("first", "second"))
        ann = Guest("localhost", server.port, "Ann")
        await claim(KeptNames(first), ann)
        assert await run_names("second", "--ask-in", host, says=["n"]) == (FAILED, ANY)
        code = await own_keys.ask_in(KeptNames(second), ann)
        with pytest.raises(CannotClaim, match="eight letters"):
            await run_names("first", "--let-in", host, says=["123"])
        status, said = await run_names("first", "--let-in", host, says=[code.lower(), "y"])
        assert status == FAILED
        assert "A person asked 0 seconds ago, from your own network" in said
        status, said = await run_names("first", "--let-in", host, says=[shown_code(code), "yes"])
        assert (status, said.splitlines()[-1]) == (DONE, "Ann is the name of that device too.")
        assert (await run_names("second", "--ask-in", host))[0] == DONE
        assert (await seated(server, second, "Ann", Dialect.DEALER))[0] == "Ann"

        with pytest.raises(RegistrationRefused, match="newer keys have no say"):
            await run_names("second", "--devices", host, says=["1"])
        status, said = await run_names("first", "--devices", host, says=["2"])
        first_line, second_line, last = said.splitlines()[-3:]
        assert first_line.startswith("  1  this device, since 20")
        assert second_line.startswith("  2  a device of a person, since")
        assert last == "Its key is revoked."
        name, notice = await seated(server, second, "Ann", Dialect.DEALER)
        assert (name, notice) == ("~Ann", "The key of this device for the name Ann was revoked.")

        # A device may give the name up for itself.
        code = await own_keys.ask_in(KeptNames(second), ann)
        device = await own_keys.find_waiting(KeptNames(first), ann, code)
        await own_keys.let_in(KeptNames(first), ann, device)
        assert await own_keys.is_let_in(KeptNames(second), ann)
        assert (await run_names("second", "--devices", host, says=["2"]))[0] == DONE
        assert own_name(partial(KeptNames, second), ann) == (None, "")

"""The clients in C and JavaScript claim their names, and prove them: owners, guests, strangers."""

from __future__ import annotations

import ctypes
import json
import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
import trio

from hearts.names.proof import CHALLENGE_BYTES, CHANCE_BYTES
from tests.vectors.name_lines import FILE

from .programs import (
    HOST,
    LANGUAGES,
    OWN_NAME,
    STRICT_C,
    WITH_NAMES,
    Missing,
    build_c,
    check_libcrypto,
)
from .tables import Command, Workshop, house
from .test_conformance_of_clients import examine

pytestmark = pytest.mark.heavy

SECRET = "9e885d952ad362caeb4efe34a8e91bd2"
ALONE = ("--computers", "3", "--end-score", "1", "--taunt-port", "0")
NAMES = [
    "guest",
    *("name-own", "name-claimed", "name-free", "name-taken", "name-untold", "name-not-asked"),
    *("name-other-key", "name-unsigned", "name-relayed", "name-replayed"),
]
EACH = ["c", "javascript", "javascript --dialect dealer"]
Made = Callable[[str], Command]


@pytest.fixture(scope="module")
def libcrypto(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder for what is built with OpenSSL's library, if that is here."""
    folder = tmp_path_factory.mktemp("libcrypto")
    try:
        check_libcrypto(folder)
    except Missing as missing:
        if os.environ.get("HEARTS_NEEDS_LIBCRYPTO"):
            raise
        pytest.skip(str(missing))
    return folder


@pytest.fixture
def command_of(request: pytest.FixtureRequest, workshop: Workshop) -> Made:
    """Gives the command of a client that can have a name of its own."""

    def command(client: str) -> Command:
        language, *options = client.split()
        if language == "c":
            folder = request.getfixturevalue("libcrypto")
            return build_c(LANGUAGES["c"].source, folder, "-O1", *WITH_NAMES)
        try:
            return [*workshop(language), *options]
        except Missing as missing:
            pytest.skip(str(missing))

    return command


@pytest.mark.parametrize("client", EACH)
async def test_a_program_claims_and_proves(tmp_path: Path, command_of: Made, client: str) -> None:
    command, known = command_of(client), tmp_path / "known"

    async def played(*options: str) -> tuple[int, list[str]]:
        words = [*command, "--host", HOST, "--port", str(port), *ALONE, "--known", str(known)]
        done = await trio.run_process(
            [*words, "--name", "Ann", *options], check=False, capture_stdout=True
        )
        return done.returncode, done.stdout.decode().splitlines()

    def of(lines: list[str], message: str) -> str:
        return next(line for line in lines if line.startswith(f"{message}:"))

    async with house(tmp_path / "data", "--names", "--bot-pause", "0") as port:
        for options, name, seated in (
            ([], "", "~Ann"),
            (["--secret", SECRET], "name: 2\t", "Ann"),
            (["--secret", SECRET], "name: 1", "Ann"),
            ([], "", "~Ann"),
        ):
            status, lines = await played(*options)
            assert status == 0
            assert of(lines, "seated").split("\t")[1] == seated
            assert not name or of(lines, "name").startswith(name)
        status, lines = await played("--secret", SECRET[::-1])
        assert status == 1
        assert of(lines, "refused").startswith("refused: -110\t")
        address, key = known.read_text().split()
        assert address == f"{HOST}:{port}"
        claimed = json.loads((tmp_path / "data" / "names").read_text())["claims"]
        assert [(each["name"], each["keys"][0]["kind"]) for each in claimed] == [("Ann", 1)]

        # What it knows is another key, or this key at another host.
        for line in (f"{address} {key[::-1]}", f"elsewhere.example:7626 {key}"):
            known.write_text(f"{line}\n")
            status, lines = await played("--secret", SECRET)
            assert status == 0
            assert of(lines, "seated").split("\t")[1] == "~Ann"
            number, why = of(lines, "name").split("\t")
            assert number == "name: 0"
            assert "another" in why
    async with house(tmp_path / "other") as port:
        for known_there, said in ((False, "name: 0"), (True, "name: 0\tthe server asks for no ")):
            known.write_text(f"{HOST}:{port} {key}\n" if known_there else "")
            status, lines = await played("--secret", SECRET)
            assert status == 0
            assert of(lines, "name").startswith(said)


@pytest.mark.parametrize("client", EACH)
def test_the_kit_passes_them(tmp_path: Path, command_of: Made, client: str) -> None:
    command = [*command_of(client), "--secret", SECRET, "--known", str(tmp_path / "known")]
    dialect = "dealer" if "dealer" in client else "plain"
    shown = examine(command, dialect, NAMES, tmp_path)
    assert {f"name.{each}" for each in ("guest", "proof", "reply", "unasked", "stranger")} <= shown


def test_the_c_signs_what_the_vectors_have(libcrypto: Path) -> None:
    library = libcrypto / "own_name.so"
    shared = ("-shared", "-fPIC", "-o", str(library), str(OWN_NAME), "-lcrypto")
    subprocess.run(["cc", *STRICT_C, *shared], check=True, stdin=subprocess.DEVNULL)
    own_name = ctypes.CDLL(str(library))
    own_name.is_signed.restype = own_name.make_proof.restype = ctypes.c_bool
    for vector in json.loads(FILE.read_text("ascii"))["proofs"]:
        chance = bytes.fromhex(vector["bytes of block -17"])[:CHANCE_BYTES]
        challenge = bytes.fromhex(vector["challenge"])
        address = vector["address"].encode().ljust(256, b"\0")
        assert len(challenge) == CHALLENGE_BYTES
        assert own_name.is_signed(chance + challenge + address)
        assert not own_name.is_signed(chance + challenge[:-1] + b"\0" + address)
        expected = bytes.fromhex(vector["bytes of block -18"])
        proof = ctypes.create_string_buffer(98)
        secret, name = bytes.fromhex(vector["own secret"]), vector["name"].encode()
        meeting, numbers = chance + challenge + address, (*expected[:2], vector["dialect"])
        assert own_name.make_proof(meeting, secret, b"~" + name, *numbers, proof)
        # It knows no details, which are signed too.
        size = 98 if len(expected) == 98 else 34
        assert proof.raw[:size] == expected[:size]

"""What is frozen stays frozen, and what is old runs none of today's code."""

from __future__ import annotations

import hashlib

from .archive import PROGRAM, OldProgram

DIGEST = "7fb26811bb189d95474e7489fad8180baaf9931c872ff06c2f7ee2ae3d72a513"


def test_the_archive_is_as_it_was() -> None:
    assert hashlib.sha256(PROGRAM.read_bytes()).hexdigest() == DIGEST


def test_the_old_program_finds_its_own_modules(old: OldProgram) -> None:
    code = "import hearts, hearts_server, tests.independent.client as c; print(*map(str, (%s)))"
    status, out, errors = old.run(
        "-c", code % "hearts.__file__, hearts_server.__file__, c.__file__"
    )
    assert status == 0, errors
    assert all(file.startswith(str(old.root)) for file in out.split())

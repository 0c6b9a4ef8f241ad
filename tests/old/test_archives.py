"""What is frozen stays frozen, and what is old runs none of today's code."""

from __future__ import annotations

import hashlib

import pytest

from .archive import ARCHIVES, HERE, OldProgram

DIGESTS = (
    "7fb26811bb189d95474e7489fad8180baaf9931c872ff06c2f7ee2ae3d72a513",
    "59fc6f3cd59aeaf6a030c9c5fa836d2240e8ce10c815f4178fc28e3e0fcdaf0a",
)


@pytest.mark.parametrize(("archive", "digest"), list(zip(ARCHIVES, DIGESTS, strict=True)))
def test_an_archive_is_as_it_was(archive: str, digest: str) -> None:
    assert hashlib.sha256((HERE / archive).read_bytes()).hexdigest() == digest


def test_the_old_program_finds_its_own_modules(old: OldProgram) -> None:
    code = "import hearts, hearts_server, tests.independent.client as c; print(*map(str, (%s)))"
    status, out, errors = old.run(
        "-c", code % "hearts.__file__, hearts_server.__file__, c.__file__"
    )
    assert status == 0, errors
    assert all(file.startswith(str(old.root)) for file in out.split())

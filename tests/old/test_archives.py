"""What is frozen stays frozen, and what is old runs none of today's code."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from .archive import DATA, DATA_2, DATA_3, PROGRAM, OldProgram

DIGESTS = {
    PROGRAM: "7fb26811bb189d95474e7489fad8180baaf9931c872ff06c2f7ee2ae3d72a513",
    DATA: "a2081c4441c45fbffc39bf4f0648d43d0379fe0a5bb4d59ab95ea07fa5b4e533",
    DATA_2: "11bc137943d07bad5affeb89e1a821875fd31164b012115b1c20392740579f32",
    DATA_3: "05aad1a669c2955bf8fe76905d152ed905769a6773901c751d3bbcd53a5f1652",
}


@pytest.mark.parametrize("archive", DIGESTS, ids=lambda path: path.name)
def test_an_archive_is_as_it_was(archive: Path) -> None:
    assert hashlib.sha256(archive.read_bytes()).hexdigest() == DIGESTS[archive]


def test_the_old_program_finds_its_own_modules(old: OldProgram) -> None:
    code = "import hearts, hearts_server, tests.independent.client as c; print(*map(str, (%s)))"
    status, out, errors = old.run(
        "-c", code % "hearts.__file__, hearts_server.__file__, c.__file__"
    )
    assert status == 0, errors
    assert all(file.startswith(str(old.root)) for file in out.split())

"""The client in JavaScript claims its name, and proves it: guests, owners, and a stranger."""

from __future__ import annotations

from pathlib import Path

import pytest
import trio

from .programs import HOST, Missing
from .tables import Workshop, house

pytestmark = pytest.mark.heavy

SECRET = "9e885d952ad362caeb4efe34a8e91bd2"
ALONE = ("--computers", "3", "--end-score", "1", "--taunt-port", "0")


@pytest.mark.parametrize("dialect", ["plain", "dealer"])
async def test_a_program_claims_and_proves(
    tmp_path: Path, workshop: Workshop, dialect: str
) -> None:
    try:
        command = workshop("javascript")
    except Missing as missing:
        pytest.skip(str(missing))

    async def played(*options: str) -> tuple[int, list[str]]:
        words = [*command, "--host", HOST, "--port", str(port), "--dialect", dialect, *ALONE]
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
    async with house(tmp_path / "other") as port:
        status, lines = await played("--secret", SECRET)
        assert status == 0
        assert of(lines, "name") == "name: 0"

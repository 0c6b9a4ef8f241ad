"""The clients in other languages before the conformance kit, in a few of its scenarios.

The whole kit takes a minute for each; README.md of the kit says how they fared in it.
"""

from __future__ import annotations

import json
import shlex
from collections.abc import Sequence
from pathlib import Path

import pytest

from hearts_conformance.command import main

from .programs import Missing
from .tables import Command, Workshop

PLAIN = ("refused-moon", "drop-decided", "drop-unknown")
DEALER = ("unknown", "longer", "refused-moon", "drop-decided", "drop-unknown")
OPTIONS = "--port {port} --taunt-port {taunt-port} --name Zoe --say hello --table friends"


def examine(client: Command, dialect: str, scenarios: Sequence[str], folder: Path) -> set[str]:
    """What is shown where nothing fails."""
    file = folder / "report.json"
    only = [word for scenario in scenarios for word in ("--only", scenario)]
    run = f"{shlex.join(client)} {OPTIONS}"
    quick = ["--patience", "60", "--hush", "0.05"]
    options = ["--dialect", dialect, "--listen", "0", *quick, "--json", str(file)]
    main([*options, "--run", run, *only])
    report = json.loads(file.read_text())
    assert [check for check in report["checks"] if check["failures"]] == []
    endings = {played["id"]: played["ending"] for played in report["scenarios"]}
    assert endings == dict.fromkeys(scenarios, "played to its end")
    return {check["id"] for check in report["checks"] if check["shown"]}


# Java's own start takes longest by far; it was led through all of the kit like the others.
@pytest.mark.parametrize(
    "client",
    ["c", "javascript", pytest.param("perl", marks=pytest.mark.heavy)],
    indirect=True,
)
def test_the_plain_dialect(client: Command, tmp_path: Path) -> None:
    shown = examine(client, "plain", PLAIN, tmp_path)
    assert {"retry.moon", "back.decided", "back.power-cut"} <= shown


def test_the_dealer_dialect(workshop: Workshop, tmp_path: Path) -> None:
    try:
        client = [*workshop("javascript"), "--dialect", "dealer", "--cut"]
    except Missing as missing:
        pytest.skip(str(missing))
    shown = examine(client, "dealer", DEALER, tmp_path)
    assert {"frame.unknown", "frame.longer", "cut.answer", "back.past", "back.power-cut"} <= shown

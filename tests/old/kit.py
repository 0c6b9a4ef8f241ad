"""The old conformance kit, which leads a client of today through its scenarios."""

from __future__ import annotations

import json
import shlex
import sys
from collections.abc import Sequence
from pathlib import Path

from .archive import BOT, ROOT, OldProgram

TODAY_S_BOT = ("env", f"PYTHONPATH={ROOT}", sys.executable, "-P", *BOT, "simple")
"""With a path of its own, and -P, because it is started in the folder of the old program."""

_KIT = "import sys; from hearts_conformance.command import main; sys.exit(main(sys.argv[1:]))"


def lead(old: OldProgram, dialect: str, folder: Path, scenarios: Sequence[str] = ()) -> set[str]:
    """Lead today's bot through these scenarios, all if none is named; what was shown.

    Raises AssertionError where something fails.
    """
    report_file = folder / "report.json"
    bot = [*TODAY_S_BOT, "--port", "{port}", "--dialect", dialect, "--retry-limit", "60"]
    only = [word for scenario in scenarios for word in ("--only", scenario)]
    quick = ("--patience", "60", "--hush", "0.05", "--listen", "0", "--json", str(report_file))
    how = ("--dialect", dialect, "--run", shlex.join(bot))
    kit = ("-m", "hearts_client", "conformance") if old.is_first else ("-c", _KIT)
    _, _, errors = old.run(*kit, *quick, *how, *only)
    assert report_file.exists(), errors
    report = json.loads(report_file.read_text("utf-8"))
    assert [check for check in report["checks"] if check["failures"]] == []
    return {check["id"] for check in report["checks"] if check["shown"]}

"""The gateway for browsers, as a process that lives through all lives of the server."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

from .page_socket import HOST
from .samples import Sample, process_figures
from .server import ROOT, ServerFault, fault_lines

_OWN_FILES = 4
"""Files that it may have opened for itself since it said that it listens."""


class GatewayProcess:
    """One gateway before one server, which hears through it where each client is."""

    def __init__(self, data_dir: Path, most_clients: int) -> None:
        """The server listens at :attr:`behind`, by ``--proxy-listen``."""
        data_dir.mkdir(parents=True, exist_ok=True)
        self.behind = data_dir / "behind.sock"
        self._log = data_dir / "gateway.log"
        with self._log.open("ab") as log:
            self._process = subprocess.Popen(
                [
                    *(sys.executable, "-m", "hearts_web", "--host", HOST, "--port", "0"),
                    *("--game", str(self.behind), "--send-proxy", "--chat", "none"),
                    *("--max-websockets", str(most_clients), "--log-level", "error"),
                ],
                cwd=ROOT,
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
                start_new_session=True,
            )
        assert self._process.stdout is not None
        said = re.search(r":(\d+)$", self._process.stdout.readline().strip())
        if said is None:
            raise ServerFault(f"the gateway has not begun: {self._log.read_text()}")
        self.address = (HOST, int(said[1]))
        self._files_before = self.figures().get("gateway files", 0.0)

    def figures(self) -> Sample:
        """Its memory and open files."""
        figures = process_figures(self._process.pid)
        return {
            f"gateway {short}": figures[name]
            for short, name in (("MiB", "memory MiB"), ("files", "files"))
            if name in figures
        }

    @property
    def is_idle(self) -> bool:
        """Whether it holds no more open than when it began, but for a few files of its own."""
        return self.figures().get("gateway files", 0.0) <= self._files_before + _OWN_FILES

    def faults(self) -> list[str]:
        """What it complains of, and whether it has ended by itself."""
        ended = [] if self._process.poll() is None else ["the gateway has ended by itself"]
        return ended + fault_lines(self._log)

    def close(self) -> None:
        with self._process:
            self._process.kill()

"""What is measured of the server and of the clients, every few seconds."""

from __future__ import annotations

import http.client
import os
import urllib.request
from collections import Counter
from collections.abc import Mapping
from pathlib import Path

MIB = 1 << 20
PROC = Path("/proc")
Sample = dict[str, float]


def process_figures(pid: int) -> Sample:
    """Memory, open files, threads and processor time; empty once the process is gone."""
    folder = PROC / str(pid)
    try:
        pages = int((folder / "statm").read_text().split()[1])
        fields = (folder / "stat").read_text().rpartition(")")[2].split()
        files = len(os.listdir(folder / "fd"))
    except (OSError, IndexError):
        return {}
    ticks = os.sysconf("SC_CLK_TCK")
    return {
        "memory MiB": pages * os.sysconf("SC_PAGE_SIZE") / MIB,
        "files": files,
        "threads": int(fields[17]),
        "CPU seconds": (int(fields[11]) + int(fields[12])) / ticks,
    }


def journal_figures(journal: Path) -> Sample:
    """The sizes of the journal and of its log."""
    figures = {}
    for name, file in (("journal", journal), ("log", journal.with_name(journal.name + "-wal"))):
        try:
            figures[f"{name} MiB"] = file.stat().st_size / MIB
        except OSError:
            figures[f"{name} MiB"] = 0.0
    return figures


def metrics_figures(port: int) -> Sample:
    """Tables, connections and tasks, as far as the server's metrics tell them."""
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics", timeout=5) as page:
            text = page.read().decode()
    except (OSError, http.client.HTTPException):
        return {}
    sums: Counter[str] = Counter()
    known = {"hearts_tables": "tables", "hearts_connections": "connections"}
    known["hearts_tasks"] = "tasks"
    figures: Sample = {}
    for line in text.splitlines():
        name = line.partition("{")[0].partition(" ")[0]
        if name in known:
            sums[known[name]] += float(line.rpartition(" ")[2])  # type: ignore[assignment]
    figures.update(sums)
    return figures


def without_clients(figures: Sample) -> Sample:
    """The figures with the files and tasks that do not come and go with clients and tables."""
    if "files" in figures and "connections" in figures:
        figures = figures | {"other files": figures["files"] - figures["connections"]}
    if figures.keys() >= {"tasks", "connections", "tables"}:
        others = figures["tasks"] - figures["connections"] - figures["tables"]
        figures = figures | {"other tasks": others}
    return figures


def client_figures(counts: Mapping[str, float], playing: int) -> Sample:
    """What the clients counted so far."""
    return {
        "playing": playing,
        **{what: counts.get(what, 0) for what in ("hands", "sessions")},
    }

"""A long coverage-guided run: ``python -m tests.fuzz [TARGET ...] --seconds 600 --jobs 2``."""

from __future__ import annotations

import argparse
import importlib.util
import json
import re
import subprocess
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

from .corpus import CORPUS, HERE, files
from .engine import FINDING
from .targets import BY_NAME, TARGETS, seeds

WORK = HERE / "work"
"""The corpora of runs, which grow from run to run; git ignores them."""
FINDINGS = HERE / "findings"
"""What was found and is not looked into yet; git ignores it."""
ONE_INPUT = 60
"""Seconds after which an input counts as a finding: something does not come to an end."""
_PULSE = re.compile(r"#(\d+)\s+\w+\s+cov: (\d+) .*corp: (\d+)")
_STAT = re.compile(r"stat::(\w+):\s+(\d+)")


@dataclass(slots=True)
class Result:
    name: str
    seconds: int
    executions: int = 0
    covered: int = 0
    """Edges of the code of our packages that were reached."""
    corpus: int = 0
    """Inputs of the working corpus."""
    findings: list[str] = field(default_factory=list)
    broken: str = ""
    """Why the process ended before its time."""

    def __str__(self) -> str:
        rate = self.executions / max(self.seconds, 1)
        return (
            f"{self.name:13}{self.executions:12,}{rate:10,.0f}{self.covered:9,}"
            f"{self.corpus:8,}{len(self.findings):10}"
        )


HEAD = f"{'target':13}{'executions':>12}{'each s':>10}{'covered':>9}{'corpus':>8}{'findings':>10}"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run, report, and give 1 where something was found."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("targets", nargs="*", metavar="TARGET", help=", ".join(TARGETS))
    parser.add_argument("--seconds", type=int, default=600, help="of the whole run")
    parser.add_argument("--jobs", type=int, default=1, help="targets at the same time")
    parser.add_argument("--seed", type=int, default=1, help="of chance, above 0")
    given = parser.parse_args(arguments)
    names = given.targets or list(TARGETS)
    unknown = set(names) - set(TARGETS)
    if unknown:
        parser.error(f"no target {', '.join(sorted(unknown))}; known: {', '.join(TARGETS)}")
    results = _run_all(names, given.seconds * given.jobs, given.jobs, given.seed)
    found = [finding for result in results for finding in result.findings]
    for finding in found:
        print(finding)
    if found:
        print(f"inputs and tracebacks: {FINDINGS}")
    return 1 if found or any(result.broken for result in results) else 0


def _run_all(names: Sequence[str], seconds: int, jobs: int, seed: int) -> list[Result]:
    if importlib.util.find_spec("atheris") is None:
        raise SystemExit("atheris is missing: pip install -e '.[test,fuzz]'")
    FINDINGS.mkdir(exist_ok=True)
    unit = seconds / sum(BY_NAME[name].weight for name in names)

    def run(name: str) -> Result:
        result = _run(name, max(1, round(unit * BY_NAME[name].weight)), seed)
        print(result, result.broken, flush=True)
        return result

    print(HEAD, flush=True)
    with ThreadPoolExecutor(jobs) as pool:
        results = list(pool.map(run, names))
    print(f"{'all':13}{sum(result.executions for result in results):12,}")
    return results


def _run(name: str, seconds: int, seed: int) -> Result:
    work = WORK / name
    work.mkdir(parents=True, exist_ok=True)
    for number, data in enumerate(seeds(name)):
        (work / f"seed-{number}").write_bytes(data)
    result = Result(name, seconds)
    command = [
        *(sys.executable, "-m", "tests.fuzz.engine", name, str(FINDINGS)),
        *(str(work), *([str(CORPUS / name)] if files(name) else [])),
        *(f"-max_total_time={seconds}", f"-seed={seed}", f"-timeout={ONE_INPUT}"),
        f"-artifact_prefix={FINDINGS / name}-",
    ]
    with subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        cwd=HERE.parent.parent,
    ) as process:
        assert process.stdout is not None
        last = ""
        for line in process.stdout:
            _take(result, line)
            last = line if line.strip() else last
    if process.returncode:
        result.broken = f"ended with {process.returncode}: {last.strip()}"
        result.findings.append(f"{name}: {result.broken}")
    return result


def _take(result: Result, line: str) -> None:
    if line.startswith(FINDING):
        result.findings.append(json.loads(line.removeprefix(FINDING)))
    elif pulse := _PULSE.match(line):
        result.executions, result.covered, result.corpus = map(int, pulse.groups())
    elif (stat := _STAT.match(line)) and stat[1] == "number_of_executed_units":
        result.executions = int(stat[2])


if __name__ == "__main__":
    sys.exit(main())

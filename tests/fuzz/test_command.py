"""The command's own parts: what is kept of a corpus, and of a finding."""

from __future__ import annotations

from pathlib import Path

import pytest

from hearts.game.rules import parse_rules

from . import __main__ as command
from . import corpus, engine
from .targets import TARGETS, seeds


def test_every_target_has_seeds() -> None:
    assert all(seeds(name) for name in TARGETS)


def test_the_corpus_is_small_and_belongs_to_targets() -> None:
    paths = [path for path in corpus.CORPUS.rglob("*") if path.is_file()]
    assert {path.parent.name for path in paths} == set(TARGETS)
    assert len(paths) < 200
    assert sum(path.stat().st_size for path in paths) < 200_000


def test_a_finding_is_kept_once_with_its_shortest_input(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(TARGETS, "rules", lambda data: print(parse_rules(data.decode())))
    findings = engine.Findings("rules", tmp_path)
    for data in (b"standard", b"longer", b"short", b"longest of all"):
        findings(data)
    assert capsys.readouterr().out.count(engine.FINDING) == 1
    (kept,) = (path for path in tmp_path.iterdir() if not path.suffix)
    assert kept.read_bytes() == b"short"
    assert "InvalidRules" in kept.with_suffix(".txt").read_text("utf-8")


def test_the_output_of_libfuzzer_is_read() -> None:
    result = command.Result("rules", 10)
    for line in (
        "#16384\tpulse  cov: 14 ft: 29 corp: 6/141b lim: 191 exec/s: 8192 rss: 67Mb",
        engine.FINDING + '"rules: ValueError in rules.py:parse_rules:7"',
        "stat::number_of_executed_units: 16500",
    ):
        command._take(result, line)
    assert (result.executions, result.covered, result.corpus) == (16500, 14, 6)
    assert result.findings == ["rules: ValueError in rules.py:parse_rules:7"]

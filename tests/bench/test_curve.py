"""Strength over time: a drawing with a point for each strength, and a table."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from tests.bench import curve

RESULTS = {
    "plan": {"entrants": [{"name": "yardstick"}]},
    "entrants": [
        {"entrant": {"name": name}, "speed": {"per_choice": seconds}}
        for name, seconds in (("yardstick", 0.001), ("slow", 0.1), ("quick", 0.002))
    ],
    "head_to_head": [
        [
            None,
            {"mean": 1.5, "se": 0.25, "half_width": 0.5},
            {"mean": -0.25, "se": 0.125, "half_width": 0.25},
        ]
    ],
}


def test_the_strengths_are_drawn_the_fastest_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    results = tmp_path / "results.json"
    results.write_text(json.dumps(RESULTS))
    monkeypatch.setattr(sys, "argv", ["curve", str(results)])
    curve.main()
    assert capsys.readouterr().out.splitlines() == [
        "| `quick` | 2 ms | -0.25 ± 0.12 |",
        "| `slow` | 100 ms | 1.50 ± 0.25 |",
    ]
    svg = ET.fromstring(results.with_suffix(".svg").read_text())
    dots = list(svg.iter("{http://www.w3.org/2000/svg}circle"))
    first, second = ((float(one.get("cx", "")), float(one.get("cy", ""))) for one in dots)
    # Slower lies to the right, and better is higher.
    assert first[0] < second[0]
    assert first[1] > second[1]

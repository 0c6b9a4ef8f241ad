"""The page of results: well-formed, on its own, with the numbers of the standings."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from collections.abc import Mapping
from html.parser import HTMLParser
from itertools import product

import pytest
from msgspec.structs import replace

from hearts_arena.numbers.estimates import Estimate
from hearts_arena.numbers.standings import Standings
from hearts_arena.report.charts import SHADES, STRONGEST, WIDTH, Scale, around
from hearts_arena.report.html_page import html_page

from .command_runs import ROOT
from .some_standings import CALM, HOSTILE, ROGUE, moments, nothing_yet, standings

_STYLE = (ROOT / "hearts_arena" / "report" / "page.css").read_text(encoding="utf-8")
LIGHT, DARK = (
    dict(re.findall(r"--([a-z-]+): (#[0-9a-f]{6});", part))
    for part in _STYLE.split("@media", 2)[:2]
)
_VOID = frozenset({"meta"})
_LEAST_CONTRAST = 4.5
"""What WCAG 2 asks for text, level AA."""
_LOADS = re.compile(r"https?:|//|url\(|@import|src=|<script|<link|<iframe|<img|\son\w+=", re.I)


def _page(shown: Standings, steps: int = 4) -> str:
    return html_page(shown, moments(steps), date="1 May 2026", version="0.1.0")


def _tree(page: str) -> ET.Element:
    return ET.fromstring(page.partition("\n")[2])


def _text(page: str) -> str:
    return " ".join(" ".join(_tree(page).itertext()).split())


class _Balance(HTMLParser):
    """Follows the elements as a browser would that knows no XML."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        # Anywhere else a browser takes it for the begin of an element.
        assert tag in _VOID or "svg" in self.open

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def _without_policy(page: str) -> str:
    """Without the one line that forbids the page to load anything."""
    return page.replace('http-equiv="Content-Security-Policy"', "")


@pytest.mark.parametrize(
    "shown",
    [
        standings(),
        standings(conducts=(ROGUE, CALM, CALM), names=(HOSTILE, "a\"b'c&amp;", "我的机器人")),
        nothing_yet(),
        replace(standings(), blocks=1, separated=True),
    ],
    ids=["calm", "hostile", "nothing", "one-block"],
)
def test_well_formed_and_alone(shown: Standings) -> None:
    page = _page(shown, 4 if shown.blocks > 1 else 0)
    assert page.startswith("<!DOCTYPE html>\n<html")
    assert _tree(page).tag == "html"
    balance = _Balance()
    balance.feed(page)
    balance.close()
    assert balance.open == []
    assert not _LOADS.search(_without_policy(page))
    assert "default-src 'none'" in _tree(page).find("head/meta[2]").attrib["content"]  # type: ignore[union-attr]


def test_hostile_names_and_specs_are_text() -> None:
    full = standings(names=(HOSTILE, "</style><b>", "&amp;"))
    first = replace(full.entrants[0].entrant, spec="cmd:./bot --x '<img onerror=x>' {port}")
    entrants = (replace(full.entrants[0], entrant=first), *full.entrants[1:])
    page = _page(replace(full, entrants=entrants))
    assert not re.search("<script|<b>|<img", page)
    names = {bdi.text for bdi in _tree(page).iter("bdi")}
    assert {f'"{HOSTILE}"', '"</style><b>"', '"&amp;"'} <= names
    assert first.spec in _text(page)


def test_numbers_are_those_of_the_standings() -> None:
    tables = list(_tree(_page(standings())).iter("table"))
    rows = [["".join(cell.itertext()) for cell in row.iter("td")] for row in tables[0].iter("tr")]
    assert rows[1:3] == [
        ["1", "simple", "5.07 ±0.04", "-", "+47 ±8", "50.0 ±1.2", "2.000 ±0.025", "4,800"],
        ["2", "Zoë", "5.11 ±0.04", "0.04 ±0.06?", "+44 ±8", "37.5 ±1.2", "2.250 ±0.025", "4,800"],
    ]
    assert rows[3][:5] == ["3", "random", "8.25 ±0.04", "3.18 ±0.06", "−91 ±8"]


def test_heat_map_has_the_duels() -> None:
    tree = _tree(_page(standings()))
    cells = [text.text for text in tree.iter("text") if text.get("class") in ("cell", "sure")]
    assert cells[:6] == ["−0.05", "−3.20*", "+0.05", "−3.30*", "+3.20*", "+3.30*"]
    styles = [
        rect.get("class") for rect in tree.iter("rect") if rect.get("class") in ("better", "worse")
    ]
    assert styles[:6] == ["better", "better", "worse", "better", "worse", "worse"]


def test_dots_lie_where_their_numbers_are() -> None:
    tree = _tree(_page(standings()))
    first = next(tree.iter("svg"))
    dots = [float(dot.attrib["cx"]) for dot in first.iter("circle")]
    means = [5.074, 5.113, 8.254]
    pixels = (dots[2] - dots[0]) / (means[2] - means[0])
    assert dots[1] - dots[0] == pytest.approx(pixels * (means[1] - means[0]), abs=0.02)
    widths = [
        float(line.attrib["x2"]) - float(line.attrib["x1"])
        for line in first.iter("line")
        if line.get("class") == "interval" and line.attrib["y1"] == line.attrib["y2"]
    ]
    assert widths == pytest.approx([pixels * 4 * 0.021] * 3, abs=0.03)


def test_bars_of_places_fill_the_axis() -> None:
    bars = [rect for rect in _tree(_page(standings())).iter("rect") if rect.get("class") == "place"]
    assert len(bars) == 4 + 4 + 3
    simple = [float(bar.attrib["width"]) for bar in bars[:3]]
    assert simple[0] == pytest.approx(2 * simple[1], abs=0.05)


@pytest.mark.parametrize("steps", [0, 1, 2, 4])
def test_course_needs_two_moments(steps: int) -> None:
    page = _page(standings(), steps)
    assert ("over the blocks" in page) == (steps >= 2)
    own = [line for line in _tree(page).iter("polyline") if line.get("class") == "own"]
    assert [len(line.attrib["points"].split()) for line in own] == [steps] * 3 * (steps >= 2)


def test_nothing_is_drawn_beyond_a_chart() -> None:
    for svg in _tree(_page(standings(names=("W" * 30, "我" * 10, "x")))).iter("svg"):
        if "viewBox" not in svg.attrib:
            continue
        width, height = map(float, svg.attrib["viewBox"].split()[2:])
        for mark in (*svg.findall(".//line"), *svg.findall(".//circle"), *svg.findall(".//text")):
            for key, value in mark.attrib.items():
                if key in ("x", "x1", "x2", "cx"):
                    assert 0.0 <= float(value) <= width
                elif key in ("y", "y1", "y2", "cy"):
                    assert 0.0 <= float(value) <= height


def test_many_players_make_a_wider_map() -> None:
    full = standings()
    duel = Estimate(0.5, 0.1, 0.2, 9)
    many = replace(
        full,
        entrants=tuple(replace(full.entrants[0], number=number % 3) for number in range(40)),
        head_to_head=((duel,) * 40,) * 40,
    )
    widths = [float(svg.attrib["width"]) for svg in _tree(_page(many, 0)).iter("svg")]
    assert max(widths) > 40 * 60
    assert min(widths) == WIDTH


def test_the_plan_stands_there_and_misconduct_above_everything() -> None:
    text = _text(_page(standings(conducts=(CALM, ROGUE, CALM))))
    for fact in ("seed 7", "rules standard", "blocks planned 400", "simple,blunder=0.1"):
        assert fact in text
    assert "Made by hearts-arena 0.1.0, 1 May 2026." in text
    warning = text.index("Warning: Zoë: in 20,800 choices 1 illegal try, 2 time-outs, 3 crashes")
    assert warning < text.index("Ranking")
    assert "4,160 (20.0%)" in text
    assert "Warning" not in _text(_page(standings()))


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
def test_text_can_be_read_on_all_grounds(theme: Mapping[str, str]) -> None:
    paper = _rgb(theme["paper"])
    for name in ("ink", "faint"):
        assert _contrast(_rgb(theme[name]), paper) >= _LEAST_CONTRAST
    assert _contrast(_rgb(theme["ink"]), _rgb(theme["warning"])) >= _LEAST_CONTRAST
    assert _contrast(_rgb(theme["on-mark"]), _rgb(theme["mark"])) >= _LEAST_CONTRAST
    grounds = [_blend(_rgb(theme["mark"]), paper, shade) for shade in SHADES[1:]]
    for name, part in product(("better", "worse"), (0.25, 0.5, 0.75, 1.0)):
        grounds.append(_blend(_rgb(theme[name]), paper, STRONGEST * part))
    for ground in grounds:
        assert _contrast(_rgb(theme["ink"]), ground) >= _LEAST_CONTRAST


def test_both_themes_name_the_same_colours() -> None:
    assert LIGHT.keys() == DARK.keys()
    used = set(re.findall(r"var\(--([a-z-]+)\)", _page(standings())))
    assert used == LIGHT.keys()


def test_what_xml_does_not_know_is_replaced() -> None:
    page = html_page(standings(), [], date="a<b\x00\ud800", version="1")
    assert "a<b\ufffd\ufffd" in _text(page)


@pytest.mark.parametrize(("low", "high"), [(0.0, 1.0), (5.0, 8.3), (-91.0, 47.0), (0.01, 0.013)])
def test_ticks_are_round_and_on_the_axis(low: float, high: float) -> None:
    scale = Scale(low, high, 0.0, 100.0)
    ticks = scale.ticks(8)
    assert 3 <= len(ticks) <= 9
    assert all(-1e-6 <= at <= 100.0 + 1e-6 for at, _ in ticks)
    assert all(scale.at(float(text)) == pytest.approx(at, abs=1e-6) for at, text in ticks)
    # An axis of one number has room on both sides of it.
    assert around([low], 0.0, 100.0).at(low) == pytest.approx(50.0)


def _rgb(colour: str) -> tuple[float, ...]:
    return tuple(int(colour[start : start + 2], 16) / 255 for start in (1, 3, 5))


def _blend(over: tuple[float, ...], ground: tuple[float, ...], share: float) -> tuple[float, ...]:
    return tuple(share * a + (1 - share) * b for a, b in zip(over, ground, strict=True))


def _contrast(one: tuple[float, ...], other: tuple[float, ...]) -> float:
    lighter, darker = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def _luminance(colour: tuple[float, ...]) -> float:
    linear = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in colour)
    return sum(weight * c for weight, c in zip((0.2126, 0.7152, 0.0722), linear, strict=True))

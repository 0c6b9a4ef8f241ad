"""How the page of results looks: on light ground, on dark ground, and on paper.

Blue and orange can be told apart by everybody; what they say stands in numbers as well.
"""

from __future__ import annotations

from collections.abc import Mapping

LIGHT: Mapping[str, str] = {
    "paper": "#ffffff",
    "ink": "#1b1f24",
    "faint": "#57606a",
    "grid": "#d8dee4",
    "mark": "#0b5cad",
    "on-mark": "#ffffff",
    "better": "#4a9bd9",
    "worse": "#ef8a3c",
    "warning": "#fff1e0",
}
DARK: Mapping[str, str] = {
    "paper": "#14181d",
    "ink": "#e8ecf0",
    "faint": "#a3adb8",
    "grid": "#333b44",
    "mark": "#6cb6ff",
    "on-mark": "#0d1117",
    "better": "#1f6fb2",
    "worse": "#b3591a",
    "warning": "#3a2a17",
}
"""The same names on dark ground."""

_RULES = """
:root { color-scheme: light dark; }
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 1.5rem 1rem 3rem; max-width: 60rem; background: var(--paper);
  color: var(--ink); font: 16px/1.5 system-ui, "Segoe UI", Roboto, "Helvetica Neue", sans-serif; }
h1 { font-size: 1.7rem; line-height: 1.2; margin: 0 0 .3rem; }
h2 { font-size: 1.15rem; margin: 2.2rem 0 .3rem; }
p { margin: .3rem 0 .8rem; max-width: 46rem; }
.facts, footer, caption, figcaption { color: var(--faint); font-size: .875rem; }
.warnings { background: var(--warning); border-left: 4px solid var(--worse); padding: .6rem 1rem;
  margin: 1rem 0; list-style: none; }
figure { margin: .5rem 0 0; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; font-size: .9375rem; }
th, td { padding: .3rem .7rem; text-align: right; white-space: nowrap;
  border-bottom: 1px solid var(--grid); }
th { font-weight: 600; }
th.left, td.left { text-align: left; }
td.spec { white-space: normal; overflow-wrap: anywhere; color: var(--faint); }
.half { color: var(--faint); }
svg { display: block; max-width: 100%; height: auto; overflow: visible; }
svg svg { overflow: hidden; }
.scroll svg { max-width: none; }
svg text { fill: var(--ink); font: 14px system-ui, "Segoe UI", Roboto, sans-serif;
  font-variant-numeric: tabular-nums; unicode-bidi: isolate; }
svg .tick { fill: var(--faint); font-size: 12px; }
svg .cell, svg .sure { font-size: 13px; }
svg .sure { font-weight: 700; }
svg .small { font-size: 12px; }
svg .on-mark { fill: var(--on-mark); font-size: 12px; }
.ground { fill: var(--paper); }
.grid { stroke: var(--grid); stroke-width: 1; }
.zero { stroke: var(--faint); stroke-width: 1; stroke-dasharray: 4 3; }
.interval { stroke: var(--mark); stroke-width: 2; }
.dot { fill: var(--mark); }
.ring { fill: var(--paper); stroke: var(--mark); stroke-width: 2; }
.place { fill: var(--mark); stroke: var(--paper); stroke-width: 1; }
.better { fill: var(--better); }
.worse { fill: var(--worse); }
.empty { fill: var(--grid); fill-opacity: .35; }
.others { fill: none; stroke: var(--faint); stroke-width: 1; stroke-opacity: .45; }
.own { fill: none; stroke: var(--mark); stroke-width: 2; }
.band { fill: var(--mark); fill-opacity: .2; }
@page { margin: 15mm; }
@media print {
  body { padding: 0; max-width: none; font-size: 11pt; }
  figure, table, .warnings { break-inside: avoid; }
  h2 { break-after: avoid; }
  .scroll { overflow: visible; }
  .scroll svg { max-width: 100%; }
  * { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
}
"""


def style_sheet() -> str:
    """All of it. Paper is light, whatever the screen is."""
    light, dark = _colours(LIGHT), _colours(DARK)
    return (
        f":root {{ {light} }}\n"
        f"@media screen and (prefers-color-scheme: dark) {{ :root {{ {dark} }} }}{_RULES}"
    )


def _colours(colours: Mapping[str, str]) -> str:
    return " ".join(f"--{name}: {colour};" for name, colour in colours.items())

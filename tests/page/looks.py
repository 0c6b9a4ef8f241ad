"""How a page looks: what axe finds wrong with it, and how wide it is."""

from __future__ import annotations

import json
from pathlib import Path

from playwright.sync_api import Page

HERE = Path(__file__).parent
AXE = HERE / "vendor" / "axe.min.js"
WIDTH = "() => document.documentElement.scrollWidth"
"""How wide what is shown is, in pixels."""


def script(name: str) -> str:
    """Return what a browser is told to do, by its name in ``scripts``."""
    return (HERE / "scripts" / f"{name}.js").read_text(encoding="utf-8")


def faults_of(page: Page) -> list[str]:
    """What axe finds wrong with what is shown."""
    page.evaluate(AXE.read_text(encoding="utf-8"))
    tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
    found = page.evaluate(f"axe.run(document, {{runOnly: {json.dumps(tags)}}})")
    return [
        f"{fault['id']}: {node['html']}" for fault in found["violations"] for node in fault["nodes"]
    ]

"""How a page looks: what axe finds wrong with it, and how wide it is."""

from __future__ import annotations

import json
from pathlib import Path

from playwright.sync_api import Page

AXE = Path(__file__).parent / "vendor" / "axe.min.js"
WIDTH = "() => document.documentElement.scrollWidth"
"""How wide what is shown is, in pixels."""


def faults_of(page: Page) -> list[str]:
    """What axe finds wrong with what is shown."""
    page.evaluate(AXE.read_text(encoding="utf-8"))
    tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]
    found = page.evaluate(f"axe.run(document, {{runOnly: {json.dumps(tags)}}})")
    return [
        f"{fault['id']}: {node['html']}" for fault in found["violations"] for node in fault["nodes"]
    ]

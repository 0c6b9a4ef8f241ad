"""Each class of the product has a name that no other class of the product has."""

from __future__ import annotations

import ast
from collections import defaultdict

from .spec import FILE

ROOT = FILE.parent
PACKAGES = (
    "hearts",
    "hearts_server",
    "hearts_client",
    "hearts_arena",
    "hearts_conformance",
    "taunt_server",
)


def test_every_class_has_a_name_of_its_own() -> None:
    places: defaultdict[str, list[str]] = defaultdict(list)
    for package in PACKAGES:
        for path in (ROOT / package).rglob("*.py"):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"), str(path))):
                if isinstance(node, ast.ClassDef):
                    places[node.name].append(f"{path.relative_to(ROOT)}:{node.lineno}")
    assert len(places) > 500
    shared = {name: sorted(found) for name, found in places.items() if len(found) > 1}
    assert not shared, "\n".join(
        f"{name} is the name of several classes: {', '.join(found)}"
        for name, found in sorted(shared.items())
    )

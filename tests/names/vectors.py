"""The vectors of secrets, words, keys and signatures, for all languages."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

VECTORS: dict[str, list[dict[str, Any]]] = json.loads(
    (Path(__file__).parent.parent / "vectors" / "name_keys.json").read_text(encoding="utf-8")
)

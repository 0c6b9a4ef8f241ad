"""The modules of the page that need no page, in node; and what the page weighs."""

from __future__ import annotations

import gzip
import shutil
import subprocess
from pathlib import Path

import pytest

from hearts_web.files import PAGE

HERE = Path(__file__).parent
MOST_PACKED_BYTES = 200_000


def test_the_client_modules() -> None:
    node = shutil.which("node")
    if node is None:
        pytest.skip("there is no node")
    tests = subprocess.run(
        [node, "--test", HERE / "client.test.mjs"], capture_output=True, text=True, timeout=120
    )
    assert tests.returncode == 0, tests.stdout + tests.stderr


def test_the_client_modules_need_no_page() -> None:
    for module in (PAGE / "client").glob("*.js"):
        text = module.read_text(encoding="utf-8")
        assert "from '../" not in text, module.name
        assert "document." not in text, module.name


def test_the_page_asks_nobody_else_and_is_small() -> None:
    packed = 0
    for file in PAGE.rglob("*"):
        if file.suffix not in {".js", ".css", ".html", ".svg"} or file.suffixes == [".d", ".ts"]:
            continue
        data = file.read_bytes()
        packed += len(gzip.compress(data))
        text = data.decode()
        own = text.replace("http://www.w3.org/", "")
        assert "http://" not in own, file.name
        assert "https://" not in own, file.name
    assert packed < MOST_PACKED_BYTES

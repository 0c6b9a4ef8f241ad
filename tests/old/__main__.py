"""All that is old against all of today: ``python -m tests.old``, with options of pytest."""

from __future__ import annotations

import sys

import pytest

from .archive import HERE

if __name__ == "__main__":
    sys.exit(pytest.main([str(HERE), "-m", "", "-v", *sys.argv[1:]]))

"""For the whole test suite: hypothesis takes the same examples on every run and machine, and there
are half as many workers again as processors, for many tests wait for programs that they start."""

from __future__ import annotations

import os

from hypothesis import settings

settings.register_profile("default", deadline=None, derandomize=True)
settings.load_profile("default")


def pytest_xdist_auto_num_workers() -> int:
    """The workers of ``-n auto``."""
    return max(1, (os.cpu_count() or 1) * 3 // 2)

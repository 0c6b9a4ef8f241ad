"""Settings of hypothesis for the whole test suite: the same examples on every run and machine."""

from __future__ import annotations

from hypothesis import settings

settings.register_profile("default", deadline=None, derandomize=True)
settings.load_profile("default")

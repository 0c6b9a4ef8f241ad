"""``python -m hearts_arena`` is the command ``hearts-arena``."""

from .command import main

if __name__ == "__main__":
    raise SystemExit(main())

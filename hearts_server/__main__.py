"""``python -m hearts_server``: the same as ``hearts-server``."""

from .commands.main import main

if __name__ == "__main__":
    raise SystemExit(main())

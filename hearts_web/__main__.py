"""``python -m hearts_web`` is the command ``hearts-web``."""

import sys

from .command import main

if __name__ == "__main__":
    sys.exit(main())

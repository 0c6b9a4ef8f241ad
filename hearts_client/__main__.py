"""``python -m hearts_client``."""

import sys

from .commands.play import main

if __name__ == "__main__":
    sys.exit(main())

"""``python -m hearts_server.thinking LEVEL SECONDS``: a worker, for the server that starts it."""

import sys

from .worker import main

if __name__ == "__main__":
    main(sys.argv[1], float(sys.argv[2]))

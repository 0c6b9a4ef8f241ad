"""The command ``hearts-arena``: reads its options, and imports what carries them out after that."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Sequence

from hearts.errors import HeartsError
from hearts.settings.option_rows import FAILED, INTERRUPTED

from .options import parse


def main(arguments: Sequence[str] | None = None) -> int:
    given = parse(sys.argv[1:] if arguments is None else arguments)
    # Who asks for help need not wait for trio and the report: 140 ms.
    from .tournament import carry_out

    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        return carry_out(given)
    except KeyboardInterrupt:
        return INTERRUPTED
    except HeartsError as error:
        _complain(str(error))
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except OSError as error:
        _complain(f"{error.filename or ''}: {error.strerror or error}")
    return FAILED


def _complain(text: str) -> None:
    print(f"hearts-arena: {text}", file=sys.stderr)

"""The console script ``verify``, and ``python -m verifier``: Ctrl-C and SIGTERM also end it while modules are being imported, and a module
that is replaced meanwhile ends it with one line.
"""

from __future__ import annotations

import os
import signal
import sys
from types import FrameType

from verifier import EXIT_INTERRUPTED

ENDING = (signal.SIGINT, signal.SIGTERM)
"""The signals of a user and of a system that stops its jobs: processes that work for this one end, too."""


def main() -> None:
    """Read the program and run the command line."""
    for number in ENDING:
        signal.signal(number, _stopped)
    from verifier.running.results import READ

    READ.begin()
    try:
        from verifier.commands.main import interrupted
        from verifier.commands.main import main as run
    except Exception:
        if not (changed := READ.changed()):
            raise
        sys.stderr.write(f"verify: {changed}\n")
        sys.exit(2)
    for number in ENDING:
        signal.signal(number, interrupted)
    run()


def _stopped(number: int, frame: FrameType | None) -> None:
    os.write(2, b"verify: stopped\n")
    os._exit(EXIT_INTERRUPTED)


if __name__ == "__main__":
    main()

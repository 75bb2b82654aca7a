"""The console script ``verify``, and ``python -m verifier``: Ctrl-C also ends it while modules are being imported."""

from __future__ import annotations

import os
import signal
from types import FrameType

from verifier import EXIT_INTERRUPTED


def main() -> None:
    """Read the program and run the command line."""
    signal.signal(signal.SIGINT, _stopped)
    from verifier.commands.main import interrupted
    from verifier.commands.main import main as run

    signal.signal(signal.SIGINT, interrupted)
    run()


def _stopped(number: int, frame: FrameType | None) -> None:
    os.write(2, b"verify: stopped\n")
    os._exit(EXIT_INTERRUPTED)


if __name__ == "__main__":
    main()

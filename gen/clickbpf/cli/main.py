"""The entry point. Nothing is imported before an interrupt is caught.

Exit status: 0 done, 1 a mistake in the configuration or a refusal of the system (reported on standard error), 2 a mistake on
the command line, 130 and 143 interrupted and terminated (after undoing what was begun).
"""

from __future__ import annotations

import gc
import sys

INTERRUPTED = 130


def main(arguments: list[str] | None = None) -> int:
    """Run a command line; the exit status."""
    gc.disable()  # imports leave no garbage, and collecting it would take a tenth of a short command's time
    try:
        from clickbpf.cli.execute import execute

        return execute(arguments)
    except KeyboardInterrupt:
        return INTERRUPTED
    finally:
        gc.enable()


if __name__ == "__main__":
    sys.exit(main())

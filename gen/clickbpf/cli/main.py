"""The entry point. Nothing is imported before an interrupt is caught.

Exit status: 0 done, 1 a mistake in the configuration or a refusal of the system (reported on standard error), 2 a mistake on
the command line, 129, 130 and 143 if its terminal was closed, or it was interrupted or terminated (after undoing what was begun).
"""

import gc
import os
import sys

INTERRUPTED = 130


def main(arguments: list[str] | None = None) -> int:
    """Run a command line; the exit status."""
    _complete_streams()
    gc.disable()  # imports leave no garbage, and collecting it would take a tenth of a short command's time
    try:
        from clickbpf.cli.execute import execute

        return execute(arguments)
    except KeyboardInterrupt:
        return INTERRUPTED
    finally:
        gc.enable()


def _complete_streams() -> None:
    """Give the process the standard streams that its caller has closed: the next files that it opens would have their numbers, and what is
    printed would go there."""
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        if getattr(sys, name) is None:
            while (found := os.open(os.devnull, os.O_RDWR)) < number:
                continue
            setattr(sys, name, os.fdopen(found, "w" if number else "r", closefd=False))


if __name__ == "__main__":
    sys.exit(main())

"""The entry point. It catches interrupts before it imports anything large.

Exit status: 0 done; 1 a mistake in the configuration or a refusal of the system (reported on standard error); 2 a mistake on
the command line; 129, 130 and 143 when the terminal was closed, or the command interrupted or terminated (which undoes what it began).
"""

import gc
import os
import sys

INTERRUPTED = 130


def main(arguments: list[str] | None = None) -> int:
    """Run a command line; the exit status."""
    _complete_streams()
    gc.disable()  # imports make no garbage; looking for it takes a tenth of a short command's time
    try:
        from clickbpf.cli.execute import execute

        return execute(arguments)
    except KeyboardInterrupt:
        return INTERRUPTED
    finally:
        gc.enable()


def _complete_streams() -> None:
    """Open /dev/null in the place of standard streams that the caller has closed: else the next file that is opened gets a stream's number,
    and whatever is printed."""
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        if getattr(sys, name) is None:
            while (found := os.open(os.devnull, os.O_RDWR)) < number:
                continue
            setattr(sys, name, os.fdopen(found, "w" if number else "r", closefd=False))


if __name__ == "__main__":
    sys.exit(main())

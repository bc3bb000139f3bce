"""The base of elements that print a line about each packet (line.h)."""

import os

from clickbpf.declare import (
    PASSES, USER, ArgError, Bool, Element, Filename, Keyword, Look, Optional, Private, String, Vars, s32, u8,
)

STANDARD_ERROR = 2


class LinePrinter(Element, runs=USER, traits=PASSES):
    """LABEL, OUTFILE, ACTIVE and the handler `active`."""

    args = (
        Optional("LABEL", String(), "", "a text"),
        Keyword("TIMESTAMP", Bool(), True, "whether to print the time, in seconds since 1970"),
        Keyword("OUTFILE", Filename(), text="a file to print to"),
        Keyword("ACTIVE", Bool(), True, "false to print nothing", setting="vars"),
    )
    state_types = {"vars": Vars(active=u8), "printer": Private(fd=s32)}
    holds = ()
    #: The file of OUTFILE, while it is open.
    _file: int | None = None
    derived = {"label": ("const char *", lambda self: self.cfg.label)}

    def shown(self) -> Look:
        return Look(**self.seen(), needs_network=True, switch=("vars", "active"))

    def seen(self) -> dict[str, int]:
        """The bytes that the element reads (class Look)."""
        raise NotImplementedError(type(self).__name__)

    def initialise(self) -> None:
        self.state.vars.active = self.cfg.active
        if self.cfg.outfile is not None:
            self._file = _create(self.cfg.outfile)
        self.state.printer.fd = STANDARD_ERROR if self._file is None else self._file

    def finished(self) -> None:
        if self._file is not None:
            os.close(self._file)
        self._file = None


def _create(name: str) -> int:
    """A descriptor of a new, empty file."""
    try:
        return os.open(name, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o666)
    except OSError as error:
        raise ArgError(f"{name}: {error.strerror}", argument="OUTFILE") from None

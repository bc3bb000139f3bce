"""What elements that print a line about each packet (line.h) have in common."""

from __future__ import annotations

import os

from clickbpf.args import ArgError, Bool, Filename, Keyword, Optional, String
from clickbpf.objects.ctext import c_string
from clickbpf.vocabulary.element import PASSES, USER, Element, field_handlers
from clickbpf.vocabulary.looks import Look
from clickbpf.vocabulary.state import Private, Vars, s32, u8

STANDARD_ERROR = 2


class LinePrinter(Element):
    """LABEL, OUTFILE, ACTIVE and the handler `active`."""

    runs = USER
    looks = PASSES
    args = (
        Optional("LABEL", String(), ""),
        Keyword("TIMESTAMP", Bool(), True),
        Keyword("OUTFILE", Filename()),
        Keyword("ACTIVE", Bool(), True),
    )
    state_types = {"vars": Vars(active=u8), "printer": Private(fd=s32)}
    holds = ()
    #: The file of OUTFILE, while it is open.
    _file: int | None = None

    def constants(self) -> dict[str, tuple[str, str]]:
        return {"label": ("const char *", c_string(self.cfg.label))}

    def shown(self) -> Look:
        return Look(**self.seen(), needs_network=True, switch=("vars", "active"))

    def seen(self) -> dict[str, int]:
        """The bytes that it looks at (class Look)."""
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

    active = field_handlers("vars", Bool())


def _create(name: str) -> int:
    """A descriptor of a new, empty file."""
    try:
        return os.open(name, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o666)
    except OSError as error:
        raise ArgError(f"{name}: {error.strerror}", argument="OUTFILE") from None

"""What goes wrong while a Script runs: lines of text, each context above what was said in it."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager

from clickbpf.declare import ArgError
from clickbpf.runtime.handlers import HandlerError


class Complaints:
    """Lines in Click's layout: a context such as `While calling 'h':`, and the handler's messages, indented by two columns.

    They are kept for a handler's caller, or shown at once if nobody else would see them (`shown`).
    """

    def __init__(self) -> None:
        self._lines: list[str] = []
        self._title: str | None = None

    def __len__(self) -> int:
        return len(self._lines)

    def add(self, message: str) -> None:
        """One complaint, of any number of lines."""
        lines = message.splitlines()
        if self._title is not None and lines:
            sys.stdout.flush()
            title, indent = ([] if self._lines else [self._title], "  ") if self._title else ([], "")
            print(*title, *(f"{indent}{line}" for line in lines), sep="\n", file=sys.stderr)
        self._lines += lines

    @contextmanager
    def during(self, context: str = "") -> Iterator[None]:
        """What is raised within becomes a complaint, below the context if there is one."""
        try:
            yield
        except (ArgError, HandlerError) as error:
            lines = error.message.splitlines()
            self.add("\n".join([context, *(f"  {line}" for line in lines)] if context and lines else lines))

    @contextmanager
    def shown(self, title: str) -> Iterator[None]:
        """Complaints within go to standard error, under the title if there is one."""
        outer, self._title = (self._title, self._lines), title
        self._lines = []
        try:
            yield
        finally:
            self._title, self._lines = outer

    def take(self) -> list[str]:
        """All lines so far, which are then forgotten."""
        lines, self._lines = self._lines, []
        return lines

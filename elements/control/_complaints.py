"""The errors of a running Script: lines of text, each context above its messages."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from clickbpf.declare import ArgError
from clickbpf.messages import as_click
from clickbpf.runtime.handlers import HandlerError


class Complaints:
    """Lines in Click's layout: a context such as `While calling 'h':`, and the handler's messages, indented by two columns.

    Lines are collected for a handler's caller, or printed at once if there is no caller (`shown`); then, unless Click's words are wanted,
    with `where()`, the place of the instruction, and with hints.
    """

    def __init__(self, where: Callable[[], str]) -> None:
        self._where = where
        self._lines: list[str] = []
        self._title: str | None = None

    def __len__(self) -> int:
        return len(self._lines)

    def add(self, message: str, hint: str | None = None) -> None:
        """Add one complaint, of any number of lines."""
        lines = message.splitlines()
        if self._title is not None and lines:
            sys.stdout.flush()
            title, indent = ([] if self._lines else [self._title], "  ") if self._title else ([], "")
            said = lines if as_click() else [self._where() + lines[0], *lines[1:], *([f"hint: {hint}"] if hint else [])]
            print(*title, *(f"{indent}{line}" for line in said), sep="\n", file=sys.stderr)
        self._lines += lines

    @contextmanager
    def during(self, context: str = "") -> Iterator[None]:
        """Turn errors raised within into complaints, below the context if there is one."""
        try:
            yield
        except (ArgError, HandlerError) as error:
            lines = error.message.splitlines()
            self.add("\n".join([context, *(f"  {line}" for line in lines)] if context and lines else lines), error.hint)

    @contextmanager
    def shown(self, title: str) -> Iterator[None]:
        """Print complaints within to standard error, below the title if there is one."""
        outer, self._title = (self._title, self._lines), title
        self._lines = []
        try:
            yield
        finally:
            self._title, self._lines = outer

    def take(self) -> list[str]:
        """Return and forget all lines so far."""
        lines, self._lines = self._lines, []
        return lines

"""The arguments of a configuration string, before they are assigned to declarations; those of a Bulk type come in runs."""

import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate
from typing import Any, Self

from clickbpf.args.types.base import Bulk
from clickbpf.frozen import frozen
from clickbpf.lang.config import argument_at, split_args

_NAMED = re.compile(r"([A-Za-z_][A-Za-z0-9_:.?!]*)\s+(?=\S)")


@dataclass(slots=True)
class Given:
    """One argument of a configuration string, and the declaration that it was found to belong to."""

    text: str
    offset: int
    name: str | None = None
    #: Where the value begins in `text`, if it is given by name.
    value_at: int = 0
    #: How it was taken: by "name" or "position".
    taken: str | None = None

    @classmethod
    def of(cls, text: str, offset: int) -> Self:
        match = _NAMED.match(text)
        return cls(text, offset, match[1], match.end()) if match else cls(text, offset)

    @property
    def value_start(self) -> int:
        """Where the value begins in `text`, once taken."""
        return self.value_at if self.taken == "name" else 0

    @property
    def value(self) -> str:
        return self.text[self.value_start :]


@frozen(slots=True)
class Run:
    """Arguments from `offset` to before `end` of the string, with the commas after them, and their values."""

    values: Sequence[Any]
    offset: int
    end: int


class Several(Sequence[Given]):
    """Arguments of one declaration, in order: single arguments and runs. The arguments of a run are made on demand."""

    def __init__(self, config: str, parts: Sequence[Given | Run]):
        self._config, self._parts = config, parts
        self._begins = [0, *accumulate(len(part.values) if isinstance(part, Run) else 1 for part in parts)]

    def __len__(self) -> int:
        return self._begins[-1]

    def __getitem__(self, index: int) -> Given:
        if not 0 <= index < len(self):
            raise IndexError(index)
        number = bisect_right(self._begins, index) - 1
        part = self._parts[number]
        return part if isinstance(part, Given) else _of_run(self._config, part.offset, part.end)[index - self._begins[number]]


@lru_cache(1)
def _of_run(config: str, offset: int, end: int) -> list[Given]:
    return [Given(text, offset + at) for text, at in split_args(config[offset:end])]


def given_in(config: str) -> list[Given]:
    """The arguments one by one."""
    return [Given.of(text, offset) for text, offset in split_args(config)]


def given_with_runs(config: str, type_: Bulk) -> tuple[list[Given], list[Run]]:
    """The arguments that are in the type's plain form in runs, and the others one by one."""
    given, runs = [], []
    at: int | None = 0
    while at is not None and at < len(config):
        values, end = type_.run(config, at)
        if end > at:
            runs.append(Run(values, at, end))
            at = end
            continue
        text, offset, at = argument_at(config, at)
        if text or at is not None:
            given.append(Given.of(text, offset))
    return given, runs

"""How many ports elements have, and whether the connections use them all and no others."""

from __future__ import annotations

import re
from dataclasses import dataclass

from clickbpf.element import Element

_RANGE = r"(\d*)(?:(-)(\d*))?"
_CODE = re.compile(rf"{_RANGE}(?:/(?:(=\+*)|{_RANGE}))?")

UNLIMITED = 1 << 30


@dataclass(frozen=True)
class PortCount:
    """A port count code: least and most inputs and outputs, or how many more outputs than inputs."""

    inputs: tuple[int, int]
    outputs: tuple[int, int]
    extra: int | None = None

    @classmethod
    def parse(cls, code: str) -> PortCount:
        """ "1/1-2", "-/1", "2" (for "2/2"), "-/=" (as many outputs as inputs), "-/=+" (one more); ValueError otherwise."""
        match = _CODE.fullmatch(code)
        if not match or not code or code[0] == "/":
            raise ValueError(f"bad port count {code!r}")
        inputs = _range(*match.group(1, 2, 3))
        if match[4]:
            return cls(inputs, inputs, len(match[4]) - 1)
        return cls(inputs, _range(*match.group(5, 6, 7)) if "/" in code else inputs)

    def resolve(self, inputs: int, outputs: int) -> tuple[int, int]:
        """The numbers of ports of an element whose connections use so many: the nearest ones allowed."""
        n_inputs = _clamp(inputs, self.inputs)
        if self.extra is not None:
            return n_inputs, n_inputs + self.extra
        return n_inputs, _clamp(outputs, self.outputs)


def _range(low: str | None, dash: str | None, high: str | None) -> tuple[int, int]:
    least = int(low or 0)
    if not dash:
        return least, least
    return least, int(high) if high else UNLIMITED


def _clamp(count: int, bounds: tuple[int, int]) -> int:
    return max(bounds[0], min(count, bounds[1]))

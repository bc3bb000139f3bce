"""The three codes with which a class describes its ports: how many, push or pull, and which inputs lead to which outputs.

They are Click's: `Element::port_count`, `processing` and `flow_code`. An invalid code is an ArgError, since configuring an element
finds it.
"""

import re
from collections.abc import Iterator
from functools import cached_property
from typing import Self

from clickbpf.args.error import ArgError
from clickbpf.frozen import frozen

PUSH, PULL, AGNOSTIC = "push", "pull", "agnostic"

#: What "any number" means: a typing error in a port number must not make a million ports.
MOST_PORTS = 1024

_RANGE = r"(\d*)(?:(-)(\d*))?"
_COUNT = re.compile(rf"(?=[^/]){_RANGE}(?:/(?=.)(?:(=\+*)|{_RANGE}))?")
_MODES = {"h": PUSH, "l": PULL, "a": AGNOSTIC}
_FLOW_PART = re.compile(r"(?:[A-Za-z#]|\[\^?[A-Za-z#]*\])+")
_FLOW_ITEM = re.compile(r"([A-Za-z#])|\[(\^?)([A-Za-z#]*)\]")


@frozen
class PortCount:
    """Least and most inputs and outputs; with `extra` there are that many more outputs than inputs."""

    inputs: tuple[int, int]
    outputs: tuple[int, int]
    extra: int | None = None

    @classmethod
    def parse(cls, code: str) -> Self:
        """ "1/1-2", "-/1", "2" (for "2/2"), "-/=" (as many outputs as inputs), "-/=+" (one more)."""
        match = _COUNT.fullmatch(code)
        if not match:
            raise ArgError(f"bad port count '{code}' in its class")
        inputs = _range(*match.group(1, 2, 3))
        if match[4]:
            return cls(inputs, inputs, len(match[4]) - 1)
        return cls(inputs, _range(*match.group(5, 6, 7)) if "/" in code else inputs)

    def resolve(self, inputs: int, outputs: int) -> tuple[int, int]:
        """The numbers of inputs and outputs of an element that uses so many: the nearest ones that the code allows."""
        n_inputs = _clamp(inputs, self.inputs)
        if self.extra is not None:
            return n_inputs, n_inputs + self.extra
        return n_inputs, _clamp(outputs, self.outputs)


def _range(low: str | None, dash: str | None, high: str | None) -> tuple[int, int]:
    least = int(low or 0)
    if not dash:
        return least, least
    return least, int(high) if high else MOST_PORTS


def _clamp(count: int, bounds: tuple[int, int]) -> int:
    return max(bounds[0], min(count, bounds[1]))


def processing(code: str, inputs: int, outputs: int) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The modes of inputs and outputs: a letter for each port, the last one for all further ports; without a slash, for both sides."""
    before, slash, after = code.partition("/")
    return _modes(code, before, inputs), _modes(code, after if slash else before, outputs)


def _modes(code: str, letters: str, count: int) -> tuple[str, ...]:
    if set(letters) - set(_MODES) or (count and not letters):
        raise ArgError(f"bad processing code '{code}' in its class")
    return tuple(_MODES[letters[min(port, len(letters) - 1)]] for port in range(count))


@frozen
class Tag:
    """One port's part of a flow code: the letters and port numbers that it matches or, if `negated`, doesn't match."""

    members: frozenset[str | int]
    negated: bool = False

    def meets(self, other: Self) -> bool:
        """Whether the two have a letter or a port number in common; two negated parts always do."""
        if self.negated and other.negated:
            return True
        if self.negated or other.negated:
            positive, negative = (other, self) if self.negated else (self, other)
            return bool(positive.members - negative.members)
        return bool(self.members & other.members)


@frozen
class FlowCode:
    """The outputs by which packets of an input may leave: `x/x` all, `x/y` none, `#/#` the one with the same number."""

    text: str

    def __post_init__(self):
        parts = self.text.split("/")
        if len(parts) > 2 or not all(_FLOW_PART.fullmatch(part) for part in parts):
            raise ArgError(f"bad flow code '{self.text}' in its class")

    @cached_property
    def _items(self) -> tuple[list[tuple[str, str, str]], ...]:
        """The parts for inputs and for outputs, each as (letter, caret, letters in brackets)."""
        before, slash, after = self.text.partition("/")
        return _FLOW_ITEM.findall(before), _FLOW_ITEM.findall(after if slash else before)

    def tag(self, is_output: bool, port: int) -> Tag:
        """A port's part of the code; the last part is for all further ports."""
        items = self._items[is_output]
        letter, caret, group = items[min(port, len(items) - 1)]
        return Tag(frozenset(port if member == "#" else member for member in letter or group), bool(caret))

    def through(self, is_output: bool, port: int, others: int) -> Iterator[int]:
        """The ports among the `others` on the other side that packets of `port` come from or go to."""
        here = self.tag(is_output, port)
        return (other for other in range(others) if here.meets(self.tag(not is_output, other)))

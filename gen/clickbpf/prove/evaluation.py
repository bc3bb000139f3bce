"""The values of terms for a known packet and known tables."""

from collections.abc import Mapping
from functools import reduce
from typing import Any

from clickbpf.prove.terms import fold, sign_extend
from clickbpf.prove.values import Term, Truth, Word, variable


class Values(dict):
    """The values of terms if variables have the values in `given`, by name; other variables have their lowest value."""

    def __init__(self, given: Mapping[str, int]):
        self.given = given

    def of(self, term: "Word | Truth") -> Any:
        return self[term] if isinstance(term, Term) else term

    def __missing__(self, term: Term) -> Any:
        value = self[term] = _VALUE[term.op](self, term.width, *term.args)
        return value

    def _variable(self, width: int, name: str) -> int:
        found = self.given.get(name)
        return variable(name, width).low if found is None else found

    def _cat(self, _width: int, *parts: tuple[int, Word]) -> int:
        value = 0
        for width, part in parts:
            value = value << width | self.of(part)
        return value

    def _sum(self, width: int, parts: tuple, constant: int) -> int:
        return (constant + sum(self[part] * factor for part, factor in parts)) & ((1 << width) - 1)


def _signed(width: int, value: int) -> int:
    return value - (value >> (width - 1) << width)


_VALUE: dict[str, Any] = {
    "var": Values._variable,
    "cat": Values._cat,
    "sum": Values._sum,
    "ex": lambda v, w, word, high, low: v[word] >> low & ((1 << w) - 1),
    "sx": lambda v, w, word: sign_extend(w, v[word], word.width),
    "and": lambda v, w, *parts: reduce(int.__and__, map(v.of, parts)),
    "or": lambda v, w, *parts: reduce(int.__or__, map(v.of, parts)),
    "xor": lambda v, w, *parts: reduce(int.__xor__, map(v.of, parts)),
    "shl": lambda v, w, a, b: v.of(a) << v.of(b) & ((1 << w) - 1),
    "shr": lambda v, w, a, b: v.of(a) >> v.of(b),
    "sar": lambda v, w, a, b: _signed(w, v.of(a)) >> v.of(b) & ((1 << w) - 1),
    "mul": lambda v, w, a, b: v[a] * v[b] & ((1 << w) - 1),
    "udiv": lambda v, w, a, b: v.of(a) // v.of(b) if v.of(b) else 0,
    "urem": lambda v, w, a, b: v.of(a) % v.of(b) if v.of(b) else v.of(a),
    "ite": lambda v, w, c, a, b: v.of(a) if v[c] else v.of(b),
    "eq": lambda v, w, a, b: v[a] == v.of(b),
    "ult": lambda v, w, a, b: v.of(a) < v.of(b),
    "slt": lambda v, w, width, a, b: _signed(width, v.of(a)) < _signed(width, v.of(b)),
    "not": lambda v, w, a: not v[a],
    "fold": lambda v, w, a: fold(v[a]),
    "within": lambda v, w, a: a.low <= v[a] <= a.high,
    "all": lambda v, w, *parts: all(v[part] for part in parts),
}

"""Values of a program that runs on any packet: numbers, or terms over the packet's bytes and the tables' contents.

A constant is a Python int, so a run on one packet makes no terms. Operations on terms (terms.py) simplify, and terms are unique: equal ones
are one object. Words are unsigned, of `width` bits; a truth has width 0, and is a bool if constant. A concatenation (`cat`) has its parts
from the most significant one on, each with its width; a sum has terms with coefficients, and a constant.
"""

from collections.abc import Iterator

#: The number of words from which on a sum is hard.
MANY = 4
Word = "int | Term"
Truth = "bool | Term"


class Term:
    """An operation on terms. `low` and `high` bound its value; `ones` has the bits that may be 1. It is `loose` if it only depends on
    values that no question is about: times, random numbers, and per-CPU counts. It is `hard` for a solver if it depends on sums of many
    words, such as checksums."""

    __slots__ = ("args", "hard", "high", "loose", "low", "number", "ones", "op", "solver", "width")


_known: dict[tuple, Term] = {}


def make(
    op: str, width: int, args: tuple, low: int = 0, high: int | None = None, ones: int | None = None, loose: bool | None = None
) -> Term:
    """The term of an operation, with its known bounds and bits."""
    key = (op, width, args)
    found = _known.get(key)
    if found is None:
        found = _known[key] = Term()
        found.op, found.width, found.args, found.number, found.solver = op, width, args, len(_known), None
        full = (1 << width) - 1
        ones = full if ones is None else ones
        high = min(full if high is None else high, ones)
        found.hard = (op == "sum" and len(args[0]) >= MANY) or any(term.hard for term in inside(args))
        found.loose = all(term.loose for term in inside(args)) if loose is None else loose
        found.low, found.high, found.ones = low, high, ones & ((1 << high.bit_length()) - 1)
    return found


_histories: dict[tuple, int] = {}


def history(*what: object) -> int:
    """A number, not 0, for what has happened: the same for the same, in all routers."""
    return _histories.setdefault(what, len(_histories) + 1)


def inside(args: tuple) -> Iterator[Term]:
    """The terms among a term's arguments."""
    for each in args:
        if isinstance(each, Term):
            yield each
        elif isinstance(each, tuple):
            yield from inside(each)


def variable(name: str, width: int, low: int = 0, high: int | None = None, loose: bool = False) -> Term:
    """A word with any value between the bounds, to be given to a solver as a condition (`within`)."""
    made = make("var", width, (name,), low, high, loose=loose)
    if high is not None and (made.low, made.high) != (low, high):
        raise ValueError(f"{name} is already a word with other bounds")
    return made


def within(word: Term) -> Term:
    """The condition that a variable is between its bounds."""
    return make("within", 0, (word,))


def bounds(word: Word) -> tuple[int, int]:
    return (word, word) if isinstance(word, int) else (word.low, word.high)

"""Comparisons of numbers as tests of masked words."""

from clickbpf.declare import ArgError, frozen
from clickbpf.classify import FALSE, TRUE, All, Expression, Some, Test, unlike


@frozen
class Comparison:
    """`number & mask == value` or `number & mask > value`, perhaps inverted.

    `value` has no bits outside `mask`.
    """

    mask: int
    value: int
    greater: bool
    negated: bool

    @property
    def constant(self) -> bool | None:
        """The result, if it is always the same."""
        return None if self.mask else not self.negated

    def at(self, region: str, word: int, shift: int) -> Expression:
        """The comparison, not inverted, of the number that ends `shift` bits above the end of a word."""
        if not self.greater:
            return Test(region, word, self.mask << shift, self.value << shift) if self.mask else TRUE
        return _greater(region, word, shift, self.mask, self.value)

    def turned(self, expression: Expression) -> Expression:
        """An expression made of results of `at`, inverted if this comparison is."""
        return unlike(expression) if self.negated else expression


def compare(title: str, operation: str, limit: int, mask: int | None, value: int) -> Comparison:
    """`& mask operation value` for numbers from 0 to `limit`, a power of two minus 1. ArgError if it makes no sense."""
    if mask is not None and mask & ~limit:
        raise ArgError(f"'{title}': mask out of range, bound 0x{limit:X}")
    mask = mask or limit
    if operation in ("==", "!="):
        if value > limit:
            raise ArgError(f"'{title}': out of range, bound {limit}", f"values go from 0 to {limit}")
        return Comparison(mask, value & mask, False, operation == "!=")
    negated = operation in ("<=", ">=")
    less = operation in ("<", ">=")
    if value >= mask + less or (less and value == 0):
        holds = (less and value > mask) != negated
        return Comparison(0, 0, False, not holds)
    # n < v is not n > v - 1.
    return Comparison(mask, _within(value - less, mask), True, negated != less)


@frozen
class Within:
    """`number >= first and number <= last`, to be used as a Comparison."""

    least: Comparison
    most: Comparison
    negated: bool
    mask = 0

    @property
    def constant(self) -> bool | None:
        both = {self.least.constant, self.most.constant}
        return None if None in both else (both == {True}) != self.negated

    def at(self, region: str, word: int, shift: int) -> Expression:
        return All(*(limit.turned(limit.at(region, word, shift)) for limit in (self.least, self.most)))

    def turned(self, expression: Expression) -> Expression:
        return unlike(expression) if self.negated else expression


def within(title: str, operation: str, limit: int, mask: int | None, first: int, last: int) -> Within:
    """Whether a number from 0 to `limit` is, or for `!=` is not, in a range. ArgError if it makes no sense."""
    if operation not in ("==", "!=") or mask is not None:
        raise ArgError(f"'{title}': a range goes with no mask, '<' or '>'", f"as in '{title} {first}-{last}'")
    if not first <= last <= limit:
        raise ArgError(f"'{title}': {first}-{last} is no range", f"the first number first, both from 0 to {limit}")
    return Within(compare(title, ">=", limit, None, first), compare(title, "<=", limit, None, last), operation == "!=")


def _within(value: int, mask: int) -> int:
    """The greatest number up to `value` without bits outside `mask`."""
    missing = value & ~mask
    return (value | (1 << missing.bit_length()) - 1) & mask if missing else value


def _greater(region: str, word: int, shift: int, mask: int, value: int) -> Expression:
    """`number & mask > value` from the top bits downwards.

    At a run of zeros in `value`, a number with a one there is greater. At a run of ones, a number with a zero there is not greater.
    Otherwise the bits below decide, down to the last zeros.
    """
    steps = []
    while value < mask:
        ones = value > mask >> 1
        differing = (~(value + 1) & mask) if ones else value
        top = mask & ~((1 << differing.bit_length()) - 1)
        steps.append((ones, top << shift))
        mask &= ~top
        value &= mask
    result: Expression = TRUE if steps and steps[-1][0] else FALSE
    for ones, top in reversed(steps):
        result = All(Test(region, word, top, top), result) if ones else Some(unlike(Test(region, word, top, 0)), result)
    return result

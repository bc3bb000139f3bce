"""Decimal fractions in binary and back, rounded as Click rounds them."""

import re

from clickbpf.args.digits import whole

_DIGITS = "[0-9](?:_?[0-9])*"
_REAL = re.compile(
    rf"(?P<sign>[+-]?)(?:(?P<whole>{_DIGITS})(?:\.(?P<part>{_DIGITS})?)?|\.(?P<bare>{_DIGITS}))(?:[eE](?P<exponent>[+-]?[0-9]+))?"
)

#: Powers of ten beyond this make every number of a configuration overflow or vanish.
_EXPONENT_LIMIT = 400


def fixed_point(text: str, power: int, signed: bool = False, fraction_bits: int = 32) -> tuple[bool, int] | None:
    """|text| * 10^power * 2^fraction_bits and whether it is negative; None if `text` is no real number.

    With 32 fraction bits the result is rounded, half up; with fewer it is cut off.
    """
    match = _REAL.fullmatch(text)
    if not match or (match["sign"] == "-" and not signed):
        return None
    before = (match["whole"] or "").replace("_", "")
    part = (match["part"] or match["bare"] or "").replace("_", "")[:_EXPONENT_LIMIT]
    exponent = whole(match["exponent"] or "0")
    power += max(-_EXPONENT_LIMIT, min(exponent, _EXPONENT_LIMIT)) - len(part)
    numerator = int(f"{whole(before)}{part}") * 10 ** max(power, 0)
    denominator = 10 ** max(-power, 0)
    if fraction_bits < 32:
        return match["sign"] == "-", (numerator << fraction_bits) // denominator
    return match["sign"] == "-", ((numerator << 33) // denominator + 1) >> 1


def scaled(fixed: int, factor: int) -> int:
    """A number with 32 fraction bits times an integer, rounded to an integer, half up."""
    return (fixed * factor + (1 << 31)) >> 32


def to_binary(fixed: int, fraction_bits: int) -> int:
    """A number with 32 fraction bits, rounded to `fraction_bits`, half up.

    So a decimal is rounded twice, as Click does it, which shows where 2^-32 is not small against the last bit.
    """
    dropped = 32 - fraction_bits
    return (fixed + (1 << dropped >> 1)) >> dropped


def unparse_binary(value: int, fraction_bits: int) -> str:
    """The decimal with the fewest digits that, rounded to `fraction_bits`, is `value` / 2^fraction_bits."""
    if value < 0:
        return "-" + unparse_binary(-value, fraction_bits)
    digits = 0
    while True:
        decimal = _rounded(value * 10**digits, 1 << fraction_bits)
        if to_binary(_rounded(decimal << 32, 10**digits), fraction_bits) == value:
            return unparse_decimal(decimal, digits)
        digits += 1


def _rounded(numerator: int, denominator: int) -> int:
    """The quotient, half up."""
    return (2 * numerator + denominator) // (2 * denominator)


def unparse_decimal(value: int, digits: int) -> str:
    """`value` / 10^digits without trailing zeros."""
    if value < 0:
        return "-" + unparse_decimal(-value, digits)
    whole, part = divmod(value, 10**digits)
    return f"{whole}.{part:0{digits}d}".rstrip("0") if part else str(whole)

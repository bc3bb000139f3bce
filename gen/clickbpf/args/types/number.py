"""Numbers without units: integers, truth values, fixed-point fractions, and numbers that have names."""

import re
from typing import Any

from clickbpf.args import names
from clickbpf.args.context import NOWHERE, Context
from clickbpf.args.digits import whole
from clickbpf.args.error import ArgError
from clickbpf.args.fraction import fixed_point, to_binary, unparse_binary, unparse_decimal
from clickbpf.args.types.base import Type
from clickbpf.args.values import Anno as AnnoValue
from clickbpf.frozen import frozen
from clickbpf.nearest import did_you_mean
from clickbpf.vocabulary import annotations


def _digits(allowed: str) -> str:
    return f"{allowed}(?:_?{allowed})*"


_HEX = "(?P<hex>0[xX]" + _digits("[0-9a-fA-F]") + ")"
_BIN = "(?P<bin>0[bB]" + _digits("[01]") + ")"
_OCT = "(?P<oct>0(?:_?[0-7])*)"
_DEC = "(?P<dec>" + _digits("[0-9]") + ")"
_INTEGER = {
    0: re.compile(f"[+-]?(?:{_HEX}|{_BIN}|{_OCT}|{_DEC})"),
    10: re.compile(f"[+-]?{_DEC}"),
    16: re.compile(f"[+-]?(?:{_HEX}|(?P<bare>{_digits('[0-9a-fA-F]')}))"),
}
_BASES = {"hex": 16, "bare": 16, "bin": 2, "oct": 8, "dec": 10}


def written_integer(text: str, base: int = 0) -> int | None:
    """The integer that `text` is, or None.

    Base 0 means decimal but for the prefixes 0x, 0b and 0 (octal); single underscores may stand between digits.
    """
    match = _INTEGER[base].match(text)
    if not match or match.end() != len(text):
        return None
    base = _BASES[match.lastgroup]
    digits = match[match.lastgroup].lower().replace("_", "").removeprefix("0x" if base == 16 else "0b" if base == 2 else "")
    value = whole(digits, base)
    return -value if text[0] == "-" else value


@frozen
class Integer(Type):
    """An integer of 8, 16, 32 or 64 bits, perhaps within narrower bounds; value int."""

    bits: int = 32
    signed: bool = False
    low: int | None = None
    high: int | None = None
    base: int = 0
    wrong_in_click = "invalid number"

    @property
    def written_in_click(self) -> str:  # type: ignore[override]
        return f"expected uint{self.bits}_t" if self.bits < 32 and not self.signed else "expected integer"

    @property
    def bounds(self) -> tuple[int, int]:
        """Least and greatest value."""
        least = -(1 << (self.bits - 1)) if self.signed else 0
        greatest = (1 << (self.bits - self.signed)) - 1
        return (least if self.low is None else self.low), (greatest if self.high is None else self.high)

    @property
    def c_type(self) -> str:  # type: ignore[override]
        return f"__{'s' if self.signed else 'u'}{self.bits}"

    def parse(self, text: str, context: Context = NOWHERE) -> int:
        value = written_integer(text, self.base)
        if value is None or (text[0] == "-" and self.bounds[0] >= 0 and not self.signed):
            octal = text[:1] == "0" and text.isdigit()
            raise self.wrong(text, hint=f"hexadecimal numbers begin with 0x: '0x{text}'" if octal else None)
        return self.check(value)

    def check(self, value: int) -> int:
        """The value if it lies within the bounds."""
        low, high = self.bounds
        if not low <= value <= high:
            bound = low if value < low else high
            raise ArgError(f"out of range, bound {bound}", f"expected {self.describe()}", in_click=self._range_in_click(value))
        return value

    def _range_in_click(self, value: int) -> str | None:
        """Click's message about a value outside of the bounds: Click first parses an integer of the type's size."""
        low, high = Integer(self.bits, self.signed).bounds
        return None if low <= value <= high else f"out of range, bound {low if value < low else high}"

    def c_value(self, value: int) -> str:
        suffix = ("" if self.signed else "U") + ("LL" if self.bits == 64 else "")
        if self.signed and value == -(1 << (self.bits - 1)):
            return f"(-{-value - 1}{suffix} - 1)"
        return f"{value}{suffix}"

    def describe(self) -> str:
        low, high = self.bounds
        return f"an integer from {low} to {high}"


@frozen
class Rate(Integer):
    """A number of packets per second; value int."""

    def describe(self) -> str:
        return f"a rate in packets per second from {self.bounds[0]} to {self.bounds[1]}"


class Bool(Type):
    """A truth value; value bool."""

    described = "true or false"
    written_in_click = "expected boolean"
    c_type = "bool"
    WORDS = {
        **dict.fromkeys(("true", "t", "yes", "y", "1"), True),
        **dict.fromkeys(("false", "f", "no", "n", "0"), False),
    }

    def parse(self, text: str, context: Context = NOWHERE) -> bool:
        if text not in self.WORDS:
            raise self.wrong(text)
        return self.WORDS[text]

    def proposals(self) -> tuple[str, ...]:
        return "true", "false"

    def c_value(self, value: bool) -> str:
        return self.unparse(value)

    def unparse(self, value: bool) -> str:
        return "true" if value else "false"


class _Fraction(Type):
    """A real number kept as an integer of 32 bits."""

    signed: bool

    @property
    def c_type(self) -> str:  # type: ignore[override]
        return "__s32" if self.signed else "__u32"

    def c_value(self, value: int) -> str:
        return Integer(32, self.signed).c_value(value)

    def describe(self) -> str:
        return "a real number" if self.signed else "a real number, not negative"


@frozen
class Real(_Fraction):
    """A real number kept as a fixed-point fraction; value int, the number times 2^`fraction_bits`, within 32 bits."""

    fraction_bits: int
    signed: bool = False

    def parse(self, text: str, context: Context = NOWHERE) -> int:
        fixed = fixed_point(text, 0, self.signed)
        if fixed is None:
            raise self.wrong(text)
        negative, magnitude = fixed
        scaled = to_binary(magnitude, self.fraction_bits)
        limit = (1 << 31) - 1 + negative if self.signed else (1 << 32) - 1
        if scaled > limit:
            bound = self.unparse(-limit if negative else limit)
            raise ArgError(f"out of range, bound {bound}", f"expected {self.describe()}")
        return -scaled if negative else scaled

    def unparse(self, value: int) -> str:
        return unparse_binary(value, self.fraction_bits)


@frozen
class Decimal(_Fraction):
    """A real number kept as a decimal fraction; value int, the number times 10^`digits`, within 32 bits."""

    digits: int
    signed: bool = False

    def parse(self, text: str, context: Context = NOWHERE) -> int:
        fixed = fixed_point(text, self.digits, self.signed, fraction_bits=1)
        if fixed is None:
            raise self.wrong(text)
        negative, magnitude = fixed
        # One bit of fraction, cut off, is enough to round a half up.
        return Integer(32, self.signed).check((-1 if negative else 1) * ((magnitude + 1) >> 1))

    def unparse(self, value: int) -> str:
        return unparse_decimal(value, self.digits)


@frozen
class Named(Integer):
    """An integer that may be given by a name of `kind` (see `clickbpf.args.names`); value int."""

    kind: str = ""
    what: str = "number"

    def parse(self, text: str, context: Context = NOWHERE) -> int:
        value = context.names.query(self.kind, context.element, text)
        if value is not None:
            return self.check(value)
        value = written_integer(text, self.base)
        if value is None or text[0] == "-":
            raise self.wrong(text, hint=did_you_mean(text, context.names.known(self.kind, context.element)))
        return self.check(value)

    def describe(self) -> str:
        return f"{'an' if self.what[0] in 'IAEO' else 'a'} {self.what} (a name, or a number from {self.bounds[0]} to {self.bounds[1]})"


class _Port(Named):
    wrong_in_click = "parse error"

    def _range_in_click(self, value: int) -> str:
        return "overflow, range 0-65535"


def IPPort(protocol: int = 6) -> Named:
    """A port of an IP protocol (6 TCP, 17 UDP, ...), by number or service name; value int in host byte order."""
    return _Port(16, kind=names.port(protocol), what="port")


def IPProtocol() -> Named:
    """An IP protocol by number or name; value int."""
    return Named(8, kind=names.PROTOCOL, what="IP protocol")


def ICMPType() -> Named:
    """An ICMP message type by number or name; value int."""
    return Named(8, kind=names.ICMP_TYPE, what="ICMP type")


def ICMPCode(icmp_type: int) -> Named:
    """A code of an ICMP message type by number or name; value int."""
    return Named(8, kind=names.icmp_code(icmp_type), what="ICMP code")


def DSCP() -> Named:
    """A differentiated services code point (RFC 2474) by number or name (`ef`, `af11`, `cs6`); value int."""
    return Named(8, high=63, kind=names.DSCP, what="DSCP")


@frozen
class Anno(Type):
    """A packet annotation of `size` bytes, by name or by offset; value int, its offset in the 48 bytes.

    The offset has to be a multiple of a size of 2, 4 or 8, as on all machines (and under the verifier) that don't read unaligned
    words. With size 0 any annotation is accepted and the value is a `values.Anno`. The element sets the annotation if `is_set`.
    """

    size: int
    is_set: bool = False
    c_type = "__u32"

    def parse(self, text: str, context: Context = NOWHERE) -> Any:
        anno = self._lookup(text, context)
        size = self.size or anno.size or 1
        if self.size and anno.size not in (0, self.size):
            raise self._unfit(f"annotation {text} has {_bytes(anno.size)}, not {self.size}", f"expected {self.describe()}")
        if anno.offset < 0 or anno.offset + size > annotations.SIZE:
            raise self._unfit(f"{_bytes(size)} at {anno.offset} are outside of the {annotations.SIZE} annotation bytes")
        if size in (2, 4, 8) and anno.offset % size:
            raise self._unfit(f"an annotation of {_bytes(size)} can't be at {anno.offset}", f"use a multiple of {size}")
        return anno.offset if self.size else anno

    def _unfit(self, message: str, hint: str | None = None) -> ArgError:
        return ArgError(message, hint, in_click=self.wrong_in_click)

    def _lookup(self, text: str, context: Context) -> AnnoValue:
        anno = context.names.query(names.ANNOTATION, context.element, text)
        if anno is not None:
            return anno
        offset = written_integer(text)
        if offset is None:
            raise self.wrong(text, hint=did_you_mean(text, context.names.known(names.ANNOTATION, context.element)))
        return AnnoValue(offset, 0)

    def c_value(self, value: Any) -> str:
        return f"{value if self.size else value.offset}U"

    def unparse(self, value: Any) -> str:
        return str(value if self.size else value.offset)

    def describe(self) -> str:
        return f"an annotation of {_bytes(self.size)} (a name or an offset)" if self.size else "an annotation"


def _bytes(count: int) -> str:
    return "1 byte" if count == 1 else f"{count} bytes"

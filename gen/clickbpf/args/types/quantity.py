"""Numbers with units: time and bandwidth."""

from clickbpf.args.context import NOWHERE, Context
from clickbpf.args.error import ArgError
from clickbpf.args.fraction import fixed_point, scaled, unparse_decimal
from clickbpf.args.types.base import Type
from clickbpf.args.types.number import Integer
from clickbpf.frozen import frozen


@frozen
class Units:
    """Suffixes and the SI prefixes that may come before them.

    `suffixes` maps each suffix to (power of ten, factor); the first that matches counts, as in Click.  `prefixes` maps
    a letter to a power of ten.
    """

    suffixes: dict[str, tuple[int, int]]
    prefixes: dict[str, int]

    def split(self, text: str) -> tuple[str, int, int]:
        """The number's text, the power of ten and the factor of its unit."""
        for suffix, (power, factor) in self.suffixes.items():
            if text.endswith(suffix):
                number = text.removesuffix(suffix)
                if number and number[-1] in self.prefixes:
                    power += self.prefixes[number[-1]]
                    number = number[:-1]
                return number.rstrip(), power, factor
        return text, 0, 1


_TIME = Units(
    {
        "s": (0, 1), "sec": (0, 1), "m": (1, 6), "min": (1, 6), "h": (2, 36), "hr": (2, 36), "d": (2, 864), "day": (2, 864),
    },
    {"m": -3, "u": -6, "n": -9},
)  # fmt: skip

_BANDWIDTH = Units(
    {"baud": (-3, 125), "bps": (-3, 125), "b/s": (-3, 125), "Bps": (0, 1), "B/s": (0, 1)},
    {"k": 3, "K": 3, "M": 6, "G": 9},
)


@frozen
class Time(Type):
    """A time span, in seconds where no unit is given; value int in nanoseconds.

    `digits` is the precision: 3 rounds to milliseconds, as those elements of Click do that count in milliseconds.
    """

    described = "a time (a number with ns, us, ms, s, min, h or day; seconds without)"
    digits: int = 9
    low: int | None = None
    high: int | None = None
    c_type = "__u64"

    def parse(self, text: str, context: Context = NOWHERE) -> int:
        number, power, factor = _TIME.split(text)
        fixed = fixed_point(number, power + self.digits)
        if fixed is None:
            raise self.wrong(text)
        value = scaled(fixed[1], factor) * 10 ** (9 - self.digits)
        low, high = self.low or 0, (1 << 64) - 1 if self.high is None else self.high
        if not low <= value <= high:
            bound = self.unparse(low if value < low else high)
            raise ArgError(f"out of range, bound {bound}", f"expected {self.describe()}")
        return value

    def c_value(self, value: int) -> str:
        return Integer(64).c_value(value)

    def unparse(self, value: int) -> str:
        return unparse_time(value)


#: Click's other name for this type.
Seconds = Time


def unparse_time(nanoseconds: int) -> str:
    """A time as Click shows intervals: 20ms, 1500us, 7ns below a second, then 1.500000s or 1.500000001s."""
    seconds, part = divmod(nanoseconds, 10**9)
    if seconds:
        return f"{seconds}.{part // 1000:06d}s" if part % 1000 == 0 else f"{seconds}.{part:09d}s"
    unit, length = next((unit, length) for unit, length in (("ms", 10**6), ("us", 1000), ("ns", 1)) if part % length == 0)
    return f"{part // length}{unit}"


#: The first rate in bytes per second that doesn't fit into 32 bits as bits per second.
_BITS_FIT = 1 << 29


@frozen
class Bandwidth(Type):
    """A data rate, in bytes per second where no unit is given; value int in bytes per second, of 64 bits."""

    described = "a bandwidth (a number with bps, kbps, Mbps, Gbps, Bps, kBps, ...; bytes per second without)"
    c_type = "__u64"

    def parse(self, text: str, context: Context = NOWHERE) -> int:
        number, power, factor = _BANDWIDTH.split(text)
        fixed = fixed_point(number, power)
        if fixed is None:
            raise self.wrong(text)
        value = scaled(fixed[1], factor)
        if value >> 64:
            bound = (1 << 64) - 1
            raise ArgError(f"out of range, bound {bound}", f"expected {self.describe()}", in_click="out of range")
        return value

    def c_value(self, value: int) -> str:
        return Integer(64).c_value(value)

    def unparse(self, value: int) -> str:
        """`8kbps`, `1.5Mbps`, `2Gbps`: bits, in the largest unit that leaves at least one before the point.

        As in Click, where bits don't fit into 32 bits any more, these are bytes: `600MBps`.
        """
        if value >= _BITS_FIT:
            return unparse_decimal(value, 6) + "MBps"
        for unit, digits in (("Gbps", 9), ("Mbps", 6)):
            if value * 8 >= 10**digits:
                return unparse_decimal(value * 8, digits) + unit
        return unparse_decimal(value * 8, 3) + "kbps"

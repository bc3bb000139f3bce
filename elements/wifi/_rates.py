"""Lists of stations' supported rates, as arguments and in memory (rates.h)."""

import ctypes
from collections.abc import Iterable

from clickbpf.declare import NOWHERE, ArgError, Context, Ether, EtherAddress, Integer, Type, split_words

#: WIFI_RATES_KEPT of rates.h.
MOST_RATES = 23
#: The word that replaces the address, for stations without their own rates.
DEFAULT = "DEFAULT"


class Rates(ctypes.Structure):
    """struct wifi_rates of rates.h."""

    _fields_ = (("count", ctypes.c_uint8), ("rate", ctypes.c_uint8 * MOST_RATES))
    c_name = "struct wifi_rates"

    def __str__(self) -> str:
        return "".join(f" {rate}" for rate in self.rate[: self.count])


def rates_of(values: Iterable[int]) -> Rates:
    values = tuple(values)
    return Rates(len(values), (ctypes.c_uint8 * MOST_RATES)(*values))


class StationRates(Type):
    """An Ethernet address or DEFAULT, and rates; value (Ether or None, tuple of int)."""

    described = "an Ethernet address or DEFAULT, and rates in units of 500 kbit/s"

    def parse(self, text: str, context: Context = NOWHERE) -> tuple[Ether | None, tuple[int, ...]]:
        words = split_words(text)
        if len(words) < 2:
            raise ArgError(f"error param {text} must have > 1 arg", f"expected {self.describe()}")
        if len(words) > 1 + MOST_RATES:
            raise ArgError(f"too many rates, there is room for {MOST_RATES} in a frame")
        rates = tuple(Integer(8).parse(word, context) for word in words[1:])
        if words[0] == DEFAULT:
            return None, rates
        try:
            return EtherAddress().parse(words[0], context), rates
        except ArgError:
            raise ArgError(f"error param {text}: must start with ethernet address", f"or with {DEFAULT}") from None

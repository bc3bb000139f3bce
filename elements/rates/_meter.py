"""The base of Meter and BandwidthMeter: outputs by the rate that meter.inc.h measures."""

from functools import reduce

from clickbpf.declare import ANEW, KEPT, PUSH, ArgError, Bandwidth, Element, Held, Raw, Rest, Vars, read_handler, u64, unparse_binary

from ..common._clock import now
from ..common._warning import warn

#: EWMA_SCALE and EWMA_FORGOTTEN of ewma.h; METER_SHIFT and METER_BITS of meter.inc.h; epochs per second, and nanoseconds per epoch;
#: the greatest rate in Click's 32 bits.
SCALE, FORGOTTEN = 10, 100
SHIFT, BITS = 4, 28
FREQUENCY, EPOCH = 1000, 10**6
MOST = 0xFFFFFFFF >> SCALE


class MeterElement(Element, ports="1/2-", processing=PUSH):
    """SELF(level) in C gives the output for an average of events per millisecond, scaled as in ewma.h."""

    same_form = True
    args = (Rest("RATE", Raw(), "bandwidth, such as `384kbps`, up to 4194303Bps, each greater than the one before"),)
    #: `counted`: the epoch's number in the high bits, its count in the low bits.
    state_types = {"meter": Vars(average=u64, counted=u64)}
    holds = (Held("the average rate", ANEW, KEPT),)
    weight = 150
    #: Whether rates are in bytes per second, and should have units.
    has_units = True

    def configure(self) -> None:
        texts = self.cfg.rate
        if not texts:
            raise ArgError("too few arguments", "expected a rate for each output but the last")
        rates: list[int] = []
        for number, text in enumerate(texts):
            rates.append(_rate(number, text))
            if number and rates[-1] <= rates[-2]:
                raise ArgError(f"rate {number + 1} must be > rate {number}", argument="RATE", index=number)
            if self.has_units and text[-1] in "0123456789.":
                warn(self, f"no units for bandwidth argument {number + 1}, assuming Bps")
        for number, rate in enumerate(rates):
            if rate > MOST:
                raise ArgError(f"rate {number + 1} too large (max {MOST})", argument="RATE", index=number)
        if len(rates) + 1 != self.noutputs:
            raise ArgError(f"need {self.noutputs - 1} arguments, one less than the number of output ports")
        self.limits = [(rate << SCALE) // FREQUENCY for rate in rates]

    def code(self) -> str:
        tests = "".join(f"\tif (average < {limit}ull)\n\t\treturn {port};\n" for port, limit in enumerate(self.limits))
        return f"static __always_inline int SELF(level)(__u64 average)\n{{\n{tests}\treturn {len(self.limits)};\n}}\n"

    rate = read_handler(lambda self: unparse_binary(self._average() * FREQUENCY, SCALE), text="bytes per second at present.")

    def _average(self) -> int:
        """The average over all complete epochs."""
        epoch, events = divmod(self.state.meter.counted, 1 << BITS)
        passed = now(self) // EPOCH - epoch
        values = [events, *[0] * (min(passed, FORGOTTEN) - 1)] if passed > 0 else []
        if passed > FORGOTTEN:
            return 0
        return reduce(_update, values, self.state.meter.average)

    @read_handler
    def meters(self) -> str:
        """the rates as stored, in bytes per second, without separators."""
        return "".join(unparse_binary(limit * FREQUENCY, SCALE) for limit in self.limits)


def _update(average: int, value: int) -> int:
    """ewma_update() of ewma.h."""
    return average + (((value << SCALE) + (1 << (SHIFT - 1)) - average) >> SHIFT)


def _rate(number: int, text: str) -> int:
    try:
        return Bandwidth().parse(text)
    except ArgError as error:
        raise ArgError(f"argument {number + 1} syntax error", error.message, argument="RATE", index=number) from None

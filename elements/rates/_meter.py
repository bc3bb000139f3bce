"""Outputs by rate: what Meter and BandwidthMeter have in common."""

from __future__ import annotations

from collections.abc import Mapping

from clickbpf.args import ArgError, Bandwidth, Raw, Rest
from clickbpf.args.fraction import unparse_binary
from clickbpf.element import PUSH, USER, Element, read_handler
from clickbpf.state import Private, u64

from .._warning import warn

#: EWMA_SCALE of ewma.h; epochs in a second; the greatest rate in Click's 32 bits.
SCALE, FREQUENCY = 10, 1000
MOST = 0xFFFFFFFF >> SCALE


class MeterElement(Element):
    """C files find the outputs' limits in `cfg.limits`: averages of events in a millisecond, as ewma.h scales them."""

    ports = "1/2-"
    processing = PUSH
    runs = USER
    entries = ("control",)
    args = (Rest("RATE", Raw()),)
    #: `current` events were counted in the millisecond `epoch`.
    state_types = {"meter": Private(average=u64, current=u64, epoch=u64)}

    def configure(self) -> None:
        texts = self.cfg.rate
        if not texts:
            raise ArgError("too few arguments", "expected a rate for each output but the last")
        rates: list[int] = []
        for number, text in enumerate(texts):
            rates.append(_rate(number, text))
            if number and rates[-1] <= rates[-2]:
                raise ArgError(f"rate {number + 1} must be > rate {number}", argument="RATE", index=number)
            if self.warns_of_units and text[-1] in "0123456789.":
                warn(self, f"no units for bandwidth argument {number + 1}, assuming Bps")
        for number, rate in enumerate(rates):
            if rate > MOST:
                raise ArgError(f"rate {number + 1} too large (max {MOST})", argument="RATE", index=number)
        if len(rates) + 1 != self.noutputs:
            raise ArgError(f"need {self.noutputs - 1} arguments, one less than the number of output ports")
        self.limits = [(rate << SCALE) // FREQUENCY for rate in rates]

    #: Whether a number without a unit is doubtful.
    warns_of_units = False

    def constants(self) -> Mapping[str, tuple[str, str]]:
        limits = ", ".join(f"{limit}" for limit in self.limits)
        return {"limits": (f"__u64[{len(self.limits)}]", f"{{{limits}}}"), "nlimits": ("int", str(len(self.limits)))}

    @read_handler
    def rate(self) -> str:
        if self.runtime is not None:
            self.runtime.control(0)
        return unparse_binary(self.state.meter.average * FREQUENCY, SCALE)

    @read_handler
    def meters(self) -> str:
        return "".join(unparse_binary(limit * FREQUENCY, SCALE) for limit in self.limits)


def _rate(number: int, text: str) -> int:
    try:
        return Bandwidth().parse(text)
    except ArgError as error:
        raise ArgError(f"argument {number + 1} syntax error", error.message, argument="RATE", index=number) from None

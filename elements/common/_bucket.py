"""Token buckets (bucket.h): configuration and handlers of the Rated and BandwidthRated elements."""

from typing import Any, ClassVar

from clickbpf.declare import (
    USER, ArgError, Argument, Element, Integer, Keyword, Private, Required, Time, Type, Vars, read_handler, u32, u64,
    value_handlers,
)

from ._rates import BYTES, PACKETS

#: Units in a full bucket; refills in a second.
FULL, FREQUENCY = 0xFFFFFFFF, 1000
#: Bytes that a bucket must hold before a packet may pass: no packet is longer.
THRESHOLD = 131072
DEFAULT_BURST = 20
_NS_PER_MS = 10**6

DURATION = Keyword("BURST_DURATION", Time(digits=3), text="Time; a burst is RATE times this time. Default is 20ms")
PACKET_ARGS: tuple[Argument, ...] = (
    Required("RATE", PACKETS, "Integer, packets per second"),
    DURATION,
    Keyword("BURST_SIZE", Integer(32), text="Integer, packets of a burst; not with BURST_DURATION"),
)
BYTE_ARGS: tuple[Argument, ...] = (
    Required("RATE", BYTES, "Bandwidth, such as `384kbps`; bytes per second without a unit"),
    DURATION,
    Keyword("BURST_BYTES", Integer(32), text="Integer, bytes of a burst; not with BURST_DURATION"),
)

#: `level` has the units below the millisecond of the last refill.
FIELDS = {"level": u64, "scale": u32, "per_tick": u32}
#: The state of elements that run in user space only, and of those that the kernel path uses as well.
BUCKET, SHARED_BUCKET = Private(**FIELDS), Vars(**FIELDS)


def assign(bucket: Any, rate: int, capacity: int) -> None:
    """Set the rate, in tokens a second, and the capacity; the fill level stays."""
    capacity = max(1, min(capacity, FULL))
    if rate:
        capacity = max(capacity, (rate - 1) // FREQUENCY + 1)
    bucket.scale = FULL // capacity
    # Rounded down, as in Click: a bucket for one token, at 100 a second, gets the next one after 11 ms.
    bucket.per_tick = max(1, rate * bucket.scale // FREQUENCY) if rate else 0


def fill(bucket: Any, units: int = FULL) -> None:
    """Set the fill level."""
    bucket.level = bucket.level & ~FULL | units


def assigned_rate(bucket: Any) -> int:
    """The rate as Click shows it: computed from the bucket's units, it may exceed the configured rate by 1/2000."""
    return min((bucket.per_tick * FREQUENCY + bucket.per_tick // 2) // bucket.scale, FULL)


def rate_type(element: Element) -> Type:
    """The type of RATE, an element's first argument."""
    return element.args[0].type


class BucketElement(Element, runs=USER):
    """An element with a token bucket; its first argument is RATE, its last the size of a burst."""

    same_form = True
    state_types = {"bucket": BUCKET}
    #: What the bucket holds beyond a burst.
    threshold: ClassVar[int] = 0

    def configure(self) -> None:
        if self.cfg.burst_duration is not None and self._burst is not None:
            raise ArgError("cannot specify both BURST_DURATION and BURST_SIZE", argument="BURST_DURATION")

    @property
    def _burst(self) -> int | None:
        return getattr(self.cfg, type(self).args[-1].field)

    def initialise(self) -> None:
        self._assign(self.cfg.rate)
        fill(self.state.bucket, FULL if self.state.bucket.per_tick else 0)

    def _assign(self, rate: int) -> None:
        """Set the rate, in tokens a second; the fill level stays."""
        burst = self._burst
        if burst is None:
            duration = self.cfg.burst_duration
            burst = rate * (DEFAULT_BURST if duration is None else duration // _NS_PER_MS) // 1000
        assign(self.state.bucket, rate, burst + self.threshold)

    def _change(self, rate: int) -> None:
        self._assign(rate)
        self.assigned()

    rate = value_handlers(rate_type, lambda self: assigned_rate(self.state.bucket), _change, argument="RATE",
        text="RATE, as rounded by the bucket when read")

    def assigned(self) -> None:
        """The rate was changed."""


class ClicksBucketElement(BucketElement):
    """A class of Click's, whose handler `config` shows only the rate."""

    config = read_handler(lambda self: rate_type(self).unparse(assigned_rate(self.state.bucket)), text="the same")

from clickbpf.declare import (
    ANEW, ELIDABLE, PULL, Held, Optional, Private, Reconfigurable, Time, field_handlers, read_handler, s64, u8, u32, u64,
)

from ..timestamps._time import unparse_timestamp
from ._watching import QUEUES, WatchingElement


class Seconds(Time):
    """A time that handlers show with 6 digits after the point, or 9 if it takes them, as Click shows timestamps."""

    def unparse(self, value: int) -> str:
        return f"{unparse_timestamp(value)}s"


class CoDel(Reconfigurable, WatchingElement, processing=PULL, traits=ELIDABLE):
    """drops packets of a queue with a persistent delay

    Controlled Delay (Nichols and Jacobson 2012): when all packets have waited longer than TARGET for two INTERVALs, it drops one,
    the next one after an INTERVAL, and then more and more often, until the delay is below TARGET. A packet's delay is measured from
    its annotation FIRST_TIMESTAMP, which a SetTimestamp before the Queue sets; packets without it pass. If a device's transmit ring
    takes the place of the Queue, no packets wait, and the kernel path skips CoDel; a BandwidthShaper after CoDel makes packets wait
    in the Queue.

    Example: FromDevice(eth0) -> SetTimestamp(FIRST true) -> Queue(200) -> CoDel -> ToDevice(eth1);
    """

    args = (Optional("TARGET", Time(), 5_000_000, "Time"), Optional("INTERVAL", Time(), 100_000_000, "Time"), QUEUES)
    #: Times in ns since 1970. `above` is when packets will have waited too long for an INTERVAL, or 0; while `dropping`, `next` is
    #: the time of the next drop, and `drops` the number of drops so far.
    state_types = {
        "drop": Private(count=u64, waiting=u32),
        "codel": Private(target=s64, interval=s64, above=s64, next=s64, drops=u32, dropping=u8),
    }
    holds = (Held("when it drops next", ANEW, ANEW),)

    codel_target = field_handlers("codel", Seconds(), field="target", text="TARGET in seconds", argument="TARGET")
    codel_interval = field_handlers("codel", Seconds(), field="interval", text="INTERVAL in seconds", argument="INTERVAL")
    stats = read_handler(
        lambda self: f"{self._current()} current queue\n{self.state.drop.count} drops\n", text="packets waiting, and drops, in words"
    )

    @read_handler("config")
    def read_config(self) -> str:
        """TARGET and INTERVAL."""
        return f"{unparse_timestamp(self.state.codel.target)}s, {unparse_timestamp(self.state.codel.interval)} s, "

from __future__ import annotations

from clickbpf.args import Optional, Time
from clickbpf.vocabulary.element import PULL, field_handlers, read_handler
from clickbpf.vocabulary.held import ANEW, Held
from clickbpf.vocabulary.state import Private, s64, u8, u32, u64

from ..timestamps._time import unparse_timestamp
from ._watching import QUEUES, WatchingElement


class Seconds(Time):
    """A time that handlers show with 6 digits after the point, or 9 if it takes them, as Click shows timestamps."""

    def unparse(self, value: int) -> str:
        return f"{unparse_timestamp(value)}s"


class CoDel(WatchingElement):
    """drops packets of a queue that makes them wait too long

    Synopsis: `CoDel([TARGET, INTERVAL, QUEUES ...])`

    Controlled Delay (Nichols and Jacobson 2012): when all packets have waited longer than TARGET for two INTERVALs, it drops
    one, the next one after an INTERVAL, and then more and more often, until they no longer wait so long. How long a
    packet has waited follows from its annotation FIRST_TIMESTAMP, which SetTimestamp sets in front of the Queue; packets
    without it pass.

    Arguments:

      - TARGET: Time. Default is 5ms.
      - INTERVAL: Time. Default is 100ms.
      - QUEUES: names of the Queues that the handlers report on, instead of the nearest ones before it.

    Ports: one pull input, one pull output.

    Handlers:

      - `codel_target`, `codel_interval` (read, write): TARGET and INTERVAL in seconds.
      - `drops`: packets dropped.
      - `queues`: names of the Queues, one a line.
      - `stats`: packets waiting, and drops, in words.
      - `config`: TARGET and INTERVAL.

    Example:

        FromDevice(eth0) -> SetTimestamp(FIRST true) -> Queue(200) -> CoDel -> ToDevice(eth1);
    """

    processing = PULL
    entries = ("pull", "control")
    reconfigurable = True
    args = (Optional("TARGET", Time(), 5_000_000), Optional("INTERVAL", Time(), 100_000_000), QUEUES)
    #: Times in ns since 1970. `above` is when packets will have waited too long for an INTERVAL, 0 if they don't; `next` when
    #: the next one is dropped, while `dropping`, and `drops` how many were since that began.
    state_types = {
        "drop": Private(count=u64, waiting=u32),
        "codel": Private(target=s64, interval=s64, above=s64, next=s64, drops=u32, dropping=u8),
    }
    holds = (Held("when it drops next", ANEW, ANEW),)

    codel_target = field_handlers("codel", Seconds(), field="target")
    codel_interval = field_handlers("codel", Seconds(), field="interval")

    @read_handler
    def stats(self) -> str:
        return f"{self._current()} current queue\n{self.state.drop.count} drops\n"

    @read_handler("config")
    def read_config(self) -> str:
        return f"{unparse_timestamp(self.state.codel.target)}s, {unparse_timestamp(self.state.codel.interval)} s, "

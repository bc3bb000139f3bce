from __future__ import annotations

from collections.abc import Mapping

from clickbpf.args import ArgError, Bool, Integer, Keyword
from clickbpf.vocabulary.element import read_handler
from clickbpf.vocabulary.held import COUNTED, LOST, Held
from clickbpf.vocabulary.state import Private, ptr, u8, u32, u64

from ..common._inputs import PerInput, Scheduler


class TimeSortedSched(Scheduler):
    """merges its inputs' packets by timestamp

    Synopsis: `TimeSortedSched([STOP ..., BUFFER ...])`

    Each pull returns, of all packets at hand, the one with the earliest timestamp. Where each input's packets come in
    the order of their timestamps, all packets leave in that order. The element that pulls from it sleeps while there are none.

    Arguments:

      - STOP: Boolean. Stop the driver when there is no packet left, and none came while it was asked ten times. Default
        is false.
      - BUFFER: Integer. Packets of each input that it holds and sorts, so that inputs may be somewhat out of order.
        Default is 1.

    Ports: any number of pull inputs, one pull output.

    Handlers:

      - `well_ordered` (read): false once a packet has left after one with a later timestamp.

    Example: two dumps become one:

        FromDump(one.pcap) -> [0]sched :: TimeSortedSched(STOP true);
        FromDump(two.pcap) -> [1]sched;
        sched -> Unqueue -> ToDump(both.pcap);
    """

    entries = ("pull", "init", "cleanup")
    args = (Keyword("STOP", Bool(), False), Keyword("BUFFER", Integer(32, signed=True), 1))
    #: Times are ns since 1970, 0 for none. `nodes` and `slots` have room for the packets of all inputs, `free` begins the
    #: list of slots without one; the first `ready` of the inputs name those that have room.
    state_types = {
        "sorter": Private(nodes=ptr, slots=ptr, free=ptr, latest=u64, inserted=u64, size=u32, ready=u32, in_vain=u32, disordered=u8),
        "inputs": PerInput(held=u32, ready=u32),
    }
    holds = (Held("packets that wait", COUNTED, LOST),)

    def configure(self) -> None:
        if self.cfg.buffer <= 0:
            raise ArgError("BUFFER must be at least 1", argument="BUFFER")

    def constants(self) -> Mapping[str, tuple[str, str]]:
        return {**super().constants(), "buffer": ("__u32", str(self.cfg.buffer))}

    @read_handler
    def well_ordered(self) -> str:
        return Bool().unparse(not self.state.sorter.disordered)

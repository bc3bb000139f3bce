from clickbpf.declare import COUNTED, LOST, ArgError, Bool, Constants, Held, Integer, Keyword, Private, ptr, read_handler, u8, u32, u64

from ..common._inputs import PerInput, Scheduler


class TimeSortedSched(Scheduler):
    """merges its inputs' packets by timestamp

    Each pull returns, of all packets at hand, the one with the earliest timestamp. Where each input's packets come in
    the order of their timestamps, all packets leave in that order. The element that pulls from it sleeps while there are none.

    Example: two dumps become one:

        FromDump(one.pcap) -> [0]sched :: TimeSortedSched(STOP true);
        FromDump(two.pcap) -> [1]sched;
        sched -> Unqueue -> ToDump(both.pcap);
    """

    args = (
        Keyword("STOP", Bool(), False, "Boolean. Stop the driver when there is no packet left, and none came while it was asked ten times"),
        Keyword("BUFFER", Integer(32, signed=True), 1, "Integer. Packets of each input that it holds and sorts, so that inputs may be "
            "somewhat out of order"),
    )
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

    def constants(self) -> Constants:
        return {**super().constants(), "buffer": ("__u32", str(self.cfg.buffer))}

    @read_handler
    def well_ordered(self) -> str:
        """false once a packet has left after one with a later timestamp."""
        return Bool().unparse(not self.state.sorter.disordered)

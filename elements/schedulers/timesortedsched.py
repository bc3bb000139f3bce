from clickbpf.declare import COUNTED, LOST, ArgError, Bool, Constants, Held, Integer, Keyword, Private, ptr, read_handler, u8, u32, u64

from ..common._inputs import PerInput, Scheduler


class TimeSortedSched(Scheduler):
    """merges its inputs' packets by timestamp

    Each pull returns the packet with the earliest timestamp of all inputs. If each input's packets are in the order of their
    timestamps, so are all packets at the output. The pulling element sleeps while there are no packets.

    Example: two dumps become one:

        FromDump(one.pcap) -> [0]sched :: TimeSortedSched(STOP true);
        FromDump(two.pcap) -> [1]sched;
        sched -> Unqueue -> ToDump(both.pcap);
    """

    args = (
        Keyword("STOP", Bool(), False, "Boolean. Stop the driver when no packet is left, and ten pulls have found none"),
        Keyword("BUFFER", Integer(32, signed=True), 1, "Integer. Packets to hold and sort for each input, to tolerate inputs that are "
            "somewhat out of order"),
    )
    #: Times are ns since 1970, 0 for none. `nodes` and `slots` have room for the packets of all inputs; `free` begins the list of
    #: empty slots; the first `ready` entries of `inputs` are the inputs with room.
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
        """false once a packet has left after a later one."""
        return Bool().unparse(not self.state.sorter.disordered)

import errno
import struct

from clickbpf.declare import BEARS_OFFLOADS, PUSH, ArgError, Optional, Reconfigurable, RemotelyCalled, Vars, s32

from ._selection import NUMBER, Selection

#: LLRPCs of <click/llrpc.h>.
GET_SWITCH, SET_SWITCH = 5, 6


class Switch(Reconfigurable, RemotelyCalled, Selection, ports="1/-", processing=PUSH, traits=BEARS_OFFLOADS):
    """sends all packets to one of its outputs, which may be changed

    Example: `clickbpf write` router `s.switch 1` moves the traffic to the other device:

        FromDevice(eth0) -> s :: Switch;
        s[0] -> Queue -> ToDevice(eth1);
        s[1] -> Queue -> ToDevice(eth2);
    """

    args = (Optional("OUTPUT", NUMBER, 0, "the packets' output; if negative, packets are dropped"),)
    state_types = {"vars": Vars(output=s32)}
    selection, no_number = ("vars", "output"), "Switch output must be integer"

    def configure(self) -> None:
        if self.cfg.output >= self.noutputs:
            there = f"the outputs that are connected: {', '.join(map(str, range(self.noutputs)))}"
            raise ArgError(f"output must be < {self.noutputs}", there, argument="OUTPUT")

    def initialise(self) -> None:
        self.select(self.cfg.output)

    def llrpc(self, number: int, data: bytes) -> bytes:
        if number == GET_SWITCH:
            return struct.pack("=i", self.selected)
        if number != SET_SWITCH:
            return super().llrpc(number, data)
        (output,) = struct.unpack("=i", data)
        if output >= self.noutputs:
            raise OSError(errno.EINVAL, "no such output")
        self.select(output)
        return b""
